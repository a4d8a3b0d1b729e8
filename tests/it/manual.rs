//! `doorward completions` and `doorward man`.

use crate::harness::{TempDir, run_program};
use std::collections::BTreeMap;
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

async fn every_command_has_a_man_page() {
    let folder = TempDir::new("man");
    let directory = folder.path().join("man1");
    let output = run_program(&["man", directory.to_str().unwrap()], &BTreeMap::new()).await;
    assert_eq!(output.status.code(), Some(0));
    for page in ["doorward.1", "doorward-user-create.1", "doorward-migrate.1"] {
        let text = std::fs::read_to_string(directory.join(page)).unwrap();
        assert!(text.contains(".TH"), "{page}: {text}");
    }
}
