//! Formats an email (RFC 5322, MIME).

use super::logo::MailLogo;
use crate::mail::Content;
use crate::model::time::Time;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use lettre::message::header::{self, ContentType, Header, HeaderName, HeaderValue};
use lettre::message::{Mailbox, Mailboxes, MultiPart, SinglePart};
use lettre::{Address, Message};

/// An encoded word has at most 75 characters (RFC 2047, 2), and with the name of its header a line at most 76.
const BYTES_PER_WORD: usize = 39;

/// Formats an email; the same bytes at every attempt with the same sender and logo. The error is a sentence.
pub(super) fn format(from: &Mailbox, mail: &Content, logo: Option<&MailLogo>) -> Result<Message, String> {
    let to: Address = mail.to.parse().map_err(|_| "the address is none that mail can be sent to".to_owned())?;
    // The id is generated, without characters that could end a line or a boundary.
    let boundary = mail.message_id.split('@').next().unwrap_or_default().trim_start_matches('<');
    let text = SinglePart::builder().header(ContentType::TEXT_PLAIN).body(mail.text.clone());
    let forms = MultiPart::alternative().boundary(boundary).singlepart(text);
    let html = |html: String| SinglePart::builder().header(ContentType::TEXT_HTML).body(html);
    let forms = match logo.and_then(|logo| Some((logo, logo.put_into(&mail.html)?))) {
        Some((logo, with_logo)) => {
            let related = MultiPart::related().boundary(format!("{boundary}-logo")).singlepart(html(with_logo));
            forms.multipart(logo.parts().fold(related, MultiPart::singlepart))
        }
        None => forms.singlepart(html(mail.html.clone())),
    };
    Message::builder()
        .raw_header(HeaderValue::new(HeaderName::new_from_ascii_str("Date"), date(mail.written_at)))
        .raw_header(sender(from))
        .to(Mailbox::new(None, to))
        .raw_header(subject(&mail.subject))
        .message_id(Some(mail.message_id.clone()))
        // RFC 3834, 5: no vacation responder shall reply.
        .raw_header(HeaderValue::new(HeaderName::new_from_ascii_str("Auto-Submitted"), "auto-generated".to_owned()))
        .multipart(forms)
        .map_err(|error| format!("the mail cannot be written: {error}"))
}

fn subject(text: &str) -> HeaderValue {
    let name = HeaderName::new_from_ascii_str("Subject");
    match encoded_words(text) {
        Some(encoded) => HeaderValue::dangerous_new_pre_encoded(name, text.to_owned(), encoded),
        None => HeaderValue::new(name, text.to_owned()),
    }
}

fn sender(from: &Mailbox) -> HeaderValue {
    match from.name.as_deref().and_then(encoded_words) {
        Some(encoded) => HeaderValue::dangerous_new_pre_encoded(
            HeaderName::new_from_ascii_str("From"),
            from.to_string(),
            format!("{encoded}\r\n <{}>", from.email),
        ),
        None => header::From::from(Mailboxes::from(from.clone())).display(),
    }
}

/// RFC 5322, 3.3.
fn date(at: Time) -> String {
    match jiff::Timestamp::from_microsecond(at.as_micros()) {
        Ok(timestamp) => timestamp.strftime("%a, %d %b %Y %H:%M:%S +0000").to_string(),
        Err(_) => at.to_string(),
    }
}

/// The text as encoded words (RFC 2047) if a reader would take a part of it for one; else `None`, and the library encodes it.
///
/// Names that people choose stand in subjects: `=?utf-8?b?4oCu?=` would show characters that names may not have.
fn encoded_words(text: &str) -> Option<String> {
    text.contains("=?").then(|| {
        let words: Vec<_> = chunks(text).map(|chunk| format!("=?utf-8?b?{}?=", STANDARD.encode(chunk))).collect();
        words.join("\r\n ")
    })
}

/// Splits between characters: each word is decoded by itself.
fn chunks(mut text: &str) -> impl Iterator<Item = &str> {
    std::iter::from_fn(move || {
        let (chunk, rest) = text.split_at(text.floor_char_boundary(BYTES_PER_WORD));
        text = rest;
        (!chunk.is_empty()).then_some(chunk)
    })
}

#[cfg(test)]
#[path = "message_tests.rs"]
mod tests;
