//! What ends while a request is under way changes nothing any more: a key that is revoked, a session that another
//! process has ended.

use crate::harness::{Engine, run_program};
use crate::organizations::{create_team, user_id};
use doorward::domain::change;
use doorward::domain::organization::manage;
use doorward::model::device::Device;
use doorward::model::ids::{OrganizationId, SessionId, UserId};
use doorward::model::principal::Principal;
use serde_json::Value;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

one_engine![key_that_is_revoked_while_the_body_arrives_changes_nothing, ended_session_changes_no_organization,];

async fn key_that_is_revoked_while_the_body_arrives_changes_nothing(engine: Engine) {
    let app = engine.app().await;
    let arguments = ["--json", "api-key", "create", "backend", "--scope", "users:write"];
    let created: Value = serde_json::from_slice(&run_program(&arguments, app.variables()).await.stdout).unwrap();
    let (id, key) = (created["id"].as_str().unwrap(), created["key"].as_str().unwrap());
    let body = r#"{"email":"ada@example.com"}"#;
    let mut stream = TcpStream::connect(app.address()).await.unwrap();
    let head = format!(
        "POST /auth/api/v2/users HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {key}\r\nExpect: 100-continue\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    // The service asks for the body once the key is right.
    let mut answer = [0; 64];
    let read = stream.read(&mut answer).await.unwrap();
    assert!(answer[..read].starts_with(b"HTTP/1.1 100 "), "{}", String::from_utf8_lossy(&answer));
    assert!(run_program(&["api-key", "revoke", id], app.variables()).await.status.success());
    app.clock().advance(Duration::from_secs(2));
    stream.write_all(body.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 401 "), "{answer}");
    assert_eq!(app.database().count("SELECT count(*) FROM users").await, 0);
}

/// Until the end is known to the process, at most a second, the session still opens pages.
async fn ended_session_changes_no_organization(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let crew = create_team(&ada, "Crew").await;
    let crew = OrganizationId(crew.rsplit('/').next().unwrap().parse().unwrap());
    let user = UserId(user_id(&ada).await.parse().unwrap());
    let session = ada.get("/auth/api/v2/session").await.expect(200).json();
    let session = SessionId(session["session"]["id"].as_str().unwrap().parse().unwrap());
    let by = Principal::user(user, Some(session), Device::new("", None));
    assert!(change::run(&app.app, &by, manage::Rename { org: crew, name: Some("Team") }).await.unwrap());
    ada.log_out().await.expect(204);
    change::run(&app.app, &by, manage::Rename { org: crew, name: Some("Mine") }).await.unwrap_err();
    change::run(&app.app, &by, manage::CreateTeam { owner: user, name: "Other" }).await.unwrap_err();
    let names = app.database().texts("SELECT name FROM organizations WHERE kind = 'team'").await;
    assert_eq!(names, ["Team"]);
}
