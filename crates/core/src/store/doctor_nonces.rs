//! The random values by which the doctor recognizes this service.

use super::sql::NowSql;
use super::{Conn, Result, Tx};
use std::time::Duration;

const CREATE: NowSql =
    dialect_sql!(sql("INSERT INTO doctor_nonces (hash, expires_at) VALUES ($2, "), at("$1"), sql(")"),);
const IS_VALID: NowSql = dialect_sql!(
    sql("SELECT EXISTS (SELECT 1 FROM doctor_nonces WHERE hash = $2 AND expires_at > "),
    at("$1"),
    sql(")"),
);
const DELETE_EXPIRED: NowSql = now_sql!("DELETE FROM doctor_nonces WHERE expires_at < ", "");

impl Conn {
    /// Whether a value with this hash was written and is still valid.
    pub async fn doctor_nonce_is_valid(&mut self, hash: &[u8]) -> Result<bool> {
        with_engine!(self, IS_VALID, |c, sql, now| sqlx::query_scalar(sql).bind(now).bind(hash).fetch_one(c))
    }
}

impl Tx {
    pub async fn doctor_nonce_create(&mut self, hash: &[u8], ttl: Duration) -> Result<()> {
        let ttl = crate::model::time::micros(ttl);
        execute!(self, CREATE, |sql, now| sqlx::query(sql).bind(now + ttl).bind(hash))?;
        Ok(())
    }

    /// Removes a value, and those that have expired.
    pub async fn doctor_nonce_delete(&mut self, hash: &[u8]) -> Result<()> {
        execute!(self, |c| sqlx::query("DELETE FROM doctor_nonces WHERE hash = $1").bind(hash))?;
        execute!(self, DELETE_EXPIRED, |sql, now| sqlx::query(sql).bind(now))?;
        Ok(())
    }
}
