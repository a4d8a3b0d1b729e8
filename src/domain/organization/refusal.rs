//! Why something was not done with an organization.

use crate::error::Error;
use crate::messages::Message;
use crate::store::StoreError;

/// Why something was not done with an organization.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The actor's role does not permit it.
    NotPermitted,
    /// An admin would change an owner, or grant more than they have.
    AboveOwnRole,
    /// An organization keeps at least one owner.
    LastOwner,
    /// A personal organization has one member, for as long as the account.
    Personal,
    /// `SVC_ORG_MODE` does not permit it.
    NoTeams,
    /// `SVC_ORG_MODE` is `personal`.
    NoInvitations,
    /// The invitation can no longer be changed.
    NotPending,
    /// An operator's invitation may carry rights, and its link is the operator's to give.
    OperatorsInvitation,
    /// Too many invitations wait for an answer.
    TooManyPending,
}

impl Refusal {
    /// What to say.
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
            Refusal::TooManyPending => "refused-too-many-pending",
        })
    }
}

impl From<Refusal> for OrganizationError {
    fn from(refusal: Refusal) -> Self {
        OrganizationError::Refused(refusal)
    }
}

/// Why a use case about an organization was not carried out.
#[derive(Debug, thiserror::Error)]
pub enum OrganizationError {
    /// There is no such organization, member or invitation, as far as the actor may know.
    #[error("there is no such {0}")]
    NotFound(&'static str),
    /// A rule forbids it.
    #[error("{}", .0.message().english())]
    Refused(Refusal),
    /// What was typed cannot be accepted: what to say beside the field.
    #[error("{}", .0.english())]
    Field(Message),
    /// A fault of ours.
    #[error(transparent)]
    Failed(#[from] Error),
}

impl From<StoreError> for OrganizationError {
    fn from(error: StoreError) -> Self {
        OrganizationError::Failed(error.into())
    }
}

impl From<crate::random::RandomError> for OrganizationError {
    fn from(error: crate::random::RandomError) -> Self {
        OrganizationError::Failed(error.into())
    }
}
