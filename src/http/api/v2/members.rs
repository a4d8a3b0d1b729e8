//! Deserializes the members of an object, and says of each that is not accepted why.

use super::error::OperationError;
use serde::de::value::StrDeserializer;
use serde::de::{self, DeserializeOwned, DeserializeSeed, Deserializer, MapAccess, Visitor};
use serde::forward_to_deserialize_any;
use serde_json::value::RawValue;
use std::collections::{BTreeMap, btree_map};
use std::fmt;

/// The members of an object, none of them twice.
pub type Members<'a> = BTreeMap<String, &'a RawValue>;

/// The members of an object as a type.
pub(super) fn read_members<T: DeserializeOwned>(members: &Members<'_>) -> Result<T, OperationError> {
    T::deserialize(Object(members)).map_err(|RefusedFields(details)| OperationError::fields(details))
}

struct Object<'a>(&'a Members<'a>);

/// The fields that are not accepted, each with its sentence.
#[derive(Debug)]
struct RefusedFields(BTreeMap<String, String>);

impl RefusedFields {
    fn one(field: &str, sentence: String) -> Self {
        Self(BTreeMap::from([(field.to_owned(), sentence)]))
    }
}

impl fmt::Display for RefusedFields {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.0)
    }
}

impl std::error::Error for RefusedFields {}

impl de::Error for RefusedFields {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::one("", message.to_string())
    }

    fn missing_field(field: &'static str) -> Self {
        Self::one(field, "This field is required.".to_owned())
    }
}

impl<'de> Deserializer<'de> for Object<'_> {
    type Error = RefusedFields;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, RefusedFields> {
        visitor.visit_map(Reader { members: self.0.iter(), current: None })
    }

    /// All unknown members are named at once.
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, RefusedFields> {
        let unknown = self.0.keys().filter(|name| !fields.contains(&name.as_str()));
        let unknown: BTreeMap<String, String> =
            unknown.map(|name| (name.clone(), "There is no such field.".to_owned())).collect();
        if unknown.is_empty() { self.deserialize_any(visitor) } else { Err(RefusedFields(unknown)) }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

struct Reader<'a> {
    members: btree_map::Iter<'a, String, &'a RawValue>,
    current: Option<(&'a str, &'a RawValue)>,
}

impl<'de> MapAccess<'de> for Reader<'_> {
    type Error = RefusedFields;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, RefusedFields> {
        self.current = self.members.next().map(|(name, value)| (name.as_str(), *value));
        self.current.map(|(name, _)| seed.deserialize(StrDeserializer::new(name))).transpose()
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, RefusedFields> {
        let Some((name, value)) = self.current.take() else { return Err(de::Error::custom("a member has no value")) };
        // A copy, as what is made of it outlives the body.
        let mut text = serde_json::Deserializer::from_reader(value.get().as_bytes());
        seed.deserialize(&mut text).map_err(|error| RefusedFields::one(name, sentence(&error)))
    }
}

/// Such as "Invalid type: integer `1`, expected a string.", without the place.
fn sentence(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let text = text.split(" at line ").next().unwrap_or_default();
    let (first, rest) = text.split_at_checked(1).unwrap_or_default();
    format!("{}{rest}.", first.to_ascii_uppercase())
}
