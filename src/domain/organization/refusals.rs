//! The rules on organizations, as the refusal of what violates them.

use crate::refusal::{Refusal, Rule};

/// The actor's role does not permit it.
pub const NOT_PERMITTED: Refusal = Refusal::rule(Rule::Forbidden, "refused-not-permitted");
/// An admin may not change an owner, or grant more than their own role.
pub const ABOVE_OWN_ROLE: Refusal = Refusal::rule(Rule::Forbidden, "refused-above-own-role");
/// The inviter has not verified their email address, and `SVC_EMAIL_VERIFICATION` is not `off`.
pub const UNVERIFIED: Refusal = Refusal::rule(Rule::Forbidden, "refused-unverified");
/// An operator's invitation may carry permissions, so only an operator may resend it.
pub const OPERATORS_INVITATION: Refusal = Refusal::rule(Rule::Conflict, "refused-operators-invitation");
pub const LAST_OWNER: Refusal = Refusal::rule(Rule::LastOwner, "refused-last-owner");
/// A personal organization always has exactly one member.
pub const PERSONAL: Refusal = Refusal::rule(Rule::NotInThisMode, "refused-personal");
/// `SVC_ORG_MODE` does not permit it.
pub const NO_TEAMS: Refusal = Refusal::rule(Rule::NotInThisMode, "refused-no-teams");
/// `SVC_ORG_MODE` is `personal`.
pub const NO_INVITATIONS: Refusal = Refusal::rule(Rule::NotInThisMode, "refused-no-invitations");
/// The invitation can no longer be changed.
pub const NOT_PENDING: Refusal = Refusal::rule(Rule::Ended, "refused-not-pending");
/// The user, or the account of the invited address, is a member.
pub const ALREADY_MEMBER: Refusal = Refusal::rule(Rule::AlreadyMember, "invite-member-already");
pub const TOO_MANY_PENDING: Refusal = Refusal::rule(Rule::Full, "refused-too-many-pending");
