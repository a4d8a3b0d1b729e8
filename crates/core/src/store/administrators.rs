//! The platform roles of an administrator who changes something.

use super::{Conn, Result, Tx};
use crate::model::ids::{SessionId, UserId};
use crate::model::principal::{Denied, Operation};
use crate::model::roles::Roles;

const CURRENT: &str = "SELECT u.roles FROM sessions s JOIN users u ON u.id = s.user_id \
    WHERE s.id = $1 AND u.id = $2 AND s.ended_at IS NULL AND u.disabled_at IS NULL";

impl Conn {
    async fn administrator_roles(&mut self, user: UserId, session: SessionId) -> Result<Option<Roles>> {
        with_engine!(self, |c| sqlx::query_scalar(CURRENT).bind(session).bind(user).fetch_optional(c))
    }
}

impl Tx {
    /// Refuses an administrator whose role was taken away, who was disabled or whose session was ended since the page was
    /// asked for: here, as every change begins so.
    pub(super) async fn require_current_administrator(mut self, operation: Operation) -> Result<Self> {
        let principal = self.principal();
        let Some((user, session)) = principal.administrator_session() else { return Ok(self) };
        let roles = self.administrator_roles(user, session).await?.ok_or(Denied::Operation)?;
        principal.with_roles(roles).require(operation)?;
        Ok(self)
    }
}
