//! An opaque JSON object of the application, which is sent with the events of an invitation.

use super::strict_json;
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::value::RawValue;

const MAX_BYTES: usize = 4 * 1024;

/// A JSON object of the application, byte for byte as it was submitted: the order of its keys, every digit of its
/// numbers, the whitespace. `{}` if there is none.
#[derive(Clone, Debug, Default)]
pub struct Metadata(Option<Box<RawValue>>);

impl Metadata {
    /// Parses what an operator submitted; the error is a sentence.
    ///
    /// Rejects what JSON parsers disagree about, as applications may derive permissions from it: a duplicate key (RFC
    /// 8259, 4), a number beyond a double's range (6), an unpaired surrogate (8.2).
    pub fn parse(text: &str) -> Result<Self, String> {
        let refused = |error: serde_json::Error| format!("The metadata is not a JSON object: {error}.");
        let text = text.trim();
        if text.len() > MAX_BYTES {
            return Err("The metadata is larger than 4 KiB.".to_owned());
        }
        strict_json::check_object(text).map_err(refused)?;
        Self::from_stored(text.to_owned()).map_err(refused)
    }

    /// Reads what [`Metadata::as_str`] wrote.
    pub fn from_stored(text: String) -> serde_json::Result<Self> {
        if text == NONE { Ok(Self(None)) } else { RawValue::from_string(text).map(|raw| Self(Some(raw))) }
    }

    pub fn as_str(&self) -> &str {
        self.0.as_ref().map_or(NONE, |raw| raw.get())
    }

    pub const fn is_none(&self) -> bool {
        self.0.is_none()
    }
}

const NONE: &str = "{}";

impl Serialize for Metadata {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            Some(raw) => raw.serialize(serializer),
            None => serializer.serialize_map(Some(0))?.end(),
        }
    }
}

#[cfg(test)]
#[path = "metadata_tests.rs"]
mod tests;
