//! `doorward backup` and `doorward restore` that must not, or cannot, do what they are asked.

use crate::backup::{doorward_process as doorward, with_new_database};
use crate::harness::{Engine, Process, TempDir, eventually, run_process};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use std::collections::BTreeMap;
use std::fs::Permissions;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

single_run![
    restore_onto_running_service_is_refused,
    what_is_no_sound_backup_is_refused,
    backup_of_another_key_is_refused,
    damaged_database_is_replaced,
    killed_backup_leaves_no_file,
    killed_restore_leaves_database_whole,
    restore_without_key_says_so,
    backup_onto_full_disk_names_folder_and_size,
    restore_onto_full_disk_names_folder_and_size,
    printed_line_keeps_password_off_the_command_line,
];

/// A service's variables, its data in a folder, with this number of accounts.
struct Instance {
    folder: TempDir,
    variables: BTreeMap<String, String>,
}

impl Instance {
    async fn with_users(count: usize) -> Self {
        let folder = TempDir::new("backup");
        let variables = with_new_database(Engine::Sqlite.prepare().await.variables(), &folder);
        doorward(&["migrate"], &variables).await;
        let instance = Self { folder, variables };
        for number in 0..count {
            instance.add_user(&format!("user{number}@example.com")).await;
        }
        instance
    }

    async fn add_user(&self, email: &str) {
        doorward(&["user", "create", email], &self.variables).await;
    }

    async fn users(&self) -> usize {
        doorward(&["user", "list"], &self.variables).await["data"].as_array().unwrap().len()
    }

    fn file(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    fn database(&self) -> PathBuf {
        self.folder.path().join("data/new.db")
    }

    async fn back_up(&self, name: &str) -> String {
        let file = self.file(name);
        doorward(&["backup", &file], &self.variables).await;
        file
    }

    /// Fails unless the restore is refused with these words, and changes nothing.
    async fn expect_refusal(&self, file: &str, words: &str) {
        let before = self.users().await;
        let output = run_process(&["restore", file, "--yes"], &self.variables, "").await;
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(message.contains(words), "{words} is not in: {message}");
        assert_eq!(self.users().await, before);
        assert_eq!(parts(self.database().parent().unwrap()), Vec::<PathBuf>::new());
    }

    /// Makes the database large, so that copying it takes a while.
    async fn fill(&self) {
        let pool = sqlx::SqlitePool::connect(&self.variables["SVC_DATABASE_URL"]).await.unwrap();
        let rows = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200000) \
            INSERT INTO limits (id, at, failures, expires_at) SELECT randomblob(200), 0, 0, 1 << 60 FROM n";
        sqlx::query(rows).execute(&pool).await.unwrap();
        pool.close().await;
    }
}

/// What is being made in a folder.
fn parts(folder: &Path) -> Vec<PathBuf> {
    let paths = folder.read_dir().unwrap().map(|entry| entry.unwrap().path());
    paths.filter(|path| path.extension().is_some_and(|extension| extension == "part")).collect()
}

async fn restore_onto_running_service_is_refused() {
    let instance = Instance::with_users(1).await;
    let file = instance.back_up("backup").await;
    let service = Process::start(&instance.variables).await;
    instance.expect_refusal(&file, "is in use: stop the service").await;
    service.kill();
    doorward(&["restore", &file, "--yes"], &instance.variables).await;
    assert_eq!(instance.users().await, 1);
}

async fn what_is_no_sound_backup_is_refused() {
    let instance = Instance::with_users(2).await;
    let file = instance.back_up("backup").await;
    let good = std::fs::read(&file).unwrap();
    let write = |name: &str, bytes: &[u8]| std::fs::write(instance.file(name), bytes).unwrap();
    write("text", b"This is a letter to a friend, and no database.");
    write("empty", b"");
    write("half", &good[..good.len() / 2]);
    let mut flipped = good.clone();
    // The first page has the schema; the others have what an interrupted copy would lose.
    flipped[4096 * 3..4096 * 5].fill(0x5a);
    write("flipped", &flipped);
    for (name, words) in [
        ("text", "not a database"),
        ("empty", "no database of Doorward"),
        ("half", "malformed"),
        ("flipped", "integrity check failed"),
        ("missing", "unable to open"),
    ] {
        instance.expect_refusal(&instance.file(name), words).await;
    }
    assert_eq!(instance.users().await, 2);
}

