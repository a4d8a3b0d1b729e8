//! The application's own id of an account.

/// What the application calls an account: at most 255 bytes, without control characters. Doorward gives it no meaning,
/// and several accounts may have the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExternalId(String);

impl ExternalId {
    const MAX_BYTES: usize = 255;

    /// Reads an id; the error is a sentence.
    pub fn parse(text: &str) -> Result<Self, String> {
        if text.is_empty() || text.len() > Self::MAX_BYTES || text.chars().any(char::is_control) {
            return Err("The external id has 1 to 255 bytes without control characters.".to_owned());
        }
        Ok(Self(text.to_owned()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_kept_as_they_are() {
        for text in ["7", " a b ", "crm:ä/β", &"x".repeat(255)] {
            assert_eq!(ExternalId::parse(text).map(|id| id.0).as_deref(), Ok(text));
        }
        for text in ["", "a\nb", "a\u{0}", "\u{85}", &"ä".repeat(128)] {
            assert!(ExternalId::parse(text).is_err(), "{text:?}");
        }
    }
}
