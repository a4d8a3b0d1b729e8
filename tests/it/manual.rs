//! `doorward completions` and `doorward man`.

use crate::harness::{TempDir, run_program};
use regex::Regex;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

single_run![bash_completes_commands_and_options, every_shell_has_a_script, every_command_has_a_man_page];

async fn script(shell: &str) -> String {
    let output = run_program(&["completions", shell], &BTreeMap::new()).await;
    assert_eq!(output.status.code(), Some(0), "{shell}");
    String::from_utf8(output.stdout).unwrap()
}

/// What bash offers for the last of these words, which follows the others.
fn offered(script: &Path, words: &[&str]) -> String {
    let program = r#"source "$0"; COMP_WORDS=(doorward "$@"); COMP_CWORD=$#; _doorward doorward "${@: -1}"
        printf '%s\n' "${COMPREPLY[@]}""#;
    let output = Command::new("bash").arg("-c").arg(program).arg(script).args(words).output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

async fn bash_completes_commands_and_options() {
    let folder = TempDir::new("completions");
    let path = folder.path().join("doorward.bash");
    std::fs::write(&path, script("bash").await).unwrap();
    for (words, expected) in
        [([""].as_slice(), "serve"), (&["user", "cr"], "create"), (&["migrate", "--d"], "--dry-run")]
    {
        let offered = offered(&path, words);
        assert!(offered.lines().any(|word| word == expected), "{words:?}: {offered}");
    }
}

async fn every_shell_has_a_script() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        assert!(script(shell).await.contains("set-password"), "{shell}");
    }
}

/// The names of options and variables in a text.
fn options(text: &str) -> BTreeSet<&str> {
    let names = Regex::new("--[a-z][a-z-]+|SVC_[A-Z_]+").unwrap();
    names.find_iter(text).map(|name| name.as_str()).collect()
}

async fn every_command_has_a_man_page() {
    let folder = TempDir::new("man");
    let directory = folder.path().join("man1");
    let output = run_program(&["man", directory.to_str().unwrap()], &BTreeMap::new()).await;
    assert_eq!(output.status.code(), Some(0));
    for (page, help) in [
        ("doorward.1", ["--help"].as_slice()),
        ("doorward-serve.1", &["serve", "--help"]),
        ("doorward-user-create.1", &["user", "create", "--help"]),
        ("doorward-migrate.1", &["migrate", "--help"]),
    ] {
        let text = std::fs::read_to_string(directory.join(page)).unwrap();
        assert!(text.contains(".TH"), "{page}: {text}");
        let help = run_program(help, &BTreeMap::new()).await;
        let help = String::from_utf8(help.stdout).unwrap();
        let expected = options(&help);
        assert!(!expected.is_empty());
        // A hyphen is escaped there.
        assert_eq!(options(&text.replace("\\-", "-")), expected, "{page}");
    }
}
