//! docs/api.md, followed line by line.

use crate::harness::{Engine, TempDir};
use serde_json::Value;
use std::path::Path;
use std::process::Command;

single_run![tour_of_the_api_works];

const GUIDE: &str = include_str!("../../docs/api.md");

async fn tour_of_the_api_works() {
    let app = Engine::Sqlite.app().await;
    let folder = TempDir::new("api-tour");
    let blocks = GUIDE.split("```sh\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    let script = blocks.collect::<String>().replace("http://localhost:8080", &app.url());
    assert!(script.contains(&app.url()), "{script}");
    let mut shell = Command::new("bash");
    shell.args(["-euo", "pipefail", "-c", &script]).current_dir(folder.path());
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
}
