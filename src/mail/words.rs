//! What each mail says.

use super::letter::{Action, Code, Letter};
use super::message::{Mail, SignInMethod};
use crate::clock::Time;
use crate::domain::organizations::MemberRole;

/// What every mail may speak of.
#[derive(Clone, Copy)]
pub(super) struct Site<'a> {
    /// The public origin of the service.
    pub(super) base: &'a str,
    /// The recipient.
    pub(super) to: &'a str,
    /// The present moment.
    pub(super) now: Time,
}

impl<'a> Site<'a> {
    /// The service, as people know it: its host.
    fn name(&self) -> &'a str {
        self.base.split_once("://").map_or(self.base, |(_, host)| host)
    }

    fn account_reason(&self) -> String {
        format!("You get this mail because {} is the address of an account at {}.", self.to, self.name())
    }
}

/// A mail, part by part; `link` is where its button leads.
pub(super) fn letter<'a>(mail: &Mail<'a>, site: Site<'a>, link: &'a str) -> Letter<'a> {
    let mut letter = match mail {
        Mail::Invitation { organization, inviter, role, expires_at, .. } => {
            invitation(site, link, organization, (*inviter, *role), *expires_at)
        }
        Mail::VerifyEmail { code, code_expires_at, expires_at, .. } => {
            verify_email(site, link, code, (*code_expires_at, *expires_at))
        }
        Mail::ResetPassword { expires_at, .. } => reset_password(site, link, *expires_at),
        Mail::PasswordChanged { .. } => password_changed(site, link),
        Mail::ChangeEmail { username, code, code_expires_at, expires_at, .. } => {
            change_email(site, link, username, code, (*code_expires_at, *expires_at))
        }
        Mail::EmailChanged { username, expires_at, .. } => email_changed(site, link, username, *expires_at),
        Mail::SignInMethodAdded { method, .. } => method_added(site, link, *method),
        Mail::SignInMethodRemoved { method, .. } => method_removed(site, link, *method),
        Mail::AccountDeleted { username } => account_deleted(site, username),
        Mail::Test => test(site),
    };
    letter.site = site.name();
    letter
}

fn invitation<'a>(
    site: Site<'a>,
    link: &'a str,
    organization: &str,
    (inviter, role): (Option<&str>, MemberRole),
    expires_at: Time,
) -> Letter<'a> {
    let role = match role {
        MemberRole::Owner => "an owner",
        MemberRole::Admin => "an admin",
        MemberRole::Member => "a member",
    };
    let invites = match inviter {
        Some(inviter) => format!("{inviter} invites you to join {organization} as {role}."),
        None => format!("You are invited to join {organization} as {role}."),
    };
    Letter {
        subject: format!("Invitation to {organization}"),
        heading: format!("Join {organization}"),
        before: vec![invites],
        action: Some(Action { label: "See the invitation", url: link }),
        after: vec![format!("The link is for {} only, and works until {}.", site.to, moment(expires_at))],
        reason: format!(
            "You get this mail because somebody at {} invited {}. If you did not expect it, ignore it: nothing happens \
             unless you accept.",
            site.name(),
            site.to
        ),
        ..Letter::default()
    }
}

fn verify_email<'a>(site: Site<'a>, link: &'a str, code: &'a str, (code_ends, link_ends): (Time, Time)) -> Letter<'a> {
    Letter {
        subject: "Confirm your e-mail address".to_owned(),
        heading: "Confirm your e-mail address".to_owned(),
        before: vec![format!("Confirm that {} is the address of your account at {}.", site.to, site.name())],
        action: Some(Action { label: "Confirm this address", url: link }),
        code: Some(Code { label: "Or enter this code on the page that asks for it:", digits: code }),
        after: vec![ends_of_both(code_ends, link_ends)],
        reason: format!(
            "You get this mail because somebody gave {} as their address at {}. If it was not you, ignore it.",
            site.to,
            site.name()
        ),
        ..Letter::default()
    }
}

fn reset_password<'a>(site: Site<'a>, link: &'a str, expires_at: Time) -> Letter<'a> {
    Letter {
        subject: "Set a new password".to_owned(),
        heading: "Set a new password".to_owned(),
        before: vec![format!("Somebody, we hope you, asked to set a new password for {} at {}.", site.to, site.name())],
        action: Some(Action { label: "Set a new password", url: link }),
        after: vec![
            format!("The link works once, until {}.", moment(expires_at)),
            "If it was not you, ignore this mail: your password stays as it is.".to_owned(),
        ],
        reason: site.account_reason(),
        ..Letter::default()
    }
}

