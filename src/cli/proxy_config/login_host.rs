//! `--login-host`: a proxy's file for two hosts, put together of the parts of the one for one.

/// How the file for one host becomes that for two.
pub(super) enum TwoHosts {
    /// The block of the host is in three parts, which begin with these texts: its head, which stands in both then, the
    /// login and the application. `end` is what follows the login.
    Split { head: &'static str, login: &'static str, application: &'static str, end: &'static str },
    /// The hosts are in a few places: what stands there, and what replaces it.
    Replaced(&'static [(&'static str, &'static str)]),
}

/// What differs in the head of the login's host.
const OF_LOGIN: [(&str, &str); 3] =
    [("app.example.org", "auth.example.org"), ("APP_ORIGIN", "LOGIN_ORIGIN"), ("name: app", "name: login")];

impl TwoHosts {
    /// The file in which `auth.example.org` is the login's host and `app.example.org` that of the application.
    pub(super) fn of(&self, file: &str) -> String {
        match self {
            Self::Split { head, login, application, end } => {
                let [before, head, login, application] = parts(file, [head, login, application]);
                [before, &replaced(head, &OF_LOGIN), login, end, head, application].concat()
            }
            Self::Replaced(places) => replaced(file, places),
        }
    }
}

/// The text before the first of these, and the parts that begin with each of them, in their order.
fn parts<'a>(mut rest: &'a str, begins: [&str; 3]) -> [&'a str; 4] {
    let [first, second, third] = begins.map(|begin| {
        let (part, next) = rest.split_at(rest.find(begin).unwrap_or(rest.len()));
        rest = next;
        part
    });
    [first, second, third, rest]
}

fn replaced(text: &str, places: &[(&str, &str)]) -> String {
    places.iter().fold(text.to_owned(), |text, (from, to)| text.replace(from, to))
}
