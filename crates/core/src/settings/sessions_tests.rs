use super::Rotation;
use crate::settings::testing::{refused, settings};
use std::time::Duration;

#[test]
fn session_defaults_are_as_documented() {
    let sessions = settings(&[]).sessions;
    let minutes = [sessions.access_ttl, sessions.refresh_ttl, sessions.session_ttl].map(|ttl| ttl.as_secs() / 60);
    assert_eq!(minutes, [10, 336 * 60, 1440 * 60]);
    assert_eq!((sessions.rotation, sessions.grace), (Rotation::Always, Duration::from_secs(30)));
    assert_eq!(sessions.audiences, ["app", "admin"]);
}

#[test]
fn rotation_is_keyword_or_duration() {
    let rotation = |text| settings(&[("REFRESH_ROTATION", text)]).sessions.rotation;
    assert_eq!(rotation("never"), Rotation::Never);
    assert_eq!(rotation("1h"), Rotation::After(Duration::from_hours(1)));
    refused("REFRESH_ROTATION", &["sometimes", "0s", "5"], "always, never, or a duration");
}

#[test]
fn durations_are_positive_with_unit() {
    for suffix in ["ACCESS_TTL", "REFRESH_TTL", "SESSION_TTL", "REFRESH_GRACE"] {
        refused(suffix, &["10", "0s", "-5s", "ten minutes"], "a duration above zero");
    }
}

#[test]
fn audiences_are_distinct_names() {
    assert_eq!(
        settings(&[("AUDIENCES", "web, https://api.example/v1")]).sessions.audiences,
        ["web", "https://api.example/v1"]
    );
    refused("AUDIENCES", &["a,a", "a,,b", "a b", ","], "different names");
}
