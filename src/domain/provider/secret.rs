//! The secret of a provider: what the operator gives, how it is checked, and how it is stored.

use super::field_error::ProviderFieldError;
use crate::crypto::apple_key::AppleKey;
use crate::crypto::seal::SealContext;
use crate::crypto::secret_keys::SecretKeys;
use crate::error::Error;
use crate::model::names::names;
use crate::model::provider::{ProviderKind, ProviderName};
use crate::store::ProviderRow;
use secrecy::{ExposeSecret, SecretString};
use zeroize::Zeroizing;

/// The bytes of a secret; longer than any provider's.
const MAX_SECRET_LEN: usize = 4096;
/// The bytes of a key's file.
const MAX_KEY_LEN: usize = 16 * 1024;
/// The length in bytes of a file or variable with a secret that is worth reading.
pub const MAX_SECRET_FILE_LEN: u64 = 16 * 1024;

names! {
    /// By its name in a file of providers.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum SecretField {
        ClientSecretFile = "client_secret_file",
        ClientSecretEnv = "client_secret_env",
        PrivateKeyFile = "private_key_file",
    }
}

pub struct GivenSecret {
    pub field: SecretField,
    /// The content of the file or variable.
    pub text: Zeroizing<String>,
}

#[derive(Clone, Debug)]
pub enum ProviderSecret {
    /// The client's, as it goes to the token endpoint.
    Client(SecretString),
    /// The key that signs Apple's, in PEM ([`AppleKey::from_pem`]).
    AppleKey(SecretString),
}

impl ProviderSecret {
    /// Checks the secret of a new provider.
    pub(super) fn required(kind: ProviderKind, given: Option<GivenSecret>) -> Result<Self, ProviderFieldError> {
        let field =
            if kind == ProviderKind::Apple { SecretField::PrivateKeyFile } else { SecretField::ClientSecretFile };
        let given = given.ok_or_else(|| {
            ProviderFieldError::new(field.as_str(), format!("is required for the kind {}", kind.as_str()))
        })?;
        Self::checked(kind, given)
    }

    /// Checks that a secret is one of this kind.
    pub(super) fn checked(kind: ProviderKind, given: GivenSecret) -> Result<Self, ProviderFieldError> {
        let GivenSecret { field, text } = given;
        let refused = |sentence: &str| Err(ProviderFieldError::new(field.as_str(), sentence));
        match (kind == ProviderKind::Apple, field) {
            (true, SecretField::PrivateKeyFile) => {
                if text.len() > MAX_KEY_LEN {
                    return refused("is larger than a key's file");
                }
                AppleKey::from_pem(&text)
                    .map_err(|error| ProviderFieldError::new(field.as_str(), error.to_string()))?;
                Ok(Self::AppleKey(text.as_str().into()))
            }
            (true, _) => refused("is not for the kind apple, which has private_key_file"),
            (false, SecretField::PrivateKeyFile) => refused("is for the kind apple only"),
            (false, _) => client_secret(field, &text),
        }
    }

    pub(super) fn seal(&self, keys: &SecretKeys, name: &ProviderName) -> Result<Vec<u8>, Error> {
        keys.seal(&seal_context(name), self.text().as_bytes()).map_err(Error::crypto)
    }

    /// Opens the secret of a provider; `None` if it was lost with the secret key.
    pub fn open(keys: &SecretKeys, row: &ProviderRow) -> Result<Option<Self>, Error> {
        let Some(sealed) = &row.secret else { return Ok(None) };
        let opened = keys.open(&seal_context(&row.provider.name), sealed).map_err(Error::crypto)?;
        let text = std::str::from_utf8(&opened).map_err(Error::crypto)?;
        Ok(Some(match row.provider.kind {
            ProviderKind::Apple => Self::AppleKey(text.into()),
            _ => Self::Client(text.into()),
        }))
    }

    /// Whether a provider has this secret; compared by keyed hashes.
    pub(super) fn is_of(&self, keys: &SecretKeys, row: &ProviderRow) -> bool {
        let fingerprint = |secret: &Self| keys.fingerprint(&[secret.text().as_bytes()]);
        matches!(Self::open(keys, row), Ok(Some(stored)) if fingerprint(&stored) == fingerprint(self))
    }

    fn text(&self) -> &str {
        match self {
            Self::Client(text) | Self::AppleKey(text) => text.expose_secret(),
        }
    }
}

/// One line end is cut, which editors add (RFC 6749, A.2 has the characters).
fn client_secret(field: SecretField, text: &str) -> Result<ProviderSecret, ProviderFieldError> {
    let line = text.strip_suffix('\n').map_or(text, |line| line.strip_suffix('\r').unwrap_or(line));
    let refused = |sentence: &str| Err(ProviderFieldError::new(field.as_str(), sentence));
    match line {
        "" => refused("is empty"),
        line if line.len() > MAX_SECRET_LEN => refused("is longer than a client's secret"),
        line if !line.bytes().all(|byte| (0x20..=0x7e).contains(&byte)) => {
            refused("is not one line of printable ASCII, as a client's secret is")
        }
        line => Ok(ProviderSecret::Client(line.into())),
    }
}

pub(super) fn seal_context(name: &ProviderName) -> SealContext<'_> {
    SealContext { table: "providers", row: name.as_str().as_bytes(), column: "secret" }
}
