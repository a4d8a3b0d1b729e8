//! An email as it is stored in the outbox.

use crate::crypto::seal::{OpenError, SealContext};
use crate::crypto::secret_keys::SecretKeys;
use crate::error::Error;
use crate::model::ids::MailId;
use crate::model::time::Time;
use serde::{Deserialize, Serialize};
use zeroize::Zeroizing;

/// A complete email, except for its sender, which is taken from the settings when it is sent.
#[derive(Deserialize, Serialize)]
pub struct Content {
    pub to: String,
    pub subject: String,
    pub text: String,
    pub html: String,
    /// The link of its button, if it has one.
    pub link: Option<String>,
    /// The code in it, if it has one. Emails that an older version wrote do not say.
    #[serde(default)]
    pub code: Option<String>,
    /// The `Message-ID` header, the same in every attempt.
    pub message_id: String,
    /// When it was composed; the `Date` header.
    #[serde(with = "micros")]
    pub written_at: Time,
    /// When it expires: its link has expired, or its news is old.
    #[serde(with = "micros")]
    pub expires_at: Time,
}

/// Without secrets.
impl std::fmt::Debug for Content {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Content").field("message_id", &self.message_id).finish_non_exhaustive()
    }
}

impl Content {
    pub fn seal(&self, keys: &SecretKeys, id: MailId) -> Result<Vec<u8>, Error> {
        let plain = Zeroizing::new(serde_json::to_vec(self).map_err(|error| Error::Inconsistent(error.to_string()))?);
        keys.seal(&seal_context(id.0.as_bytes()), &plain).map_err(|error| Error::Crypto(error.to_string()))
    }

    /// Opens a sealed email; `None` if it was erased.
    pub fn open(keys: &SecretKeys, id: MailId, sealed: &[u8]) -> Result<Option<Self>, Error> {
        if sealed.is_empty() {
            return Ok(None);
        }
        let plain = keys.open(&seal_context(id.0.as_bytes()), sealed).map_err(|error| unreadable(id, &error))?;
        serde_json::from_slice(&plain).map(Some).map_err(|_| unreadable(id, &OpenError::Corrupt))
    }

    /// Seals the email again with the first key; `None` if it already is, or if the email was erased.
    pub fn reseal(keys: &SecretKeys, id: MailId, sealed: &[u8]) -> Result<Option<Vec<u8>>, Error> {
        if sealed.is_empty() || !keys.needs_reseal(sealed) {
            return Ok(None);
        }
        let plain = keys.open(&seal_context(id.0.as_bytes()), sealed).map_err(|error| unreadable(id, &error))?;
        keys.seal(&seal_context(id.0.as_bytes()), &plain).map(Some).map_err(|error| Error::Crypto(error.to_string()))
    }
}

fn unreadable(id: MailId, error: &OpenError) -> Error {
    Error::Crypto(format!("mail {id}: {error}"))
}

fn seal_context(row: &[u8]) -> SealContext<'_> {
    SealContext { table: "outbox", row, column: "payload" }
}

/// Serializes a time as microseconds since the Unix epoch.
mod micros {
    use crate::model::time::Time;
    use serde::{Deserialize, Deserializer, Serializer};

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
    pub(super) fn serialize<S: Serializer>(time: &Time, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_i64(time.as_micros())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Time, D::Error> {
        Ok(Time::from_micros(i64::deserialize(deserializer)?))
    }
}

#[cfg(test)]
#[path = "content_tests.rs"]
mod tests;
