//! Who may sign up, and what they get.

use std::time::Duration;

/// Who may sign up, and what they get.
#[derive(Debug)]
pub struct Accounts {
    /// Who may sign up.
    pub signup: Signup,
    /// Which organizations come with an account.
    pub org_mode: OrgMode,
    /// Life of an invitation.
    pub invitation_ttl: Duration,
    /// Least length of a password, in characters.
    pub password_min_length: usize,
}

/// Who may sign up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signup {
    /// Everyone.
    Open,
    /// Only by invitation.
    Invite,
    /// No one.
    Closed,
}

/// Which organizations come with an account (contract.md 2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrgMode {
    /// A personal one; there are no invitations.
    Personal,
    /// One team organization; signup by invitation joins the inviting one only.
    Single,
    /// A personal one, and the inviting one too; users may create team organizations.
    Multi,
}
