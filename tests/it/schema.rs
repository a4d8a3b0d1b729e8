//! Both schemas have the same tables, columns and indexes (types differ), and report violated constraints alike.

use crate::harness::{Engine, Process, TempDir, TestDatabase, begin, eventually};
use doorward::clock::Clock;
use doorward::model::event::EventKinds;
use doorward::model::ids::UserId;
use doorward::model::roles::Roles;
use doorward::model::time::Time;
use doorward::settings::{Environment, ServiceName, Settings};
use doorward::store::{Constraint, Store, StoreError, UserRow};
use std::collections::BTreeSet;
use uuid::Uuid;

once_on_postgres![
    sqlite_and_postgres_schemas_agree,
    step_waits_for_locks_and_takes_its_time,
    new_database_is_one_line_of_the_log,
    current_schema_takes_no_lock,
];
both_engines![violated_constraint_is_named];

const SQLITE_COLUMNS: &str = "SELECT m.name || '.' || c.name || CASE c.\"notnull\" WHEN 1 THEN ' required' ELSE '' END \
    FROM sqlite_master m, pragma_table_info(m.name) c WHERE m.type = 'table' \
    AND m.name NOT LIKE '\\_sqlx%' ESCAPE '\\' AND m.name NOT LIKE 'sqlite%'";
const POSTGRES_COLUMNS: &str = "SELECT table_name || '.' || column_name || CASE is_nullable WHEN 'NO' THEN ' required' \
    ELSE '' END FROM information_schema.columns WHERE table_schema = 'public' AND table_name NOT LIKE '\\_sqlx%'";
const SQLITE_INDEXES: &str = "SELECT m.tbl_name || ' ' || m.name || ' ' || l.\"unique\" || ' ' || \
    (SELECT group_concat(i.name) FROM (SELECT name FROM pragma_index_info(m.name) ORDER BY seqno) i) || ' ' || \
    CASE l.partial WHEN 1 THEN 'partial' ELSE 'whole' END \
    FROM sqlite_master m JOIN pragma_index_list(m.tbl_name) l ON l.name = m.name \
    WHERE m.type = 'index' AND m.sql IS NOT NULL";
const POSTGRES_INDEXES: &str = "SELECT t.relname || ' ' || i.relname || ' ' || x.indisunique::int || ' ' || \
    (SELECT string_agg(a.attname, ',' ORDER BY k.n) FROM unnest(x.indkey::int[]) WITH ORDINALITY k(attnum, n) \
    JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.attnum) || ' ' || \
    CASE WHEN x.indpred IS NULL THEN 'whole' ELSE 'partial' END \
    FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class t ON t.oid = x.indrelid \
    JOIN pg_namespace n ON n.oid = t.relnamespace \
    WHERE n.nspname = 'public' AND NOT x.indisprimary AND t.relname NOT LIKE '\\_sqlx%'";

async fn sqlite_and_postgres_schemas_agree() {
    let folder = TempDir::new("schema");
    let sqlite = TestDatabase::migrated(Engine::Sqlite, folder.path()).await;
    let postgres = TestDatabase::migrated(Engine::Postgres, folder.path()).await;
    for (one, other) in [(SQLITE_COLUMNS, POSTGRES_COLUMNS), (SQLITE_INDEXES, POSTGRES_INDEXES)] {
        let one: BTreeSet<String> = sqlite.texts(one).await.into_iter().collect();
        let other: BTreeSet<String> = postgres.texts(other).await.into_iter().collect();
        assert!(one.len() > 5, "{one:?}");
        let differences: Vec<_> = one.symmetric_difference(&other).collect();
        assert!(differences.is_empty(), "{differences:#?}");
    }
}

