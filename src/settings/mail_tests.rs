use super::super::testing::{problem, refused, settings};
use secrecy::ExposeSecret;

#[test]
fn mail_is_optional() {
    let mail = settings(&[]).mail;
    assert!(mail.smtp_url.is_none() && mail.from.is_none());
}

#[test]
fn a_server_needs_a_sender() {
    let line = problem(&[("SMTP_URL", "smtp://u:s3cret@mail.example:587")]);
    assert!(line.starts_with("SVC_MAIL_FROM: is not set, but SVC_SMTP_URL is"), "{line}");
    let given = [("SMTP_URL", "smtps://u:p%40s@mail.example"), ("MAIL_FROM", "Accounts <a@mail.example>")];
    let mail = settings(&given).mail;
    assert_eq!(
        mail.smtp_url.map(|url| url.expose_secret().to_owned()).as_deref(),
        Some("smtps://u:p%40s@mail.example")
    );
    assert_eq!(mail.from.as_deref(), Some("Accounts <a@mail.example>"));
}

#[test]
fn bad_values_are_refused_without_a_password() {
    refused(
        "MAIL_FROM",
        &["nobody", "@x", "a@", "a@b, c@d", "A <a@b", "a b@c", "<>", "a@b\nBcc: c@d"],
        "accounts@example.com",
    );
    for url in ["http://u:s3cret@h", "smtp://", "smtp://u:s3cret@", "smtp:h", "mail.example:587"] {
        let line = problem(&[("SMTP_URL", url), ("MAIL_FROM", "a@b.example")]);
        assert!(line.contains("smtp:// or smtps://") && !line.contains("s3cret"), "{line}");
    }
}
