//! `doorward provider …` and `doorward apply`

pub(super) mod apply;
pub mod args;
pub(super) mod check;
mod secrets;

use super::failure::Failure;
use super::format;
use super::output::{Changed, Output};
use super::runner::{StoreContext, as_operator};
use crate::context::App;
use crate::domain::change;
use crate::domain::directory::provider::ProviderRecord;
use crate::domain::provider::fields::WholeProvider;
use crate::domain::provider::manage;
use crate::model::principal::{Operation, Principal};
use crate::refusal::{ChangeError, Refusal};
use args::{AddProvider, ProviderArgument, RemoveProvider, UpdateProvider};
use serde_json::json;

pub(super) async fn add(app: &App, new: AddProvider, out: &mut Output<'_>) -> Result<(), Failure> {
    let fields = new.values.fields(new.kind);
    let secret = secrets::given(&new.values)?;
    let whole = WholeProvider::new(new.provider, &fields, secret).map_err(failure)?;
    let row = change::run(app, &Principal::operator(), manage::Add(whole)).await.map_err(failure)?;
    let record = ProviderRecord::of(&row, &app.settings.server.base_url);
    let text = format!("Provider {} added\nRegister this redirect address there: {}", record.name, record.redirect_uri);
    out.result(&record, &text)
}

pub(super) async fn list(context: &StoreContext, (): (), out: &mut Output<'_>) -> Result<(), Failure> {
    let mut conn = context.store.read(&Principal::operator(), Operation::ReadProviders).await?;
    let rows = conn.providers_list().await?;
    let base = &context.settings.server.base_url;
    let records: Vec<ProviderRecord<'_>> = rows.iter().map(|row| ProviderRecord::of(row, base)).collect();
    if records.is_empty() {
        return out.list(&records, None, "No providers.");
    }
    let cells = records.iter().map(|record| {
        [
            record.name.to_owned(),
            record.kind.to_owned(),
            record.label.to_owned(),
            record.issuer.to_owned(),
            record.client_id.to_owned(),
            record.email.to_owned(),
            record.mfa.to_owned(),
            record.signup.to_owned(),
            if record.has_secret { "set" } else { "lost" }.to_owned(),
        ]
    });
    let columns = ["name", "kind", "label", "issuer", "client id", "email", "mfa", "signup", "secret"];
    out.list(&records, None, &format::table(columns, cells))
}

pub(super) async fn show(
    context: &StoreContext,
    which: &ProviderArgument,
    out: &mut Output<'_>,
) -> Result<(), Failure> {
    let mut conn = context.store.read(&Principal::operator(), Operation::ReadProviders).await?;
    let row = manage::find(&mut conn, &which.provider).await?;
    let record = ProviderRecord::of(&row, &context.settings.server.base_url);
    let optional = |name, value: Option<String>| value.map(|value| (name, value));
    let fields = [
        Some(("Name", record.name.to_owned())),
        Some(("Kind", record.kind.to_owned())),
        Some(("Label", record.label.to_owned())),
        Some(("Issuer", record.issuer.to_owned())),
        optional("Tenant", record.tenant.clone()),
        Some(("Client id", record.client_id.to_owned())),
        Some(("Secret", if record.has_secret { "set" } else { "lost with the secret key" }.to_owned())),
        optional("Team id", record.team_id.map(str::to_owned)),
        optional("Key id", record.key_id.map(str::to_owned)),
        Some(("Scopes", record.scopes.clone())),
        Some(("Email", record.email.to_owned())),
        Some(("MFA", record.mfa.to_owned())),
        Some(("Signup", record.signup.to_owned())),
        Some(("Redirect address", record.redirect_uri.clone())),
        Some(("Added", row.created_at.to_string())),
        Some(("Changed", row.updated_at.to_string())),
    ];
    let fields: Vec<_> = fields.into_iter().flatten().collect();
    out.result(&record, &format::fields(&fields))
}

pub(super) async fn update(app: &App, new: UpdateProvider, out: &mut Output<'_>) -> Result<(), Failure> {
    let secret = secrets::given(&new.values)?;
    let update = manage::Update { name: &new.provider, fields: &new.values.fields(None), secret };
    let (row, changed) = change::run(app, &Principal::operator(), update).await.map_err(failure)?;
    let text = match changed.as_slice() {
        [] => format!("Nothing to change of the provider {}", new.provider),
        fields => format!("Provider {} changed: {}", new.provider, fields.join(", ")),
    };
    let record = ProviderRecord::of(&row, &app.settings.server.base_url);
    out.result(&Changed { record, changed: !changed.is_empty() }, &text)
}

pub(super) async fn remove(app: &App, which: &RemoveProvider, out: &mut Output<'_>) -> Result<(), Failure> {
    let name = &which.provider;
    // Before the question.
    manage::find(&mut app.store.read(&Principal::operator(), Operation::ReadProviders).await?, name).await?;
    out.require_confirmation(&format!("Remove the provider {name}, and end the sessions that it began?"), which.yes)?;
    let sessions = as_operator(app, manage::Remove { name }).await?;
    let text = format!("Provider {name} removed; sessions ended: {sessions}. Its accounts stay connected");
    out.result(&json!({"name": name.as_str(), "changed": true, "sessions_ended": sessions}), &text)
}

/// A field that is refused is a mistake in the command.
fn failure(error: impl Into<ChangeError>) -> Failure {
    let error: ChangeError = error.into();
    match error {
        ChangeError::Refused(refusal @ Refusal::Fields(_)) => Failure::Operator(refusal.to_string()),
        error => error.into(),
    }
}
