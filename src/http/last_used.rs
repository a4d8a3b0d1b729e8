//! The cookie of the way and the accounts that this browser logged in with last (docs/reference/browser.md 3). The pages
//! of login and signup mark the way.

use super::cookies;
use crate::context::App;
use crate::crypto::seal::SealContext;
use crate::model::ids::UserId;
use crate::model::login_way::LoginWay;
use axum::http::{HeaderMap, HeaderValue};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::time::Duration;
use uuid::Uuid;

const SEAL_CONTEXT: SealContext<'static> = SealContext { table: "cookie", row: b"", column: "last" };
const DAYS: i64 = 90;
const TTL: Duration = Duration::from_hours(90 * 24);
const MAX_ACCOUNTS: usize = 5;

#[derive(Debug, Default, Serialize, Deserialize)]
pub struct LastUsed {
    pub way: Option<LoginWay>,
    /// The keyed id of each account with the day of its last login here, the latest first.
    accounts: Vec<(Uuid, i64)>,
}

impl LastUsed {
    /// What the cookie says; nothing without one. A host beside this one can add another before it, which must not hide
    /// it: all are read.
    pub fn read(app: &App, headers: &HeaderMap) -> Self {
        let name = app.settings.name.last_used_cookie();
        cookies::values(headers, name).filter_map(|value| Self::unseal(app, value)).fold(Self::default(), Self::with)
    }

    fn with(self, other: Self) -> Self {
        let day = |last: &Self| last.accounts.first().map(|(_, day)| *day);
        let (later, earlier) = if day(&other) > day(&self) { (other, self) } else { (self, other) };
        let mut accounts = later.accounts;
        for (id, day) in earlier.accounts {
            match accounts.iter_mut().find(|(known, _)| *known == id) {
                Some((_, known)) => *known = day.max(*known),
                None => accounts.push((id, day)),
            }
        }
        accounts.sort_by_key(|(_, day)| Reverse(*day));
        accounts.truncate(MAX_ACCOUNTS);
        Self { way: later.way.or(earlier.way), accounts }
    }

    fn unseal(app: &App, value: &str) -> Option<Self> {
        let sealed = URL_SAFE_NO_PAD.decode(value).ok()?;
        serde_json::from_slice(&app.secret_keys.open(&SEAL_CONTEXT, &sealed).ok()?).ok()
    }

    /// The same after a login or confirmation of this account; without a way that of before stays.
    #[must_use]
    pub fn after(self, app: &App, way: Option<LoginWay>, user: UserId) -> Self {
        let (id, today) = (app.secret_keys.account_id(user), app.clock.now().as_seconds() / 86_400);
        let others = self.accounts.into_iter().filter(|(known, day)| *known != id && today - day < DAYS);
        Self { way: way.or(self.way), accounts: [(id, today)].into_iter().chain(others).take(MAX_ACCOUNTS).collect() }
    }

    /// The `Set-Cookie` header.
    pub fn cookie(&self, app: &App) -> Option<HeaderValue> {
        let sealed = app.secret_keys.seal(&SEAL_CONTEXT, &serde_json::to_vec(self).ok()?).ok()?;
        let name = app.settings.name.last_used_cookie();
        cookies::of_this_host(&app.settings, name, &URL_SAFE_NO_PAD.encode(sealed), "/auth", TTL)
    }
}
