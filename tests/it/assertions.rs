//! Extracts the examples of docs/guides/behind-the-gate.md, and runs them on assertions of the real gate, and on what is
//! none.

use crate::harness::{Engine, TempDir, python_with_jwt};
use crate::snippets::print_verdicts;
use aws_lc_rs::hmac;
use aws_lc_rs::signature::{Ed25519KeyPair, KeyPair};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::jwk::JwkSet;
use serde_json::{Value, json};

#[path = "assertions/claims_of.rs"]
mod claims_of;

const PAGE: &str = include_str!("../../docs/guides/behind-the-gate.md");
/// What the examples say: where the login is, and which application verifies.
const ISSUER: &str = "https://auth.example.org";
const ORIGIN: &str = "https://app.example.org";
const ANOTHER_ORIGIN: &str = "https://wiki.example.org";
const EMAIL: &str = "ada@example.com";

single_run![rust_verifies];
if_installed![
    Node: node_verifies,
    PyJwt: python_verifies,
    Go: go_verifies,
    Php: php_verifies,
    Ruby: ruby_verifies,
];

async fn rust_verifies() {
    assert_eq!(snippet("rust"), include_str!("assertions/claims_of.rs"), "the page shows what is tested");
    let given = Given::collect().await;
    let keys: JwkSet = serde_json::from_value(json!({ "keys": given.keys })).unwrap();
    for (what, assertion, is_right) in &given.cases {
        let claims = claims_of::claims_of(assertion, &keys);
        assert_eq!(claims.is_some(), *is_right, "{what}");
        if let Some(claims) = claims {
            assert_eq!((claims.sub.len(), claims.email.as_str(), claims.org_id.is_some()), (36, EMAIL, true));
        }
    }
}

async fn node_verifies() {
    let files = [("claims_of.mjs", snippet("js")), ("driver.mjs", include_str!("assertions/driver.mjs"))];
    expect_verdicts(&["node", "driver.mjs"], &folder(&files)).await;
}

async fn python_verifies() {
    let files = [("claims_of.py", snippet("python")), ("driver.py", include_str!("assertions/driver.py"))];
    expect_verdicts(&[python_with_jwt().expect("PyJWT"), "driver.py"], &folder(&files)).await;
}

async fn go_verifies() {
    let program = snippet("go").replacen("package assertions", "package main", 1);
    let files = [("claims_of.go", program.as_str()), ("driver.go", include_str!("assertions/driver.go"))];
    let folder = folder(&files);
    // The compiler may take longer than an assertion lives.
    print_verdicts(&["go", "build", "-o", "verify", "claims_of.go", "driver.go"], folder.path(), &Value::Null);
    let program = folder.path().join("verify").display().to_string();
    expect_verdicts(&[&program], &folder).await;
}

async fn php_verifies() {
    let files = [("claims_of.php", snippet("php")), ("driver.php", include_str!("assertions/driver.php"))];
    expect_verdicts(&["php", "driver.php"], &folder(&files)).await;
}

async fn ruby_verifies() {
    let files = [("claims_of.rb", snippet("ruby")), ("driver.rb", include_str!("assertions/driver.rb"))];
    expect_verdicts(&["ruby", "driver.rb"], &folder(&files)).await;
}

/// The page's only code block in a language.
fn snippet(language: &str) -> &'static str {
    let fence = format!("```{language}\n");
    let mut blocks = PAGE.split(&fence).skip(1);
    let block = blocks.next().expect("a block").split("```").next().expect("its end");
    assert!(blocks.next().is_none(), "one block in {language}");
    block
}

fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = TempDir::new("assertions");
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

/// Fails unless the program prints the address of what is right, and `refused` for all else.
async fn expect_verdicts(command: &[&str], folder: &TempDir) {
    let given = Given::collect().await;
    let assertions: Vec<&str> = given.cases.iter().map(|(_, assertion, _)| assertion.as_str()).collect();
    let input = json!({ "keys": given.keys, "assertions": assertions });
    let printed = print_verdicts(command, folder.path(), &input);
    assert_eq!(printed.lines().count(), given.cases.len(), "{printed}");
    for (line, (what, _, is_right)) in printed.lines().zip(&given.cases) {
        assert_eq!(line, if *is_right { EMAIL } else { "refused" }, "{what}");
    }
}

