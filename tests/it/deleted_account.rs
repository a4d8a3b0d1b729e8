//! The recipe of docs/guides/trouble.md for an account that was deleted by mistake.

use crate::backup::{doorward, with_new_database};
use crate::harness::{Engine, TempDir, run_program};

single_run![deleted_account_is_made_again_from_backup];

async fn deleted_account_is_made_again_from_backup() {
    let folder = TempDir::new("deleted");
    let app = Engine::Sqlite.app().await;
    let variables = app.variables();
    app.sign_up("ada@example.com").await;
    let details = ["user", "set-details", "ada", "--external-id", "7", "--metadata", r#"{"plan":"gold"}"#];
    doorward(&details, variables).await;
    let file = folder.path().join("backup").display().to_string();
    doorward(&["backup", &file], variables).await;
    let deleted = run_program(&["user", "delete", "ada", "--yes"], variables).await;
    let text = String::from_utf8(deleted.stdout).unwrap();
    let (before, id) = text.trim().trim_end_matches(')').rsplit_once('(').unwrap();
    assert_eq!(before, "Deleted ada@example.com ");
    let audit = doorward(&["user", "audit", id], variables).await;
    assert_eq!(audit["data"][0]["kind"], "account_deleted", "{audit}");
    // As it was, in an instance of its own.
    let old = with_new_database(variables, &folder);
    doorward(&["restore", &file, "--yes"], &old).await;
    let was = doorward(&["user", "show", id], &old).await;
    let text_of = |name: &str| was[name].as_str().unwrap();
    let (email, username, external) = (text_of("email"), text_of("username"), text_of("external_id"));
    let metadata = was["metadata"].to_string();
    let create = ["user", "create", email, "--username", username, "--external-id", external, "--metadata", &metadata];
    let made = doorward(&create, variables).await;
    assert!(made["id"] != was["id"] && made["email"] == "ada@example.com", "{made}");
    for same in ["email", "username", "external_id", "metadata"] {
        assert_eq!(made[same], was[same], "{same}");
    }
    doorward(&["user", "send-password-reset", email], variables).await;
    let mail = doorward(&["mail", "list", "--to", email], variables).await["data"][0]["id"].clone();
    let link = doorward(&["mail", "link", mail.as_str().unwrap()], variables).await;
    let path = link["link"].as_str().unwrap().strip_prefix(&variables["SVC_BASE_URL"]).unwrap();
    app.anonymous().get(path).await.expect(200);
}
