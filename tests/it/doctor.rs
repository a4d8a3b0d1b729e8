//! `doorward doctor` names planted faults with their mends, and finds nothing in a healthy instance.

use crate::backup::{doorward, with_new_database};
use crate::faults_clocks::build_shift;
use crate::harness::{Builder, Engine, Need, TempDir, TestApp, free_port, run_program, run_to_snapshot, snapshot};
use doorward::model::finding::FindingCode;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs::Permissions;
use std::os::unix::fs::{FileExt, PermissionsExt};
use std::path::Path;
use std::process::{Command, Output};

both_engines![
    differing_process_is_found,
    clock_that_is_two_minutes_off_is_found,
    read_only_database_is_found,
    old_schema_is_found,
    healthy_instance_has_no_error,
    full_disk_is_found,
];
one_engine![wrong_key_is_found];
single_run![every_code_is_explained, unusable_settings_are_found, faults_of_files_and_warnings_are_found];
once_on_postgres![missing_rights_are_found, pooler_in_transaction_mode_is_found, slow_database_is_found];

pub type Variables = BTreeMap<String, String>;

pub struct Examined {
    pub code: Option<i32>,
    pub checks: Vec<Value>,
}

impl Examined {
    fn of(output: &Output) -> Self {
        let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"));
        let examined =
            Self { code: output.status.code(), checks: report["checks"].as_array().expect("checks").clone() };
        assert_eq!(report["healthy"], examined.code == Some(0), "{output:?}");
        examined
    }

    /// Fails if it says anything but that all is well.
    #[track_caller]
    pub fn expect_nothing(&self) {
        let found: Vec<_> = self.checks.iter().filter(|check| check["state"] != "ok").collect();
        assert!(self.code == Some(0) && found.is_empty(), "{found:#?}");
    }

    pub fn messages(&self, code: FindingCode) -> Vec<&str> {
        let of_code = self.checks.iter().filter(|check| check["code"] == code.as_str());
        of_code.map(|check| check["message"].as_str().expect("a message")).collect()
    }

    /// Compares what it says of a code with a snapshot; that must make the exit code 1.
    #[track_caller]
    pub fn expect(&self, code: FindingCode, name: &str) {
        self.expect_warning(code, name);
        assert_eq!(self.code, Some(1));
    }

    /// Compares what it says of a code with a snapshot; others decide on the exit code.
    #[track_caller]
    pub fn expect_warning(&self, code: FindingCode, name: &str) {
        let is_it = |check: &&Value| check["code"] == code.as_str();
        let found: Vec<_> = self.checks.iter().filter(is_it).map(|check| format!("{check:#}")).collect();
        assert!(!found.is_empty(), "no {code}: {:#?}", self.checks);
        snapshot(&format!("doctor/{name}"), &found.join("\n"));
    }
}

pub async fn doctor(variables: &Variables) -> Examined {
    Examined::of(&run_program(&["doctor", "--json"], variables).await)
}

/// With a ping to the receiver of webhooks.
pub async fn doctor_that_sends(variables: &Variables) -> Examined {
    Examined::of(&run_program(&["doctor", "--json", "--send"], variables).await)
}

pub fn with(variables: &Variables, changes: &[(&str, &str)]) -> Variables {
    let changes = changes.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    variables.clone().into_iter().chain(changes).collect()
}

/// A service that has told its settings.
async fn running(engine: Engine) -> TestApp {
    let app = engine.app().await;
    doorward::domain::other_processes::compare(&app.app).await.unwrap();
    app
}

async fn healthy_instance_has_no_error(engine: Engine) {
    let app = running(engine).await;
    let kind = if engine == Engine::Sqlite { "sqlite" } else { "postgres" };
    for (name, arguments) in [("text", ["doctor"].as_slice()), ("json", &["doctor", "--json"])] {
        run_to_snapshot(&format!("doctor/healthy_{kind}_{name}"), arguments, app.variables()).await;
    }
    doctor(app.variables()).await.expect_nothing();
    // A code that warns is no error.
    let examined = doctor(&with(app.variables(), &[("SVC_LISTN", "127.0.0.1:1")])).await;
    examined.expect_warning(FindingCode::UnknownVariable, "unknown_setting");
    assert_eq!(examined.code, Some(0));
}

