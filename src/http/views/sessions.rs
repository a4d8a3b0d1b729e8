//! The list of the user's sessions.

use super::{Icon, Shell};
use crate::messages::Message;
use crate::model::ids::SessionId;
use crate::model::time::Time;
use askama::Template;

/// `/auth/account/sessions`.
#[derive(Template)]
#[template(path = "account_sessions.html")]
pub struct SessionsPage<'a> {
    pub layout: &'a Shell<'a>,
    pub notice: Option<&'a Message>,
    /// When refresh token reuse last ended a session of this user, if recent.
    pub stolen_token_at: Option<Time>,
    pub current: SessionLine,
    /// The other sessions, most recently used first.
    pub others: &'a [SessionLine],
}

#[derive(Clone, Debug)]
pub struct SessionLine {
    pub id: SessionId,
    /// The device, such as "Firefox on Linux".
    pub device: String,
    pub icon: Icon,
    /// Where the client was at login, in words.
    pub place: String,
    pub started_at: Time,
    /// When it was last used, to the minute.
    pub last_used_at: Time,
}

impl SessionsPage<'_> {
    /// The current session, and below it the others.
    fn all(&self) -> impl Iterator<Item = &SessionLine> {
        std::iter::once(&self.current).chain(self.others)
    }

    fn is_current(&self, session: &SessionLine) -> bool {
        session.id == self.current.id
    }
}
