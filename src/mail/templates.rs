//! The text of each email, from the message files.

use super::context::MailContext;
use super::letter::{Action, Code, Letter};
use super::letter_parts::{button, label_of, place, quiet_button, quotable};
use super::message::Mail;
use super::notice::{LoginMethod, Notice};
use super::notice_letters::{account_deleted, account_notice, admin_notice, email_replaced, roles_now};
use crate::messages::Text;
use crate::model::device::Device;
use crate::model::mail_domain::in_letters;
use crate::model::organization::MemberRole;
use crate::model::time::Time;
use crate::model::user_label::UserLabel;

fn code_part<'a>(context: MailContext<'a>, digits: &'a str, until: Time, link_until: Time) -> Code<'a> {
    let limit = |key| {
        let text = context.t(key).with("duration", context.time_left(until));
        text.with("link", context.time_left(link_until)).to_string()
    };
    Code { digits, limit: limit("mail-code-or-button"), limit_in_text: limit("mail-code-or-link") }
}

/// Composes an email; `link` is the link of its button.
pub(super) fn letter<'a>(mail: &Mail<'a>, context: MailContext<'a>, link: Option<&'a str>) -> Letter<'a> {
    let mut letter = parts(mail, context, link.unwrap_or_default());
    letter.subject = single_line(&letter.subject);
    letter
}

/// The subject contains names that users chose: line breaks in them must not start another header (header injection).
fn single_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

fn parts<'a>(mail: &Mail<'a>, context: MailContext<'a>, link: &'a str) -> Letter<'a> {
    match mail {
        Mail::Invitation { organization, inviter, role, expires_at, .. } => {
            invitation(context, link, organization, *inviter, *role, *expires_at)
        }
        Mail::VerifyEmail { code, code_expires_at, expires_at, .. } => {
            verify_email(context, link, code, *code_expires_at, *expires_at)
        }
        Mail::ConfirmSignup { code, code_expires_at, expires_at, account_exists, .. } => {
            confirm_signup(context, link, code, *code_expires_at, *expires_at, *account_exists)
        }
        Mail::AddressTaken { .. } => address_taken(context, link),
        Mail::ResetPassword { expires_at, .. } => reset_password(context, link, *expires_at),
        Mail::SetPassword { expires_at, .. } => set_password(context, link, *expires_at),
        Mail::ChangeEmail { code, code_expires_at, expires_at, .. } => {
            change_email(context, link, code, *code_expires_at, *expires_at)
        }
        Mail::ConfirmationCode { code, expires_at, .. } => confirmation_code(context, code, *expires_at),
        Mail::EmailChanged { called, expires_at, device, .. } => {
            email_changed(context, link, *called, *expires_at, *device)
        }
        Mail::Notice { notice, called, thing, device, .. } => match notice {
            Notice::PasswordChanged => password_changed(context, link, *device),
            Notice::LoginMethodAdded(method) => login_method_added(context, link, *method, (*thing, *device)),
            Notice::LoginMethodRemoved(method) => login_method_removed(context, link, *method, (*thing, *device)),
            Notice::ProviderConnected => Letter {
                after: vec![context.text("mail-provider-not-you")],
                ..provider_changed(context, link, PROVIDER_CONNECTED, (*thing, *device))
            },
            Notice::ProviderDisconnected => provider_changed(context, link, PROVIDER_DISCONNECTED, (*thing, *device)),
            Notice::EmailReplaced => email_replaced(context, *called),
            Notice::AccountDisabled => account_notice(context, *called, "mail-disabled-subject", "mail-disabled-what"),
            Notice::AccountEnabled => {
                let letter = account_notice(context, *called, "mail-enabled-subject", "mail-enabled-what");
                Letter { action: Some(button(context, "mail-enabled-button", link)), ..letter }
            }
            Notice::SessionsEnded => {
                let letter =
                    account_notice(context, *called, "mail-sessions-ended-subject", "mail-sessions-ended-what");
                Letter { action: Some(button(context, "mail-sessions-ended-button", link)), ..letter }
            }
            Notice::RoleChanged => {
                let mut letter =
                    account_notice(context, *called, "mail-role-changed-subject", "mail-role-changed-what");
                letter.before.insert(1, roles_now(context, thing.unwrap_or_default()));
                Letter { action: Some(button(context, "mail-account-button", link)), ..letter }
            }
            Notice::AccountDeleted => account_deleted(context, *called),
            Notice::AccountRecovered => {
                let letter = account_notice(context, *called, "mail-recovered-subject", "mail-recovered-what");
                Letter { action: Some(button(context, "mail-method-button", link)), ..letter }
            }
        },
        Mail::AdminNotice { called, notice, .. } => admin_notice(context, link, *called, *notice),
        Mail::Test => test(context),
    }
}

