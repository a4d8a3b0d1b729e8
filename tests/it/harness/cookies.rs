//! Cookies as a browser stores them and as the service sets them.

use std::collections::BTreeMap;

/// A parsed `Set-Cookie` header (RFC 6265, 4.1).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetCookie {
    pub name: String,
    pub value: String,
    /// Its attributes by lower-case name; a missing value is empty.
    attributes: BTreeMap<String, String>,
}

impl SetCookie {
    pub fn parse(header: &str) -> Self {
        let mut parts = header.split(';').map(|part| part.trim().split_once('=').unwrap_or((part.trim(), "")));
        let (name, value) = parts.next().expect("a cookie has a name");
        let attributes = parts.map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned())).collect();
        Self { name: name.to_owned(), value: value.to_owned(), attributes }
    }

    /// The value of an attribute by its lower-case name.
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.get(name).map(String::as_str)
    }

    /// `Max-Age`, in seconds.
    pub fn max_age(&self) -> Option<i64> {
        self.attribute("max-age")?.parse().ok()
    }

    pub fn is_removal(&self) -> bool {
        self.max_age().is_some_and(|seconds| seconds <= 0)
    }
}

/// The cookies of one browser.
#[derive(Clone, Debug, Default)]
pub struct Jar {
    /// By name: value and path.
    cookies: BTreeMap<String, (String, String)>,
}

impl Jar {
    pub fn apply(&mut self, cookie: &SetCookie) {
        if cookie.is_removal() {
            self.cookies.remove(&cookie.name);
        } else {
            let path = cookie.attribute("path").unwrap_or("/").to_owned();
            self.cookies.insert(cookie.name.clone(), (cookie.value.clone(), path));
        }
    }

    pub fn get(&self, name: &str) -> Option<&str> {
        self.cookies.get(name).map(|(value, _)| value.as_str())
    }

    pub fn set(&mut self, name: &str, value: &str) {
        self.cookies.insert(name.to_owned(), (value.to_owned(), "/".to_owned()));
    }

    pub fn remove(&mut self, name: &str) {
        self.cookies.remove(name);
    }

    /// The `Cookie` header of a request of an application; `None` without cookies.
    pub fn header(&self) -> Option<String> {
        self.header_at("/")
    }

    /// That of a request with this path.
    pub fn header_at(&self, path: &str) -> Option<String> {
        let sent = self.cookies.iter().filter(|(_, (_, below))| path.starts_with(below.as_str()));
        let pairs: Vec<String> = sent.map(|(name, (value, _))| format!("{name}={value}")).collect();
        (!pairs.is_empty()).then(|| pairs.join("; "))
    }
}
