//! The software of others verifies `tests/fixtures/tokens.json`: here what comes with a language, and what is a
//! dependency anyway; everything else by hand with `scripts/interop/run`, whose tables are in docs/guides/tokens.md.

use jsonwebtoken::jwk::JwkSet;
use jsonwebtoken::{DecodingKey, Validation, decode, decode_header};
use serde_json::Value;
use std::collections::BTreeSet;
use std::io::Write;
use std::process::{Command, Stdio};

const TOKENS: &str = include_str!("../fixtures/tokens.json");
const WEBHOOKS: &str = include_str!("../fixtures/webhooks.json");
const RESULTS: &str = include_str!("../../scripts/interop/results.json");
const PAGE: &str = include_str!("../../docs/guides/tokens.md");

single_run![rust_library_verifies_tokens, tables_are_those_of_the_last_run];
if_installed![
    Node: node_verifies_tokens,
    Php: php_verifies_tokens,
    Ruby: ruby_verifies_tokens,
];

fn fixtures(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

async fn rust_library_verifies_tokens() {
    let fixtures = fixtures(TOKENS);
    let sets = fixtures["sets"].as_object().unwrap();
    for fixture in fixtures["tokens"].as_array().unwrap() {
        for (_, set) in sets.iter().filter(|(set, _)| *set == "both" || fixture["alg"] == **set) {
            let set: JwkSet = serde_json::from_value(set.clone()).unwrap();
            let token = fixture["token"].as_str().unwrap();
            let verified = || {
                let header = decode_header(token).ok()?;
                let key = DecodingKey::from_jwk(set.find(&header.kid?)?).ok()?;
                let mut validation = Validation::new(fixture["alg"].as_str()?.parse().ok()?);
                validation.set_issuer(&[fixtures["issuer"].as_str()?]);
                validation.set_audience(&[fixtures["audience"].as_str()?]);
                decode::<Value>(token, &key, &validation).ok()
            };
            assert_eq!(verified().is_some(), fixture["case"] == "right", "{fixture}");
        }
    }
}

async fn node_verifies_tokens() {
    expect_verdicts(&["node", "--input-type=module", "-e", include_str!("interop/verify.mjs")]);
}

async fn php_verifies_tokens() {
    let code = include_str!("interop/verify.php").strip_prefix("<?php").expect("its beginning");
    expect_verdicts(&["php", "-r", code]);
}

async fn ruby_verifies_tokens() {
    expect_verdicts(&["ruby", "-e", include_str!("interop/verify.rb")]);
}

/// Fails unless the program prints `true` for what is right, and `false` for all else.
fn expect_verdicts(command: &[&str]) {
    let mut child = Command::new(command[0])
        .args(&command[1..])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().expect("its input").write_all(TOKENS.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let printed = String::from_utf8(output.stdout).unwrap();
    let fixtures = fixtures(TOKENS);
    let fixtures = fixtures["tokens"].as_array().unwrap();
    assert_eq!(printed.lines().count(), fixtures.len(), "{printed}");
    for (fixture, verdict) in fixtures.iter().zip(printed.lines()) {
        assert_eq!(verdict == "true", fixture["case"] == "right", "{fixture}");
    }
}

fn texts(values: &Value) -> Vec<&str> {
    values.as_array().unwrap().iter().map(|value| value.as_str().unwrap()).collect()
}

/// The tables in the documentation come from a run on all of these fixtures, and no library accepts what is wrong.
async fn tables_are_those_of_the_last_run() {
    let results = fixtures(RESULTS);
    for (kind, cases) in [("tokens", fixtures(TOKENS)["tokens"].clone()), ("webhooks", fixtures(WEBHOOKS))] {
        let known: BTreeSet<_> = cases.as_array().unwrap().iter().map(|case| case["case"].as_str().unwrap()).collect();
        let tried: BTreeSet<_> = texts(&results["cases"][kind]).into_iter().collect();
        assert_eq!(tried, known, "scripts/interop/run has not tried every case of {kind}");
        let mark = format!("<!-- {kind}: written by scripts/interop/run -->\n");
        let table = PAGE.split(&mark).nth(1).expect("its table").split("<!-- end -->").next().unwrap();
        let rows: Vec<&str> = table.trim().lines().skip(2).collect();
        let expected: Vec<String> = results["rows"][kind]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| format!("| {} |", texts(row).join(" | ")))
            .collect();
        assert_eq!(rows, expected, "the table of {kind} was not written by scripts/interop/run");
        assert!(!rows.is_empty() && !table.contains("unsafe"), "{table}");
    }
}
