//! The keys that sign access tokens, their private halves sealed.

use super::{Conn, Result, Tx};
use crate::model::time::Time;

/// A stored signing key.
pub struct SigningKeyRow {
    /// Key id, as in the tokens' header.
    pub kid: String,
    /// The Ed25519 public key, 32 bytes.
    pub public_key: Vec<u8>,
    /// The sealed PKCS#8 private key.
    pub private_key: Vec<u8>,
    /// When it was created.
    pub created_at: Time,
    /// From when on it signs, until the next one does.
    pub active_from: Time,
}

row!(SigningKeyRow { kid, public_key, private_key, created_at, active_from });

impl Conn {
    /// Every key, in the order in which they sign.
    pub async fn signing_keys_list(&mut self) -> Result<Vec<SigningKeyRow>> {
        with_engine!(self, |c| {
            sqlx::query_as(
                "SELECT kid, public_key, private_key, created_at, active_from FROM signing_keys \
                 ORDER BY active_from, kid",
            )
            .fetch_all(c)
        })
    }
}

impl Tx {
    /// Stores a new key.
    pub async fn signing_key_create(&mut self, key: &SigningKeyRow) -> Result<()> {
        execute!(self, |c| {
            sqlx::query(
                "INSERT INTO signing_keys (kid, public_key, private_key, created_at, active_from) \
                 VALUES ($1, $2, $3, $4, $5)",
            )
            .bind(&key.kid)
            .bind(&key.public_key)
            .bind(&key.private_key)
            .bind(key.created_at)
            .bind(key.active_from)
        })?;
        Ok(())
    }

    /// Replaces a key's sealed private half.
    pub async fn signing_key_reseal(&mut self, kid: &str, private_key: &[u8]) -> Result<()> {
        execute!(self, |c| {
            sqlx::query("UPDATE signing_keys SET private_key = $2 WHERE kid = $1").bind(kid).bind(private_key)
        })?;
        Ok(())
    }

    /// Removes a key whose last token has expired.
    pub async fn signing_key_delete(&mut self, kid: &str) -> Result<()> {
        execute!(self, |c| sqlx::query("DELETE FROM signing_keys WHERE kid = $1").bind(kid))?;
        Ok(())
    }
}
