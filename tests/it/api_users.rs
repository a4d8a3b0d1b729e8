//! API v2 for applications' backends (docs/reference/api-v2.md 18.5): users are found and looked up with an API key.

use crate::harness::{Answers, Client, Engine, Reply, TestApp, run_program};
use reqwest::Method;
use serde_json::Value;
use std::time::Duration;

both_engines![key_is_revoked_for_every_process, filters_find_users,];
one_engine![
    user_of_an_event_is_looked_up,
    users_are_listed_in_pages,
    bad_parameters_are_refused,
    requests_without_right_key_are_refused,
    wrong_keys_are_limited_and_right_one_is_served,
];

const USERS: &str = "/auth/api/v2/users";
const NOBODY: &str = "01890000-0000-7000-8000-000000000000";

/// Runs a command that succeeds, with its JSON.
async fn doorward(app: &TestApp, arguments: &[&str]) -> Value {
    let output = run_program(&[&["--json"], arguments].concat(), app.variables()).await;
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// A new key's `Authorization` header.
async fn key(app: &TestApp, name: &str, scope: &str) -> String {
    let created = doorward(app, &["api-key", "create", name, "--scope", scope]).await;
    format!("Bearer {}", created["key"].as_str().unwrap())
}

async fn get(client: &Client, key: &str, path: &str) -> Reply {
    client.get(path).header("authorization", key).await
}

fn names(page: &Value) -> Vec<&str> {
    page["data"].as_array().unwrap().iter().map(|user| user["username"].as_str().unwrap()).collect()
}

async fn user_of_an_event_is_looked_up(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let metadata = r#"{ "plan":"gold", "n": 1.00 }"#;
    doorward(&app, &["user", "set-details", "ada", "--external-id", "7", "--metadata", metadata]).await;
    doorward(&app, &["user", "grant", "ada", "monitor"]).await;
    let key = key(&app, "backend", "users:read").await;
    let id = ada.api_user().await.json()["id"].as_str().unwrap().to_owned();
    let nobody = app.anonymous();
    let reply = get(&nobody, &key, &format!("{USERS}/{id}")).await.snapshot("api_users/shown");
    assert!(reply.text().contains(metadata), "letter by letter: {}", reply.text());
    let user = reply.json();
    assert!(user["last_login_at"].as_str().unwrap() >= user["created_at"].as_str().unwrap());
    assert_eq!(user["last_login_address"], Value::Null, "it is of a session, which this key may not see");
    let arguments = ["api-key", "create", "support", "--scope", "users:read", "users:security"];
    let support = format!("Bearer {}", doorward(&app, &arguments).await["key"].as_str().unwrap());
    assert_eq!(get(&nobody, &support, &format!("{USERS}/{id}")).await.json()["last_login_address"], "127.0.0.1");
    get(&nobody, &key, USERS).await.snapshot("api_users/listed");
    let head = nobody.call(Method::HEAD, &format!("{USERS}/{id}")).header("authorization", &key).await;
    head.snapshot("api_users/head");
    for unknown in [NOBODY, "ada", "01890000000070008000000000000000", "%00"] {
        get(&nobody, &key, &format!("{USERS}/{unknown}")).await.expect_error(404, "not_found");
    }
}

async fn users_are_listed_in_pages(engine: Engine) {
    let app = engine.app().await;
    for name in ["ada", "bob", "cy", "dan", "eve"] {
        app.sign_up(&format!("{name}@example.com")).await;
    }
    let (key, client) = (key(&app, "backend", "users:read").await, app.anonymous());
    let first = get(&client, &key, &format!("{USERS}?limit=2")).await.snapshot("api_users/first_page").json();
    let cursor = first["next"].as_str().unwrap().to_owned();
    let second = get(&client, &key, &format!("{USERS}?limit=2&after={cursor}")).await.expect(200).json();
    let last = second["next"].as_str().unwrap();
    let third = get(&client, &key, &format!("{USERS}?after={last}")).await.expect(200).json();
    assert_eq!([names(&first), names(&second), names(&third)].concat(), ["eve", "dan", "cy", "bob", "ada"]);
    assert_eq!(third["next"], Value::Null);
    for other in ["email=ada%40example.com&", "created_after=2020-01-01T00:00:00Z&", "query=ada&"] {
        let path = format!("{USERS}?{other}after={cursor}");
        get(&client, &key, &path).await.expect_error(400, "invalid_request");
    }
    let other = if cursor.ends_with('A') { 'Q' } else { 'A' };
    let tampered = format!("{USERS}?after={}{other}", &cursor[..cursor.len() - 1]);
    get(&client, &key, &tampered).await.expect_error(400, "invalid_request");
}

async fn filters_find_users(engine: Engine) {
    let app = engine.app().await;
    let mut ids = Vec::new();
    for name in ["ada", "adam", "bob"] {
        let client = app.sign_up(&format!("{name}@example.com")).await;
        ids.push(client.api_user().await.json()["id"].as_str().unwrap().to_owned());
    }
    let (key, client) = (key(&app, "backend", "users:read").await, app.anonymous());
    let created = get(&client, &key, &format!("{USERS}/{}", ids[1])).await.json()["created_at"].clone();
    let created = created.as_str().unwrap();
    for (name, external_id) in [("ada", "crm 7/ä"), ("bob", "8")] {
        doorward(&app, &["user", "set-details", name, "--external-id", external_id]).await;
    }
    for (query, found) in [
        ("email=ADA%40example.com".to_owned(), vec!["ada"]),
        ("email=nobody%40example.com".to_owned(), vec![]),
        ("username=ADAM".to_owned(), vec!["adam"]),
        ("query=ada".to_owned(), vec!["adam", "ada"]),
        ("query=AdA@".to_owned(), vec!["ada"]),
        ("query=%25%25%25".to_owned(), vec![]),
        (format!("query={}", ids[2]), vec!["bob"]),
        (format!("id={}&id={}&id={NOBODY}&id={}", ids[0], ids[2], ids[0]), vec!["bob", "ada"]),
        (format!("id={}&email=bob%40example.com", ids[0]), vec![]),
        (format!("query=ada&created_after={created}"), vec![]),
        (format!("created_after={created}"), vec!["bob"]),
        (format!("id={}&id={}&limit=1", ids[0], ids[2]), vec!["bob"]),
        ("external_id=crm%207%2F%C3%A4".to_owned(), vec!["ada"]),
        ("external_id=8&external_id=9&external_id=crm+7/%C3%A4".to_owned(), vec!["bob", "ada"]),
        ("external_id=8&external_id=crm+7/%C3%A4&limit=1".to_owned(), vec!["bob"]),
        ("external_id=CRM+7/%C3%A4&external_id=".to_owned(), vec![]),
        (format!("external_id=8&id={}", ids[0]), vec![]),
        (format!("external_id=8&id={}&query=bob", ids[2]), vec!["bob"]),
    ] {
        let page = get(&client, &key, &format!("{USERS}?{query}")).await.expect(200).json();
        assert_eq!(names(&page), found, "{query}");
    }
}

async fn bad_parameters_are_refused(engine: Engine) {
    let app = engine.app().await;
    let (key, client) = (key(&app, "backend", "users:read").await, app.anonymous());
    // A hundred ids are more fields than a page may be asked with.
    let many = |parameter: &str| vec![parameter; 101].join("&");
    for hundred in [vec![format!("id={NOBODY}"); 100], vec!["external_id=7".to_owned(); 100]] {
        get(&client, &key, &format!("{USERS}?{}&limit=5", hundred.join("&"))).await.expect(200);
    }
    let (ids, external_ids) = (many(&format!("id={NOBODY}")), many("external_id=7"));
    let mut answers = Answers::default();
    for query in [
        "limit=0",
        "limit=201",
        "limit=x",
        "limit=%2B5",
        "after=x",
        "query=ad",
        "id=7",
        "created_after=yesterday",
        "limit=1&limit=1",
        "color=red",
        "email=%00",
        "email=%ff",
        &ids,
        &external_ids,
    ] {
        let what = if query.len() > 100 { "more ids than a hundred" } else { query };
        answers.add(what, get(&client, &key, &format!("{USERS}?{query}")).await);
    }
    answers.snapshot("api_users/bad_parameters");
}

async fn requests_without_right_key_are_refused(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let read = key(&app, "reader", "users:read").await;
    let other = key(&app, "other", "organizations:read").await;
    let client = app.anonymous();
    ada.get(USERS).await.snapshot("api_users/no_key");
    client.get(USERS).await.snapshot("api_users/no_key");
    get(&client, &read[..read.len() - 1], USERS).await.snapshot("api_users/wrong_key");
    let twice = client.get(USERS).header("authorization", &read).also_header("authorization", &read).await;
    twice.snapshot("api_users/wrong_key");
    let bare = &read["Bearer ".len()..];
    for path in [format!("{USERS}?api_key={bare}"), format!("{USERS}?access_token={bare}")] {
        client.get(&path).await.expect_error(401, "unauthorized");
    }
    client.get(USERS).header("cookie", &format!("svc_access={bare}")).await.expect_error(401, "unauthorized");
    get(&client, &other, &format!("{USERS}/not-even-an-id?x=y")).await.snapshot("api_users/key_without_scope");
    get(&client, &read, "/auth/api/v1/user").await.expect_error(401, "unauthorized");
    get(&client, &read, "/auth/api/v2/session").await.expect_error(401, "unauthorized");
    let post = client.call(Method::POST, &format!("{USERS}/{NOBODY}")).header("authorization", &read).await;
    post.snapshot("api_users/wrong_method");
}

async fn key_is_revoked_for_every_process(engine: Engine) {
    let app = engine.app().await;
    let other = app.second_process().await;
    let created = doorward(&app, &["api-key", "create", "backend", "--scope", "users:read"]).await;
    let key = format!("Bearer {}", created["key"].as_str().unwrap());
    for process in [&app, &other] {
        get(&process.anonymous().at(&process.url()), &key, USERS).await.expect(200);
    }
    doorward(&app, &["api-key", "revoke", created["id"].as_str().unwrap()]).await;
    for process in [&app, &other] {
        get(&process.anonymous().at(&process.url()), &key, USERS).await.expect_error(401, "unauthorized");
    }
}

async fn wrong_keys_are_limited_and_right_one_is_served(engine: Engine) {
    let app = engine.app().await;
    let (key, client) = (key(&app, "backend", "users:read").await, app.anonymous());
    let mut limited = 0;
    for number in 0..60 {
        let reply = get(&client, &format!("{key}{number}"), USERS).await;
        if reply.status == 429 {
            reply.snapshot("api_users/too_many_wrong_keys");
            limited += 1;
        }
    }
    assert!(limited > 0, "30 at once are answered with 401");
    get(&client, &key, USERS).await.expect(200);
    app.clock().advance(Duration::from_mins(1));
    get(&client, "Bearer wrong", USERS).await.expect_error(401, "unauthorized");
}
