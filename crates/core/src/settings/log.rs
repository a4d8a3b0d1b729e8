//! Logging.

use super::parse;
use super::problem::InvalidValue;
use super::reader::{Read, Reader};
use super::spec::{DefaultValue, Exposure, SettingsGroup, Spec};
use tracing_subscriber::EnvFilter;

#[derive(Debug)]
pub struct LogSettings {
    /// A tracing filter.
    pub filter: String,
    pub format: LogFormat,
    /// Whether the line of a request has the client's address, which is personal data.
    pub client_address: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogFormat {
    Text,
    /// One JSON object per line.
    Json,
}

static LOG: Spec = Spec {
    suffix: "LOG",
    kind: "tracing filter",
    default: DefaultValue::Fixed("info"),
    exposure: Exposure::Public,
    meaning: "What is logged: off, error, warn, info, debug or trace, also by module, as in warn,doorward=debug.",
};

static LOG_FORMAT: Spec = Spec {
    suffix: "LOG_FORMAT",
    kind: "text or json",
    default: DefaultValue::Fixed("text"),
    exposure: Exposure::Public,
    meaning: "How a log line is written: for people, or as one JSON object.",
};

static LOG_CLIENT_ADDRESS: Spec = Spec {
    suffix: "LOG_CLIENT_ADDRESS",
    kind: "on or off",
    default: DefaultValue::Fixed("off"),
    exposure: Exposure::Public,
    meaning: "Whether the log line of a request has the client's address, for fail2ban and the like. It is personal \
        data: keep such logs no longer than needed.",
};

pub(super) static SECTION: SettingsGroup =
    SettingsGroup { title: "Log", settings: &[&LOG, &LOG_FORMAT, &LOG_CLIENT_ADDRESS] };

pub(super) fn read(reader: &mut Reader<'_>) -> Read<LogSettings> {
    let filter = reader.required(&LOG, filter);
    let format = reader.required(&LOG_FORMAT, parse::one_of(&[("text", LogFormat::Text), ("json", LogFormat::Json)]));
    let client_address = reader.required(&LOG_CLIENT_ADDRESS, parse::one_of(&[("on", true), ("off", false)]));
    Ok(LogSettings { filter: filter?, format: format?, client_address: client_address? })
}

/// Validates a `tracing` filter. A bare word that is not a level, such as `verbose`, would be a module name and silence
/// everything else: it is rejected, as a module can be given with its level.
fn filter(text: &str) -> Result<String, InvalidValue> {
    let is_level =
        |word: &str| ["off", "error", "warn", "info", "debug", "trace"].contains(&word.to_ascii_lowercase().as_str());
    let words_are_valid = text.contains('[') || parse::items(text).all(|item| item.contains('=') || is_level(item));
    if !words_are_valid || EnvFilter::try_new(text).is_err() {
        return Err(
            "off, error, warn, info, debug or trace, and a list of module=level, such as warn,doorward=debug".into()
        );
    }
    Ok(text.to_owned())
}

#[cfg(test)]
#[path = "log_tests.rs"]
mod tests;
