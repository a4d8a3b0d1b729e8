//! `/auth/account/security`: the ways to log in, and where that is seen.

use super::change_form::LoggedIn;
use super::page_context::PageContext;
use super::paths;
use crate::domain::account::overview::{self, Protection};
use crate::domain::mfa::passkey;
use crate::http::page_error::PageError;
use crate::http::views::{self, Icon, SecurityLine, SecurityPage};
use crate::messages::{Key, Message};
use axum::http::StatusCode;
use axum::response::Response;

const PATH: &str = paths::SECURITY;

pub async fn show(context: PageContext) -> Result<Response, PageError> {
    let live = context.require_login(PATH).await?;
    let found = overview::protection(&context.app, &context.principal(&live), live.view.user_id).await?;
    let Some(protection) = found else { return Ok(context.redirect_to_login(PATH)) };
    let passkeys = passkeys_line(&protection, passkey::are_supported(&context.app));
    let mut methods = vec![passkeys, two_factor_line(&protection), password_line(&protection)];
    // Where no account elsewhere can be connected, there is nothing to show.
    if protection.identities > 0 || context.app.store.providers().await?.iter().next().is_some() {
        methods.push(connections_line(&protection));
    }
    let others_log_in = protection.passkeys + protection.identities > 0;
    let changed = if others_log_in { "password-changed-others" } else { "password-changed" };
    let notice = context.done_message(&[("password", changed)]);
    let view = SecurityPage {
        layout: &LoggedIn { context: &context, live: &live }.shell(PATH, None)?,
        notice: notice.as_ref(),
        methods: &methods,
        sessions: protection.sessions,
    };
    Ok(views::page(StatusCode::OK, &view))
}

fn password_line(protection: &Protection) -> SecurityLine {
    SecurityLine {
        icon: Icon::Lock,
        title: Key("password"),
        state: Message::new(if protection.has_password { "security-password-set" } else { "security-password-none" }),
        changed_at: protection.password_changed_at.filter(|_| protection.has_password),
        is_on: false,
        is_recommended: false,
        href: "/auth/account/password",
    }
}

fn two_factor_line(protection: &Protection) -> SecurityLine {
    SecurityLine {
        icon: Icon::Shield,
        title: Key("two-factor-title"),
        state: match protection.codes_left {
            Some(left) => Message::new("security-two-factor-on").number("count", left),
            None => Message::new("security-two-factor-off"),
        },
        changed_at: None,
        is_on: protection.codes_left.is_some(),
        is_recommended: false,
        href: paths::TWO_FACTOR,
    }
}

fn passkeys_line(protection: &Protection, are_supported: bool) -> SecurityLine {
    SecurityLine {
        icon: Icon::Key,
        title: Key("passkeys-title"),
        state: Message::new("security-passkeys").number("count", protection.passkeys),
        changed_at: None,
        is_on: false,
        is_recommended: are_supported && protection.passkeys == 0,
        href: paths::PASSKEYS,
    }
}

fn connections_line(protection: &Protection) -> SecurityLine {
    SecurityLine {
        icon: Icon::Link,
        title: Key("connections-title"),
        state: Message::new("security-connections").number("count", protection.identities),
        changed_at: None,
        is_on: false,
        is_recommended: false,
        href: paths::CONNECTIONS,
    }
}
