#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use crate::settings::describe;
use crate::settings::testing::load;
use crate::settings::{Exposure, ValueSource, table};
use std::os::unix::ffi::OsStringExt;

fn acme() -> ServiceName {
    ServiceName::parse("acme").unwrap()
}

#[test]
fn empty_environment_loads_defaults() {
    let loaded = load(&[]).unwrap();
    assert!(loaded.warnings.is_empty());
    assert!(loaded.settings.webhooks.is_none());
}

#[test]
fn every_default_is_valid_when_set() {
    let defaults = table::all().filter_map(|spec| match spec.default {
        super::super::DefaultValue::Fixed(value) => Some((spec.suffix, value)),
        _ => None,
    });
    assert!(load(&defaults.collect::<Vec<_>>()).is_ok());
}

#[test]
fn all_problems_are_reported_one_per_line() {
    let bad =
        [("LISTEN", "x"), ("ACCESS_TTL", "5"), ("SIGNUP", "maybe"), ("WEBHOOK_WORKER_COUNT", "0"), ("LOG", "a=b")];
    let problems = load(&bad).unwrap_err();
    let variables: Vec<_> = problems.problems.iter().map(|problem| problem.variable.as_str()).collect();
    assert_eq!(variables, bad.map(|(suffix, _)| format!("SVC_{suffix}")));
    assert_eq!(problems.to_string().lines().count(), bad.len());
    let line = "SVC_SIGNUP: \"maybe\" cannot be used; allowed: open, invite, closed";
    assert!(problems.to_string().lines().any(|other| other == line), "{problems}");
}

#[test]
fn every_setting_in_table_is_read() {
    let garbage = |spec: &super::super::Spec| (spec.variable(&acme()), std::ffi::OsString::from_vec(vec![0xff]));
    let problems = Settings::load(&acme(), &table::all().map(garbage).collect()).unwrap_err();
    let mut named: Vec<_> = problems.problems.iter().map(|problem| problem.variable.clone()).collect();
    let mut known: Vec<_> = table::all().map(|spec| spec.variable(&acme())).collect();
    named.sort();
    known.sort();
    assert_eq!(named, known);
    assert!(problems.problems.iter().all(|problem| problem.message.contains("UTF-8")), "{problems}");
}

#[test]
fn quoted_value_is_escaped_and_truncated() {
    let long = "é".repeat(5000);
    for value in ["a\nSVC_LISTEN: fine", "\u{1b}[2J", &long] {
        let text = load(&[("LISTEN", value)]).unwrap_err().to_string();
        assert!(text.lines().count() == 1 && !text.contains('\u{1b}') && text.len() < 500, "{text}");
    }
}

#[test]
fn unknown_variable_warns_with_closest_name() {
    let loaded = load(&[("LISTN", "127.0.0.1:1"), ("WEBHOOK_RETRY_DELAY", "s3cret")]).unwrap();
    let warnings: Vec<String> = loaded.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(
        warnings,
        [
            "DW-002 SVC_LISTN: no such setting; the closest is SVC_LISTEN",
            "DW-002 SVC_WEBHOOK_RETRY_DELAY: no such setting; the closest is SVC_WEBHOOK_RETRY_DELAYS"
        ]
    );
    let failed = load(&[("SINGUP", "open"), ("SIGNUP", "x")]).unwrap_err();
    assert_eq!(failed.warnings.len(), 1, "a warning is not lost when the start fails");
}

#[test]
fn setting_behind_the_products_name_warns_with_its_own() {
    let others =
        ["NAME", "API_KEY", "PORT", "SERVICE_HOST", "APP_URL", "AUDIENCE", "WEBHOOK_SECRET", "WEBHOOK_SECRET_PREVIOUS"];
    let others = others.map(|suffix| format!("DOORWARD_{suffix}"));
    let guessed = ["DOORWARD_LISTEN", "DOORWARD_BASEURL"].map(|name| (name, "127.0.0.1:1"));
    let others = others.iter().map(|name| (name.as_str(), "svc"));
    let environment = others.chain(guessed).collect();
    let loaded = Settings::load(&ServiceName::parse("svc").unwrap(), &environment).unwrap();
    let mut warnings: Vec<String> = loaded.warnings.iter().map(ToString::to_string).collect();
    warnings.sort_unstable();
    assert_eq!(
        warnings,
        [
            "DW-002 DOORWARD_BASEURL: no such setting; the closest is SVC_BASE_URL",
            "DW-002 DOORWARD_LISTEN: no such setting; the closest is SVC_LISTEN"
        ]
    );
}

#[test]
fn kubernetes_variables_are_ignored() {
    let variables =
        ["SERVICE_HOST", "SERVICE_PORT", "SERVICE_PORT_HTTP", "PORT", "PORT_8080_TCP", "PORT_8080_TCP_ADDR"];
    assert!(load(&variables.map(|suffix| (suffix, "tcp://10.0.0.1:80"))).unwrap().warnings.is_empty());
}

