//! The keys that sign access tokens, their private halves sealed; a table for each algorithm.

use super::{Conn, Result, Tx};
use crate::model::signing::SigningAlgorithm;
use crate::model::time::Time;

pub struct SigningKeyRow {
    pub algorithm: SigningAlgorithm,
    /// Key id, as in the tokens' header.
    pub kid: String,
    /// The public key: 32 bytes for `EdDSA`, an uncompressed point of 65 bytes for ES256.
    pub public_key: Vec<u8>,
    /// The sealed PKCS#8 private key.
    pub private_key: Vec<u8>,
    pub created_at: Time,
    /// From when on it signs, until the next one does.
    pub active_from: Time,
}

row!(SigningKeyRow { algorithm, kid, public_key, private_key, created_at, active_from });

/// A statement on the table of an algorithm.
macro_rules! on_table {
    ($algorithm:expr, $before:literal, $after:literal) => {
        match $algorithm {
            SigningAlgorithm::EdDsa => concat!($before, " signing_keys ", $after),
            SigningAlgorithm::Es256 => concat!($before, " es256_signing_keys ", $after),
        }
    };
}

impl Conn {
    /// Every key, in the order in which they sign.
    pub async fn signing_keys_list(&mut self) -> Result<Vec<SigningKeyRow>> {
        let sql = "SELECT 'EdDSA' AS algorithm, kid, public_key, private_key, created_at, active_from \
            FROM signing_keys \
            UNION ALL SELECT 'ES256', kid, public_key, private_key, created_at, active_from \
            FROM es256_signing_keys \
            ORDER BY active_from, kid";
        fetch_all!(self, sql)
    }
}

impl Tx {
    pub async fn signing_key_create(&mut self, key: &SigningKeyRow) -> Result<()> {
        let sql = on_table!(
            key.algorithm,
            "INSERT INTO",
            "(kid, public_key, private_key, created_at, active_from) VALUES ($1, $2, $3, $4, $5)"
        );
        execute!(self, sql, &key.kid, &key.public_key, &key.private_key, key.created_at, key.active_from).map(drop)
    }

    pub async fn signing_key_reseal(&mut self, key: &SigningKeyRow, private_key: &[u8]) -> Result<()> {
        let sql = on_table!(key.algorithm, "UPDATE", "SET private_key = $2 WHERE kid = $1");
        execute!(self, sql, &key.kid, private_key).map(drop)
    }

    /// Removes a key whose last token has expired.
    pub async fn signing_key_delete(&mut self, key: &SigningKeyRow) -> Result<()> {
        let sql = on_table!(key.algorithm, "DELETE FROM", "WHERE kid = $1");
        execute!(self, sql, &key.kid).map(drop)
    }
}
