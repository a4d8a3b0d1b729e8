//! The page for a visitor whom the gate refuses: another host shows it, so every address in it is absolute, and its style
//! and its logo are in it.

use super::Layout;
use crate::http::request_id::RequestId;
use crate::messages::Key;
use crate::metrics::GateOutcome;
use askama::Template;

#[derive(Template)]
#[template(path = "gate.html")]
pub struct GatePage<'a> {
    layout: Layout<'a>,
    style: &'a str,
    logo: Option<&'a (String, Option<String>)>,
    heading: Key,
    text: Key,
    href: String,
    label: Key,
    /// The request's id, where only who runs the site can help.
    reference: Option<RequestId>,
    /// Where one leaves the account. The page does not name it: scripts of the other host could read that.
    other_account: Option<&'a str>,
}

impl<'a> GatePage<'a> {
    /// The page of an outcome; `url` is the page of ours that leads on, `layout` has the address of the service.
    pub fn new(
        layout: Layout<'a>,
        (style, logo): (&'a str, Option<&'a (String, Option<String>)>),
        outcome: GateOutcome,
        url: Option<&str>,
        request: RequestId,
    ) -> Self {
        let (heading, text) = match (outcome, url) {
            (GateOutcome::Login, None) => ("gate-unknown-address", "gate-unknown-address-why"),
            (GateOutcome::StepUp, None) => ("gate-step-up-unknown", "gate-unknown-address-why"),
            (GateOutcome::StepUp, _) => ("gate-step-up", "gate-step-up-why"),
            (GateOutcome::Forbidden, _) => ("gate-forbidden", "gate-forbidden-why"),
            (GateOutcome::Away, _) => ("error-unavailable", "gate-away"),
            (GateOutcome::Error, _) => ("error-internal", "gate-error"),
            _ => ("gate-login", "gate-login-why"),
        };
        let (href, label) = match url {
            Some(url) if matches!(outcome, GateOutcome::Login) => (url.to_owned(), "log-in-button"),
            Some(url) => (url.to_owned(), "continue"),
            None => (format!("{}/auth/", layout.origin), "gate-account"),
        };
        let needs_help =
            matches!((outcome, url), (GateOutcome::Login | GateOutcome::StepUp, None) | (GateOutcome::Error, _));
        let reference = needs_help.then_some(request);
        let (heading, text, label, other_account) = (Key(heading), Key(text), Key(label), None);
        Self { layout, style, logo, heading, text, href, label, reference, other_account }
    }

    /// The page with a way out of the account.
    #[must_use]
    pub fn with_other(self, url: Option<&'a str>) -> Self {
        Self { other_account: url, ..self }
    }

    /// The width of the dark pages' logo.
    fn dark_width(&self) -> u32 {
        self.layout.brand.logo_dark.as_ref().map_or(0, |logo| logo.width)
    }
}
