//! Every mail as its recipient sees it: wide and narrow, light and dark, in each language, and as plain text.

use super::inspection::{check, fail_if_any};
use super::language::EMAIL;
use super::settings::SETTINGS;
use crate::harness::{Browser, Look, TempDir, part, product, snapshot};
use crate::snapshots::between;
use doorward::crypto::token_hash::LinkToken;
use doorward::mail::{AdminNotice, Content, LoginMethod, Mail, Notice, compose};
use doorward::messages::Locale;
use doorward::model::device::Device;
use doorward::model::ids::{AccountTokenId, InvitationId, UserId};
use doorward::model::organization::MemberRole;
use doorward::model::time::Time;
use doorward::model::user_label::UserLabel;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;
use uuid::Uuid;

browser![every_mail_is_accessible];
single_run![plain_texts_are_readable, every_mail_kind_is_covered];

const NOW: Time = Time::from_micros(1_763_725_620_000_000);
const LOOKS: [(&str, Look); 4] = [
    ("narrow", Look { size: (360, 640), ..Look::DESKTOP }),
    ("narrow-dark", Look { size: (360, 640), ..Look::DESKTOP.dark() }),
    ("wide", Look { size: (600, 800), ..Look::DESKTOP }),
    ("wide-dark", Look { size: (600, 800), ..Look::DESKTOP.dark() }),
];

fn all_mails<'a>(token: &'a LinkToken, device: &'a Device) -> Vec<Mail<'a>> {
    let (user, about) = (UserId(Uuid::from_u128(1)), AccountTokenId(Uuid::from_u128(2)));
    let (code, username) = ("481516", "grace.hopper");
    let (code_expires_at, expires_at) = (NOW + Duration::from_mins(10), NOW + Duration::from_hours(24));
    let organization = "Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz";
    let invitation = InvitationId(Uuid::from_u128(3));
    let invited = |inviter, role| Mail::Invitation { invitation, organization, inviter, role, token, expires_at };
    let signup = |account_exists| {
        let signup = about;
        Mail::ConfirmSignup { signup, token, code, code_expires_at, expires_at, account_exists }
    };
    let called = UserLabel { name: Some("Rear Admiral Grace “Amazing” Hopper"), email: Some(EMAIL), username };
    let notice = |notice| {
        let thing = match notice {
            Notice::LoginMethodAdded(LoginMethod::Passkey) => Some("Grace’s phone"),
            Notice::ProviderConnected | Notice::ProviderDisconnected => Some("Google"),
            Notice::RoleChanged => Some("svc:admin,svc:monitor"),
            _ => None,
        };
        Mail::Notice { user, called, notice, thing, device: Some(device) }
    };
    let administrator = UserId(Uuid::from_u128(4));
    vec![
        invited(Some(called), MemberRole::Admin),
        Mail::VerifyEmail { user, token, code, code_expires_at, expires_at },
        signup(false),
        signup(true),
        Mail::AddressTaken { about, expires_at },
        Mail::ResetPassword { user, token, expires_at },
        Mail::ConfirmationCode { user, code, expires_at: code_expires_at },
        Mail::SetPassword { user, token, expires_at },
        Mail::ChangeEmail { user, token, code, code_expires_at, expires_at },
        Mail::EmailChanged { user, called, token, expires_at, device: Some(device) },
        notice(Notice::PasswordChanged),
        notice(Notice::LoginMethodAdded(LoginMethod::Passkey)),
        notice(Notice::LoginMethodRemoved(LoginMethod::AuthenticatorApp)),
        notice(Notice::ProviderConnected),
        notice(Notice::ProviderDisconnected),
        notice(Notice::EmailReplaced),
        notice(Notice::AccountDisabled),
        notice(Notice::AccountEnabled),
        notice(Notice::SessionsEnded),
        notice(Notice::RoleChanged),
        Mail::AdminNotice { administrator, user, called, notice: AdminNotice::RoleChanged },
        notice(Notice::AccountDeleted),
        notice(Notice::AccountRecovered),
        Mail::Test,
    ]
}

fn device() -> Device {
    let browser = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
    Device::new(browser, Some([192, 0, 2, 1].into()))
}

