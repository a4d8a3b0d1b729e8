//! The context of a page request: session, CSRF token and the cookies that the response sets.

use crate::context::App;
use crate::crypto::csrf as csrf_token;
use crate::crypto::token_hash::LinkToken;
use crate::domain::login::complete::ClientContext;
use crate::domain::login::pending::{Outstanding, PendingLogin, PendingUser, find_pending_login};
use crate::domain::session::lifecycle::{CookieToken, OpenedSession};
use crate::domain::session::refresh::Refreshed;
use crate::http::client::{self, ClientAddress};
use crate::http::departure::{self, Chain, Departure};
use crate::http::form::{Query, Typed};
use crate::http::language::Language;
use crate::http::last_used::LastUsed;
use crate::http::page_error::PageError;
use crate::http::page_notes::PageNotes;
use crate::http::provider_login_cookie;
use crate::http::session::{self, LiveSession};
use crate::http::views::{Layout, Shell};
use crate::http::{cookies, csrf, device, pending_verification, return_to};
use crate::messages::{Locale, Message};
use crate::model::device::Device;
use crate::model::ids::{AccountTokenId, UserId};
use crate::model::login_way::LoginWay;
use crate::model::principal::Principal;
use crate::model::provider::ProviderName;
use axum::extract::{FromRequestParts, MatchedPath};
use axum::http::header::LOCATION;
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use std::convert::Infallible;
use std::net::IpAddr;
use std::sync::Arc;

/// A browser sends one device token; cookies of other paths and sibling domains may add a few.
const MAX_DEVICE_TOKENS: usize = 16;
/// The same of pending logins, which are looked up in the database.
const MAX_PENDING_LOGINS: usize = 4;

pub struct PageContext {
    pub app: Arc<App>,
    pub headers: HeaderMap,
    /// What the request asks for: the path, and the query if there is one.
    pub target: String,
    pub method: Method,
    /// The pattern of its path, such as `/auth/organizations/{id}`.
    pub route: String,
    pub query: Query,
    /// The client's IP address, for rate limits.
    pub address: IpAddr,
    pub language: Language,
    client: ClientAddress,
    pub(super) notes: PageNotes,
    chain: Chain,
}

impl FromRequestParts<Arc<App>> for PageContext {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Infallible> {
        let client = client::of(&app.settings.server, &parts.headers, &parts.extensions);
        Ok(Self {
            app: app.clone(),
            target: parts.uri.path_and_query().map_or_else(String::new, |target| target.as_str().to_owned()),
            query: Query::of(&parts.uri),
            address: client.for_limits,
            client,
            language: parts.extensions.get().cloned().unwrap_or_default(),
            headers: parts.headers.clone(),
            notes: parts.extensions.get().cloned().unwrap_or_default(),
            chain: chain(parts),
            method: parts.method.clone(),
            route: parts.extensions.get::<MatchedPath>().map_or_else(String::new, |path| path.as_str().to_owned()),
        })
    }
}

impl PageContext {
    pub fn path(&self) -> &str {
        self.target.split_once('?').map_or(&self.target, |(path, _)| path)
    }