fn password_changed<'a>(site: Site<'a>, link: &'a str) -> Letter<'a> {
    Letter {
        subject: "Your password was changed".to_owned(),
        heading: "Your password was changed".to_owned(),
        before: vec![format!("The password of your account at {} was changed on {}.", site.name(), moment(site.now))],
        action: Some(Action { label: "It was not me", url: link }),
        after: vec![
            "If it was you, there is nothing to do. If not, set a new password now: that ends every session."
                .to_owned(),
        ],
        reason: site.account_reason(),
        ..Letter::default()
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
        subject: "Confirm your new e-mail address".to_owned(),
        heading: "Confirm your new e-mail address".to_owned(),
        before: vec![format!(
            "{} is to be the new address of the account {username} at {}. Until you confirm it, the old one stays.",
            site.to,
            site.name()
        )],
        action: Some(Action { label: "Confirm this address", url: link }),
        code: Some(Code { label: "Or enter this code on the page that asks for it:", digits: code }),
        after: vec![ends_of_both(code_ends, link_ends)],
        reason: format!(
            "You get this mail because somebody gave {} as their new address at {}. If it was not you, ignore it.",
            site.to,
            site.name()
        ),
        ..Letter::default()
    }
}

fn email_changed<'a>(site: Site<'a>, link: &'a str, username: &str, expires_at: Time) -> Letter<'a> {
    Letter {
        subject: "Your e-mail address was changed".to_owned(),
        heading: "Your e-mail address was changed".to_owned(),
        before: vec![format!(
            "The account {username} at {} has another e-mail address since {}. {} is no longer its address.",
            site.name(),
            moment(site.now),
            site.to
        )],
        action: Some(Action { label: "Undo the change", url: link }),
        after: vec![format!(
            "If it was you, there is nothing to do. If not, undo the change until {}: your address comes back, and every \
             session ends.",
            moment(expires_at)
        )],
        reason: format!("You get this mail because {} was the address of an account at {}.", site.to, site.name()),
        ..Letter::default()
    }
}

fn method_added<'a>(site: Site<'a>, link: &'a str, method: SignInMethod) -> Letter<'a> {
    let (what, way) = match method {
        SignInMethod::Passkey => ("A passkey was added", "A passkey was added to your account"),
        SignInMethod::AuthenticatorApp => (
            "An authenticator app was added",
            "One-time codes of an authenticator app were switched on for your account",
        ),
        SignInMethod::RecoveryCodes => ("New recovery codes", "New recovery codes were made for your account"),
    };
    method_changed(site, link, (what, way))
}

fn method_removed<'a>(site: Site<'a>, link: &'a str, method: SignInMethod) -> Letter<'a> {
    let (what, way) = match method {
        SignInMethod::Passkey => ("A passkey was removed", "A passkey was removed from your account"),
        SignInMethod::AuthenticatorApp => (
            "An authenticator app was removed",
            "One-time codes of an authenticator app were switched off for your account",
        ),
        SignInMethod::RecoveryCodes => {
            ("Recovery codes were removed", "The recovery codes of your account were removed")
        }
    };
    method_changed(site, link, (what, way))
}

fn method_changed<'a>(site: Site<'a>, link: &'a str, (what, sentence): (&str, &str)) -> Letter<'a> {
    Letter {
        subject: what.to_owned(),
        heading: what.to_owned(),
        before: vec![format!("{sentence} at {} on {}.", site.name(), moment(site.now))],
        action: Some(Action { label: "Look at your account", url: link }),
        after: vec![
            "If it was you, there is nothing to do. If not, change your password and end the other sessions."
                .to_owned(),
        ],
        reason: site.account_reason(),
        ..Letter::default()
    }
}

fn account_deleted<'a>(site: Site<'a>, username: &str) -> Letter<'a> {
    Letter {
        subject: "Your account was deleted".to_owned(),
        heading: "Your account was deleted".to_owned(),
        before: vec![format!(
            "The account {username} at {} was deleted on {}, with everything in it. It cannot be brought back.",
            site.name(),
            moment(site.now)
        )],
        reason: format!("You get this mail because {} was the address of the account.", site.to),
        ..Letter::default()
    }
}

fn test(site: Site<'_>) -> Letter<'_> {
    Letter {
        subject: format!("Test mail from {}", site.name()),
        heading: "Mail works".to_owned(),
        before: vec![format!("This is a test. Mail from {} reaches {}.", site.name(), site.to)],
        reason: format!("You get this mail because an operator of {} sent it.", site.name()),
        ..Letter::default()
    }
}

fn ends_of_both(code: Time, link: Time) -> String {
    format!("The code works until {}, the link until {}. Each works once.", moment(code), moment(link))
}

/// `21 November 2025, 11:47 UTC`.
fn moment(at: Time) -> String {
    match jiff::Timestamp::from_microsecond(at.as_micros()) {
        Ok(timestamp) => timestamp.strftime("%-d %B %Y, %H:%M UTC").to_string(),
        Err(_) => at.to_string(),
    }
}
