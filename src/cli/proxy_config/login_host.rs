//! `--login-host`: a proxy's file for two hosts, put together of the parts of the one for one.

/// How the file for one host becomes that for two.
pub(super) enum TwoHosts {
    /// The block of the host is in three parts, which begin with these texts: its head, which stands in both then, the
    /// login and the application. `end` is what follows the login; then come the places of [`Self::Replaced`].
    Split { parts: [&'static str; 3], end: &'static str, replaced: Places },
    /// The hosts are in a few places.
    Replaced(Places),
}

/// What stands in a file once, and what replaces it.
pub(super) type Places = &'static [(&'static str, &'static str)];

/// What differs in the head of the login's host.
const OF_LOGIN: [(&str, &str); 3] =
    [("app.example.org", "auth.example.org"), ("APP_ORIGIN", "LOGIN_ORIGIN"), ("name: app", "name: login")];

impl TwoHosts {
    /// The file in which `auth.example.org` is the login's host and `app.example.org` that of the application.
    pub(super) fn of(&self, file: &str) -> String {
        match self {
            Self::Split { parts: begins, end, replaced: places } => {
                let [before, head, login, application] = parts(file, *begins);
                let of_login = with(head, &OF_LOGIN);
                with(&[before, &of_login, login, end, head, application].concat(), places)
            }
            Self::Replaced(places) => with(file, places),
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

fn with(text: &str, places: &[(&str, &str)]) -> String {
    places.iter().fold(text.to_owned(), |text, (from, to)| text.replace(from, to))
}
