//! The API key that a person names: by its id, or by its name, if one live key has it.

use super::failure::Failure;
use crate::context::App;
use crate::model::api_key::ApiKeyId;
use crate::model::principal::{Operation, Principal};

/// As many as `doorward api-key list` shows.
const MAX_COMPARED: i64 = 10_000;

/// Finds the key. What is the id of a key is never taken for a name.
pub(super) async fn find(app: &App, which: &str) -> Result<ApiKeyId, Failure> {
    let id = ApiKeyId(which.to_owned());
    let mut conn = app.store.read(&Principal::operator(), Operation::ReadApiKeys).await?;
    if conn.api_key_find(&id).await?.is_some() {
        return Ok(id);
    }
    let now = app.clock.now();
    let mut found = conn.api_keys_list(MAX_COMPARED).await?;
    found.retain(|key| key.name == which && key.is_live(now));
    if found.len() > 1 {
        let ids: Vec<String> = found.iter().map(|key| key.id.to_string()).collect();
        let ids = ids.join(" and key ");
        return Err(Failure::Refused(format!("{which} is the name of key {ids}; give the id of one")));
    }
    let no_such =
        || Failure::Refused(format!("there is no API key \"{which}\"; `doorward api-key list` shows the ids"));
    Ok(found.pop().ok_or_else(no_such)?.id)
}
