//! A page with a message and a link.

use super::Layout;
use crate::messages::{Key, Message};
use askama::Template;

/// A heading, text, and a link to the next page.
#[derive(Template)]
#[template(path = "message.html")]
pub struct MessagePage<'a> {
    pub layout: Layout<'a>,
    /// Heading and title.
    pub heading: Key,
    pub paragraphs: &'a [Message],
    pub next: Option<Link<'a>>,
}

#[derive(Clone, Copy, Debug)]
pub struct Link<'a> {
    /// A path on this origin, or an already validated URL.
    pub href: &'a str,
    pub label: Key,
}
