//! `doorward keys …` and `doorward secrets …`

use super::failure::Failure;
use super::format;
use super::output::Output;
use super::runner::{StoreContext, as_operator};
use crate::context::App;
use crate::domain::keys;
use crate::model::principal::{Operation, Principal};
use crate::store::SigningKeyRow;
use serde_json::json;

pub async fn rotate(app: &App, (): (), out: &mut Output<'_>) -> Result<(), Failure> {
    if app.settings.tokens.hs256.is_some() {
        let variable = app.settings.name.variable("JWT_KEYS");
        return Err(Failure::Operator(format!("{variable} is set: the shared keys are rotated there, not here")));
    }
    let key = as_operator(app, keys::Rotate).await?;
    out.result(
        &json!({"kid": key.kid, "algorithm": key.algorithm.as_str(), "active_from": key.active_from}),
        &format!(
            "New signing key {} for {}\nPublished within 30 seconds, signs from {}",
            key.kid,
            key.algorithm.as_str(),
            key.active_from
        ),
    )
}

pub async fn list(context: &StoreContext, (): (), out: &mut Output<'_>) -> Result<(), Failure> {
    let now = context.clock.now();
    let mut conn = context.store.read(&Principal::operator(), Operation::ReadKeys).await?;
    let rows = conn.signing_keys_list().await?;
    let active = rows.iter().filter(|row| row.active_from <= now).map(|row| &row.kid).next_back().cloned();
    let state = |row: &SigningKeyRow| match () {
        () if row.active_from > now => "waiting",
        () if Some(&row.kid) == active.as_ref() => "signing",
        () => "retired",
    };
    let records: Vec<_> = rows
        .iter()
        .map(|row| {
            let (active_from, created_at) = (row.active_from, row.created_at);
            let algorithm = row.algorithm.as_str();
            json!({
                "kid": row.kid, "algorithm": algorithm, "state": state(row), "active_from": active_from,
                "created_at": created_at,
            })
        })
        .collect();
    let cells = rows.iter().map(|row| {
        [row.kid.clone(), row.algorithm.as_str().to_owned(), state(row).to_owned(), row.active_from.to_string()]
    });
    let text = match (rows.is_empty(), &context.settings.tokens.hs256) {
        (false, _) => format::table(["id", "algorithm", "state", "from"], cells),
        (true, Some(_)) => format!("No signing keys: {} is used.", context.settings.name.variable("JWT_KEYS")),
        (true, None) => "No signing keys yet: the service generates one when it starts.".to_owned(),
    };
    out.list(&records, None, &text)
}

/// Reseals every stored secret with the first secret key.
pub async fn reseal(app: &App, (): (), out: &mut Output<'_>) -> Result<(), Failure> {
    let resealed = keys::reseal(app, &Principal::operator()).await?;
    let text = format!(
        "{resealed} stored {} sealed anew with the first key; the other keys can go once every process was restarted, \
         and refresh tokens issued under them have been replaced",
        if resealed == 1 { "secret" } else { "secrets" }
    );
    out.result(&json!({"resealed": resealed}), &text)
}
