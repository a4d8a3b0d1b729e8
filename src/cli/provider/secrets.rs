//! Secrets of providers, which never stand on a command line or in a file of providers: they come from files and variables.

use super::args::ProviderValues;
use crate::cli::failure::Failure;
use crate::domain::provider::file::SecretSource;
use crate::domain::provider::secret::{GivenSecret, MAX_SECRET_FILE_LEN, SecretField};
use crate::settings::{Environment, Variable};
use std::fs::File;
use std::io::Read;
use std::path::Path;
use zeroize::Zeroizing;

/// Reads the secret that a command names; `None` if it names none.
pub(super) fn given(values: &ProviderValues) -> Result<Option<GivenSecret>, Failure> {
    let files = [
        (SecretField::ClientSecretFile, &values.client_secret_file),
        (SecretField::PrivateKeyFile, &values.private_key_file),
    ];
    let Some((field, path)) = files.into_iter().find_map(|(field, path)| Some((field, path.as_ref()?))) else {
        return Ok(None);
    };
    let text = read(path, MAX_SECRET_FILE_LEN)
        .map_err(|sentence| Failure::Operator(format!("{}: {sentence}", field.as_str())))?;
    Ok(Some(GivenSecret { field, text }))
}

/// Reads a small file. The error is a sentence that names it.
pub(super) fn read(path: &Path, max_len: u64) -> Result<Zeroizing<String>, String> {
    let failed = |error: std::io::Error| format!("{}: {error}", path.display());
    let mut text = Zeroizing::new(String::new());
    // One byte more shows that there are more.
    let file = File::open(path).map_err(failed)?;
    file.take(max_len + 1).read_to_string(&mut text).map_err(failed)?;
    if text.len() as u64 > max_len {
        return Err(format!("{} is larger than {max_len} bytes", path.display()));
    }
    Ok(text)
}

/// The secrets that a file of providers names.
pub(super) struct NamedSecrets<'a> {
    pub(super) folder: &'a Path,
    pub(super) environment: &'a Environment,
}

impl SecretSource for NamedSecrets<'_> {
    fn file(&self, path: &str) -> Result<Zeroizing<String>, String> {
        read(&self.folder.join(path), MAX_SECRET_FILE_LEN)
    }

    fn variable(&self, name: &str) -> Result<Zeroizing<String>, String> {
        match self.environment.get(name) {
            Variable::Text(text) => Ok(Zeroizing::new(text.to_owned())),
            Variable::Unset => Err(format!("the variable {name} is not set")),
            Variable::NotUnicode => Err(format!("the variable {name} is not UTF-8")),
        }
    }
}
