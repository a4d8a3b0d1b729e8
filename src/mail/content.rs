//! The mail as it waits in the outbox.

use crate::crypto::seal::{OpenError, Place};
use crate::crypto::secret_keys::SecretKeys;
use crate::error::Error;
use crate::model::ids::MailId;
use crate::model::time::Time;
use serde::{Deserialize, Serialize};
use zeroize::Zeroizing;

/// A whole mail but its sender, who is whoever the settings name when it is sent.
#[derive(Deserialize, Serialize)]
pub struct Content {
    /// To whom.
    pub to: String,
    /// Its subject.
    pub subject: String,
    /// Its text.
    pub text: String,
    /// The same in HTML.
    pub html: String,
    /// The link in it, if there is one.
    pub link: Option<String>,
    /// The header of that name, the same at every attempt.
    pub message_id: String,
    /// When it was written; its `Date`.
    #[serde(with = "micros")]
    pub written_at: Time,
    /// When it is of no more use.
    #[serde(with = "micros")]
    pub expires_at: Time,
}

/// Without what is secret.
impl std::fmt::Debug for Content {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Content").field("message_id", &self.message_id).finish_non_exhaustive()
    }
}

impl Content {
    /// The sealed mail, as the outbox holds it.
    pub fn seal(&self, keys: &SecretKeys, id: MailId) -> Result<Vec<u8>, Error> {
        let plain = Zeroizing::new(serde_json::to_vec(self).map_err(|error| Error::Inconsistent(error.to_string()))?);
        keys.seal(&place(id.0.as_bytes()), &plain).map_err(|error| Error::Crypto(error.to_string()))
    }

    /// Reads a sealed mail; `None` if it was erased.
    pub fn open(keys: &SecretKeys, id: MailId, sealed: &[u8]) -> Result<Option<Self>, Error> {
        if sealed.is_empty() {
            return Ok(None);
        }
        let plain = keys.open(&place(id.0.as_bytes()), sealed).map_err(|error| unreadable(id, &error))?;
        serde_json::from_slice(&plain).map(Some).map_err(|_| unreadable(id, &OpenError::Corrupt))
    }

    /// The same mail sealed with the first key; `None` if it is or if the mail was erased.
    pub fn reseal(keys: &SecretKeys, id: MailId, sealed: &[u8]) -> Result<Option<Vec<u8>>, Error> {
        if sealed.is_empty() || !keys.needs_reseal(sealed) {
            return Ok(None);
        }
        let plain = keys.open(&place(id.0.as_bytes()), sealed).map_err(|error| unreadable(id, &error))?;
        keys.seal(&place(id.0.as_bytes()), &plain).map(Some).map_err(|error| Error::Crypto(error.to_string()))
    }
}

fn unreadable(id: MailId, error: &OpenError) -> Error {
    Error::Crypto(format!("mail {id}: {error}"))
}

fn place(row: &[u8]) -> Place<'_> {
    Place { table: "outbox", row, column: "payload" }
}

/// A moment as a number.
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
