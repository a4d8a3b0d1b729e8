//! Several email addresses in one field, as people type or paste them.

use crate::model::mail_domain;

/// The addresses of a text, each as it stands there, the first of those that compare alike. Commas, semicolons, blanks
/// and line ends separate them. Of `Ada Lovelace <ada@example.com>`, as mail programs copy it, it is what stands in the
/// brackets. Whether they are addresses is for [`EmailAddress::parse`](super::identifiers::EmailAddress::parse) to say.
pub fn addresses(text: &str) -> Vec<&str> {
    let mut found: Vec<&str> = Vec::new();
    let mut keys: Vec<String> = Vec::new();
    for entry in text.split([',', ';', '\n', '\r']) {
        for address in addresses_of_entry(entry) {
            let key = mail_domain::key(address);
            if !keys.contains(&key) {
                keys.push(key);
                found.push(address);
            }
        }
    }
    found
}

/// What stands in angle brackets, or else each word.
fn addresses_of_entry(entry: &str) -> impl Iterator<Item = &str> {
    let bracketed = entry.split_once('<').and_then(|(_, rest)| rest.split_once('>')).map(|(address, _)| address.trim());
    let words = bracketed.is_none().then(|| entry.split_whitespace());
    bracketed.into_iter().chain(words.into_iter().flatten())
}

#[cfg(test)]
#[path = "address_list_tests.rs"]
mod tests;
