//! Why something was not done with an organization.

use crate::domain::Error;
use crate::store::StoreError;

/// Why something was not done with an organization; the words are for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The actor's role does not permit it.
    #[error("Your role in this organization does not permit that.")]
    NotPermitted,
    /// An admin would change an owner, or grant more than they have.
    #[error("Only an owner can do that: nobody grants or takes away a role above their own.")]
    AboveOwnRole,
    /// An organization keeps at least one owner.
    #[error("An organization needs an owner. Make another member an owner first.")]
    LastOwner,
    /// A personal organization has one member, for as long as the account.
    #[error("A personal organization has no other members, and stays for as long as its owner's account.")]
    Personal,
    /// `SVC_ORG_MODE` does not permit it.
    #[error("Team organizations cannot be created here.")]
    NoTeams,
    /// `SVC_ORG_MODE` is `personal`.
    #[error("There are no invitations here: every organization is personal.")]
    NoInvitations,
    /// The invitation can no longer be changed.
    #[error("This invitation is no longer pending.")]
    NotPending,
    /// An operator's invitation may carry rights, and its link is the operator's to give.
    #[error("An operator made this invitation, and only an operator can make a new link for it.")]
    OperatorsInvitation,
    /// Too many invitations wait for an answer.
    #[error("100 invitations are waiting for an answer. Revoke some before you invite more people.")]
    TooManyPending,
}

/// Why a use case about an organization was not carried out.
#[derive(Debug, thiserror::Error)]
pub enum OrganizationError {
    /// There is no such organization, member or invitation, as far as the actor may know.
    #[error("there is no such {0}")]
    NotFound(&'static str),
    /// A rule forbids it.
    #[error("{0}")]
    Refused(#[from] Refusal),
    /// What was typed cannot be accepted: the sentence beside the field.
    #[error("{0}")]
    Field(String),
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
