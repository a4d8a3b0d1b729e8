//! What proxies do to requests and answers besides passing them on: cookies that change, answers from a cache, and
//! requests that are as large as a login's.

use super::address::{Arrived, Call};
use super::call;
use crate::http::TOKEN_BYTES;
use crate::model::finding::FindingCode;
use crate::outbound::ServerAnswer;
use hyper::StatusCode;
use hyper::header::{COOKIE, SET_COOKIE};

/// The size of the tokens in the other cookies.
const SECRET_BYTES: usize = 43;

impl Call<'_> {
    /// Cookies in both directions; returns whether they arrive.
    pub(super) fn cookies(&mut self, seen: &Arrived, answer: &ServerAnswer) -> bool {
        const CHECK: &str = "cookies";
        let Some(message) = self.lost(seen).or_else(|| changed(seen, answer)) else {
            self.report.ok(CHECK, "pass unchanged in both directions");
            return true;
        };
        self.found(CHECK, FindingCode::CookiesLost, message);
        false
    }

    /// Which cookies of a request did not arrive.
    fn lost(&self, seen: &Arrived) -> Option<String> {
        let names = self.cookie_names();
        let lost: Vec<&str> = names.into_iter().filter(|sent| !seen.cookies.iter().any(|seen| seen == sent)).collect();
        (!lost.is_empty())
            .then(|| format!("the proxy removes cookies from requests: make it forward {}", lost.join(", ")))
    }

    /// The same again, with other cookies, must have another answer.
    pub(super) async fn cache(&mut self, path: &str, first: &Arrived) {
        const CHECK: &str = "cache";
        let Some(answer) = self.get(path, &[]).await else { return };
        let Some(second) = Arrived::read(&answer) else { return self.elsewhere(&answer) };
        if second.answer != first.answer {
            return self.report.ok(CHECK, "not cached");
        }
        let message = "the second of two requests with different cookies got the response to the first, although it \
            says no-store: make the proxy cache nothing under /auth; people would get each other's sessions";
        self.found(CHECK, FindingCode::AnswersCached, message.to_owned());
    }

    /// A form with cookies as large as a person's, whose answer sets such ones.
    pub(super) async fn login(&mut self, path: &str, cookies_arrive: bool) {
        const CHECK: &str = "login";
        let Some(uri) = self.uri(path) else { return };
        let [access, refresh, csrf] = self.cookie_names();
        let (token, secret) = ("x".repeat(TOKEN_BYTES), "x".repeat(SECRET_BYTES));
        let cookies = format!("{access}={token}; {refresh}={secret}; {csrf}={secret}");
        let headers = [(COOKIE.as_str(), cookies.as_str())];
        let Some(posted) = self.report.in_time(CHECK, call::post(&uri, &headers)).await else { return };
        let why = match &posted {
            Ok(answer) => match Arrived::read(answer) {
                Some(seen) if cookies_arrive => self.lost(&seen).or_else(|| changed(&seen, answer)),
                Some(_) => None,
                None => Some(refused(answer.status)),
            },
            Err(error) => Some(format!("it ends with: {error}")),
        };
        let Some(why) = why else { return self.report.ok(CHECK, "a form the size of a login arrives") };
        let message = format!("a form the size of a login does not arrive: {why}");
        self.found(CHECK, FindingCode::LoginsRefused, message);
    }
}

/// What the statuses mean by which proxies refuse.
fn refused(status: StatusCode) -> String {
    let remedy = match status.as_u16() {
        400 | 413 | 414 | 431 | 494 => "give the proxy larger buffers for request headers, such as 8 kB",
        500 | 502 => "give the proxy a larger buffer for response headers, such as 8 kB",
        _ => "make the proxy forward POST under /auth",
    };
    format!("the response is {status}; {remedy}")
}

/// Which `Set-Cookie` did not arrive as it was sent.
fn changed(seen: &Arrived, answer: &ServerAnswer) -> Option<String> {
    let arrived = || answer.headers.get_all(SET_COOKIE).iter().filter_map(|value| value.to_str().ok());
    let sent = seen.set_cookies.iter().find(|sent| !arrived().any(|arrived| arrived == *sent))?;
    let (name, attributes) = parts(sent);
    let changed = arrived().map(parts).find(|(arrived, _)| *arrived == name);
    Some(match changed {
        Some((_, changed)) if changed != attributes => format!(
            "the proxy changes Set-Cookie: \"{attributes}\" arrives as \"{changed}\"; make it forward the header unchanged"
        ),
        Some(_) => "the proxy changes the value of Set-Cookie: make it forward the header unchanged".to_owned(),
        None => "the proxy removes Set-Cookie from responses, or renames cookies: make it forward the header unchanged"
            .to_owned(),
    })
}

/// The name and the attributes of a cookie.
fn parts(line: &str) -> (&str, &str) {
    let (pair, attributes) = line.split_once("; ").unwrap_or((line, ""));
    (pair.split('=').next().unwrap_or_default(), attributes)
}
