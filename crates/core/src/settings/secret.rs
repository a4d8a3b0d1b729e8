//! The service's secret keys.

use super::database::DatabaseUrl;
use super::encoding::decode_base64;
use super::parse;
use super::problem::InvalidValue;
use super::reader::{Read, Reader, Reported};
use super::spec::section;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use zeroize::Zeroizing;

/// One key of `SVC_SECRET_KEY`: 32 bytes and an optional id.
pub struct SecretKeySetting {
    /// The id that the operator gave the key, if any.
    pub id: Option<String>,
    pub key: Zeroizing<[u8; 32]>,
}

impl std::fmt::Debug for SecretKeySetting {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SecretKeySetting").field("id", &self.id).finish_non_exhaustive()
    }
}

impl SecretKeySetting {
    /// Parses the value of `SVC_SECRET_KEY` or the generated key file; `None` if it is invalid.
    pub fn parse_list(text: &str) -> Option<Vec<Self>> {
        secret_keys(text).ok()
    }

    /// The keys as `SVC_SECRET_KEY` or the key file has them.
    pub fn list_text(keys: &[Self]) -> Zeroizing<String> {
        let mut text = Zeroizing::new(String::new());
        for (index, Self { id, key }) in keys.iter().enumerate() {
            text.push_str(if index == 0 { "" } else { "," });
            for part in id.iter().flat_map(|id| [id.as_str(), ":"]) {
                text.push_str(part);
            }
            STANDARD.encode_string(**key, &mut text);
        }
        text.push('\n');
        text
    }
}

section! { "Secret key";
    SECRET_KEY: "base64 of 32 bytes, or list of id:base64",
        Unset("SQLite: generated once into SVC_DATA_DIR; PostgreSQL: required"), Secret,
        "Master key: encrypts stored secrets, and derives tokens and the keys of their hashes. Of several, the first \
        writes and all read; doorward secrets reseal moves everything to the first. Generate one with openssl rand \
        -base64 32.";
}

pub(super) fn read(reader: &mut Reader<'_>, database: Option<&DatabaseUrl>) -> Read<Option<Vec<SecretKeySetting>>> {
    if matches!(database, Some(DatabaseUrl::Postgres(_))) && !reader.is_given(&SECRET_KEY) {
        reader.report(
            &SECRET_KEY,
            "is not set, and PostgreSQL needs it: all processes share it, so none can generate it. Allowed: 32 bytes \
             as base64, such as openssl rand -base64 32 makes"
                .to_owned(),
        );
        return Err(Reported);
    }
    reader.optional(&SECRET_KEY, secret_keys)
}

fn secret_keys(text: &str) -> Result<Vec<SecretKeySetting>, InvalidValue> {
    let keys = parse::list(text, secret_key)?;
    let ids: Vec<_> = keys.iter().map(|key| key.id.as_deref()).collect();
    if keys.len() > 1 && ids.contains(&None) {
        return Err("with several keys, each needs an id: id:base64,id2:base64".into());
    }
    if parse::has_duplicates(&ids) {
        return Err("each id only once".into());
    }
    Ok(keys)
}

fn secret_key(item: &str) -> Result<SecretKeySetting, InvalidValue> {
    let refusal = || {
        InvalidValue::from(
            "32 bytes as base64 (openssl rand -base64 32 makes them), or a list id:base64,id2:base64 with ids of at \
             most 32 letters, digits, _ and -",
        )
    };
    let (id, key) = item.split_once(':').map_or((None, item), |(id, key)| (Some(id.trim()), key.trim()));
    if id.is_some_and(|id| !parse::is_key_id(id)) {
        return Err(refusal());
    }
    let bytes = decode_base64(key).ok_or_else(refusal)?;
    let mut key = Zeroizing::new([0; 32]);
    if bytes.len() != key.len() {
        return Err(refusal());
    }
    key.copy_from_slice(&bytes);
    Ok(SecretKeySetting { id: id.map(str::to_owned), key })
}

#[cfg(test)]
#[path = "secret_tests.rs"]
mod tests;
