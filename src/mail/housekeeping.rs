//! What becomes of mails that wait: their end, and their move to another secret key.

use super::content::Content;
use crate::context::App;
use crate::error::Error;
use crate::model::ids::MailId;
use crate::store::Tx;
use uuid::Uuid;

/// Sealed mails are read in pages of this size.
const PAGE: i64 = 200;

/// Takes mails whose time is over out of the queue, and erases them.
pub async fn expire(app: &App) -> Result<(), Error> {
    while app.store.read().await?.mails_any_expired().await? {
        let mut tx = app.store.begin().await?;
        let expired = tx.mails_expire().await?;
        tx.commit().await?;
        for id in &expired {
            tracing::warn!(id = %id, "mail failed: its time was over");
        }
        if expired.is_empty() {
            // What is left is just being sent.
            return Ok(());
        }
    }
    Ok(())
}

/// Seals every waiting mail anew with the first secret key; gives how many there were.
pub async fn reseal(app: &App, tx: &mut Tx) -> Result<u64, Error> {
    let (mut after, mut resealed) = (MailId(Uuid::nil()), 0);
    loop {
        let page = tx.mails_sealed(after, PAGE).await?;
        let Some(last) = page.last() else { return Ok(resealed) };
        after = last.id;
        for mail in &page {
            if let Some(payload) = Content::reseal(&app.secret_keys, mail.id, &mail.payload)? {
                resealed += u64::from(tx.mail_reseal(mail, &payload).await?);
            }
        }
    }
}
