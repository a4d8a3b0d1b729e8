//! The operator's own pages.

/// The operator's own pages, to which ours link: `http` or `https` URLs without user info.
#[derive(Clone, Debug, Default)]
pub struct Links {
    /// The application: "Back to …".
    pub app: Option<String>,
    pub terms: Option<String>,
    pub privacy: Option<String>,
    /// Where people get help; may be a `mailto:` URL.
    pub support: Option<String>,
}

impl Links {
    /// Whether every page has links in its foot.
    pub const fn has_any_in_foot(&self) -> bool {
        self.terms.is_some() || self.privacy.is_some() || self.support.is_some()
    }
}
