//! The random value by which `doorward doctor` recognizes that this service answered it: the command writes it into the
//! database, then asks for it at the public address.

use crate::crypto::token_hash::LinkToken;
use crate::error::Error;
use crate::model::principal::{Operation, Principal};
use crate::store::Store;
use std::time::Duration;

/// For how long the service answers.
const NONCE_TTL: Duration = Duration::from_mins(1);

pub async fn create(store: &Store, principal: &Principal) -> Result<LinkToken, Error> {
    let nonce = LinkToken::generate()?;
    let mut tx = store.begin(principal, Operation::Diagnose).await?;
    tx.doctor_nonce_create(&LinkToken::hash_without_key(nonce.text()), NONCE_TTL).await?;
    tx.commit().await?;
    Ok(nonce)
}

/// Whether a text is such a value, and still valid.
pub async fn is_valid(store: &Store, principal: &Principal, text: &str) -> Result<bool, Error> {
    if !LinkToken::has_form_of(text) {
        return Ok(false);
    }
    let mut conn = store.read(principal, Operation::PresentSecret).await?;
    Ok(conn.doctor_nonce_is_valid(&LinkToken::hash_without_key(text)).await?)
}

pub async fn remove(store: &Store, principal: &Principal, nonce: &LinkToken) -> Result<(), Error> {
    let mut tx = store.begin(principal, Operation::Diagnose).await?;
    tx.doctor_nonce_delete(&LinkToken::hash_without_key(nonce.text())).await?;
    Ok(tx.commit().await?)
}