fn invitation<'a>(
    context: MailContext<'a>,
    link: &'a str,
    organization: &str,
    inviter: Option<UserLabel<'_>>,
    role: MemberRole,
    expires_at: Time,
) -> Letter<'a> {
    let organization = quotable(organization);
    let about = |text: Text<'a>| text.with("organization", organization.clone());
    let (subject, opening) = match inviter {
        Some(inviter) => {
            let by = |key, inviter| about(context.t(key)).with("inviter", inviter);
            // A list of emails cuts a subject off: a name in front, which the inviter chose, would be all of it.
            let account = in_letters(inviter.account()).into_owned();
            (by("mail-invitation-subject-by", account), by("mail-invitation-by", label_of(context, inviter)))
        }
        None => (about(context.t("mail-invitation-subject")), about(context.t("mail-invitation-for"))),
    };
    Letter {
        subject: subject.to_string(),
        heading: about(context.t("mail-invitation-heading")).to_string(),
        before: vec![opening.with("role", role.as_str()).to_string()],
        action: Some(button(context, "mail-invitation-button", link)),
        after: vec![context.t("mail-invitation-until").with("duration", context.time_left(expires_at)).to_string()],
        reason: context.text("mail-invitation-reason"),
        ..Letter::empty(context)
    }
}

fn verify_email<'a>(
    context: MailContext<'a>,
    link: &'a str,
    code: &'a str,
    code_expires_at: Time,
    expires_at: Time,
) -> Letter<'a> {
    Letter {
        subject: context.text("mail-verify-subject"),
        heading: context.text("mail-verify-subject"),
        before: vec![context.text("mail-verify-what")],
        action: Some(button(context, "mail-verify-button", link)),
        code: Some(code_part(context, code, code_expires_at, expires_at)),
        reason: context.text("mail-verify-reason"),
        ..Letter::empty(context)
    }
}

fn confirm_signup<'a>(
    context: MailContext<'a>,
    link: &'a str,
    code: &'a str,
    code_expires_at: Time,
    expires_at: Time,
    account_exists: bool,
) -> Letter<'a> {
    let exists = account_exists.then(|| context.text("mail-sign-up-account-exists"));
    Letter {
        subject: context.text("mail-sign-up-subject"),
        heading: context.text("mail-sign-up-heading"),
        before: exists.into_iter().chain([context.text("mail-sign-up-what")]).collect(),
        action: Some(button(context, "mail-verify-button", link)),
        code: Some(code_part(context, code, code_expires_at, expires_at)),
        reason: context.text("mail-sign-up-reason"),
        ..Letter::empty(context)
    }
}

fn address_taken<'a>(context: MailContext<'a>, link: &'a str) -> Letter<'a> {
    Letter {
        subject: context.text("mail-taken-subject"),
        heading: context.text("mail-taken-heading"),
        before: vec![context.text("mail-taken-what")],
        action: Some(button(context, "mail-taken-button", link)),
        after: vec![context.text("mail-taken-not-you")],
        reason: context.text("mail-reason-account"),
        ..Letter::empty(context)
    }
}

fn reset_password<'a>(context: MailContext<'a>, link: &'a str, expires_at: Time) -> Letter<'a> {
    let until = context.t("mail-reset-until").with("duration", context.time_left(expires_at));
    Letter {
        subject: context.text("mail-reset-subject"),
        heading: context.text("mail-reset-subject"),
        before: vec![context.text("mail-reset-what")],
        action: Some(button(context, "mail-reset-button", link)),
        after: vec![until.to_string(), context.text("mail-reset-not-you")],
        reason: context.text("mail-reason-account"),
        ..Letter::empty(context)
    }
}

fn set_password<'a>(context: MailContext<'a>, link: &'a str, expires_at: Time) -> Letter<'a> {
    let until = context.t("mail-reset-until").with("duration", context.time_left(expires_at));
    Letter {
        subject: context.text("mail-set-password-subject"),
        heading: context.text("mail-set-password-heading"),
        before: vec![context.text("mail-set-password-what")],
        action: Some(button(context, "mail-set-password-button", link)),
        after: vec![until.to_string()],
        reason: context.text("mail-set-password-reason"),
        ..Letter::empty(context)
    }
}

fn password_changed<'a>(context: MailContext<'a>, link: &'a str, device: Option<&Device>) -> Letter<'a> {
    let what = context.t("mail-password-changed-what").with("when", context.format_time(context.now)).to_string();
    Letter {
        subject: context.text("mail-password-changed-subject"),
        heading: context.text("mail-password-changed-subject"),
        before: std::iter::once(what)
            .chain(place(context, device))
            .chain([context.text("mail-password-changed-not-you")])
            .collect(),
        action: Some(quiet_button(context, "mail-password-changed-button", link)),
        reason: context.text("mail-reason-account"),
        ..Letter::empty(context)
    }
}

