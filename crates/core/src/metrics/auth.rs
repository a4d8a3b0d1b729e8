//! The outcomes of logins, signups, factors, refreshes, the gate, API keys and rate limits.

use super::counters::{CounterTable, Counters, counter};
use super::label::label;
use prometheus::{IntCounter, Registry, Result};

label! {
    /// The step of a login that was taken.
    LoginMethod "method" {
        /// A password.
        Password = "password",
        /// The code after the password.
        SecondFactor = "second_factor",
        /// A passkey.
        Passkey = "passkey",
    }
}

label! {
    /// How a step of a login ended.
    LoginResult "outcome" {
        /// A session was opened.
        Opened = "opened",
        /// A code is needed as well.
        SecondFactorNeeded = "second_factor_needed",
        /// The address must be verified first.
        Unverified = "unverified",
        /// It was wrong, unknown or too late.
        Wrong = "wrong",
        /// An operator disabled the account.
        Disabled = "disabled",
        /// A limit refused it.
        Limited = "limited",
        /// It failed through no fault of the user.
        Failed = "failed",
    }
}

label! {
    /// How a signup ended.
    SignupResult "outcome" {
        /// There is a new account.
        Created = "created",
        /// The address must be verified first.
        Pending = "pending",
        /// A field, or the invitation, was refused.
        Refused = "refused",
        /// A limit refused it.
        Limited = "limited",
        /// It failed through no fault of the user.
        Failed = "failed",
    }
}

label! {
    /// What is checked beside, or instead of, a password.
    Factor "factor" {
        /// A code of an authenticator app.
        Totp = "totp",
        /// A recovery code.
        RecoveryCode = "recovery_code",
        /// A passkey.
        Passkey = "passkey",
    }
}

label! {
    /// How the check of a factor ended.
    FactorResult "outcome" {
        /// It is right.
        Right = "right",
        /// It is wrong.
        Wrong = "wrong",
        /// It was not checked, after too many wrong ones.
        Limited = "limited",
    }
}

label! {
    /// What became of a refresh.
    RefreshVerdict "verdict" {
        /// The refresh token stays.
        Kept = "kept",
        /// It was replaced by a new one.
        Replaced = "replaced",
        /// It had been replaced a moment ago, and got the current one again.
        Grace = "grace",
        /// It had been replaced, and the replacement had never arrived.
        LostAnswer = "lost_answer",
        /// It had been replaced: the session was ended.
        Theft = "theft",
        /// It is newer than the database.
        Newer = "newer_than_database",
        /// It is unknown, expired, or of an ended session.
        Refused = "refused",
        /// The roles of the user do not permit the audience.
        Audience = "audience",
        /// A limit refused it.
        Limited = "limited",
        /// It failed through no fault of the client.
        Failed = "failed",
    }
}

label! {
    /// How the gate ended a request.
    GateOutcome "outcome" {
        /// It passes.
        Passed = "passed",
        /// It needs a login.
        Login = "login",
        /// It needs a recent login, or a second factor.
        StepUp = "step_up",
        /// It is sent to renew the tokens.
        Renewal = "renewal",
        /// The user may not.
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
        /// It is right.
        Right = "right",
        /// It is missing.
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
        /// Logins to an account.
        Logins = "logins",
        /// Passkeys from a network.
        Passkeys = "passkeys",
        /// Logins with providers from a network.
        Providers = "providers",
        /// Signups from a site.
        Signups = "signups",
        /// Emails with a link or a code, to an address.
        MailsToAddress = "mails_to_address",
        /// Emails from a site.
        MailsFromSite = "mails_from_site",
        /// Notices to an account.
        Notices = "notices",
        /// Invitations by a user, to an organization, from a site.
        Invitations = "invitations",
        /// Organizations of a user.
        Organizations = "organizations",
        /// Changes of a user, or from a site.
        Changes = "changes",
        /// Usernames tried from a site.
        Usernames = "usernames",
        /// Exports of a user's data.
        Exports = "exports",
        /// Refreshes of a session.
        Refreshes = "refreshes",
        /// Wrong API keys from a site.
        WrongApiKeys = "wrong_api_keys",
        /// Changes with an API key.
        ApiKeyChanges = "api_key_changes",
    }
}

/// What was asked of this process, and how it ended.
#[derive(Clone, Debug)]
pub struct AuthMetrics {
    /// Steps of logins.
    pub logins: CounterTable<LoginMethod, LoginResult>,
    /// Signups.
    pub signups: Counters<SignupResult>,
    /// Checks of factors, at logins and before sensitive changes.
    pub factor_checks: CounterTable<Factor, FactorResult>,
    /// Refreshes.
    pub refreshes: Counters<RefreshVerdict>,
    /// Refresh tokens that are newer than the database knows, wherever they were presented.
    pub newer_refresh_tokens: IntCounter,
    /// Answers of the gate.
    pub gate: Counters<GateOutcome>,
    /// Refresh tokens at the gate that were replaced before.
    pub gate_replaced_tokens: IntCounter,
    /// Checks of API keys.
    pub api_keys: Counters<ApiKeyResult>,
    /// Refusals of rate limits.
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
