//! A client of the service: a browser without JavaScript, or a backend that forwards a browser's cookies.

use super::cookies::Jar;
use super::reply::Reply;
use reqwest::Method;
use reqwest::header::{COOKIE, HeaderValue};
use std::future::{Future, IntoFuture};
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

/// The password for tests in which it does not matter.
pub const PASSWORD: &str = "a lighthouse in the fog";

/// A client with its cookies. Clones are tabs of one browser: they share the cookies; [`Client::copy`] does not.
#[derive(Clone, Debug)]
pub struct Client {
    address: String,
    service: String,
    http: reqwest::Client,
    jar: Arc<Mutex<Jar>>,
}

fn http(from: Option<IpAddr>, user_agent: &str) -> reqwest::Client {
    let builder = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none());
    let builder = if user_agent.is_empty() { builder } else { builder.user_agent(user_agent) };
    builder.timeout(Duration::from_mins(1)).local_address(from).build().unwrap()
}

impl Client {
    /// A client without cookies. `address` is scheme, host and port; `service` is the service name.
    pub fn new(address: &str, service: &str) -> Self {
        Self { address: address.to_owned(), service: service.to_owned(), http: http(None, ""), jar: Arc::default() }
    }

    /// Another client with a copy of the current cookies: a thief, or a backend.
    pub fn copy(&self) -> Self {
        let jar = Arc::new(Mutex::new(self.jar().clone()));
        Self { jar, ..self.clone() }
    }

    /// The same browser, talking to another process of the service.
    pub fn at(&self, address: &str) -> Self {
        Self { address: address.to_owned(), ..self.clone() }
    }

    /// The same browser, at another address of this machine.
    pub fn coming_from(&self, address: IpAddr) -> Self {
        Self { http: http(Some(address), ""), ..self.clone() }
    }

    /// The same browser, which says what it is.
    pub fn naming_itself(&self, user_agent: &str) -> Self {
        Self { http: http(None, user_agent), ..self.clone() }
    }

    pub fn jar(&self) -> MutexGuard<'_, Jar> {
        self.jar.lock().unwrap()
    }

    /// The value of `<service>_<suffix>`: `access`, `refresh` or `csrf`.
    pub fn token(&self, suffix: &str) -> Option<String> {
        self.jar().get(&self.cookie_name(suffix)).map(str::to_owned)
    }

    /// Sets the cookie `<service>_<suffix>`.
    pub fn set_token(&self, suffix: &str, value: &str) {
        self.jar().set(&self.cookie_name(suffix), value);
    }

    /// The name `<service>_<suffix>`.
    pub fn cookie_name(&self, suffix: &str) -> String {
        format!("{}_{suffix}", self.service)
    }

    pub fn get(&self, path: &str) -> Call {
        self.call(Method::GET, path)
    }

    pub fn call(&self, method: Method, path: &str) -> Call {
        let url = format!("{}{path}", self.address);
        let mut request = reqwest::Request::new(method, url.parse().unwrap());
        if let Some(cookies) = self.jar().header_at(path) {
            request.headers_mut().insert(COOKIE, cookies.parse().unwrap());
        }
        Call { client: self.clone(), request }
    }

    /// Submits a form as a browser does: loads the page first if there is no CSRF cookie yet, then sends the fields
    /// with its token.
    pub async fn post_form(&self, path: &str, fields: &[(&str, &str)]) -> Reply {
        if self.token("csrf").is_none() {
            self.get(path).await;
        }
        let token = self.token("csrf").unwrap_or_default();
        self.form(path, &[fields, &[("csrf_token", &token)]].concat()).await
    }

    /// Submits a form with exactly these fields.
    pub fn form(&self, path: &str, fields: &[(&str, &str)]) -> Call {
        let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        self.call(Method::POST, path).header("content-type", "application/x-www-form-urlencoded").body(body)
    }

    /// Signs up with [`PASSWORD`].
    pub async fn sign_up(&self, email: &str) -> Reply {
        self.post_form("/auth/signup", &[("email", email), ("password", PASSWORD)]).await
    }

    pub async fn log_in(&self, email: &str, password: &str) -> Reply {
        self.post_form("/auth/login", &[("email", email), ("password", password)]).await
    }

    /// Logs out, as the account page's button does.
    pub async fn log_out(&self) -> Reply {
        self.post_form("/auth/sessions/logout", &[]).await
    }

    /// Asks the API for the current user.
    pub fn api_user(&self) -> Call {
        self.get("/auth/api/v1/user")
    }

    /// Refreshes the session, with the CSRF header (docs/reference/api-v1.md 7).
    pub fn refresh(&self, audience: &str) -> Call {
        let token = self.token("csrf").unwrap_or_default();
        self.refresh_call(&format!("?audience={audience}")).header("x-csrf-token", &token)
    }

    /// Refreshes with the given query and without the CSRF header.
    pub fn refresh_call(&self, query: &str) -> Call {
        self.call(Method::POST, &format!("/auth/api/v1/sessions/refresh{query}"))
    }
}

/// A request that is sent when awaited; the response's cookies go into the client's jar.
#[derive(Debug)]
pub struct Call {
    client: Client,
    request: reqwest::Request,
}

impl Call {
    /// Sets a header, replacing its previous value.
    pub fn header(mut self, name: &'static str, value: &str) -> Self {
        self.request.headers_mut().insert(name, HeaderValue::from_bytes(value.as_bytes()).unwrap());
        self
    }

    /// Adds a header and keeps others of the same name.
    pub fn also_header(mut self, name: &'static str, value: &str) -> Self {
        self.request.headers_mut().append(name, HeaderValue::from_bytes(value.as_bytes()).unwrap());
        self
    }

    pub fn body(mut self, body: impl Into<reqwest::Body>) -> Self {
        *self.request.body_mut() = Some(body.into());
        self
    }

    pub fn form_body(self, body: impl Into<reqwest::Body>) -> Self {
        self.header("content-type", "application/x-www-form-urlencoded").body(body)
    }

    /// Sends it; fails if the connection breaks before a response arrives.
    pub async fn try_send(self) -> Result<Reply, reqwest::Error> {
        let url = self.request.url();
        let query = url.query().map(|query| format!("?{query}")).unwrap_or_default();
        let request = format!("{} {}{query}", self.request.method(), url.path());
        let reply = Reply::read(request, self.client.http.execute(self.request).await?).await;
        for cookie in reply.set_cookies() {
            self.client.jar().apply(&cookie);
        }
        Ok(reply)
    }
}

impl IntoFuture for Call {
    type Output = Reply;
    type IntoFuture = Pin<Box<dyn Future<Output = Reply> + Send>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async { self.try_send().await.expect("an answer") })
    }
}
