#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use crate::brand::{Brand, Color, Links, Palette};
use crate::crypto::token_hash::LinkToken;
use crate::mail::context::MailContext;
use crate::mail::message::Mail;
use crate::mail::notice::{AdminNotice, LoginMethod, Notice};
use crate::mail::templates;
use crate::messages::{Catalog, Locale, Messages};
use crate::model::ids::{InvitationId, UserId};
use crate::model::organization::MemberRole;
use crate::model::time::Time;
use crate::model::user_label::UserLabel;
use std::time::Duration;
use uuid::Uuid;

const NOW: Time = Time::from_micros(1_763_725_620_000_000);
const ADA: UserLabel<'_> = UserLabel { name: Some("Ada Lovelace"), email: Some("ada@example.com"), username: "ada" };
const BASE: &str = "https://auth.example.com";

fn all<'a>(token: &'a LinkToken, name: &'a str) -> Vec<Mail<'a>> {
    let user = UserId(Uuid::from_u128(1));
    let code = "123456";
    let code_expires_at = NOW + Duration::from_mins(10);
    let expires_at = NOW + Duration::from_hours(24);
    let invitation = InvitationId(Uuid::from_u128(2));
    let invited = |inviter, role| Mail::Invitation { invitation, organization: name, inviter, role, token, expires_at };
    let methods = [LoginMethod::Passkey, LoginMethod::AuthenticatorApp, LoginMethod::RecoveryCodes];
    let mut all = vec![
        invited(Some(UserLabel { name: None, ..ADA }), MemberRole::Admin),
        invited(None, MemberRole::Member),
        Mail::VerifyEmail { user, token, code, code_expires_at, expires_at },
        Mail::ResetPassword { user, token, expires_at },
        Mail::SetPassword { user, token, expires_at },
        Mail::ChangeEmail { user, token, code, code_expires_at, expires_at },
        Mail::ConfirmationCode { user, code, expires_at: code_expires_at },
        Mail::EmailChanged { user, called: ADA, token, expires_at, device: None },
        Mail::Test,
    ];
    let mut notices = vec![
        Notice::ProviderConnected,
        Notice::ProviderDisconnected,
        Notice::PasswordChanged,
        Notice::EmailReplaced,
        Notice::AccountDisabled,
        Notice::AccountEnabled,
        Notice::SessionsEnded,
        Notice::RoleChanged,
        Notice::AccountDeleted,
        Notice::AccountRecovered,
    ];
    notices.extend(methods.map(Notice::LoginMethodAdded));
    notices.extend(methods.map(Notice::LoginMethodRemoved));
    all.extend(notices.into_iter().map(|notice| Mail::Notice { user, called: ADA, notice, thing: None, device: None }));
    let administrator = UserId(Uuid::from_u128(3));
    all.extend(AdminNotice::ALL.map(|notice| Mail::AdminNotice { administrator, user, called: ADA, notice }));
    all
}

/// The subject, the text and the HTML of a mail.
fn rendered(mail: &Mail<'_>) -> (String, String, String) {
    rendered_with(mail, Catalog::embedded().messages(Locale::ENGLISH))
}

fn rendered_with(mail: &Mail<'_>, messages: Messages<'_>) -> (String, String, String) {
    rendered_for(mail, messages, &Brand::default())
}

fn rendered_for(mail: &Mail<'_>, messages: Messages<'_>, brand: &Brand) -> (String, String, String) {
    let link = mail.link(BASE);
    let context = MailContext { messages, brand, base: BASE, to: "you@example.com", now: NOW };
    let letter = templates::letter(mail, context, link.as_deref());
    (letter.subject.clone(), letter.text().unwrap(), letter.html().unwrap())
}

#[test]
fn each_email_has_one_action_in_both_parts_and_a_reason() {
    let token = LinkToken::generate().unwrap();
    for mail in all(&token, "Crew") {
        let (subject, text, html) = rendered(&mail);
        let kind = mail.kind();
        assert!(!subject.is_empty() && !subject.contains("123456"), "{kind}: {subject}");
        let actions = usize::from(mail.link(BASE).is_some());
        assert_eq!(html.matches("class=\"button ").count(), actions, "{kind}: {html}");
        for form in [&text, &html] {
            assert!(form.contains("You’re receiving this because"), "{kind}: {form}");
            assert!(form.contains("auth.example.com"), "{kind}: {form}");
            if let Some(link) = mail.link(BASE) {
                assert!(form.contains(&link), "{kind}: {form}");
            }
        }
        let has_code =
            matches!(mail, Mail::VerifyEmail { .. } | Mail::ChangeEmail { .. } | Mail::ConfirmationCode { .. });
        // First of all, as a phone shows no more.
        assert_eq!((text.starts_with("123456\n"), html.contains(">123456<")), (has_code, has_code), "{kind}");
        assert_eq!(html.contains(">123456 – Enter"), has_code, "{kind}: {html}");
        assert!(!text.contains("\n\n\n"), "{kind}: {text}");
    }
}

#[test]
fn remaining_time_is_in_words() {
    let token = LinkToken::generate().unwrap();
    let (_, text, _) = rendered(&all(&token, "Crew")[2]);
    assert!(
        text.contains("The code expires in 10 minutes. This link does the same and expires in 24 hours:"),
        "{text}"
    );
}

#[test]
fn organization_name_injects_neither_header_nor_html() {
    let token = LinkToken::generate().unwrap();
    let name = "<a href=\"https://evil.example\">Crew</a>\r\nBcc: eve@example.com";
    let (subject, _, html) = rendered(&all(&token, name)[0]);
    assert!(!subject.contains(['\r', '\n']), "{subject}");
    assert!(!html.contains("<a href=\"https://evil.example\"") && !html.contains("href=\"https://evil"), "{html}");
}

