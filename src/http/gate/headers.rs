//! The headers about a user: one table, of which every header is always sent.

use super::values::GateValues;
use crate::model::gate_value::GateValue;
use crate::settings::Settings;
use axum::http::{HeaderMap, HeaderName};

/// The table: each header with the value that it carries.
pub struct GateHeaders(Vec<(HeaderName, GateValue)>);

impl GateHeaders {
    /// The service's own headers, and those of `SVC_GATE_HEADERS`.
    pub fn of(settings: &Settings) -> Self {
        let own = GateValue::ALL.into_iter().filter_map(|value| Some((own(settings, value.own_header()?)?, value)));
        Self(own.chain(settings.gate.headers.iter().cloned()).collect())
    }

    /// The name of each header, in lower case.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| name.as_str())
    }

    /// Writes every header of the table, empty for an anonymous request.
    pub fn write(&self, headers: &mut HeaderMap, values: &GateValues) {
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
