//! Extracts the signature verification examples of docs/guides/webhooks.md and runs them on requests of the real
//! program, unchanged and tampered with.

use crate::harness::{Received, Receiver, TempDir, run_program};
use aws_lc_rs::hmac;
use base64::prelude::{BASE64_STANDARD, Engine};
use doorward::clock::Clock;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

#[path = "snippets/verify.rs"]
#[expect(clippy::disallowed_methods, clippy::format_collect, reason = "as short as an integrator wants it")]
mod verify;

const PAGE: &str = include_str!("../../docs/guides/webhooks.md");
const SECRET: &str = "what both sides know";
const ENCODED: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const UNPADDED: &str = "whsec_c2l4dGVlbiBieXRlcyEhIQ";

single_run![rust_verifies];
if_installed![
    Node: node_verifies,
    Python: python_verifies,
    Go: go_verifies,
    Php: php_verifies,
    Ruby: ruby_verifies,
];

async fn rust_verifies() {
    assert_eq!(snippet("rust"), include_str!("snippets/verify.rs"), "the page shows what is tested");
    for case in cases().await {
        let signature = verify::is_genuine(&case.secret, &case.body, &case.signature);
        let standard =
            verify::is_genuine_and_fresh(&case.secret, &case.body, &case.id, &case.timestamp, &case.signatures);
        assert_eq!((signature, standard), case.expected, "{}", case.what);
    }
}

async fn node_verifies() {
    let files = [("verify.mjs", snippet("js")), ("driver.mjs", include_str!("snippets/driver.mjs"))];
    expect_verdicts(&["node", "driver.mjs"], &files).await;
}

async fn python_verifies() {
    let files = [("verify.py", snippet("python")), ("driver.py", include_str!("snippets/driver.py"))];
    expect_verdicts(&["python3", "driver.py"], &files).await;
}

async fn go_verifies() {
    let program = snippet("go").replacen("package webhooks", "package main", 1);
    let files = [("verify.go", program.as_str()), ("driver.go", include_str!("snippets/driver.go"))];
    expect_verdicts(&["go", "run", "verify.go", "driver.go"], &files).await;
}

async fn php_verifies() {
    let files = [("verify.php", snippet("php")), ("driver.php", include_str!("snippets/driver.php"))];
    expect_verdicts(&["php", "driver.php"], &files).await;
}

async fn ruby_verifies() {
    let files = [("verify.rb", snippet("ruby")), ("driver.rb", include_str!("snippets/driver.rb"))];
    expect_verdicts(&["ruby", "driver.rb"], &files).await;
}

/// The page's only code block in a language.
fn snippet(language: &str) -> &'static str {
    let fence = format!("```{language}\n");
    let mut blocks = PAGE.split(&fence).skip(1);
    let block = blocks.next().expect("a block").split("```").next().expect("its end");
    assert!(blocks.next().is_none(), "one block in {language}");
    block
}

/// Fails unless the program, which prints a line per case, has the expected verdicts.
async fn expect_verdicts(command: &[&str], files: &[(&str, &str)]) {
    let folder = TempDir::new("snippet");
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let cases = cases().await;
    let printed = print_verdicts(command, folder.path(), &cases.iter().map(Case::json).collect());
    let actual: Vec<(bool, bool)> = printed.lines().map(verdicts).collect();
    assert_eq!(actual.len(), cases.len(), "{printed}");
    for (case, actual) in cases.iter().zip(actual) {
        assert_eq!(actual, case.expected, "{}", case.what);
    }
}

fn verdicts(line: &str) -> (bool, bool) {
    let (signature, standard) = line.split_once(' ').expect("two words");
    (signature.parse().expect("true or false"), standard.parse().expect("true or false"))
}