async fn differing_process_is_found(engine: Engine) {
    let app = running(engine).await;
    let other = with(app.variables(), &[("SVC_AUDIENCES", "web"), ("SVC_ORG_MODE", "single")]);
    doctor(&other).await.expect(FindingCode::SettingsDiffer, "settings_differ");
}

async fn wrong_key_is_found(engine: Engine) {
    let app = running(engine).await;
    let other = with(app.variables(), &[("SVC_SECRET_KEY", "YW5vdGhlciBrZXksIG9mIHRoaXJ0eS10d28gYnl0ZXM=")]);
    doctor(&other).await.expect(FindingCode::WrongKey, "wrong_key");
}

async fn clock_that_is_two_minutes_off_is_found(engine: Engine) {
    if !Need::Compiler.is_met() {
        return;
    }
    let app = running(engine).await;
    let folder = TempDir::new("clock");
    let library = build_shift(folder.path());
    let slow = with(app.variables(), &[("LD_PRELOAD", library.to_str().unwrap()), ("CLOCK_SHIFT", "-120")]);
    doctor(&slow).await.expect(FindingCode::ClockDiffers, "clock_differs");
}

async fn full_disk_is_found(engine: Engine) {
    let app = running(engine).await;
    if engine == Engine::Sqlite {
        // Beyond a limit, a write fails as on a full disk.
        let script = format!("trap '' XFSZ; ulimit -S -f 2048; exec {} doctor --json", env!("CARGO_BIN_EXE_doorward"));
        let mut limited = Command::new("sh");
        limited.args(["-c", &script]).env_clear().envs(app.variables());
        let output = tokio::task::spawn_blocking(move || limited.output().unwrap()).await.unwrap();
        Examined::of(&output).expect(FindingCode::NoRoom, "no_room");
        return;
    }
    // The server's own disk cannot be filled here: the database says what a server with a full one says.
    let full = "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS \
        $$BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END$$";
    app.database().execute(full).await;
    app.database().execute("CREATE TRIGGER no_room BEFORE UPDATE ON instance EXECUTE FUNCTION full_disk()").await;
    doctor(app.variables()).await.expect(FindingCode::DatabaseFull, "database_full");
}

async fn read_only_database_is_found(engine: Engine) {
    let builder = engine.prepare().await;
    make_read_only(engine, &builder).await;
    let name = if engine == Engine::Sqlite { "file_read_only" } else { "server_read_only" };
    doctor(builder.variables()).await.expect(FindingCode::DatabaseReadOnly, name);
}

async fn make_read_only(engine: Engine, builder: &Builder) {
    let url = builder.database().url();
    if engine == Engine::Sqlite {
        // A file of a write version that SQLite does not know may only be read; root may write any file.
        let file = std::fs::File::options().write(true).open(url.strip_prefix("sqlite:").unwrap()).unwrap();
        file.write_all_at(&[3], 18).unwrap();
    } else {
        let name = url.rsplit('/').next().unwrap();
        let read_only = format!("ALTER DATABASE \"{name}\" SET default_transaction_read_only = on");
        builder.database().execute(&read_only).await;
    }
}

async fn old_schema_is_found(engine: Engine) {
    let name = if engine == Engine::Sqlite { "old_schema_of_file" } else { "old_schema_of_server" };
    let builder = engine.prepare().await;
    builder.database().execute("DELETE FROM _sqlx_migrations WHERE version = 153").await;
    doctor(builder.variables()).await.expect(FindingCode::OldSchema, name);
    let missing = builder.database().count("SELECT count(*) FROM _sqlx_migrations WHERE version = 153").await;
    assert_eq!(missing, 0, "the doctor changes nothing");
}

/// What is not there, what others may read or replace, and what settings alone show.
async fn faults_of_files_and_warnings_are_found() {
    let folder = TempDir::new("files");
    let mut variables = with_new_database(Engine::Sqlite.prepare().await.variables(), &folder);
    variables.remove("SVC_SECRET_KEY");
    doctor(&variables).await.expect(FindingCode::DatabaseAway, "database_away");
    doorward(&["migrate"], &variables).await;
    doorward(&["user", "create", "ada@example.com"], &variables).await;
    let data = folder.path().join("data");
    let key = data.join("secret.key");
    let set_mode = |path: &Path, mode| std::fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
    set_mode(&key, 0o640);
    doctor(&variables).await.expect_warning(FindingCode::FileNotPrivate, "file_not_private");
    set_mode(&key, 0o600);
    set_mode(&data, 0o777);
    doctor(&variables).await.expect_warning(FindingCode::DirectoryNotPrivate, "directory_not_private");
    set_mode(&data, 0o700);
    std::fs::remove_file(&key).unwrap();
    doctor(&variables).await.expect(FindingCode::KeyMissing, "key_missing");
    let mail = format!("smtp://127.0.0.1:{}", free_port());
    let from = ("SVC_MAIL_FROM", "accounts@mail.example");
    let warned = with(&variables, &[("SVC_SMTP_URL", &mail), from, ("SVC_RETURN_ORIGINS", "https://app.example")]);
    let examined = doctor(&warned).await;
    examined.expect_warning(FindingCode::MailWithoutTls, "mail_without_tls");
    examined.expect_warning(FindingCode::OriginWithoutCookies, "origin_without_cookies");
}

