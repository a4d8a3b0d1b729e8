//! What a page's handler leaves for the layers around it, however it ends.

use axum::http::HeaderValue;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Of one request for a page. Clones share the notes: the handler of a form runs in its own task, and
/// may answer after the layers have.
#[derive(Clone, Default)]
pub struct PageNotes(Arc<Mutex<Notes>>);

#[derive(Default)]
struct Notes {
    cookies: Vec<HeaderValue>,
    csrf: Option<String>,
}

impl PageNotes {
    /// Sets cookies with the response, also if that is the page of an error.
    pub fn set_cookies(&self, cookies: impl IntoIterator<Item = HeaderValue>) {
        self.notes().cookies.extend(cookies);
    }

    /// Drops what was set for this name.
    pub fn unset_cookie(&self, name: &str) {
        self.notes().cookies.retain(|cookie| {
            cookie.as_bytes().strip_prefix(name.as_bytes()).is_none_or(|value| !value.starts_with(b"="))
        });
    }

    /// The cookies for the response.
    pub fn take_cookies(&self) -> Vec<HeaderValue> {
        std::mem::take(&mut self.notes().cookies)
    }

    /// The CSRF token of the answer's forms, if one is chosen.
    pub fn csrf(&self) -> Option<String> {
        self.notes().csrf.clone()
    }

    /// Chooses the CSRF token of the answer's forms.
    pub fn set_csrf(&self, token: &str) {
        self.notes().csrf = Some(token.to_owned());
    }

    fn notes(&self) -> MutexGuard<'_, Notes> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
