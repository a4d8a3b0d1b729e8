//! What the gate says of a user, and the latest for each session.

use super::assertion;
use crate::context::App;
use crate::error::Error;
use crate::http::session::LiveSession;
use crate::model::gate_value::GateValue;
use crate::model::ids::SessionId;
use crate::model::session_view::KnownSession;
use crate::model::time::Time;
use axum::http::HeaderValue;
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use quick_cache::sync::Cache;
use std::fmt::Display;
use std::sync::Arc;
use std::time::Duration;

/// The same values are given again for this time: a signature costs as much as everything else in an answer.
const REUSE: Duration = Duration::from_secs(30);
/// The number of sessions and origins that are kept: some 30 MB when full.
const CAPACITY: usize = 16 * 1024;

/// What stands encoded in a value: `%`, and every byte outside 0x21–0x7E.
const ENCODED: &AsciiSet = &CONTROLS.add(b' ').add(b'%');

const EMPTY: HeaderValue = HeaderValue::from_static("");

/// A value for each [`GateValue`], in their order.
pub type GateValues = [HeaderValue; GateValue::ALL.len()];

/// Header values of an anonymous request: all empty.
pub const ANONYMOUS: GateValues = [EMPTY; GateValue::ALL.len()];

/// The latest values for each session and protected origin.
pub struct ValuesCache(Cache<(SessionId, Option<usize>), Arc<Known>>);

struct Known {
    /// Whose values: a session that has changed is another one in memory.
    view: Arc<KnownSession>,
    made_at: Time,
    values: Arc<GateValues>,
}

impl Default for ValuesCache {
    fn default() -> Self {
        Self(Cache::new(CAPACITY))
    }
}

impl ValuesCache {
    /// The values of a user, with an assertion for the origin at this place of the protected ones.
    pub fn get(
        &self,
        app: &App,
        live: &LiveSession,
        audience: Option<(usize, &str)>,
    ) -> Result<Arc<GateValues>, Error> {
        let now = app.clock.now();
        let key = (live.id, audience.map(|(place, _)| place));
        let is_usable = |known: &Arc<Known>| {
            Arc::ptr_eq(&known.view, &live.view) && known.made_at <= now && now < known.made_at + REUSE
        };
        if let Some(known) = self.0.get(&key).filter(is_usable) {
            return Ok(known.values.clone());
        }
        let values = Arc::new(values(app, live, audience.map(|(_, origin)| origin), now)?);
        self.0.insert(key, Arc::new(Known { view: live.view.clone(), made_at: now, values: values.clone() }));
        Ok(values)
    }
}

fn values(app: &App, live: &LiveSession, audience: Option<&str>, now: Time) -> Result<GateValues, Error> {
    let view = &live.view;
    let member = view.organization_role;
    let roles: Vec<_> = view.roles.iter().map(|role| app.settings.name.role(role)).collect();
    let assertion = audience.map_or(Ok(EMPTY), |origin| assertion::sign(app, live, origin, now))?;
    let mut values = ANONYMOUS;
    for (value, text) in [
        (GateValue::Id, encoded(view.user_id)),
        (GateValue::Email, encoded(&view.email)),
        (GateValue::Username, encoded(&view.username)),
        (GateValue::Name, view.name.as_ref().map_or(EMPTY, encoded)),
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
