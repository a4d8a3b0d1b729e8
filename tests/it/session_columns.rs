//! What a session shows follows from one list of columns (`SESSION_COLUMNS`): the database notes each change of them, and
//! each is seen from the next request on.

use crate::harness::{Engine, TestApp};
use doorward::model::auth_method::{AuthMethod, AuthMethods};
use doorward::model::ids::SessionId;
use doorward::model::organization::MemberRole;
use doorward::model::session_view::KnownSession;
use doorward::store::SESSION_COLUMNS;
use std::collections::BTreeSet;
use std::sync::Arc;

both_engines![every_change_of_a_listed_column_is_noted, view_shows_factors_membership_and_methods];

/// A value that no row has, for each column; `TIME` stands for one.
const CHANGES: [(&str, &str, &str); 18] = [
    ("users", "email", "'other@example.com'"),
    ("users", "username", "'other'"),
    ("users", "name", "'Ada'"),
    ("users", "external_id", "'7'"),
    ("users", "roles", "'monitor'"),
    ("users", "disabled_at", "TIME"),
    ("users", "created_at", "TIME"),
    ("users", "email_verified_at", "TIME"),
    ("sessions", "user_id", "(SELECT id FROM users WHERE username_key = 'bob')"),
    (
        "sessions",
        "organization_id",
        "(SELECT organization_id FROM memberships m JOIN users u ON u.id = m.user_id \
      WHERE u.username_key = 'bob')",
    ),
    ("sessions", "authenticated_at", "TIME"),
    ("sessions", "expires_at", "TIME"),
    ("sessions", "ended_at", "TIME"),
    ("sessions", "methods", "'passkey'"),
    ("memberships", "role", "'admin'"),
    ("organizations", "name", "'Other'"),
    ("organizations", "kind", "'team'"),
    ("totp", "confirmed_at", "TIME"),
];

const UNLISTED: [&str; 5] = [
    "UPDATE users SET password_hash = 'x'",
    "UPDATE sessions SET last_used_at = TIME",
    "UPDATE sessions SET used = TRUE",
    "UPDATE totp SET failures = 1",
    "UPDATE passkeys SET name = 'Phone'",
];

fn insert_factors(engine: Engine) -> [&'static str; 2] {
    match engine {
        Engine::Sqlite => [
            "INSERT INTO totp (user_id, secret, created_at, last_step, failures) \
             SELECT id, x'01', 1, 0, 0 FROM users WHERE username_key = 'ada'",
            "INSERT INTO passkeys (id, user_id, credential_id, name, credential, counter, backed_up, created_at) \
             SELECT id, id, x'01', 'Laptop', x'01', 0, 0, 1 FROM users WHERE username_key = 'ada'",
        ],
        Engine::Postgres => [
            "INSERT INTO totp (user_id, secret, created_at, last_step, failures) \
             SELECT id, '\\x01', now(), 0, 0 FROM users WHERE username_key = 'ada'",
            "INSERT INTO passkeys (id, user_id, credential_id, name, credential, counter, backed_up, created_at) \
             SELECT id, id, '\\x01', 'Laptop', '\\x01', 0, FALSE, now() FROM users WHERE username_key = 'ada'",
        ],
    }
}

async fn notes(app: &TestApp) -> i64 {
    app.database().count("SELECT count(*) FROM session_changes").await
}

/// Runs a statement; returns whether the database noted something.
async fn is_noted(app: &TestApp, engine: Engine, sql: &str) -> bool {
    let before = notes(app).await;
    let time = if engine == Engine::Sqlite { "1000" } else { "to_timestamp(1)" };
    app.database().execute(&sql.replace("TIME", time)).await;
    notes(app).await > before
}

async fn every_change_of_a_listed_column_is_noted(engine: Engine) {
    let app = engine.app().await;
    app.sign_up("ada@example.com").await;
    app.sign_up("bob@example.com").await;
    let [totp, passkey] = insert_factors(engine);
    assert!(!is_noted(&app, engine, totp).await, "an app that is not confirmed is no factor");
    assert!(is_noted(&app, engine, passkey).await);
    for sql in UNLISTED {
        assert!(!is_noted(&app, engine, sql).await, "{sql}");
    }
    for (table, column, value) in CHANGES {
        let which = match table {
            "users" => "username_key = 'ada'",
            "sessions" => "user_agent IS NOT NULL",
            "organizations" => "created_by_user_id = (SELECT id FROM users WHERE username_key = 'ada')",
            _ => "user_id = (SELECT id FROM users WHERE username_key = 'ada')",
        };
        let sql = format!("UPDATE {table} SET {column} = {value} WHERE {which}");
        assert!(is_noted(&app, engine, &sql).await, "{sql}");
        assert!(!is_noted(&app, engine, &sql).await, "nothing changed: {sql}");
    }
    let changed: BTreeSet<_> = CHANGES.iter().map(|(table, column, _)| (*table, *column)).collect();
    let listed: BTreeSet<_> =
        SESSION_COLUMNS.iter().flat_map(|shown| shown.columns.iter().map(|column| (shown.table, *column))).collect();
    assert_eq!(changed, listed);
    app.database().execute("UPDATE sessions SET ended_at = NULL").await;
    for table in ["passkeys", "totp", "memberships", "sessions", "users"] {
        assert!(SESSION_COLUMNS.iter().any(|shown| shown.table == table && shown.delete));
        assert!(is_noted(&app, engine, &format!("DELETE FROM {table}")).await, "{table}");
    }
}

async fn view_shows_factors_membership_and_methods(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let id = SessionId(serde_json::from_value(crate::organizations::claims(&ada)["sid"].clone()).unwrap());
    let view = async || -> Arc<KnownSession> { app.app.store.sessions().get(id).await.unwrap().unwrap() };
    let shown = view().await;
    assert!(!shown.email_verified && !shown.second_factor);
    assert_eq!(shown.organization_role, Some(MemberRole::Owner));
    assert_eq!(shown.methods, AuthMethods::from(AuthMethod::Password));
    let [_, passkey] = insert_factors(engine);
    for sql in [passkey, "UPDATE users SET email_verified_at = created_at", "UPDATE memberships SET role = 'member'"] {
        app.database().execute(sql).await;
    }
    let shown = view().await;
    assert!(shown.email_verified && shown.second_factor);
    assert_eq!(shown.organization_role, Some(MemberRole::Member));
    // As an older version leaves them.
    app.database().execute("UPDATE sessions SET methods = ''").await;
    app.database().execute("DELETE FROM memberships").await;
    let shown = view().await;
    assert_eq!((shown.methods, shown.organization_role), (AuthMethods::NONE, None));
}
