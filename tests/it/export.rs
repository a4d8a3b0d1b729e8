//! All that is stored about a user is given to them; what is not has a reason.

use crate::harness::{Client, Engine, TestApp, link_of};
use crate::invitations::invite;
use crate::organizations::{PASSWORD, create_team};
use serde_json::Value;
use std::time::Duration;

both![every_column_about_a_user_is_given_or_has_a_reason, what_waits_is_given_without_its_secrets];

/// Columns that tell whose a row is, or hold an address, and the section of the export that gives them.
const GIVEN: [(&str, &str); 22] = [
    ("account_tokens.email", "mailed_links"),
    ("account_tokens.email_key", "mailed_links"),
    ("account_tokens.user_id", "mailed_links"),
    ("audit.user_id", "activity"),
    ("half_log_ins.user_id", "log_ins_begun"),
    ("invitations.email", "invitations_received"),
    ("invitations.email_key", "invitations_received"),
    ("invitations.finished_by_user_id", "invitations_answered"),
    ("invitations.invited_by_user_id", "invitations_sent"),
    ("mails.recipient", "mails"),
    ("mails.recipient_key", "mails"),
    ("memberships.user_id", "memberships"),
    ("organizations.created_by_user_id", "organizations_created"),
    ("passkeys.user_id", "passkeys"),
    ("recovery_codes.user_id", "two_factor"),
    ("remembered_devices.user_id", "remembered_devices"),
    ("sessions.user_id", "sessions"),
    ("totp.user_id", "two_factor"),
    ("users.email", "user"),
    ("users.email_key", "user"),
    ("users.email_verified_at", "user"),
    ("users.id", "user"),
];
/// Columns of that kind that are not given, and why.
const NOT_GIVEN: [(&str, &str); 3] = [
    ("audit.actor_user_id", "whoever acts on an account is its user, or nobody is named"),
    ("reset_requests.email", "what somebody typed, for a second, whether or not there is an account"),
    ("session_changes.user_id", "a bare id, for ten minutes, that says that a row of it was changed"),
];

async fn export(client: &Client) -> Value {
    client.get("/auth/account/export").await.expect(200);
    client.post_form("/auth/account/export", &[]).await.expect(200).json()
}

async fn every_column_about_a_user_is_given_or_has_a_reason(engine: Engine) {
    let app = engine.app().await;
    let of_a_person = |column: &str| {
        let name = column.split('.').nth(1).unwrap();
        column == "users.id" || name.ends_with("user_id") || name.contains("email") || name.contains("recipient")
    };
    let columns = match engine {
        Engine::Sqlite => {
            "SELECT m.name || '.' || c.name FROM sqlite_master m, pragma_table_info(m.name) c WHERE m.type = 'table'"
        }
        Engine::Postgres => {
            "SELECT table_name || '.' || column_name FROM information_schema.columns WHERE table_schema = 'public'"
        }
    };
    let mut found = app.database().texts(columns).await;
    found.retain(|column| of_a_person(column));
    found.sort_unstable();
    let mut known: Vec<&str> = GIVEN.iter().chain(&NOT_GIVEN).map(|(column, _)| *column).collect();
    known.sort_unstable();
    assert_eq!(found, known, "a column about a person is to be in the export, or here with a reason");
    let ada = app.sign_up("ada@example.com").await;
    let given = export(&ada).await;
    for (column, section) in GIVEN {
        assert!(given.get(section).is_some(), "{column} in {section}");
    }
}

/// What an export says, by section and field.
fn of<'a>(export: &'a Value, section: &str, field: &str) -> Vec<&'a str> {
    export[section].as_array().unwrap().iter().map(|row| row[field].as_str().unwrap()).collect()
}

async fn what_waits_is_given_without_its_secrets(engine: Engine) {
    let app: TestApp = engine.prepare().await.asking_for_proof().start().await;
    let ada = app.sign_up("ada@example.com").await;
    let proof = app.mail_to("ada@example.com", "Confirm your").await;
    // As long as the address may be somebody else's, their mails are not given.
    let early = export(&ada).await;
    assert_eq!(of(&early, "mailed_links", "kind"), ["verification"]);
    assert_eq!(early["mails"], Value::Array(Vec::new()));
    ada.post_form(&link_of(&proof), &[]).await.expect(303);
    let team = create_team(&ada, "Crew").await;
    invite(&ada, &team, "bob@example.com", "member").await;
    ada.post_form("/auth/account/email", &[("email", "new@example.com")]).await.expect(303);
    ada.post_form("/auth/password/forgot", &[("email", "ada@example.com")]).await.expect(303);
    let links = [
        link_of(&app.mail_to("new@example.com", "Confirm your new").await),
        link_of(&app.mail_to("ada@example.com", "Set a new password").await),
    ];
    app.clock().advance(Duration::from_secs(5));
    let given = export(&ada).await;
    let mut kinds = of(&given, "mailed_links", "kind");
    kinds.sort_unstable();
    assert_eq!(kinds, ["email_change", "password_reset"]);
    assert!(of(&given, "mailed_links", "email").contains(&"new@example.com"));
    assert!(of(&given, "mails", "subject").iter().any(|subject| subject.contains("Set a new password")));
    let mut made = of(&given, "organizations_created", "name");
    made.sort_unstable();
    assert_eq!(made, ["Crew", "ada"]);
    let text = given.to_string();
    for link in links {
        assert!(!text.contains(link.rsplit('/').next().unwrap()), "{text}");
    }
    assert!(!text.contains("hash") && !text.contains(PASSWORD), "{text}");
}
