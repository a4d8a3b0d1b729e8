//! `scripts/release` makes a version only of the tree that is that version.

use crate::harness::{TempDir, clients};
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

single_run![
    release_refuses_a_version_of_another_tree,
    release_refuses_files_that_name_another_version,
    changelog_names_the_commit_of_each_older_version,
    packages_are_built_by_the_profile_dist,
    archive_has_the_same_bytes_each_time,
];
if_installed![Clients: client_libraries_have_the_same_bytes_each_time];

const ROOT: &str = env!("CARGO_MANIFEST_DIR");
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A repository with this tree's files that a release is checked by.
struct Tree(TempDir);

impl Tree {
    fn new(changelog: &str) -> Self {
        let tree = Self(TempDir::new("release"));
        let files = ["scripts", "Cargo.toml", "Cargo.lock", "README.md", "deploy", "docs"];
        let mut copy = Command::new("cp");
        copy.arg("--recursive").args(files).arg(tree.path()).current_dir(ROOT);
        assert!(copy.status().unwrap().success());
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
        assert!(output.status.success() && output.stdout == format!("{VERSION}\n").as_bytes(), "{output:?}");
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
    for command in ["cargo cyclonedx", "cargo bundle-licenses"] {
        let script = read("scripts/release");
        let line = script.lines().find(|line| line.contains(command)).unwrap();
        assert!(line.contains("--features otlp"), "what is built is not listed whole: {line}");
    }
    let manifest = read("Cargo.toml");
    assert!(manifest.contains("\"target/dist/doorward\"") && !manifest.contains("target/release"));
}

/// Of a program that says no more than its version: what is packed is as it is of any.
async fn archive_has_the_same_bytes_each_time() {
    let folder = TempDir::new("archive");
    let (program, licenses) = (folder.path().join("program"), folder.path().join("texts"));
    fs::write(&program, format!("#!/bin/sh\necho doorward {VERSION}\n")).unwrap();
    fs::write(&licenses, "MIT\n").unwrap();
    assert!(Command::new("chmod").arg("700").arg(&program).status().unwrap().success());
    let pack = |umask: &str| {
        let script = format!("umask {umask} && exec scripts/archive \"$@\"");
        let mut command = Command::new("sh");
        command.args(["-c", &script, "sh"]).args([&program, &licenses]).arg(folder.path());
        let status = command.current_dir(ROOT).env("SOURCE_DATE_EPOCH", "1234567890").status().unwrap();
        assert!(status.success());
        let file = folder.path().join(format!("doorward-{VERSION}-{}-linux.tar.gz", std::env::consts::ARCH));
        (fs::read(&file).unwrap(), file)
    };
    let (first, _) = pack("077");
    fs::write(&licenses, "MIT\n").unwrap();
    let (second, file) = pack("002");
    assert!(first == second);
    let mut list = Command::new("tar");
    list.args(["--list", "--verbose", "--numeric-owner", "--file"]).arg(file).env("TZ", "UTC");
    let listed = String::from_utf8(list.output().unwrap().stdout).unwrap();
    let [directory, executable, text] = ["drwxr-xr-x", "-rwxr-xr-x", "-rw-r--r--"];
    let expected = [
        (directory, ""),
        (text, "LICENSE"),
        (text, "README.md"),
        (executable, "doorward"),
        (text, "licenses.txt"),
        (text, "llms.txt"),
        (directory, "skills/"),
        (directory, "skills/doorward/"),
        (text, "skills/doorward/SKILL.md"),
        (text, "third-party.md"),
    ];
    let expected = expected.map(|(mode, name)| format!("{mode} 0/0 2009-02-13 23:31 doorward-{VERSION}/{name}"));
    // Without the sizes.
    let listed = listed.lines().map(|line| line.split_whitespace().enumerate().filter(|(column, _)| *column != 2));
    let listed: Vec<String> = listed.map(|words| words.map(|(_, word)| word).collect::<Vec<_>>().join(" ")).collect();
    assert_eq!(listed, expected);
}

/// The change log of this tree as it is when its version is released: nothing is unreleased, and no commit is named yet.
fn released() -> String {
    let changelog = fs::read_to_string(Path::new(ROOT).join("CHANGELOG.md")).unwrap();
    let newest = format!("## [{VERSION}]");
    let (head, rest) = changelog.split_once("## [Unreleased]\n").unwrap();
    let (_, rest) = rest.split_once(&newest).unwrap();
    let (part, older) = rest.split_once("\n## [").unwrap();
    let part: String = part.split_inclusive('\n').filter(|line| !line.starts_with("Commit ")).collect();
    format!("{head}## [Unreleased]\n\n{newest}{part}\n## [{older}")
}

async fn release_refuses_a_version_of_another_tree() {
    let released = &released();
    let heading = format!("## [{VERSION}]");
    let tree = Tree::new(released);
    tree.accept();
    let tag = format!("v{VERSION}");
    tree.git(&["tag", &tag]);
    tree.accept();
    fs::write(tree.path().join("new"), "x").unwrap();
    tree.refuse("uncommitted changes");
    // What comes later is another version, whether it stands in the change log or not.
    tree.commit(&released.replace("## [Unreleased]\n", "## [Unreleased]\n\n### Fixed\n\n- B.\n"));
    tree.refuse("unreleased changes");
    tree.commit(released);
    tree.refuse(&format!("the tag {tag} is on"));
    let first = tree.git(&["rev-list", "--max-parents=0", "HEAD"]);
    tree.git(&["tag", "--delete", &tag]);
    tree.commit(&released.replacen("\n### ", &format!("\nCommit {first}.\n\n### "), 1));
    tree.refuse(&format!("{VERSION} was made of {first}"));
    tree.commit(&released.replace(&heading, &format!("## [99.0.0] - 2026-12-24\n\n{heading}")));
    tree.refuse("CHANGELOG.md begins with 99.0.0");
    tree.commit(&released.replace(&heading, "## [0.2.9]"));
    tree.refuse(&format!("no line '{heading}"));
}

async fn release_refuses_files_that_name_another_version() {
    let released = &released();
    let tree = Tree::new(released);
    for (file, this) in [
        ("README.md", format!("Doorward {VERSION} listens")),
        ("deploy/kubernetes/doorward.yaml", format!("doorward:{VERSION}\n")),
        ("deploy/compose/compose.yaml", format!("doorward:{VERSION}\n")),
        ("docs/start/install.md", format!("doorward_{VERSION}-1_")),
        ("docs/reference/protocol.md", format!("\"version\":\"{VERSION}\"")),
        ("Cargo.lock", format!("name = \"doorward-core\"\nversion = \"{VERSION}\"\n")),
    ] {
        let path = tree.path().join(file);
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(&this), "{file}");
        fs::write(&path, text.replace(&this, &this.replace(VERSION, "0.2.9"))).unwrap();
        tree.commit(released);
        tree.refuse(&format!("{file}:"));
        fs::write(&path, text).unwrap();
        tree.commit(released);
        tree.accept();
    }
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

/// A release has the client libraries as `scripts/clients-pack` packs them, each with its license.
async fn client_libraries_have_the_same_bytes_each_time() {
    let clients = clients().expect("the tools");
    let programs = format!("{clients}/bin:{clients}/python/bin:{}", std::env::var("PATH").unwrap());
    let pack = |umask: &str| {
        let folder = TempDir::new("clients");
        let script = format!("umask {umask} && exec scripts/clients-pack \"$1\"");
        let mut command = Command::new("sh");
        command.args(["-c", &script, "sh"]).arg(folder.path()).current_dir(ROOT).env("PATH", &programs);
        let output = command.env("SOURCE_DATE_EPOCH", "1234567890").output().unwrap();
        assert!(output.status.success(), "{output:?}");
        let read = |entry: std::io::Result<fs::DirEntry>| {
            let path = entry.unwrap().path();
            (path.file_name().unwrap().to_owned().into_string().unwrap(), fs::read(path).unwrap())
        };
        fs::read_dir(folder.path()).unwrap().map(read).collect::<std::collections::BTreeMap<_, _>>()
    };
    let (first, second) = (pack("077"), pack("002"));
    let names = ["-py3-none-any.whl", ".tar.gz", ".tgz"].map(|end| format!("doorward-{VERSION}{end}"));
    let names: Vec<String> = names.into_iter().chain([format!("doorward-go-{VERSION}.tar.gz")]).collect();
    assert_eq!(first.keys().cloned().collect::<Vec<_>>(), names);
    let changed: Vec<&String> =
        first.iter().filter(|(name, bytes)| second[*name] != **bytes).map(|(name, _)| name).collect();
    assert!(changed.is_empty(), "{changed:?}");
}
