//! `doorward provider check`

use super::args::ProviderArgument;
use crate::cli::doctor;
use crate::cli::failure::Failure;
use crate::cli::output::Output;
use crate::context::App;
use crate::doctor::{Line, Report, examine_provider};
use crate::domain::provider::manage;
use crate::model::principal::{Operation, Principal};
use crate::oidc::ProviderFault;
use serde::Serialize;

/// What the examination of a provider found.
#[derive(Serialize)]
struct CheckedProvider<'a> {
    name: &'a str,
    /// The address to register at the provider.
    redirect_uri: &'a str,
    checks: Vec<Line>,
    healthy: bool,
}

/// Prints what is wrong with a provider; fails if that is an error.
pub(in crate::cli) async fn run(app: &App, which: &ProviderArgument, out: &mut Output<'_>) -> Result<(), Failure> {
    let mut conn = app.store.read(&Principal::operator(), Operation::ReadProviders).await?;
    let row = manage::find(&mut conn, &which.provider).await?;
    // Nothing of the database is held while the provider is asked.
    drop(conn);
    let client = app.provider_client(None).map_err(|_| Failure::Refused(ProviderFault::NoRoots.to_string()))?;
    let base_url = &app.settings.server.base_url;
    let mut report = Report::default();
    examine_provider(&mut report, &client, &app.secret_keys, &row, base_url).await;
    let errors = report.errors();
    let redirect_uri = row.provider.redirect_uri(base_url.as_str());
    let text = format!("{}\nRedirect address: {redirect_uri}", doctor::table(&report));
    let name = row.provider.name.as_str();
    let record =
        CheckedProvider { name, redirect_uri: &redirect_uri, checks: report.lines, healthy: errors.is_empty() };
    out.result(&record, &text)?;
    doctor::outcome(&errors)
}
