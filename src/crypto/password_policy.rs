//! Which passwords are taken (contract.md 7; NIST SP 800-63B-4, 3.1.1.2): a length, no composition rules, and none
//! that an attacker tries first.

use super::common_passwords;
use crate::messages::Message;

/// The longest password, in characters.
pub const MAX_LENGTH: usize = 256;

/// Why a password is not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PasswordProblem {
    /// Fewer than `min` characters.
    TooShort {
        /// The least number of characters.
        min: usize,
    },
    /// More than `max` characters.
    TooLong {
        /// The greatest number of characters.
        max: usize,
    },
    /// It is on the list of common passwords.
    Common,
    /// It is the user's own name or e-mail address.
    Personal,
    /// It is known from a breach, as the list that the operator imported says.
    Breached,
}

impl PasswordProblem {
    /// What to say beside the field.
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

/// Checks a new password of a user.
///
/// Length counts Unicode scalar values. `personal` are the user's e-mail address and names: neither they themselves
/// nor the part of an address before the `@` are taken, in any letter case.
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
    if common_passwords::contains(password) {
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

#[cfg(test)]
#[path = "password_policy_tests.rs"]
mod tests;
