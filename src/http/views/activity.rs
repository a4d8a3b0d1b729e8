//! The security activity of the account.

use super::{Layout, NavigationItem};
use crate::model::time::Time;
use askama::Template;

/// `/auth/account/activity`.
#[derive(Template)]
#[template(path = "account_activity.html")]
pub struct ActivityPage<'a> {
    /// The layout around the page.
    pub layout: Layout<'a>,
    /// The account navigation.
    pub sections: &'a [NavigationItem],
    /// The entries, newest first.
    pub entries: &'a [ActivityLine],
    /// Whether newer entries are on a previous page.
    pub has_previous_page: bool,
    /// The cursor of the next page.
    pub next: Option<&'a str>,
}

/// An activity entry.
#[derive(Clone, Debug)]
pub struct ActivityLine {
    /// The audit kind, which selects the text.
    pub kind: String,
    /// When; the last time if it is repeated.
    pub at: Time,
    /// The number of repetitions.
    pub times: i64,
    /// Details beyond the kind.
    pub detail: String,
    /// The device, such as "Firefox on Linux"; `None` for the command line.
    pub device: Option<String>,
    /// The client's address.
    pub address: String,
    /// Whether an operator did it.
    pub by_operator: bool,
    /// Whether to flag the entry as suspicious.
    pub suspicious: bool,
}
