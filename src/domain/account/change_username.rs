//! Change of the username by its owner.

use crate::context::App;
use crate::domain::identity::identifiers::Username;
use crate::domain::identity::reserved_name::rename;
use crate::messages::Message;
use crate::model::ids::UserId;
use crate::model::principal::{Operation, Principal};
use crate::refusal::{ChangeError, Refusal};
use crate::store::{Constraint, StoreError};

/// Changes a username. Returns `false` if the account has it already.
pub async fn change_username(app: &App, user: UserId, name: &str, principal: &Principal) -> Result<bool, ChangeError> {
    let refused = |why: Message| Refusal::field("username", why);
    if name.trim().is_empty() {
        return Err(refused(Message::new("username-missing")).into());
    }
    let name = Username::parse(name).map_err(refused)?;
    let mut tx = app.store.begin(principal, Operation::ChangeOwnAccount).await?;
    let stored = tx.user_lock_in(user, principal.actor().session()).await?.ok_or(Refusal::NotFound("user"))?;
    tx.require_own(user)?;
    let renamed = match rename(app, &mut tx, &stored, &name).await {
        Err(StoreError::Constraint(Constraint::UserUsername)) => {
            return Err(refused(Message::new("username-in-use")).into());
        }
        renamed => renamed?,
    };
    if !renamed {
        return Ok(false);
    }
    tx.commit().await?;
    Ok(true)
}
