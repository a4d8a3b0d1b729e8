//! A visit to a page: who comes, with which CSRF token, and which cookies the answer sets.

use crate::context::App;
use crate::crypto::csrf as csrf_token;
use crate::crypto::token_hash::LinkToken;
use crate::domain::login::complete::Arrival;
use crate::domain::login::pending::HalfLogIn;
use crate::domain::session::lifecycle::{CookieToken, Opened};
use crate::domain::session::refresh::Refreshed;
use crate::http::client::{self, Peer};
use crate::http::error::Fault;
use crate::http::form::Fields;
use crate::http::language::Language;
use crate::http::request_id::RequestId;
use crate::http::session::{self, Live};
use crate::http::views::Chrome;
use crate::http::{cookies, csrf, device, return_to, ticket};
use crate::messages::Locale;
use crate::model::audit::By;
use crate::model::device::Device;
use crate::model::ids::AccountTokenId;
use axum::extract::FromRequestParts;
use axum::http::header::{LOCATION, SET_COOKIE};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;

/// A browser sends one token of a device; a few more may come from other paths.
const MAX_DEVICE_TOKENS: usize = 4;

/// A visit to a page.
pub struct Visit {
    /// The process.
    pub app: Arc<App>,
    /// The request's id.
    pub id: RequestId,
    /// The request's headers.
    pub headers: HeaderMap,
    /// The fields of the query.
    pub query: Fields,
    /// The client's address.
    pub address: IpAddr,
    /// The reader's language.
    pub language: Language,
    cookies: Vec<HeaderValue>,
    csrf: Option<String>,
}

impl FromRequestParts<Arc<App>> for Visit {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Infallible> {
        let unknown = Peer(SocketAddr::from((Ipv4Addr::UNSPECIFIED, 0)));
        let peer = parts.extensions.get::<Peer>().copied().unwrap_or(unknown);
        Ok(Self {
            app: app.clone(),
            id: parts.extensions.get::<RequestId>().copied().unwrap_or_default(),
            query: crate::http::form::query(parts.uri.query()),
            address: client::address(&app.settings.server, &parts.headers, peer),
            language: parts.extensions.get().cloned().unwrap_or_default(),
            headers: parts.headers.clone(),
            cookies: Vec::new(),
            csrf: None,
        })
    }
}

impl Visit {
    /// The session behind the request; an expired access token is renewed from the refresh cookie on the way.
    pub async fn session(&mut self) -> Result<Option<Live>, Fault> {
        let found = session::from_access_token(&self.app, &self.headers).await;
        if let Some(live) = found.map_err(|error| Fault::new(error, self.id))? {
            return Ok(Some(live));
        }
        let renewed = session::renew(&self.app, &self.headers, self.device())
            .await
            .map_err(|error| Fault::new(error, self.id))?;
        Ok(renewed.map(|renewed| {
            self.set_refreshed(&renewed.tokens);
            renewed.live
        }))
    }

