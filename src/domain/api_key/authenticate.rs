//! Whether a presented API key is right.
//!
//! The key is read from the database each time, so that a revoked one is refused by every process at once. A wrong key
//! costs the same read and the same cryptography as a right one, and no write of its own, whatever is wrong about it: the
//! audit log gets it with those of the same second and hour.

use super::manage::seal_context;
use crate::context::App;
use crate::crypto::api_key::PresentedApiKey;
use crate::error::Error;
use crate::metrics::ApiKeyResult;
use crate::model::api_key::{ApiKeyId, ApiKeyName, KeyFault, Scopes};
use crate::model::device::Device;
use crate::model::network::subnet;
use crate::model::principal::{Operation, Principal};
use crate::model::time::Time;
use crate::store::{ApiKeyRow, StoreError};
use std::net::IpAddr;
use std::time::Duration;

/// The least time between two writes of the last use on one day, for a key that is used from several networks.
const NETWORK_CHANGE_INTERVAL: Duration = Duration::from_mins(1);

/// How long a key counts as right after it was looked at: longer than most bodies take to arrive.
const TRUSTED_FOR: Duration = Duration::from_secs(1);

/// A key that was found right.
#[derive(Clone, Debug)]
pub struct ApiKey {
    pub id: ApiKeyId,
    /// The key that its rotations began with: the same for all of them.
    pub family: ApiKeyId,
    name: ApiKeyName,
    scopes: Scopes,
    checked_at: Time,
}

impl ApiKey {
    /// Who acts, and what they may do.
    pub fn principal(&self) -> Principal {
        Principal::api_key(self.name.clone(), self.scopes)
    }
}

#[derive(Clone, Copy, Debug)]
pub struct RequestOrigin<'a> {
    /// The address by which wrong keys are counted.
    pub for_limits: IpAddr,
    /// The client's address, if it is known.
    pub address: Option<IpAddr>,
    /// What the client says that it is.
    pub user_agent: &'a str,
}

