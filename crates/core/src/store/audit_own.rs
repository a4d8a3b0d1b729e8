//! What a user's own pages ask the audit log beside the list of all: only what is about security, and when the password
//! was changed. Each statement walks the index of users and reads at most [`AUDIT_PLACES`] of its entries.

use super::audit::{AuditRow, entry};
use super::audit_list::{AUDIT_PLACES, AuditPart, PlaceRow};
use super::{Conn, Result};
use crate::model::audit::AuditKind;
use crate::model::ids::UserId;
use crate::model::list_place::ListPlace;
use crate::model::time::Time;

/// At most `$4` entries of the user `$1`, after the place `$2`, `$3`.
macro_rules! places {
    ($columns:expr) => {
        concat!(
            "SELECT ",
            $columns,
            " FROM audit WHERE user_id = $1 AND (at, id) < ($2, $3) ORDER BY at DESC, id DESC LIMIT $4"
        )
    };
}

/// At most `$5` of these entries that are of none of the kinds that follow.
const OF_SECURITY: &str = concat!(
    "SELECT * FROM (",
    places!(entry!()),
    ") AS places WHERE kind NOT IN ($6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22) \
     ORDER BY at DESC, id DESC LIMIT $5"
);
const LAST_PLACE: &str =
    concat!("SELECT at, id FROM (", places!("at, id"), ") AS places ORDER BY at DESC, id DESC LIMIT 1 OFFSET $5");
const PASSWORD_CHANGED: &str =
    concat!("SELECT max(at) FROM (", places!("at, kind"), ") AS places WHERE kind IN ($5, $6)");

impl Conn {
    /// At most `limit` entries about a user that are about security, the latest first, after a place.
    pub async fn audit_list_of_security(&mut self, user: UserId, after: ListPlace, limit: i64) -> Result<AuditPart> {
        let rows: Vec<AuditRow> = with_engine!(self, OF_SECURITY, |c, sql| {
            let query = sqlx::query_as(sql).bind(user).bind(after.at).bind(after.id);
            let query = query.bind(AUDIT_PLACES).bind(limit);
            AuditKind::BESIDE_SECURITY.iter().fold(query, |query, kind| query.bind(kind.as_str())).fetch_all(c)
        })?;
        if i64::try_from(rows.len()).is_ok_and(|found| found >= limit) {
            return Ok(AuditPart { rows, cut: None });
        }
        let last: Option<PlaceRow> =
            fetch_optional!(self, LAST_PLACE, user, after.at, after.id, AUDIT_PLACES, AUDIT_PLACES - 1)?;
        Ok(AuditPart { rows, cut: last.map(ListPlace::from) })
    }

    /// When the password of a user was last changed: of the latest [`AUDIT_PLACES`] entries.
    pub async fn audit_password_changed_at(&mut self, user: UserId) -> Result<Option<Time>> {
        let begin = ListPlace::START;
        let [changed, reset] = [AuditKind::PasswordChanged, AuditKind::PasswordReset].map(AuditKind::as_str);
        fetch_scalar!(self, PASSWORD_CHANGED, user, begin.at, begin.id, AUDIT_PLACES, changed, reset)
    }
}

#[cfg(test)]
#[path = "audit_own_tests.rs"]
mod tests;
