//! The words by which people are found, and the keys by which organizations are. They are written with the user or the
//! organization; a version that does not know them leaves them out, and may run beside this one. So passes compare each
//! user's words with what the user is called, again and again; an organization's key says which name it was made of.

use crate::context::App;
use crate::error::Error;
use crate::model::ids::UserId;
use crate::model::principal::{Operation, Principal};
use std::time::Duration;
use uuid::Uuid;

/// Users of a part of a pass, and organizations of a part.
const PART: i64 = 500;
/// Users whose words are written in one transaction, which locks them; organizations whose keys are.
const AT_ONCE: usize = 50;
/// After this time another process takes over a part; it does no harm if both write it.
const LEASE: Duration = Duration::from_secs(30);
/// Between two passes lies as much time as since the first one began, within these bounds: a previous version runs beside
/// this one for minutes rather than months.
const MIN_PAUSE: Duration = Duration::from_mins(1);
const MAX_PAUSE: Duration = Duration::from_hours(24);

/// Works on the part of a pass that is due; returns whether there is more to do at once.
pub async fn renew_part(app: &App) -> Result<bool, Error> {
    let process = Principal::process(&[Operation::ConvertAddresses]);
    let has_more_keys = key_organizations(app, &process).await?;
    Ok(renew_part_of_words(app, &process).await? || has_more_keys)
}

/// Writes the keys that organizations lack; returns whether others lack them still.
async fn key_organizations(app: &App, process: &Principal) -> Result<bool, Error> {
    let mut conn = app.store.read(process, Operation::ConvertAddresses).await?;
    let unkeyed = conn.organizations_unkeyed(PART).await?;
    drop(conn);
    for named in unkeyed.chunks(AT_ONCE) {
        let mut tx = app.store.begin(process, Operation::ConvertAddresses).await?;
        tx.organizations_set_keys(named).await?;
        tx.commit().await?;
    }
    Ok(i64::try_from(unkeyed.len()).is_ok_and(|found| found >= PART))
}

async fn renew_part_of_words(app: &App, process: &Principal) -> Result<bool, Error> {
    if !app.store.read(process, Operation::ConvertAddresses).await?.word_check_is_due().await? {
        return Ok(false);
    }
    let mut tx = app.store.begin_lease(process, Operation::ConvertAddresses).await?;
    let claimed = tx.word_check_claim(LEASE).await?;
    tx.commit().await?;
    let Some(part) = claimed else { return Ok(false) };
    let last = renew_after(app, process, part.after.unwrap_or(UserId(Uuid::nil()))).await?;
    let pause = match last {
        Some(_) => Duration::ZERO,
        None => app.clock.now().since(part.began_at).clamp(MIN_PAUSE, MAX_PAUSE),
    };
    let mut tx = app.store.begin_lease(process, Operation::ConvertAddresses).await?;
    tx.word_check_go_on(last, pause).await?;
    tx.commit().await?;
    Ok(last.is_some())
}

/// Renews the words of the users of a part; returns its last user, `None` if no users are left.
async fn renew_after(app: &App, process: &Principal, after: UserId) -> Result<Option<UserId>, Error> {
    let mut conn = app.store.read(process, Operation::ConvertAddresses).await?;
    let part = conn.user_words_compare(after, PART).await?;
    drop(conn);
    for users in part.differing.chunks(AT_ONCE) {
        let mut tx = app.store.begin(process, Operation::ConvertAddresses).await?;
        tx.user_words_renew(users).await?;
        tx.commit().await?;
    }
    Ok(part.last)
}
