//! What commands say: in the words of a command line, with what is right where an argument is wrong.

use crate::harness::{Engine, TestApp, run_program, snapshot_of_command};
use serde_json::Value;
use std::process::{Command, Stdio};

both_engines![
    wrong_id_names_the_right_kind,
    organization_is_named_by_id_or_name,
    refusals_do_not_speak_of_pages,
    lists_name_their_columns,
    wrong_database_is_named,
    what_cannot_be_undone_asks_first,
];
single_run![output_that_nobody_reads_is_no_error];

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

async fn wrong_id_names_the_right_kind(engine: Engine) {
    let app = engine.app().await;
    for arguments in [["invitation", "revoke", "Crew"], ["mail", "show", "Crew"], ["webhooks", "show", "Crew"]] {
        let output = run_program(&arguments, app.variables()).await;
        snapshot_of_command(&format!("commands/{}_of_wrong_id", arguments[0]), &arguments, &output);
    }
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
        let (code, printed, error) = run(&app, arguments).await;
        assert!(code == Some(1) && printed.is_empty(), "{arguments:?}: {printed}");
        for named in ["several organizations", &id, &second, "ada@example.com", "eve@example.com"] {
            assert!(error.contains(named), "{arguments:?}: {error}");
        }
    }
    run(&app, &["org", "delete", &second, "--yes"]).await;
    let (code, _, error) = run(&app, &["org", "delete", "Crew", "--yes"]).await;
    assert_eq!(code, Some(0), "{error}");
    assert_eq!(run(&app, &["org", "show", &id]).await.0, Some(1));
}

async fn refusals_do_not_speak_of_pages(engine: Engine) {
    let app = engine.app().await;
    let org = team(&app).await;
    let invite = ["invitation", "create", "--org", &org, "--email", "bob@example.com"];
    let (_, invited, _) = run(&app, &[invite.as_slice(), &["--json"]].concat()).await;
    let id = serde_json::from_str::<Value>(&invited).unwrap()["id"].as_str().unwrap().to_owned();
    let (_, printed, _) = run(&app, &["invitation", "resend", &id]).await;
    assert!(printed.contains(&id) && printed.lines().last().unwrap().contains("/auth/invitations/"), "{printed}");
    for (arguments, words) in [
        (["user", "create", "ada@example.com"].as_slice(), "there is an account with this email address already"),
        (&["user", "create", "eve@example.com", "--username", "Ada"], "this username is taken"),
        (&["user", "create", "eve@example.com", "--username", &id], "cannot have the form of an id"),
        (&["org", "create", " ", "--owner", "ada"], "the name is missing"),
        (&invite, "`doorward invitation resend` makes a new link"),
    ] {
        let (code, _, error) = run(&app, arguments).await;
        assert!(code == Some(1) && error.contains(words), "{arguments:?}: {error}");
        for page in ["Log in", "instead", "Choose", "Enter ", "field"] {
            assert!(!error.contains(page), "{arguments:?}: {error}");
        }
    }
    let (app, org) = (app.restart_with(&[("SVC_ORG_MODE", "personal")]).await, org);
    for arguments in [
        ["org", "create", "Another", "--owner", "ada"].as_slice(),
        &["invitation", "create", "--org", &org, "--email", "cy@example.com"],
    ] {
        let (code, _, error) = run(&app, arguments).await;
        let words = "every organization is personal";
        assert!(code == Some(1) && error.contains(words) && !error.contains(" here"), "{arguments:?}: {error}");
    }
}

async fn lists_name_their_columns(engine: Engine) {
    let app = engine.app().await;
    let org = team(&app).await;
    run(&app, &["invitation", "create", "--org", &org, "--email", "bob@example.com"]).await;
    for (arguments, columns) in [
        (["user", "list"].as_slice(), "ID EMAIL USERNAME ROLES STATE"),
        (&["user", "audit", "ada"], "AT WHAT BY ADDRESS DEVICE DETAIL NOTE"),
        (&["org", "list"], "ID KIND NAME"),
        (&["org", "members", "list", &org], "ID ROLE EMAIL USERNAME"),
        (&["invitation", "list", "--org", &org], "ID STATE ROLE EMAIL"),
        (&["mail", "list"], "ID STATE KIND TO WHEN LAST ATTEMPT"),
        (&["keys", "list"], "ID ALGORITHM STATE FROM"),
        (&["webhooks", "window"], "ATTEMPT BEGINS AFTER IF EACH TIMES OUT"),
    ] {
        let (code, printed, error) = run(&app, arguments).await;
        let head = printed.lines().next().unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(code == Some(0) && head == columns, "{arguments:?}: {printed}{error}");
    }
    // The values of a record begin in one column.
    let (_, shown, _) = run(&app, &["user", "show", "ada"]).await;
    let starts: Vec<usize> = shown.lines().map(|line| line.find("  ").unwrap()).collect();
    let column = |line: &str| line.len() - line.split_once("  ").unwrap().1.trim_start().len();
    let columns: Vec<usize> = shown.lines().map(column).collect();
    assert!(columns.iter().all(|at| *at == columns[0]) && starts.len() == 13, "{shown}");
}

async fn wrong_database_is_named(engine: Engine) {
    let app = engine.app().await;
    let mut variables = app.variables().clone();
    let (url, named) = match engine {
        Engine::Sqlite => {
            let file = std::path::Path::new(app.database().url().trim_start_matches("sqlite:")).with_extension("txt");
            std::fs::write(&file, "this is a text and no database, however long one reads it\n".repeat(100)).unwrap();
            (format!("sqlite:{}", file.display()), file.display().to_string())
        }
        Engine::Postgres => {
            let (server, _) = app.database().url().rsplit_once('/').unwrap();
            (format!("{server}/nowhere_to_be_found"), "/nowhere_to_be_found".to_owned())
        }
    };
    variables.insert("SVC_DATABASE_URL".to_owned(), url);
    for arguments in [["user", "list"].as_slice(), &["user", "disable", "ada"], &["serve"]] {
        let output = run_program(arguments, &variables).await;
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
        assert!(error.contains("SVC_DATABASE_URL: ") && error.contains(&named), "{arguments:?}: {error}");
        assert!(!error.contains("at line"), "{arguments:?}: {error}");
    }
}

async fn output_that_nobody_reads_is_no_error() {
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

async fn what_cannot_be_undone_asks_first(engine: Engine) {
    let app = engine.app().await;
    let org = team(&app).await;
    for (arguments, words) in [
        (["org", "delete", &org].as_slice(), "Delete Crew ("),
        (&["user", "delete", "ada"], "Delete ada@example.com (ada) permanently?"),
        (&["user", "two-factor", "reset", "ada"], "Remove all second factors and passkeys of ada@example.com (ada)?"),
    ] {
        let (code, _, error) = run(&app, arguments).await;
        assert!(code == Some(2) && error.contains(words) && error.contains("--yes"), "{arguments:?}: {error}");
    }
    app.anonymous().log_in("ada", "a lighthouse in the fog").await.expect(303);
    run(&app, &["org", "show", &org]).await.0.filter(|code| *code == 0).expect("the team is still there");
    for arguments in [["org", "delete", &org, "--yes"], ["user", "delete", "ada", "--yes"]] {
        let (code, _, error) = run(&app, &arguments).await;
        assert_eq!(code, Some(0), "{arguments:?}: {error}");
    }
}
