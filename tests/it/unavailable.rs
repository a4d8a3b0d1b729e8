//! What every route answers while the database is away: pages and operations that need it say so, the others do not.

use crate::bad_storage::behind_proxy;
use crate::harness::{Call, Client, PASSWORD, Reply, eventually, run_program, snapshot};
use crate::snapshots::{Route, routes};
use reqwest::Method;

once_on_postgres![every_route_answers_without_database];

const ID: &str = "01890000-0000-7000-8000-000000000000";

/// A right request to a route: with the credentials, the token and the fields that it asks for.
fn call(client: &Client, route: &Route, key: &str) -> Call {
    let is_v2 = route.path.contains("/api/v2/");
    let token = "A".repeat(43);
    let mut path = route.path.replace("{token}", &token).replace("{nonce}", &token).replace("{file}", "app.css");
    for gap in ["{id}", "{user}", "{session}", "{invitation}", "{name}"] {
        path = path.replace(gap, ID);
    }
    if path.ends_with("/refresh") {
        path += "?audience=app";
    }
    let method = Method::from_bytes(route.method.as_bytes()).unwrap();
    let call = client.call(method, &path).header("x-csrf-token", &client.token("csrf").unwrap());
    match (is_v2, route.method.as_str()) {
        (true, _) if !path.contains("/v2/session") => call.header("authorization", key).header("cookie", ""),
        (false, "POST") => call.header("accept", "text/html").form_body(format!(
            "email=bob%40example.com&username=bob&password={PASSWORD}&current={PASSWORD}&name=Crew&code=123456&role=member"
        )),
        _ => call,
    }
}

/// Method, route, status, content type, Retry-After, and the title or the code.
fn line(route: &Route, reply: &Reply) -> String {
    let text = reply.text();
    let title = text.split_once("<title>").and_then(|(_, rest)| rest.split_once("</title>"));
    let code = serde_json::from_str::<serde_json::Value>(&text)
        .ok()
        .and_then(|json| json["error"]["code"].as_str().map(str::to_owned));
    let [kind, wait] = ["content-type", "retry-after"].map(|name| reply.header(name).unwrap_or("-"));
    let says = title.map(|(title, _)| title.to_owned()).or(code).unwrap_or_default();
    format!("{} {}: {}, {kind}, {wait}, {says}", route.method, route.path, reply.status)
}

async fn every_route_answers_without_database() {
    let (proxy, builder) = behind_proxy().await;
    let app = builder.start().await;
    let ada = app.sign_up("ada@example.com").await;
    let scopes = ["users:read", "users:write", "organizations:read", "organizations:write"];
    let scopes = scopes.iter().flat_map(|scope| ["--scope", scope]);
    let create: Vec<&str> = ["--json", "api-key", "create", "k"].into_iter().chain(scopes).collect();
    let created: serde_json::Value =
        serde_json::from_slice(&run_program(&create, app.variables()).await.stdout).unwrap();
    let key = format!("Bearer {}", created["key"].as_str().unwrap());
    proxy.cut();
    let away = async || Some(ada.get("/auth/account").await).filter(|reply| reply.status == 503);
    eventually("the database is away", away).await;
    let ask = |route: &Route| {
        // A browser of its own, as an answer may remove cookies.
        let (route, browser, key) = (route.clone(), ada.copy(), key.clone());
        tokio::spawn(async move { line(&route, &call(&browser, &route, &key).await) })
    };
    let mut lines = Vec::new();
    // Each waits for the database a while.
    for together in routes().chunks(8) {
        for asked in together.iter().map(ask).collect::<Vec<_>>() {
            lines.push(asked.await.unwrap());
        }
    }
    snapshot("unavailable/every_route", &lines.join("\n"));
    ada.get("/auth/api/v2/session").await.snapshot("unavailable/operation");
    proxy.restore();
}
