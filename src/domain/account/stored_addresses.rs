//! Addresses of versions that kept domains as they were typed. A start converts them to A-labels, each in a transaction of
//! its own. Where two become one, both stay as they are: only an operator can find out whose account is to be used.

use crate::context::App;
use crate::domain::identity::identifiers::MAX_EMAIL_LEN;
use crate::error::Error;
use crate::model::change::AccountChange;
use crate::model::finding::FindingCode;
use crate::model::ids::UserId;
use crate::model::mail_domain;
use crate::model::principal::{Operation, Principal};
use crate::model::time::Time;
use crate::store::{AddressTable, Store, StoreError, StoredAddress, UserRow};
use serde::Serialize;
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use uuid::Uuid;

const PAGE_SIZE: i64 = 500;

/// Converts the addresses of accounts, mailed links and invitations, and warns of accounts whose address stays.
pub async fn convert(app: &App) -> Result<(), Error> {
    let process = Principal::process(&[Operation::ConvertAddresses]);
    let users = all(&app.store, &process, AddressTable::Users).await?;
    let mut spellings: HashMap<String, u32> = HashMap::new();
    for user in &users {
        *spellings.entry(mail_domain::key(&user.email)).or_default() += 1;
    }
    for user in &users {
        if spellings.get(&mail_domain::key(&user.email)) == Some(&1) {
            replace(app, &process, AddressTable::Users, user).await?;
        }
    }
    for table in [AddressTable::AccountTokens, AddressTable::Invitations] {
        for address in all(&app.store, &process, table).await? {
            replace(app, &process, table, &address).await?;
        }
    }
    let accounts = duplicates(&app.store, &process).await?.len();
    if accounts > 0 {
        tracing::warn!(
            finding = %FindingCode::DuplicateAddresses,
            accounts,
            "the addresses of accounts are the same but for the spelling of their domains, and were not changed; \
             doorward user duplicates lists them"
        );
    }
    Ok(())
}

async fn all(store: &Store, principal: &Principal, table: AddressTable) -> Result<Vec<StoredAddress>, StoreError> {
    let mut found: Vec<StoredAddress> = Vec::new();
    loop {
        let after = found.last().map_or(Uuid::nil(), |last| last.id);
        let mut conn = store.read(principal, Operation::ConvertAddresses).await?;
        let page = conn.addresses_beyond_ascii(table, after, PAGE_SIZE).await?;
        drop(conn);
        let is_last = i64::try_from(page.len()).is_ok_and(|length| length < PAGE_SIZE);
        found.extend(page.into_iter().filter(|address| matches!(converted(address), Cow::Owned(_))));
        if is_last {
            return Ok(found);
        }
    }
}

/// The address with A-labels; borrowed if it stays as it is.
fn converted(address: &StoredAddress) -> Cow<'_, str> {
    match mail_domain::with_a_labels(&address.email) {
        Cow::Owned(converted) if converted.chars().count() <= MAX_EMAIL_LEN => Cow::Owned(converted),
        _ => Cow::Borrowed(&address.email),
    }
}

async fn replace(app: &App, principal: &Principal, table: AddressTable, address: &StoredAddress) -> Result<(), Error> {
    let email = converted(address);
    let mut tx = app.store.begin(principal, Operation::ConvertAddresses).await?;
    match tx.address_replace(table, address, &email, &mail_domain::key(&email)).await {
        Ok(true) => {}
        // Another row has the converted address, or this one has changed.
        Ok(false) | Err(StoreError::Constraint(_)) => return Ok(tx.rollback().await?),
        Err(error) => return Err(error.into()),
    }
    if table == AddressTable::Users {
        tx.record_account(UserId(address.id), AccountChange::EmailRespelled).await?;
    }
    Ok(tx.commit().await?)
}

/// An account whose address another account has in another spelling.
#[derive(Serialize)]
pub struct Duplicate {
    /// The address with A-labels, which is that of all of them.
    pub address: String,
    pub created_at: Time,
    pub email: String,
    pub email_verified_at: Option<Time>,
    pub id: UserId,
    pub username: String,
}

/// Returns accounts whose addresses are the same but for the spelling of their domains, sorted by address.
pub async fn duplicates(store: &Store, principal: &Principal) -> Result<Vec<Duplicate>, Error> {
    let mut accounts: BTreeMap<String, Vec<UserRow>> = BTreeMap::new();
    for address in all(store, principal, AddressTable::Users).await? {
        let key = mail_domain::key(&address.email);
        let mut conn = store.read(principal, Operation::ConvertAddresses).await?;
        let same = accounts.entry(key.clone()).or_default();
        if same.is_empty() {
            same.extend(conn.user_find_by_email(&key).await?);
        }
        same.extend(conn.user_find(UserId(address.id)).await?);
    }
    accounts.retain(|_, same| same.len() > 1);
    let mut found = Vec::new();
    for (address, same) in accounts {
        found.extend(same.into_iter().map(|user| {
            let UserRow { id, username, email, email_verified_at, created_at, .. } = user;
            Duplicate { address: address.clone(), created_at, email, email_verified_at, id, username }
        }));
    }
    Ok(found)
}
