//! What commands say: in the words of a command line, with what is right where an argument is wrong.

use crate::harness::{Engine, TestApp, run_program, run_to_snapshot};
use serde_json::Value;
use std::process::{Command, Stdio};

both_engines![wrong_database_is_named,];
one_engine![organization_is_named_by_id_or_name,];
single_run![closed_output_is_no_error];

/// The exit code and both outputs.
async fn run(app: &TestApp, arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = run_program(arguments, app.variables()).await;
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

async fn team(app: &TestApp) -> String {
    app.sign_up("ada@example.com").await;
    let (_, made, _) = run(app, &["org", "create", "Crew", "--owner", "ada", "--json"]).await;
    serde_json::from_str::<Value>(&made).unwrap()["id"].as_str().unwrap().to_owned()
}

async fn organization_is_named_by_id_or_name(engine: Engine) {
    let app = engine.app().await;
    let id = team(&app).await;
    let invite = ["--email", "bob@example.com", "--org"];
    for (before, after) in [
        (["org", "show"].as_slice(), [].as_slice()),
        (&["org", "rename"], &["Crew"]),
        (&["org", "members", "list"], &[]),
        (&["org", "members", "set-role"], &["ada", "owner"]),
        (&[&["invitation", "create"], invite.as_slice()].concat(), &[]),
        (&["invitation", "list", "--org"], &[]),
    ] {
        let (code, _, error) = run(&app, &[before, &["  Crew "], after].concat()).await;
        assert_eq!(code, Some(0), "{before:?}: {error}");
        let (code, _, error) = run(&app, &[before, &["crew"], after].concat()).await;
        assert!(
            code == Some(1) && error.contains("no organization") && error.contains("\"crew\""),
            "{before:?}: {error}"
        );
    }
    // The id of another organization is no name to be had by taking it.
    run(&app, &["org", "create", &id, "--owner", "ada"]).await;
    let (_, shown, _) = run(&app, &["org", "show", &id, "--json"]).await;
    assert!(shown.contains("\"Crew\""), "{shown}");
    app.sign_up("eve@example.com").await;
    let (_, made, _) = run(&app, &["org", "create", "Crew", "--owner", "eve", "--json"]).await;
    let second = serde_json::from_str::<Value>(&made).unwrap()["id"].as_str().unwrap().to_owned();
    for arguments in [
        ["org", "show", "Crew"].as_slice(),
        &["org", "delete", "Crew", "--yes"],
        &["org", "members", "remove", "Crew", "ada"],
    ] {
        let (code, _, error) = run(&app, arguments).await;
        assert!(code == Some(1) && error.contains(&id) && error.contains(&second), "{arguments:?}: {error}");
    }
    run(&app, &["org", "delete", &second, "--yes"]).await;
    let (code, _, error) = run(&app, &["org", "delete", "Crew", "--yes"]).await;
    assert_eq!(code, Some(0), "{error}");
    assert_eq!(run(&app, &["org", "show", &id]).await.0, Some(1));
}

async fn wrong_database_is_named(engine: Engine) {
    let app = engine.app().await;
    let mut variables = app.variables().clone();
    let (url, kind) = match engine {
        Engine::Sqlite => {
            let file = std::path::Path::new(app.database().url().trim_start_matches("sqlite:")).with_extension("txt");
            std::fs::write(&file, "this is a text and no database, however long one reads it\n".repeat(100)).unwrap();
            (format!("sqlite:{}", file.display()), "sqlite")
        }
        Engine::Postgres => {
            let (server, _) = app.database().url().rsplit_once('/').unwrap();
            (format!("{server}/nowhere_to_be_found"), "postgres")
        }
    };
    variables.insert("SVC_DATABASE_URL".to_owned(), url);
    for arguments in [["user", "list"].as_slice(), &["user", "disable", "ada"], &["serve"]] {
        let name = format!("commands/{}_wrong_database_{kind}", arguments[..2.min(arguments.len())].join("_"));
        run_to_snapshot(&name, arguments, &variables).await;
    }
}

async fn closed_output_is_no_error() {
    let builder = Engine::Sqlite.prepare().await;
    for arguments in [["setup-link"].as_slice(), &["config"], &["user", "list", "--json"], &["completions", "bash"]] {
        let mut program = Command::new(env!("CARGO_BIN_EXE_doorward"));
        program.args(arguments).env_clear().envs(builder.variables()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = program.spawn().unwrap();
        drop(child.stdout.take());
        let output = tokio::task::spawn_blocking(move || child.wait_with_output().unwrap()).await.unwrap();
        assert!(output.status.success() && output.stderr.is_empty(), "{arguments:?}: {output:?}");
    }
}
