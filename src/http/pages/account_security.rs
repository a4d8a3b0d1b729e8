//! `/auth/account/security`: what protects the account.

use super::submission::{Member, Stop};
use super::visit::Visit;
use crate::domain::mfa::passkey::registered;
use crate::domain::mfa::status;
use crate::http::error::Fault;
use crate::http::views::{self, SecurityLine, SecurityPage, account_sections};
use crate::messages::{Key, Message};
use crate::store::UserRow;
use axum::http::StatusCode;
use axum::response::Response;

/// The page's path.
pub(super) const PATH: &str = "/auth/account/security";

/// Shows it.
pub async fn show(visit: Visit) -> Result<Response, Stop> {
    let Member { mut visit, live } = visit.member(PATH).await?;
    let found = async { visit.app.store.read().await?.user_find(live.view.user_id).await };
    let Some(user) = found.await.map_err(|error| Fault::new(error, visit.id))? else {
        return Ok(visit.log_in_first(PATH));
    };
    let lines = [password(&user), two_factor(&visit, &user).await?, passkeys(&visit, &user).await?];
    let csrf = visit.csrf()?;
    let done = visit.done(&[("password", "password-changed")]);
    let view = SecurityPage {
        chrome: visit.chrome_of(&live, &csrf),
        sections: &account_sections(PATH),
        done: done.as_ref(),
        lines: &lines,
    };
    let page = views::page(StatusCode::OK, &view);
    Ok(visit.answer(page))
}

fn password(user: &UserRow) -> SecurityLine {
    let (state, action) = match user.password_hash {
        Some(_) => ("security-password-set", "security-change"),
        None => ("security-password-none", "security-set-up"),
    };
    SecurityLine {
        title: Key("password"),
        state: Message::new(state),
        href: "/auth/account/password",
        action: Key(action),
    }
}

async fn two_factor(visit: &Visit, user: &UserRow) -> Result<SecurityLine, Fault> {
    let on = status::two_factor(&visit.app, user.id).await.map_err(|error| Fault::new(error, visit.id))?;
    let (state, action) = match on {
        Some(on) => (Message::new("security-two-factor-on").number("count", on.codes_left), "security-change"),
        None => (Message::new("security-two-factor-off"), "security-set-up"),
    };
    Ok(SecurityLine { title: Key("two-factor-title"), state, href: "/auth/account/two-factor", action: Key(action) })
}

async fn passkeys(visit: &Visit, user: &UserRow) -> Result<SecurityLine, Fault> {
    let count = registered::list(&visit.app, user.id).await.map_err(|error| Fault::new(error, visit.id))?.len();
    Ok(SecurityLine {
        title: Key("passkeys-title"),
        state: Message::new("security-passkeys").number("count", count),
        href: "/auth/account/passkeys",
        action: Key(if count == 0 { "security-set-up" } else { "security-change" }),
    })
}
