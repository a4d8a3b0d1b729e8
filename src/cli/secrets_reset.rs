//! `doorward secrets reset`

use super::args::ResetSecrets;
use super::failure::Failure;
use super::output::Output;
use super::runner::refuse_missing_database;
use crate::boot;
use crate::clock::Clock;
use crate::domain::lost_key::{self, Lost};
use crate::model::principal::{Operation, Principal};
use crate::model::provider::ProviderName;
use crate::settings::Settings;
use serde_json::json;

/// Lets the database adopt a new secret key, without what depended on the lost one.
pub(super) async fn run(settings: Settings, how: ResetSecrets, out: &mut Output<'_>) -> Result<(), Failure> {
    refuse_missing_database(&settings)?;
    let variable = settings.name.variable("SECRET_KEY");
    let store = boot::store(&settings, Clock::system()).await?;
    let keys = boot::existing_secret_keys(&settings)?;
    if let Some(keys) = &keys
        && lost_key::fits(&store, &Principal::operator(), keys).await?
    {
        return Err(Failure::Refused(format!(
            "the secret key fits this database, so nothing is lost. To replace a key that leaked, set {variable} to a \
             new one alone"
        )));
    }
    let mut conn = store.read(&Principal::operator(), Operation::ManageInstance).await?;
    if !conn.processes_running().await?.is_empty() {
        return Err(Failure::Refused(
            "the service runs, or did within the last minute: it has the key. Stop it, if that is to be lost"
                .to_owned(),
        ));
    }
    drop(conn);
    let question = "Log everybody out, and remove all signing keys, API keys, authenticator apps, recovery codes, mailed links \
        and waiting emails? A backup of the secret key would save them.";
    out.require_confirmation(question, how.yes)?;
    let keys = match keys {
        Some(keys) => keys,
        None => boot::make_secret_key(&settings)?,
    };
    let Lost { sessions, factors, api_keys, providers } =
        lost_key::reset(&store, &Principal::operator(), &keys).await?;
    store.close().await;
    let names: Vec<&str> = providers.iter().map(ProviderName::as_str).collect();
    let lacking = if names.is_empty() {
        String::new()
    } else {
        format!("\nProviders that need their secret again, by doorward provider update or apply: {}", names.join(", "))
    };
    let text = format!(
        "The database has a new secret key: keep a copy of it in another place\n\
         Sessions ended: {sessions}; authenticator apps lost: {factors}; API keys removed: {api_keys}\n\
         Users who lost an app log in with password and mailed code, and set up another{lacking}"
    );
    let json = json!({
        "sessions_ended": sessions, "factors_lost": factors, "api_keys_removed": api_keys,
        "providers_without_secret": names,
    });
    out.result(&json, &text)
}
