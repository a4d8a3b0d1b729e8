//! The messages of errors in the sources of commands, of the start, and of what both call.

use crate::harness::product;
use regex::Regex;
use std::collections::BTreeSet;

/// Whose errors reach the command line.
const SOURCES: [&str; 17] = [
    "src/cli",
    "src/boot",
    "src/service.rs",
    "src/delivery/request.rs",
    "src/domain/account/operator.rs",
    "src/domain/account/recover.rs",
    "src/domain/api_key/manage.rs",
    "src/domain/dev_session.rs",
    "src/domain/keys.rs",
    "src/domain/provider/apply.rs",
    "src/domain/provider/manage.rs",
    "src/mail/smtp/mod.rs",
    "src/refusal.rs",
    "crates/core/src/breached",
    "crates/core/src/crypto/secret_keys.rs",
    "crates/core/src/settings",
    "crates/core/src/store",
];

/// The texts from which errors are made, with `…` in the place of each value, without those that only join others.
pub fn messages() -> BTreeSet<String> {
    let made = Regex::new(
        r#"(?s)(?:(?:Failure|StartError|StoreError)::\w+|Refusal::in_english|#\[error|\.report)\(\s*(?:&?[\w:]+,\s*)?(?:format!\(\s*)?"((?:[^"\\]|\\.)*)""#,
    );
    let named = Regex::new(r"(?:Failure|StartError|StoreError)::\w+\(([A-Z_]+)\.to_owned\(\)\)");
    let (made, named) = (made.unwrap(), named.unwrap());
    let mut found = BTreeSet::new();
    for (path, text) in product::texts(&SOURCES) {
        if path.ends_with("_tests.rs") || path.ends_with("/tests.rs") || path.contains("test_") {
            continue;
        }
        found.extend(made.captures_iter(&text).map(|literal| printed(&literal[1])));
        for name in named.captures_iter(&text) {
            let declared = text.split_once(&format!("const {}: &str =", &name[1]));
            let literal =
                declared.and_then(|(_, rest)| rest.split_once('"')).and_then(|(_, rest)| rest.split_once('"'));
            found.extend(literal.map(|(literal, _)| printed(literal)));
        }
    }
    found.retain(|message| message.contains(char::is_alphabetic));
    found
}

/// A literal as it is printed, up to its first line break.
fn printed(literal: &str) -> String {
    let [continued, value] = [r"\\\n\s*", r"\{[^}]*\}"].map(|pattern| Regex::new(pattern).unwrap());
    let text = continued.replace_all(literal, "").replace("\\\"", "\"");
    value.replace_all(text.split("\\n").next().unwrap(), "…").into_owned()
}