async fn backup_of_another_key_is_refused() {
    let mut instance = Instance::with_users(1).await;
    let file = instance.back_up("backup").await;
    instance.variables.insert("SVC_SECRET_KEY".to_owned(), STANDARD.encode([9; 32]));
    instance.expect_refusal(&file, "the secret key does not fit").await;
}

async fn damaged_database_is_replaced() {
    let instance = Instance::with_users(2).await;
    let file = instance.back_up("backup").await;
    std::fs::write(instance.database(), b"What a disk has made of it, long enough to be no SQLite header.").unwrap();
    std::fs::write(instance.file("data/new.db-wal"), b"and its log").unwrap();
    doorward(&["restore", &file, "--yes"], &instance.variables).await;
    assert_eq!(instance.users().await, 2);
}

async fn killed_backup_leaves_no_file() {
    let instance = Instance::with_users(1).await;
    instance.fill().await;
    let file = instance.file("backup");
    for _ in 0..3 {
        let backup = Process::spawn_command(&["backup", &file], &instance.variables);
        let copies = async || parts(instance.folder.path()).first().cloned();
        let part = eventually("the copy is being written", copies).await;
        backup.kill();
        let _ = std::fs::remove_dir_all(part);
        // A machine may be so fast that it was finished.
        if Path::new(&file).exists() {
            doorward(&["restore", &file, "--yes"], &instance.variables).await;
            std::fs::remove_file(&file).unwrap();
        }
    }
    instance.back_up("backup").await;
    doorward(&["restore", &file, "--yes"], &instance.variables).await;
    assert_eq!(instance.users().await, 1);
}

async fn killed_restore_leaves_database_whole() {
    let instance = Instance::with_users(1).await;
    instance.fill().await;
    let file = instance.back_up("backup").await;
    instance.add_user("late@example.com").await;
    let data = instance.database().parent().unwrap().to_owned();
    // When the copy is begun, and when it is being prepared.
    for stage in ["doorward.db", "doorward.lock"] {
        let restore = Process::spawn_command(&["restore", &file, "--yes"], &instance.variables);
        let reached = async || parts(&data).first().filter(|part| part.join(stage).exists()).cloned();
        eventually("the copy is being made", reached).await;
        restore.kill();
        let users = instance.users().await;
        assert!([1, 2].contains(&users), "killed with {stage}: {users}");
    }
    for name in [".new.db.of-mine.part", ".new.db.0123456789abcdef.part"] {
        std::fs::create_dir(data.join(name)).unwrap();
    }
    doorward(&["restore", &file, "--yes"], &instance.variables).await;
    assert_eq!(instance.users().await, 1);
    assert_eq!(parts(&data), [data.join(".new.db.of-mine.part")], "what killed restores left is removed");
    let service = Process::start(&instance.variables).await;
    service.kill();
}

async fn restore_without_key_says_so() {
    let mut instance = Instance::with_users(1).await;
    let file = instance.back_up("backup").await;
    assert_eq!(doorward(&["restore", &file, "--yes"], &instance.variables).await["secret_key"], true);
    instance.variables.remove("SVC_SECRET_KEY");
    let output = run_process(&["restore", &file, "--yes"], &instance.variables, "").await;
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.contains("There is no secret key yet") && text.contains("data/secret.key"), "{text}");
    assert_eq!(doorward(&["restore", &file, "--yes"], &instance.variables).await["secret_key"], false);
    let refused = run_process(&["serve"], &instance.variables, "").await;
    let error = String::from_utf8(refused.stderr).unwrap();
    assert!(error.contains("is missing") && error.contains("doorward secrets reset"), "{error}");
}

/// Runs a command whose files may not become larger than this, as on a full disk; returns what it says.
async fn on_full_disk(instance: &Instance, kib: u64, arguments: &[&str]) -> String {
    let mut command = Command::new("sh");
    // An ignored signal stays ignored after `exec`, so the write fails instead.
    let script = format!("trap '' XFSZ; ulimit -S -f {}; exec \"$0\" \"$@\"", kib * 2);
    command.args(["-c", &script, env!("CARGO_BIN_EXE_doorward")]);
    command.args(arguments).env_clear().envs(&instance.variables);
    let output = tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    String::from_utf8(output.stderr).unwrap()
}

