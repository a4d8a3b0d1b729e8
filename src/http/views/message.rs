//! A page that says one thing.

use super::Chrome;
use crate::messages::{Key, Message};
use askama::Template;

/// A heading, a few sentences, and where to go next.
#[derive(Template)]
#[template(path = "message.html")]
pub struct MessagePage<'a> {
    /// Around the page.
    pub chrome: Chrome<'a>,
    /// Heading and title.
    pub heading: Key,
    /// The text.
    pub paragraphs: &'a [Message],
    /// Where to go next.
    pub next: Option<Link<'a>>,
}

/// A link.
#[derive(Clone, Copy, Debug)]
pub struct Link<'a> {
    /// A path on this origin, or an address already judged safe.
    pub href: &'a str,
    /// What it says.
    pub label: Key,
}
