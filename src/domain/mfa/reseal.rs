//! Reseals the secrets of second factors with the first secret key.

use super::recovery_codes;
use super::totp;
use crate::context::App;
use crate::domain::change::{self, Change};
use crate::error::Error;
use crate::model::ids::UserId;
use crate::model::principal::{Operation, Principal};
use crate::store::{TotpRow, Tx};

/// Users per transaction.
const BATCH_SIZE: i64 = 100;

/// Reseals every TOTP secret and recovery code, and returns their number. One that is changed concurrently is sealed
/// with the first key by that change.
pub(in crate::domain) async fn reseal(app: &App, principal: &Principal) -> Result<u64, Error> {
    let mut resealed = 0;
    let mut after = UserId(uuid::Uuid::nil());
    loop {
        let rows = app.store.read(principal, Operation::ManageKeys).await?.totp_page(after, BATCH_SIZE).await?;
        let Some(last) = rows.last() else { return Ok(resealed) };
        after = last.user_id;
        resealed += change::run(app, principal, ResealBatch(&rows)).await?;
    }
}

struct ResealBatch<'a>(&'a [TotpRow]);

impl Change<Error> for ResealBatch<'_> {
    const OPERATION: Operation = Operation::ManageKeys;
    type Made = u64;

    async fn apply(self, app: &App, tx: &mut Tx) -> Result<u64, Error> {
        let keys = &app.secret_keys;
        let mut resealed = 0;
        for row in self.0 {
            if keys.needs_reseal(&row.secret) {
                let secret = totp::open(app, row)?;
                let sealed = keys.seal(&totp::seal_context(&row.user_id), secret.as_bytes()).map_err(Error::crypto)?;
                resealed += u64::from(tx.totp_reseal(row.user_id, &row.secret, &sealed).await?);
            }
            for code in tx.recovery_codes_all(row.user_id).await? {
                if keys.needs_reseal(&code.code_hash) {
                    let key = recovery_codes::row_key(code.user_id, code.number);
                    let hash =
                        keys.open(&recovery_codes::seal_context(&key), &code.code_hash).map_err(Error::crypto)?;
                    let sealed = keys.seal(&recovery_codes::seal_context(&key), &hash).map_err(Error::crypto)?;
                    resealed += u64::from(tx.recovery_code_reseal(&code, &sealed).await?);
                }
            }
        }
        Ok(resealed)
    }
}
