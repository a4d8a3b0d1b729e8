//! `doorward api-key …`

use super::api_key_args::{ApiKeyArgument, CreateApiKey, RotateApiKey};
use super::failure::Failure;
use super::format;
use super::output::Output;
use super::page::{self, PageArguments};
use super::runner::{StoreContext, as_operator};
use super::user_audit;
use super::which_api_key;
use crate::context::App;
use crate::domain::api_key::manage::{self, CreatedApiKey, NewApiKey};
use crate::domain::directory::api_key::ApiKeyRecord;
use crate::domain::directory::audit::AuditRecord;
use crate::domain::directory::list::Listing;
use crate::model::api_key::KeyNetworks;
use crate::model::principal::{Operation, Principal};
use crate::store::AuditRow;
use serde_json::json;

/// More than a terminal shows; ended keys are removed after a while.
const MAX_LISTED: i64 = 10_000;

pub(super) async fn create(app: &App, new: CreateApiKey, out: &mut Output<'_>) -> Result<(), Failure> {
    let new = NewApiKey {
        name: new.key_name,
        scopes: new.scopes.into_iter().collect(),
        ttl: new.expires,
        networks: KeyNetworks(new.networks),
    };
    show(&as_operator(app, new).await?, "", out)
}

/// Replaces a key by a new one.
pub(super) async fn rotate(app: &App, which: &RotateApiKey, out: &mut Output<'_>) -> Result<(), Failure> {
    let old = which_api_key::find(app, &which.key).await?;
    let created = as_operator(app, manage::Rotate { id: &old, overlap: which.overlap }).await?;
    let note = format!("\nThe key {old} ends within {}", format::coarse_duration(which.overlap));
    show(&created, &note, out)
}

fn show(created: &CreatedApiKey, note: &str, out: &mut Output<'_>) -> Result<(), Failure> {
    let row = &created.row;
    let json = json!({
        "id": row.id, "name": row.name, "scopes": row.scopes.names(), "expires_at": row.expires_at,
        "key": created.text.as_str(),
    });
    let text = format!(
        "API key {} of {}: {}\nExpires: {}\nKey: {}   (shown once){note}",
        row.id,
        row.name,
        row.scopes.names().join(", "),
        row.expires_at.map_or("never".to_owned(), |end| end.to_string()),
        created.text.as_str(),
    );
    out.result(&json, &text)
}

pub(super) async fn revoke(app: &App, which: &ApiKeyArgument, out: &mut Output<'_>) -> Result<(), Failure> {
    let id = which_api_key::find(app, &which.key).await?;
    let revoked = as_operator(app, manage::Revoke { id: &id }).await?;
    let text = match &revoked {
        Some(row) => format!("The API key {id} of {} is revoked", row.name),
        None => format!("The API key {id} was revoked before"),
    };
    out.result(&json!({"id": id, "changed": revoked.is_some()}), &text)
}

pub(super) async fn list(context: &StoreContext, (): (), out: &mut Output<'_>) -> Result<(), Failure> {
    let now = context.clock.now();
    let mut conn = context.store.read(&Principal::operator(), Operation::ReadApiKeys).await?;
    let rows = conn.api_keys_list(MAX_LISTED).await?;
    let records: Vec<ApiKeyRecord<'_>> = rows.iter().map(|row| ApiKeyRecord::of(row, now)).collect();
    if rows.is_empty() {
        return out.list(&records, None, "No API keys.");
    }
    let cells = rows.iter().zip(&records).map(|(row, record)| {
        [
            row.id.to_string(),
            row.name.clone(),
            record.state.to_owned(),
            row.scopes.names().join(","),
            row.networks.to_text(),
            row.expires_at.map_or_else(String::new, |end| end.to_string()),
            record.last_used_on.clone().unwrap_or_default(),
            row.last_used_network.clone(),
        ]
    });
    out.list(
        &records,
        None,
        &format::table(["id", "name", "state", "scopes", "from", "ends", "last used", "by"], cells),
    )
}

/// Prints the latest entries of the audit log about API keys, newest first.
pub(super) async fn audit(context: &StoreContext, page: PageArguments, out: &mut Output<'_>) -> Result<(), Failure> {
    let range = page.range();
    let mut conn = context.store.read(&Principal::operator(), Operation::ReadApiKeys).await?;
    let rows = conn.audit_list_of_api_keys(range.after, range.rows()).await?;
    let Listing { data: rows, next, .. } = range.listing(rows, AuditRow::place, |row| row);
    let text = if rows.is_empty() {
        "Nothing in the last 90 days.".to_owned()
    } else {
        let columns = ["at", "what", "by", "device", "address", "detail"];
        page::text(format::table(columns, rows.iter().map(user_audit::cells)), next)
    };
    out.list(&rows.iter().map(AuditRecord::from).collect::<Vec<_>>(), next, &text)
}