/// Fails unless an error names this folder alone, and the room that a copy takes there.
fn expect_no_room(error: &str, folder: &Path, copy: &str) {
    assert!(error.starts_with(&format!("doorward: {}: ", folder.display())), "{error}");
    let number = error.split("the copy takes up to ").nth(1).and_then(|rest| rest.split(' ').next());
    let told: u64 = number.and_then(|number| number.parse().ok()).unwrap_or_else(|| panic!("{error}"));
    let taken = Path::new(copy).metadata().unwrap().len();
    assert!((taken..=2 * taken).contains(&told), "{taken}: {error}");
}

async fn backup_onto_full_disk_names_folder_and_size() {
    let instance = Instance::with_users(1).await;
    let other = TempDir::new("other");
    let file = other.path().join("backup").display().to_string();
    let unwritten = on_full_disk(&instance, 128, &["backup", &file]).await;
    // Less than what SQLite needs to read a database.
    let unread = on_full_disk(&instance, 16, &["backup", &file]).await;
    assert!(unread.starts_with(&format!("doorward: {}: ", instance.database().display())), "{unread}");
    assert!(unread.contains("SQLite needs 32 kB beside the file"), "{unread}");
    doorward(&["backup", &file], &instance.variables).await;
    expect_no_room(&unwritten, other.path(), &file);
}

async fn restore_onto_full_disk_names_folder_and_size() {
    let instance = Instance::with_users(1).await;
    let other = TempDir::new("other");
    let file = other.path().join("backup").display().to_string();
    doorward(&["backup", &file], &instance.variables).await;
    let error = on_full_disk(&instance, 128, &["restore", &file, "--yes"]).await;
    let folder = instance.database().parent().unwrap().to_owned();
    expect_no_room(&error, &folder, &file);
    assert_eq!(instance.users().await, 1);
    assert_eq!(parts(&folder), Vec::<PathBuf>::new());
}

/// `ps` shows every user of the machine the arguments of a program, and none of them its environment.
async fn printed_line_keeps_password_off_the_command_line() {
    let folder = TempDir::new("programs");
    let mut variables = Engine::Sqlite.prepare().await.variables().clone();
    let secret = "s3cret/of@ada";
    variables.insert("SVC_DATABASE_URL".to_owned(), "postgres://ada:s3cret%2Fof%40ada@127.0.0.1:1/door".to_owned());
    let stub = "#!/bin/sh\necho \"$PGPASSWORD\" >\"$HOME/password\"\necho \"$*\" >\"$HOME/arguments\"\n";
    for program in ["pg_dump", "pg_restore"] {
        let path = folder.path().join(program);
        std::fs::write(&path, stub).unwrap();
        std::fs::set_permissions(&path, Permissions::from_mode(0o700)).unwrap();
    }
    symlink(env!("CARGO_BIN_EXE_doorward"), folder.path().join("doorward")).unwrap();
    for command in ["backup", "restore"] {
        let printed = doorward(&[command, "it's a dump"], &variables).await;
        let line = printed["command"].as_str().unwrap();
        assert!(!line.contains("s3cret"), "{line}");
        let mut shell = Command::new("sh");
        let path = format!("{}:{}", folder.path().display(), std::env::var("PATH").unwrap_or_default());
        shell.args(["-c", line]).env_clear().envs(&variables).env("PATH", path).env("HOME", folder.path());
        assert!(shell.status().unwrap().success(), "{line}");
        let written = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
        assert_eq!(written("password").trim_end(), secret);
        let arguments = written("arguments");
        assert!(
            arguments.contains("postgres://ada@127.0.0.1:1/door") && arguments.contains("it's a dump"),
            "{arguments}"
        );
        assert!(!arguments.contains("s3cret"), "{arguments}");
    }
    variables.insert("SVC_DATABASE_URL".to_owned(), "postgres://ada@127.0.0.1:1/door".to_owned());
    assert_eq!(run_process(&["backup", "--password"], &variables, "").await.status.code(), Some(2));
}
