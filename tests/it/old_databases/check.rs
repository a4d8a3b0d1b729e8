//! That an old database has everything that its version stores.

use super::stored::{is_named_as_time, time_columns};
use crate::harness::{Engine, TestDatabase};
use doorward::model::audit::AuditKind;
use doorward::model::auth_method::AuthMethod;
use std::collections::BTreeSet;

/// Texts that a query must find, at least; each query works on both engines.
const FOUND: [(&str, &[&str]); 6] = [
    (
        "SELECT DISTINCT CASE channel WHEN 'webhook' THEN 'event ' ELSE 'mail ' END || state FROM outbox",
        &[
            "event pending",
            "event processing",
            "event delivered",
            "event failed",
            "mail pending",
            "mail processing",
            "mail delivered",
            "mail failed",
        ],
    ),
    ("SELECT DISTINCT state FROM invitations", &["pending", "accepted", "declined", "revoked"]),
    (
        "SELECT DISTINCT end_reason FROM sessions WHERE ended_at IS NOT NULL",
        &["logout", "reuse", "ended", "disabled", "key_lost", "address_proved", "change_undone"],
    ),
    (
        "SELECT DISTINCT kind FROM account_tokens",
        &["verification", "sign_up", "email_change", "email_undo", "password_reset", "confirmation"],
    ),
    ("SELECT DISTINCT role FROM memberships", &["owner", "admin", "member"]),
    ("SELECT DISTINCT kind FROM organizations", &["personal", "team"]),
];
/// Rows in a certain state: one at least.
const ROWS: [&str; 9] = [
    "outbox WHERE state = 'pending' AND attempts = 0",
    "invitations WHERE state = 'pending' AND expires_at < (SELECT max(at) FROM audit)",
    "api_keys WHERE revoked_at IS NOT NULL",
    "api_keys WHERE expires_at < (SELECT max(at) FROM audit)",
    "api_keys WHERE id <> family",
    "api_keys WHERE networks <> ''",
    "users WHERE disabled_at IS NOT NULL",
    "users WHERE external_id IS NOT NULL AND metadata <> '{}'",
    "users WHERE language = 'de' AND roles = ''",
];

/// Every table with rows, and every kind, method and state that this version has: asked when a database is made.
pub async fn covers_everything(database: &TestDatabase, engine: Engine) {
    let mut missing = Vec::new();
    let tables = tables(database, engine).await;
    for rows in tables.iter().map(String::as_str).chain(ROWS) {
        if database.count(&format!("SELECT count(*) FROM {rows}")).await == 0 {
            missing.push(rows.to_owned());
        }
    }
    let kinds = AuditKind::ALL.map(AuditKind::as_str);
    let expected = [("SELECT DISTINCT kind FROM audit", kinds.as_slice())].into_iter().chain(FOUND);
    for (sql, expected) in expected {
        let found: BTreeSet<String> = database.texts(sql).await.into_iter().collect();
        missing.extend(expected.iter().filter(|text| !found.contains(**text)).map(|text| format!("{text} in {sql}")));
    }
    let methods = database.texts("SELECT methods FROM sessions WHERE ended_at IS NULL").await.join(",");
    let is_missing = |method: &AuthMethod| methods.split(',').all(|name| name != method.as_str());
    missing.extend(
        AuthMethod::ALL.iter().filter(|m| is_missing(m)).map(|method| format!("a session by {}", method.as_str())),
    );
    assert!(missing.is_empty(), "{missing:#?}");
    let times = time_columns(database, engine).await;
    let unknown: Vec<_> = times.iter().filter(|column| !is_named_as_time(column)).collect();
    assert!(times.len() > 40 && unknown.is_empty(), "on SQLite, these would not be moved: {unknown:?}");
}

/// Every table but that of the steps, in the order of the names.
pub async fn tables(database: &TestDatabase, engine: Engine) -> Vec<String> {
    let sql = match engine {
        Engine::Sqlite => "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'",
        Engine::Postgres => "SELECT table_name::text FROM information_schema.tables WHERE table_schema = 'public'",
    };
    let mut tables = database.texts(sql).await;
    tables.retain(|table| !table.starts_with("_sqlx"));
    tables.sort_unstable();
    tables
}
