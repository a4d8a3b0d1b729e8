//! `doorward serve --ephemeral`: the double for the tests of an application.

mod double;

use self::double::{Double, Sent};
use crate::backup::{doorward, mode};
use crate::harness::{
    Answer, Engine, PASSWORD, Receiver, TempDir, eventually, free_port, raw_http, run_program, run_to_snapshot,
};
use crate::reset::reset_fields;
use doorward::model::api_key::Scope;
use serde_json::{Value, json};
use std::collections::BTreeMap;

single_run![
    first_line_says_all_and_nothing_else_is_used,
    end_of_input_ends_it,
    what_a_killed_one_left_is_removed_by_the_next,
    other_machines_are_refused_before_the_start,
    only_this_machine_is_answered,
    programs_with_the_key_are_answered,
    expiry_and_limits_follow_the_clock,
    deliveries_follow_the_clock,
    sessions_have_organization_and_factor,
    emails_are_shown_and_sent_nowhere,
];
one_engine![paths_of_the_double_are_unknown_elsewhere];

const EMAIL: &str = "ada@example.com";

async fn first_line_says_all_and_nothing_else_is_used() {
    let folder = TempDir::new("ephemeral");
    std::fs::write(folder.path().join("doorward.env"), "SVC_BRAND_NAME=Elsewhere\n").unwrap();
    let nowhere = folder.path().join("nowhere").display().to_string();
    let double = Double::start(
        folder.path(),
        &[],
        &[
            ("SVC_DATABASE_URL", "postgres://db.example.com/app"),
            ("SVC_DATA_DIR", &nowhere),
            ("SVC_LISTEN", "192.0.2.1:80"),
            ("SVC_BASE_URL", "https://auth.example.com"),
            ("SVC_SECRET_KEY", "none"),
            ("SVC_SMTP_URL", "smtp://mail.example.com"),
            ("SVC_APPLY_FILE", &nowhere),
            ("SVC_METRICS_LISTEN", "192.0.2.1:81"),
            ("SVC_WEBHOOK_SECRET", "shared by the tests"),
        ],
    )
    .await;
    let port = double.url.rsplit(':').next().unwrap();
    assert_eq!(double.url, format!("http://localhost:{port}"));
    assert_eq!(double.ready["internal_url"], format!("http://127.0.0.1:{port}"));
    assert_eq!(double.ready["webhook_secret"], "shared by the tests");
    assert_eq!(double.ready["pid"], double.id());
    assert_eq!(double.ready.as_object().unwrap().len(), 5, "{}", double.ready);
    double.client().get("/auth/ready").await.expect(200);
    let page = double.client().get("/auth/login").await.expect(200).text();
    assert!(page.contains("Doorward") && !page.contains("Elsewhere"), "{page}");
    let data = double.data_dir();
    assert_eq!((mode(&data), mode(&data.join("doorward.db"))), (0o700, 0o600));
    let keys = doorward(&["api-key", "list"], &double.variables_of_commands()).await;
    assert_eq!(keys["data"][0]["scopes"].as_array().unwrap().len(), Scope::ALL.len(), "{keys}");
    double.get("/auth/api/v2/users").await.expect(200);
    assert_eq!(double.end_by("TERM").await, Some(0));
    assert!(!data.exists() && folder.path().read_dir().unwrap().count() == 1, "{}", data.display());
}

async fn end_of_input_ends_it() {
    let folder = TempDir::new("ephemeral");
    let port = free_port();
    let option = format!("--port={port}");
    let mut double = Double::start(folder.path(), &["--until-stdin-closes", &option], &[]).await;
    assert_eq!(double.url, format!("http://localhost:{port}"));
    assert!(double.ready["webhook_secret"].as_str().is_some_and(|secret| secret.starts_with("whsec_")));
    double.close_input();
    assert_eq!(double.wait().await, Some(0));
    assert_eq!(folder.path().read_dir().unwrap().count(), 0);
}

async fn what_a_killed_one_left_is_removed_by_the_next() {
    let folder = TempDir::new("ephemeral");
    let living = Double::start(folder.path(), &[], &[]).await;
    let killed = Double::start(folder.path(), &[], &[]).await;
    let left = killed.data_dir_beside(&living);
    killed.end_by("KILL").await;
    assert!(left.join("doorward.db").exists());
    let next = Double::start(folder.path(), &[], &[]).await;
    assert!(!left.exists() && living.data_dir_beside(&next).exists());
    living.client().get("/auth/ready").await.expect(200);
}

