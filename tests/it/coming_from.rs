//! docs/start/coming-from.md, followed by a developer with users in another system.

use crate::harness::{Need, Newcomer, blocks};

single_run![users_of_another_system_are_created_once];

const PAGE: &str = include_str!("../../docs/start/coming-from.md");

async fn users_of_another_system_are_created_once() {
    if !Newcomer::has(&[Need::Python]) {
        return;
    }
    let newcomer = Newcomer::new();
    let [create_key, run] = blocks(PAGE, "sh").try_into().expect("a new block needs a place in this test");
    let [user] = blocks(PAGE, "json").try_into().expect("one block");
    let [script] = blocks(PAGE, "python").try_into().expect("one block");
    newcomer.append("doorward.env", "");
    newcomer.append("users.jsonl", user);
    newcomer.append("move.py", &script.replace(":8080", &format!(":{}", newcomer.port)));
    let _service = newcomer.serve("exec doorward serve").await;
    let output = newcomer.run(create_key).await;
    assert!(output.status.success(), "{output:?}");
    assert!(newcomer.secret("key.json").contains("svckey_"));
    let first = newcomer.run(run).await;
    let printed = String::from_utf8(first.stdout).unwrap();
    assert!(printed.starts_with("201 auth0|5f7c8ec7 "), "{printed}");
    let again = newcomer.run(run).await;
    assert_eq!(String::from_utf8(again.stdout).unwrap(), printed, "the same answer");
    newcomer.append("users.jsonl", "{\"external_id\":\"7\",\"email\":\"ADA@example.com\"}\n");
    let taken = String::from_utf8(newcomer.run(run).await.stdout).unwrap();
    assert!(taken.lines().nth(1).is_some_and(|line| line.starts_with("409 7 ")), "{taken}");
}
