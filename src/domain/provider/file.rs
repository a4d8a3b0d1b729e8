//! The file of providers: TOML, with a table `[[provider]]` for each. Secrets stand in files or variables that it names.

use super::field_error::ProviderFieldError;
use super::fields::{ProviderFields, WholeProvider};
use super::secret::{GivenSecret, SecretField};
use crate::model::provider::ProviderName;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};
use zeroize::Zeroizing;

/// The bytes of a file of providers.
pub const MAX_PROVIDER_FILE_LEN: u64 = 256 * 1024;
const LIST: &str = "provider";
const NAME: &str = "name";

/// A mistake in a file of providers.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {sentence}")]
pub struct ProviderFileError {
    /// The line, from 1.
    pub line: usize,
    pub sentence: String,
}

/// Reads the secrets that a file names. The errors are sentences without the secret.
pub trait SecretSource {
    /// The content of a file, whose path is relative to the file of providers.
    fn file(&self, path: &str) -> Result<Zeroizing<String>, String>;

    fn variable(&self, name: &str) -> Result<Zeroizing<String>, String>;
}

/// The providers of a file, in its order, each checked.
pub fn parse(text: &str, secrets: &impl SecretSource) -> Result<Vec<WholeProvider>, ProviderFileError> {
    let source = Source { text, secrets };
    let document = DeTable::parse(text).map_err(|error| source.error(error.span(), error.message().to_owned()))?;
    let mut found: Vec<WholeProvider> = Vec::new();
    for (key, value) in document.get_ref() {
        if key.get_ref() != LIST {
            let sentence = format!("{}: only [[{LIST}]] can stand here", key.get_ref());
            return Err(source.error(Some(key.span()), sentence));
        }
        let list = value.get_ref().as_array();
        let list = list.ok_or_else(|| source.error(Some(key.span()), format!("{LIST}: write it as [[{LIST}]]")))?;
        for item in list {
            let table = item.get_ref().as_table();
            let table = table.ok_or_else(|| source.error(Some(item.span()), format!("{LIST}: is a list of tables")))?;
            found.push(source.provider(table, item.span(), &found)?);
        }
    }
    Ok(found)
}

/// The files with secrets that a file of providers names, as far as it can be read.
pub fn secret_files(text: &str) -> Vec<String> {
    let Ok(document) = DeTable::parse(text) else { return Vec::new() };
    let list = document.get_ref().get(LIST).and_then(|list| list.get_ref().as_array());
    let tables = list.into_iter().flatten().filter_map(|item| item.get_ref().as_table());
    let named = [SecretField::ClientSecretFile, SecretField::PrivateKeyFile].map(SecretField::as_str);
    let fields = tables.flat_map(|table| table.iter()).filter(|(field, _)| named.contains(&field.get_ref().as_ref()));
    fields.filter_map(|(_, path)| path.get_ref().as_str()).map(str::to_owned).collect()
}

struct Source<'a, S> {
    text: &'a str,
    secrets: &'a S,
}

impl<S: SecretSource> Source<'_, S> {
    fn provider(
        &self,
        table: &DeTable<'_>,
        place: Range<usize>,
        before: &[WholeProvider],
    ) -> Result<WholeProvider, ProviderFileError> {
        let (mut name, mut fields, mut secret) = (None, ProviderFields::default(), None);
        for (key, value) in table {
            let (field, text) = (key.get_ref().as_ref(), self.text(key.get_ref(), value)?);
            if field == NAME {
                let parsed = ProviderName::parse(text);
                let parsed = parsed.map_err(|sentence| self.refused(value, field, &sentence))?;
                if before.iter().any(|other| *other.name() == parsed) {
                    return Err(self.refused(value, field, "another provider of the file has it"));
                }
                name = Some(parsed);
            } else if let Some(secret_field) = SecretField::ALL.into_iter().find(|known| known.as_str() == field) {
                if secret.is_some() {
                    return Err(self.refused(value, field, "a provider has one secret"));
                }
                let read = match secret_field {
                    SecretField::ClientSecretEnv => self.secrets.variable(text),
                    SecretField::ClientSecretFile | SecretField::PrivateKeyFile => self.secrets.file(text),
                };
                let text = read.map_err(|sentence| self.refused(value, field, &sentence))?;
                secret = Some(GivenSecret { field: secret_field, text });
            } else {
                let place = fields.of_name(field).ok_or_else(|| self.unknown(key.span(), field))?;
                *place = Some(text.to_owned());
            }
        }
        let name = name.ok_or_else(|| self.error(Some(place.clone()), format!("{NAME}: is required")))?;
        let whole = WholeProvider::new(name, &fields, secret);
        let whole = whole.map_err(|error| self.error(Some(place_of(table, &error, &place)), error.to_string()))?;
        let others = before.iter().map(|other| &other.provider);
        super::manage::require_free_client(&whole.provider, others)
            .map_err(|error| self.error(Some(place_of(table, &error, &place)), error.to_string()))?;
        Ok(whole)
    }

    fn text<'v>(&self, field: &str, value: &'v Spanned<DeValue<'_>>) -> Result<&'v str, ProviderFileError> {
        value.get_ref().as_str().ok_or_else(|| self.refused(value, field, "is a text in quotation marks"))
    }

    fn unknown(&self, place: Range<usize>, field: &str) -> ProviderFileError {
        let sentence = match field {
            "client_secret" | "private_key" => {
                "no secret stands in this file; client_secret_file, client_secret_env or private_key_file names one"
            }
            _ => "is no field of a provider",
        };
        self.error(Some(place), format!("{field}: {sentence}"))
    }

    fn refused(&self, value: &Spanned<DeValue<'_>>, field: &str, sentence: &str) -> ProviderFileError {
        self.error(Some(value.span()), format!("{field}: {sentence}"))
    }

    fn error(&self, place: Option<Range<usize>>, sentence: String) -> ProviderFileError {
        let before = place.and_then(|place| self.text.get(..place.start)).unwrap_or_default();
        ProviderFileError { line: before.matches('\n').count() + 1, sentence }
    }
}

/// The place of the field that is refused; that of the whole table if it is missing.
fn place_of(table: &DeTable<'_>, error: &ProviderFieldError, whole: &Range<usize>) -> Range<usize> {
    let found = table.iter().find(|(key, _)| key.get_ref() == error.field);
    found.map_or_else(|| whole.clone(), |(key, _)| key.span())
}

#[cfg(test)]
#[path = "file_tests.rs"]
mod tests;
