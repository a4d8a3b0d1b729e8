//! What the acts on a person have in common.

use super::act::ActTarget;
use super::people;
use crate::http::page_error::PageError;
use crate::http::pages::change_form::{FormTarget, LoggedIn};
use crate::http::pages::required::{not_found, parse_id};
use crate::http::views::ActParent;
use crate::model::ids::UserId;
use crate::model::principal::Operation;
use crate::store::UserRow;

impl FormTarget for UserRow {
    type Ids = String;

    async fn find(by: LoggedIn<'_>, id: String) -> Result<Self, PageError> {
        let id = UserId(parse_id(&id)?);
        let mut conn = by.app.store.read(&by.administrator(), Operation::FindUsers).await?;
        conn.user_find(id).await?.ok_or_else(not_found)
    }
}

impl ActTarget for UserRow {
    fn name(&self) -> Option<&str> {
        Some(self.label().account())
    }

    fn page(&self) -> String {
        format!("{}/{}", people::PATH, self.id)
    }

    fn parent(&self) -> ActParent<'_> {
        ActParent::Named(self.label().account())
    }
}
