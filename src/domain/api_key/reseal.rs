//! Reseals the hashes of API keys with the first secret key.

use super::manage::seal_context;
use crate::context::App;
use crate::error::Error;
use crate::store::Tx;

/// More keys than anybody has; ended ones are removed after a while.
const MAX_KEYS: i64 = 100_000;

/// Reseals every key that needs it, and returns their number.
pub(in crate::domain) async fn reseal(app: &App, tx: &mut Tx) -> Result<u64, Error> {
    let keys = &app.secret_keys;
    let mut resealed = 0;
    for row in tx.api_keys_list(MAX_KEYS).await? {
        if keys.needs_reseal(&row.secret) {
            let context = seal_context(&row.id);
            let hash = keys.open(&context, &row.secret).map_err(Error::crypto)?;
            let sealed = keys.seal(&context, &hash).map_err(Error::crypto)?;
            resealed += u64::from(tx.api_key_reseal(&row.id, &row.secret, &sealed).await?);
        }
    }
    Ok(resealed)
}
