//! The layout that all emails share.

use super::context::MailContext;
use crate::brand::{Brand, Color, Shades};
use crate::error::Error;
use crate::html::BreakableText;
use crate::messages::Text;
use askama::Template;

/// The parts of an email, from top to bottom.
pub(super) struct Letter<'a> {
    pub(super) subject: String,
    pub(super) context: MailContext<'a>,
    pub(super) heading: String,
    /// The paragraphs above the code or the button.
    pub(super) before: Vec<String>,
    pub(super) action: Option<Action<'a>>,
    /// A code of six digits, above the button.
    pub(super) code: Option<Code<'a>>,
    /// The paragraphs below the button.
    pub(super) after: Vec<String>,
    /// Why the recipient receives this email.
    pub(super) reason: String,
}

pub(super) struct Action<'a> {
    pub(super) label: String,
    pub(super) url: &'a str,
    /// Whether it is for the few only whom the email surprises.
    pub(super) is_quiet: bool,
}

/// The colors of a button on a light ground; its class gives those on a dark one.
struct ButtonLook {
    class: &'static str,
    edge: Color,
    ground: Color,
    text: Color,
}

pub(super) struct Code<'a> {
    pub(super) digits: &'a str,
    /// How long it works, and the button, if there is one.
    pub(super) limit: String,
    /// The same in the text, which has a link in the button's place.
    pub(super) limit_in_text: String,
}

/// A link to one of the operator's own pages.
struct FootLink<'a> {
    /// The name of its message.
    label: &'static str,
    url: &'a str,
}

#[derive(Template)]
#[template(path = "mail/letter.html")]
struct HtmlTemplate<'a> {
    letter: &'a Letter<'a>,
}

#[derive(Template)]
#[template(path = "mail/letter.txt", escape = "none")]
struct TextTemplate<'a> {
    letter: &'a Letter<'a>,
}

impl<'a> Letter<'a> {
    pub(super) fn empty(context: MailContext<'a>) -> Self {
        Self {
            subject: String::new(),
            context,
            heading: String::new(),
            before: Vec::new(),
            action: None,
            code: None,
            after: Vec::new(),
            reason: String::new(),
        }
    }

    /// What a list of emails or a phone shows beside the subject: the code first.
    fn preheader(&self) -> String {
        let first = self.before.first().map(String::as_str).unwrap_or_default();
        self.code.as_ref().map_or_else(|| first.to_owned(), |code| format!("{} – {first}", code.digits))
    }

    /// A text whose long names break after their signs.
    #[expect(clippy::unused_self, reason = "the template has nothing else to call")]
    fn breakable(&self, text: &str) -> BreakableText {
        BreakableText(text.to_owned())
    }

    fn light(&self) -> &'a Shades {
        &self.context.brand.palette.light
    }

    fn dark(&self) -> &'a Shades {
        &self.context.brand.palette.dark
    }

    fn foot_links(&self) -> Vec<FootLink<'a>> {
        foot_links(self.context.brand)
    }

    fn button_look(&self, action: &Action<'_>) -> ButtonLook {
        if action.is_quiet {
            return ButtonLook {
                class: "quiet",
                edge: Color::from_rgb(0x85_85_8d),
                ground: Color::WHITE,
                text: Color::from_rgb(0x18_18_1b),
            };
        }
        let shades = self.light();
        ButtonLook { class: "fill", edge: shades.edge, ground: shades.brand, text: shades.on_brand }
    }

    /// What stands before an address in the text: French has a space before the colon.
    fn labelled(&self, label: impl std::fmt::Display) -> Text<'a> {
        self.context.t("mail-label").with("label", label.to_string())
    }

    /// Whether nothing stands below the button: with a code, its link is not there once more.
    fn ends_with_button(&self) -> bool {
        self.after.is_empty() && self.code.is_some()
    }

    fn is_right_to_left(&self) -> bool {
        self.context.messages.locale().is_right_to_left()
    }

    fn language(&self) -> &str {
        self.context.messages.locale_ref().tag()
    }

    pub(super) fn html(&self) -> Result<String, Error> {
        HtmlTemplate { letter: self }.render().map_err(|error| render_error(&error))
    }

    pub(super) fn text(&self) -> Result<String, Error> {
        TextTemplate { letter: self }.render().map_err(|error| render_error(&error))
    }
}

fn render_error(error: &askama::Error) -> Error {
    Error::Inconsistent(format!("a mail could not be written: {error}"))
}

/// The links that the operator has set, in their order.
fn foot_links(brand: &Brand) -> Vec<FootLink<'_>> {
    let links = &brand.links;
    let all = [("terms", &links.terms), ("privacy", &links.privacy), ("support", &links.support)];
    all.into_iter().filter_map(|(label, url)| Some(FootLink { label, url: url.as_deref()? })).collect()
}

#[cfg(test)]
#[path = "letter_tests.rs"]
mod tests;
