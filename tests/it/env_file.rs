//! `--env-file`: what a file of variables says, to whom, and what comes of one that cannot be used.

mod readers;

use crate::harness::{
    Engine, Process, TempDir, free_port, run_process, run_program, run_to_snapshot, snapshot, snapshot_of_command,
};
use doorward::settings::EnvText;
use readers::{by_shell, by_systemd, systemd_continues_comments};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Output;

single_run![
    file_wins_over_environment,
    file_names_the_service,
    unusable_file_is_refused_in_one_line,
    odd_lines_are_named_by_number,
    variables_of_libraries_reach_them,
    variable_that_never_arrives_is_an_error,
    file_of_the_working_directory_gives_what_the_environment_lacks,
    file_that_others_may_have_written_is_not_read,
];
if_installed![
    SystemdLibrary: texts_are_read_as_by_systemd,
    SystemdLibrary: quoted_value_is_the_same_to_every_reader,
    SystemdLibrary: package_file_says_the_same_to_every_reader,
];

type Variables = BTreeMap<String, String>;

fn write(folder: &TempDir, name: &str, text: impl AsRef<[u8]>) -> String {
    let path = folder.path().join(name);
    std::fs::write(&path, text).unwrap();
    path.display().to_string()
}

fn set(variables: &[(&str, &str)]) -> Variables {
    variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

fn printed(output: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (text(&output.stdout), text(&output.stderr))
}

/// What `doorward config --json` says of each setting: value, source and file.
async fn config(arguments: &[&str], variables: &Variables) -> BTreeMap<String, [Value; 3]> {
    let output = run_program(&[&["config", "--json"], arguments].concat(), variables).await;
    let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"));
    let settings = report["settings"].as_array().unwrap().iter();
    let fields = |setting: &Value| ["value", "source", "file"].map(|field| setting[field].clone());
    settings.map(|setting| (setting["variable"].as_str().unwrap().to_owned(), fields(setting))).collect()
}

async fn file_wins_over_environment() {
    let folder = TempDir::new("env");
    let first = write(&folder, "first", "SVC_BRAND_NAME=\"My Shop\"\nSVC_ACCESS_TTL=5m\nSVC_SIGNUP=closed\n");
    let second = write(&folder, "second", "SVC_ACCESS_TTL=6m\nSVC_LOG=\n");
    let variables = set(&[("SVC_BRAND_NAME", "Other"), ("SVC_REFRESH_TTL", "100h"), ("SVC_LOG", "debug")]);
    let settings = config(&["--env-file", &first, &format!("--env-file={second}")], &variables).await;
    for (variable, value, source, file) in [
        ("SVC_BRAND_NAME", "My Shop", "file", Some(&first)),
        ("SVC_ACCESS_TTL", "6m", "file", Some(&second)),
        ("SVC_SIGNUP", "closed", "file", Some(&first)),
        ("SVC_REFRESH_TTL", "100h", "environment", None),
        ("SVC_LOG", "info", "default", None),
        ("SVC_SESSION_TTL", "1440h", "default", None),
    ] {
        let expected = [Value::from(value), source.into(), file.cloned().into()];
        assert_eq!(settings.get(variable).unwrap_or_else(|| panic!("{variable}")), &expected, "{variable}");
    }
    // Before the command and behind it, the last still counts; what the environment adds is named, but no value.
    let output = run_program(&["--env-file", &first, "config", "--env-file", &second], &variables).await;
    let (table, warnings) = printed(&output);
    let row = table.lines().find(|line| line.contains("SVC_ACCESS_TTL")).unwrap();
    assert!(row.contains(" 6m ") && row.contains(&second), "{table}");
    assert!(output.status.success());
    assert_eq!(warnings.lines().count(), 1, "{warnings}");
    assert!(warnings.ends_with("in the environment: SVC_REFRESH_TTL\n") && !warnings.contains("100h"), "{warnings}");
    let (_, warnings) = printed(&run_program(&["config"], &variables).await);
    assert_eq!(warnings, "");
}

async fn file_names_the_service() {
    let folder = TempDir::new("env");
    let file = write(&folder, "file", "DOORWARD_NAME=acme\nACME_SIGNUP=closed\n");
    let settings = config(&["--env-file", &file], &set(&[("DOORWARD_NAME", "other")])).await;
    assert_eq!(settings["ACME_SIGNUP"][0], "closed");
    let settings = config(&["--env-file", &file, "--service-name", "mine"], &Variables::new()).await;
    assert_eq!(settings["MINE_SIGNUP"][0], "open");
}

async fn unusable_file_is_refused_in_one_line() {
    let folder = TempDir::new("env");
    let missing = folder.path().join("missing").display().to_string();
    let pipe = folder.path().join("pipe").display().to_string();
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for (name, file) in [
        ("missing", missing),
        ("folder", folder.path().display().to_string()),
        ("pipe", pipe),
        ("large", write(&folder, "large", "#".repeat(1024 * 1024 + 1))),
        ("latin", write(&folder, "latin", b"SVC_LOG=info\nSVC_BRAND_NAME=s3cret\xe9\n")),
        ("zero", write(&folder, "zero", b"SVC_LOG=s3cret\0")),
    ] {
        let none = Variables::new();
        let said = run_to_snapshot(&format!("env_file/{name}"), &["config", "--env-file", &file], &none).await;
        for command in ["serve", "--help"] {
            let output = run_program(&[command, "--env-file", &file], &none).await;
            assert_eq!((output.status.code(), printed(&output)), (Some(2), printed(&said)));
        }
        let json = ["--json", "--env-file", &file, "config"];
        run_to_snapshot(&format!("env_file/{name}_json"), &json, &none).await;
    }
}

async fn odd_lines_are_named_by_number() {
    let folder = TempDir::new("env");
    let mut text = "# a comment\nexport SVC_SIGNUP=s3cret\n\ns3cret\n# s3cret \\\nSVC_SIGNUP=closed\n".to_owned();
    for (variable, value) in Engine::Sqlite.prepare().await.variables() {
        text = format!("{text}{variable}=\"{value}\"\n");
    }
    let file = write(&folder, "file", text + "SVC_SINGUP=open\n");
    let (_, warnings) = printed(&run_program(&["config", "--env-file", &file], &Variables::new()).await);
    snapshot("env_file/odd_lines", &warnings);
    let listen = config(&["--env-file", &file], &Variables::new()).await["SVC_LISTEN"][0].clone();
    let other = set(&[("SVC_ACCESS_TTL", "5m")]);
    let mut service = Process::spawn_command(&["serve", "--env-file", &file], &other);
    service.wait_until_ready(listen.as_str().unwrap()).await;
    let log = service.stderr();
    snapshot("env_file/odd_lines_in_log", &log);
}

/// The exporter of traces reads its variables itself.
async fn variables_of_libraries_reach_them() {
    let folder = TempDir::new("env");
    let text = "OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4317\nOTEL_EXPORTER_OTLP_PROTOCOL=grpc\n";
    let file = write(&folder, "file", text);
    let mut variables = Engine::Sqlite.prepare().await.variables().clone();
    variables.insert("OTEL_EXPORTER_OTLP_PROTOCOL".to_owned(), "http/protobuf".to_owned());
    run_to_snapshot("env_file/variables_of_libraries", &["serve", "--env-file", &file], &variables).await;
}

/// The system takes some variables from a program with rights of its own, however often it is started.
async fn variable_that_never_arrives_is_an_error() {
    let folder = TempDir::new("env");
    let file = write(&folder, "file", "TMPDIR=/var/tmp\n");
    let lost = set(&[("DOORWARD_ENV_FILE_READ", "1")]);
    let arguments = ["config", "--env-file", &file];
    let output = run_process(&arguments, &lost, "").await;
    snapshot_of_command("env_file/variable_lost", &arguments, &output);
    let output = run_process(&arguments, &Variables::new(), "").await;
    assert!(output.status.success(), "{output:?}");
}

/// Runs the program in a folder.
async fn run_in(folder: &TempDir, arguments: &[&str], variables: &Variables) -> Output {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_doorward"));
    command.args(arguments).current_dir(folder.path()).env_clear().envs(variables);
    tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap()
}

async fn file_of_the_working_directory_gives_what_the_environment_lacks() {
    let folder = TempDir::new("env");
    let other = write(&folder, "other", "SVC_SIGNUP=closed\n");
    write(&folder, "doorward.env", "SVC_SIGNUP=invite\nSVC_ACCESS_TTL=5m\nSVC_BRAND_NAME=Shop\nexport X=1\n");
    let variables = set(&[("SVC_ACCESS_TTL", "6m"), ("SVC_BRAND_NAME", " ")]);
    let report: Value =
        serde_json::from_slice(&run_in(&folder, &["config", "--json"], &variables).await.stdout).unwrap();
    assert_eq!(report["env_file"], "./doorward.env");
    for (variable, value, source) in
        [("SVC_SIGNUP", "invite", "file"), ("SVC_ACCESS_TTL", "6m", "environment"), ("SVC_BRAND_NAME", "Shop", "file")]
    {
        let setting = report["settings"].as_array().unwrap().iter().find(|one| one["variable"] == variable).unwrap();
        assert_eq!((&setting["value"], &setting["source"]), (&value.into(), &source.into()), "{setting}");
    }
    let (table, warnings) = printed(&run_in(&folder, &["config"], &variables).await);
    assert!(table.contains("\nWhat the environment lacks: from ./doorward.env\n"), "{table}");
    assert_eq!(warnings, "warning: DW-007 ./doorward.env: no NAME=value in line 4: skipped, as systemd does\n");
    let (table, _) = printed(&run_in(&folder, &["config", "--env-file", &other], &variables).await);
    assert!(!table.contains("doorward.env") && !table.contains("Shop"), "a named file takes its place: {table}");
    let (_, said) = printed(&run_in(&folder, &["user", "list"], &variables).await);
    assert!(said.contains("DW-007 ./doorward.env") && said.contains("there is no database"), "every command: {said}");
    // What came with a repository gives the system's loader nothing, which would complain of it.
    write(&folder, "doorward.env", "LD_PRELOAD=./evil.so\nPGHOST=db.example.com\n");
    let (version, said) = printed(&run_in(&folder, &["version"], &Variables::new()).await);
    assert!(version.starts_with("doorward ") && said.is_empty(), "{version}{said}");
    // The start says so too.
    let port = free_port().to_string();
    write(&folder, "doorward.env", format!("SVC_LISTEN=127.0.0.1:{port}\nSVC_DATA_DIR=data\n"));
    for (format, says) in [("text", "./doorward.env, where the environment lacks them"), ("json", "./doorward.env")] {
        let mut service = Process::spawn_in_folder(folder.path(), &["serve"], &set(&[("SVC_LOG_FORMAT", format)]));
        service.wait_until_ready(&format!("127.0.0.1:{port}")).await;
        let output = service.stdout() + &service.stderr();
        assert!(output.contains(says), "{output}");
        service.signal("TERM");
        service.wait().await;
    }
}

async fn file_that_others_may_have_written_is_not_read() {
    let (folder, elsewhere) = (TempDir::new("env"), TempDir::new("env"));
    let file = folder.path().join("doorward.env");
    let expect_ignored = async |reason: &str| {
        let output = run_in(&folder, &["config"], &Variables::new()).await;
        let (table, warnings) = printed(&output);
        assert!(output.status.success() && !table.contains("closed"), "{table}");
        assert!(warnings.starts_with("warning: DW-009 ./doorward.env is not read: "), "{warnings}");
        assert!(warnings.lines().count() == 1 && warnings.contains(reason), "{warnings}");
    };
    write(&folder, "doorward.env", "SVC_SIGNUP=closed\n");
    for mode in [0o620, 0o602, 0o666] {
        std::fs::set_permissions(&file, Permissions::from_mode(mode)).unwrap();
        expect_ignored(&format!("others can change it (mode 0{mode:o}): chmod go-w ./doorward.env")).await;
    }
    std::fs::remove_file(&file).unwrap();
    std::os::unix::fs::symlink(write(&elsewhere, "file", "SVC_SIGNUP=closed\n"), &file).unwrap();
    expect_ignored("it is a symbolic link").await;
    std::fs::remove_file(&file).unwrap();
    assert!(std::process::Command::new("mkfifo").args(["-m", "600"]).arg(&file).status().unwrap().success());
    expect_ignored("it is not a regular file").await;
    std::fs::remove_file(&file).unwrap();
    // Only root can give a file away.
    write(&folder, "doorward.env", "SVC_SIGNUP=closed\n");
    std::fs::set_permissions(&file, Permissions::from_mode(0o644)).unwrap();
    if std::os::unix::fs::chown(&file, Some(65534), None).is_ok() {
        expect_ignored("it belongs to user 65534, who can change it: chown 0 ./doorward.env").await;
    }
    std::fs::remove_file(&file).unwrap();
    write(&folder, "doorward.env", b"SVC_SIGNUP=s3cret\xe9\n");
    let output = run_in(&folder, &["config"], &Variables::new()).await;
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(printed(&output).1, "./doorward.env is not UTF-8 text in line 1\n");
}

/// The texts that systemd and we read: by hand, and made of the characters that mean something.
fn texts() -> Vec<Vec<u8>> {
    const PARTS: [&[u8]; 24] = [
        b"A",
        b"A",
        b"_",
        b"1",
        b"=",
        b"=",
        b"=",
        b"\"",
        b"\"",
        b"'",
        b"'",
        b"\\",
        b"\\",
        b"#",
        b";",
        b"$",
        b"`",
        b" ",
        b" ",
        b"\t",
        b"\n",
        b"\n",
        b"\r",
        "é".as_bytes(),
    ];
    const RARE: [&[u8]; 4] = [b"\xff", b"\x01", "\u{feff}".as_bytes(), "\u{fffe}".as_bytes()];
    let by_hand = include_str!("env_file/texts.txt").split("\n----\n").map(|text| text.as_bytes().to_vec());
    let mut texts: Vec<Vec<u8>> = by_hand.filter(|text| !text.is_empty()).collect();
    assert!(texts.len() > 50, "{}", texts.len());
    texts.extend(texts.clone().iter().map(|text| String::from_utf8_lossy(text).replace('\n', "\r\n").into_bytes()));
    // A generator of Marsaglia's, with a seed that is the same at each run.
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut below = |limit: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % u64::try_from(limit).unwrap()).unwrap()
    };
    for _ in 0..6000 {
        let mut text = if below(2) == 0 { b"A=".to_vec() } else { Vec::new() };
        for _ in 0..=below(20) {
            text.extend(if below(200) == 0 { RARE[below(RARE.len())] } else { PARTS[below(PARTS.len())] });
        }
        texts.push(text);
    }
    texts
}

