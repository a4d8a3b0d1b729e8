//! API keys, without the keys themselves.

use crate::model::api_key::ApiKeyId;
use crate::model::time::Time;
use crate::store::ApiKeyRow;
use serde::Serialize;

#[derive(Debug, Serialize)]
pub struct ApiKeyRecord<'a> {
    id: &'a ApiKeyId,
    name: &'a str,
    /// `live`, `expired` or `revoked`.
    pub state: &'static str,
    scopes: Vec<&'static str>,
    networks: Vec<String>,
    created_at: Time,
    expires_at: Option<Time>,
    revoked_at: Option<Time>,
    /// The day: a time is written once a day.
    pub last_used_on: Option<String>,
    last_used_network: Option<&'a str>,
}

impl<'a> ApiKeyRecord<'a> {
    pub fn of(row: &'a ApiKeyRow, now: Time) -> Self {
        let state = match () {
            () if row.revoked_at.is_some() => "revoked",
            () if row.is_expired(now) => "expired",
            () => "live",
        };
        Self {
            id: &row.id,
            name: &row.name,
            state,
            scopes: row.scopes.names(),
            networks: row.networks.0.iter().map(ToString::to_string).collect(),
            created_at: row.created_at,
            expires_at: row.expires_at,
            revoked_at: row.revoked_at,
            last_used_on: row.last_used_at.map(|at| at.to_string().chars().take_while(|c| *c != 'T').collect()),
            last_used_network: Some(row.last_used_network.as_str()).filter(|network| !network.is_empty()),
        }
    }
}
