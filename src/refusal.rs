//! Why a change was not made: one error for all changes, which each face translates in one place (`http/page_error.rs`,
//! `http/api/v2/error.rs`, `cli/failure.rs`).

use crate::error::Error;
use crate::messages::Message;
use crate::model::principal::Denied;
use crate::model::time::whole_seconds;
use crate::random::RandomError;
use crate::rate_limit::RateLimitError;
use crate::settings::duration;
use crate::store::StoreError;
use std::borrow::Cow;
use std::time::Duration;

/// Why a change was not made. Its transaction was rolled back.
#[derive(Debug, thiserror::Error)]
pub enum ChangeError {
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// Through no fault of the user's.
    #[error(transparent)]
    Failed(Error),
}

/// What forbids a change. Its text is English, as commands and logs speak.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// There is no such thing, such as "organization", that the principal may see.
    #[error("there is no such {0}")]
    NotFound(&'static str),
    /// Input that is not valid: the names of its fields, each with what is wrong. Nested ones have dotted names.
    #[error("{}", sentences(.0))]
    Fields(Vec<(FieldName, Message)>),
    /// Too much was asked of late, mostly emails to one address; a retry is allowed after this time.
    #[error("the next email to this address can be written in {}", rounded(.0))]
    TooSoon(Duration),
    /// A rule, in words that suit the one who asked.
    #[error("{}", .1.english())]
    Rule(Rule, Message),
}

pub type FieldName = Cow<'static, str>;

/// The rules that a program may want to tell apart; how each is answered is fixed by the faces. A new rule takes the one
/// that fits: there are more only if a client has to act otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// The role of the principal, or the state of their account, does not permit it.
    Forbidden,
    /// The account has platform roles, which the API key may not touch.
    Protected,
    /// Administrators do not take their own rights away.
    OwnAccount,
    /// The service keeps an administrator.
    LastAdministrator,
    /// An organization keeps an owner.
    LastOwner,
    AlreadyMember,
    /// `SVC_ORG_MODE`, or the kind of the organization, does not permit it.
    NotInThisMode,
    /// Another account has this account at a provider.
    IdentityTaken,
    /// It ended, was used, or was changed meanwhile.
    Ended,
    /// It would break what depends on it, or there is one like it.
    Conflict,
    /// There are as many as there may be until others end.
    Full,
}

impl Refusal {
    pub const fn rule(rule: Rule, message: &'static str) -> Self {
        Refusal::Rule(rule, Message::new(message))
    }

    /// A rule that only commands and the API meet, which speak English.
    pub fn in_english(rule: Rule, sentence: impl Into<String>) -> Self {
        Refusal::Rule(rule, in_english(sentence))
    }

    /// What the permit of a transaction refuses, where people or backends meet it; else what was refused.
    pub const fn of(denied: Denied) -> Result<Self, Denied> {
        match denied {
            Denied::NoMember => Ok(Refusal::NotFound("organization")),
            Denied::Role => Ok(Refusal::rule(Rule::Forbidden, "refused-not-permitted")),
            Denied::Protected => Ok(Refusal::rule(Rule::Protected, "refused-protected")),
            Denied::OwnAccount => Ok(Refusal::rule(Rule::OwnAccount, "admin-not-yourself")),
            Denied::LastAdministrator => Ok(Refusal::rule(Rule::LastAdministrator, "admin-last-administrator")),
            Denied::Scope(_) | Denied::OtherAccount | Denied::Operation => Err(denied),
        }
    }

    pub fn field(name: impl Into<FieldName>, message: Message) -> Self {
        Refusal::Fields(vec![(name.into(), message)])
    }
}

fn sentences(fields: &[(FieldName, Message)]) -> String {
    fields.iter().map(|(_, message)| message.english()).collect::<Vec<_>>().join(" ")
}

fn rounded(wait: &Duration) -> String {
    duration::format(Duration::from_secs(whole_seconds(*wait)))
}

/// A sentence for commands and the API: English in every language.
pub fn in_english(sentence: impl Into<String>) -> Message {
    Message::new("in-english").text("sentence", sentence)
}

impl From<Error> for ChangeError {
    fn from(error: Error) -> Self {
        let Error::Store(StoreError::Denied(denied)) = error else { return ChangeError::Failed(error) };
        Refusal::of(denied).map_or(ChangeError::Failed(error), ChangeError::Refused)
    }
}

impl From<StoreError> for ChangeError {
    fn from(error: StoreError) -> Self {
        Error::from(error).into()
    }
}

impl From<RandomError> for ChangeError {
    fn from(error: RandomError) -> Self {
        Error::from(error).into()
    }
}

impl From<RateLimitError> for ChangeError {
    fn from(error: RateLimitError) -> Self {
        match error {
            RateLimitError::Exceeded(wait) => ChangeError::Refused(Refusal::TooSoon(wait)),
            RateLimitError::Failed(error) => error.into(),
        }
    }
}
