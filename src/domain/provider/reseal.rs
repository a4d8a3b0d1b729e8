//! Reseals the secrets of providers with the first secret key.

use super::secret::seal_context;
use crate::context::App;
use crate::error::Error;
use crate::store::Tx;

/// Reseals every secret that needs it, and returns their number. Logins that were begun are not resealed: they wait for
/// ten minutes, and the person begins again.
pub(in crate::domain) async fn reseal(app: &App, tx: &mut Tx) -> Result<u64, Error> {
    let keys = &app.secret_keys;
    let stored = tx.providers_list().await?;
    let mut resealed = 0;
    for (row, sealed) in stored.iter().filter_map(|row| Some((row, row.secret.as_ref()?))) {
        if keys.needs_reseal(sealed) {
            let context = seal_context(&row.provider.name);
            let secret = keys.open(&context, sealed).map_err(Error::crypto)?;
            let new = keys.seal(&context, &secret).map_err(Error::crypto)?;
            resealed += u64::from(tx.provider_reseal(&row.provider.name, sealed, &new).await?);
        }
    }
    if resealed > 0 {
        // Other processes hold the sealed secret in memory.
        tx.providers_change().await?;
    }
    Ok(resealed)
}
