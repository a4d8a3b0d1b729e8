//! What each mail says, from the message files.

use super::letter::{Action, Code, Letter};
use super::message::{Mail, SignInMethod};
use super::site::Site;
use crate::messages::Text;
use crate::model::organization::MemberRole;
use crate::model::time::Time;

fn button<'a>(site: Site<'a>, label: &'static str, url: &'a str) -> Action<'a> {
    Action { label: site.say(label), url }
}

fn typed_code<'a>(site: Site<'a>, digits: &'a str) -> Code<'a> {
    Code { label: site.say("mail-code-instead"), digits }
}

/// A mail, part by part; `link` is where its button leads.
pub(super) fn letter<'a>(mail: &Mail<'a>, site: Site<'a>, link: Option<&'a str>) -> Letter<'a> {
    let mut letter = parts(mail, site, link.unwrap_or_default());
    letter.subject = one_line(&letter.subject);
    letter
}

/// A name that people chose stands in the subject: no part of it may begin another header.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

fn parts<'a>(mail: &Mail<'a>, site: Site<'a>, link: &'a str) -> Letter<'a> {
    match mail {
        Mail::Invitation { organization, inviter, role, expires_at, .. } => {
            invitation(site, link, organization, (*inviter, *role), *expires_at)
        }
        Mail::VerifyEmail { code, code_expires_at, expires_at, .. } => {
            verify_email(site, link, code, (*code_expires_at, *expires_at))
        }
        Mail::ConfirmSignUp { code, code_expires_at, expires_at, replaces, .. } => {
            confirm_sign_up(site, link, (code, *replaces), (*code_expires_at, *expires_at))
        }
        Mail::AddressTaken { .. } => address_taken(site, link),
        Mail::ResetPassword { expires_at, .. } => reset_password(site, link, *expires_at),
        Mail::PasswordChanged { .. } => password_changed(site, link),
        Mail::ChangeEmail { username, code, code_expires_at, expires_at, .. } => {
            change_email(site, link, username, code, (*code_expires_at, *expires_at))
        }
        Mail::EmailChanged { username, expires_at, .. } => email_changed(site, link, username, *expires_at),
        Mail::EmailLeft => email_left(site, link),
        Mail::SignInMethodAdded { method, .. } => method_changed(site, link, added(*method)),
        Mail::SignInMethodRemoved { method, .. } => method_changed(site, link, removed(*method)),
        Mail::AccountDeleted { username } => account_deleted(site, username),
        Mail::Test => test(site),
    }
}

fn invitation<'a>(
    site: Site<'a>,
    link: &'a str,
    organization: &str,
    (inviter, role): (Option<&str>, MemberRole),
    expires_at: Time,
) -> Letter<'a> {
    let about = |text: Text<'a>| text.with("organization", organization.to_owned());
    let opening = match inviter {
        Some(inviter) => about(site.t("mail-invitation-by")).with("inviter", inviter.to_owned()),
        None => about(site.t("mail-invitation-for")),
    };
    Letter {
        subject: about(site.t("mail-invitation-subject")).to_string(),
        heading: about(site.t("mail-invitation-heading")).to_string(),
        before: vec![opening.with("role", role.as_str()).to_string()],
        action: Some(button(site, "mail-invitation-button", link)),
        after: vec![site.t("mail-invitation-until").with("until", site.moment(expires_at)).to_string()],
        reason: site.say("mail-invitation-reason"),
        ..Letter::of_site(site)
    }
}

fn verify_email<'a>(site: Site<'a>, link: &'a str, code: &'a str, (code_ends, link_ends): (Time, Time)) -> Letter<'a> {
    Letter {
        subject: site.say("mail-verify-subject"),
        heading: site.say("mail-verify-subject"),
        before: vec![site.say("mail-verify-what")],
        action: Some(button(site, "mail-confirm-address", link)),
        code: Some(typed_code(site, code)),
        after: vec![site.ends_of_both(code_ends, link_ends)],
        reason: site.say("mail-verify-reason"),
        ..Letter::of_site(site)
    }
}

fn confirm_sign_up<'a>(
    site: Site<'a>,
    link: &'a str,
    (code, replaces): (&'a str, bool),
    (code_ends, link_ends): (Time, Time),
) -> Letter<'a> {
    let mut before = vec![site.say("mail-sign-up-what")];
    if replaces {
        before.push(site.say("mail-sign-up-replaces"));
    }
    Letter {
        subject: site.say("mail-sign-up-subject"),
        heading: site.say("mail-sign-up-heading"),
        before,
        action: Some(button(site, "mail-confirm-address", link)),
        code: Some(Code { label: site.say("mail-sign-up-code"), digits: code }),
        after: vec![site.ends_of_both(code_ends, link_ends)],
        reason: site.say("mail-sign-up-reason"),
        ..Letter::of_site(site)
    }
}

fn address_taken<'a>(site: Site<'a>, link: &'a str) -> Letter<'a> {
    Letter {
        subject: site.say("mail-taken-subject"),
        heading: site.say("mail-taken-heading"),
        before: vec![site.say("mail-taken-what")],
        action: Some(button(site, "mail-taken-button", link)),
        after: vec![site.say("mail-taken-not-you")],
        reason: site.say("mail-reason-account"),
        ..Letter::of_site(site)
    }
}

