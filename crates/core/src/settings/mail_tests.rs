#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::{Security, SmtpSettings};
use crate::settings::testing::{load, problem, refused, settings};
use secrecy::ExposeSecret;
use std::time::Duration;

fn smtp(url: &str) -> SmtpSettings {
    settings(&[("SMTP_URL", url), ("MAIL_FROM", "a@mail.example")]).mail.smtp.unwrap()
}

#[test]
fn mail_is_optional() {
    let mail = settings(&[]).mail;
    assert!(mail.smtp.is_none() && mail.from.is_none());
    assert!(settings(&[("MAIL_FROM", "a@mail.example")]).mail.smtp.is_none());
}

#[test]
fn smtp_url_requires_sender() {
    let line = problem(&[("SMTP_URL", "smtp://u:s3cret@mail.example:587")]);
    assert!(line.starts_with("SVC_MAIL_FROM: is not set, but SVC_SMTP_URL is"), "{line}");
    let given = [("SMTP_URL", "smtps://mail.example"), ("MAIL_FROM", "Accounts <a@mail.example>")];
    assert_eq!(settings(&given).mail.smtp.unwrap().from.to_string(), "Accounts <a@mail.example>");
}

#[test]
fn smtp_url_sets_server_security_and_credentials() {
    let plain = smtp("smtp://Mail.Example");
    assert_eq!((plain.host.as_str(), plain.port, plain.security), ("mail.example", 587, Security::StartTls));
    assert!(plain.credentials.is_none() && plain.timeout == Duration::from_secs(30));
    let full = smtp("smtps://acc%6Funts:p%40s%3A@[2001:db8::1]:2465/");
    assert_eq!((full.host.as_str(), full.port, full.security), ("[2001:db8::1]", 2465, Security::Implicit));
    let credentials = full.credentials.unwrap();
    assert_eq!((credentials.user.as_str(), credentials.password.expose_secret()), ("accounts", "p@s:"));
    assert_eq!(smtp("smtps://mail.example").port, 465);
}

#[test]
fn loopback_server_needs_no_tls_and_warns() {
    let load = |url: &str| load(&[("SMTP_URL", url), ("MAIL_FROM", "a@b.example")]).unwrap();
    for host in [
        "localhost",
        "LOCALHOST:1025",
        "mail.localhost",
        "127.0.0.1:25",
        "127.8.8.8",
        "[::1]:1025",
        "[::ffff:127.0.0.1]",
    ] {
        let loaded = load(&format!("smtp://u:s3cret@{host}"));
        assert_eq!(loaded.settings.mail.smtp.unwrap().security, Security::Loopback, "{host}");
        assert!(loaded.warnings[0].message.starts_with("SVC_SMTP_URL: mail to "), "{:?}", loaded.warnings);
        assert!(loaded.warnings.len() == 1 && !loaded.warnings[0].message.contains("s3cret"), "{:?}", loaded.warnings);
    }
    for url in ["smtp://localhost.example", "smtp://10.0.0.1", "smtp://0.0.0.0", "smtp://[::]", "smtps://localhost"] {
        let loaded = load(url);
        assert_ne!(loaded.settings.mail.smtp.unwrap().security, Security::Loopback, "{url}");
        assert!(loaded.warnings.is_empty(), "{:?}", loaded.warnings);
    }
}

#[test]
fn invalid_values_are_refused_without_password() {
    refused(
        "MAIL_FROM",
        &["nobody", "@x", "a@", "a@b, c@d", "A <a@b", "a b@c", "<>", "a@b\nBcc: c@d"],
        "accounts@example.com",
    );
    for url in [
        "http://u:s3cret@h",
        "smtp://",
        "smtp://u:s3cret@",
        "smtp:h",
        "mail.example:587",
        "smtp://s3cret@mail.example",
        "smtp://u:s3cret@mail.example/path",
        "smtp://u:s3cret@mail.example?tls=none",
        "smtp://u:s3cret%0d%0a@mail.example",
        "smtp://:s3cret@mail.example",
    ] {
        let line = problem(&[("SMTP_URL", url), ("MAIL_FROM", "a@b.example")]);
        assert!(line.contains("smtp:// or smtps://") && !line.contains("s3cret"), "{line}");
    }
    refused("SMTP_TIMEOUT", &["0s", "30", "11m"], "at most 10m");
}

#[test]
fn sender_has_name_of_brand() {
    let sender = |from, brand: &[(&str, &str)]| {
        let given = [("SMTP_URL", "smtps://mail.example"), ("MAIL_FROM", from)];
        let mail = settings(&[&given, brand].concat()).mail;
        assert_eq!(mail.from.unwrap(), mail.smtp.as_ref().unwrap().from);
        mail.smtp.unwrap().from.name
    };
    assert_eq!(sender("a@mail.example", &[]).as_deref(), Some("Doorward"));
    assert_eq!(sender("Accounts <a@mail.example>", &[]).as_deref(), Some("Accounts"));
    assert_eq!(sender("Accounts <a@mail.example>", &[("BRAND_NAME", "Acme")]).as_deref(), Some("Acme"));
}