    /// What is around the page, for someone who is not logged in, or for whoever it may be.
    pub fn chrome(&self) -> Chrome<'_> {
        Chrome::new(&self.app, &self.language)
    }

    /// What is around the page for someone who is logged in; `csrf` is for the log-out button.
    pub fn chrome_of<'a>(&'a self, live: &'a Live, csrf: &'a str) -> Chrome<'a> {
        self.chrome().viewed_by(&live.view.username, csrf)
    }

    /// The CSRF token for the page's forms: the cookie's, or a fresh one that the answer sets.
    pub fn csrf(&mut self) -> Result<String, Fault> {
        if let Some(token) = &self.csrf {
            return Ok(token.clone());
        }
        match csrf::token(&self.app.settings, &self.headers) {
            Some(token) => Ok(self.csrf.insert(token.to_owned()).clone()),
            None => self.replace_csrf(),
        }
    }

    /// A fresh CSRF token, as at log-in and logout.
    pub fn replace_csrf(&mut self) -> Result<String, Fault> {
        let token = csrf_token::generate().map_err(|error| Fault::new(error, self.id))?;
        self.cookies.extend(cookies::csrf(&self.app.settings, &token));
        Ok(self.csrf.insert(token).clone())
    }

    /// Whether a form was meant by the user.
    pub fn is_meant(&self, form: &Fields) -> bool {
        csrf::meant(&self.app.settings, &self.headers, form.csrf()).is_some()
    }

    /// The device that the visitor uses.
    pub fn device(&self) -> Device {
        device::of(&self.headers, self.address)
    }

    /// The visitor who is logged in, for the audit log.
    pub fn by(&self, live: &Live) -> By {
        By::user(live.view.user_id, Some(live.id), self.device())
    }

    /// Whether the user proved who they are so lately that what protects the account may be changed.
    pub fn recently_authenticated(&self, live: &Live) -> bool {
        live.view.is_recently_authenticated(self.app.clock.now())
    }

    /// The browser, for a log-in.
    pub async fn arrival(&self) -> Result<Arrival, Fault> {
        let replaces = session::presented_sessions(&self.app, &self.headers).await;
        let replaces = replaces.map_err(|error| Fault::new(error, self.id))?;
        let tokens = cookies::values(&self.headers, self.app.settings.name.device_cookie()).take(MAX_DEVICE_TOKENS);
        Ok(Arrival { device: self.device(), replaces, device_tokens: tokens.map(str::to_owned).collect() })
    }

    /// The token of a log-in whose second factor is still to come.
    pub fn half_log_in_token(&self) -> Option<&str> {
        cookies::values(&self.headers, self.app.settings.name.log_in_cookie()).find(|token| !token.is_empty())
    }

    /// Has the browser wait for the proof of an address.
    pub fn set_ticket(&mut self, waits_for: AccountTokenId) {
        self.cookies.extend(ticket::set(&self.app, waits_for));
    }

    /// Has the browser wait no longer.
    pub fn forget_ticket(&mut self) {
        if ticket::read(&self.app, &self.headers).is_some() {
            self.cookies.extend(ticket::clear(&self.app));
        }
    }

    /// A target that was kept since it was accepted, if the settings still accept it.
    pub fn still_accepted(&self, target: &str) -> Option<String> {
        return_to::accept(&self.app.settings, target).map(str::to_owned)
    }

    /// Where the flow is to end, if the form or the query says so and it is permitted; the form wins.
    pub fn return_to(&self, form: &Fields) -> Option<String> {
        let target = form.get("return_to").or_else(|| self.query.get("return_to"))?;
        return_to::accept(&self.app.settings, target).map(str::to_owned)
    }

    /// Has the answer set the cookies of a new session.
    pub fn set_opened(&mut self, opened: &Opened) {
        self.set_access(&opened.access);
        self.cookies.extend(cookies::refresh(&self.app.settings, &opened.refresh));
    }

    /// Has the answer set an access token, in place of one that it may set already.
    pub fn set_access(&mut self, token: &CookieToken) {
        let name = format!("{}=", self.app.settings.name.access_cookie());
        self.cookies.retain(|cookie| !cookie.as_bytes().starts_with(name.as_bytes()));
        self.cookies.extend(cookies::access(&self.app.settings, token));
    }

    /// Has the browser finish a log-in with the second factor.
    pub fn set_half_log_in(&mut self, half: &HalfLogIn) {
        self.cookies.extend(cookies::log_in(&self.app.settings, half.token.text()));
    }

    /// Has the browser forget a log-in whose second factor is still to come.
    pub fn forget_half_log_in(&mut self) {
        self.cookies.extend(cookies::clear_log_in(&self.app.settings));
    }

    /// Has the browser show that it is a device that is not asked for the second factor.
    pub fn set_device(&mut self, token: &LinkToken) {
        self.cookies.extend(cookies::device(&self.app.settings, token.text()));
    }

    fn set_refreshed(&mut self, tokens: &Refreshed) {
        self.set_access(&tokens.access);
        self.cookies.extend(tokens.refresh.as_ref().and_then(|token| cookies::refresh(&self.app.settings, token)));
    }

    /// Has the browser keep the choice of a language.
    pub fn set_language(&mut self, locale: Locale) {
        self.cookies.extend(cookies::language(&self.app.settings, locale));
    }

    /// Whether the browser says that another site led here.
    pub fn is_from_another_site(&self) -> bool {
        self.headers.get("sec-fetch-site").is_some_and(|site| site == "cross-site")
    }

    /// Has the browser forget the session.
    pub fn forget_session(&mut self) {
        self.cookies.extend(cookies::clear_session(&self.app.settings));
    }

    /// The answer with the visit's cookies.
    pub fn answer(self, mut response: Response) -> Response {
        for cookie in self.cookies {
            response.headers_mut().append(SET_COOKIE, cookie);
        }
        response
    }

    /// The end of a flow: 303 to `target`, or where the settings say.
    pub fn redirect(self, target: Option<&str>) -> Response {
        let location = return_to::location(target.unwrap_or(&self.app.settings.server.default_return_to));
        let response = (StatusCode::SEE_OTHER, [(LOCATION, location)]).into_response();
        self.answer(response)
    }
}
