//! docs/start/tour.md, followed line by line.

use crate::harness::{Engine, TempDir};
use serde_json::Value;
use std::path::Path;
use std::process::Command;

single_run![tour_of_the_api_works];

const GUIDE: &str = include_str!("../../docs/start/tour.md");

async fn tour_of_the_api_works() {
    let app = Engine::Sqlite.app().await;
    let folder = TempDir::new("api-tour");
    let blocks = GUIDE.split("```sh\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    let script = blocks.collect::<String>().replace("http://localhost:8080", &app.url());
    assert!(script.contains(&app.url()), "{script}");
    let mut shell = Command::new("bash");
    let program = Path::new(env!("CARGO_BIN_EXE_doorward")).parent().unwrap().to_str().unwrap();
    let path = format!("{program}:{}", std::env::var("PATH").unwrap());
    shell.args(["-euo", "pipefail", "-c", &script]).current_dir(folder.path());
    shell.envs(app.variables()).env("PATH", path);
    let output = tokio::task::spawn_blocking(move || shell.output().unwrap()).await.unwrap();
    assert!(output.status.success(), "{output:?}");
    let file = |name: &str| -> Value {
        let text = std::fs::read_to_string(Path::new(folder.path()).join(name)).unwrap();
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}: {text}"))
    };
    let session = file("session.json");
    assert_eq!(session["user"]["email"], "ada@example.com");
    assert_eq!(file("organizations.json")["data"][0], session["organization"]);
    assert_eq!(file("switched.json"), session);
    assert_eq!(file("refused.json")["error"]["code"], "unauthorized");
    assert_eq!(file("user.json")["id"], session["user"]["id"]);
    assert_eq!(file("found.json")["data"][0]["username"], "ada");
    assert_eq!(file("one.json")["data"], file("found.json")["data"]);
    assert_eq!(file("created.json")["external_id"], "7");
    assert_eq!(file("again.json"), file("created.json"));
    let changed = file("changed.json");
    assert_eq!((&changed["email_verified"], &changed["metadata"]["plan"]), (&Value::Bool(true), &"silver".into()));
    assert_eq!((&file("team.json")["kind"], &file("member.json")["role"]), (&"team".into(), &"admin".into()));
    assert!(file("invited.json")["link"].as_str().unwrap().contains("/auth/invitations/"));
    assert_eq!(file("members.json")["data"][0], file("member.json"));
    assert_eq!(file("gone.json")["error"]["code"], "not_found");
}
