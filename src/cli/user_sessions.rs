//! `doorward user sessions …`

use super::args::{RevokeSessions, UserArgument};
use super::failure::Failure;
use super::format;
use super::output::Output;
use super::runner::{StoreContext, as_operator};
use super::which_user;
use crate::context::App;
use crate::domain::directory::list;
use crate::domain::directory::session::{self, SessionRecord};
use crate::domain::session::active::{EndSessions, Which};
use crate::model::ids::SessionId;
use crate::model::mail_domain::in_letters;
use crate::model::principal::{Operation, Principal};
use serde_json::json;

/// Lists the active sessions of an account.
pub(super) async fn list(context: &StoreContext, which: &UserArgument, out: &mut Output<'_>) -> Result<(), Failure> {
    let StoreContext { settings, clock, store } = context;
    let user = which_user::find(store, &which.user).await?.id;
    let now = clock.now();
    let part = async |range| {
        let mut conn = store.read(&Principal::operator(), Operation::ListSessions).await?;
        session::list(&mut conn, settings, now, user, range).await
    };
    let sessions: Vec<SessionRecord> = list::all(part).await?;
    if sessions.is_empty() {
        return out.list(&sessions, None, "No active sessions.");
    }
    let cells = sessions.iter().map(|session| {
        let (logged_in, last_used) = (format::seconds(session.created_at), format::seconds(session.last_used_at));
        let device = format::device(&session.user_agent);
        [logged_in, last_used, device, session.address.clone(), session.id.to_string()]
    });
    out.list(&sessions, None, &format::table(["logged in", "last used", "device", "address", "id"], cells))
}

/// Revokes a session of an account, or all of them.
pub(super) async fn revoke(app: &App, which: &RevokeSessions, out: &mut Output<'_>) -> Result<(), Failure> {
    let user = which_user::find(&app.store, &which.user).await?;
    let sessions = which.session.map_or(Which::All, |session| Which::One(SessionId(session)));
    let change = EndSessions { user: user.id, which: sessions };
    let revoked = as_operator(app, change).await?;
    if revoked == 0 && which.session.is_some() {
        return Err(Failure::Refused(format!("{} has no such session", in_letters(&user.email))));
    }
    let text = match revoked {
        1 => format!("Revoked one session of {}", in_letters(&user.email)),
        _ => format!("Revoked {revoked} sessions of {}", in_letters(&user.email)),
    };
    out.result(&json!({"id": user.id, "revoked": revoked}), &text)
}
