//! What the program says at start, and what it never says.

use crate::backup::mode;
use crate::harness::{Engine, Process, TempDir, WEBHOOK_SECRET, eventually, free_port, run_program, snapshot};
use std::collections::BTreeMap;
use std::fs::{Permissions, set_permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

single_run![
    private_files_cause_no_warning,
    key_without_its_database_causes_a_warning,
    files_that_others_can_read_cause_warnings,
    directory_that_others_can_write_causes_warnings,
    directories_behind_links_and_further_up_cause_warnings,
    named_files_that_others_can_read_or_replace_cause_warnings,
    short_patience_with_the_receiver_causes_a_warning,
    password_in_an_address_is_refused_and_never_printed,
];
once_on_postgres![missing_files_cause_no_warning, periodic_work_takes_one_connection];

fn chmod(path: &Path, mode: u32) {
    set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

/// Variables of a service with all its files in `folder`.
fn variables(folder: &Path) -> BTreeMap<String, String> {
    let port = free_port();
    let pairs = [
        ("SVC_LISTEN", format!("127.0.0.1:{port}")),
        ("SVC_BASE_URL", format!("http://127.0.0.1:{port}")),
        ("SVC_DATA_DIR", folder.display().to_string()),
    ];
    pairs.map(|(name, value)| (name.to_owned(), value)).into()
}

/// The warnings of a start, and of nothing else: the process is stopped once it is ready.
async fn warnings(variables: &BTreeMap<String, String>) -> Vec<String> {
    let mut process = Process::start(variables).await;
    process.signal("TERM");
    process.wait().await;
    let log = process.stderr();
    log.lines().filter(|line| line.contains("WARN")).map(str::to_owned).collect()
}

/// A data directory in which the service ran once.
async fn used_folder() -> (TempDir, PathBuf) {
    let parent = TempDir::new("modes");
    let folder = parent.path().join("data");
    assert_eq!(warnings(&variables(&folder)).await, [""; 0], "what the service makes is private");
    (parent, folder)
}

async fn private_files_cause_no_warning() {
    let (_parent, folder) = used_folder().await;
    assert_eq!(warnings(&variables(&folder)).await, [""; 0]);
    for entry in folder.read_dir().unwrap() {
        let path = entry.unwrap().path();
        assert_eq!(mode(&path), 0o600, "{}", path.display());
    }
}

/// As after a restore that failed once the old file had been moved.
async fn key_without_its_database_causes_a_warning() {
    let (_parent, folder) = used_folder().await;
    for name in ["doorward.db", "doorward.db-wal", "doorward.db-shm"] {
        let _ = std::fs::remove_file(folder.join(name));
    }
    let found = warnings(&variables(&folder)).await;
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(
        found[0].contains("doorward.db is missing, but the key in") && found[0].contains("restore it"),
        "{found:?}"
    );
    assert_eq!(warnings(&variables(&folder)).await, [""; 0], "it is there now");
}

async fn short_patience_with_the_receiver_causes_a_warning() {
    let (_parent, folder) = used_folder().await;
    let mut variables = variables(&folder);
    let mut set = |name: &str, value: &str| {
        variables.insert(name.to_owned(), value.to_owned());
        variables.clone()
    };
    set("SVC_WEBHOOK_URL", "http://127.0.0.1:9/hooks");
    let found = warnings(&set("SVC_WEBHOOK_SECRET", WEBHOOK_SECRET)).await;
    snapshot("start/short_patience", &found.join("\n"));
    // What the line advises forgives a night, and silences it.
    set("SVC_WEBHOOK_MAX_DELIVERY_ATTEMPTS", "12");
    assert_eq!(warnings(&set("SVC_WEBHOOK_RETRY_DELAYS", "30s,2m,10m,1h")).await, [""; 0]);
}

async fn files_that_others_can_read_cause_warnings() {
    let (_parent, folder) = used_folder().await;
    let (key, database) = (folder.join("secret.key"), folder.join("doorward.db"));
    chmod(&key, 0o644);
    chmod(&database, 0o660);
    // SQLite gives the files beside the database its mode.
    snapshot("start/files_of_others", &warnings(&variables(&folder)).await.join("\n"));
    // A key in the environment is used instead of the file.
    let secret = std::fs::read_to_string(&key).unwrap();
    let mut variables = variables(&folder);
    variables.insert("SVC_SECRET_KEY".to_owned(), secret.trim().to_owned());
    assert_eq!(warnings(&variables).await.len(), 3);
}

async fn directory_that_others_can_write_causes_warnings() {
    let (parent, folder) = used_folder().await;
    let database = folder.join("doorward.db");
    let elsewhere = parent.path().join("elsewhere.db");
    std::fs::rename(&database, &elsewhere).unwrap();
    std::os::unix::fs::symlink(&elsewhere, &database).unwrap();
    assert_eq!(warnings(&variables(&folder)).await, [""; 0], "a link in a private directory is the operator's");
    chmod(&folder, 0o777);
    snapshot("start/directory_of_others", &warnings(&variables(&folder)).await.join("\n"));
}

async fn directories_behind_links_and_further_up_cause_warnings() {
    let (parent, folder) = used_folder().await;
    let (database, elsewhere) = (folder.join("doorward.db"), parent.path().join("elsewhere"));
    std::fs::create_dir(&elsewhere).unwrap();
    chmod(&elsewhere, 0o755);
    // A link to a link in that directory, which is to a file in the folder.
    std::fs::rename(&database, folder.join("file.db")).unwrap();
    std::os::unix::fs::symlink(folder.join("file.db"), elsewhere.join("link.db")).unwrap();
    std::os::unix::fs::symlink("../elsewhere/link.db", &database).unwrap();
    let variables = variables(&folder);
    assert_eq!(warnings(&variables).await, [""; 0]);
    let top = parent.path().canonicalize().unwrap();
    for (path, said) in [(elsewhere.as_path(), "in"), (&top, "below")] {
        let mode = path.metadata().unwrap().permissions().mode();
        chmod(path, 0o777);
        let found = warnings(&variables).await;
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].contains(&format!("others can replace the files {said} ")), "{found:?}");
        chmod(path, mode);
    }
    chmod(&top, 0o1777);
    assert_eq!(warnings(&variables).await, [""; 0], "what is another one's stays there");
}