async fn other_machines_are_refused_before_the_start() {
    let folder = TempDir::new("ephemeral");
    for (name, variable, value) in [
        ("receiver", "SVC_WEBHOOK_URL", "https://app.example.com/hook"),
        ("allowed", "SVC_ALLOWED_ORIGINS", "http://localhost:3000,https://app.example.com"),
        ("return", "SVC_RETURN_ORIGINS", "https://wiki.example.com"),
        ("application", "SVC_APP_URL", "https://www.example.com/"),
    ] {
        let variables = [("XDG_RUNTIME_DIR".to_owned(), folder.path().display().to_string())];
        let mut variables = BTreeMap::from(variables);
        variables.insert(variable.to_owned(), value.to_owned());
        run_to_snapshot(&format!("ephemeral/{name}"), &["serve", "--ephemeral"], &variables).await;
    }
    assert_eq!(folder.path().read_dir().unwrap().count(), 0);
    let output = run_program(&["serve", "--port", "8080"], &BTreeMap::new()).await;
    assert_eq!(output.status.code(), Some(2), "the port is the double's alone: {output:?}");
}

async fn only_this_machine_is_answered() {
    let folder = TempDir::new("ephemeral");
    let double = Double::start(folder.path(), &[], &[]).await;
    let address = double.ready["internal_url"].as_str().unwrap().trim_start_matches("http://").parse().unwrap();
    for (host, status) in [
        ("localhost", "200"),
        ("app.localhost:1", "200"),
        ("127.0.0.1:80", "200"),
        ("[::1]", "200"),
        ("evil.example", "421"),
        ("localhost.evil.example", "421"),
        ("192.0.2.1", "421"),
    ] {
        let request = format!("GET /auth/health HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        let answer = raw_http(address, request.as_bytes()).await;
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{host}: {answer}");
    }
}

const SENT: [(Sent, &str, &str); 3] = [
    (Sent::Post, "/auth/dev/clock", r#"{"advance":"1s"}"#),
    (Sent::Post, "/auth/dev/session", r#"{"email":"ada@example.com"}"#),
    (Sent::Get, "/auth/dev/mails", ""),
];

async fn programs_with_the_key_are_answered() {
    let folder = TempDir::new("ephemeral");
    let double = Double::start(folder.path(), &[], &[]).await;
    for (method, path, body) in SENT {
        double.send(method, path, body).await.expect(200);
        let stranger = double.send(method, path, body);
        stranger.header("authorization", "Bearer svckey_wrong").await.expect_error(401, "unauthorized");
        let page = double.send(method, path, body);
        page.header("origin", &double.url).await.expect_error(403, "forbidden");
        let page = double.send(method, path, body);
        page.header("sec-fetch-site", "same-origin").await.expect_error(403, "forbidden");
    }
    double.get("/auth/dev/users").await.expect(404);
    double.get("/auth/dev/clock").await.expect(405);
}

async fn paths_of_the_double_are_unknown_elsewhere(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up(EMAIL).await;
    for (method, path, body) in SENT {
        method.call(&ada, path, body).await.expect(404);
        method.call(&app.anonymous(), path, body).header("authorization", "Bearer x").await.expect(404);
    }
}

async fn advance(double: &Double, by: &str) -> Value {
    double.post("/auth/dev/clock", &json!({"advance": by})).await.expect(200).json()["now"].clone()
}

async fn expiry_and_limits_follow_the_clock() {
    let folder = TempDir::new("ephemeral");
    let double = Double::start(folder.path(), &[], &[]).await;
    let (client, _) = double.session(&json!({"email": EMAIL})).await;
    client.api_user().await.expect(200);
    let before = advance(&double, "1ms").await;
    let now = advance(&double, "15m").await;
    let times = [&before, &now].map(|time| time.as_str().unwrap().parse::<jiff::Timestamp>().unwrap());
    assert!(times[1].as_second() - times[0].as_second() >= 900, "{before} {now}");
    client.api_user().await.expect(401);
    client.refresh("app").await.expect(200);
    client.api_user().await.expect(200);
    advance(&double, "1441h").await;
    client.refresh("app").await.expect(401);
    // Wrong passwords are refused until the limit refills.
    let stranger = double.client();
    let mut tries = 0;
    while stranger.log_in(EMAIL, "wrong").await.status == 401 {
        tries += 1;
        assert!(tries < 100, "no limit");
    }
    stranger.log_in(EMAIL, "wrong").await.expect(429);
    advance(&double, "8760h").await;
    stranger.log_in(EMAIL, "wrong").await.expect(401);
    for wrong in [json!({"advance": "8761h"}), json!({"advance": "-1s"}), json!({"advance": 5}), json!({})] {
        double.post("/auth/dev/clock", &wrong).await.expect_error(400, "invalid_request");
    }
    let mut years = 0;
    let refused = loop {
        let reply = double.post("/auth/dev/clock", &json!({"advance": "8760h"})).await;
        if reply.status != 200 {
            break reply;
        }
        years += 1;
        assert!(years < 200, "no limit");
    };
    refused.expect_error(400, "invalid_request");
}

async fn deliveries_follow_the_clock() {
    let folder = TempDir::new("ephemeral");
    let receiver = Receiver::start().await;
    let double = Double::start(folder.path(), &[], &[("SVC_WEBHOOK_URL", &receiver.url())]).await;
    receiver.answer_next([Answer::Status(500)]);
    double.session(&json!({"email": EMAIL})).await;
    let first = receiver.wait_for(1).await[0].id().to_owned();
    advance(&double, "31s").await;
    let again = async || (receiver.received().iter().filter(|one| one.id() == first).count() == 2).then_some(());
    eventually("the event comes again", again).await;
}

async fn sessions_have_organization_and_factor() {
    let folder = TempDir::new("ephemeral");
    let double = Double::start(folder.path(), &[], &[("SVC_EMAIL_VERIFICATION", "required")]).await;
    let (ada, session) = double.session(&json!({"email": EMAIL})).await;
    let again = double.session(&json!({"email": EMAIL})).await.1;
    assert_eq!(session["user_id"], again["user_id"]);
    let shown = ada.get("/auth/api/v2/session").await.expect(200).json();
    assert_eq!((&shown["user"]["email_verified"], &shown["session"]["methods"]), (&json!(true), &json!([])));
    assert_eq!(shown["session"]["id"], session["session_id"]);
    let team = json!({"name": "Crew", "owner_id": session["user_id"]});
    let team = double.post("/auth/api/v2/organizations", &team).await.expect(201).json();
    let (client, _) = double.session(&json!({"email": EMAIL, "organization_id": team["id"], "mfa": true})).await;
    let shown = client.get("/auth/api/v2/session").await.expect(200).json();
    assert_eq!((&shown["organization"]["id"], &shown["session"]["methods"]), (&team["id"], &json!(["totp"])));
    let eve = json!({"email": "eve@example.com"});
    let (first, second) = tokio::join!(double.session(&eve), double.session(&eve));
    assert_eq!(first.1["user_id"], second.1["user_id"], "parallel requests make one account");
    for (wanted, status, code) in [
        (json!({"email": "bob@example.com", "organization_id": team["id"]}), 404, "not_found"),
        (json!({"email": EMAIL, "organization_id": "none"}), 404, "not_found"),
        (json!({"email": "no address"}), 422, "validation_failed"),
        (json!({"mfa": true}), 422, "validation_failed"),
    ] {
        double.post("/auth/dev/session", &wanted).await.expect_error(status, code);
    }
    let users = double.get("/auth/api/v2/users").await.expect(200).json();
    assert_eq!(users["data"].as_array().unwrap().len(), 2, "a refusal makes no account: {users}");
}

async fn emails_are_shown_and_sent_nowhere() {
    let folder = TempDir::new("ephemeral");
    let double = Double::start(folder.path(), &[], &[]).await;
    let ada = double.client();
    ada.sign_up(EMAIL).await.expect(303);
    let mails = async |to: &str| -> Vec<Value> {
        let answer = double.get(&format!("/auth/dev/mails{to}")).await.expect(200);
        answer.json()["data"].as_array().unwrap().clone()
    };
    let [mail] = mails("?to=ADA%40example.com").await.try_into().unwrap();
    assert_eq!((&mail["kind"], &mail["to"]), (&json!("email-verification"), &json!(EMAIL)));
    let (code, link) = (mail["code"].as_str().unwrap(), mail["link"].as_str().unwrap());
    assert!(mail["text"].as_str().is_some_and(|text| text.contains(code) && text.contains(link)), "{mail}");
    ada.post_form("/auth/email/verify", &[("code", code)]).await.expect(303);
    double.client().post_form("/auth/password/forgot", &[("email", EMAIL)]).await;
    let all = mails("").await;
    assert_eq!(all[0]["kind"], "password-reset", "{all:?}");
    assert!(all[0]["link"].as_str().is_some_and(|link| link.starts_with(&double.url)) && all[0]["code"].is_null());
    assert_eq!(all.last().unwrap()["id"], mail["id"]);
    assert_eq!(mails("?to=bob%40example.com").await, [Value::Null; 0]);
    let listed = doorward(&["mail", "list"], &double.variables_of_commands()).await;
    assert!(listed["data"].as_array().unwrap().iter().all(|mail| mail["state"] == "delivered"), "{listed}");
    let link = all[0]["link"].as_str().unwrap().trim_start_matches(&double.url).to_owned();
    let person = double.client();
    person.post_form(&link, &reset_fields("another lighthouse")).await.expect(303);
    person.log_in(EMAIL, PASSWORD).await.expect(401);
}
