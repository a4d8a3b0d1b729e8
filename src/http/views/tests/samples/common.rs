//! What the samples of every page have: texts, layout and rendering.
#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use crate::brand::Brand;
use crate::http::views::Layout;
use crate::messages::{Catalog, Locale, Message};
use crate::model::time::Time;
use askama::Template;
use std::sync::LazyLock;

/// The untrusted texts, in one place, so that a test can put script into each.
#[derive(Clone, Copy)]
pub struct Texts {
    pub csrf: &'static str,
    pub return_to: &'static str,
    pub email: &'static str,
    pub username: &'static str,
    pub name: &'static str,
    pub error: &'static str,
    pub device: &'static str,
    pub locale: Locale,
    pub catalog: fn() -> &'static Catalog,
}

pub const ORDINARY: Texts = Texts {
    csrf: "Jx1o0sQ0l3m8cVt2m4n5b6v7c8x9z0aQwErTyUiOpLk",
    return_to: "/app/reports?year=2025",
    email: "grace.hopper@example.org",
    username: "grace",
    name: "Grace’s organization",
    error: "An account with this e-mail address exists already. Log in instead, or use another address.",
    device: "Firefox on Linux",
    locale: Locale::ENGLISH,
    catalog: Catalog::embedded,
};

impl Texts {
    /// An error with an untrusted text in it.
    #[expect(clippy::unnecessary_wraps, reason = "views take it so")]
    pub fn problem(self) -> Option<&'static Message> {
        Some(Box::leak(Box::new(Message::new("account-last-owner").text("organizations", self.error))))
    }
}

/// An hour after what happened in the samples.
const NOW: Time = Time::from_micros(1_763_729_220_000_000);

pub fn layout(t: Texts) -> Layout<'static> {
    static BRAND: LazyLock<Brand> = LazyLock::new(Brand::default);
    Layout::from_parts(&BRAND, (t.catalog)(), t.locale, t.return_to, NOW)
}

/// A sample's name and its HTML.
pub type Rendered = (&'static str, String);

pub fn render(name: &'static str, view: &impl Template) -> Rendered {
    (name, view.render().unwrap())
}
