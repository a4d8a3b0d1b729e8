//! What a user is called.

use crate::context::App;
use crate::domain::identity::visible_name::{self, DisplayName};
use crate::model::ids::UserId;
use crate::model::principal::{Operation, Principal};
use crate::refusal::{ChangeError, Refusal};

/// Changes one's own display name; white space alone removes it. Returns `false` if it is that already.
pub async fn change(app: &App, principal: &Principal, user: UserId, name: &str) -> Result<bool, ChangeError> {
    let name = DisplayName::parse_optional(name).map_err(|why| Refusal::field("name", why))?;
    let mut tx = app.store.begin(principal, Operation::ChangeOwnAccount).await?;
    let stored = tx.user_lock_in(user, principal.actor().session()).await?.ok_or(Refusal::NotFound("user"))?;
    tx.require_own(user)?;
    if !visible_name::set(&mut tx, &stored, name.as_ref()).await? {
        return Ok(false);
    }
    tx.commit().await?;
    Ok(true)
}
