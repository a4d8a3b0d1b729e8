#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use crate::settings::testing::{load, problem, refused, settings};
use secrecy::ExposeSecret;

fn webhooks(variables: &[(&str, &str)]) -> WebhookSettings {
    let mut all = vec![("WEBHOOK_URL", "https://app.example/hook"), ("WEBHOOK_SECRET", "s3cret")];
    all.retain(|(suffix, _)| variables.iter().all(|(other, _)| other != suffix));
    all.extend(variables);
    std::sync::Arc::into_inner(settings(&all).webhooks.unwrap()).unwrap()
}

#[test]
fn webhook_defaults_are_as_documented() {
    let webhooks = webhooks(&[]);
    assert_eq!(webhooks.enabled_events, EventKinds::ALL);
    assert_eq!((webhooks.worker_count, webhooks.max_delivery_attempts, webhooks.maintenance_batch_size), (2, 3, 1000));
    let seconds = [
        webhooks.timeout,
        webhooks.processing_stale_after,
        webhooks.stale_reaper_interval,
        webhooks.delivered_retention,
        webhooks.failed_retention,
        webhooks.cleanup_interval,
    ];
    assert_eq!(seconds.map(|duration| duration.as_secs()), [5, 120, 60, 86_400, 2_592_000, 3600]);
    assert_eq!(webhooks.retry_delays, [Duration::from_secs(30), Duration::from_mins(2)]);
    assert!(webhooks.authorization.is_none() && webhooks.secret_previous.is_none());
}

#[test]
fn outage_survived_is_the_sum_of_the_delays_before_the_last_attempt() {
    let survived = |attempts, delays| {
        let given = [("WEBHOOK_MAX_DELIVERY_ATTEMPTS", attempts), ("WEBHOOK_RETRY_DELAYS", delays)];
        webhooks(&given).survived_outage().as_secs()
    };
    assert_eq!(webhooks(&[]).survived_outage().as_secs(), 150);
    assert_eq!(survived("5", "1s,1m"), 181, "the last delay repeats");
    assert_eq!(survived("2", "1s,1m"), 1);
    assert_eq!(survived("1", "1s,1m"), 0, "there is one attempt");
    // A saturated sum rather than an overflow.
    assert!(survived("4294967295", "876000h") > 876_000 * 3600);
}

#[test]
fn url_and_secret_are_set_together() {
    assert!(settings(&[]).webhooks.is_none());
    assert!(settings(&[("WEBHOOK_URL", ""), ("WEBHOOK_SECRET", " ")]).webhooks.is_none());
    let line = problem(&[("WEBHOOK_URL", "https://app.example/hook")]);
    assert!(line.starts_with("SVC_WEBHOOK_SECRET: is not set, but SVC_WEBHOOK_URL is"), "{line}");
    let line = problem(&[("WEBHOOK_SECRET", "s3cret")]);
    assert!(line.starts_with("SVC_WEBHOOK_URL: is not set") && !line.contains("s3cret"), "{line}");
}

#[test]
fn url_credentials_become_authorization_header() {
    let with = webhooks(&[("WEBHOOK_URL", "HTTPS://us%65r:p%40ss%3A%C3%A9@app.example:8443/hook?x=1#top")]);
    assert_eq!(with.url, "https://app.example:8443/hook?x=1");
    // "user:p@ss:é"
    assert_eq!(with.authorization.as_ref().unwrap().expose_secret(), "Basic dXNlcjpwQHNzOsOp");
    assert!(!format!("{with:?}").contains("dXNlcjp"));
    let user_only = webhooks(&[("WEBHOOK_URL", "http://token@app.example")]);
    assert_eq!((user_only.url.path(), user_only.authorization.unwrap().expose_secret()), ("/", "Basic dG9rZW46"));
}

#[test]
fn invalid_receivers_are_refused_without_password() {
    let bad = "app.example/hook|ftp://u:s3cret@app.example|https://|https:///hook|https://u:s3cret@/x|https://a:0\
        |https://u:s3cret@a:99999/|https://u:s3cret@a \
        b/|https://a%3Ab:s3cret@h|https://u:%00s3cret@h|https://u:%ffs3cret@h|https://u:s3cret|https://h:";
    for url in bad.split('|') {
        let line = problem(&[("WEBHOOK_URL", url), ("WEBHOOK_SECRET", "x")]);
        assert!(line.starts_with("SVC_WEBHOOK_URL: ") && !line.contains("s3cret"), "{url}: {line}");
    }
}