fn reset_password<'a>(site: Site<'a>, link: &'a str, expires_at: Time) -> Letter<'a> {
    let until = site.t("mail-reset-until").with("until", site.moment(expires_at));
    Letter {
        subject: site.say("mail-reset-subject"),
        heading: site.say("mail-reset-subject"),
        before: vec![site.say("mail-reset-what")],
        action: Some(button(site, "mail-reset-subject", link)),
        after: vec![until.to_string(), site.say("mail-reset-not-you")],
        reason: site.say("mail-reason-account"),
        ..Letter::of_site(site)
    }
}

fn password_changed<'a>(site: Site<'a>, link: &'a str) -> Letter<'a> {
    Letter {
        subject: site.say("mail-password-changed-subject"),
        heading: site.say("mail-password-changed-subject"),
        before: vec![site.t("mail-password-changed-what").with("when", site.moment(site.now)).to_string()],
        action: Some(button(site, "mail-password-changed-button", link)),
        after: vec![site.say("mail-password-changed-not-you")],
        reason: site.say("mail-reason-account"),
        ..Letter::of_site(site)
    }
}

fn change_email<'a>(
    site: Site<'a>,
    link: &'a str,
    username: &str,
    code: &'a str,
    (code_ends, link_ends): (Time, Time),
) -> Letter<'a> {
    Letter {
        subject: site.say("mail-change-subject"),
        heading: site.say("mail-change-subject"),
        before: vec![site.t("mail-change-what").with("username", username.to_owned()).to_string()],
        action: Some(button(site, "mail-confirm-address", link)),
        code: Some(typed_code(site, code)),
        after: vec![site.ends_of_both(code_ends, link_ends)],
        reason: site.say("mail-change-reason"),
        ..Letter::of_site(site)
    }
}

fn email_changed<'a>(site: Site<'a>, link: &'a str, username: &str, expires_at: Time) -> Letter<'a> {
    let what = site.t("mail-changed-what").with("username", username.to_owned());
    Letter {
        subject: site.say("mail-changed-subject"),
        heading: site.say("mail-changed-subject"),
        before: vec![what.with("when", site.moment(site.now)).to_string()],
        action: Some(button(site, "mail-changed-button", link)),
        after: vec![site.t("mail-changed-until").with("until", site.moment(expires_at)).to_string()],
        reason: site.say("mail-changed-reason"),
        ..Letter::of_site(site)
    }
}

fn email_left<'a>(site: Site<'a>, link: &'a str) -> Letter<'a> {
    Letter {
        subject: site.say("mail-left-subject"),
        heading: site.say("mail-left-subject"),
        before: vec![site.t("mail-left-what").with("when", site.moment(site.now)).to_string()],
        action: Some(button(site, "mail-taken-button", link)),
        after: vec![site.say("mail-left-not-you")],
        reason: site.say("mail-changed-reason"),
        ..Letter::of_site(site)
    }
}

fn added(method: SignInMethod) -> (&'static str, &'static str) {
    match method {
        SignInMethod::Passkey => ("mail-passkey-added-subject", "mail-passkey-added-what"),
        SignInMethod::AuthenticatorApp => ("mail-app-added-subject", "mail-app-added-what"),
        SignInMethod::RecoveryCodes => ("mail-codes-added-subject", "mail-codes-added-what"),
    }
}

fn removed(method: SignInMethod) -> (&'static str, &'static str) {
    match method {
        SignInMethod::Passkey => ("mail-passkey-removed-subject", "mail-passkey-removed-what"),
        SignInMethod::AuthenticatorApp => ("mail-app-removed-subject", "mail-app-removed-what"),
        SignInMethod::RecoveryCodes => ("mail-codes-removed-subject", "mail-codes-removed-what"),
    }
}

fn method_changed<'a>(site: Site<'a>, link: &'a str, (subject, what): (&'static str, &'static str)) -> Letter<'a> {
    Letter {
        subject: site.say(subject),
        heading: site.say(subject),
        before: vec![site.t(what).with("when", site.moment(site.now)).to_string()],
        action: Some(button(site, "mail-method-button", link)),
        after: vec![site.say("mail-not-you")],
        reason: site.say("mail-reason-account"),
        ..Letter::of_site(site)
    }
}

fn account_deleted<'a>(site: Site<'a>, username: &str) -> Letter<'a> {
    let what = site.t("mail-deleted-what").with("username", username.to_owned());
    Letter {
        subject: site.say("mail-deleted-subject"),
        heading: site.say("mail-deleted-subject"),
        before: vec![what.with("when", site.moment(site.now)).to_string()],
        reason: site.say("mail-deleted-reason"),
        ..Letter::of_site(site)
    }
}

fn test(site: Site<'_>) -> Letter<'_> {
    Letter {
        subject: site.say("mail-test-subject"),
        heading: site.say("mail-test-heading"),
        before: vec![site.say("mail-test-what")],
        reason: site.say("mail-test-reason"),
        ..Letter::of_site(site)
    }
}
