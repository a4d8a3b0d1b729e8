//! `scripts/release` makes a version only of the tree that is that version.

use crate::harness::TempDir;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

single_run![
    release_refuses_a_version_of_another_tree,
    changelog_names_the_commit_of_each_older_version,
    packages_are_built_by_the_profile_dist,
];

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// A repository with the script, whose last commit is of version 0.3.0.
struct Tree(TempDir);

impl Tree {
    fn new(changelog: &str) -> Self {
        let tree = Self(TempDir::new("release"));
        fs::create_dir(tree.path().join("scripts")).unwrap();
        fs::copy(Path::new(ROOT).join("scripts/release"), tree.path().join("scripts/release")).unwrap();
        fs::write(tree.path().join("Cargo.toml"), "[package]\nname = \"doorward\"\nversion = \"0.3.0\"\n").unwrap();
        tree.git(&["init", "--quiet"]);
        tree.commit(changelog);
        tree
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn git(&self, arguments: &[&str]) -> String {
        let identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"];
        let output = Command::new("git").args(identity).args(arguments).current_dir(self.path()).output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    fn commit(&self, changelog: &str) {
        fs::write(self.path().join("CHANGELOG.md"), changelog).unwrap();
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--message", "Change"]);
    }

    fn check(&self) -> Output {
        Command::new("bash").args(["scripts/release", "--check"]).current_dir(self.path()).output().unwrap()
    }

    fn accept(&self) {
        let output = self.check();
        assert!(output.status.success() && output.stdout == b"0.3.0\n", "{output:?}");
    }

    fn refuse(&self, words: &str) {
        let output = self.check();
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(1) && text.contains(words), "{words}: {output:?}");
    }
}

/// A package with the program of `release` would be larger, slower and without traces, and nothing else would tell.
async fn packages_are_built_by_the_profile_dist() {
    let read = |path: &str| fs::read_to_string(Path::new(ROOT).join(path)).unwrap();
    for path in ["scripts/release", "scripts/image", "deploy/Containerfile"] {
        let text = read(path);
        assert!(text.contains("cargo build --profile dist --locked -p doorward --features otlp"), "{path}");
        assert!(!text.contains("--release") && !text.contains("target/release"), "{path}");
    }
    let manifest = read("Cargo.toml");
    assert!(manifest.contains("\"target/dist/doorward\"") && !manifest.contains("target/release"));
}

const RELEASED: &str = "# Changes\n\n## [Unreleased]\n\n## [0.3.0] - 2026-11-24\n\n### Fixed\n\n- A.\n\n\
    ## [0.2.0] - 2026-11-23\n\nCommit dd782db.\n";

async fn release_refuses_a_version_of_another_tree() {
    let tree = Tree::new(RELEASED);
    tree.accept();
    tree.git(&["tag", "v0.3.0"]);
    tree.accept();
    fs::write(tree.path().join("new"), "x").unwrap();
    tree.refuse("uncommitted changes");
    // What comes later is another version, whether it stands in the change log or not.
    tree.commit(&RELEASED.replace("## [Unreleased]\n", "## [Unreleased]\n\n### Fixed\n\n- B.\n"));
    tree.refuse("unreleased changes");
    tree.commit(RELEASED);
    tree.refuse("the tag v0.3.0 is on");
    let first = tree.git(&["rev-list", "--max-parents=0", "HEAD"]);
    tree.git(&["tag", "--delete", "v0.3.0"]);
    tree.commit(&RELEASED.replace("- 2026-11-24\n", &format!("- 2026-11-24\n\nCommit {first}.\n")));
    tree.refuse(&format!("0.3.0 was made of {first}"));
    tree.commit(&RELEASED.replace("## [0.3.0]", "## [0.4.0] - 2026-12-24\n\n## [0.3.0]"));
    tree.refuse("CHANGELOG.md begins with 0.4.0");
    tree.commit(&RELEASED.replace("0.3.0", "0.2.9"));
    tree.refuse("no line '## [0.3.0]");
}

async fn changelog_names_the_commit_of_each_older_version() {
    let changelog = fs::read_to_string(Path::new(ROOT).join("CHANGELOG.md")).unwrap();
    let versions: Vec<&str> = changelog.split("\n## [").filter(|part| part.starts_with(char::is_numeric)).collect();
    assert!(versions[0].starts_with(env!("CARGO_PKG_VERSION")), "{}", versions[0].lines().next().unwrap());
    for version in &versions[1..] {
        let is_named = version.lines().any(|line| line.starts_with("Commit ") && line.ends_with('.'));
        assert!(is_named, "{}", version.lines().next().unwrap());
    }
}
