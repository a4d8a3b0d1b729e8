//! An email that was delivered to the process itself, for those who build an application.

use super::ids::MailId;
use serde::Serialize;

/// As a recipient would have it. Not `Debug`: its link and code are as good as a password.
#[derive(Clone, Serialize)]
pub struct LocalMail {
    pub id: MailId,
    pub kind: String,
    pub to: String,
    pub subject: String,
    pub text: String,
    pub link: Option<String>,
    pub code: Option<String>,
}
