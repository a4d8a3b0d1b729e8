//! The page for the owner of a disabled account.

use super::Layout;
use askama::Template;

/// Answers the correct password of a disabled account, with 403.
#[derive(Template)]
#[template(path = "disabled.html")]
pub struct DisabledPage<'a> {
    pub layout: Layout<'a>,
    pub return_to: Option<&'a str>,
}