/// Keys, and what pretends to be an assertion: what it is, the text, and whether it is right.
struct Given {
    keys: Vec<Value>,
    cases: Vec<(&'static str, String, bool)>,
}

impl Given {
    /// Those of a real gate, and those that this test forges with a key of its own beside the gate's.
    async fn collect() -> Self {
        let builder =
            Engine::Sqlite.prepare().await.set("SVC_BASE_URL", ISSUER).set("SVC_COOKIE_DOMAIN", "example.org");
        let builder = builder.set("SVC_RETURN_ORIGINS", format!("{ORIGIN},{ANOTHER_ORIGIN}"));
        let app = builder.set("SVC_TRUSTED_PROXIES", "127.0.0.1").start().await;
        let ada = app.sign_up(EMAIL).await;
        let assertion = async |origin: &str| {
            let call = ada.get("/auth/gate").header("x-original-url", &format!("{origin}/"));
            call.await.expect(200).header("x-svc-assertion").unwrap().to_owned()
        };
        let (right, elsewhere) = (assertion(ORIGIN).await, assertion(ANOTHER_ORIGIN).await);
        let access = ada.token("access").unwrap();
        let set = ada.get("/auth/.well-known/jwks.json").await.expect(200).json();
        let forger = Forger::new(&right);
        let mut keys = set["keys"].as_array().unwrap().clone();
        keys.push(forger.jwk());
        let part = |token: &str, index: usize| token.split('.').nth(index).unwrap().to_owned();
        let mixed = |of: [&str; 3]| [part(of[0], 0), part(of[1], 1), part(of[2], 2)].join(".");
        let mut cases = vec![
            ("an access token", access.clone(), false),
            ("another application's", elsewhere.clone(), false),
            ("with another's claims", mixed([&right, &elsewhere, &right]), false),
            ("with another's signature", mixed([&right, &right, &elsewhere]), false),
            ("with an access token's header", mixed([&access, &right, &right]), false),
            ("without a signature", format!("{}.{}.", part(&right, 0), part(&right, 1)), false),
            ("two parts", format!("{}.{}", part(&right, 0), part(&right, 1)), false),
            ("nothing", String::new(), false),
            ("no token", "no token".to_owned(), false),
        ];
        cases.extend(forger.cases());
        cases.push(("right", right, true));
        Self { keys, cases }
    }
}

/// Signs with a key that the key set names, so that each of its cases is wrong in one thing alone.
struct Forger {
    pair: Ed25519KeyPair,
    claims: Value,
}

impl Forger {
    fn new(right: &str) -> Self {
        let claims = URL_SAFE_NO_PAD.decode(right.split('.').nth(1).unwrap()).unwrap();
        Self { pair: Ed25519KeyPair::generate().unwrap(), claims: serde_json::from_slice(&claims).unwrap() }
    }

    fn jwk(&self) -> Value {
        let x = URL_SAFE_NO_PAD.encode(self.pair.public_key());
        json!({ "kty": "OKP", "crv": "Ed25519", "alg": "EdDSA", "use": "sig", "kid": "forger", "x": x })
    }

    fn forge(&self, headers: &[(&str, Value)], claims: &[(&str, Value)]) -> String {
        let mut header = json!({ "typ": "gate+jwt", "alg": "EdDSA", "kid": "forger" });
        let mut body = self.claims.clone();
        for (target, changes) in [(&mut header, headers), (&mut body, claims)] {
            for (name, value) in changes {
                target[*name] = value.clone();
            }
        }
        let encode = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
        let message = format!("{}.{}", encode(&header), encode(&body));
        let signature = match header["alg"].as_str() {
            Some("none") => String::new(),
            Some("HS256") => {
                let key = hmac::Key::new(hmac::HMAC_SHA256, self.pair.public_key().as_ref());
                URL_SAFE_NO_PAD.encode(hmac::sign(&key, message.as_bytes()))
            }
            _ => URL_SAFE_NO_PAD.encode(self.pair.sign(message.as_bytes())),
        };
        format!("{message}.{signature}")
    }

    fn cases(&self) -> Vec<(&'static str, String, bool)> {
        let second_ago = json!(self.claims["iat"].as_i64().unwrap() - 1);
        vec![
            ("forged without a mistake", self.forge(&[], &[]), true),
            ("typ of an access token", self.forge(&[("typ", json!("at+jwt"))], &[]), false),
            ("typ of any token", self.forge(&[("typ", json!("JWT"))], &[]), false),
            ("no typ", self.forge(&[("typ", Value::Null)], &[]), false),
            ("alg none", self.forge(&[("alg", json!("none"))], &[]), false),
            ("HS256 with the public key", self.forge(&[("alg", json!("HS256"))], &[]), false),
            ("another alg", self.forge(&[("alg", json!("ES256"))], &[]), false),
            ("an unknown key", self.forge(&[("kid", json!("unknown"))], &[]), false),
            ("no key", self.forge(&[("kid", Value::Null)], &[]), false),
            ("expired", self.forge(&[], &[("exp", second_ago)]), false),
            ("never expires", self.forge(&[], &[("exp", Value::Null)]), false),
            ("another issuer", self.forge(&[], &[("iss", json!(ORIGIN))]), false),
            ("another audience", self.forge(&[], &[("aud", json!([ISSUER]))]), false),
            (
                "an audience that begins like ours",
                self.forge(&[], &[("aud", json!([format!("{ORIGIN}.evil")]))]),
                false,
            ),
            ("no audience", self.forge(&[], &[("aud", json!([]))]), false),
        ]
    }
}
