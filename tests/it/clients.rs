//! The client libraries of `clients`, each by its own checks and stories, against this build of the service.
//! `scripts/clients` brings their languages.

use crate::harness::{Need, TempDir, clients};
use serde_json::Value;
use std::collections::BTreeSet;
use std::process::Command;
use tokio::sync::Mutex;

single_run![committed_cases_have_their_format];
if_installed![
    Clients: javascript_library_judges_every_case,
    Clients: python_library_judges_every_case,
    Clients: javascript_stories_pass,
    Clients: python_stories_pass,
    Clients: go_library_judges_every_case_and_passes_its_stories,
    Clients: javascript_package_is_sound,
    Clients: browser_library_is_small,
];

const ROOT: &str = env!("CARGO_MANIFEST_DIR");
/// Of the stories of a library: they keep both processors busy, and some bound how long an answer takes.
static TURN: Mutex<()> = Mutex::const_new(());
/// Bytes of `browser.js`, minified and gzipped.
const MAX_BROWSER_BYTES: usize = 4_000;

const TOKEN_MEMBERS: [&str; 6] = ["expect", "id", "jwks", "now", "options", "token"];
const TOKEN_ANSWER: [&str; 5] = ["ok", "org_id", "org_role", "roles", "sub"];
const TOKEN_ERRORS: [&str; 10] =
    ["algorithm", "audience", "expired", "issuer", "key", "malformed", "not_yet", "signature", "typ", "unavailable"];
const WEBHOOK_MEMBERS: [&str; 7] = ["body", "expect", "headers", "id", "now", "secrets", "seen"];
const WEBHOOK_ANSWER: [&str; 3] = ["event", "ok", "type"];
const WEBHOOK_ERRORS: [&str; 4] = ["malformed", "replay", "signature", "timestamp"];

async fn javascript_library_judges_every_case() {
    Checkout::new().run("python conformance/check -- node javascript/conformance.mjs").await;
}

async fn python_library_judges_every_case() {
    Checkout::new().run("PYTHONPATH=python python conformance/check -- python -m doorward.conformance").await;
}

async fn javascript_stories_pass() {
    if !Need::Browser.is_met() {
        return;
    }
    let _turn = TURN.lock().await;
    Checkout::new().run("cd javascript && npm test").await;
}

async fn python_stories_pass() {
    let _turn = TURN.lock().await;
    Checkout::new().run("cd python && python -m pytest -q -p no:cacheprovider && black --check --quiet .").await;
}

/// In one test, as most of it is compilation. The cases are judged by a program, as `check` has a time limit.
async fn go_library_judges_every_case_and_passes_its_stories() {
    let checkout = Checkout::new();
    checkout.run(&format!("cp -r {}/go-cache ..", checkout.tools)).await;
    checkout.run("go build -C go -o judge ./conformance && python conformance/check -- go/judge").await;
    let _turn = TURN.lock().await;
    // `gofmt` fails by what it prints.
    checkout.run("cd go && test -z \"$(gofmt -l .)\" && go vet ./... && go test -count=1 ./...").await;
}

async fn javascript_package_is_sound() {
    let checkout = Checkout::new();
    checkout.run("cd javascript && npm run check && publint run --strict && attw --pack").await;
    checkout.run("prettier --check --print-width 120 'javascript/**/*.{js,mjs,ts}'").await;
}

async fn browser_library_is_small() {
    let line = "esbuild --bundle --format=esm --minify javascript/browser.js | gzip -9 | wc -c";
    let bytes: usize = Checkout::new().run(line).await.trim().parse().unwrap();
    assert!(bytes <= MAX_BROWSER_BYTES, "browser.js has {bytes} bytes");
}

/// A copy of `clients`, where programs may write, with the packages of npm beside it.
struct Checkout {
    folder: TempDir,
    tools: String,
}

impl Checkout {
    fn new() -> Self {
        let (folder, tools) = (TempDir::new("clients"), clients().expect("the tools"));
        let script = "mkdir -p docs/reference && cp -r \"$0/clients\" . && \
            cp -r \"$0/docs/reference/events\" docs/reference && ln -s \"$1/node_modules\" .";
        let copy = Command::new("sh").args(["-c", script, ROOT, &tools]).current_dir(folder.path()).status();
        assert!(copy.unwrap().success());
        Self { folder, tools }
    }

    /// Runs a line of a shell in `clients`, which succeeds, and returns what it prints.
    async fn run(&self, line: &str) -> String {
        let tools = &self.tools;
        let path = std::env::var("PATH").unwrap();
        let path = format!("{tools}/bin:{tools}/node_modules/.bin:{tools}/python/bin:{path}");
        let mut shell = Command::new("sh");
        shell
            .args(["-c", line])
            .current_dir(self.folder.path().join("clients"))
            .env("PATH", path)
            .env("DOORWARD_BIN", env!("CARGO_BIN_EXE_doorward"))
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .env("CGO_ENABLED", "0")
            .env("GOCACHE", self.folder.path().join("go-cache"))
            .env("GOPROXY", "off")
            .env("GOTOOLCHAIN", "local");
        let output = tokio::task::spawn_blocking(move || shell.output().unwrap()).await.unwrap();
        let [printed, errors] =
            [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        assert!(output.status.success(), "{line}: {printed}\n{errors}");
        printed
    }
}

fn read(name: &str) -> Value {
    let text = std::fs::read(format!("{ROOT}/clients/conformance/{name}.json")).unwrap();
    serde_json::from_slice(&text).unwrap()
}

/// What each kind of case has, and that `about.json` describes each of them once.
async fn committed_cases_have_their_format() {
    let mut described: BTreeSet<String> = read("about").as_object().unwrap().keys().cloned().collect();
    for (kind, members, answer, errors) in [
        ("verify", &TOKEN_MEMBERS[..], &TOKEN_ANSWER[..], &TOKEN_ERRORS[..]),
        ("gate", &TOKEN_MEMBERS[..], &TOKEN_ANSWER[..], &TOKEN_ERRORS[..]),
        ("webhooks", &WEBHOOK_MEMBERS[..], &WEBHOOK_ANSWER[..], &WEBHOOK_ERRORS[..]),
    ] {
        let file = read(kind);
        assert_eq!((names(&file), &file["version"]), (vec!["cases", "version"], &Value::from(1)), "{kind}");
        let mut seen = BTreeSet::new();
        for case in file["cases"].as_array().unwrap() {
            assert_eq!(names(case), members, "{case}");
            assert!(described.remove(case["id"].as_str().unwrap()), "undescribed, or twice: {case}");
            let expected = &case["expect"];
            let error = expected["error"].as_str();
            assert_eq!(expected["ok"], error.is_none(), "{case}");
            assert_eq!(names(expected), if error.is_some() { &["error", "ok"][..] } else { answer }, "{case}");
            seen.extend(error.map(str::to_owned));
        }
        assert_eq!(seen.iter().collect::<Vec<_>>(), errors, "{kind} has a case of each error");
    }
    assert!(described.is_empty(), "described, but no case: {described:?}");
}

fn names(value: &Value) -> Vec<&str> {
    let mut names: Vec<_> = value.as_object().unwrap().keys().map(String::as_str).collect();
    names.sort_unstable();
    names
}
