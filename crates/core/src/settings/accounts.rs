//! Signup and account settings.

use super::duration;
use super::parse;
use super::reader::{Read, Reader};
use super::spec::section;
use std::time::Duration;

#[derive(Debug)]
pub struct AccountSettings {
    pub signup: Signup,
    pub org_mode: OrgMode,
    pub invitation_ttl: Duration,
    /// Minimum length of a password, in characters.
    pub password_min_length: usize,
    /// Whether the email address of an account must be verified.
    pub email_verification: EmailVerification,
    /// Whether the signup form asks for a username.
    pub signup_username: SignupUsername,
    /// Whether people with platform roles need a second factor for the pages of administrators.
    pub admin_mfa: AdminMfa,
}

impl AccountSettings {
    /// Whether people have to do with usernames: choose one, log in with it, see others'.
    pub fn has_usernames(&self) -> bool {
        self.signup_username != SignupUsername::Hidden
    }
}

/// Whether people with platform roles need a second factor for the pages of administrators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AdminMfa {
    /// Who has one must have shown it before a change.
    Optional,
    /// Who has none sets one up before any of the pages.
    Required,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signup {
    Open,
    Invite,
    Closed,
}

/// Whether the email address of an account must be verified.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EmailVerification {
    /// Verification is not requested.
    Off,
    /// Verification is requested, but login works without it.
    Optional,
    /// No session before verification.
    Required,
}

/// Whether the signup form asks for a username.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignupUsername {
    /// It may be left empty: then it is derived from the email address.
    Optional,
    /// It does not ask; the username is derived from the email address.
    Hidden,
    Required,
}

/// Which organizations an account gets (`docs/reference/browser.md` 11.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrgMode {
    /// A personal one; there are no invitations.
    Personal,
    /// One team organization; signup by invitation joins the inviting one only.
    Single,
    /// A personal one, and the inviting one too; users may create team organizations.
    Multi,
}

section! { "Accounts";
    SIGNUP: "open, invite or closed", Fixed("open"), Public,
        "Who may sign up: everyone, only invited people, or no one.";
    SIGNUP_USERNAME: "optional, hidden or required", Fixed("optional"), Public,
        "Whether the signup form asks for a username. If not, or if the field is left empty, the username is derived \
        from the email address; people can change it later.";
    EMAIL_VERIFICATION: "off, optional or required", Fixed("optional"), Public,
        "Whether people verify the email address of a new account, with a link or code from an email. off: nobody is \
        asked. optional: everyone is asked, and the account page reminds them. required: the account is created by the \
        verification, nobody is logged in before it, and signup does not reveal whether an address has an account.";
    ORG_MODE: "personal, single or multi", Fixed("multi"), Public,
        "Which organizations come with an account. personal: a personal one, no invitations. single: one team \
        organization; invited people join the inviting one only. multi: a personal one, invited people also join the \
        inviting one, and users may create team organizations.";
    INVITATION_TTL: "duration", Fixed("168h"), Public,
        "Lifetime of an invitation.";
    PASSWORD_MIN_LENGTH: "number from 1 to 256", Fixed("8"), Public,
        "Minimum length of a new password in characters. 8 follows OWASP ASVS 5.0 (6.2.1); NIST SP 800-63B-4 asks for \
        15 where the password is the only factor.";
    ADMIN_MFA: "optional or required", Fixed("optional"), Public,
        "Whether people with platform roles need a second factor for the pages of administrators, /auth/admin. \
        optional: people who have one must have used it in the session before a change. required: people without one \
        must set one up before any of these pages.";
}

pub(super) fn read(reader: &mut Reader<'_>) -> Read<AccountSettings> {
    let signup = [("open", Signup::Open), ("invite", Signup::Invite), ("closed", Signup::Closed)];
    let signup = reader.required(&SIGNUP, parse::one_of(&signup));
    let signup_username = [
        ("optional", SignupUsername::Optional),
        ("hidden", SignupUsername::Hidden),
        ("required", SignupUsername::Required),
    ];
    let signup_username = reader.required(&SIGNUP_USERNAME, parse::one_of(&signup_username));
    let org_mode = [("personal", OrgMode::Personal), ("single", OrgMode::Single), ("multi", OrgMode::Multi)];
    let org_mode = reader.required(&ORG_MODE, parse::one_of(&org_mode));
    let email_verification = [
        ("off", EmailVerification::Off),
        ("optional", EmailVerification::Optional),
        ("required", EmailVerification::Required),
    ];
    let email_verification = reader.required(&EMAIL_VERIFICATION, parse::one_of(&email_verification));
    let invitation_ttl = reader.required(&INVITATION_TTL, duration::parse);
    let password_min_length = reader.required(&PASSWORD_MIN_LENGTH, parse::count(256));
    let admin_mfa = [("optional", AdminMfa::Optional), ("required", AdminMfa::Required)];
    let admin_mfa = reader.required(&ADMIN_MFA, parse::one_of(&admin_mfa));
    Ok(AccountSettings {
        signup: signup?,
        org_mode: org_mode?,
        invitation_ttl: invitation_ttl?,
        password_min_length: password_min_length?,
        email_verification: email_verification?,
        signup_username: signup_username?,
        admin_mfa: admin_mfa?,
    })
}

#[cfg(test)]
#[path = "accounts_tests.rs"]
mod tests;
