//! What a page's handler leaves for the layers around it, however it ends.

use super::form::Typed;
use axum::http::HeaderValue;
use parking_lot::{Mutex, MutexGuard};
use std::sync::Arc;

/// Of one request for a page. Clones share the notes: the handler of a form runs in its own task, and
/// may answer after the layers have.
#[derive(Clone, Default)]
pub struct PageNotes(Arc<Mutex<Notes>>);

#[derive(Default)]
struct Notes {
    cookies: Vec<HeaderValue>,
    csrf: Option<String>,
    viewer: Option<String>,
    sent: Option<SentForm>,
}

/// A form that was sent and verified, for a page that offers to send it again.
#[derive(Clone)]
pub struct SentForm {
    pub action: String,
    pub typed: Typed,
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

    /// How the logged-in user is called, if the handler asked for the session.
    pub fn viewer(&self) -> Option<String> {
        self.notes().viewer.clone()
    }

    pub fn set_viewer(&self, called: &str) {
        self.notes().viewer = Some(called.to_owned());
    }

    pub fn sent(&self) -> Option<SentForm> {
        self.notes().sent.clone()
    }

    /// Notes the form that was sent. One that is not verified must not be noted: the page would send it again with a
    /// valid token, also a forged one.
    pub fn set_sent(&self, form: SentForm) {
        self.notes().sent = Some(form);
    }

    fn notes(&self) -> MutexGuard<'_, Notes> {
        self.0.lock()
    }
}
