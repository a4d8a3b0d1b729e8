//! The platform roles of an administrator who reads or changes something.

use super::{Conn, Result};
use crate::model::principal::{Denied, Operation, Principal};
use crate::model::roles::Roles;

const CURRENT: &str = "SELECT u.roles FROM sessions s JOIN users u ON u.id = s.user_id \
    WHERE s.id = $1 AND u.id = $2 AND s.ended_at IS NULL AND u.disabled_at IS NULL";

impl Conn {
    /// Refuses an administrator whose role was taken away, who was disabled or whose session was ended since the page was
    /// asked for: here, as every read and every change begins so.
    pub(super) async fn require_current_administrator(
        &mut self,
        principal: &Principal,
        operation: Operation,
    ) -> Result<()> {
        let Some((user, session)) = principal.administrator_session() else { return Ok(()) };
        let roles: Option<Roles> = fetch_optional_scalar!(self, CURRENT, session, user)?;
        let roles = roles.ok_or(Denied::Operation)?;
        principal.with_roles(roles).require(operation)?;
        Ok(())
    }
}
