//! The headers about a user: one table, of which every header is always sent.

use super::assertion::Assertions;
use crate::context::App;
use crate::error::Error;
use crate::http::session::LiveSession;
use crate::model::gate_value::GateValue;
use crate::settings::Settings;
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use std::fmt::Display;

/// What stands encoded in a value: `%`, and every byte outside 0x21–0x7E.
const ENCODED: &AsciiSet = &CONTROLS.add(b' ').add(b'%');

const EMPTY: HeaderValue = HeaderValue::from_static("");

/// The table: each header with the value that it carries.
pub struct GateHeaders(Vec<(HeaderName, GateValue)>);

impl GateHeaders {
    /// The service's own headers, and those of `SVC_GATE_HEADERS`.
    pub fn of(settings: &Settings) -> Self {
        let own = GateValue::ALL.into_iter().filter_map(|value| Some((own(settings, value.names().1)?, value)));
        Self(own.chain(settings.gate.headers.iter().cloned()).collect())
    }

    /// Writes every header of the table, empty where there is nobody.
    pub fn write(&self, headers: &mut HeaderMap, values: &[HeaderValue; GateValue::ALL.len()]) {
        headers.reserve(self.0.len());
        for (name, value) in &self.0 {
            headers.insert(name, values[*value as usize].clone());
        }
    }
}

/// The service's own header with this end: `X-Svc-User-Id`.
pub fn own(settings: &Settings, end: &str) -> Option<HeaderName> {
    HeaderName::try_from(format!("x-{}-{end}", settings.name.as_str())).ok()
}

/// The values of nobody.
pub const NOBODY: [HeaderValue; GateValue::ALL.len()] = [EMPTY; GateValue::ALL.len()];

/// The values of a user, with an assertion for the origin that is protected.
pub fn values(
    app: &App,
    assertions: &Assertions,
    live: &LiveSession,
    audience: Option<(usize, &str)>,
) -> Result<[HeaderValue; GateValue::ALL.len()], Error> {
    let view = &live.view;
    let member = view.organization_role;
    let roles: Vec<_> = view.roles.iter().map(|role| app.settings.name.role(role)).collect();
    let assertion = match audience {
        Some((place, origin)) => assertions.get(app, live, place, origin)?,
        None => EMPTY,
    };
    let mut values = NOBODY;
    for (value, text) in [
        (GateValue::Id, encoded(view.user_id)),
        (GateValue::Email, encoded(&view.email)),
        (GateValue::Username, encoded(&view.username)),
        (GateValue::Roles, encoded(roles.join(","))),
        (GateValue::EmailVerified, HeaderValue::from_static(if view.email_verified { "true" } else { "false" })),
        (GateValue::OrganizationId, member.map_or(EMPTY, |_| encoded(view.organization_id))),
        (GateValue::OrganizationRole, member.map_or(EMPTY, |role| HeaderValue::from_static(role.as_str()))),
        (GateValue::SessionId, encoded(live.id)),
        (GateValue::Assertion, assertion),
    ] {
        values[value as usize] = text;
    }
    Ok(values)
}

fn encoded(value: impl Display) -> HeaderValue {
    let text = utf8_percent_encode(&value.to_string(), ENCODED).to_string();
    HeaderValue::try_from(text).unwrap_or(EMPTY)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_visible_ascii() {
        for (text, expected) in [
            ("ada@example.com", "ada@example.com"),
            ("100% Ada Müller", "100%25%20Ada%20M%C3%BCller"),
            ("a\r\nX-Evil: 1\u{7f}", "a%0D%0AX-Evil:%201%7F"),
        ] {
            assert_eq!(encoded(text), expected);
        }
    }
}
