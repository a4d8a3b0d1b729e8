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
    /// The names of the fields, each with what is wrong with it.
    pub fn fields(self) -> impl Iterator<Item = (&'static str, Message)> {
        let fields = [("email", self.email), ("username", self.username), ("password", self.password)];
        fields.into_iter().filter_map(|(name, why)| Some((name, why?)))
    }
}

impl From<FieldErrors> for Refusal {
    fn from(errors: FieldErrors) -> Self {
        Refusal::Fields(errors.fields().map(|(name, why)| (name.into(), why)).collect())
    }
}
