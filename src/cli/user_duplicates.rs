//! `doorward user duplicates`: accounts with one address in several spellings.

use super::failure::Failure;
use super::format;
use super::output::Output;
use super::runner::StoreContext;
use crate::domain::account::stored_addresses::{self, Duplicate};
use crate::model::principal::Principal;

pub(super) async fn run(context: &StoreContext, (): (), out: &mut Output<'_>) -> Result<(), Failure> {
    let found = stored_addresses::duplicates(&context.store, &Principal::operator()).await.map_err(Failure::Fault)?;
    if found.is_empty() {
        return out.list(&found, None, "No two accounts have the same address.");
    }
    let cells = found.iter().map(|Duplicate { address, created_at, email, id, username, .. }| {
        [address.clone(), id.to_string(), username.clone(), email.clone(), created_at.to_string()]
    });
    out.list(&found, None, &format::table(["address", "id", "username", "stored as", "created"], cells))
}
