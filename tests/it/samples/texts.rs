//! What the samples have in common: texts, layout and rendering.

use askama::Template;
use axum::http::HeaderValue;
use doorward::brand::Brand;
use doorward::http::content_policy;
use doorward::http::views::{Layout, NavigationItem, Shell, account_sections};
use doorward::messages::{Catalog, Locale, Message};
use doorward::model::time::Time;
use doorward::model::user_label::UserLabel;
use std::any::type_name;
use std::sync::LazyLock;

/// The untrusted texts, in one place, so that a test can put script into each, and how they are shown.
#[derive(Clone, Copy)]
pub struct Texts {
    pub csrf: &'static str,
    pub return_to: &'static str,
    pub email: &'static str,
    pub username: &'static str,
    /// Of an organization, a provider, a passkey, a person.
    pub name: &'static str,
    pub error: &'static str,
    pub device: &'static str,
    /// An IP address.
    pub place: &'static str,
    pub role: &'static str,
    pub code: &'static str,
    /// The length of long lists.
    pub rows: u16,
    pub locale: Locale,
    pub catalog: fn() -> &'static Catalog,
    pub brand: fn() -> &'static Brand,
}

pub const ORDINARY: Texts = Texts {
    csrf: "Jx1o0sQ0l3m8cVt2m4n5b6v7c8x9z0aQwErTyUiOpLk",
    return_to: "/app/reports?year=2025",
    email: "grace.hopper@example.org",
    username: "grace",
    name: "Grace’s organization",
    error: "An account with this e-mail address exists already. Log in instead, or use another address.",
    device: "Firefox on Linux",
    place: "192.0.2.1",
    role: "svc:admin",
    code: "k7m2-x9qp-4t8w-3hnv",
    rows: 3,
    locale: Locale::ENGLISH,
    catalog: Catalog::embedded,
    brand: || {
        static BRAND: LazyLock<Brand> = LazyLock::new(Brand::default);
        &BRAND
    },
};

impl Texts {
    /// A person with all three names.
    pub const fn label(self) -> UserLabel<'static> {
        UserLabel { name: Some(self.name), email: Some(self.email), username: self.username }
    }

    /// An error with an untrusted text in it.
    pub fn problem(self) -> Option<&'static Message> {
        leaked(Message::new("account-last-owner").text("organizations", self.error))
    }
}

/// When things happened in the samples.
pub const AT: Time = Time::from_micros(1_763_725_620_000_000);
/// An hour later.
const NOW: Time = Time::from_micros(AT.as_micros() + 3_600_000_000);

pub fn layout(t: Texts) -> Layout<'static> {
    Layout::from_parts((t.brand)(), (t.catalog)(), t.locale, t.return_to, NOW)
}

pub fn layout_of_viewer(t: Texts) -> Layout<'static> {
    layout(t).seen_by(Some(t.email))
}

/// The layout of a page with forms, with the navigation of these sections.
pub fn shell(
    t: Texts,
    layout: Layout<'static>,
    sections: Vec<NavigationItem>,
    form_error: Option<&'static Message>,
) -> &'static Shell<'static> {
    Box::leak(Box::new(Shell { layout, csrf: t.csrf.to_owned(), sections, form_error }))
}

/// That of a page for anyone.
pub fn card(t: Texts, form_error: Option<&'static Message>) -> &'static Shell<'static> {
    shell(t, layout(t), Vec::new(), form_error)
}

/// That of a page in this section of an account.
pub fn viewed(t: Texts, section: &str, form_error: Option<&'static Message>) -> &'static Shell<'static> {
    shell(t, layout_of_viewer(t), account_sections(section).into(), form_error)
}

pub fn done(key: &'static str) -> Option<&'static Message> {
    leaked(Message::new(key))
}

#[expect(clippy::unnecessary_wraps, reason = "views take it so")]
pub fn leaked(message: Message) -> Option<&'static Message> {
    Some(Box::leak(Box::new(message)))
}

#[derive(Clone)]
pub struct Sample {
    /// The state, unique among all.
    pub name: &'static str,
    /// The type of its view; each template has one.
    pub view: &'static str,
    pub html: String,
    /// Its `Content-Security-Policy`.
    pub policy: HeaderValue,
}

pub fn render<V: Template>(name: &'static str, view: &V) -> Sample {
    let policy = HeaderValue::try_from(content_policy([])).unwrap();
    Sample { name, view: type_name::<V>(), html: view.render().unwrap(), policy }
}