#[derive(Debug, thiserror::Error)]
pub enum ApiKeyRefusal {
    /// The key is missing, wrong, over, revoked, or used from elsewhere.
    #[error("the API key is missing or wrong")]
    Unauthorized,
    /// Too many wrong keys came from this network; a retry is allowed after this time.
    #[error("too many wrong API keys")]
    TooManyWrong(Duration),
    #[error(transparent)]
    Failed(#[from] Error),
}

impl From<StoreError> for ApiKeyRefusal {
    fn from(error: StoreError) -> Self {
        ApiKeyRefusal::Failed(error.into())
    }
}

/// Authenticates the values of a request's `Authorization` headers, of which there must be one, `Bearer` and the key.
pub async fn authenticate(app: &App, presented: &[&str], caller: RequestOrigin<'_>) -> Result<ApiKey, ApiKeyRefusal> {
    let checked = check(app, presented, caller).await;
    let result = match &checked {
        Ok(_) => ApiKeyResult::Right,
        Err(ApiKeyRefusal::Unauthorized) if presented.is_empty() => ApiKeyResult::Missing,
        Err(ApiKeyRefusal::Unauthorized) => ApiKeyResult::Wrong,
        Err(ApiKeyRefusal::TooManyWrong(_)) => ApiKeyResult::Limited,
        Err(ApiKeyRefusal::Failed(_)) => ApiKeyResult::Failed,
    };
    app.metrics.auth.api_keys.count(result);
    checked
}

async fn check(app: &App, presented: &[&str], caller: RequestOrigin<'_>) -> Result<ApiKey, ApiKeyRefusal> {
    if presented.is_empty() {
        return Err(ApiKeyRefusal::Unauthorized);
    }
    let claimed = only_bearer(presented).and_then(|text| PresentedApiKey::parse(&app.settings.name, text));
    let claimed = claimed.unwrap_or_else(|| PresentedApiKey::malformed(presented[0]));
    let stranger = Principal::anonymous(Device::new("", None));
    let row = app.store.read(&stranger, Operation::PresentApiKey).await?.api_key_find(&claimed.id).await?;
    let is_right = proves(app, &claimed, row.as_ref())?;
    let row = match (row, is_right) {
        (Some(row), true) => row,
        (Some(row), false) => return Err(refuse(app, Some(&row), KeyFault::WrongSecret, caller)),
        (None, _) => return Err(refuse(app, None, KeyFault::UnknownKey, caller)),
    };
    if let Some(fault) = fault_of(&row, caller.address, app.clock.now()) {
        return Err(refuse(app, Some(&row), fault, caller));
    }
    note_use(app, &stranger, &row, caller).await;
    let checked_at = app.clock.now();
    let name = ApiKeyName::from_stored(row.name);
    Ok(ApiKey { id: row.id, family: row.family, name, scopes: row.scopes, checked_at })
}

/// Looks again at a key whose request has been arriving for long: it may have ended since.
pub async fn check_again(app: &App, key: &ApiKey) -> Result<(), ApiKeyRefusal> {
    let now = app.clock.now();
    if now < key.checked_at + TRUSTED_FOR {
        return Ok(());
    }
    let reader = Principal::anonymous(Device::new("", None));
    let row = app.store.read(&reader, Operation::PresentApiKey).await?.api_key_find(&key.id).await?;
    row.filter(|row| row.is_live(now)).map(|_| ()).ok_or(ApiKeyRefusal::Unauthorized)
}

/// Why a key is refused whose secret is right.
fn fault_of(row: &ApiKeyRow, address: Option<IpAddr>, now: Time) -> Option<KeyFault> {
    match () {
        () if row.revoked_at.is_some() => Some(KeyFault::Revoked),
        () if row.is_expired(now) => Some(KeyFault::Expired),
        () if !row.networks.permit(address) => Some(KeyFault::ForeignNetwork),
        () => None,
    }
}

/// Counts and records a refused key. A client with the right secret of a key that has ended, or that is bound to another
/// network, has it by mistake or by theft: that is a warning in the log, too.
fn refuse(app: &App, key: Option<&ApiKeyRow>, fault: KeyFault, caller: RequestOrigin<'_>) -> ApiKeyRefusal {
    let device = Device::new(caller.user_agent, caller.address);
    app.failed_attempts.record_api_key(key, fault, &device, app.clock.now());
    if let Some(ApiKeyRow { id, name, .. }) = key.filter(|_| fault.has_secret())
        && app.rate_limiter.is_key_warning_due(id, fault)
    {
        let reason = fault.as_str();
        tracing::warn!(key = %id, name = name.as_str(), reason, "an API key was refused whose secret is right");
    }
    let counted = app.rate_limiter.check_wrong_api_key(caller.for_limits);
    counted.map_or_else(ApiKeyRefusal::TooManyWrong, |()| ApiKeyRefusal::Unauthorized)
}

/// The credential of the one header (RFC 9110, 11.4: the scheme is case-insensitive).
fn only_bearer<'a>(presented: &[&'a str]) -> Option<&'a str> {
    let [header] = presented else { return None };
    let (scheme, key) = header.split_once(' ')?;
    scheme.eq_ignore_ascii_case("Bearer").then(|| key.trim_matches(' '))
}

/// Whether the presented key has the stored hash. Without a stored one, sealing takes the time of opening.
fn proves(app: &App, claimed: &PresentedApiKey, row: Option<&ApiKeyRow>) -> Result<bool, Error> {
    let context = seal_context(&claimed.id);
    let stored = if let Some(row) = row {
        app.secret_keys.open(&context, &row.secret).map_err(Error::crypto)?.to_vec()
    } else {
        app.secret_keys.seal(&context, claimed.hash.as_bytes()).map_err(Error::crypto)?
    };
    Ok(claimed.hash.is(&stored))
}

/// Writes the day and the network of the use, where either has changed. That this fails refuses no request.
async fn note_use(app: &App, principal: &Principal, row: &ApiKeyRow, caller: RequestOrigin<'_>) {
    let network = caller.address.map(|address| subnet(address).to_string()).unwrap_or_default();
    let now = app.clock.now();
    let is_noted = row.last_used_at.is_some_and(|at| {
        day(at) == day(now) && (row.last_used_network == network || now.since(at) < NETWORK_CHANGE_INTERVAL)
    });
    if is_noted {
        return;
    }
    let noted = async {
        let mut tx = app.store.begin_autocommit(principal, Operation::PresentApiKey).await?;
        tx.api_key_note_use(&row.id, &network).await?;
        tx.commit().await
    };
    if let Err(error) = noted.await {
        error.log("the last use of an API key was not written");
    }
}

const fn day(time: Time) -> i64 {
    time.as_seconds().div_euclid(24 * 3600)
}
