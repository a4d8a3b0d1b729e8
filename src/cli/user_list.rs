//! `doorward user list`

use super::args::ListUsers;
use super::failure::Failure;
use super::format;
use super::output::Output;
use super::runner::StoreContext;
use super::user::{record, role_names};
use super::user_args::UserState;
use crate::domain::account::operator;
use crate::model::mail_domain::{self, in_letters};
use crate::model::principal::Principal;
use crate::store::UserRow;
use serde_json::Value;
use std::io::Write;

/// Number of accounts read at a time.
const PAGE_SIZE: i64 = 500;

/// Lists the accounts that match.
pub(super) async fn run<W: Write>(
    context: &StoreContext,
    arguments: &ListUsers,
    out: &mut Output<W>,
) -> Result<(), Failure> {
    let (users, next) = find(context, arguments).await?;
    let records: Vec<Value> = users.iter().map(|user| record(&context.settings, user)).collect();
    if users.is_empty() {
        return out.list(&records, None, "No such accounts.");
    }
    let cells = users.iter().map(|user| {
        let roles = role_names(&context.settings, user.roles).join(",");
        let state = if user.disabled_at.is_some() { "disabled" } else { "" };
        [user.id.to_string(), in_letters(&user.email).into_owned(), user.username.clone(), roles, state.to_owned()]
    });
    let table = format::table(["id", "email", "username", "roles", "state"], cells);
    let text = match &next {
        Some(last) => format!("{table}\nThere are more: --after {} shows the next ones.", in_letters(last)),
        None => table,
    };
    out.list(&records, next.as_deref(), &text)
}

/// A page of accounts, and the address of the last one if there are more. Any part of an address may be searched for, so
/// every account is looked at, in the order of the addresses.
async fn find(context: &StoreContext, arguments: &ListUsers) -> Result<(Vec<UserRow>, Option<String>), Failure> {
    let limit = usize::try_from(arguments.limit).unwrap_or(usize::MAX);
    let mut after = arguments.after.as_deref().map(mail_domain::key).unwrap_or_default();
    let mut found: Vec<UserRow> = Vec::new();
    loop {
        let page = operator::list(&context.store, &Principal::operator(), &after, PAGE_SIZE).await?;
        let Some(last) = page.last() else { return Ok((found, None)) };
        after.clone_from(&last.email);
        for user in page.into_iter().filter(|user| matches(user, arguments)) {
            if found.len() == limit {
                let next = found.last().map(|user| user.email.clone());
                return Ok((found, next));
            }
            found.push(user);
        }
    }
}

fn matches(user: &UserRow, arguments: &ListUsers) -> bool {
    let is_in_state = |state| match state {
        UserState::Active => user.disabled_at.is_none(),
        UserState::Disabled => user.disabled_at.is_some(),
        UserState::Unverified => user.email_verified_at.is_none(),
    };
    let is_found = |search: &String| {
        let search = search.trim().to_lowercase();
        let texts = [user.email.to_lowercase(), in_letters(&user.email).to_lowercase(), user.username.to_lowercase()];
        texts.iter().any(|text| text.contains(&search))
    };
    arguments.state.is_none_or(is_in_state)
        && arguments.role.is_none_or(|role| user.roles.contains(role))
        && arguments.search.as_ref().is_none_or(is_found)
}
