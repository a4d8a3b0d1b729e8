//! The export contains everything stored about a user; exemptions have a reason.

use crate::harness::{Client, Engine, TestApp, link_of};
use crate::invitations::invite;
use crate::organizations::{PASSWORD, create_team};
use serde_json::Value;
use std::time::Duration;

both_engines![user_columns_are_exported_or_exempt, pending_records_are_exported_without_secrets];
one_engine![exports_are_limited];

/// Columns that identify a row's user or hold an address, and the section of the export that contains them.
const EXPORTED: [(&str, &str); 25] = [
    ("account_tokens.email", "mailed_links"),
    ("account_tokens.email_key", "mailed_links"),
    ("account_tokens.user_id", "mailed_links"),
    ("audit.user_id", "activity"),
    ("half_log_ins.user_id", "log_ins_begun"),
    ("identities.email", "identities"),
    ("identities.user_id", "identities"),
    ("invitations.email", "invitations_received"),
    ("invitations.email_key", "invitations_received"),
    ("invitations.finished_by_user_id", "invitations_answered"),
    ("invitations.invited_by_user_id", "invitations_sent"),
    ("kept_usernames.user_id", "kept_usernames"),
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
/// Columns of that kind that are not exported, and why.
const EXEMPT: [(&str, &str); 9] = [
    ("audit.actor_user_id", "the actor is the account's own user or is not named"),
    ("dev_accounts.user_id", "says that a command for developers made the account"),
    ("foreign_logins.user_id", "for ten minutes, that the account of a provider is about to be connected"),
    ("jobs.created_by_user_id", "for 35 days, that an administrator began long work, which the audit log says as well"),
    ("lost_factors.user_id", "says that the operator lost a key, until the user has another app"),
    ("providers.email", "no address: a word that says which addresses of a provider count as verified"),
    ("reset_requests.email", "what was typed, for a second, whether or not there is an account"),
    ("session_changes.user_id", "a bare id, for ten minutes, that says that a row of it was changed"),
    ("user_words.user_id", "words of the address, the username and the name, which are in the export as a whole"),
];

async fn export(client: &Client) -> Value {
    client.get("/auth/account/export").await.expect(200);
    client.post_form("/auth/account/export", &[]).await.expect(200).json()
}

async fn user_columns_are_exported_or_exempt(engine: Engine) {
    let app = engine.app().await;
    let is_about_user = |column: &str| {
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
    found.retain(|column| is_about_user(column));
    found.sort_unstable();
    let mut known: Vec<&str> = EXPORTED.iter().chain(&EXEMPT).map(|(column, _)| *column).collect();
    known.sort_unstable();
    assert_eq!(found, known, "a column about a person is to be in the export, or here with a reason");
    let ada = app.sign_up("ada@example.com").await;
    let exported = export(&ada).await;
    for (column, section) in EXPORTED {
        assert!(exported.get(section).is_some(), "{column} in {section}");
    }
}

/// The values of a field in a section of an export.
fn values_of<'a>(export: &'a Value, section: &str, field: &str) -> Vec<&'a str> {
    export[section].as_array().unwrap().iter().map(|row| row[field].as_str().unwrap()).collect()
}

async fn pending_records_are_exported_without_secrets(engine: Engine) {
    let app: TestApp = engine.prepare().await.with_email_verification().start().await;
    let ada = app.sign_up("ada@example.com").await;
    let verification = app.mail_to("ada@example.com", "Verify your").await;
    // While the address is unverified and may be a stranger's, its mails are not exported.
    let early = export(&ada).await;
    assert_eq!(values_of(&early, "mailed_links", "kind"), ["verification"]);
    assert_eq!(early["mails"], Value::Array(Vec::new()));
    ada.post_form(&link_of(&verification), &[]).await.expect(303);
    let team = create_team(&ada, "Crew").await;
    invite(&ada, &team, "bob@example.com", "member").await;
    ada.post_form("/auth/account/email", &[("email", "new@example.com")]).await.expect(303);
    ada.post_form("/auth/password/forgot", &[("email", "ada@example.com")]).await.expect(303);
    let links = [
        link_of(&app.mail_to("new@example.com", "Verify your new").await),
        link_of(&app.mail_to("ada@example.com", "Reset your password").await),
    ];
    app.clock().advance(Duration::from_secs(5));
    let exported = export(&ada).await;
    let mut kinds = values_of(&exported, "mailed_links", "kind");
    kinds.sort_unstable();
    assert_eq!(kinds, ["email_change", "password_reset"]);
    assert!(values_of(&exported, "mailed_links", "email").contains(&"new@example.com"));
    assert!(values_of(&exported, "mails", "subject").iter().any(|subject| subject.contains("Reset your password")));
    let mut made = values_of(&exported, "organizations_created", "name");
    made.sort_unstable();
    assert_eq!(made, ["Crew", "ada"]);
    let text = exported.to_string();
    for link in links {
        assert!(!text.contains(link.rsplit('/').next().unwrap()), "{text}");
    }
    assert!(!text.contains("hash") && !text.contains(PASSWORD), "{text}");
}

/// Each costs an entry in the audit log, which the next one holds.
async fn exports_are_limited(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    for _ in 0..5 {
        export(&ada).await;
    }
    let refused = ada.post_form("/auth/account/export", &[]).await.expect(429);
    assert!(refused.header("retry-after").is_some());
    app.clock().advance(Duration::from_mins(10));
    ada.post_form("/auth/account/confirm", &[("password", PASSWORD)]).await.expect(303);
    export(&ada).await;
}