/// What a program prints that runs in a folder and is given `cases`.
pub fn print_verdicts(command: &[&str], folder: &Path, cases: &Value) -> String {
    let mut child = Command::new(command[0])
        .args(&command[1..])
        .current_dir(folder)
        .env("GO111MODULE", "off")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().expect("its input").write_all(cases.to_string().as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// A request and the expected verdicts on its two signatures.
#[derive(Clone)]
struct Case {
    what: &'static str,
    secret: String,
    body: Vec<u8>,
    signature: String,
    id: String,
    timestamp: String,
    signatures: String,
    expected: (bool, bool),
}

impl Case {
    /// A request just received, for a receiver with this secret.
    fn of(what: &'static str, request: &Received, secret: &str, expected: (bool, bool)) -> Self {
        let header = |name: &str| request.header(name).expect("every header").to_owned();
        Self {
            what,
            secret: secret.to_owned(),
            body: request.body.clone(),
            signature: header("x-svc-signature"),
            id: header("webhook-id"),
            timestamp: header("webhook-timestamp"),
            signatures: header("webhook-signature"),
            expected,
        }
    }

    fn changed(&self, what: &'static str, expected: (bool, bool), change: impl FnOnce(&mut Self)) -> Self {
        let mut case = Self { what, expected, ..self.clone() };
        change(&mut case);
        case
    }

    /// Replaces both signatures, with a timestamp of this age.
    fn sign(&mut self, age_seconds: i64) {
        self.timestamp = (Clock::system().now().as_seconds() - age_seconds).to_string();
        let message = [format!("{}.{}.", self.id, self.timestamp).as_bytes(), &self.body].concat();
        let key = hmac::Key::new(hmac::HMAC_SHA256, self.secret.as_bytes());
        self.signatures = format!("v1,{}", BASE64_STANDARD.encode(hmac::sign(&key, &message)));
        let mac = hmac::sign(&key, &self.body);
        let hex: Vec<String> = mac.as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
        self.signature = format!("sha256={}", hex.concat());
    }

    fn json(&self) -> Value {
        json!({
            "secret": self.secret,
            "body": BASE64_STANDARD.encode(&self.body),
            "signature": self.signature,
            "id": self.id,
            "timestamp": self.timestamp,
            "signatures": self.signatures,
        })
    }
}

async fn cases() -> Vec<Case> {
    let plain = request(&[("SVC_WEBHOOK_SECRET", SECRET)]).await;
    let encoded = request(&[("SVC_WEBHOOK_SECRET", ENCODED)]).await;
    let unpadded = request(&[("SVC_WEBHOOK_SECRET", UNPADDED)]).await;
    let during_change = request(&[("SVC_WEBHOOK_SECRET", ENCODED), ("SVC_WEBHOOK_SECRET_PREVIOUS", SECRET)]).await;
    let right = Case::of("right", &plain, SECRET, (true, true));
    let neither = (false, false);
    let mut all = vec![
        Case::of("a secret in base64", &encoded, ENCODED, (true, true)),
        Case::of("a secret in base64 without padding", &unpadded, UNPADDED, (true, true)),
        Case::of("another secret", &plain, "an unrelated secret", neither),
        Case::of("the new one of two secrets", &during_change, ENCODED, (true, true)),
        Case::of("the old one of two secrets", &during_change, SECRET, (false, true)),
        Case::of("none of two secrets", &during_change, UNPADDED, neither),
        right.changed("a changed body", neither, |case| case.body.push(b' ')),
        right.changed("a changed id", (true, false), |case| case.id.push('0')),
        right.changed("no headers", neither, |case| {
            for header in [&mut case.signature, &mut case.id, &mut case.timestamp, &mut case.signatures] {
                header.clear();
            }
        }),
        right.changed("signatures without their prefixes", neither, |case| {
            case.signature = case.signature.replace("sha256=", "");
            case.signatures = case.signatures.replace("v1,", "");
        }),
        right.changed("the beginning of each signature", neither, |case| {
            case.signature.truncate(20);
            case.signatures.truncate(20);
        }),
        right.changed("signatures that are not ASCII", neither, |case| {
            "sha256=ÿ€".clone_into(&mut case.signature);
            "v1,ÿ€ v1,".clone_into(&mut case.signatures);
        }),
        right.changed("another signature before and after", (true, true), |case| {
            case.signatures = format!("v1a,c29tZXRoaW5nIGVsc2U= {} v2,eA==", case.signatures);
        }),
        right.changed("a body that is not UTF-8", (true, true), |case| {
            case.body = vec![0, b'\n', 0xff, 0xc3, 0x28, b'\r', b'\n'];
            case.sign(0);
        }),
        right.changed("a little old", (true, true), |case| case.sign(200)),
        right.changed("too old", (true, false), |case| case.sign(400)),
        right.changed("from the future", (true, false), |case| case.sign(-400)),
    ];
    for timestamp in ["", "now", "-1", "1e9", "99999999999999999999999999"] {
        all.push(
            right.changed("an invalid timestamp", (true, false), |case| timestamp.clone_into(&mut case.timestamp)),
        );
    }
    all.push(right);
    all
}

/// A request that the real program sends with these settings.
async fn request(variables: &[(&str, &str)]) -> Received {
    let receiver = Receiver::start().await;
    let mut all = BTreeMap::from([("SVC_WEBHOOK_URL".to_owned(), receiver.url())]);
    all.extend(variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
    let output = run_program(&["webhooks", "ping"], &all).await;
    assert!(output.status.success(), "{output:?}");
    receiver.received().pop().expect("a request")
}