async fn missing_rights_are_found() {
    let builder = Engine::Postgres.prepare().await;
    let (database, url) = (builder.database(), builder.database().url());
    let role = format!("reader_{}", url.rsplit('/').next().unwrap());
    database.execute(&format!("CREATE ROLE {role} LOGIN")).await;
    database.execute(&format!("GRANT SELECT ON ALL TABLES IN SCHEMA public TO {role}")).await;
    let reader = with(builder.variables(), &[("SVC_DATABASE_URL", &url.replace("postgres@", &format!("{role}@")))]);
    doctor(&reader).await.expect(FindingCode::DatabaseRights, "database_rights");
    database.execute(&format!("DROP OWNED BY {role}")).await;
    database.execute(&format!("DROP ROLE {role}")).await;
}

/// The database says what one behind such a pooler says: that two connections have one process.
async fn pooler_in_transaction_mode_is_found() {
    let builder = Engine::Postgres.prepare().await;
    let same = "CREATE FUNCTION public.pg_backend_pid() RETURNS integer LANGUAGE sql AS 'SELECT 7'";
    replace_function(&builder, same).await;
    doctor(builder.variables()).await.expect(FindingCode::PoolerInTransactionMode, "pooler_in_transaction_mode");
}

/// A server that takes a tenth of a second to tell that it is none of the standbys.
async fn slow_database_is_found() {
    let builder = Engine::Postgres.prepare().await;
    let slow = "CREATE FUNCTION public.pg_is_in_recovery() RETURNS boolean LANGUAGE sql \
        AS 'SELECT pg_sleep(0.1)::text IS NULL'";
    replace_function(&builder, slow).await;
    doctor(builder.variables()).await.expect_warning(FindingCode::DatabaseSlow, "database_slow");
}

/// Puts a function in the place of PostgreSQL's own of the same name.
async fn replace_function(builder: &Builder, create: &str) {
    let (database, url) = (builder.database(), builder.database().url());
    database.execute(create).await;
    let name = url.rsplit('/').next().unwrap();
    database.execute(&format!("ALTER DATABASE \"{name}\" SET search_path = public, pg_catalog")).await;
}

async fn unusable_settings_are_found() {
    let variables = with(&Variables::new(), &[("SVC_SIGNUP", "sometimes")]);
    doctor(&variables).await.expect(FindingCode::SettingInvalid, "setting_invalid");
}

/// The codes of the page's headings are those of the list, in its order; none is mentioned that does not exist.
async fn every_code_is_explained() {
    let page = include_str!("../../docs/reference/doctor.md");
    let codes: Vec<&str> = FindingCode::ALL.iter().map(|code| code.as_str()).collect();
    assert!(codes.is_sorted_by(|one, next| one < next), "{codes:?}");
    let (mut sections, mut explained) = (page.split("\n### ").skip(1), Vec::new());
    while let Some((heading, text)) = sections.next().and_then(|section| section.split_once('\n')) {
        let code = FindingCode::ALL.iter().find(|code| code.as_str() == heading);
        let severity = code.map(|code| format!("{:?}", code.severity()));
        assert!(severity.is_some_and(|severity| text.starts_with(&severity)), "{heading}: {text}");
        explained.push(heading);
    }
    assert_eq!(explained, codes);
    let mentioned = page.split("DW-").skip(1).map(|rest| rest.chars().take(3).collect::<String>());
    let unknown: Vec<_> = mentioned.filter(|number| !codes.contains(&format!("DW-{number}").as_str())).collect();
    assert!(unknown.is_empty(), "{unknown:?}");
}
