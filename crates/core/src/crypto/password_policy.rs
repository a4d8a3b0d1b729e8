//! The password policy (`docs/reference/browser.md` 10.2; NIST SP 800-63B-4, 3.1.1.2): length limits, no composition
//! rules, and a blocklist of common passwords.

use crate::messages::Message;
use crate::model::sorted_lines;

/// The maximum length, in characters.
pub const MAX_LENGTH: usize = 256;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PasswordProblem {
    TooShort {
        min: usize,
    },
    TooLong {
        max: usize,
    },
    /// It is on the list of common passwords.
    Common,
    /// It is the user's own name or email address.
    Personal,
    /// It is on the list of breached passwords that the operator imported.
    Breached,
}

impl PasswordProblem {
    pub fn message(self) -> Message {
        match self {
            PasswordProblem::TooShort { min } => Message::new("password-too-short").number("min", min),
            PasswordProblem::TooLong { max } => Message::new("password-too-long").number("max", max),
            PasswordProblem::Common => Message::new("password-common"),
            PasswordProblem::Personal => Message::new("password-personal"),
            PasswordProblem::Breached => Message::new("password-breached"),
        }
    }
}

/// Checks a new password.
///
/// Length counts Unicode scalar values. `personal` holds the user's email address and names: they and the local part of
/// an address are rejected, ignoring case.
pub fn check(password: &str, min_length: usize, personal: &[&str]) -> Result<(), PasswordProblem> {
    let length = password.chars().count();
    if length > MAX_LENGTH {
        return Err(PasswordProblem::TooLong { max: MAX_LENGTH });
    }
    if length < min_length {
        return Err(PasswordProblem::TooShort { min: min_length });
    }
    if is_personal(password, personal) {
        return Err(PasswordProblem::Personal);
    }
    if is_common(password) {
        return Err(PasswordProblem::Common);
    }
    Ok(())
}

fn is_personal(password: &str, personal: &[&str]) -> bool {
    let password = fold(password);
    personal.iter().any(|item| {
        let item = fold(item);
        let local_part = item.rsplit_once('@').map(|(local, _)| local);
        password == item || local_part == Some(&password)
    })
}

fn fold(text: &str) -> String {
    text.trim().to_lowercase()
}

/// The list of common passwords; `third-party.md` names its source.
static COMMON: &[u8] = include_bytes!("../../assets/common-passwords.txt");

fn is_common(password: &str) -> bool {
    sorted_lines::contains(COMMON, &password.to_lowercase())
}

#[cfg(test)]
#[path = "password_policy_tests.rs"]
mod tests;
