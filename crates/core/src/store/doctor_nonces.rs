//! The random values by which the doctor recognizes this service.

use super::sql::Sql;
use super::{Conn, Result, Tx};
use std::time::Duration;

const CREATE: Sql = dialect_sql!(sql("INSERT INTO doctor_nonces (hash, expires_at) VALUES ($2, "), at("$1"), sql(")"),);
const IS_VALID: Sql = dialect_sql!(
    sql("SELECT EXISTS (SELECT 1 FROM doctor_nonces WHERE hash = $2 AND expires_at > "),
    at("$1"),
    sql(")"),
);
const DELETE_EXPIRED: Sql = now_sql!("DELETE FROM doctor_nonces WHERE expires_at < ", "");

impl Conn {
    /// Whether a value with this hash was written and is still valid.
    pub async fn doctor_nonce_is_valid(&mut self, hash: &[u8]) -> Result<bool> {
        fetch_scalar!(self, IS_VALID, self.sql_now(), hash)
    }
}

impl Tx {
    pub async fn doctor_nonce_create(&mut self, hash: &[u8], ttl: Duration) -> Result<()> {
        let ttl = crate::model::time::micros(ttl);
        execute!(self, CREATE, self.sql_now() + ttl, hash).map(drop)
    }

    /// Removes a value, and those that have expired.
    pub async fn doctor_nonce_delete(&mut self, hash: &[u8]) -> Result<()> {
        execute!(self, "DELETE FROM doctor_nonces WHERE hash = $1", hash)?;
        execute!(self, DELETE_EXPIRED, self.sql_now()).map(drop)
    }
}