fn change_email<'a>(
    context: MailContext<'a>,
    link: &'a str,
    code: &'a str,
    code_expires_at: Time,
    expires_at: Time,
) -> Letter<'a> {
    Letter {
        subject: context.text("mail-change-subject"),
        heading: context.text("mail-change-subject"),
        before: vec![context.text("mail-change-what")],
        action: Some(button(context, "mail-verify-button", link)),
        code: Some(code_part(context, code, code_expires_at, expires_at)),
        after: vec![context.text("mail-change-until-then")],
        reason: context.text("mail-change-reason"),
        ..Letter::empty(context)
    }
}

fn confirmation_code<'a>(context: MailContext<'a>, digits: &'a str, until: Time) -> Letter<'a> {
    let limit = context.t("mail-code-until").with("duration", context.time_left(until)).to_string();
    Letter {
        subject: context.text("mail-confirmation-code-subject"),
        heading: context.text("mail-confirmation-code-subject"),
        before: vec![context.text("mail-confirmation-code-what")],
        code: Some(Code { digits, limit_in_text: limit.clone(), limit }),
        after: vec![context.text("mail-confirmation-code-not-you")],
        reason: context.text("mail-reason-account"),
        ..Letter::empty(context)
    }
}

fn email_changed<'a>(
    context: MailContext<'a>,
    link: &'a str,
    called: UserLabel<'_>,
    expires_at: Time,
    device: Option<&Device>,
) -> Letter<'a> {
    let what = context.t("mail-changed-what").with("username", label_of(context, called));
    Letter {
        subject: context.text("mail-changed-subject"),
        heading: context.text("mail-changed-subject"),
        before: std::iter::once(what.with("when", context.format_time(context.now)).to_string())
            .chain(place(context, device))
            .chain([context.t("mail-changed-until").with("duration", context.time_left(expires_at)).to_string()])
            .collect(),
        action: Some(quiet_button(context, "mail-changed-button", link)),
        reason: context.text("mail-changed-reason"),
        ..Letter::empty(context)
    }
}

/// The subject of a mail and what it says first.
type Words = (&'static str, &'static str);

const PROVIDER_CONNECTED: Words = ("mail-provider-connected-subject", "mail-provider-connected-what");
const PROVIDER_DISCONNECTED: Words = ("mail-provider-disconnected-subject", "mail-provider-disconnected-what");

fn login_method_added<'a>(
    context: MailContext<'a>,
    link: &'a str,
    method: LoginMethod,
    (thing, device): (Option<&str>, Option<&Device>),
) -> Letter<'a> {
    let words = match method {
        LoginMethod::Passkey => ("mail-passkey-added-subject", "mail-passkey-added-what"),
        LoginMethod::AuthenticatorApp => ("mail-app-added-subject", "mail-app-added-what"),
        LoginMethod::RecoveryCodes => ("mail-codes-added-subject", "mail-codes-added-what"),
    };
    login_methods_changed(context, button(context, "mail-method-button", link), words, (thing, device))
}

fn login_method_removed<'a>(
    context: MailContext<'a>,
    link: &'a str,
    method: LoginMethod,
    (thing, device): (Option<&str>, Option<&Device>),
) -> Letter<'a> {
    let words = match (method, thing) {
        (LoginMethod::Passkey, Some(_)) => ("mail-passkey-removed-subject", "mail-passkey-removed-what"),
        (LoginMethod::Passkey, None) => ("mail-passkeys-removed-subject", "mail-passkeys-removed-what"),
        (LoginMethod::AuthenticatorApp, _) => ("mail-app-removed-subject", "mail-app-removed-what"),
        (LoginMethod::RecoveryCodes, _) => ("mail-codes-removed-subject", "mail-codes-removed-what"),
    };
    login_methods_changed(context, button(context, "mail-method-button", link), words, (thing, device))
}

fn provider_changed<'a>(
    context: MailContext<'a>,
    link: &'a str,
    words: Words,
    of: (Option<&str>, Option<&Device>),
) -> Letter<'a> {
    login_methods_changed(context, button(context, "mail-connections-button", link), words, of)
}

fn login_methods_changed<'a>(
    context: MailContext<'a>,
    action: Action<'a>,
    (subject, what): Words,
    (thing, device): (Option<&str>, Option<&Device>),
) -> Letter<'a> {
    let name = quotable(thing.unwrap_or_default());
    let subject = context.t(subject).with("name", name.clone()).to_string();
    let what = context.t(what).with("when", context.format_time(context.now)).with("name", name);
    Letter {
        heading: subject.clone(),
        subject,
        before: std::iter::once(what.to_string()).chain(place(context, device)).collect(),
        action: Some(action),
        after: vec![context.text("mail-not-you")],
        reason: context.text("mail-reason-account"),
        ..Letter::empty(context)
    }
}

fn test(context: MailContext<'_>) -> Letter<'_> {
    Letter {
        subject: context.text("mail-test-subject"),
        heading: context.text("mail-test-heading"),
        before: vec![context.text("mail-test-what")],
        reason: context.text("mail-test-reason"),
        ..Letter::empty(context)
    }
}
