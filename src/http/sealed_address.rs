//! An email address for the page behind a redirect, which shows it or fills it in. It is sealed, so that neither logs nor
//! referrers have it, and no other site can choose it.

use crate::context::App;
use crate::crypto::seal::SealContext;
use crate::http::form::Query;
use crate::model::time::Time;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use std::time::Duration;

const PARAMETER: &str = "about";
/// A page that is opened later, as from the history, knows no address.
const TTL: Duration = Duration::from_mins(10);
const SEAL_CONTEXT: SealContext<'static> = SealContext { table: "query", row: b"", column: "about" };

/// Adds a sealed address to a path with a query; the path alone if it cannot be sealed.
pub fn append(app: &App, path: &str, email: &str) -> String {
    let expires_at = (app.clock.now() + TTL).as_micros().to_be_bytes();
    let plain = [expires_at.as_slice(), email.as_bytes()].concat();
    match app.secret_keys.seal(&SEAL_CONTEXT, &plain) {
        Ok(sealed) => format!("{path}&{PARAMETER}={}", URL_SAFE_NO_PAD.encode(sealed)),
        Err(_) => path.to_owned(),
    }
}

/// The address in a query, until it has expired.
pub fn read(app: &App, query: &Query) -> Option<String> {
    let sealed = URL_SAFE_NO_PAD.decode(query.get(PARAMETER)?).ok()?;
    let plain = app.secret_keys.open(&SEAL_CONTEXT, &sealed).ok()?;
    let (expires_at, email) = plain.split_first_chunk()?;
    let expires_at = Time::from_micros(i64::from_be_bytes(*expires_at));
    (app.clock.now() < expires_at).then(|| String::from_utf8(email.to_vec()).ok())?
}
