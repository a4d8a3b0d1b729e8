//! `doorward migrate`, and `SVC_MIGRATE=off`.

use crate::harness::{Builder, Engine, run_program};
use serde_json::Value;

both_engines![old_schema_is_refused_until_it_is_migrated, steps_are_shown_without_being_taken];

/// A database that lacks one step, with a service that must not take it.
async fn lacking_a_step(engine: Engine) -> Builder {
    let builder = engine.prepare().await.set("SVC_MIGRATE", "off");
    builder.database().execute("DELETE FROM _sqlx_migrations WHERE version = 153").await;
    builder
}

/// Exit code, and what was printed on either stream.
async fn doorward(builder: &Builder, arguments: &[&str]) -> (Option<i32>, String) {
    let output = run_program(arguments, builder.variables()).await;
    let text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    (output.status.code(), text)
}

async fn json(builder: &Builder, arguments: &[&str]) -> Value {
    let (code, printed) = doorward(builder, arguments).await;
    assert_eq!(code, Some(0), "{printed}");
    serde_json::from_str(&printed).unwrap()
}

async fn old_schema_is_refused_until_it_is_migrated(engine: Engine) {
    let builder = lacking_a_step(engine).await;
    for refused in [["serve"].as_slice(), &["user", "list"]] {
        let (code, printed) = doorward(&builder, refused).await;
        let expected = "SVC_MIGRATE is off, and the schema lacks 1 of this version's steps: run doorward migrate";
        assert!(code == Some(2) && printed.contains(expected), "{printed}");
    }
    let (code, printed) = doorward(&builder, &["migrate"]).await;
    assert!(code == Some(0) && printed.contains("one step was missing"), "{printed}");
    assert_eq!(doorward(&builder, &["user", "list"]).await.0, Some(0));
    let (code, printed) = doorward(&builder, &["migrate"]).await;
    assert!(code == Some(0) && printed.contains("was up to date already"), "{printed}");
}

async fn steps_are_shown_without_being_taken(engine: Engine) {
    let builder = lacking_a_step(engine).await;
    for _ in 0..2 {
        let missing = json(&builder, &["migrate", "--dry-run", "--json"]).await;
        let numbers: Vec<_> = missing["missing"].as_array().unwrap().iter().map(|step| &step["number"]).collect();
        assert_eq!(numbers, [153]);
    }
    let steps = json(&builder, &["migrate", "status", "--json"]).await;
    let steps = steps["data"].as_array().unwrap();
    let lacking: Vec<_> = steps.iter().filter(|step| step["taken"] == false).map(|step| &step["number"]).collect();
    assert!(steps.len() > 10 && lacking == [153], "{steps:#?}");
    doorward(&builder, &["migrate"]).await;
    let (code, printed) = doorward(&builder, &["migrate", "--dry-run"]).await;
    assert!(code == Some(0) && printed.contains("The schema is up to date."), "{printed}");
}