/// The file of providers decides who gets in, and what it names are secrets.
async fn named_files_that_others_can_read_or_replace_cause_warnings() {
    let (parent, folder) = used_folder().await;
    let named = parent.path().join("named");
    std::fs::create_dir(&named).unwrap();
    let [providers, secret, link] = ["providers.toml", "corp.secret", "elsewhere.secret"].map(|name| named.join(name));
    let table = |name: &str, secret: &str| {
        format!(
            "[[provider]]\nname = \"{name}\"\nkind = \"oidc\"\nissuer = \"https://{name}.example\"\n\
             client_id = \"doorward\"\nlabel = \"{name}\"\nclient_secret_file = \"{secret}\"\n"
        )
    };
    std::fs::write(&providers, table("corp", "corp.secret") + &table("other", "elsewhere.secret")).unwrap();
    std::fs::write(&secret, "a secret of the client").unwrap();
    std::os::unix::fs::symlink(&secret, &link).unwrap();
    let mut variables = variables(&folder);
    variables.insert("SVC_APPLY_FILE".to_owned(), providers.display().to_string());
    for (path, mode) in [(&named, 0o755), (&providers, 0o644), (&secret, 0o640)] {
        chmod(path, mode);
    }
    assert_eq!(
        warnings(&variables).await,
        [""; 0],
        "a link in a directory that no one else writes to is the operator's"
    );
    chmod(&named, 0o777);
    chmod(&providers, 0o664);
    chmod(&secret, 0o644);
    snapshot("start/named_files_of_others", &warnings(&variables).await.join("\n"));
    // What others put into a directory with the sticky bit replaces nothing there.
    chmod(&named, 0o1777);
    assert_eq!(warnings(&variables).await.len(), 3);
}

async fn missing_files_cause_no_warning() {
    let builder = Engine::Postgres.prepare().await;
    assert_eq!(warnings(builder.variables()).await, [""; 0]);
}

async fn password_in_an_address_is_refused_and_never_printed() {
    const PASSWORD: &str = "hunter2hunter2";
    let folder = TempDir::new("addresses");
    for (variable, value) in [
        ("SVC_BASE_URL", format!("https://ada:{PASSWORD}@auth.example.com")),
        ("SVC_BASE_URL", format!("https://ada:{PASSWORD}")),
        ("SVC_BASE_URL", format!("ada:{PASSWORD}@auth.example.com")),
        ("SVC_ALLOWED_ORIGINS", format!("https://a.example,https://ada:{PASSWORD}@b.example")),
        ("SVC_DEFAULT_RETURN_TO", format!("https://ada:{PASSWORD}@auth.example.com/app")),
        ("SVC_JWT_ISSUER", format!("https://ada:{PASSWORD}@auth.example.com/")),
    ] {
        let mut variables = variables(folder.path());
        variables.insert(variable.to_owned(), value.clone());
        for (arguments, code) in [
            (["config"].as_slice(), 2),
            (&["config", "--json"], 2),
            (&["serve"], 2),
            (&["serve", "--help"], 0),
            (&["--help"], 0),
            (&["user", "list"], 2),
            (&["mail", "test", "ada@example.com"], 2),
            (&["webhooks", "list"], 2),
        ] {
            let output = run_program(arguments, &variables).await;
            let printed = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
            assert!(!printed.contains(PASSWORD), "{value} {arguments:?}: {printed}");
            assert_eq!(output.status.code(), Some(code), "{value} {arguments:?}: {printed}");
            assert!(code == 0 || printed.contains(variable), "{printed}");
        }
    }
    // The receiver of webhooks may have user info; it is masked.
    let mut variables = variables(folder.path());
    variables.insert("SVC_WEBHOOK_URL".to_owned(), format!("https://ada:{PASSWORD}@app.example/hooks"));
    variables.insert("SVC_WEBHOOK_SECRET".to_owned(), "secret".to_owned());
    let output = run_program(&["config"], &variables).await;
    let printed = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    assert!(output.status.success() && printed.contains("https://***@app.example/hooks"), "{printed}");
    assert!(!printed.contains(PASSWORD), "{printed}");
}

/// The heartbeat is the first of it: all that a start does at once has begun by then.
async fn periodic_work_takes_one_connection() {
    let app = Engine::Postgres.app().await;
    let heartbeat = async || (app.database().count("SELECT count(*) FROM processes").await == 1).then_some(());
    eventually("a heartbeat", heartbeat).await;
    let open = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() \
        AND application_name = 'doorward' AND backend_type = 'client backend'";
    let open = app.database().count(open).await;
    assert!(open <= 2, "{open} connections: one for the start's own questions and the listener of changes");
}
