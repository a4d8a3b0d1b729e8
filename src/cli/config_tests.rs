#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use serde_json::Value;

/// The exit code, standard output and standard error.
fn output(json: bool, variables: &[(&str, &str)]) -> (u8, String, String) {
    let name = ServiceName::parse("acme").unwrap();
    let environment = variables.iter().copied().collect();
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let code = run(&name, &environment, json, &mut out, &mut err).unwrap();
    (code, String::from_utf8(out).unwrap(), String::from_utf8(err).unwrap())
}

fn words(text: &str, variable: &str) -> Vec<String> {
    let line = text.lines().find(|line| line.trim_start().starts_with(&format!("{variable} "))).unwrap();
    line.split_whitespace().map(str::to_owned).collect()
}

#[test]
fn table_shows_value_source_and_default() {
    let (code, out, err) = output(
        false,
        &[("ACME_ACCESS_TTL", "5m"), ("ACME_WEBHOOK_URL", "http://u:s3cret@h/x"), ("ACME_WEBHOOK_SECRET", "s3cret")],
    );
    assert_eq!((code, err.as_str()), (0, ""));
    assert_eq!(words(&out, "ACME_ACCESS_TTL"), ["ACME_ACCESS_TTL", "5m", "environment", "default:", "10m"]);
    assert_eq!(words(&out, "ACME_REFRESH_TTL"), ["ACME_REFRESH_TTL", "336h", "default", "default:", "336h"]);
    assert_eq!(words(&out, "ACME_WEBHOOK_URL")[1], "http://***@h/x");
    assert_eq!(words(&out, "ACME_WEBHOOK_SECRET")[1], "(set)");
    assert!(!out.contains("s3cret") && !out.contains("SVC_"), "{out}");
}

#[test]
fn invalid_settings_are_listed_and_exit_with_2() {
    let (code, out, err) = output(false, &[("ACME_LISTEN", "x"), ("ACME_LOG", "a=b"), ("ACME_LISTN", "y")]);
    assert_eq!(code, 2);
    assert!(out.contains("ACME_BASE_URL"), "the table is there all the same: {out}");
    let starts: Vec<_> = err.lines().map(|line| line.split_once("ACME_").unwrap().0).collect();
    assert_eq!(starts, ["warning: DW-002 ", "error: ", "error: "]);
}

#[test]
fn json_contains_report_without_secrets() {
    let variables = [("ACME_WEBHOOK_SECRET", "s3cret"), ("ACME_SECRET_KEY", "s3cret"), ("ACME_X", "s3cret")];
    let (code, out, err) = output(true, &variables);
    assert_eq!(code, 2);
    assert!(!out.contains("s3cret") && !err.contains("s3cret"), "{out}{err}");
    let error: Value = serde_json::from_str(&err).unwrap();
    assert_eq!(error["error"]["code"], "invalid_settings");
    assert_eq!(error["error"]["message"].as_str().unwrap().lines().count(), 2);
    let report: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(report["name"], "acme");
    let settings = report["settings"].as_array().unwrap();
    let secret = settings.iter().find(|setting| setting["variable"] == "ACME_WEBHOOK_SECRET").unwrap();
    assert_eq!((&secret["value"], &secret["source"]), (&Value::from("(set)"), &Value::from("environment")));
    assert_eq!(report["problems"].as_array().unwrap().len(), 2);
    assert_eq!(report["warnings"].as_array().unwrap().len(), 1);
    assert!(report["problems"][0]["message"].as_str().unwrap().contains("not shown"));
}
