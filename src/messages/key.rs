//! The names of sentences.

/// The name of a sentence in the message files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key(pub &'static str);

impl From<&'static str> for Key {
    fn from(name: &'static str) -> Self {
        Key(name)
    }
}

impl From<&Key> for Key {
    fn from(key: &Key) -> Self {
        *key
    }
}
