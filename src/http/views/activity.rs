//! The security activity of the account.

use super::{Icon, Shell, format};
use crate::model::audit::AuditKind;
use crate::model::time::Time;
use askama::Template;

/// `/auth/account/activity`.
#[derive(Template)]
#[template(path = "account_activity.html")]
pub struct ActivityPage<'a> {
    pub layout: &'a Shell<'a>,
    /// The entries, newest first.
    pub entries: &'a [ActivityLine],
    /// Whether only what is about security is listed.
    pub only_security: bool,
    /// Whether newer entries are on a previous page.
    pub has_previous_page: bool,
    /// The cursor of the next page.
    pub next: Option<&'a str>,
}

#[derive(Clone, Debug)]
pub struct ActivityLine {
    /// The audit kind, which selects the text.
    pub kind: String,
    pub icon: Icon,
    /// Whether something was refused or went wrong.
    pub is_failure: bool,
    /// When; the last time if it is repeated.
    pub at: Time,
    pub times: i64,
    /// Details beyond the kind, the device and the place, as far as they are known.
    pub facts: String,
    /// Whether to flag the entry as suspicious.
    pub suspicious: bool,
}

struct ActivityDay<'a> {
    at: Time,
    /// How many midnights lie between.
    days_ago: i64,
    entries: &'a [ActivityLine],
}

impl ActivityPage<'_> {
    /// The entries by day, in UTC; the script knows the reader's days.
    fn days(&self) -> impl Iterator<Item = ActivityDay<'_>> {
        let now = self.layout.now;
        let chunks =
            self.entries.chunk_by(move |one, next| format::days_ago(one.at, now) == format::days_ago(next.at, now));
        chunks.filter_map(move |entries| {
            let at = entries.first()?.at;
            Some(ActivityDay { at, days_ago: format::days_ago(at, now), entries })
        })
    }

    /// What keeps the filter in the address of another page.
    const fn filter(&self) -> &'static str {
        if self.only_security { "only=security&" } else { "" }
    }
}

pub const fn activity_icon(kind: Option<AuditKind>) -> Icon {
    use AuditKind as Kind;
    match kind {
        Some(kind) if kind.is_failure() => Icon::Alert,
        Some(Kind::LoggedIn | Kind::SecondFactorMissing) => Icon::Login,
        Some(Kind::LoggedOut | Kind::SessionEnded | Kind::SessionsEnded) => Icon::Logout,
        Some(Kind::PasswordChanged | Kind::PasswordReset | Kind::PasswordResetSent | Kind::Confirmed) => Icon::Lock,
        Some(
            Kind::VerificationSent
            | Kind::EmailVerified
            | Kind::EmailChanged
            | Kind::EmailChangeUndone
            | Kind::EmailReleased,
        ) => Icon::Mail,
        Some(Kind::TotpEnabled | Kind::TotpDisabled) => Icon::Shield,
        Some(Kind::RecoveryCodesCreated | Kind::RecoveryCodeUsed) => Icon::List,
        Some(Kind::DeviceTrusted) => Icon::Computer,
        Some(Kind::PasskeyAdded | Kind::PasskeyRenamed | Kind::PasskeyRemoved) => Icon::Key,
        Some(Kind::IdentityConnected | Kind::IdentityRemoved) => Icon::Link,
        Some(Kind::DataExported | Kind::AuditExported) => Icon::Download,
        Some(Kind::AccountCreated | Kind::AccountDisabled | Kind::AccountEnabled | Kind::AccountUnlocked) => {
            Icon::Person
        }
        Some(
            Kind::OrganizationCreated
            | Kind::OrganizationRenamed
            | Kind::OrganizationDeleted
            | Kind::MemberAdded
            | Kind::MemberRoleChanged
            | Kind::MemberRemoved
            | Kind::InvitationCreated
            | Kind::InvitationResent
            | Kind::InvitationRevoked,
        ) => Icon::Building,
        _ => Icon::Pencil,
    }
}
