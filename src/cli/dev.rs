//! `doorward dev …`

use super::dev_args::DevSessionOf;
use super::failure::Failure;
use super::output::Output;
use crate::context::App;
use crate::domain::dev_session;
use crate::model::ids::{SessionId, UserId};
use crate::model::principal::Principal;
use crate::model::time::Time;
use crate::settings::Settings;
use secrecy::ExposeSecret;
use serde::Serialize;

/// A cookie as a browser would have it after a login.
#[derive(Serialize)]
struct JarCookie<'a> {
    expires_at: Time,
    http_only: bool,
    name: &'a str,
    path: &'static str,
    value: &'a str,
}

/// The session, with its cookies as a header and one by one.
#[derive(Serialize)]
struct SessionCookies<'a> {
    cookie: &'a str,
    cookies: &'a [JarCookie<'a>],
    created: bool,
    email: &'a str,
    session_id: SessionId,
    user_id: UserId,
}

/// Opens a session, and prints its cookies: as the value of a `Cookie` header, or as a file of cookies.
pub(super) async fn session(app: &App, whose: &DevSessionOf, out: &mut Output<'_>) -> Result<(), Failure> {
    let session = dev_session::open(app, &Principal::operator(), &whose.email).await?;
    let made = session.cookies(&app.settings)?;
    let cookies = made.each_ref().map(|cookie| JarCookie {
        expires_at: app.clock.now() + cookie.max_age,
        http_only: cookie.http_only,
        name: cookie.name,
        path: "/",
        value: cookie.value.expose_secret(),
    });
    let header =
        cookies.iter().map(|cookie| format!("{}={}", cookie.name, cookie.value)).collect::<Vec<_>>().join("; ");
    let record = SessionCookies {
        cookie: &header,
        cookies: &cookies,
        created: session.is_new,
        email: &session.user.email,
        session_id: session.opened.session_id,
        user_id: session.user.id,
    };
    let jar = whose.jar.then(|| jar(&app.settings, &cookies));
    out.result(&record, jar.as_ref().unwrap_or(&header))
}

/// The file of cookies that curl, wget and others read: domain, whether for its subdomains, path, whether for https alone,
/// end, name, value.
fn jar(settings: &Settings, cookies: &[JarCookie<'_>]) -> String {
    let base_url = &settings.server.base_url;
    let is_true = |is: bool| if is { "TRUE" } else { "FALSE" };
    let (domain, subdomains) = match &settings.server.cookie_domain {
        Some(domain) => (format!(".{}", domain.trim_start_matches('.')), true),
        None => (base_url.host().trim_matches(['[', ']']).to_owned(), false),
    };
    let line = |cookie: &JarCookie<'_>| {
        let prefix = if cookie.http_only { "#HttpOnly_" } else { "" };
        let (subdomains, secure) = (is_true(subdomains), is_true(base_url.is_https()));
        let (end, name, value) = (cookie.expires_at.as_seconds(), cookie.name, cookie.value);
        format!("{prefix}{domain}\t{subdomains}\t/\t{secure}\t{end}\t{name}\t{value}")
    };
    let lines: Vec<String> = cookies.iter().map(line).collect();
    format!("# Netscape HTTP Cookie File\n{}", lines.join("\n"))
}
