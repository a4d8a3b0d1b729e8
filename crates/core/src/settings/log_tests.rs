use super::LogFormat;
use crate::settings::testing::{refused, settings};

#[test]
fn filter_accepts_tracing_directives() {
    assert_eq!(settings(&[]).log.filter, "info");
    for filter in ["off", "WARN", "warn,doorward=debug", "doorward::http=trace", "info,[request{path=\"/\"}]=debug"] {
        assert_eq!(settings(&[("LOG", filter)]).log.filter, filter);
    }
    refused("LOG", &["verbose", "doorward=loud", "info,", "info,hyper", "a=b=c"], "warn,doorward=debug");
}

#[test]
fn format_is_text_or_json() {
    assert_eq!(settings(&[]).log.format, LogFormat::Text);
    assert_eq!(settings(&[("LOG_FORMAT", "json")]).log.format, LogFormat::Json);
    refused("LOG_FORMAT", &["JSON", "pretty"], "text, json");
}

#[test]
fn client_address_is_logged_on_request_only() {
    assert!(!settings(&[]).log.client_address);
    assert!(settings(&[("LOG_CLIENT_ADDRESS", "on")]).log.client_address);
    refused("LOG_CLIENT_ADDRESS", &["yes", "ON", "1"], "on, off");
}
