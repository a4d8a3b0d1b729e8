//! Logging.

use super::parse;
use super::problem::InvalidValue;
use super::reader::{Read, Reader};
use super::spec::section;
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

section! { "Log";
    LOG: "tracing filter", Fixed("info"), Public,
        "What is logged: off, error, warn, info, debug or trace, also by module, as in warn,doorward=debug.";
    LOG_FORMAT: "text or json", Fixed("text"), Public,
        "Format of a log line: text for people, or one JSON object.";
    LOG_CLIENT_ADDRESS: "on or off", Fixed("off"), Public,
        "Whether the log line of a request has the client's address, for fail2ban and the like. It is personal data: \
        keep such logs no longer than needed.";
}

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
