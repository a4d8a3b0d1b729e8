//! What every page has around its content.

use crate::http::assets::Assets;

/// The name a page shows for the service until the operator gives it another.
pub const DEFAULT_BRAND: &str = "Doorward";

/// What every page has around its content.
#[derive(Clone, Copy, Debug)]
pub struct Chrome<'a> {
    /// The name in the header and after the title.
    pub brand: &'a str,
    /// Stylesheet, script and icon under their hashed names.
    pub assets: &'static Assets,
    /// Who is logged in, if anyone.
    pub viewer: Option<Viewer<'a>>,
}

/// Who is looking at a page.
#[derive(Clone, Copy)]
pub struct Viewer<'a> {
    /// The name beside the log-out button.
    pub username: &'a str,
    /// The CSRF token of the log-out button.
    pub csrf: &'a str,
}

/// Without the token.
impl std::fmt::Debug for Viewer<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Viewer").field("username", &self.username).finish_non_exhaustive()
    }
}

impl<'a> Chrome<'a> {
    /// Around a page for someone who is not logged in, or for whoever it may be.
    pub fn new() -> Self {
        Self { brand: DEFAULT_BRAND, assets: Assets::embedded(), viewer: None }
    }

    /// The same for someone who is logged in.
    #[must_use]
    pub fn viewed_by(self, username: &'a str, csrf: &'a str) -> Self {
        Self { viewer: Some(Viewer { username, csrf }), ..self }
    }
}

impl Default for Chrome<'_> {
    fn default() -> Self {
        Self::new()
    }
}

/// A form field as it is shown: what the user typed, and what is wrong with it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Field<'a> {
    /// What the user typed; empty on a fresh form.
    pub value: &'a str,
    /// The reason why it cannot be accepted, as a sentence.
    pub error: Option<&'a str>,
}
