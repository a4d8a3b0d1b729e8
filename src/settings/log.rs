//! Logging.

use super::parse;
use super::problem::Refusal;
use super::reader::{Read, Reader};
use super::spec::{DefaultValue, Exposure, Section, Spec};
use tracing_subscriber::EnvFilter;

/// Log filter and format.
#[derive(Debug)]
pub struct Log {
    /// A tracing filter.
    pub filter: String,
    /// How lines are written.
    pub format: LogFormat,
}

/// How log lines are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogFormat {
    /// For people.
    Text,
    /// One JSON object a line.
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

pub(super) static SECTION: Section = Section { title: "Log", settings: &[&LOG, &LOG_FORMAT] };

pub(super) fn read(reader: &mut Reader<'_>) -> Read<Log> {
    let filter = reader.required(&LOG, filter);
    let format = reader.required(&LOG_FORMAT, parse::one_of(&[("text", LogFormat::Text), ("json", LogFormat::Json)]));
    Ok(Log { filter: filter?, format: format? })
}

/// A filter in the words of `tracing`. A bare word that is no level would be a module's name and silence all others
/// (`verbose`): it is refused, the module can be written with its level.
fn filter(text: &str) -> Result<String, Refusal> {
    let is_level =
        |word: &str| ["off", "error", "warn", "info", "debug", "trace"].contains(&word.to_ascii_lowercase().as_str());
    let words_fit = text.contains('[') || parse::items(text).all(|item| item.contains('=') || is_level(item));
    if !words_fit || EnvFilter::try_new(text).is_err() {
        return Err(
            "off, error, warn, info, debug or trace, and a list of module=level, such as warn,doorward=debug".into()
        );
    }
    Ok(text.to_owned())
}

#[cfg(test)]
#[path = "log_tests.rs"]
mod tests;