#[test]
fn name_variable_is_known_to_service_named_doorward() {
    let name = ServiceName::parse("doorward").unwrap();
    let environment = [("DOORWARD_NAME", "doorward"), ("DOORWARD_NAMES", "x"), ("SVC_LISTEN", "not ours")];
    let loaded = Settings::load(&name, &environment.into_iter().collect()).unwrap();
    assert_eq!(loaded.warnings.len(), 1);
    assert_eq!(loaded.settings.server.listen.port(), 8080);
}

#[test]
fn other_name_reads_and_reports_its_own_variables() {
    let environment: Environment =
        [("ACME_LISTEN", "127.0.0.1:1"), ("ACME_WEBHOOK_TIMEOUT", "2m"), ("SVC_SIGNUP", "x")].into_iter().collect();
    let text = Settings::load(&acme(), &environment).unwrap_err().to_string();
    assert!(
        text.starts_with("ACME_WEBHOOK_TIMEOUT: ") && text.contains("ACME_WEBHOOK_PROCESSING_STALE_AFTER"),
        "{text}"
    );
    assert!(!text.contains("SVC_"), "{text}");
}

#[test]
fn secrets_are_redacted_in_problems_and_descriptions() {
    let set = |spec: &super::super::Spec| {
        let value = match spec.exposure {
            Exposure::Public => None,
            Exposure::Url | Exposure::Address => Some("https://u:s3cret@h/?password=s3cret"),
            Exposure::Secret => Some("s3cret"),
        };
        value.map(|value| (spec.variable(&acme()), value))
    };
    let environment: Environment = table::all().filter_map(set).collect();
    let problems = Settings::load(&acme(), &environment).unwrap_err();
    let described = describe(&acme(), &environment);
    for text in [problems.to_string(), format!("{problems:?}"), format!("{described:?}"), format!("{environment:?}")] {
        assert!(!text.contains("s3cret"), "{text}");
    }
    assert!(described.iter().any(|setting| setting.value.as_deref() == Some("(set)")));
}

#[test]
fn debug_omits_valid_secrets() {
    let key = "c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0ISE=";
    let loaded = load(&[
        ("DATABASE_URL", "postgres://u:s3cret@db/app"),
        ("SECRET_KEY", key),
        ("JWT_KEYS", &format!("k:{key}")),
        ("SMTP_URL", "smtp://u:s3cret@h"),
        ("MAIL_FROM", "a@h.example"),
        ("WEBHOOK_URL", "https://u:s3cret@h"),
        ("WEBHOOK_SECRET", "s3cret"),
        ("WEBHOOK_SECRET_PREVIOUS", "s3cret"),
    ]);
    let text = format!("{:?}", loaded.unwrap());
    assert!(!text.contains("s3cret") && !text.contains(key) && !text.contains("115, 101"), "{text}");
}

#[test]
fn description_has_value_default_and_source() {
    let environment: Environment =
        [("ACME_DATA_DIR", "/srv"), ("ACME_ACCESS_TTL", "nonsense"), ("ACME_LOG", "")].into_iter().collect();
    let described = describe(&acme(), &environment);
    let find = |variable: &str| described.iter().find(|setting| setting.variable == variable).unwrap();
    let of = |variable: &str| (find(variable).value.as_deref(), find(variable).source);
    let derived_from = |variable: &str| find(variable).derived_from.as_deref();
    assert_eq!(of("ACME_DATABASE_URL"), (Some("sqlite:/srv/doorward.db"), ValueSource::Default));
    assert_eq!(of("ACME_ACCESS_TTL"), (Some("nonsense"), ValueSource::Environment));
    assert_eq!(of("ACME_LOG"), (Some("info"), ValueSource::Default));
    assert_eq!(of("ACME_JWT_ISSUER"), (Some("http://localhost:8080"), ValueSource::Default));
    assert_eq!(of("ACME_WEBHOOK_URL"), (None, ValueSource::Default));
    assert_eq!(find("ACME_ACCESS_TTL").default, "10m");
    assert_eq!(derived_from("ACME_DATABASE_URL"), Some("ACME_DATA_DIR"));
    assert_eq!(derived_from("ACME_JWT_ISSUER"), Some("ACME_BASE_URL"));
    assert_eq!(derived_from("ACME_DEFAULT_RETURN_TO"), None, "the account page follows nothing");
    assert_eq!((derived_from("ACME_GATE_RENEW_AFTER"), derived_from("ACME_ACCESS_TTL")), (None, None));
    let given: Environment =
        [("ACME_APP_URL", "http://localhost:8080/"), ("ACME_JWT_ISSUER", "me")].into_iter().collect();
    let described = describe(&acme(), &given);
    let find = |variable: &str| described.iter().find(|setting| setting.variable == variable).unwrap();
    assert_eq!(find("ACME_DEFAULT_RETURN_TO").derived_from.as_deref(), Some("ACME_APP_URL"));
    assert_eq!(find("ACME_JWT_ISSUER").derived_from, None, "what is given follows nothing");
    assert_eq!(described.len(), table::all().count());
}
