//! The outcomes of logins, signups, factors, refreshes, the gate, API keys and rate limits.

use super::counters::{CounterTable, Counters, counter};
use super::label::label;
use prometheus::{IntCounter, Registry, Result};

label! {
    /// The step of a login that was taken.
    LoginMethod "method" {
        Password = "password",
        /// The code after the password.
        SecondFactor = "second_factor",
        Passkey = "passkey",
    }
}

label! {
    /// How a step of a login ended.
    LoginResult "outcome" {
        Opened = "opened",
        SecondFactorNeeded = "second_factor_needed",
        Unverified = "unverified",
        /// It was wrong, unknown or too late.
        Wrong = "wrong",
        Disabled = "disabled",
        Limited = "limited",
        /// It failed through no fault of the user.
        Failed = "failed",
    }
}

label! {
    SignupResult "outcome" {
        Created = "created",
        Pending = "pending",
        /// A field, or the invitation, was refused.
        Refused = "refused",
        Limited = "limited",
        /// It failed through no fault of the user.
        Failed = "failed",
    }
}

label! {
    /// What is checked beside, or instead of, a password.
    Factor "factor" {
        Totp = "totp",
        RecoveryCode = "recovery_code",
        Passkey = "passkey",
    }
}

label! {
    /// How the check of a factor ended.
    FactorResult "outcome" {
        Right = "right",
        Wrong = "wrong",
        /// A code of an app that was right, and used before.
        Used = "used",
        /// It was not checked, after too many wrong ones.
        Limited = "limited",
    }
}

label! {
    RefreshVerdict "verdict" {
        Kept = "kept",
        Replaced = "replaced",
        /// It had been replaced a moment ago, and got the current one again.
        Grace = "grace",
        /// It had been replaced, and the replacement had never arrived.
        LostAnswer = "lost_answer",
        /// It had been replaced: the session was ended.
        Theft = "theft",
        Newer = "newer_than_database",
        /// It is unknown, expired, or of an ended session.
        Refused = "refused",
        /// The roles of the user do not permit the audience.
        Audience = "audience",
        Limited = "limited",
        /// It failed through no fault of the client.
        Failed = "failed",
    }
}

label! {
    GateOutcome "outcome" {
        Passed = "passed",
        Login = "login",
        /// It needs a recent login, or a second factor.
        StepUp = "step_up",
        /// It is sent to renew the tokens.
        Renewal = "renewal",
        Forbidden = "forbidden",
        /// The database is unavailable.
        Away = "away",
        /// The rules cannot be read, or something is broken.
        Error = "error",
    }
}

label! {
    /// How the check of an API key ended.
    ApiKeyResult "outcome" {
        Right = "right",
        Missing = "missing",
        /// It is unknown, wrong, over, revoked, or used from elsewhere.
        Wrong = "wrong",
        /// The same, after too many wrong ones.
        Limited = "limited",
        /// It was not checked, as something is broken.
        Failed = "failed",
    }
}

label! {
    /// A rate limit (docs/reference/limits.md).
    LimitName "limit" {
        /// Passwords, by name and network.
        Passwords = "passwords",
        Logins = "logins",
        /// Passkeys from a network.
        Passkeys = "passkeys",
        /// Logins with providers from a network.
        Providers = "providers",
        /// Signups from a site.
        Signups = "signups",
        /// Emails with a link or a code, to an address.
        MailsToAddress = "mails_to_address",
        MailsFromSite = "mails_from_site",
        Notices = "notices",
        /// Invitations by a user, to an organization, from a site.
        Invitations = "invitations",
        Organizations = "organizations",
        /// Changes of a user, or from a site.
        Changes = "changes",
        /// Usernames tried from a site.
        Usernames = "usernames",
        Exports = "exports",
        Refreshes = "refreshes",
        /// Wrong API keys from a site.
        WrongApiKeys = "wrong_api_keys",
        ApiKeyChanges = "api_key_changes",
    }
}

/// What was asked of this process, and how it ended.
#[derive(Clone, Debug)]
pub struct AuthMetrics {
    pub logins: CounterTable<LoginMethod, LoginResult>,
    pub signups: Counters<SignupResult>,
    /// Checks of factors, at logins and before sensitive changes.
    pub factor_checks: CounterTable<Factor, FactorResult>,
    pub refreshes: Counters<RefreshVerdict>,
    /// Refresh tokens that are newer than the database knows, wherever they were presented.
    pub newer_refresh_tokens: IntCounter,
    pub gate: Counters<GateOutcome>,
    /// Refresh tokens at the gate that were replaced before.
    pub gate_replaced_tokens: IntCounter,
    pub api_keys: Counters<ApiKeyResult>,
    pub limits: Counters<LimitName>,
}

impl AuthMetrics {
    pub(super) fn new(registry: &Registry) -> Result<Self> {
        let newer = "Refresh tokens that are newer than the database: it is a restored backup, or two primaries run.";
        let replaced = "Superseded refresh tokens presented at the gate.";
        Ok(Self {
            logins: CounterTable::new(registry, "doorward_logins_total", "Steps of logins, by method and outcome.")?,
            signups: Counters::new(registry, "doorward_signups_total", "Signups, by outcome.")?,
            factor_checks: CounterTable::new(
                registry,
                "doorward_factor_checks_total",
                "Checks of codes and passkeys, at logins and before sensitive changes.",
            )?,
            refreshes: Counters::new(registry, "doorward_refreshes_total", "Refreshes of sessions, by verdict.")?,
            newer_refresh_tokens: counter(registry, "doorward_refresh_tokens_newer_than_database_total", newer)?,
            gate: Counters::new(registry, "doorward_gate_answers_total", "Answers of the gate, by outcome.")?,
            gate_replaced_tokens: counter(registry, "doorward_gate_replaced_tokens_total", replaced)?,
            api_keys: Counters::new(registry, "doorward_api_key_checks_total", "Checks of API keys, by outcome.")?,
            limits: Counters::new(registry, "doorward_rate_limit_refusals_total", "Refusals of rate limits.")?,
        })
    }
}
