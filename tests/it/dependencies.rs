//! The weight of what others wrote. What is permitted of it stands in `deny.toml`, which `scripts/dependencies` checks.

use std::collections::BTreeSet;
use std::process::Command;

single_run![build_compiles_no_more_crates];

/// Crates of others that a build for x86-64 Linux compiles, build scripts and macros included: from the source, and for a
/// package. They only go down, unless the commit that raises one says what the new crate buys.
const CRATES: [(&str, usize); 2] = [("", 349), ("otlp", 363)];

async fn build_compiles_no_more_crates() {
    for (features, expected) in CRATES {
        let others = crates_of_others(features);
        assert_eq!(others.len(), expected, "{features}: {others:#?}");
    }
}

fn crates_of_others(features: &str) -> BTreeSet<String> {
    let arguments = ["tree", "--locked", "--package", "doorward", "--edges", "normal,build", "--prefix", "none"];
    let mut cargo = Command::new(option_env!("CARGO").unwrap_or("cargo"));
    cargo.args(arguments).args(["--features", features, "--target", "x86_64-unknown-linux-gnu", "--format", "{p}"]);
    let output = cargo.current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let tree = String::from_utf8(output.stdout).unwrap();
    let name_and_version = |line: &str| line.split_whitespace().take(2).collect::<Vec<_>>().join(" ");
    let crates = tree.lines().filter(|line| !line.is_empty()).map(name_and_version);
    crates.filter(|name| !name.starts_with("doorward")).collect()
}
