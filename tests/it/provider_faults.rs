//! What is wrong at a provider, or with who comes from there: one sentence for the person, its cause in one line of the
//! log, and a limit on what strangers can begin.

use crate::harness::{Client, Engine, PASSWORD, Process, ScriptedProvider, eventually, run_program};
use crate::provider_logins::{Stage, is_logged_in, people, return_path_of};
use doorward::domain::provider::fields::ProviderFields;
use reqwest::Method;

one_engine![starts_of_one_network_are_limited_and_leave_few_rows,];
single_run![each_fault_is_one_sentence_and_one_line_of_the_log];

/// Each fault of the scripted provider, and what the line of the log says.
const FAULTS: [(&str, &str); 18] = [
    ("issuer", "of the issuer"),
    ("issuer-slash", "issuer"),
    ("audience", "for another client id"),
    ("azp", "to another client id"),
    ("nonce", "nonce of another login"),
    ("alg-none", "none"),
    ("alg-hs256", "HS256"),
    ("expired", "has expired"),
    ("future", "in the future"),
    ("unknown-key", "key"),
    ("two-keys", "key"),
    ("iss-parameter", "which is another provider's"),
    ("token-hangs", "a token cannot be had"),
    ("token-redirects", "status 303"),
    ("token-huge", "larger than"),
    ("token-html", "no JSON"),
    ("userinfo-subject", "about another person"),
    ("down", "cannot be had"),
];

fn reference(page: &str) -> &str {
    let (_, rest) = page.split_once("Reference: ").unwrap_or_else(|| panic!("no reference: {page}"));
    rest.split(['.', '<', '\n', ' ']).next().unwrap()
}

async fn each_fault_is_one_sentence_and_one_line_of_the_log() {
    let builder = Engine::Sqlite.prepare().await;
    let process = Process::start(builder.variables()).await;
    builder.anonymous().sign_up("grace@example.com").await.expect(303);
    for (fault, cause) in FAULTS {
        let provider = ScriptedProvider::with_fault(fault).await;
        let secret = builder.folder().join("secret");
        std::fs::write(&secret, &provider.client_secret).unwrap();
        let add = ["provider", "add", fault, "--kind", "oidc", "--issuer", &provider.issuer, "--client-id"];
        let add = [&add[..], &[&provider.client_id, "--client-secret-file", secret.to_str().unwrap()]].concat();
        let added = run_program(&add, builder.variables()).await;
        assert!(added.status.success(), "{fault}: {}", String::from_utf8_lossy(&added.stderr));
        let browser = builder.anonymous();
        let start = format!("/auth/login/with/{fault}?login_hint=ada");
        let begun = async || {
            let reply = browser.get(&start).await;
            (reply.status != 404).then_some(reply)
        };
        let begun = eventually("the provider is known", begun).await;
        let refused = if begun.status == 303 {
            let fields = provider.visit(begun.location()).await;
            browser.get(&return_path_of(fault, &fields)).await
        } else {
            begun
        };
        assert!([401, 503].contains(&refused.status) && !is_logged_in(&browser), "{fault}: {refused}");
        let page = refused.text();
        let reference = reference(&page).to_owned();
        assert_eq!(reference.len(), 8, "{fault}: {reference}");
        let line = async || process.stderr().lines().find(|line| line.contains(&reference)).map(str::to_owned);
        let line = eventually("the line of the log", line).await;
        assert!(line.contains(" WARN ") && line.contains(cause), "{fault}: {line}");
        assert!(!line.contains(&provider.client_secret), "{fault}: {line}");
        let said = line.split_once("refused: ").unwrap().1.split(" provider=").next().unwrap();
        assert!(!page.contains(said), "{fault}: {page}");
        assert_eq!(process.stderr().matches(&reference).count(), 1, "{fault}");
    }
    // All other logins go on.
    builder.anonymous().log_in("grace@example.com", PASSWORD).await.expect(303);
    assert_eq!(builder.database().count("SELECT COUNT(*) FROM identities").await, 0);
}

async fn begin(browser: &Client) -> u16 {
    browser.get("/auth/login/with/dev").await.status
}

async fn starts_of_one_network_are_limited_and_leave_few_rows(engine: Engine) {
    let stage = Stage::with(engine.prepare().await, people(true), ProviderFields::default()).await;
    stage.app.sign_up("grace@example.com").await;
    let stranger = stage.app.anonymous();
    let mut begun = 0;
    while begin(&stranger).await == 303 {
        begun += 1;
        assert!(begun < 200, "strangers begin logins without end");
    }
    for _ in 0..20 {
        assert_eq!(begin(&stage.app.anonymous()).await, 429, "of one network, whatever the browser");
    }
    let rows = "SELECT COUNT(*) FROM foreign_logins";
    assert_eq!(stage.app.database().count(rows).await, begun);
    // A request that only looks begins nothing.
    stranger.call(Method::HEAD, "/auth/login/with/dev").await.expect(405);
    assert_eq!(stage.app.database().count(rows).await, begun);
    stage.app.anonymous().log_in("grace@example.com", PASSWORD).await.expect(303);
}
