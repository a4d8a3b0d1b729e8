//! The operator's logo at the head of an email: a picture that the email carries, as nothing may be loaded.
//!
//! It is put there when the email is sent: a command that composes one need not have the logo, and no email that waits
//! holds it.

use crate::brand::{Brand, ColorScheme, Logo};
use lettre::message::header::ContentType;
use lettre::message::{Attachment, SinglePart};

/// The largest picture, as every email carries it.
const MAX_BYTES: usize = 20_000;
/// What stands in the HTML before and after the name, in whose place the logo may stand.
const BEGIN: &str = "<!--brand-->";
const END: &str = "<!--/brand-->";

/// The logo for emails, and whether the name stands beside it.
#[derive(Clone)]
pub(super) struct MailLogo {
    light: Logo,
    /// For dark emails, if it is another.
    dark: Option<Logo>,
    shows_name: bool,
}

impl MailLogo {
    /// The brand's logo, if mail programs can show it and it is small.
    pub(super) fn of(brand: &Brand) -> Option<Self> {
        let small = |logo: &Option<Logo>| logo.clone().filter(is_fit);
        let (light, dark) = (small(&brand.logo), small(&brand.logo_dark));
        let (light, dark) = match brand.scheme {
            ColorScheme::Light => (light?, None),
            ColorScheme::Dark => (dark.or(light)?, None),
            ColorScheme::Auto => (light?, dark),
        };
        Some(Self { light, dark, shows_name: brand.show_name })
    }

    pub(super) fn put_into(&self, html: &str) -> Option<String> {
        let (before, rest) = html.split_once(BEGIN)?;
        let (name, after) = rest.split_once(END)?;
        let alt = if self.shows_name { "" } else { name };
        let light = picture(&self.light, "light", alt, self.dark.as_ref().map(|_| "logo-light"));
        let dark = self.dark.as_ref().map(|logo| picture(logo, "dark", alt, Some("logo-dark"))).unwrap_or_default();
        let name = if self.shows_name { format!(" {name}") } else { String::new() };
        Some(format!("{before}{light}{dark}{name}{after}"))
    }

    /// The pictures, as parts of the email.
    pub(super) fn parts(&self) -> impl Iterator<Item = SinglePart> {
        let dark = self.dark.as_ref().map(|logo| ("dark", logo));
        std::iter::once(("light", &self.light)).chain(dark).filter_map(|(name, logo)| {
            let kind = ContentType::parse(logo.asset.content_type()).ok()?;
            Some(Attachment::new_inline(content_id(name)).body(logo.asset.body().to_vec(), kind))
        })
    }
}

/// No mail program shows an SVG.
fn is_fit(logo: &Logo) -> bool {
    logo.asset.content_type() == "image/png" && logo.asset.body().len() <= MAX_BYTES
}

fn content_id(name: &str) -> String {
    format!("logo-{name}")
}

/// The name in `alt` comes from the HTML, where it is escaped.
fn picture(logo: &Logo, name: &str, alt: &str, class: Option<&str>) -> String {
    let class = class.map(|class| format!(" class=\"{class}\"")).unwrap_or_default();
    let display = if name == "dark" { "none" } else { "inline-block" };
    format!(
        "<img{class} src=\"cid:{}\" width=\"{}\" alt=\"{alt}\" style=\"display:{display};height:auto;max-height:32px;\
         border:0;vertical-align:middle\">",
        content_id(name),
        logo.width
    )
}

#[cfg(test)]
#[path = "logo_tests.rs"]
mod tests;
