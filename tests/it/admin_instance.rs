//! Administrators see API keys, providers and settings (docs/reference/administration.md).

use crate::harness::{Client, Engine, Reply, TestApp, act, first_column, run_program, someone_with};
use serde_json::Value;
use std::collections::BTreeSet;

one_engine![
    api_keys_are_shown_and_revoked,
    providers_are_shown_without_their_secrets,
    settings_are_shown_with_their_source_and_without_secrets,
];

const REASON: (&str, &str) = ("reason", "leaked in a log");
const KEYS: &str = "/auth/admin/api-keys";
const PROVIDERS: &str = "/auth/admin/providers";
const SETTINGS: &str = "/auth/admin/settings";

async fn doorward(app: &TestApp, arguments: &[&str]) -> Value {
    let output = run_program(&[&["--json"], arguments].concat(), app.variables()).await;
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

async fn with_both(engine: Engine) -> (TestApp, Client, Client) {
    let app = engine.app().await;
    let (admin, auditor) = (someone_with(&app, "admin").await, someone_with(&app, "auditor").await);
    (app, admin, auditor)
}

async fn api_keys_are_shown_and_revoked(engine: Engine) {
    let (app, admin, auditor) = with_both(engine).await;
    admin.get(KEYS).await.snapshot("admin/api_keys_none");
    app.anonymous().get(KEYS).await.snapshot("admin/api_keys_logged_out");
    let made = doorward(&app, &["api-key", "create", "backend", "--scope", "users:read"]).await;
    let (id, key) = ("0123456789abcdef", made["key"].as_str().unwrap());
    app.database().execute(&format!("UPDATE api_keys SET id = '{id}'")).await;
    let path = format!("{KEYS}/{id}/revoke");
    assert_eq!(first_column(&admin.get(KEYS).await), ["backend"]);
    let shown = auditor.get(KEYS).await.expect(200).text();
    assert!(!shown.contains(key) && !shown.contains("/revoke"), "{shown}");
    admin.get(&path).await.snapshot("admin/api_key_revoke_form");
    auditor.get(&path).await.snapshot("admin/api_key_revoke_form_refused");
    auditor.post_form(&path, &[REASON]).await.snapshot("admin/api_key_revoke_refused");
    act(&admin, &path, &[REASON]).await.snapshot("admin/api_key_revoke_done");
    assert!(admin.get(KEYS).await.text().contains("Revoked"));
    let entry = "SELECT count(*) FROM audit WHERE kind = 'api_key_revoked' AND fields LIKE '%leaked in a log%'";
    assert_eq!(app.database().count(entry).await, 1);
    for none in ["fedcba9876543210", "nothing", "%00", "1"] {
        admin.get(&format!("{KEYS}/{none}/revoke")).await.expect(404);
    }
}

async fn providers_are_shown_without_their_secrets(engine: Engine) {
    let (app, admin, auditor) = with_both(engine).await;
    admin.get(PROVIDERS).await.snapshot("admin/providers_none");
    app.anonymous().get(PROVIDERS).await.snapshot("admin/providers_logged_out");
    let file = "tests/it/commands/providers/client.secret";
    let new = ["provider", "add", "google", "--client-id", "the-client", "--client-secret-file", file];
    doorward(&app, &new).await;
    let secret = std::fs::read_to_string(file).unwrap();
    let shown = auditor.get(PROVIDERS).await.expect(200).text();
    assert!(shown.contains("the-client") && shown.contains("/auth/login/with/google/return"), "{shown}");
    assert!(!shown.contains(secret.trim()), "{shown}");
}

async fn settings_are_shown_with_their_source_and_without_secrets(engine: Engine) {
    let builder = engine.prepare().await.set("SVC_BRAND_NAME", "Crew").set("SVC_MAIL_FROM", "crew@example.com");
    let app = builder.set("SVC_SMTP_URL", "smtp://ada:opensesame@127.0.0.1:9").start().await;
    let (admin, auditor) = (someone_with(&app, "admin").await, someone_with(&app, "auditor").await);
    app.anonymous().get(SETTINGS).await.snapshot("admin/settings_logged_out");
    let shown = auditor.get(SETTINGS).await.expect(200);
    let config = doorward(&app, &["config"]).await;
    let variables: Vec<&str> =
        config["settings"].as_array().unwrap().iter().map(|setting| setting["variable"].as_str().unwrap()).collect();
    let listed = |reply: &Reply| BTreeSet::from_iter(first_column(reply));
    let printed: BTreeSet<String> = variables.iter().map(|variable| (*variable).to_owned()).collect();
    assert_eq!(listed(&shown), printed, "what `doorward config` prints");
    assert_eq!(listed(&admin.get(SETTINGS).await), printed);
    // What was set comes first, and the rest opens.
    let set = first_column(&shown).iter().position(|variable| variable == "SVC_BRAND_NAME").unwrap();
    let is_default = shown.text().split("<details").nth(2).is_some_and(|rest| !rest.contains(">SVC_BRAND_NAME<"));
    assert!(set < 20 && is_default, "{set}");
    let text = shown.text();
    assert!(text.contains("Environment") && text.contains("Default"), "{text}");
    assert!(!text.contains("opensesame"), "{text}");
    let key = &app.variables()["SVC_SECRET_KEY"];
    assert!(!text.contains(key.as_str()), "the secret key");
}
