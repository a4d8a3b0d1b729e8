//! The software of others verifies `tests/fixtures/tokens.json`: here what comes with a language, and what is a
//! dependency anyway; everything else by hand with `scripts/interop/run`, whose tables are in docs/guides/tokens.md and
//! docs/reference/tried-software.md.

use crate::harness::written_table;
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
const APPLICATIONS: &str = include_str!("../../docs/guides/applications.md");
/// Of each kind in the results, what one of them is called.
const TRIED_WITH_CASES: [(&str, &str); 2] = [("applications", "each application"), ("programs", "each program")];

single_run![
    rust_library_verifies_tokens,
    tables_are_those_of_the_last_run,
    settings_are_those_of_the_last_run,
    tried_software_is_listed,
];
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

/// Applications were tried with every block of the page, as it stands there.
async fn settings_are_those_of_the_last_run() {
    let results = fixtures(RESULTS);
    let tried: BTreeSet<_> = texts(&results["settings"]).into_iter().collect();
    let blocks = APPLICATIONS.split("```").skip(1).step_by(2);
    let shown: BTreeSet<_> = blocks.map(|block| block.split_once('\n').expect("its language").1).collect();
    assert_eq!(shown, tried, "scripts/interop/run has not tried these blocks of applications.md");
}

/// The page is made of the tables and results that say what happened, and of nothing else.
async fn tried_software_is_listed() {
    let results = fixtures(RESULTS);
    let count = |kind: &str| results["cases"][kind].as_array().unwrap().len();
    let row = |cells: [&str; 4]| format!("| {} |\n", cells.join(" | "));
    let mut rows = row(["Software", "Version", "What was tried", "Result"]) + "|---|---|---|---|\n";
    let proxies = written_table("docs/guides/proxies.md", "proxies");
    let seen = "[as seen](../guides/proxies.md#what-the-tests-saw)";
    for (name, version) in proxies.rows()[0][1..].iter().filter_map(|head| head.rsplit_once(' ')) {
        rows += &row([name, version, "its file of `deploy/proxies`, before applications", seen]);
    }
    for (kind, each) in TRIED_WITH_CASES {
        for one in results["rows"][kind].as_array().unwrap() {
            let [name, version, own, result] = texts(one)[..] else { panic!("{one}") };
            rows += &row([name, version, &format!("the {} cases of {each}; {own}", count(kind)), result]);
        }
    }
    for library in results["rows"]["tokens"].as_array().unwrap() {
        let [name, version, eddsa, es256, both] = texts(library)[..] else { panic!("{library}") };
        let tried = format!("verifies {} access tokens, right and wrong ones", count("tokens"));
        let result = format!("`EdDSA`: {eddsa}; ES256: {es256}; ES256 beside a key of the other kind: {both}");
        rows += &row([name, version, &tried, &result]);
    }
    for library in results["rows"]["webhooks"].as_array().unwrap() {
        let [name, version, header, verifies] = texts(library)[..] else { panic!("{library}") };
        let tried = format!("verifies {} webhooks, right and wrong ones, by {header}", count("webhooks"));
        rows += &row([name, version, &tried, verifies]);
    }
    let generators = written_table("docs/reference/api-v2.md", "generators");
    for cells in &generators.rows()[2..] {
        let [name, version, language, openapi] = cells[..] else { panic!("{cells:?}") };
        let tried = format!("a client in {language}, made, compiled and run against the service");
        rows += &row([name, version, &tried, &format!("works, of OpenAPI {openapi}")]);
    }
    for (name, rows) in [("tried", rows), ("cases", cases_table(&results))] {
        let table = written_table("docs/reference/tried-software.md", name);
        if !table.is_blessed(|| rows.clone()) {
            assert_eq!(table.text(), rows.trim(), "DOORWARD_BLESS=1 writes it");
        }
    }
}

/// The cases that the rows of applications and programs count.
fn cases_table(results: &Value) -> String {
    let mut lines = vec!["| Tried with | Case |".to_owned(), "|---|---|".to_owned()];
    for (kind, each) in TRIED_WITH_CASES {
        lines.extend(texts(&results["cases"][kind]).into_iter().map(|case| format!("| {each} | {case} |")));
    }
    lines.join("\n") + "\n"
}
