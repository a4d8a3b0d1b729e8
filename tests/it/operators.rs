//! Operator commands beside a running service.

use crate::harness::{Client, Engine, PASSWORD, TestApp, eventually, link_of, run_program, run_to_snapshot};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use doorward::context::App;
use doorward::domain::account::create::NewUser;
use doorward::domain::account::details::AccountDetails;
use doorward::domain::account::operator;
use doorward::domain::account::update::{RolesUpdate, UpdateUser, UserUpdate};
use doorward::domain::change;
use doorward::domain::mailed_token::request;
use doorward::model::ids::UserId;
use doorward::model::principal::Principal;
use doorward::model::roles::{PlatformRole, Roles};
use doorward::refusal::{ChangeError, Refusal};
use serde_json::Value;
use std::time::Duration;

both_engines![
    role_changes_apply_within_a_second,
    disabled_user_is_logged_out_within_a_second,
    secrets_are_resealed_with_new_key,
    new_signing_key_is_published_before_it_signs
];
one_engine![
    lists_need_no_secret_key,
    last_administrator_stays_by_every_door,
    new_password_ends_every_session,
    unchanged_values_record_no_events,
    command_that_would_lose_events_is_refused,
    organizations_are_managed_from_the_command_line,
    operator_invitation_verifies_address,
    verification_is_mailed_again_by_operator,
    address_set_by_operator_is_unverified_unless_said
];
single_run![lost_key_file_is_never_replaced, command_in_wrong_directory_creates_no_database];

pub async fn create(app: &App, name: &str) -> UserId {
    let new = NewUser {
        email: format!("{name}@example.com"),
        username: None,
        name: None,
        password: Some(PASSWORD.into()),
        roles: Roles::NONE,
        verified: false,
        identities: Vec::new(),
        details: AccountDetails::default(),
        send_mail: false,
    };
    change::run(app, &Principal::operator(), new).await.unwrap().id
}

pub async fn grant(app: &App, user: UserId, role: PlatformRole) -> Result<bool, ChangeError> {
    let roles = RolesUpdate::Change { granted: Roles::NONE.with(role), revoked: Roles::NONE };
    let change = UserUpdate { roles: Some(roles), ..UserUpdate::default() };
    change::run(app, &Principal::operator(), UpdateUser::new(user, change)?).await
}

pub async fn set_disabled(app: &App, user: UserId, disabled: bool) -> Result<bool, ChangeError> {
    let change = UserUpdate { disabled: Some(disabled), ..UserUpdate::default() };
    change::run(app, &Principal::operator(), UpdateUser::new(user, change)?).await
}

