//! The query parameters of an operation.

use super::error::OperationError;
use crate::http::api::error::ErrorCode;
use std::collections::HashSet;

/// More than any operation takes: `id` may stand a hundred times.
const MAX_PARAMETERS: usize = 128;

/// The parameters of a request, all of them known.
pub struct Parameters(Vec<(String, String)>);

impl Parameters {
    /// Reads a query whose names are `known`; those of `repeatable` may stand more than once.
    pub fn read(query: Option<&str>, known: &[&str], repeatable: &[&str]) -> Result<Self, OperationError> {
        let query = query.unwrap_or_default();
        if query.split('&').count() > MAX_PARAMETERS {
            return Err(bad("The query has too many parameters."));
        }
        let pairs: Vec<(String, String)> = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
        let mut seen = HashSet::new();
        for (name, value) in &pairs {
            if name.contains(UNUSABLE) || value.contains(UNUSABLE) {
                return Err(bad("The query is not UTF-8, or holds the character U+0000."));
            }
            let may_repeat = repeatable.contains(&name.as_str());
            if !may_repeat && !known.contains(&name.as_str()) {
                return Err(bad(format!("There is no parameter {name:?}.")));
            }
            if !seen.insert(name) && !may_repeat {
                return Err(bad(format!("The parameter {name:?} stands twice.")));
            }
        }
        Ok(Self(pairs))
    }

    pub fn none(query: Option<&str>) -> Result<(), OperationError> {
        Self::read(query, &[], &[]).map(|_| ())
    }

    pub fn get<'a>(&'a self, name: &'a str) -> Option<&'a str> {
        self.all(name).next()
    }

    /// All values of a parameter, in order.
    pub fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.0.iter().filter(move |(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// All parameters but the place in the list, in an order of their own, for a cursor.
    pub(super) fn filters(&self) -> String {
        let mut filters: Vec<_> =
            self.0.iter().filter(|(name, _)| !["after", "limit"].contains(&name.as_str())).collect();
        filters.sort();
        form_urlencoded::Serializer::new(String::new()).extend_pairs(filters).finish()
    }
}

/// The parser's sign of what is not UTF-8, and NUL, which databases refuse.
const UNUSABLE: [char; 2] = ['\u{fffd}', '\0'];

pub fn bad(message: impl Into<String>) -> OperationError {
    OperationError::with_message(ErrorCode::InvalidRequest, message.into())
}

#[cfg(test)]
#[path = "parameters_tests.rs"]
mod tests;
