//! A new database gets the schema whole (`crates/core/migrations/*/schema.sql`), and is then as if it had taken every
//! step. `DOORWARD_BLESS=1` writes those files from what the steps make.

use crate::harness::{Builder, Engine, TempDir, TestDatabase, run_program};
use crate::old_databases::portable;
use regex::Regex;
use std::fs::{self, File};
use std::path::Path;

both_engines![new_database_is_as_its_steps_make_it];

async fn new_database_is_as_its_steps_make_it(engine: Engine) {
    let folder = TempDir::new("new_database");
    let new = engine.prepare().await.on_empty_database().await;
    migrate(&new).await;
    // With the record of steps, and none in it, a database is not new.
    let old = engine.prepare().await.on_empty_database().await;
    if engine == Engine::Sqlite {
        File::create_new(old.database().url().trim_start_matches("sqlite:")).unwrap();
    }
    old.database().execute_all(&record(new.database(), engine, folder.path()).await).await;
    migrate(&old).await;
    let [new, old] = [new.database(), old.database()];
    let [new_steps, old_steps] = [steps(new).await, steps(old).await];
    assert!(new_steps.len() > 40 && new_steps == old_steps, "{new_steps:?}");
    let [new, old] = [schema(new, engine, folder.path()).await, schema(old, engine, folder.path()).await];
    if std::env::var_os("DOORWARD_BLESS").is_some() {
        let engine = if engine == Engine::Sqlite { "sqlite" } else { "postgres" };
        let migrations = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/core/migrations");
        fs::write(migrations.join(engine).join("schema.sql"), with_rows_compared(&old)).unwrap();
        return;
    }
    assert!(new == old, "a step is not in schema.sql: run this test with DOORWARD_BLESS=1, and look at what git shows");
}

async fn migrate(builder: &Builder) {
    let output = run_program(&["migrate"], builder.variables()).await;
    assert!(output.status.success(), "{output:?}");
    // The command goes on as a first start does.
    builder.database().execute_all("DELETE FROM instance; DELETE FROM signing_keys").await;
}

async fn steps(database: &TestDatabase) -> Vec<String> {
    database.texts("SELECT version || ' ' || description FROM _sqlx_migrations ORDER BY version").await
}

/// The statement that makes the record of steps.
async fn record(database: &TestDatabase, engine: Engine, folder: &Path) -> String {
    match engine {
        Engine::Sqlite => {
            database.texts("SELECT sql FROM sqlite_schema WHERE name = '_sqlx_migrations'").await.remove(0)
        }
        Engine::Postgres => dump(database, "--schema-only --table=_sqlx_migrations", folder),
    }
}

/// All else, as the statements that make it.
async fn schema(database: &TestDatabase, engine: Engine, folder: &Path) -> String {
    if engine == Engine::Postgres {
        return dump(database, "--inserts --exclude-table=_sqlx_migrations", folder);
    }
    let objects = "SELECT sql || ';' FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite%' \
        AND name NOT LIKE '\\_sqlx%' ESCAPE '\\' ORDER BY rowid";
    let mut statements = database.texts(objects).await;
    let tables = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' \
        AND name NOT LIKE '\\_sqlx%' ESCAPE '\\'";
    for table in database.texts(tables).await {
        let columns = database.texts(&format!("SELECT name FROM pragma_table_info('{table}')")).await;
        let values: Vec<_> = columns.iter().map(|column| format!("quote({column})")).collect();
        let (columns, values) = (columns.join(", "), values.join(" || ', ' || "));
        let rows = format!("SELECT 'INSERT INTO {table} ({columns}) VALUES (' || {values} || ');' FROM {table}");
        statements.extend(database.texts(&rows).await);
    }
    statements.iter().flat_map(|statement| [statement, "\n"]).collect()
}

/// What `pg_dump` writes, without the name of the schema, which a URL may set, and what depends on its version.
fn dump(database: &TestDatabase, options: &str, folder: &Path) -> String {
    let file = folder.join("dump.sql");
    let line =
        format!("pg_dump --no-owner --no-privileges {options} --file='{}' \"$SVC_DATABASE_URL\"", file.display());
    database.run_line(&line);
    let text = portable(&fs::read_to_string(file).unwrap()).replace("public.", "");
    text.lines().filter(|line| !line.contains("set_config")).flat_map(|line| [line, "\n"]).collect()
}

/// Writes a trigger's comparison of rows as a step writes it: `pg_dump` takes it apart by columns, which PostgreSQL would
/// then read as something else.
fn with_rows_compared(dump: &str) -> String {
    let column = Regex::new(r"\(old\.(\w+) IS DISTINCT FROM new\.\w+\)").unwrap();
    let line = |line: &str| {
        let columns: Vec<_> = column.captures_iter(line).map(|found| found[1].to_owned()).collect();
        let (Some((begin, rest)), true) = (line.split_once(" WHEN ("), columns.len() > 1) else {
            return line.to_owned();
        };
        let (_, end) = rest.split_once(" EXECUTE ").unwrap();
        let row = |of: &str| columns.iter().map(|column| format!("{of}.{column}")).collect::<Vec<_>>().join(", ");
        format!("{begin} WHEN (({}) IS DISTINCT FROM ({})) EXECUTE {end}", row("old"), row("new"))
    };
    dump.lines().flat_map(|text| [line(text), "\n".to_owned()]).collect()
}
