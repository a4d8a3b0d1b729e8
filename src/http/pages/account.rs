//! `/auth/account`: who I am.

use super::visit::Visit;
use crate::http::device;
use crate::http::error::Fault;
use crate::http::session::Live;
use crate::http::views::{self, AccountPage, CurrentSession, Membership, Person, account_sections};
use crate::store::{MembershipRow, SessionSummary};
use axum::http::StatusCode;
use axum::response::Response;
use std::time::Duration;

/// The user is told of a stolen token for this long.
const REUSE_IS_NEWS: Duration = Duration::from_hours(30 * 24);

/// Shows the account.
pub async fn show(mut visit: Visit) -> Result<Response, Fault> {
    let Some(live) = visit.session().await? else {
        return Ok(visit.redirect(Some("/auth/login?return_to=%2Fauth%2Faccount")));
    };
    let Some((membership, session, reuse)) = load(&visit, &live).await? else {
        visit.forget_session();
        return Ok(visit.redirect(Some("/auth/login?return_to=%2Fauth%2Faccount")));
    };
    let csrf = visit.csrf()?;
    let name = &visit.app.settings.name;
    let roles: Vec<String> = live.view.roles.iter().map(|role| name.role(role).to_owned()).collect();
    let device = device::in_words(visit.chrome().messages, &session.user_agent);
    let page = views::page(
        StatusCode::OK,
        &AccountPage {
            chrome: visit.chrome_of(&live, &csrf),
            sections: &account_sections("/auth/account"),
            user: Person {
                id: live.view.user_id,
                username: &live.view.username,
                email: &live.view.email,
                roles: &roles,
                created_at: live.view.created_at,
            },
            organization: Membership { name: &membership.name, kind: membership.kind, role: membership.role },
            session: CurrentSession {
                device: &device,
                address: &session.address,
                started_at: session.created_at,
                last_used_at: session.last_used_at,
            },
            stolen_token_at: reuse.and_then(|session| session.ended_at),
        },
    );
    Ok(visit.answer(page))
}

type Loaded = (MembershipRow, SessionSummary, Option<SessionSummary>);

/// `None` if the session ended this moment.
async fn load(visit: &Visit, live: &Live) -> Result<Option<Loaded>, Fault> {
    let found = async {
        let mut conn = visit.app.store.read().await?;
        let Some(session) = conn.session_summary(live.id).await? else { return Ok(None) };
        let Some(membership) = conn.membership_of_session(live.id).await? else { return Ok(None) };
        let since = visit.app.clock.now() - REUSE_IS_NEWS;
        let reuse = conn.session_reuse_since(live.view.user_id, since).await?;
        Ok(Some((membership, session, reuse)))
    };
    found.await.map_err(|error: crate::store::StoreError| Fault::new(error, visit.id))
}