async fn texts_are_read_as_by_systemd() {
    let mut texts = texts();
    let all = texts.len();
    if systemd_continues_comments() {
        texts.retain(|text| EnvText::parse(text).map_or(true, |read| read.unclear.is_empty()));
    }
    assert!(texts.len() > all * 9 / 10);
    let (mut variables, mut refused) = (0, 0);
    for (text, expected) in texts.iter().zip(by_systemd(&texts)) {
        let read = EnvText::parse(text).ok().map(|read| read.variables);
        assert_eq!(read, expected, "{:?}", String::from_utf8_lossy(text));
        variables += expected.as_ref().map_or(0, BTreeMap::len);
        refused += usize::from(expected.is_none());
    }
    assert!(variables > 3000 && refused > 20, "{variables} variables, {refused} refused");
}

/// What the comment in the package's file says of quotes.
const QUOTED: &str = r#"SVC_BRAND_NAME="a  b & ; | \$HOME # < > ( ) * ? ~ ' \" \\ \`id\`"
"#;

async fn quoted_value_is_the_same_to_every_reader() {
    let folder = TempDir::new("quoted");
    let path = write(&folder, "file", QUOTED);
    let ours = EnvText::parse(QUOTED.as_bytes()).unwrap().variables;
    assert_eq!(ours["SVC_BRAND_NAME"], "a  b & ; | $HOME # < > ( ) * ? ~ ' \" \\ `id`");
    assert_eq!(by_systemd(&[QUOTED.as_bytes().to_vec()]), [Some(ours.clone())]);
    assert_eq!(by_shell(Path::new(&path)), ours);
}

