//! `doorward user duplicates`: accounts with one address in several spellings.

use super::failure::Failure;
use super::format;
use super::output::Output;
use super::runner::StoreContext;
use crate::domain::account::stored_addresses::{self, Duplicate};
use crate::model::principal::Principal;
use serde_json::{Value, json};
use std::io::Write;

/// Lists them.
pub(super) async fn run<W: Write>(context: &StoreContext, out: &mut Output<W>) -> Result<(), Failure> {
    let found = stored_addresses::duplicates(&context.store, &Principal::operator()).await.map_err(Failure::Fault)?;
    let records: Vec<Value> = found.iter().map(record).collect();
    if found.is_empty() {
        return out.list(&records, None, "No two accounts have the same address.");
    }
    let cells = found.iter().map(|Duplicate { address, user }| {
        [address.clone(), user.id.to_string(), user.username.clone(), user.email.clone(), user.created_at.to_string()]
    });
    out.list(&records, None, &format::table(["address", "id", "username", "stored as", "created"], cells))
}

fn record(Duplicate { address, user }: &Duplicate) -> Value {
    json!({
        "address": address,
        "id": user.id,
        "username": user.username,
        "email": user.email,
        "email_verified_at": user.email_verified_at,
        "created_at": user.created_at,
    })
}
