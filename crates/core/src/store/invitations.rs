//! Invitations to organizations.

use super::sql::Sql;
use super::{Conn, Result, Tx};
use crate::model::event::InvitationData;
use crate::model::ids::{InvitationId, OrganizationId, UserId};
use crate::model::metadata::Metadata;
use crate::model::organization::{InvitationState, MemberRole};
use crate::model::time::Time;

#[derive(Clone, Debug)]
pub struct InvitationRow {
    pub id: InvitationId,
    pub organization_id: OrganizationId,
    /// Who is invited, as the inviter wrote it.
    pub email: String,
    /// The folded address.
    pub email_key: String,
    pub role: MemberRole,
    pub metadata: Metadata,
    /// Whether the link verifies that its holder has the address: the link of the token it was found by; otherwise the
    /// link that is not mailed.
    pub proves_address: bool,
    /// Whether it was found by the token of the mailed link, which only the owner of the address has.
    pub by_mailed_link: bool,
    /// The user who invited or created the current link, while that account exists; `None` also for an operator.
    pub invited_by_user_id: Option<UserId>,
    /// The stored state; see [`InvitationRow::state_at`].
    pub state: InvitationState,
    pub created_at: Time,
    pub expires_at: Time,
    /// When it was accepted, revoked or declined.
    pub finished_at: Option<Time>,
    /// By whom, if the user was logged in.
    pub finished_by_user_id: Option<UserId>,
}

row!(InvitationRow {
    id,
    organization_id,
    email,
    email_key,
    role,
    metadata,
    proves_address,
    by_mailed_link,
    invited_by_user_id,
    state,
    created_at,
    expires_at,
    finished_at,
    finished_by_user_id,
});

impl From<&InvitationRow> for InvitationData {
    fn from(row: &InvitationRow) -> Self {
        Self {
            invitation_id: row.id,
            organization_id: row.organization_id,
            email: row.email.clone(),
            role: row.role,
            metadata: row.metadata.clone(),
        }
    }
}

impl InvitationRow {
    /// The state at `now`: a pending invitation expires by itself.
    pub fn state_at(&self, now: Time) -> InvitationState {
        if self.state == InvitationState::Pending && self.expires_at <= now {
            InvitationState::Expired
        } else {
            self.state
        }
    }
}

/// The keyed hashes of an invitation's two tokens.
#[derive(Clone, Copy, Debug)]
pub struct InvitationHashes {
    /// Of the link that the inviter sees.
    pub shown: [u8; 32],
    /// Of the link that is mailed, and verifies the address.
    pub mailed: [u8; 32],
}

macro_rules! select_invitation {
    ($rest:literal) => {
        select_invitation!("proves_address, FALSE AS by_mailed_link", $rest)
    };
    ($by_link:literal, $rest:literal) => {
        concat!(
            "SELECT id, organization_id, email, email_key, role, metadata, ",
            $by_link,
            ", invited_by_user_id, state, created_at, expires_at, finished_at, finished_by_user_id FROM invitations ",
            $rest
        )
    };
}

/// Either token may be presented.
pub(super) const FIND_BY_HASH: &str = select_invitation!(
    "(proves_address OR COALESCE(mailed_token_hash = $1, FALSE)) AS proves_address, \
     COALESCE(mailed_token_hash = $1, FALSE) AS by_mailed_link",
    "WHERE token_hash = $1 OR mailed_token_hash = $1"
);
pub(super) const FIND_PENDING: &str =
    select_invitation!("WHERE organization_id = $1 AND email_key = $2 AND state = 'pending'");
pub(super) const OPEN: &str =
    select_invitation!("WHERE state = 'pending' AND expires_at > $1 ORDER BY expires_at LIMIT $2");
pub(super) const PENDING_BY: &str =
    select_invitation!("WHERE organization_id = $1 AND invited_by_user_id = $2 AND state = 'pending' ORDER BY id");
pub(super) const COUNT_OPEN: &str =
    "SELECT count(*) FROM invitations WHERE organization_id = $1 AND state = 'pending' AND expires_at > $2";

/// The condition is repeated in the DELETE: an expired invitation may get another link meanwhile.
pub(super) const CLEAN_FINISHED: Sql = dialect_sql!(
    sql("WITH c AS MATERIALIZED (SELECT id FROM invitations WHERE state <> 'pending' AND finished_at < $1 \
         ORDER BY finished_at LIMIT $2"),
    postgres(" FOR UPDATE SKIP LOCKED"),
    sql(") DELETE FROM invitations WHERE id IN (SELECT id FROM c) AND state <> 'pending' AND finished_at < $1"),
);

pub(super) const CLEAN_EXPIRED: Sql = dialect_sql!(
    sql("WITH c AS MATERIALIZED (SELECT id FROM invitations WHERE state = 'pending' AND expires_at < $1 \
         ORDER BY expires_at LIMIT $2"),
    postgres(" FOR UPDATE SKIP LOCKED"),
    sql(") DELETE FROM invitations WHERE id IN (SELECT id FROM c) AND state = 'pending' AND expires_at < $1"),
);

