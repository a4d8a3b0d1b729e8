//! Deserializes the fields of a form: texts, optional texts, and types made from texts.

use super::fields::Fields;
use serde::de::value::{Error, MapDeserializer};
use serde::de::{DeserializeOwned, Deserializer, IntoDeserializer, Visitor};
use serde::forward_to_deserialize_any;

impl Fields {
    /// The fields as a type. Of several values of a name the first counts; what the type does not know is ignored.
    pub(super) fn deserialize<T: DeserializeOwned>(&self) -> Result<T, Error> {
        T::deserialize(MapDeserializer::new(self.firsts().map(|(name, value)| (name, FieldValue(value)))))
    }
}

/// Unlike serde's own deserializer of a text, a field that is there is also `Some`.
struct FieldValue<'a>(&'a str);

impl<'de> Deserializer<'de> for FieldValue<'_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_str(self.0)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map struct enum identifier ignored_any
    }
}

impl IntoDeserializer<'_> for FieldValue<'_> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

#[cfg(test)]
#[path = "deserializer_tests.rs"]
mod tests;
