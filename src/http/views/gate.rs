//! The page for a visitor whom the gate refuses: another host shows it, so every address in it is absolute, and its style
//! is in it.

use crate::brand::Brand;
use crate::context::App;
use crate::http::language::Language;
use crate::messages::{Key, Messages, Text};
use crate::metrics::GateOutcome;
use askama::Template;

/// A refusal, and where to go.
#[derive(Template)]
#[template(path = "gate.html")]
pub struct GatePage<'a> {
    messages: Messages<'a>,
    brand: &'a Brand,
    style: &'a str,
    heading: Key,
    text: Key,
    href: String,
    label: Key,
}

impl<'a> GatePage<'a> {
    /// The page of an outcome in this style; `url` is the page of ours that leads on.
    pub fn new(
        app: &'a App,
        language: &Language,
        style: &'a str,
        outcome: GateOutcome,
        base_url: &str,
        url: Option<&str>,
    ) -> Self {
        let pages = &app.settings.pages;
        let (heading, text) = match (outcome, url) {
            (GateOutcome::Login, None) => ("gate-login", "gate-unknown-address"),
            (GateOutcome::StepUp, _) => ("gate-step-up", "gate-step-up-why"),
            (GateOutcome::Forbidden, _) => ("gate-forbidden", "gate-forbidden-why"),
            (GateOutcome::Away, _) => ("error-unavailable", "gate-away"),
            (GateOutcome::Error, _) => ("error-internal", "gate-error"),
            _ => ("gate-login", "gate-login-why"),
        };
        let (href, label) = match url {
            Some(url) => (url.to_owned(), "continue"),
            None => (format!("{base_url}/auth/"), "gate-account"),
        };
        Self {
            messages: pages.messages(language.locale),
            brand: &pages.brand,
            style,
            heading: Key(heading),
            text: Key(text),
            href,
            label: Key(label),
        }
    }

    fn t(&self, key: Key) -> Text<'a> {
        self.messages.t(key)
    }

    fn language(&self) -> &str {
        self.messages.locale_ref().tag()
    }

    fn is_right_to_left(&self) -> bool {
        self.messages.locale().is_right_to_left()
    }
}