    /// Returns the page layout without a logged-in user.
    pub fn layout(&self) -> Layout<'_> {
        Layout::new(&self.app, &self.language)
    }

    /// How the logged-in user is called, once the handler has asked for the session.
    pub fn viewer(&self) -> Option<String> {
        self.notes.viewer()
    }

    /// Returns the page layout for a logged-in user.
    pub fn layout_for<'a>(&'a self, live: &'a LiveSession) -> Layout<'a> {
        let layout = self.layout().shown_to(live).seen_by(Some(live.view.label().called()));
        layout.with_administration(!live.view.roles.is_empty())
    }

    /// Puts a layout around forms, without a navigation; `form_error` is why one was refused.
    pub fn shell<'a>(&self, layout: Layout<'a>, form_error: Option<&'a Message>) -> Result<Shell<'a>, PageError> {
        Ok(Shell { layout, csrf: self.csrf()?, sections: Vec::new(), form_error })
    }

    /// Returns the CSRF token for the page's forms: the cookie's, or a new one that the response sets.
    pub fn csrf(&self) -> Result<String, PageError> {
        if let Some(token) = self.notes.csrf() {
            return Ok(token);
        }
        let Some(token) = csrf::token(&self.app.settings, &self.headers) else { return self.replace_csrf() };
        self.notes.set_csrf(token);
        Ok(token.to_owned())
    }

    /// Replaces the CSRF token, as after login and logout.
    pub fn replace_csrf(&self) -> Result<String, PageError> {
        let token = csrf_token::generate()?;
        self.notes.set_cookies(cookies::csrf(&self.app.settings, &token));
        self.notes.set_csrf(&token);
        Ok(token)
    }

    /// The client's device, from its user agent and IP address.
    pub fn device(&self) -> Device {
        device::from_headers(&self.headers, self.client)
    }

    pub fn principal(&self, live: &LiveSession) -> Principal {
        Principal::user(live.view.user_id, Some(live.id), self.device())
    }

    /// The client, of which nothing is known.
    pub fn anonymous(&self) -> Principal {
        Principal::anonymous(self.device())
    }

    /// Whether the user proved recently enough who they are, for what protects the account (step-up).
    pub fn recently_proved(&self, live: &LiveSession) -> bool {
        live.view.is_recently_proved(self.app.clock.now())
    }

    /// The client that logs in: its device, its device tokens and the sessions that the login replaces.
    pub async fn client(&self) -> Result<ClientContext, PageError> {
        let replaces = session::presented_sessions(&self.app, &self.headers, &self.device()).await;
        let replaces = replaces?;
        let tokens = cookies::values(&self.headers, self.app.settings.name.device_cookie())
            .filter(|token| LinkToken::has_form_of(token))
            .take(MAX_DEVICE_TOKENS);
        Ok(ClientContext {
            device: self.device(),
            replaces,
            device_tokens: tokens.map(str::to_owned).collect(),
            locale: self.language.locale,
        })
    }

    /// The pending login that waits for this, with its token. Cookies of other paths and sibling domains may stand
    /// before its own.
    pub async fn pending_login(&self, outstanding: Outstanding) -> Result<Option<(&str, PendingUser)>, PageError> {
        let tokens = cookies::values(&self.headers, self.app.settings.name.pending_login_cookie());
        for token in tokens.filter(|token| LinkToken::has_form_of(token)).take(MAX_PENDING_LOGINS) {
            if let Some(user) = find_pending_login(&self.app, &self.anonymous(), token, outstanding).await? {
                return Ok(Some((token, user)));
            }
        }
        Ok(None)
    }

    /// Sets the cookie of a pending email verification.
    pub fn set_pending_verification(&self, token_id: AccountTokenId) {
        self.notes.set_cookies(pending_verification::set(&self.app, token_id));
    }

    /// Clears the cookie of a pending email verification.
    pub fn clear_pending_verification(&self) {
        if pending_verification::read(&self.app, &self.headers).is_some() {
            self.notes.set_cookies(pending_verification::clear(&self.app));
        }
    }

    /// Checks a stored `return_to` again: the allowed origins may have changed since it was accepted.
    pub fn recheck_return_to(&self, target: &str) -> Option<String> {
        return_to::accept(&self.app.settings, target).map(str::to_owned)
    }

    /// The `return_to` of the form or else of the query, if it is safe (docs/reference/browser.md 9).
    pub fn return_to(&self, typed: &Typed) -> Option<String> {
        let target = typed.return_to().or_else(|| self.query.get("return_to"))?;
        let accepted = self.recheck_return_to(target);
        if accepted.is_none() {
            return_to::log_refused(&self.app, target);
        }
        accepted
    }

    pub fn set_session_cookies(&self, opened: &OpenedSession) {
        self.set_access_cookie(&opened.access);
        self.notes.set_cookies(cookies::refresh(&self.app.settings, &opened.refresh));
        self.set_last_used(opened.way.clone(), opened.user_id);
    }

    /// The way and the accounts that this browser logged in with last.
    pub fn last_used(&self) -> LastUsed {
        LastUsed::read(&self.app, &self.headers)
    }

    /// Notes a login or confirmation for the next pages of login.
    pub fn set_last_used(&self, way: Option<LoginWay>, user: UserId) {
        self.notes.set_cookies(self.last_used().after(&self.app, way, user).cookie(&self.app));
    }

    /// Sets the access token cookie, replacing one that the response already sets.
    pub fn set_access_cookie(&self, token: &CookieToken) {
        self.notes.unset_cookie(self.app.settings.name.access_cookie());
        self.notes.set_cookies(cookies::access(&self.app.settings, token));
    }

    /// Sets the cookie of a pending login.
    pub fn set_pending_login(&self, pending: &PendingLogin) {
        self.notes.set_cookies(cookies::pending_login(&self.app.settings, pending.token.text()));
    }

    /// Clears the cookie of a pending login.
    pub fn clear_pending_login(&self) {
        self.notes.set_cookies(cookies::clear_pending_login(&self.app.settings));
    }

    /// Sets the cookie of a trusted device, which skips the second factor.
    pub fn set_device_cookie(&self, token: &LinkToken) {
        self.notes.set_cookies(cookies::trusted_device(&self.app.settings, token.text()));
    }

    pub(super) fn set_refreshed_cookies(&self, tokens: &Refreshed) {
        self.set_access_cookie(&tokens.access);
        self.notes.set_cookies(tokens.refresh.as_ref().and_then(|token| cookies::refresh(&self.app.settings, token)));
    }

    pub fn set_language(&self, locale: Locale) {
        self.notes.set_cookies(cookies::language(&self.app.settings, locale));
    }

    /// Whether the browser reports a cross-site request (fetch metadata).
    pub fn is_cross_site(&self) -> bool {
        self.headers.get("sec-fetch-site").is_some_and(|site| site == "cross-site")
    }

    /// Whether one of our pages leads here, or the person, as far as the browser says.
    pub fn is_from_own_page(&self) -> bool {
        self.headers.get_all("sec-fetch-site").into_iter().all(|site| site == "same-origin" || site == "none")
    }

    /// Sets the cookie with the secret of a browser that began a login with a provider.
    pub fn set_provider_login_secret(&self, secret: &LinkToken) {
        self.notes.set_cookies(provider_login_cookie::set(&self.app.settings, secret));
    }

    pub fn clear_session(&self) {
        self.notes.set_cookies(cookies::clear_session(&self.app.settings));
    }

    /// Redirects (303) to `target`, or to `SVC_DEFAULT_RETURN_TO`; where that would go on within the chain of a form, by a
    /// page ([`departure`]).
    pub fn redirect(&self, target: Option<&str>) -> Response {
        let server = &self.app.settings.server;
        let target = target.unwrap_or(&server.default_return_to);
        let Some(departs) = departure::needed(&server.base_url, server.return_targets(), self.chain, target) else {
            let location = return_to::encode_location(target);
            return (StatusCode::SEE_OTHER, [(LOCATION, location)]).into_response();
        };
        let mut layout = self.layout();
        // The page of a form cannot be asked for again.
        layout.return_path = "/auth/login";
        let host = match departs {
            Departure::Host(host) => host,
            Departure::Provider(name) => self.provider_host(name),
        };
        departure::page(layout, &host, target)
    }

    fn provider_host(&self, name: &str) -> String {
        let known = ProviderName::parse(name).ok();
        let row = known.and_then(|name| self.app.store.providers_in_memory()?.find(&name));
        row.map_or_else(|| name.to_owned(), |row| departure::host(&row.provider.issuer).to_owned())
    }
}

/// The answer to a form may redirect to fewer origins than that to a link.
fn chain(parts: &Parts) -> Chain {
    let route = parts.extensions.get::<MatchedPath>().map(MatchedPath::as_str);
    if route == Some("/auth/login/with/{name}/return") {
        Chain::Return
    } else if parts.method == Method::POST {
        Chain::Form
    } else {
        Chain::Link
    }
}
