//! The names that people give their own account.

use crate::context::App;
use crate::domain::change::Change;
use crate::domain::identity::identifiers::Username;
use crate::domain::identity::reserved_name::rename;
use crate::domain::identity::visible_name::{self, DisplayName};
use crate::messages::Message;
use crate::model::principal::Operation;
use crate::refusal::{ChangeError, Refusal};
use crate::store::{Constraint, StoreError, Tx};

/// A name for the account of the person who acts; made is whether it had another one.
pub enum OwnName {
    Username(Username),
    /// `None` removes it.
    Display(Option<DisplayName>),
}

impl OwnName {
    pub fn username(name: &str) -> Result<Self, Refusal> {
        if name.trim().is_empty() {
            return Err(refused_username(Message::new("username-missing")));
        }
        Username::parse(name).map(Self::Username).map_err(refused_username)
    }

    /// White space alone removes it.
    pub fn display(name: &str) -> Result<Self, Refusal> {
        DisplayName::parse_optional(name).map(Self::Display).map_err(|why| Refusal::field("name", why))
    }
}

fn refused_username(why: Message) -> Refusal {
    Refusal::field("username", why)
}

impl Change for OwnName {
    const OPERATION: Operation = Operation::ChangeOwnAccount;
    type Made = bool;

    async fn apply(self, app: &App, tx: &mut Tx) -> Result<bool, ChangeError> {
        let stored = tx.user_lock_own().await?.ok_or(Refusal::NotFound("user"))?;
        match self {
            OwnName::Username(name) => match rename(app, tx, &stored, &name).await {
                Err(StoreError::Constraint(Constraint::UserUsername)) => {
                    Err(refused_username(Message::new("username-in-use")).into())
                }
                renamed => Ok(renamed?),
            },
            OwnName::Display(name) => Ok(visible_name::set(tx, &stored, name.as_ref()).await?),
        }
    }
}
