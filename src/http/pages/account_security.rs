//! `/auth/account/security`: password, two-factor authentication and passkeys.

use super::page_context::PageContext;
use crate::domain::mfa::passkey::registered;
use crate::domain::mfa::status;
use crate::http::page_error::PageError;
use crate::http::views::{self, SecurityLine, SecurityPage, account_sections};
use crate::messages::{Key, Message};
use crate::model::principal::{Operation, Principal};
use crate::store::UserRow;
use axum::http::StatusCode;
use axum::response::Response;

/// The page's path.
pub(super) const PATH: &str = "/auth/account/security";

/// Shows the page.
pub async fn show(context: PageContext) -> Result<Response, PageError> {
    let live = context.require_login(PATH).await?;
    let person = &context.person(&live);
    let mut conn = context.app.store.read_own(person, Operation::ReadOwnAccount, live.view.user_id).await?;
    let Some(user) = conn.user_find(live.view.user_id).await? else {
        return Ok(context.redirect_to_login(PATH));
    };
    drop(conn);
    let lines = [
        password_line(&user),
        two_factor_line(&context, person, &user).await?,
        passkeys_line(&context, person, &user).await?,
    ];
    let csrf = context.csrf()?;
    let notice = context.done_message(&[("password", "password-changed")]);
    let view = SecurityPage {
        layout: context.layout_for(&live, &csrf),
        sections: &account_sections(PATH),
        notice: notice.as_ref(),
        lines: &lines,
    };
    Ok(views::page(StatusCode::OK, &view))
}

fn password_line(user: &UserRow) -> SecurityLine {
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

async fn two_factor_line(context: &PageContext, person: &Principal, user: &UserRow) -> Result<SecurityLine, PageError> {
    let two_factor = status::two_factor(&context.app, person, user.id).await?;
    let (state, action) = match two_factor {
        Some(two_factor) => {
            (Message::new("security-two-factor-on").number("count", two_factor.codes_left), "security-change")
        }
        None => (Message::new("security-two-factor-off"), "security-set-up"),
    };
    Ok(SecurityLine { title: Key("two-factor-title"), state, href: "/auth/account/two-factor", action: Key(action) })
}

async fn passkeys_line(context: &PageContext, person: &Principal, user: &UserRow) -> Result<SecurityLine, PageError> {
    let count = registered::list(&context.app, person, user.id).await?.len();
    Ok(SecurityLine {
        title: Key("passkeys-title"),
        state: Message::new("security-passkeys").number("count", count),
        href: "/auth/account/passkeys",
        action: Key(if count == 0 { "security-set-up" } else { "security-change" }),
    })
}
