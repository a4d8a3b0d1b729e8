#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::format;
use crate::brand::{Brand, Logo};
use crate::mail::Content;
use crate::mail::smtp::logo::MailLogo;
use crate::model::time::Time;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use lettre::message::Mailbox;

fn mail(to: &str, subject: &str) -> Content {
    Content {
        to: to.to_owned(),
        subject: subject.to_owned(),
        text: "Grüße\n.\nhttps://auth.example/x".to_owned(),
        html: "<p>Grüße</p>".to_owned(),
        link: None,
        code: None,
        message_id: "<0193@mail.example>".to_owned(),
        written_at: Time::from_micros(1_763_725_620_000_000),
        expires_at: Time::from_micros(1_763_725_620_000_000),
    }
}

fn wire(to: &str, subject: &str) -> String {
    let from = "Accounts <accounts@mail.example>".parse().unwrap();
    String::from_utf8(format(&from, &mail(to, subject), None).unwrap().formatted()).unwrap()
}

fn header<'a>(wire: &'a str, name: &str) -> &'a str {
    let head = wire.split("\r\n\r\n").next().unwrap();
    let values: Vec<&str> = head.split("\r\n").filter_map(|line| line.strip_prefix(name)?.strip_prefix(": ")).collect();
    assert_eq!(values.len(), 1, "{name} in {head}");
    values[0]
}

#[test]
fn email_has_required_headers_and_both_parts() {
    let wire = wire("bob@example.com", "Hello");
    assert_eq!(header(&wire, "From"), "Accounts <accounts@mail.example>");
    assert_eq!(header(&wire, "To"), "bob@example.com");
    assert_eq!(header(&wire, "Subject"), "Hello");
    assert_eq!(header(&wire, "Date"), "Fri, 21 Nov 2025 11:47:00 +0000");
    assert_eq!(header(&wire, "Message-ID"), "<0193@mail.example>");
    assert_eq!(header(&wire, "Auto-Submitted"), "auto-generated");
    assert_eq!(header(&wire, "MIME-Version"), "1.0");
    assert!(wire.contains("multipart/alternative") && wire.is_ascii(), "{wire}");
    let (text, html) = (wire.find("text/plain").unwrap(), wire.find("text/html").unwrap());
    assert!(text < html, "the last form is the best one (RFC 2046, 5.1.4)");
}

#[test]
fn logo_is_carried_beside_the_html() {
    let png = [b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR".as_slice(), &[0, 0, 0, 64, 0, 0, 0, 64]].concat();
    let brand = Brand { logo: Some(Logo::from_bytes(png).unwrap()), ..Brand::default() };
    let html = "<!--brand-->Acme<!--/brand-->".to_owned();
    let mail = Content { html, ..mail("bob@example.com", "Hello") };
    let from = "Accounts <accounts@mail.example>".parse().unwrap();
    let message = format(&from, &mail, MailLogo::of(&brand).as_ref()).unwrap();
    let wire = String::from_utf8(message.formatted()).unwrap();
    for part in
        ["multipart/alternative", "multipart/related", "cid:logo-light", "Content-ID: <logo-light>", "image/png"]
    {
        assert!(wire.contains(part), "{part}: {wire}");
    }
}

#[test]
fn same_email_formats_to_same_bytes() {
    assert_eq!(wire("bob@example.com", "Hello"), wire("bob@example.com", "Hello"));
}

#[test]
fn subject_cannot_inject_headers() {
    for subject in ["Hi\r\nBcc: eve@example.com", "Hi\nBcc: eve@example.com", "Hi\u{2028}Bcc: x", "Grüße\r\n\r\nbody"]
    {
        let wire = wire("bob@example.com", subject);
        let head = wire.split("\r\n\r\n").next().unwrap();
        assert!(!head.lines().any(|line| line.starts_with("Bcc")), "{head}");
        assert!(wire.contains("multipart/alternative"), "{wire}");
    }
}

/// What a mail program shows of a header: every encoded word replaced by its text (RFC 2047).
fn shown(folded: &str) -> String {
    let mut shown = String::new();
    for word in folded.split_ascii_whitespace() {
        match word.strip_prefix("=?utf-8?b?").and_then(|rest| rest.strip_suffix("?=")) {
            Some(encoded) => shown.push_str(&String::from_utf8(STANDARD.decode(encoded).unwrap()).unwrap()),
            None => shown.extend([" ", word]),
        }
    }
    shown
}

/// The whole header, with the lines that continue it.
fn folded(wire: &str, name: &str) -> String {
    let head = wire.split("\r\n\r\n").next().unwrap();
    let start = head.find(&format!("\r\n{name}: ")).unwrap() + name.len() + 4;
    let mut lines = head[start..].split("\r\n");
    let first = lines.next().unwrap().to_owned();
    lines.take_while(|line| line.starts_with(' ')).fold(first, |all, line| all + line)
}

#[test]
fn text_like_an_encoded_word_is_shown_as_it_is() {
    let long = format!("{} =?utf-8?q?=41?= {}", "ä".repeat(70), "x".repeat(200));
    for subject in ["Invitation to =?utf-8?b?w4Q=?=", "=?", "a=?b", "Einladung zu Ä =?UTF-8?B?4oCu?=", &long] {
        let wire = wire("bob@example.com", subject);
        assert_eq!(shown(&folded(&wire, "Subject")), subject);
        assert!(wire.lines().all(|line| line.len() <= 76), "{wire}");
    }
    assert_eq!(header(&wire("bob@example.com", "1 = 2?"), "Subject"), "1 = 2?");
}

#[test]
fn sender_name_like_an_encoded_word_is_shown_as_it_is() {
    let from = Mailbox::new(Some("=?utf-8?b?w4Q=?=".to_owned()), "accounts@mail.example".parse().unwrap());
    let message = format(&from, &mail("bob@example.com", "Hello"), None).unwrap();
    assert_eq!(message.envelope().from().unwrap().to_string(), "accounts@mail.example");
    let wire = String::from_utf8(message.formatted()).unwrap();
    assert_eq!(shown(&folded(&wire, "From")), "=?utf-8?b?w4Q=?= <accounts@mail.example>");
    let from = Mailbox::new(Some("Müller, \"Käse\"".to_owned()), "accounts@mail.example".parse().unwrap());
    let wire = String::from_utf8(format(&from, &mail("bob@example.com", "x"), None).unwrap().formatted()).unwrap();
    assert!(folded(&wire, "From").ends_with(" <accounts@mail.example>") && wire.is_ascii(), "{wire}");
}

#[test]
fn non_ascii_address_is_accepted() {
    assert_eq!(mail("jürgen@müller.example", "").to, "jürgen@müller.example");
    let from = "a@mail.example".parse().unwrap();
    assert!(format(&from, &mail("jürgen@müller.example", "x"), None).is_ok());
    assert!(format(&from, &mail("nobody", "x"), None).is_err());
}
