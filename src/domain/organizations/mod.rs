//! Organizations and the people in them: made, changed and ended; invited, joined and left.
//!
//! Every use case locks the organization's row before it looks, so that rules over several rows hold whoever else is at
//! work: of two owners who leave at once, one stays.

mod answer;
mod clean;
mod delete;
mod invite;
mod kinds;
mod look_up;
mod manage;
mod members;
mod operator;
mod refusal;
mod rules;
mod withdraw;

pub use answer::{Answer, AnswerError, accept, decline, find_by_token};
pub(in crate::domain) use answer::{join, lock_open, lock_open_by_id};
pub use clean::{INVITATIONS_KEPT, remove_old_invitations};
pub use delete::delete;
pub use invite::{Invited, NewInvitation, invite, resend, revoke};
pub use kinds::{InvitationState, MemberRole, OrganizationKind};
pub use look_up::{MembersPage, PAGE, invitations, members, organization};
pub use manage::{create, may_create, rename, switch};
pub(in crate::domain) use manage::{insert, insert_all};
pub use members::{leave, remove, set_role};
pub use operator::{find, find_invitation, list, list_invitations, list_members};
pub use refusal::{OrganizationError, Refusal};
pub use rules::{Actor, Seen};
pub(in crate::domain) use withdraw::{revoke_beyond, revoke_pending};