/// Each mail in each language, with its name.
fn composed() -> Vec<(String, Content)> {
    let (token, device) = (LinkToken::generate().unwrap(), device());
    let mut composed = Vec::new();
    for locale in Locale::BUILT_IN {
        for mail in all_mails(&token, &device) {
            let (_, content) = compose(&SETTINGS, NOW, EMAIL, locale, &mail).unwrap();
            let suffix = match mail {
                Mail::ConfirmSignup { account_exists: true, .. } => "-account-exists",
                Mail::AdminNotice { .. } => "-administrators",
                _ => "",
            };
            composed.push((format!("mail-{}{suffix}-{}", mail.kind(), locale.tag()), content));
        }
    }
    composed
}

async fn every_mail_is_accessible() {
    let folder = TempDir::new("mails");
    let browser = Browser::open(Look::DESKTOP).await;
    browser.install_axe().await;
    let mut faults = Vec::new();
    for (name, content) in composed() {
        let file = folder.path().join(format!("{name}.html"));
        std::fs::write(&file, &content.html).unwrap();
        browser.go(&format!("file://{}", file.display())).await;
        let mut found = browser.axe_violations(&name).await;
        browser.apply(LOOKS[0].1).await;
        found.extend(check(&browser, &["fits"]).await);
        faults.extend(found.into_iter().map(|fault| format!("{name}: {fault}")));
        for (look_name, look) in LOOKS {
            browser.full_screenshot(&format!("{name}-{look_name}"), look).await;
        }
    }
    fail_if_any(&faults);
}

async fn plain_texts_are_readable() {
    let mails = composed();
    let html = &mails[0].1.html;
    part("style of mails", between(html, "<style>", "</head>"));
    part("blank preview", between(html, "&#847;", "</div>"));
    for (name, content) in mails {
        let text = &content.text;
        save(&name, &content);
        assert!(!text.contains('<') && !text.contains("&#"), "{name}: {text}");
        assert!(!text.contains("\n\n\n") && !text.starts_with('\n'), "{name}: {text}");
        assert!(text.lines().all(|line| line == "-- " || line.trim_end() == line), "{name}: {text}");
        // A link is alone on its line, so that mail programs find its end.
        if let Some(link) = &content.link {
            assert!(text.lines().any(|line| line == link), "{name}: {text}");
        }
        // Who changes a sentence reads these two; the others have the same form.
        if ["-en", "-de"].iter().any(|language| name.ends_with(language)) {
            snapshot(&format!("mails/{name}"), &format!("{}\n\n{text}\n{}", content.subject, content.html));
        }
    }
}

/// Saves text and HTML beside the screenshots, if there are any: the HTML for linters of what mail programs can show.
fn save(name: &str, content: &Content) {
    let Some(folder) = std::env::var_os("DOORWARD_SCREENSHOTS").map(PathBuf::from) else { return };
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join(format!("{name}.txt")), format!("{}\n\n{}", content.subject, content.text)).unwrap();
    std::fs::write(folder.join(format!("{name}.html")), &content.html).unwrap();
}

async fn every_mail_kind_is_covered() {
    // A notice counts by what it says, and administrators are told of changes by a kind of notice.
    let expected = variants("message.rs", "Mail").len() - 2 + variants("notice.rs", "Notice").len();
    let (token, device) = (LinkToken::generate().unwrap(), device());
    let kinds: BTreeSet<&str> = all_mails(&token, &device).iter().map(Mail::kind).collect();
    assert_eq!(kinds.len(), expected, "{kinds:?}");
}

/// The names of the variants of an enum of `mail`.
pub fn variants(file: &str, name: &str) -> Vec<String> {
    let source = std::fs::read_to_string(product::file(&format!("mail/{file}"))).unwrap();
    let (_, kinds) = source.split_once(&format!("pub enum {name}")).unwrap();
    let (kinds, _) = kinds.split_once("\n}").unwrap();
    let lines = kinds.lines().filter_map(|line| line.strip_prefix("    "));
    let names = lines.filter(|line| line.starts_with(|c: char| c.is_ascii_uppercase()));
    names.map(|line| line.chars().take_while(char::is_ascii_alphanumeric).collect()).collect()
}