/// Runs a command that succeeds, with its JSON.
async fn doorward(app: &TestApp, arguments: &[&str]) -> Value {
    let output = run_program(&[&["--json"], arguments].concat(), app.variables()).await;
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

fn kid_of(token: &str) -> String {
    let header = token.split('.').next().unwrap();
    let header = base64::engine::general_purpose::URL_SAFE_NO_PAD.decode(header).unwrap();
    serde_json::from_slice::<Value>(&header).unwrap()["kid"].as_str().unwrap().to_owned()
}

async fn published(app: &TestApp) -> Vec<String> {
    let reply = app.anonymous().get("/auth/.well-known/jwks.json").await.expect(200);
    assert_eq!(reply.header("cache-control"), Some("max-age=300"));
    let keys = reply.json()["keys"].as_array().unwrap().clone();
    keys.iter().map(|key| key["kid"].as_str().unwrap().to_owned()).collect()
}

async fn reload(app: &TestApp) {
    doorward::domain::keys::refresh_ring(&app.app).await.unwrap();
}

async fn new_signing_key_is_published_before_it_signs(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let old = kid_of(&ada.token("access").unwrap());
    let new = doorward(&app, &["keys", "rotate"]).await["kid"].as_str().unwrap().to_owned();
    reload(&app).await;
    assert!(published(&app).await.contains(&new) && published(&app).await.contains(&old));
    ada.refresh("app").await.expect(200);
    assert_eq!(kid_of(&ada.token("access").unwrap()), old, "verifiers may not have fetched the new one");
    app.clock().advance(Duration::from_secs(601));
    let last = ada.copy();
    ada.refresh("app").await.expect(200);
    assert_eq!(kid_of(&ada.token("access").unwrap()), new);
    assert!(published(&app).await.contains(&old), "its last token may still be in use");
    app.clock().advance(Duration::from_hours(1));
    reload(&app).await;
    assert_eq!(published(&app).await, [new]);
    last.api_user().await.expect(401);
}

async fn secrets_are_resealed_with_new_key(engine: Engine) {
    let first = STANDARD.encode([1; 32]);
    let second = STANDARD.encode([2; 32]);
    let app = engine.prepare().await.set("SVC_SECRET_KEY", &first).start().await;
    let ada = app.sign_up("ada@example.com").await;
    let app = app.restart_with(&[("SVC_SECRET_KEY", &format!("new:{second},old:{first}"))]).await;
    let ada = ada.at(&app.url());
    ada.api_user().await.expect(200);
    ada.refresh("app").await.expect(200);
    // The signing key, and the answer to her signup.
    assert_eq!(doorward(&app, &["secrets", "reseal"]).await["resealed"], 2);
    assert_eq!(doorward(&app, &["secrets", "reseal"]).await["resealed"], 0);
    let app = app.restart_with(&[("SVC_SECRET_KEY", &second)]).await;
    let ada = ada.at(&app.url());
    ada.api_user().await.expect(200);
    ada.refresh("app").await.expect(200);
}

async fn lists_need_no_secret_key(engine: Engine) {
    let app = engine.app().await;
    app.sign_up("ada@example.com").await;
    let mut variables = app.variables().clone();
    variables.remove("SVC_SECRET_KEY");
    let lists = ["keys list", "user list", "user sessions list ada", "org list", "mail list", "webhooks list"];
    for command in lists.into_iter().chain(["webhooks stats"]) {
        let output = run_program(&command.split(' ').collect::<Vec<_>>(), &variables).await;
        assert_eq!(output.status.code(), Some(0), "{command}: {output:?}");
    }
    let output = run_program(&["webhooks", "replay", "--failed", "--yes"], &variables).await;
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let file = std::path::Path::new(&variables["SVC_DATA_DIR"]).join("secret.key");
    assert!(!file.exists(), "no command made a key");
}

async fn role_changes_apply_within_a_second(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    ada.refresh("admin").await.expect_error(401, "unauthorized");
    let granted = doorward(&app, &["user", "grant", "ada", "admin", "monitor"]).await;
    assert_eq!(granted["roles"], serde_json::json!(["svc:admin", "svc:monitor"]));
    expect_roles(&ada, serde_json::json!(["svc:admin", "svc:monitor"])).await;
    ada.refresh("admin").await.expect(200);
    ada.api_user().await.expect(200);
    doorward(&app, &["user", "create", "bob@example.com", "--role", "admin"]).await;
    doorward(&app, &["user", "revoke", "ada", "admin", "monitor"]).await;
    expect_roles(&ada, serde_json::json!([])).await;
    ada.refresh("admin").await.expect_error(401, "unauthorized");
}

/// Waits for the roles: the service may take a second to see the command's change.
async fn expect_roles(client: &Client, roles: Value) {
    let same = async || (client.api_user().await.expect(200).json()["roles"] == roles).then_some(());
    eventually("the roles are seen", same).await;
}

async fn expect_logged_out(client: &Client) {
    eventually("the session is refused", async || (client.api_user().await.status == 401).then_some(())).await;
}

async fn last_administrator_stays_by_every_door(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    doorward(&app, &["user", "grant", "ada", "admin", "monitor"]).await;
    let doors = [
        ["user", "disable", "ada"].as_slice(),
        &["user", "revoke", "ada", "admin"],
        &["user", "delete", "ada", "--yes"],
    ];
    let refused = async || {
        for arguments in doors {
            let output = run_program(arguments, app.variables()).await;
            assert_eq!(output.status.code(), Some(1), "{arguments:?}: {output:?}");
        }
    };
    refused().await;
    let page = ada.post_form("/auth/account/delete", &[("password", PASSWORD)]).await.expect(422).text();
    assert!(page.contains("last administrator"), "{page}");
    doorward(&app, &["user", "revoke", "ada", "monitor"]).await;
    // Another who is disabled does not count.
    doorward(&app, &["user", "create", "bob@example.com", "--role", "admin"]).await;
    doorward(&app, &["user", "disable", "bob"]).await;
    refused().await;
    doorward(&app, &["user", "enable", "bob"]).await;
    // Both at once: one stays.
    let (one, other) = tokio::join!(
        run_program(&["user", "disable", "ada"], app.variables()),
        run_program(&["user", "revoke", "bob", "admin"], app.variables())
    );
    assert_ne!(one.status.success(), other.status.success(), "{one:?} {other:?}");
}

async fn disabled_user_is_logged_out_within_a_second(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    assert_eq!(doorward(&app, &["user", "disable", "ada@example.com"]).await["changed"], true);
    expect_logged_out(&ada).await;
    ada.refresh("app").await.expect_error(401, "unauthorized");
    doorward(&app, &["user", "enable", "ada@example.com"]).await;
    ada.api_user().await.expect(401);
    assert_eq!(doorward(&app, &["user", "show", "ada"]).await["disabled"], false);
}

async fn new_password_ends_every_session(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let password = doorward(&app, &["user", "set-password", "ada"]).await["password"].as_str().unwrap().to_owned();
    expect_logged_out(&ada).await;
    let browser = app.anonymous();
    browser.log_in("ada", "a lighthouse in the fog").await.expect(401);
    browser.log_in("ada", &password).await.expect(303);
}

async fn unchanged_values_record_no_events(engine: Engine) {
    let receiver = crate::harness::Receiver::start().await;
    let app = engine.prepare().await.webhooks(&receiver).start().await;
    app.sign_up("ada@example.com").await;
    receiver.wait_for(3).await;
    for arguments in [["user", "enable", "ada"].as_slice(), &["user", "revoke", "ada", "admin"]] {
        assert_eq!(doorward(&app, arguments).await["changed"], false, "{arguments:?}");
    }
    let updated = "SELECT count(*) FROM outbox WHERE kind = 'user.updated'";
    assert_eq!(app.database().count(updated).await, 0);
    doorward(&app, &["user", "grant", "ada", "admin"]).await;
    assert_eq!(app.database().count(updated).await, 1);
    receiver.wait_for(4).await;
}

async fn lost_key_file_is_never_replaced() {
    let mut app = Engine::Sqlite.app().await;
    app.stop().await;
    let mut variables = app.variables().clone();
    variables.remove("SVC_SECRET_KEY");
    let file = std::path::Path::new(&variables["SVC_DATA_DIR"]).join("secret.key");
    assert!(!file.exists() || std::fs::remove_file(&file).is_ok());
    run_to_snapshot("commands/secrets_reseal_without_key", &["secrets", "reseal"], &variables).await;
    run_to_snapshot("commands/secrets_reseal_without_key_json", &["secrets", "reseal", "--json"], &variables).await;
    assert!(!file.exists());
}

async fn command_that_would_lose_events_is_refused(engine: Engine) {
    let receiver = crate::harness::Receiver::start().await;
    let builder = engine.prepare().await.webhooks(&receiver);
    let mut process = crate::harness::Process::start(builder.variables()).await;
    builder.anonymous().sign_up("ada@example.com").await.expect(303);
    let mut variables = builder.variables().clone();
    variables.retain(|name, _| !name.starts_with("SVC_WEBHOOK_"));
    run_to_snapshot("commands/user_disable_would_lose_events", &["user", "disable", "ada"], &variables).await;
    let output = run_program(&["user", "disable", "ada"], builder.variables()).await;
    assert!(output.status.success(), "{output:?}");
    process.signal("TERM");
    process.wait().await;
}

async fn command_in_wrong_directory_creates_no_database() {
    let folder = crate::harness::TempDir::new("elsewhere");
    let data = folder.path().join("data");
    let variables = [("SVC_DATA_DIR".to_owned(), data.display().to_string())].into();
    for (name, arguments) in [
        ("user_list", ["user", "list"].as_slice()),
        ("user_create", &["user", "create", "ada@example.com"]),
        ("setup_link", &["setup-link"]),
    ] {
        run_to_snapshot(&format!("commands/{name}_in_wrong_directory"), arguments, &variables).await;
    }
    assert!(!data.exists());
}

async fn organizations_are_managed_from_the_command_line(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let bob = app.sign_up("bob@example.com").await;
    for json in [[].as_slice(), &["--json"]] {
        let org = doorward(&app, &["org", "create", "Crew", "--owner", "ada"]).await["id"].as_str().unwrap().to_owned();
        let invite = ["invitation", "create", "--org", &org, "--email", "bob@example.com", "--role", "admin"];
        let id = doorward(&app, &invite).await["id"].as_str().unwrap().to_owned();
        let link = doorward(&app, &["invitation", "resend", &id]).await["link"].as_str().unwrap().to_owned();
        bob.post_form(&format!("{}/accept", &link[link.find("/auth/").unwrap()..]), &[]).await.expect(303);
        for (name, arguments) in [
            ("set_role", ["set-role", &org, "bob", "owner"].as_slice()),
            ("list", &["list", &org]),
            ("remove", &["remove", &org, "ada"]),
        ] {
            let name = format!("commands/org_members_{name}{}", if json.is_empty() { "" } else { "_json" });
            run_to_snapshot(&name, &[["org", "members"].as_slice(), arguments, json].concat(), app.variables()).await;
        }
    }
    let large = format!("{{\"text\":\"{}\"}}", "x".repeat(5000));
    let invite = ["invitation", "create", "--org", "bob", "--email", "d@example.com", "--metadata", &large];
    assert_eq!(run_program(&invite, app.variables()).await.status.code(), Some(1));
    doorward(&app, &["user", "delete", "ada", "--yes"]).await;
    expect_logged_out(&ada).await;
    assert_eq!(doorward(&app, &["user", "list"]).await["data"].as_array().unwrap().len(), 1);
}

async fn operator_invitation_verifies_address(engine: Engine) {
    let app = engine.app().await;
    app.sign_up("ada@example.com").await;
    let org = doorward(&app, &["org", "create", "Crew", "--owner", "ada"]).await["id"].as_str().unwrap().to_owned();
    let invite = ["invitation", "create", "--org", &org, "--email", "bob@example.com"];
    let link = doorward(&app, &invite).await["link"].as_str().unwrap().to_owned();
    let fields = [("password", "a lighthouse in the fog"), ("invitation", link.rsplit('/').next().unwrap())];
    app.anonymous().post_form("/auth/signup", &fields).await.expect(303);
    assert_eq!(app.database().count("SELECT count(*) FROM users WHERE email_verified_at IS NOT NULL").await, 1);
}

async fn verification_is_mailed_again_by_operator(engine: Engine) {
    let app = engine.prepare().await.with_email_verification().start().await;
    let ada = app.sign_up("ada@example.com").await;
    let first = link_of(&app.mail_to("ada@example.com", "Verify your").await);
    let id = operator::find(&app.app.store, &Principal::operator(), "ada").await.unwrap().id;
    let resend = async || request::resend_to(&app.app, &Principal::operator(), id).await;
    assert!(matches!(resend().await, Err(ChangeError::Refused(Refusal::TooSoon(_)))), "a minute after the one before");
    app.clock().advance(Duration::from_mins(1));
    resend().await.unwrap();
    app.anonymous().get(&first).await.expect(404);
    ada.post_form(&link_of(&app.mail_to("ada@example.com", "Verify your").await), &[]).await.expect(303);
    app.clock().advance(Duration::from_mins(1));
    assert!(matches!(resend().await, Err(ChangeError::Refused(Refusal::Fields(_)))), "verified already");
    let kinds = "SELECT kind FROM audit WHERE actor = 'operator'";
    assert_eq!(app.database().texts(kinds).await, ["verification_sent"]);
    // The limit is that of who asks in the account's own session.
    app.database().execute("UPDATE users SET email_verified_at = NULL").await;
    let mut sent = 0;
    while sent < 10 && resend().await.is_ok() {
        app.clock().advance(Duration::from_mins(1));
        sent += 1;
    }
    assert!((4..8).contains(&sent), "{sent}");
}

async fn address_set_by_operator_is_unverified_unless_said(engine: Engine) {
    let app = engine.prepare().await.with_email_verification().start().await;
    app.sign_up_verified("ada@example.com").await;
    let set = async |arguments: &[&str]| doorward(&app, &[&["user", "set-email", "ada"], arguments].concat()).await;
    let changed = set(&["lovelace@example.org"]).await;
    assert_eq!((&changed["changed"], &changed["email_verified_at"]), (&true.into(), &Value::Null));
    app.mail_to("ada@example.com", "Your email address was changed").await;
    let verified = set(&["lovelace@example.org", "--verified"]).await;
    assert!(verified["changed"] == true && verified["email_verified_at"].is_string(), "{verified}");
    assert_eq!(set(&["lovelace@example.org"]).await["changed"], false, "a verified address stays so");
}