#[test]
fn organization_name_does_not_end_its_own_quotation() {
    let token = LinkToken::generate().unwrap();
    let name = "Crew” \"is\" „locked“ «now» ＂!＂";
    for locale in [Locale::ENGLISH, Locale::GERMAN] {
        let (subject, ..) = rendered_with(&all(&token, name)[0], Catalog::embedded().messages(locale));
        let quotes: Vec<char> = subject.chars().filter(|c| "\"“”„«»＂".contains(*c)).collect();
        assert_eq!(quotes.len(), 2, "{subject}");
        assert!(subject.contains(&format!("{}Crew’ ’is’ ", quotes[0])), "{subject}");
    }
}

#[test]
fn inviter_is_named_with_account() {
    let token = LinkToken::generate().unwrap();
    let invited = |inviter| Mail::Invitation {
        invitation: InvitationId(Uuid::from_u128(2)),
        organization: "Crew",
        inviter: Some(inviter),
        role: MemberRole::Admin,
        token: &token,
        expires_at: NOW,
    };
    for (inviter, words) in [
        (ADA, "“Ada Lovelace” (ada@example.com) invited you to join “Crew” as an admin."),
        (UserLabel { name: None, ..ADA }, "ada@example.com invited you to join “Crew” as an admin."),
        (UserLabel { email: None, ..ADA }, "“Ada Lovelace” (ada) invited you to join “Crew” as an admin."),
    ] {
        let (_, text, _) = rendered(&invited(inviter));
        assert!(text.contains(words), "{text}");
    }
}

#[test]
fn email_with_link_or_code_expires_with_it() {
    let token = LinkToken::generate().unwrap();
    for mail in all(&token, "Crew") {
        let has_secret = mail.link(BASE).is_some_and(|link| link.contains(token.text()));
        let expected = match mail {
            Mail::ConfirmationCode { .. } => Duration::from_mins(10),
            _ if has_secret => Duration::from_hours(24),
            _ => Duration::from_hours(72),
        };
        assert_eq!(mail.expires_at(NOW).since(NOW), expected, "{}", mail.kind());
    }
}

#[test]
fn email_is_composed_in_requested_language() {
    let token = LinkToken::generate().unwrap();
    for mail in all(&token, "Crew") {
        let (subject, text, html) = rendered_with(&mail, Catalog::embedded().messages(Locale::GERMAN));
        assert!(text.contains("Sie erhalten diese E‑Mail, weil") && html.contains("lang=\"de\""), "{subject}: {text}");
    }
    let (_, text, _) = rendered_with(&all(&token, "Crew")[2], Catalog::embedded().messages(Locale::GERMAN));
    assert!(text.contains("Der Code gilt 10 Minuten."), "{text}");
}

#[test]
fn every_sentence_of_an_email_is_in_message_files() {
    let token = LinkToken::generate().unwrap();
    let catalog = Catalog::marked();
    for mail in all(&token, "Crew") {
        let (subject, text, _) = rendered_with(&mail, catalog.messages(Locale::ENGLISH));
        assert!(subject.starts_with("\u{27e6}"), "{subject}");
        // What is not marked is a link, a code, the service's name, or the line above it.
        let known = |line: &str| {
            line.is_empty()
                || line.starts_with("https://")
                || ["123456", "-- ", "Doorward · auth.example.com"].contains(&line)
        };
        let strange = text.lines().find(|line| !known(line) && !line.starts_with('\u{27e6}'));
        assert_eq!(strange, None, "{}", mail.kind());
    }
}

#[test]
fn each_email_has_name_color_and_links_of_brand() {
    let token = LinkToken::generate().unwrap();
    let url = |page: &str| Some(format!("https://acme.example/{page}"));
    let links = Links { app: url("app"), terms: url("terms"), privacy: url("privacy"), support: url("help") };
    let palette = Palette::of(Color::parse("#635bff").unwrap());
    let brand = Brand { name: "Acme & Co".to_owned(), palette, links, ..Brand::default() };
    for locale in Locale::BUILT_IN {
        for mail in all(&token, "Crew") {
            let (_, text, html) = rendered_for(&mail, Catalog::embedded().messages(locale), &brand);
            let kind = mail.kind();
            assert!(text.contains("Acme & Co") && html.contains("Acme &#38; Co"), "{kind}: {text}{html}");
            assert!(!format!("{text}{html}").contains("Doorward"), "{kind}: {text}{html}");
            assert!(html.contains("#635bff") && !html.contains("#0b6b53"), "{kind}: {html}");
            for page in ["app", "terms", "privacy", "help"] {
                let link = format!("https://acme.example/{page}");
                assert!(text.contains(&link) && html.contains(&format!("\"{link}\"")), "{kind}: {text}{html}");
            }
        }
    }
}

/// Gmail cuts off what is longer; and what is loaded tells its server who reads.
#[test]
fn each_email_is_short_and_loads_nothing() {
    let token = LinkToken::generate().unwrap();
    for mail in all(&token, "Crew") {
        let (_, _, html) = rendered(&mail);
        assert!(html.len() < 102_000, "{}: {}", mail.kind(), html.len());
        for loading in ["src=", "url(", "@import", "<link", "<img", "<script", "background=\""] {
            assert!(!html.contains(loading), "{}: {loading}", mail.kind());
        }
    }
}
