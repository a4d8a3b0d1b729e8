//! A page with a message and a link.

use super::Layout;
use crate::messages::{Key, Message};
use askama::Template;

/// A heading, text, and a link to the next page.
#[derive(Template)]
#[template(path = "message.html")]
pub struct MessagePage<'a> {
    /// The layout around the page.
    pub layout: Layout<'a>,
    /// Heading and title.
    pub heading: Key,
    /// The text.
    pub paragraphs: &'a [Message],
    /// The link to the next page.
    pub next: Option<Link<'a>>,
}

/// A link.
#[derive(Clone, Copy, Debug)]
pub struct Link<'a> {
    /// A path on this origin, or an already validated URL.
    pub href: &'a str,
    /// Its text.
    pub label: Key,
}
