//! Maintenance of queued emails: expiry, and re-encryption under another secret key.

use super::content::Content;
use crate::context::App;
use crate::error::Error;
use crate::model::ids::MailId;
use crate::model::principal::{Operation, Principal};
use crate::store::Tx;
use uuid::Uuid;

/// The number of sealed emails that are read at once.
const PAGE_SIZE: i64 = 200;

/// Fails expired emails, and erases them.
pub async fn expire(app: &App) -> Result<(), Error> {
    let process = Principal::process(&[Operation::CleanUp]);
    while app.store.read(&process, Operation::CleanUp).await?.mails_any_expired().await? {
        let mut tx = app.store.begin(&process, Operation::CleanUp).await?;
        let expired = tx.mails_expire().await?;
        tx.commit().await?;
        for id in &expired {
            tracing::warn!(id = %id, "mail failed: it has expired");
        }
        if expired.is_empty() {
            // The others are being sent.
            return Ok(());
        }
    }
    Ok(())
}

/// Seals every queued email again with the first secret key; returns their number.
pub async fn reseal(app: &App, tx: &mut Tx) -> Result<u64, Error> {
    let (mut after, mut resealed) = (MailId(Uuid::nil()), 0);
    loop {
        let page = tx.mails_sealed(after, PAGE_SIZE).await?;
        let Some(last) = page.last() else { return Ok(resealed) };
        after = last.id;
        for mail in &page {
            if let Some(payload) = Content::reseal(&app.secret_keys, mail.id, &mail.payload)? {
                resealed += u64::from(tx.mail_reseal(mail, &payload).await?);
            }
        }
    }
}
