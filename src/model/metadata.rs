//! An application's own JSON object, which comes with the events of an invitation and is never interpreted.

use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::value::RawValue;
use std::collections::HashSet;
use std::fmt;

/// Bytes of the text.
const MAX: usize = 4 * 1024;

/// An application's own JSON object, letter by letter as the operator wrote it: the order of its keys, every digit of
/// its numbers, blanks between them. `{}` when there is none.
#[derive(Clone, Debug, Default)]
pub struct Metadata(Option<Box<RawValue>>);

impl Metadata {
    /// Reads what an operator gives; the error is a sentence.
    ///
    /// What JSON parsers disagree about is refused, as rights are derived from it: a key that stands twice (RFC 8259,
    /// 4), a number beyond a double's range (6), half of a surrogate pair (8.2).
    pub fn parse(text: &str) -> Result<Self, String> {
        let refused = |error: serde_json::Error| format!("The metadata is not a JSON object: {error}.");
        let text = text.trim();
        if text.len() > MAX {
            return Err("The metadata is larger than 4 KiB.".to_owned());
        }
        serde_json::from_str::<Object>(text).map_err(refused)?;
        Self::stored(text.to_owned()).map_err(refused)
    }

    /// Reads what [`Metadata::as_str`] wrote.
    pub fn stored(text: String) -> serde_json::Result<Self> {
        if text == NONE { Ok(Self(None)) } else { RawValue::from_string(text).map(|raw| Self(Some(raw))) }
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        self.0.as_ref().map_or(NONE, |raw| raw.get())
    }

    /// Whether the operator gave none.
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

/// A JSON object that every parser reads alike.
struct Object;

impl<'de> serde::Deserialize<'de> for Object {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Plain).map(|()| Object)
    }
}

/// A JSON value that every parser reads alike.
struct Value;

impl<'de> serde::Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Plain).map(|()| Value)
    }
}

struct Plain;

impl<'de> Visitor<'de> for Plain {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        while seq.next_element::<Value>()?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut names = HashSet::new();
        while let Some((name, Value)) = map.next_entry::<String, Value>()? {
            if let Some(name) = names.replace(name) {
                return Err(A::Error::custom(format_args!("the key {name:?} stands twice")));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
#[path = "metadata_tests.rs"]
mod tests;
