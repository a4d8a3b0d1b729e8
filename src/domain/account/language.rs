//! The language of the mails to an account.

use crate::context::App;
use crate::messages::Locale;
use crate::model::ids::UserId;
use crate::model::principal::{Operation, Principal};
use crate::rate_limit::{ChangeKind, RateLimit, RateLimitError};

/// Keeps the language that a user has chosen.
pub async fn choose(app: &App, principal: &Principal, user: UserId, language: Locale) -> Result<(), RateLimitError> {
    let found = app.store.read_own(principal, Operation::ReadOwnAccount, user).await?.user_find(user).await?;
    if found.is_none_or(|found| found.language == Some(language)) {
        return Ok(());
    }
    let mut tx = app.store.begin(principal, Operation::ChangeOwnAccount).await?;
    tx.require_own(user)?;
    app.rate_limiter.check_in(&mut tx, [RateLimit::Change(ChangeKind::Languages, user)]).await?;
    tx.user_set_language(user, language).await?;
    Ok(tx.commit().await?)
}
