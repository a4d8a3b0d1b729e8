//! `doorward user list`

use super::args::ListUsers;
use super::failure::Failure;
use super::format;
use super::output::Output;
use super::page;
use super::runner::StoreContext;
use crate::domain::directory::list::Listing;
use crate::domain::directory::user::{self, UserQuery, UserRecord};
use crate::model::mail_domain::in_letters;
use crate::model::principal::{Operation, Principal};

pub(super) async fn run(context: &StoreContext, arguments: &ListUsers, out: &mut Output<'_>) -> Result<(), Failure> {
    let query = UserQuery {
        search: arguments.search.clone(),
        state: arguments.state,
        role: arguments.role,
        ..UserQuery::default()
    };
    let mut conn = context.store.read(&Principal::operator(), Operation::FindUsers).await?;
    let found = user::list(&mut conn, &context.settings.name, query, arguments.range.range()).await?;
    let Listing { data: users, next, .. } = found;
    if users.is_empty() {
        return out.list(&users, next, "No such accounts.");
    }
    let table = format::table(["email", "username", "roles", "state", "id"], users.iter().map(cells));
    out.list(&users, next, &page::text(table, next))
}

fn cells(user: &UserRecord) -> [String; 5] {
    let state = if user.disabled { "disabled" } else { "" };
    let email = in_letters(&user.email).into_owned();
    [email, user.username.clone(), user.roles.join(","), state.to_owned(), user.id.to_string()]
}