/// The package's file with every setting that it offers.
fn whole_package_file(folder: &TempDir) -> (PathBuf, String) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy/debian/doorward.env");
    let text = std::fs::read_to_string(file).unwrap();
    let offered = |line: &str| line.strip_prefix('#').filter(|line| line.starts_with("SVC_")).map(str::to_owned);
    let lines: Vec<String> = text.lines().map(|line| offered(line).unwrap_or_else(|| line.to_owned())).collect();
    let text = lines.join("\n") + "\n";
    (write(folder, "doorward.env", &text).into(), text)
}

async fn package_file_says_the_same_to_every_reader() {
    let folder = TempDir::new("package");
    let (path, text) = whole_package_file(&folder);
    let ours = EnvText::parse(text.as_bytes()).unwrap();
    assert!(ours.variables.len() > 6 && ours.skipped.is_empty() && ours.unclear.is_empty(), "{ours:?}");
    assert_eq!(by_systemd(&[text.into_bytes()]), [Some(ours.variables.clone())]);
    assert_eq!(by_shell(&path), ours.variables);
    assert_eq!(ours.variables["SVC_MAIL_FROM"], "Accounts <accounts@example.org>");
    // And the program makes the same of it, whichever way it comes.
    let file = path.display().to_string();
    let by_file = config(&["--env-file", &file], &Variables::new()).await;
    let by_environment = config(&[], &by_shell(&path)).await;
    let values = |settings: BTreeMap<String, [Value; 3]>| -> Vec<_> {
        settings.into_iter().map(|(variable, [value, ..])| (variable, value)).collect()
    };
    assert_eq!(values(by_file), values(by_environment));
    let output = run_program(&["config", "--env-file", &file], &Variables::new()).await;
    let (_, problems) = printed(&output);
    assert!(problems.lines().all(|line| line.contains("SVC_SECRET_KEY")), "only the key is missing: {problems}");
}
