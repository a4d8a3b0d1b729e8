//! `doorward user identities …`

use super::args::{RemoveIdentity, UserArgument};
use super::failure::Failure;
use super::format;
use super::output::{Changed, Output};
use super::runner::StoreContext;
use super::runner::as_operator;
use super::which_user;
use crate::context::App;
use crate::domain::account::identities;
use crate::domain::directory::identity::{self, IdentityRecord};
use crate::model::mail_domain::in_letters;
use crate::model::principal::{Operation, Principal};

/// Lists the accounts at providers of an account.
pub(super) async fn list(context: &StoreContext, which: &UserArgument, out: &mut Output<'_>) -> Result<(), Failure> {
    let store = &context.store;
    let user = which_user::find(store, &which.user).await?.id;
    let mut conn = store.read(&Principal::operator(), Operation::FindUsers).await?;
    let found = identity::of_user(&mut conn, user).await?;
    if found.is_empty() {
        return out.list(&found, None, "No identities.");
    }
    let cells = found.iter().map(|identity| {
        let last = identity.last_used_at.map_or_else(|| "never".to_owned(), |at| at.to_string());
        [identity.id.to_string(), identity.provider.clone(), identity.issuer.clone(), identity.subject.clone(), last]
    });
    out.list(&found, None, &format::table(["id", "provider", "issuer", "subject", "last used"], cells))
}

pub(super) async fn remove(app: &App, which: &RemoveIdentity, out: &mut Output<'_>) -> Result<(), Failure> {
    let operator = &Principal::operator();
    let user = which_user::find(&app.store, &which.user).await?;
    let mut conn = app.store.read(operator, Operation::FindUsers).await?;
    let mut found = identity::of_user(&mut conn, user.id).await?;
    drop(conn);
    found.retain(|identity| identity.id.to_string() == which.identity || identity.provider == which.identity);
    if found.len() > 1 {
        let ids: Vec<String> = found.iter().map(|identity| identity.id.to_string()).collect();
        let (email, provider) = (in_letters(&user.email), &which.identity);
        let message = format!("{email} has several identities of {provider}; give an id: {}", ids.join(", "));
        return Err(Failure::Refused(message));
    }
    let unknown = || Failure::Refused(format!("{} has no such identity", in_letters(&user.email)));
    let found = found.pop().ok_or_else(unknown)?;
    let question =
        format!("Remove {} of {} from {} ({})?", found.subject, found.issuer, in_letters(&user.email), user.username);
    out.require_confirmation(&question, which.yes)?;
    let removed = as_operator(app, identities::RemoveIdentity { user: user.id, id: found.id }).await?;
    let text = format!("{} of {} no longer logs in to {}", removed.subject, removed.issuer, in_letters(&user.email));
    out.result(&Changed { record: IdentityRecord::from(removed), changed: true }, &text)
}
