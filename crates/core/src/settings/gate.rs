//! The gate for applications behind a reverse proxy.

use super::problem::InvalidValue;
use super::reader::{Read, Reader};
use super::spec::{Derived, Values, section};
use super::{AccountSettings, EmailVerification, ServiceName, Signup, duration, parse, sessions};
use crate::model::finding::{Finding, FindingCode};
use crate::model::gate_value::GateValue;
use hyper::header::HeaderName;
use std::time::Duration;

#[derive(Debug)]
pub struct GateSettings {
    /// Headers that are sent besides the service's own.
    pub headers: Vec<(HeaderName, GateValue)>,
    /// The age of a refresh token from which on a navigation renews it.
    pub renew_after: Duration,
}

/// The age without a setting, if half of a refresh token's life is not less.
const RENEW_AFTER_DEFAULT: Duration = Duration::from_hours(1);

section! { "Gate";
    GATE_HEADERS: "list of Header=value", Unset("only the X-Svc- headers"), Public,
        "Headers that the gate sends besides its own, such as Remote-User=id. Values: id, email, username, name, \
        roles, email_verified, organization_id, organization_role, session_id, assertion.";
    GATE_RENEW_AFTER: "duration",
        Derived("1h, or half of SVC_REFRESH_TTL if that is less", default_renew_after), Public,
        "Age of a refresh token after which the gate redirects a navigation to renew it; at most half of \
        SVC_REFRESH_TTL.";
}

fn default_renew_after(values: &Values<'_>) -> Option<Derived> {
    let half = sessions::refresh_ttl(values)? / 2;
    let from = (half < RENEW_AFTER_DEFAULT).then_some(&sessions::REFRESH_TTL);
    Some(Derived { value: duration::format(RENEW_AFTER_DEFAULT.min(half)), from })
}

pub(super) fn read(reader: &mut Reader<'_>) -> Read<GateSettings> {
    let own = format!("x-{}-", reader.values.name.as_str());
    let headers = reader.optional(&GATE_HEADERS, |text| headers(text, &own));
    let refresh_ttl = sessions::refresh_ttl(&reader.values);
    let renew_after = reader.required(&GATE_RENEW_AFTER, |text| renew_after(text, refresh_ttl));
    Ok(GateSettings { headers: headers?.unwrap_or_default(), renew_after: renew_after? })
}

/// Warns of headers by which an application may take a stranger for one of its accounts.
pub(super) fn warnings(name: &ServiceName, gate: &GateSettings, accounts: &AccountSettings) -> Vec<Finding> {
    let [variable, signup, verification] =
        ["GATE_HEADERS", "SIGNUP", "EMAIL_VERIFICATION"].map(|suffix| name.variable(suffix));
    let sent = |value: GateValue| {
        let headers = gate.headers.iter().filter(move |(_, sent)| *sent == value);
        headers.map(move |(header, _)| format!("{header}={}", value.as_str()))
    };
    // As `Remote-Name`, a name is only shown; several people may have the same.
    let names = sent(GateValue::Name).filter(|sent| ["user", "login", "email"].iter().any(|word| sent.contains(word)));
    let [usernames, emails] = [sent(GateValue::Username).chain(names).collect(), sent(GateValue::Email).collect()]
        .map(|sent: Vec<_>| sent.join(","));
    let is_open = accounts.signup == Signup::Open && !emails.is_empty();
    let is_unverified = accounts.email_verification != EmailVerification::Required && !emails.is_empty();
    // With closed signup too: people rename themselves.
    let renamed = (!usernames.is_empty()).then(|| {
        format!(
            "{variable}: everyone chooses what {usernames} says, and may be taken for an account that an application \
             has under that name: send the id"
        )
    });
    let of_strangers = is_open.then(|| {
        format!(
            "{variable}: with {signup}=open everyone chooses what {emails} says, and may be taken for an account \
             that an application has under that address: send the id, or close signup"
        )
    });
    let unverified = is_unverified.then(|| {
        format!(
            "{variable}: {emails} may be an address that was never verified: give the gate the rule verified, or set \
             {verification}=required"
        )
    });
    let messages = [renamed, of_strangers, unverified].into_iter().flatten();
    messages.map(|message| Finding::new(FindingCode::NamesOfStrangers, message)).collect()
}

fn renew_after(text: &str, refresh_ttl: Option<Duration>) -> Result<Duration, InvalidValue> {
    let age = duration::parse(text).map_err(|error| InvalidValue::from(error.to_string()))?;
    if refresh_ttl.is_some_and(|ttl| age > ttl / 2) {
        return Err("a duration of at most half of the refresh token's lifetime".into());
    }
    Ok(age)
}

fn headers(text: &str, own: &str) -> Result<Vec<(HeaderName, GateValue)>, InvalidValue> {
    let list = parse::list(text, |item| header(item, own))?;
    let names: Vec<_> = list.iter().map(|(name, _)| name).collect();
    if parse::has_duplicates(&names) {
        return Err("different headers".into());
    }
    Ok(list)
}

fn header(item: &str, own: &str) -> Result<(HeaderName, GateValue), InvalidValue> {
    let refusal = || {
        InvalidValue::from(
            "a comma-separated list such as Remote-User=id; no header of the connection, and none that says what a \
             request is or who sent it: Host, Cookie, Set-Cookie, Authorization, Content-…, X-Forwarded-…"
                .to_owned(),
        )
    };
    let (name, value) = item.split_once('=').ok_or_else(refusal)?;
    let value = GateValue::parse(value.trim()).ok_or_else(refusal)?;
    let name = name.trim().to_ascii_lowercase();
    // An underscore is dropped by some servers, and taken for a hyphen by others.
    let is_plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    if !is_plain || REFUSED.contains(&name.as_str()) || REFUSED_BEGINNINGS.iter().any(|start| name.starts_with(start)) {
        return Err(refusal());
    }
    if name.starts_with(own) {
        return Err(refusal());
    }
    Ok((HeaderName::from_bytes(name.as_bytes()).map_err(|_| refusal())?, value))
}

/// Headers of one connection (RFC 9110, 7.6.1), and those that say what a request or an answer is.
const REFUSED: [&str; 17] = [
    "authorization",
    "cache-control",
    "connection",
    "cookie",
    "forwarded",
    "host",
    "keep-alive",
    "location",
    "proxy-authenticate",
    "proxy-authorization",
    "proxy-connection",
    "set-cookie",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "www-authenticate",
];
const REFUSED_BEGINNINGS: [&str; 3] = ["content-", "x-forwarded-", "x-original-"];

#[cfg(test)]
#[path = "gate_tests.rs"]
mod tests;
