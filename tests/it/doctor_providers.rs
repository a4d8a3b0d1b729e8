//! `doorward doctor` and `doorward provider check` examine the providers that people log in with: the same findings.

use crate::doctor::doctor;
use crate::harness::{Engine, ScriptedProvider, TempDir, TestApp, begin, free_port, run_program};
use doorward::crypto::scripted_token::ScriptedKey;
use doorward::crypto::seal::SealContext;
use doorward::model::finding::FindingCode;
use doorward::model::provider::ProviderName;
use serde_json::{Value, json};
use std::fs;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

one_engine![provider_without_a_fault_is_well, planted_faults_of_providers_are_found,];

async fn add(app: &TestApp, name: &str, secret: &str, options: &[&str]) {
    let folder = TempDir::new("secret");
    let file = folder.path().join("secret");
    fs::write(&file, secret).unwrap();
    let file = file.display().to_string();
    let arguments = ["provider", "add", name, "--client-secret-file", &file];
    let output = run_program(&[&arguments, options].concat(), app.variables()).await;
    assert!(output.status.success(), "{output:?}");
}

async fn add_scripted(app: &TestApp, name: &str, provider: &ScriptedProvider, secret: &str) {
    let options = ["--kind", "oidc", "--issuer", &provider.issuer, "--client-id", &provider.client_id];
    add(app, name, secret, &options).await;
}

async fn check(app: &TestApp, name: &str) -> Value {
    let output = run_program(&["provider", "check", name, "--json"], app.variables()).await;
    let checked: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"));
    assert_eq!(checked["healthy"], output.status.success(), "{output:?}");
    checked
}

async fn provider_without_a_fault_is_well(engine: Engine) {
    let (app, provider) = (engine.app().await, ScriptedProvider::start().await);
    add_scripted(&app, "dev", &provider, &provider.client_secret).await;
    let checked = check(&app, "dev").await;
    let base = app.app.settings.server.base_url.as_str();
    assert_eq!(checked["redirect_uri"], format!("{base}/auth/login/with/dev/return"));
    let of_doctor = doctor(app.variables()).await.checks;
    let of_providers: Vec<&Value> = of_doctor.iter().filter(|line| line["check"] == "providers").collect();
    assert_eq!(json!(of_providers), checked["checks"], "one examination for both");
    assert!(of_providers.len() == 2 && of_providers.iter().all(|line| line["state"] == "ok"), "{of_providers:?}");
}

/// A provider without PKCE in its metadata, whose clock stands, and which takes every client.
async fn odd_provider() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let origin = format!("http://{}", listener.local_addr().unwrap());
    let metadata = json!({
        "issuer": origin, "authorization_endpoint": format!("{origin}/authorize"),
        "token_endpoint": format!("{origin}/token"), "jwks_uri": format!("{origin}/keys"),
    });
    let keys = json!({"keys": [ScriptedKey::generate().unwrap().jwk()]});
    tokio::spawn(async move {
        loop {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut request = vec![0; 8192];
            let length = stream.read(&mut request).await.unwrap();
            let request = String::from_utf8_lossy(&request[..length]).into_owned();
            let (status, body) = match request.split(' ').nth(1) {
                Some("/token") => ("400 Bad Request", json!({"error": "invalid_grant"})),
                Some("/keys") => ("200 OK", keys.clone()),
                _ => ("200 OK", metadata.clone()),
            };
            let body = body.to_string();
            let head = format!(
                "HTTP/1.1 {status}\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\nContent-Length: {}\r\n\
                 Connection: close\r\n\r\n",
                body.len()
            );
            let _ = stream.write_all(format!("{head}{body}").as_bytes()).await;
        }
    });
    origin
}

async fn planted_faults_of_providers_are_found(engine: Engine) {
    let app = engine.app().await;
    let (right, slash) = (ScriptedProvider::start().await, ScriptedProvider::with_fault("issuer-slash").await);
    let html = ScriptedProvider::with_fault("token-html").await;
    let nobody = format!("http://127.0.0.1:{}", free_port());
    add(&app, "down", "any", &["--kind", "oidc", "--issuer", &nobody, "--client-id", "any"]).await;
    for (name, provider) in [("slash", &slash), ("html", &html), ("lost", &right)] {
        add_scripted(&app, name, provider, &provider.client_secret).await;
    }
    app.database().execute("UPDATE providers SET secret = NULL WHERE name = 'lost'").await;
    let odd = odd_provider().await;
    add(&app, "odd", "any", &["--kind", "oidc", "--issuer", &odd, "--client-id", "any"]).await;
    let refusing = ScriptedProvider::start().await;
    add_scripted(&app, "refusing", &refusing, "not the secret").await;
    let key =
        "-----BEGIN PRIVATE KEY-----\nMIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg\n-----END PRIVATE KEY-----\n";
    plant_apple(&app, &refusing, key).await;
    let examined = doctor(app.variables()).await;
    for (code, name) in [
        (FindingCode::ProviderUnreachable, "provider_unreachable"),
        (FindingCode::ProviderIssuer, "provider_issuer"),
        (FindingCode::ProviderRefusesClient, "provider_refuses_client"),
        (FindingCode::ProviderWithoutSecret, "provider_without_secret"),
        (FindingCode::AppleKeyUnusable, "apple_key_unusable"),
        (FindingCode::RedirectAddress, "redirect_address"),
        (FindingCode::ProviderClockDiffers, "provider_clock_differs"),
    ] {
        examined.expect(code, name);
    }
    examined.expect_warning(FindingCode::ProviderWithoutPkce, "provider_without_pkce");
    let printed = json!(examined.checks).to_string();
    assert!(!printed.contains("not the secret") && !printed.contains(&right.client_secret), "{printed}");
}

/// A record for Apple whose key, in the database, is none: a command takes no such one.
async fn plant_apple(app: &TestApp, provider: &ScriptedProvider, key: &str) {
    let context = SealContext { table: "providers", row: b"apple", column: "secret" };
    let sealed = app.app.secret_keys.seal(&context, key.as_bytes()).unwrap();
    let options = ["--kind", "oidc", "--issuer", &provider.issuer, "--client-id", "org.example.app"];
    add(app, "apple", "any", &options).await;
    let name = ProviderName::parse("apple").unwrap();
    let mut tx = begin(&app.app.store).await;
    let row = tx.provider_find(&name).await.unwrap().unwrap();
    assert!(tx.provider_reseal(&name, &row.secret.unwrap(), &sealed).await.unwrap());
    tx.commit().await.unwrap();
    let kind = "UPDATE providers SET kind = 'apple', label = 'Apple', team_id = 'TEAM', key_id = 'KEY' \
                WHERE name = 'apple'";
    app.database().execute(kind).await;
}
