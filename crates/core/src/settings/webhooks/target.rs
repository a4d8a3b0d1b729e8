//! The receiver of webhooks and the signing secrets.

use super::{WEBHOOK_SECRET, WEBHOOK_SECRET_PREVIOUS, WEBHOOK_URL, WebhookSecret};
use crate::settings::origin::host_and_port;
use crate::settings::problem::InvalidValue;
use crate::settings::reader::{Read, Reader, Reported};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hyper::Uri;
use percent_encoding::percent_decode_str;
use secrecy::SecretString;

pub(super) struct Target {
    pub(super) url: Uri,
    pub(super) authorization: Option<SecretString>,
    pub(super) secret: WebhookSecret,
    pub(super) secret_previous: Option<WebhookSecret>,
}

/// Reads the target; `None` if webhooks are not configured.
pub(super) fn read(reader: &mut Reader<'_>) -> Read<Option<Target>> {
    let url = reader.optional(&WEBHOOK_URL, receiver);
    let secret = reader.optional(&WEBHOOK_SECRET, secret);
    let secret_previous = reader.optional(&WEBHOOK_SECRET_PREVIOUS, self::secret);
    both_or_none(reader)?;
    let (Some((url, authorization)), Some(secret), secret_previous) = (url?, secret?, secret_previous?) else {
        return Ok(None);
    };
    Ok(Some(Target { url, authorization, secret, secret_previous }))
}

fn both_or_none(reader: &mut Reader<'_>) -> Read<()> {
    let (missing, given) = match (reader.is_given(&WEBHOOK_URL), reader.is_given(&WEBHOOK_SECRET)) {
        (true, false) => (&WEBHOOK_SECRET, &WEBHOOK_URL),
        (false, true) => (&WEBHOOK_URL, &WEBHOOK_SECRET),
        _ => return Ok(()),
    };
    let given = reader.variable(given);
    reader.report(missing, format!("is not set, but {given} is. Allowed: both, or none of the two for no webhooks"));
    Err(Reported)
}

/// Splits a URL into the receiver without username and password, and the `Authorization` header made of them.
fn receiver(text: &str) -> Result<(Uri, Option<SecretString>), InvalidValue> {
    let refusal = || InvalidValue::from("a URL with http:// or https:// and a host (international names as xn--…)");
    let (scheme, rest) = text.split_once("://").ok_or_else(refusal)?;
    let scheme = scheme.to_ascii_lowercase();
    if scheme != "http" && scheme != "https" {
        return Err(refusal());
    }
    let (authority, path) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    let (credentials, host) = match authority.rsplit_once('@') {
        Some((credentials, host)) => (Some(credentials), host),
        None => (None, authority),
    };
    let authorization = credentials.map(basic_authorization).transpose()?;
    host_and_port(&host.to_ascii_lowercase()).ok_or_else(refusal)?;
    let uri = format!("{scheme}://{host}{path}").parse().map_err(|_| refusal())?;
    Ok((uri, authorization))
}

/// Returns the `Basic` credentials of a URL's username and password (RFC 7617, 2): neither may contain control
/// characters, nor the username a colon.
fn basic_authorization(credentials: &str) -> Result<SecretString, InvalidValue> {
    let refusal = || {
        InvalidValue::from(
            "username and password without control characters, the username without a colon; in the URL, special \
             characters are percent-encoded",
        )
    };
    let (user, password) = credentials.split_once(':').unwrap_or((credentials, ""));
    let decode = |text| percent_decode_str(text).decode_utf8().map_err(|_| refusal());
    let (user, password) = (decode(user)?, decode(password)?);
    if user.contains(':') || user.contains(char::is_control) || password.contains(char::is_control) {
        return Err(refusal());
    }
    Ok(format!("Basic {}", STANDARD.encode(format!("{user}:{password}"))).into())
}

fn secret(text: &str) -> Result<WebhookSecret, InvalidValue> {
    WebhookSecret::parse(text).map_err(|error| error.to_string().into())
}
