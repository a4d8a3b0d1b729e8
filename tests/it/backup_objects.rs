//! Triggers, views and rules in a backup that Doorward did not make: they would act with every write from then on.

use crate::backup::{doorward, with_new_database};
use crate::harness::{Engine, TempDir, TestApp, run_program};
use sqlx::{AssertSqlSafe, Connection, SqliteConnection};
use std::path::Path;

both_engines![backup_with_triggers_or_views_of_others_is_refused];

/// What is done to a backup, what is named, and what undoes it on the server, whose database is the same each time.
struct Case {
    sql: &'static str,
    named: &'static str,
    undo: &'static str,
}

const SQLITE: [Case; 5] = [
    Case {
        sql: "CREATE TRIGGER evil AFTER UPDATE ON sessions BEGIN UPDATE users SET roles = 'admin'; END",
        named: "evil",
        undo: "",
    },
    Case { sql: "CREATE VIEW mirror AS SELECT * FROM users", named: "mirror", undo: "" },
    Case {
        sql: "DROP TRIGGER users_removed; \
              CREATE TRIGGER users_removed AFTER DELETE ON users BEGIN UPDATE users SET roles = 'admin'; END",
        named: "users_removed (changed)",
        undo: "",
    },
    Case { sql: "DROP TRIGGER sessions_changed", named: "sessions_changed (missing)", undo: "" },
    Case {
        sql: "PRAGMA writable_schema = on; UPDATE sqlite_schema SET sql = replace(sql, 'OLD.id', 'NULL') \
              WHERE name = 'users_changed'",
        named: "users_changed (changed)",
        undo: "",
    },
];

const EVIL: &str = "CREATE FUNCTION evil() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
    UPDATE users SET roles = 'admin'; RETURN NULL; END $$;";
const OWN: &str = "DROP TRIGGER users_removed ON users; \
    CREATE TRIGGER users_removed AFTER DELETE ON users FOR EACH ROW EXECUTE FUNCTION note_user_change()";

const POSTGRES: [Case; 7] = [
    Case {
        sql: "CREATE TRIGGER evil AFTER UPDATE ON sessions EXECUTE FUNCTION evil()",
        named: "evil on sessions",
        undo: "DROP TRIGGER evil ON sessions",
    },
    Case { sql: "CREATE VIEW mirror AS SELECT * FROM users", named: "mirror", undo: "DROP VIEW mirror" },
    Case {
        sql: "CREATE RULE evil AS ON UPDATE TO sessions DO ALSO UPDATE users SET roles = 'admin'",
        named: "evil on sessions",
        undo: "DROP RULE evil ON sessions",
    },
    Case {
        sql: "DROP TRIGGER users_removed ON users; \
              CREATE TRIGGER users_removed AFTER DELETE ON users FOR EACH ROW EXECUTE FUNCTION evil()",
        named: "users_removed on users (changed)",
        undo: OWN,
    },
    // A condition runs with each row, too.
    Case {
        sql: "DROP TRIGGER users_removed ON users; CREATE TRIGGER users_removed AFTER DELETE ON users FOR EACH ROW \
              WHEN (set_config('a.b', 'c', false) = 'c') EXECUTE FUNCTION note_user_change()",
        named: "users_removed on users (changed)",
        undo: OWN,
    },
    Case {
        sql: "ALTER FUNCTION note_organization_change() SET search_path = evil",
        named: "organizations_changed on organizations (changed)",
        undo: "ALTER FUNCTION note_organization_change() RESET search_path",
    },
    Case {
        sql: "ALTER TABLE organizations DISABLE TRIGGER organizations_changed",
        named: "organizations_changed on organizations (changed)",
        undo: "ALTER TABLE organizations ENABLE TRIGGER organizations_changed",
    },
];

async fn backup_with_triggers_or_views_of_others_is_refused(engine: Engine) {
    let (mut app, folder) = (engine.app().await, TempDir::new("objects"));
    app.sign_up("ada@example.com").await;
    if engine == Engine::Sqlite {
        files(&app, &folder).await;
    } else {
        app.stop().await;
        loaded(&app).await;
    }
}

async fn files(app: &TestApp, folder: &TempDir) {
    let file = folder.path().join("backup");
    doorward(&["backup", file.to_str().unwrap()], app.variables()).await;
    let variables = with_new_database(app.variables(), folder);
    for case in &SQLITE {
        let altered = folder.path().join("altered");
        std::fs::copy(&file, &altered).unwrap();
        execute(&altered, case.sql).await;
        let output = run_program(&["restore", altered.to_str().unwrap(), "--yes"], &variables).await;
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        let names = format!("are not those of Doorward: {};", case.named);
        assert!(output.status.code() == Some(1) && text.contains(&names), "{}: {text}", case.sql);
        assert!(!folder.path().join("data/new.db").exists(), "{}", case.sql);
    }
    doorward(&["restore", file.to_str().unwrap(), "--yes"], &variables).await;
}

async fn execute(file: &Path, sql: &str) {
    let mut connection = SqliteConnection::connect(&format!("sqlite:{}", file.display())).await.unwrap();
    sqlx::raw_sql(AssertSqlSafe(sql.to_owned())).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
}

async fn loaded(app: &TestApp) {
    let sessions = "SELECT count(*) FROM sessions WHERE ended_at IS NULL";
    app.database().execute_all(EVIL).await;
    for case in &POSTGRES {
        app.database().execute_all(case.sql).await;
        let output = run_program(&["restore", "--loaded", "--yes"], app.variables()).await;
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        let names = format!("are not those of Doorward: {};", case.named);
        assert!(output.status.code() == Some(1) && text.contains(&names), "{}: {text}", case.sql);
        assert_eq!(app.database().count(sessions).await, 1, "nothing was written");
        app.database().execute_all(case.undo).await;
    }
    doorward(&["restore", "--loaded", "--yes"], app.variables()).await;
    assert_eq!(app.database().count(sessions).await, 0);
}
