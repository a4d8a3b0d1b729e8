//! `doorward user identities …`

use super::args::{RemoveIdentity, UserArgument};
use super::failure::Failure;
use super::format;
use super::output::{Changed, Output};
use super::runner::StoreContext;
use crate::context::App;
use crate::domain::account::{identities, operator};
use crate::domain::directory::identity::{self, IdentityRecord};
use crate::model::ids::IdentityId;
use crate::model::mail_domain::in_letters;
use crate::model::principal::{Operation, Principal};

/// Lists the accounts at providers of an account.
pub(super) async fn list(context: &StoreContext, which: &UserArgument, out: &mut Output<'_>) -> Result<(), Failure> {
    let store = &context.store;
    let user = operator::find(store, &Principal::operator(), &which.user).await?.id;
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
    let user = operator::find(&app.store, operator, &which.user).await?;
    let unknown = || Failure::Refused(format!("{} has no such identity", in_letters(&user.email)));
    let id = IdentityId(which.identity);
    let mut conn = app.store.read(operator, Operation::FindUsers).await?;
    let found = identity::of_user(&mut conn, user.id).await?.into_iter().find(|identity| identity.id == id);
    drop(conn);
    let found = found.ok_or_else(unknown)?;
    let question =
        format!("Remove {} of {} from {} ({})?", found.subject, found.issuer, in_letters(&user.email), user.username);
    out.require_confirmation(&question, which.yes)?;
    let removed = identities::remove(app, operator, user.id, id).await?.ok_or_else(unknown)?;
    let text = format!("{} of {} no longer logs in to {}", removed.subject, removed.issuer, in_letters(&user.email));
    out.result(&Changed { record: IdentityRecord::from(removed), changed: true }, &text)
}