/// A step takes longer than any other statement may.
async fn step_waits_for_locks_and_takes_its_time() {
    let builder = Engine::Postgres.prepare().await;
    let database = builder.database();
    database.execute("DELETE FROM _sqlx_migrations WHERE version = 153").await;
    database
        .execute("CREATE FUNCTION dawdle() RETURNS event_trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(10); END'")
        .await;
    let dawdle = "CREATE EVENT TRIGGER dawdle ON ddl_command_end WHEN TAG IN ('ALTER TABLE') EXECUTE FUNCTION dawdle()";
    database.execute(dawdle).await;
    let lock = database.hold_table("limits").await;
    let mut process = Process::spawn(builder.variables());
    let waits = async || process.stderr().contains("the schema waits for a lock").then_some(());
    eventually("the start waits", waits).await;
    lock.release().await;
    process.wait_until_ready(&builder.variables()["SVC_LISTEN"]).await;
    let log = process.stderr();
    assert!(log.contains("schema: step 153, limits are logged") && log.contains("schema: step 153 took"), "{log}");
    assert_eq!(database.count("SELECT count(*) FROM _sqlx_migrations WHERE version = 153").await, 1);
}

/// Someone who has just installed the service would ask what all the steps of a new database were for.
async fn new_database_is_one_line_of_the_log() {
    let builder = Engine::Postgres.prepare().await.on_empty_database().await;
    let process = Process::start(builder.variables()).await;
    let log = process.stderr();
    let lines: Vec<&str> = log.lines().filter(|line| line.contains("schema")).collect();
    assert!(lines.len() == 1 && lines[0].ends_with("schema: made in an empty database"), "{lines:#?}");
}

async fn current_schema_takes_no_lock() {
    let builder = Engine::Postgres.prepare().await;
    let lock = "SELECT pg_advisory_lock(x'646f6f7277617264'::bit(64)::bigint)::text";
    builder.database().texts(lock).await;
    let process = Process::start(builder.variables()).await;
    assert!(!process.stderr().contains("schema"), "{}", process.stderr());
}

fn user(number: u128) -> UserRow {
    UserRow {
        id: UserId(Uuid::from_u128(number)),
        email: format!("user{number}@example.com"),
        username: format!("user{number}"),
        password_hash: None,
        roles: Roles::NONE,
        email_verified_at: None,
        disabled_at: None,
        created_at: Time::from_micros(1_800_000_000_000_000),
        language: None,
        name: None,
    }
}

async fn violated_constraint_is_named(engine: Engine) {
    let builder = engine.prepare().await;
    let environment: Environment = builder.variables().iter().collect();
    let settings = Settings::load(&ServiceName::parse("svc").unwrap(), &environment).unwrap().settings;
    let store = Store::open(&settings.database, Clock::system(), EventKinds::NONE).await.unwrap();
    let mut tx = begin(&store).await;
    tx.user_create(&user(1), "a@example.com", "a").await.unwrap();
    tx.commit().await.unwrap();
    for (id, email, username, violated) in [
        (2, "a@example.com", "b", Constraint::UserEmail),
        (2, "b@example.com", "a", Constraint::UserUsername),
        (1, "b@example.com", "b", Constraint::Other),
    ] {
        let mut tx = begin(&store).await;
        let error = tx.user_create(&user(id), email, username).await.unwrap_err();
        assert!(matches!(error, StoreError::Constraint(found) if found == violated), "{error:?}");
        drop(tx);
    }
    let mut tx = begin(&store).await;
    let unknown = doorward::model::ids::OrganizationId(Uuid::nil());
    let owner = doorward::model::organization::MemberRole::Owner;
    let error = tx.membership_create(unknown, UserId(Uuid::from_u128(1)), owner).await.unwrap_err();
    assert!(matches!(error, StoreError::Constraint(Constraint::Other)), "{error:?}");
    drop(tx);
    // The failed transactions left nothing, and the next one works.
    let mut tx = begin(&store).await;
    tx.user_create(&user(2), "b@example.com", "b").await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(builder.database().count("SELECT count(*) FROM users").await, 2);
    store.close().await;
}
