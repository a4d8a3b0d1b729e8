//! A response of the service.

use super::cookies::SetCookie;
use reqwest::header::{HeaderMap, SET_COOKIE};
use serde_json::Value;

#[derive(Clone, Debug)]
pub struct Reply {
    /// Method and path of the request.
    pub request: String,
    pub status: u16,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

impl Reply {
    pub async fn read(request: String, response: reqwest::Response) -> Self {
        let status = response.status().as_u16();
        let headers = response.headers().clone();
        let body = response.bytes().await.expect("a whole body").to_vec();
        Self { request, status, headers, body }
    }

    /// Fails with the whole response unless it has this status; returns it.
    #[track_caller]
    pub fn expect(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{:#?}\n{}", self.headers, self.text());
        self
    }

    /// Fails unless this is the JSON error with this status and code (docs/reference/protocol.md 16).
    #[track_caller]
    pub fn expect_error(self, status: u16, code: &str) -> Self {
        let reply = self.expect(status);
        assert_eq!(reply.header("content-type"), Some("application/json"), "{}", reply.text());
        let body = reply.json();
        assert_eq!(body["error"]["code"], code, "{body}");
        assert!(body["error"]["message"].as_str().is_some_and(|message| !message.is_empty()), "{body}");
        reply
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    /// The value of the first hidden field of this name, if the page has one.
    pub fn find_hidden(&self, name: &str) -> Option<String> {
        let text = self.text();
        let (_, rest) = text.split_once(&format!("name=\"{name}\" value=\""))?;
        Some(rest.split_once('"')?.0.to_owned())
    }

    /// The value of the first hidden field of this name.
    #[track_caller]
    pub fn hidden(&self, name: &str) -> String {
        self.find_hidden(name).unwrap_or_else(|| panic!("no {name}: {self}"))
    }

    /// Where the page goes on to that a form's answer is, if it is such a page.
    pub fn departure(&self) -> Option<String> {
        let text = self.text();
        let (_, rest) = text.split_once("class=\"button primary\" href=\"")?;
        let (address, _) = rest.split_once('"')?;
        text.contains("http-equiv=\"refresh\"").then(|| address.replace("&amp;", "&").replace("&#38;", "&"))
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    #[track_caller]
    pub fn location(&self) -> &str {
        self.header("location").unwrap_or_else(|| panic!("no Location: {} {}", self.status, self.text()))
    }

    pub fn set_cookies(&self) -> impl Iterator<Item = SetCookie> {
        let values = self.headers.get_all(SET_COOKIE).into_iter();
        values.map(|value| SetCookie::parse(value.to_str().expect("cookies are ASCII")))
    }

    /// The cookie of this name that it sets; fails if it sets two.
    #[track_caller]
    pub fn cookie(&self, name: &str) -> Option<SetCookie> {
        let mut cookies = self.set_cookies().filter(|cookie| cookie.name == name);
        let cookie = cookies.next();
        assert!(cookies.next().is_none(), "{name} is set twice");
        cookie
    }
}
