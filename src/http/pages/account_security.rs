//! `/auth/account/security`: password, two-factor authentication and passkeys.

use super::account_connections;
use super::page_context::PageContext;
use crate::domain::account::overview::{self, Protection};
use crate::http::page_error::PageError;
use crate::http::views::{self, SecurityLine, SecurityPage, account_sections};
use crate::messages::{Key, Message};
use axum::http::StatusCode;
use axum::response::Response;

/// The page's path.
pub(super) const PATH: &str = "/auth/account/security";

/// Shows the page.
pub async fn show(context: PageContext) -> Result<Response, PageError> {
    let live = context.require_login(PATH).await?;
    let found = overview::protection(&context.app, &context.person(&live), live.view.user_id).await?;
    let Some(protection) = found else { return Ok(context.redirect_to_login(PATH)) };
    let mut lines = vec![password_line(&protection), two_factor_line(&protection), passkeys_line(&protection)];
    // Where no account elsewhere can be connected, there is nothing to show.
    if protection.identities > 0 || context.app.store.providers().await?.iter().next().is_some() {
        lines.push(connections_line(&protection));
    }
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

fn password_line(protection: &Protection) -> SecurityLine {
    let (state, action) = if protection.has_password {
        ("security-password-set", "security-change")
    } else {
        ("security-password-none", "security-set-up")
    };
    SecurityLine {
        title: Key("password"),
        state: Message::new(state),
        href: "/auth/account/password",
        action: Key(action),
    }
}

fn two_factor_line(protection: &Protection) -> SecurityLine {
    let (state, action) = match protection.codes_left {
        Some(left) => (Message::new("security-two-factor-on").number("count", left), "security-change"),
        None => (Message::new("security-two-factor-off"), "security-set-up"),
    };
    SecurityLine { title: Key("two-factor-title"), state, href: "/auth/account/two-factor", action: Key(action) }
}

fn passkeys_line(protection: &Protection) -> SecurityLine {
    let count = protection.passkeys;
    SecurityLine {
        title: Key("passkeys-title"),
        state: Message::new("security-passkeys").number("count", count),
        href: "/auth/account/passkeys",
        action: Key(if count == 0 { "security-set-up" } else { "security-change" }),
    }
}

fn connections_line(protection: &Protection) -> SecurityLine {
    let count = protection.identities;
    SecurityLine {
        title: Key("connections-title"),
        state: Message::new("security-connections").number("count", count),
        href: account_connections::PATH,
        action: Key(if count == 0 { "security-set-up" } else { "security-change" }),
    }
}
