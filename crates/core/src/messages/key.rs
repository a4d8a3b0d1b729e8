//! Message ids.

/// The id of a message in the message files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key(pub &'static str);

impl From<&'static str> for Key {
    fn from(id: &'static str) -> Self {
        Key(id)
    }
}

impl From<&Key> for Key {
    fn from(key: &Key) -> Self {
        *key
    }
}
