//! What stands around the forms of a page.

use super::{Layout, NavigationItem};
use crate::messages::Message;
use std::ops::Deref;

/// The layout of a page with forms: each page of a logged-in user has at least the one that logs out.
pub struct Shell<'a> {
    pub layout: Layout<'a>,
    /// The CSRF token of the forms.
    pub csrf: String,
    /// The navigation; shown if it has at least two items.
    pub sections: Vec<NavigationItem>,
    /// Why a form was refused as a whole; nothing was changed.
    pub form_error: Option<&'a Message>,
}

impl<'a> Deref for Shell<'a> {
    type Target = Layout<'a>;

    fn deref(&self) -> &Layout<'a> {
        &self.layout
    }
}
