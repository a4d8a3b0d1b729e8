//! `/auth/account`: who I am.

use super::visit::Visit;
use crate::domain::verification::request;
use crate::http::error::Fault;
use crate::http::session::Live;
use crate::http::views::{self, AccountPage, Membership, Person, account_sections};
use crate::messages::Message;
use crate::settings::EmailVerification;
use crate::store::{MembershipRow, SessionSummary, StoreError};
use axum::http::StatusCode;
use axum::response::Response;
use std::time::Duration;

const PATH: &str = "/auth/account";
/// The user is told of a stolen token for this long.
const REUSE_IS_NEWS: Duration = Duration::from_hours(30 * 24);

/// Shows the account.
pub async fn show(mut visit: Visit) -> Result<Response, Fault> {
    let Some(live) = visit.session().await? else { return Ok(visit.log_in_first(PATH)) };
    let Some((membership, reuse)) = load(&visit, &live).await? else {
        visit.forget_session();
        return Ok(visit.log_in_first(PATH));
    };
    let csrf = visit.csrf()?;
    let unproved = is_unproved(&visit, &live).await?;
    let name = &visit.app.settings.name;
    let roles: Vec<String> = live.view.roles.iter().map(|role| name.role(role).to_owned()).collect();
    let done = visit.done(&[("username", "username-changed")]);
    let view = AccountPage {
        chrome: visit.chrome_of(&live, &csrf),
        sections: &account_sections(PATH),
        done: done.as_ref(),
        user: Person {
            id: live.view.user_id,
            username: &live.view.username,
            email: &live.view.email,
            roles: &roles,
            created_at: live.view.created_at,
        },
        organization: Membership { name: &membership.name, kind: membership.kind, role: membership.role },
        unproved,
        stolen_token_at: reuse.and_then(|session| session.ended_at),
    };
    let page = views::page(StatusCode::OK, &view);
    Ok(visit.answer(page))
}

/// `None` if the session ended this moment.
async fn load(visit: &Visit, live: &Live) -> Result<Option<(MembershipRow, Option<SessionSummary>)>, Fault> {
    let found = async {
        let Some(membership) = visit.app.store.read().await?.membership_of_session(live.id).await? else {
            return Ok(None);
        };
        Ok(Some((membership, news_of_theft(visit, live).await?)))
    };
    found.await.map_err(|error: StoreError| Fault::new(error, visit.id))
}

/// Whether the proof of the address is asked for.
async fn is_unproved(visit: &Visit, live: &Live) -> Result<bool, Fault> {
    if visit.app.settings.accounts.email_verification == EmailVerification::Off {
        return Ok(false);
    }
    let unproved = request::unproved(&visit.app, live.view.user_id).await;
    Ok(unproved.map_err(|error| Fault::new(error, visit.id))?.is_some())
}

/// The session that was last ended for theft, while that is news.
pub(super) async fn news_of_theft(visit: &Visit, live: &Live) -> Result<Option<SessionSummary>, StoreError> {
    let since = visit.app.clock.now() - REUSE_IS_NEWS;
    visit.app.store.read().await?.session_reuse_since(live.view.user_id, since).await
}

impl Visit {
    /// What the page says was just done: the message of the word in `?done=`, if it is one of these.
    pub(super) fn done(&self, messages: &[(&str, &'static str)]) -> Option<Message> {
        let word = self.query.get("done")?;
        messages.iter().find(|(known, _)| *known == word).map(|(_, key)| Message::new(key))
    }
}
