//! What an operator does with commands, and an application's backend with API v2.

use super::{Maker, link};
use crate::harness::PASSWORD;
use reqwest::Method;
use serde_json::{Value, json};

const SCOPES: &str = "users:read,users:write,users:security,organizations:read,organizations:write,platform:write";

pub(super) async fn act(maker: &mut Maker) {
    maker.command("setup-link").await;
    api_keys(maker).await;
    maker.command("user create cy@example.com --verified --external-id cy-1").await;
    let details = r#"{"plan":"gold"}"#;
    maker.command_with(&["user", "set-details", "cy@example.com", "--metadata", details]).await;
    maker.command("keys rotate").await;
    maker.command("dev session dev@example.com").await;
    maker.command("user create mia@bücher.example").await;
    let op = maker.sign_up("op@example.com").await;
    maker.keep(&op, "op", "password");
    maker.command("user grant op@example.com monitor").await;
    let zed = maker.sign_up("zed@example.com").await;
    maker.command("user disable zed@example.com").await;
    maker.browser("").log_in("zed@example.com", PASSWORD).await.expect(403);
    maker.command("user enable zed@example.com").await;
    maker.command("user disable zed@example.com").await;
    zed.refresh("app").await.expect(401);
    maker.command("user create wim@example.com").await;
    maker.command("user send-verification wim@example.com").await;
    backend(maker).await;
}

async fn api_keys(maker: &mut Maker) {
    let create = async |arguments: &str| maker.command(&format!("api-key create {arguments}")).await;
    let id = |created: &Value| created["id"].as_str().unwrap().to_owned();
    let reader = create("reader --scope users:read,users:security,organizations:read").await;
    create("ends --scope users:read --expires 1s").await;
    create("inside --scope users:read --expires 8760h --from 10.0.0.0/8").await;
    let revoked = create("revoked --scope users:read").await;
    let rotated = create("rotated --scope users:read").await;
    maker.command(&format!("api-key revoke {}", id(&revoked))).await;
    let revoked = format!("Bearer {}", revoked["key"].as_str().unwrap());
    maker.browser("").get("/auth/api/v2/users").header("authorization", &revoked).await.expect(401);
    maker.command(&format!("api-key rotate {} --overlap 1h", id(&rotated))).await;
    reader["key"].as_str().unwrap().clone_into(&mut maker.facts.api_key);
}

async fn backend(maker: &Maker) {
    let key = maker.command(&format!("api-key create backend --scope {SCOPES}")).await;
    let authorization = format!("Bearer {}", key["key"].as_str().unwrap());
    let send = async |method: Method, path: &str, body: Value| {
        let call = maker.browser("").call(method, &format!("/auth/api/v2/{path}"));
        let call = call.header("authorization", &authorization).header("content-type", "application/json");
        let call = call.header("idempotency-key", &format!("key-of-{path}"));
        let reply = call.body(if body.is_null() { String::new() } else { body.to_string() }).await;
        assert!(reply.status < 300, "{path}: {} {}", reply.status, reply.text());
        if reply.body.is_empty() { Value::Null } else { reply.json() }
    };
    let vic = json!({ "email": "vic@example.com", "external_id": "vic-7", "metadata": { "seats": 3 } });
    let vic = send(Method::POST, "users", vic).await["id"].as_str().unwrap().to_owned();
    send(Method::PATCH, &format!("users/{vic}"), json!({ "username": "victor" })).await;
    send(Method::POST, &format!("users/{vic}/password-reset"), Value::Null).await;
    maker.mail("vic@example.com", "password").await;
    let club = json!({ "name": "Club", "owner_id": vic });
    let club = send(Method::POST, "organizations", club).await["id"].as_str().unwrap().to_owned();
    let guest = json!({ "email": "guest@example.com", "role": "member", "metadata": { "seat": "gold" } });
    send(Method::POST, &format!("organizations/{club}/invitations"), guest).await;
    link(&maker.mail("guest@example.com", "Invitation to").await);
}
