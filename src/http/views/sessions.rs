//! Where the user is logged in.

use super::{Chrome, Section};
use crate::messages::Message;
use crate::model::ids::SessionId;
use crate::model::time::Time;
use askama::Template;

/// `/auth/account/sessions`.
#[derive(Template)]
#[template(path = "account_sessions.html")]
pub struct SessionsPage<'a> {
    /// Around the page.
    pub chrome: Chrome<'a>,
    /// The forms' CSRF token.
    pub csrf: &'a str,
    /// The pages to move between.
    pub sections: &'a [Section],
    /// What was just done.
    pub done: Option<&'a Message>,
    /// What is wrong with the form.
    pub form_error: Option<&'a Message>,
    /// When a session of this user was last ended because an old refresh token came back, if that is news.
    pub stolen_token_at: Option<Time>,
    /// The session that the page is seen with.
    pub current: SessionLine,
    /// The others, the latest used first.
    pub others: &'a [SessionLine],
}

/// A session in a list.
#[derive(Clone, Debug)]
pub struct SessionLine {
    /// Its id.
    pub id: SessionId,
    /// The device in words, such as "Firefox on Linux".
    pub device: String,
    /// The client's address at log-in.
    pub address: String,
    /// When it began.
    pub started_at: Time,
    /// When it was last used, to the minute.
    pub last_used_at: Time,
}
