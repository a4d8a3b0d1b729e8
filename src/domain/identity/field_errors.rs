//! What is wrong with the fields of an account.

use crate::messages::Message;
use crate::refusal::Refusal;

pub static EMAIL_TAKEN: Message = Message::new("email-taken");
pub static USERNAME_TAKEN: Message = Message::new("username-taken");

/// The validation errors of the fields of a form.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FieldErrors {
    pub email: Option<Message>,
    pub username: Option<Message>,
    pub password: Option<Message>,
}

impl FieldErrors {
    /// The messages, in the order of the fields.
    pub fn messages(&self) -> impl Iterator<Item = &Message> {
        [&self.email, &self.username, &self.password].into_iter().flatten()
    }

    /// Whether the address is refused only because an account has it.
    pub fn email_is_taken(&self) -> bool {
        self.email.as_ref() == Some(&EMAIL_TAKEN)
    }

    /// Whether the username is refused only because an account has it.
    pub fn username_is_taken(&self) -> bool {
        self.username.as_ref() == Some(&USERNAME_TAKEN)
    }
}

impl From<FieldErrors> for Refusal {
    fn from(errors: FieldErrors) -> Self {
        let FieldErrors { email, username, password } = errors;
        let fields = [("email", email), ("username", username), ("password", password)];
        Refusal::Fields(fields.into_iter().filter_map(|(name, why)| Some((name.into(), why?))).collect())
    }
}
