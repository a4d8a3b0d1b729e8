//! What the acts on a person have in common.

use super::act::{ActError, ActTarget};
use super::{Administrator, people};
use crate::domain::account::delete::{DeleteError, last_owner_message};
use crate::domain::identity::operator_error::OperatorError;
use crate::http::page_error::PageError;
use crate::http::pages::page_context::PageContext;
use crate::http::pages::required::{not_found, parse_id};
use crate::http::views::ActParent;
use crate::messages::Message;
use crate::model::ids::UserId;
use crate::model::principal::Operation;
use crate::store::UserRow;

impl ActTarget for UserRow {
    type Ids = String;

    async fn find(context: &PageContext, admin: &Administrator, id: String) -> Result<Self, PageError> {
        let id = UserId(parse_id(&id)?);
        let mut conn = context.app.store.read(&admin.principal, Operation::FindUsers).await?;
        conn.user_find(id).await?.ok_or_else(not_found)
    }

    fn name(&self) -> Option<&str> {
        Some(self.person().account())
    }

    fn page(&self) -> String {
        format!("{}/{}", people::PATH, self.id)
    }

    fn parent(&self) -> ActParent<'_> {
        ActParent::Named(self.person().account())
    }
}

impl From<OperatorError> for ActError {
    fn from(error: OperatorError) -> Self {
        match error {
            OperatorError::NoSuchUser(_) => Self::Gone,
            OperatorError::OwnAccount => Self::Refused(Message::new("admin-not-yourself")),
            OperatorError::LastAdmin(_) => Self::Refused(Message::new("admin-last-administrator")),
            OperatorError::Fields(errors) => {
                let first = [("email", errors.email), ("username", errors.username), ("password", errors.password)];
                let first = first.into_iter().find_map(|(name, message)| message.map(|message| (name, message)));
                first.map_or(Self::Gone, |(name, message)| Self::Field(name, message))
            }
            OperatorError::TooSoon(wait) => {
                let seconds = usize::try_from(wait.as_secs().max(1)).unwrap_or(usize::MAX);
                Self::Refused(Message::new("admin-mailed-lately").number("seconds", seconds))
            }
            error @ (OperatorError::Ambiguous { .. } | OperatorError::Identity(..) | OperatorError::Protected(_)) => {
                Self::Failed(crate::error::Error::Inconsistent(error.to_string()))
            }
            OperatorError::Failed(error) => Self::Failed(error),
        }
    }
}

impl From<DeleteError> for ActError {
    fn from(error: DeleteError) -> Self {
        match error {
            DeleteError::NoSuchUser => Self::Gone,
            DeleteError::OwnAccount => Self::Refused(Message::new("admin-not-yourself")),
            DeleteError::LastAdmin => Self::Refused(Message::new("admin-last-administrator")),
            DeleteError::LastOwner(organizations) => Self::Refused(last_owner_message(&organizations)),
            error @ DeleteError::Protected => Self::Failed(crate::error::Error::Inconsistent(error.to_string())),
            DeleteError::Failed(error) => Self::Failed(error),
        }
    }
}
