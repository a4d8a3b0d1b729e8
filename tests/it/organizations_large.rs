//! Organizations with many members: bulk changes emit the same events as single ones.

use crate::harness::{Engine, Receiver, TestApp};
use doorward::domain::account::operator;
use doorward::domain::change;
use doorward::domain::organization::delete::Delete;
use doorward::domain::organization::manage;
use doorward::model::principal::Principal;

both_engines![deleting_large_team_emits_event_for_each_member];

/// More than any batch size.
const MEMBERS: usize = 1_234;

/// Adds members who are in no other organization.
async fn add_members(app: &TestApp, engine: Engine, org: uuid::Uuid) {
    let (id, now, org) = match engine {
        Engine::Sqlite => {
            ("unhex(printf('01880000000070008000%012x', i))", "unixepoch() * 1000000", format!("x'{}'", org.simple()))
        }
        Engine::Postgres => {
            ("('01880000-0000-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid", "now()", format!("'{org}'::uuid"))
        }
    };
    let people = format!(
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {MEMBERS}) \
         INSERT INTO users (id, email, email_key, username, username_key, roles, created_at, updated_at) \
         SELECT {id}, 'p' || i || '@example.org', 'p' || i || '@example.org', 'p' || i, 'p' || i, '', {now}, {now} FROM n"
    );
    app.database().execute(&people).await;
    let join = format!(
        "INSERT INTO memberships (organization_id, user_id, role, created_at) \
         SELECT {org}, id, 'member', created_at FROM users WHERE email LIKE '%@example.org'"
    );
    app.database().execute(&join).await;
}

async fn deleting_large_team_emits_event_for_each_member(engine: Engine) {
    let receiver = Receiver::start().await;
    let app = engine.prepare().await.webhooks(&receiver).set("SVC_ORG_MODE", "single").start().await;
    app.sign_up("ada@example.com").await;
    receiver.wait_for(3).await;
    let ada = operator::find(&app.app.store, &Principal::operator(), "ada").await.unwrap().id;
    let team = change::run(&app.app, &Principal::operator(), manage::CreateTeam { owner: ada, name: "Crew" })
        .await
        .unwrap()
        .id;
    add_members(&app, engine, team.0).await;
    app.database().execute("DELETE FROM outbox").await;
    change::run(&app.app, &Principal::operator(), Delete { org: team }).await.unwrap();
    let payload = if engine == Engine::Sqlite { "CAST(payload AS TEXT)" } else { "convert_from(payload, 'UTF8')" };
    let events = app.database().texts(&format!("SELECT {payload} FROM outbox ORDER BY id")).await;
    let events: Vec<serde_json::Value> = events.iter().map(|body| serde_json::from_str(body).unwrap()).collect();
    let (departures, rest) = events.split_at(MEMBERS + 1);
    let user = |event: &serde_json::Value| event["data"]["user_id"].as_str().unwrap().to_owned();
    assert!(departures.iter().all(|event| event["type"] == "organization.membership.deleted"));
    assert!(departures.is_sorted_by(|one, next| user(one) < user(next)), "the oldest accounts first");
    let (ended, founded) = rest.split_first().unwrap();
    assert_eq!(ended["type"], "organization.deleted");
    assert_eq!(founded.len(), 2 * MEMBERS, "no new organization for members of another one");
    for (pair, departures) in founded.chunks(2).zip(departures) {
        assert_eq!(
            (&pair[0]["type"], &pair[1]["type"]),
            (&"organization.created".into(), &"organization.membership.created".into())
        );
        assert_eq!(pair[0]["data"]["created_by_user_id"], departures["data"]["user_id"]);
        assert_eq!(pair[1]["data"]["user_id"], departures["data"]["user_id"]);
        assert_eq!(pair[1]["data"]["organization_id"], pair[0]["data"]["organization_id"]);
    }
    let without_organization =
        "SELECT count(*) FROM users u WHERE NOT EXISTS (SELECT 1 FROM memberships m WHERE m.user_id = u.id)";
    assert_eq!(app.database().count(without_organization).await, 0);
}
