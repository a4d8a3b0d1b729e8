//! Errors of the use cases of organizations.

use crate::domain::identity::operator_error::next_email_in;
use crate::error::Error;
use crate::messages::Message;
use crate::model::principal::Denied;
use crate::store::StoreError;
use std::time::Duration;

/// The rule that a request on an organization violates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The actor's role does not permit it.
    NotPermitted,
    /// An admin may not change an owner, or grant more than their own role.
    AboveOwnRole,
    /// An organization keeps at least one owner.
    LastOwner,
    /// A personal organization always has exactly one member.
    Personal,
    /// `SVC_ORG_MODE` does not permit it.
    NoTeams,
    /// `SVC_ORG_MODE` is `personal`.
    NoInvitations,
    /// The invitation can no longer be changed.
    NotPending,
    /// An operator's invitation may carry permissions, so only an operator may resend it.
    OperatorsInvitation,
    /// The user, or the account of the invited address, is a member.
    AlreadyMember,
    TooManyPending,
    /// The inviter has not verified their email address, and `SVC_EMAIL_VERIFICATION` is not `off`.
    Unverified,
}

impl Refusal {
    pub const fn message(self) -> Message {
        Message::new(match self {
            Refusal::NotPermitted => "refused-not-permitted",
            Refusal::AboveOwnRole => "refused-above-own-role",
            Refusal::LastOwner => "refused-last-owner",
            Refusal::Personal => "refused-personal",
            Refusal::NoTeams => "refused-no-teams",
            Refusal::NoInvitations => "refused-no-invitations",
            Refusal::NotPending => "refused-not-pending",
            Refusal::OperatorsInvitation => "refused-operators-invitation",
            Refusal::AlreadyMember => "invite-member-already",
            Refusal::TooManyPending => "refused-too-many-pending",
            Refusal::Unverified => "refused-unverified",
        })
    }
}

impl From<Refusal> for OrganizationError {
    fn from(refusal: Refusal) -> Self {
        OrganizationError::Refused(refusal)
    }
}

/// Why a use case on an organization failed.
#[derive(Debug, thiserror::Error)]
pub enum OrganizationError {
    /// There is no such organization, member or invitation that the actor may see.
    #[error("there is no such {0}")]
    NotFound(&'static str),
    #[error("{}", .0.message().english())]
    Refused(Refusal),
    /// The input is not valid, with the message for the field.
    #[error("{}", .0.english())]
    Field(Message),
    /// Only who may change platform roles may change the memberships of a user who has one.
    #[error("the user has platform roles, and the API key may not change such an account")]
    Protected,
    /// Too many emails to the invited address; a retry is allowed after this time.
    #[error("{}", next_email_in(*.0))]
    TooSoon(Duration),
    #[error(transparent)]
    Failed(#[from] Error),
}

impl From<StoreError> for OrganizationError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Denied(Denied::NoMember) => OrganizationError::NotFound("organization"),
            StoreError::Denied(Denied::Role) => Refusal::NotPermitted.into(),
            StoreError::Denied(Denied::Protected) => OrganizationError::Protected,
            error => OrganizationError::Failed(error.into()),
        }
    }
}

impl From<crate::random::RandomError> for OrganizationError {
    fn from(error: crate::random::RandomError) -> Self {
        OrganizationError::Failed(error.into())
    }
}