#[test]
fn secret_is_any_text_or_base64_after_whsec() {
    let plain = webhooks(&[("WEBHOOK_SECRET", "s p")]).secret;
    assert_eq!((plain.as_bytes(), plain.standard_key()), (b"s p".as_slice(), b"s p".as_slice()), "every byte counts");
    let encoded = webhooks(&[("WEBHOOK_SECRET_PREVIOUS", "whsec_AAAA")]).secret_previous.unwrap();
    assert_eq!((encoded.as_bytes(), encoded.standard_key()), (b"whsec_AAAA".as_slice(), [0; 3].as_slice()));
    assert_eq!(format!("{encoded:?}"), "WebhookSecret { .. }");
}

#[test]
fn secret_that_receivers_would_read_differently_is_refused_unseen() {
    let refused = |variable: &str, value: &str, reason: &str| {
        let mut all = vec![("WEBHOOK_URL", "http://h"), ("WEBHOOK_SECRET", "x")];
        all.retain(|(suffix, _)| *suffix != variable);
        all.push((variable, value));
        let line = problem(&all);
        assert!(line.starts_with(&format!("SVC_{variable}: the value (not shown)")), "{line}");
        assert!(line.contains(reason) && !line.contains("s3cret"), "{line}");
    };
    for variable in ["WEBHOOK_SECRET", "WEBHOOK_SECRET_PREVIOUS"] {
        for value in ["s3cret\n", " s3cret", "s3cret\t", "\r\ns3cret", "whsec_AAAA\n", "s3cret\u{a0}"] {
            refused(variable, value, "without blanks or line breaks before or after it");
        }
        for value in ["whsec_s3cret!", "whsec_s3cret-_s3cret", "whsec_ AAAA"] {
            refused(variable, value, "after whsec_, base64 of the standard alphabet");
        }
        // The last one has the right length, and bits that base64 leaves empty.
        for value in ["whsec_", "whsec_a", "whsec_AAB=", "whsec_s3cretB="] {
            refused(variable, value, "characters are missing, or the last one cannot end it");
        }
    }
}

#[test]
fn timeout_must_be_below_stale_age() {
    refused("WEBHOOK_TIMEOUT", &["2m", "3m"], "below SVC_WEBHOOK_PROCESSING_STALE_AFTER (2m)");
    refused("WEBHOOK_PROCESSING_STALE_AFTER", &["5s", "1s"], "above SVC_WEBHOOK_TIMEOUT (5s)");
    assert!(load(&[("WEBHOOK_TIMEOUT", "10m"), ("WEBHOOK_PROCESSING_STALE_AFTER", "10m1s")]).is_ok());
}

#[test]
fn enabled_events_are_known_and_distinct() {
    let kinds = webhooks(&[("WEBHOOK_ENABLED_EVENTS", "user.created , user.deleted")]).enabled_events;
    assert_eq!(kinds, EventKinds::NONE.with(EventKind::UserCreated).with(EventKind::UserDeleted));
    for value in ["user.made", "user.created,user.created", "user.created,", "User.Created"] {
        let line = problem(&[("WEBHOOK_ENABLED_EVENTS", value)]);
        assert!(EventKind::ALL.into_iter().all(|kind| line.contains(kind.as_str())), "{line}");
    }
}

#[test]
fn numbers_and_durations_are_positive() {
    refused("WEBHOOK_WORKER_COUNT", &["0", "-1", "two", "1025", "+2", "1.5"], "a whole number from 1 to 1024");
    refused("WEBHOOK_MAX_DELIVERY_ATTEMPTS", &["0", "99999999999"], "a whole number from 1");
    refused("WEBHOOK_MAINTENANCE_BATCH_SIZE", &["0"], "a whole number from 1");
    refused("WEBHOOK_RETRY_DELAYS", &["30s,", "30", "30s,0s"], "comma-separated list; each item a duration");
    for suffix in ["STALE_REAPER_INTERVAL", "DELIVERED_RETENTION", "FAILED_RETENTION", "CLEANUP_INTERVAL", "TIMEOUT"] {
        refused(&format!("WEBHOOK_{suffix}"), &["0s", "7"], "a duration above zero");
    }
    assert_eq!(webhooks(&[("WEBHOOK_RETRY_DELAYS", "1s, 5s,1m")]).retry_delays.len(), 3);
}