impl Conn {
    pub async fn invitation_find(&mut self, id: InvitationId) -> Result<Option<InvitationRow>> {
        fetch_optional!(self, select_invitation!("WHERE id = $1"), id)
    }

    /// The invitation one of whose tokens has this keyed hash.
    pub async fn invitation_find_by_hash(&mut self, hash: &[u8]) -> Result<Option<InvitationRow>> {
        fetch_optional!(self, FIND_BY_HASH, hash)
    }

    /// At most `limit` invitations whose current link is this user's.
    pub async fn invitations_sent(&mut self, user: UserId, limit: i64) -> Result<Vec<InvitationRow>> {
        fetch_all!(self, select_invitation!("WHERE invited_by_user_id = $1 ORDER BY id LIMIT $2"), user, limit)
    }

    /// At most `limit` invitations to a folded address.
    pub async fn invitations_received(&mut self, email_key: &str, limit: i64) -> Result<Vec<InvitationRow>> {
        fetch_all!(self, select_invitation!("WHERE email_key = $1 ORDER BY id LIMIT $2"), email_key, limit)
    }

    /// At most `limit` invitations that this user accepted, declined or revoked.
    pub async fn invitations_answered(&mut self, user: UserId, limit: i64) -> Result<Vec<InvitationRow>> {
        fetch_all!(self, select_invitation!("WHERE finished_by_user_id = $1 ORDER BY id LIMIT $2"), user, limit)
    }

    /// The invitation of an address that is pending or expired.
    pub async fn invitation_find_pending(
        &mut self,
        org: OrganizationId,
        email_key: &str,
    ) -> Result<Option<InvitationRow>> {
        fetch_optional!(self, FIND_PENDING, org, email_key)
    }

    /// At most `limit` invitations of any organization that can still be accepted, those that end first.
    pub async fn invitations_open(&mut self, limit: i64) -> Result<Vec<InvitationRow>> {
        fetch_all!(self, OPEN, self.now(), limit)
    }

    /// The invitations of an organization with this user's links that are pending or expired, the oldest first.
    pub async fn invitations_pending_by(&mut self, org: OrganizationId, user: UserId) -> Result<Vec<InvitationRow>> {
        fetch_all!(self, PENDING_BY, org, user)
    }

    /// How many invitations of an organization can be accepted after `now`.
    pub async fn invitations_count_pending(&mut self, org: OrganizationId, now: Time) -> Result<i64> {
        fetch_scalar!(self, COUNT_OPEN, org, now)
    }
}

impl Tx {
    pub async fn invitation_create(&mut self, invitation: &InvitationRow, hashes: &InvitationHashes) -> Result<()> {
        let sql = "INSERT INTO invitations (id, organization_id, email, email_key, role, metadata, token_hash, \
            mailed_token_hash, proves_address, invited_by_user_id, state, created_at, expires_at) \
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'pending', $11, $12)";
        execute!(
            self,
            sql,
            invitation.id,
            invitation.organization_id,
            &invitation.email,
            &invitation.email_key,
            invitation.role,
            &invitation.metadata,
            hashes.shown.as_slice(),
            hashes.mailed.as_slice(),
            invitation.proves_address,
            invitation.invited_by_user_id,
            invitation.created_at,
            invitation.expires_at
        )?;
        Ok(())
    }

    /// Replaces the tokens of an invitation, and with them their expiry, their owner, and whether the one that is not
    /// mailed verifies the address.
    pub async fn invitation_renew(&mut self, invitation: &InvitationRow, hashes: &InvitationHashes) -> Result<()> {
        let sql = "UPDATE invitations SET token_hash = $2, mailed_token_hash = $3, proves_address = $4, expires_at = $5, \
            invited_by_user_id = $6 WHERE id = $1";
        execute!(
            self,
            sql,
            invitation.id,
            hashes.shown.as_slice(),
            hashes.mailed.as_slice(),
            invitation.proves_address,
            invitation.expires_at,
            invitation.invited_by_user_id
        )?;
        Ok(())
    }

    /// Finishes an invitation that is pending; `false` if it is not.
    pub async fn invitation_finish(
        &mut self,
        id: InvitationId,
        state: InvitationState,
        by: Option<UserId>,
        at: Time,
    ) -> Result<bool> {
        let sql = "UPDATE invitations SET state = $2, finished_by_user_id = $3, finished_at = $4 \
            WHERE id = $1 AND state = 'pending'";
        Ok(execute!(self, sql, id, state, by, at)? > 0)
    }

    /// Removes at most `limit` invitations that were answered or revoked before `before`, and as many that expired
    /// before it; returns how many. Zero: none is left, except those that other transactions have locked.
    pub async fn invitations_clean(&mut self, before: Time, limit: i64) -> Result<u64> {
        let mut removed = 0;
        for text in [CLEAN_FINISHED, CLEAN_EXPIRED] {
            removed += execute!(self, text, before, limit)?;
        }
        Ok(removed)
    }
}
