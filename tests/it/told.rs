//! What an administrator does to the account of another: who is told by mail, and what the person reads of it.

use crate::harness::{Client, Engine, PASSWORD, TestApp, administrator_of, backend, run_program};
use crate::organizations::user_id;
use doorward::domain::account::delete::Delete;
use doorward::domain::account::update::{RolesUpdate, UpdateUser, UserUpdate};
use doorward::domain::change;
use doorward::domain::mfa::status::ResetTwoFactor;
use doorward::domain::session::active::{EndSessions, Which};
use doorward::model::api_key::Scope;
use doorward::model::device::Device;
use doorward::model::ids::{SessionId, UserId};
use doorward::model::principal::Principal;
use doorward::model::roles::{PlatformRole, Roles};
use serde_json::Value;
use uuid::Uuid;

one_engine![
    administrators_acts_are_mailed_to_the_person,
    acts_on_privileged_accounts_are_mailed_to_administrators,
    deeds_to_one_account_never_silence_those_to_another,
    person_reads_administrators_as_the_operator,
    notice_says_where_of_ones_own_acts_only,
];

const AGENT: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0";
const ADDRESS: &str = "198.51.100.7";

async fn id(client: &Client) -> UserId {
    UserId(Uuid::parse_str(&user_id(client).await).unwrap())
}

/// Ada at the pages of administrators.
async fn administrator(app: &TestApp) -> Principal {
    let device = Device::new(AGENT, Some(ADDRESS.parse().unwrap()));
    administrator_of(app, "ada@example.com", PlatformRole::Admin, device).await
}

async fn change(app: &TestApp, principal: &Principal, user: UserId, change: UserUpdate) {
    assert!(change::run(&app.app, principal, UpdateUser::new(user, change).unwrap()).await.unwrap());
}

async fn end(app: &TestApp, principal: &Principal, user: UserId, which: Which) -> u64 {
    change::run(&app.app, principal, EndSessions { user, which }).await.unwrap()
}

fn disabled(disabled: bool) -> UserUpdate {
    UserUpdate { disabled: Some(disabled), ..UserUpdate::default() }
}

fn roles(roles: Roles) -> UserUpdate {
    UserUpdate { roles: Some(RolesUpdate::Set(roles)), ..UserUpdate::default() }
}

/// The kinds of the mails to an address since the last look.
async fn told(app: &TestApp, email: &str) -> Vec<String> {
    let mails = "SELECT id FROM mails WHERE recipient_key";
    let kinds = format!("SELECT kind FROM outbox WHERE id IN ({mails} = '{email}') ORDER BY kind");
    let kinds = app.database().texts(&kinds).await;
    app.database().execute(&format!("DELETE FROM outbox WHERE id IN ({mails} = '{email}')")).await;
    kinds
}

async fn prepared(engine: Engine) -> TestApp {
    engine.prepare().await.with_email_verification().set("SVC_RATE_LIMIT", "off").start().await
}

async fn administrators_acts_are_mailed_to_the_person(engine: Engine) {
    let app = prepared(engine).await;
    app.sign_up_verified("ada@example.com").await;
    let bob = app.sign_up_verified("bob@example.com").await;
    let bob = id(&bob).await;
    let by = administrator(&app).await;
    told(&app, "bob@example.com").await;
    change(&app, &by, bob, disabled(true)).await;
    let mail = app.mail_to("bob@example.com", "disabled").await;
    assert!(mail.text.contains("An administrator of") && !mail.text.contains("ada"), "{}", mail.text);
    assert_eq!(told(&app, "bob@example.com").await, ["account-disabled"]);
    change(&app, &by, bob, disabled(false)).await;
    assert_eq!(told(&app, "bob@example.com").await, ["account-enabled"]);
    app.anonymous().log_in("bob@example.com", PASSWORD).await.expect(303);
    assert!(end(&app, &by, bob, Which::All).await > 0);
    assert_eq!(told(&app, "bob@example.com").await, ["sessions-ended"]);
    assert_eq!(end(&app, &by, bob, Which::One(SessionId(Uuid::nil()))).await, 0);
    assert_eq!(told(&app, "bob@example.com").await, Vec::<String>::new(), "nothing was done");
    // An operator and a backend do the same without a notice.
    for principal in [Principal::operator(), backend(&[Scope::UsersWrite])] {
        change(&app, &principal, bob, disabled(true)).await;
        change(&app, &principal, bob, disabled(false)).await;
    }
    assert_eq!(told(&app, "bob@example.com").await, Vec::<String>::new());
    let email = UserUpdate { email: Some("new@example.com".to_owned()), ..UserUpdate::default() };
    change(&app, &by, bob, email).await;
    assert_eq!(told(&app, "bob@example.com").await, ["email-replaced"]);
    // The new address is not verified, and may be a stranger's.
    change(&app, &by, bob, disabled(true)).await;
    assert_eq!(told(&app, "new@example.com").await, Vec::<String>::new());
    assert_eq!(told(&app, "ada@example.com").await, ["email-verification"], "no account has a role");
}

async fn acts_on_privileged_accounts_are_mailed_to_administrators(engine: Engine) {
    let app = prepared(engine).await;
    let mut ids = Vec::new();
    for name in ["ada", "bob", "eve", "dan"] {
        ids.push(id(&app.sign_up_verified(&format!("{name}@example.com")).await).await);
    }
    ids.push(id(&app.sign_up("ulf@example.com").await).await);
    let [ada, bob, eve, dan, ulf] = ids[..] else { panic!("five accounts") };
    let admin = Roles::NONE.with(PlatformRole::Admin);
    for user in [ada, eve, dan, ulf] {
        change(&app, &Principal::operator(), user, roles(admin)).await;
    }
    change(&app, &Principal::operator(), dan, disabled(true)).await;
    app.database().execute("DELETE FROM outbox").await;
    let by = administrator(&app).await;
    let everyone = async |subject: &str| {
        let mut all = Vec::new();
        for name in ["ada", "bob", "eve", "dan", "ulf"] {
            let kinds = told(&app, &format!("{name}@example.com")).await;
            all.extend(kinds.iter().map(|kind| format!("{name} {kind}")));
        }
        (subject.to_owned(), all)
    };
    let to_both = ["ada role-changed", "eve role-changed", "ulf role-changed"];
    change(&app, &by, bob, disabled(true)).await;
    change(&app, &by, bob, disabled(false)).await;
    assert_eq!(everyone("without role").await.1, ["bob account-disabled", "bob account-enabled"]);
    change(&app, &by, bob, roles(Roles::NONE.with(PlatformRole::Auditor))).await;
    let mail = app.mail_to("eve@example.com", "privileged").await;
    assert!(mail.text.contains("The platform roles of the account bob"), "{}", mail.text);
    assert!(!mail.text.contains("ada"), "{}", mail.text);
    assert_eq!(
        everyone("given").await.1,
        ["ada role-changed", "bob role-changed", "eve role-changed", "ulf role-changed"]
    );
    let name = UserUpdate { username: Some("robert".to_owned()), ..UserUpdate::default() };
    change(&app, &by, bob, name).await;
    assert_eq!(everyone("renamed").await.1, to_both);
    app.store_passkey(bob).await;
    assert!(change::run(&app.app, &by, ResetTwoFactor { user: bob }).await.unwrap());
    let factors = everyone("factors").await.1;
    assert_eq!(factors, ["ada role-changed", "bob sign-in-method-removed", "eve role-changed", "ulf role-changed"]);
    change(&app, &by, bob, roles(Roles::NONE)).await;
    assert_eq!(
        everyone("taken").await.1,
        ["ada role-changed", "bob role-changed", "eve role-changed", "ulf role-changed"]
    );
    // An administrator is told of their own account as its person.
    assert!(end(&app, &by, eve, Which::All).await > 0);
    assert_eq!(everyone("administrator").await.1, ["ada role-changed", "eve sessions-ended", "ulf role-changed"]);
    change::run(&app.app, &by, Delete { user: dan }).await.unwrap();
    assert_eq!(
        everyone("deleted").await.1,
        ["ada role-changed", "eve role-changed", "dan account-deleted", "ulf role-changed"]
    );
    change(&app, &Principal::operator(), eve, roles(Roles::NONE)).await;
    assert_eq!(everyone("operator").await.1, Vec::<String>::new());
}

async fn deeds_to_one_account_never_silence_those_to_another(engine: Engine) {
    let app = engine.prepare().await.with_email_verification().start().await;
    let mut ids = Vec::new();
    for name in ["ada", "bob", "eve", "dan"] {
        ids.push(id(&app.sign_up_verified(&format!("{name}@example.com")).await).await);
    }
    let [_, bob, eve, dan] = ids[..] else { panic!("four accounts") };
    change(&app, &Principal::operator(), eve, roles(Roles::NONE.with(PlatformRole::Admin))).await;
    for user in [bob, dan] {
        change(&app, &Principal::operator(), user, roles(Roles::NONE.with(PlatformRole::Auditor))).await;
    }
    app.database().execute("DELETE FROM outbox").await;
    let by = administrator(&app).await;
    let mut count = 0;
    for number in 0..20 {
        change(&app, &by, bob, disabled(number % 2 == 0)).await;
        count += told(&app, "eve@example.com").await.len();
    }
    assert_eq!(count, 12, "no mailbox is flooded with one account");
    change(&app, &by, dan, disabled(true)).await;
    assert_eq!(told(&app, "eve@example.com").await, ["role-changed"]);
}

async fn person_reads_administrators_as_the_operator(engine: Engine) {
    let app = prepared(engine).await;
    let ada = id(&app.sign_up_verified("ada@example.com").await).await;
    let bob = app.sign_up_verified("bob@example.com").await;
    let user = id(&bob).await;
    change(&app, &administrator(&app).await, user, roles(Roles::NONE.with(PlatformRole::Monitor))).await;
    // As the pages of administrators store why.
    let reason =
        "UPDATE audit SET fields = '{\"reason\":\"night shift\",\"roles\":[\"monitor\"]}' WHERE kind = 'roles_changed'";
    app.database().execute(reason).await;
    let page = bob.get("/auth/account/activity").await.expect(200).text();
    assert!(page.contains("Platform roles changed") && page.contains("By an administrator"), "{page}");
    assert!(!page.contains(ADDRESS) && !page.contains("Firefox") && !page.contains("night shift"), "{page}");
    bob.get("/auth/account/export").await.expect(200);
    let export = bob.post_form("/auth/account/export", &[]).await.expect(200).json();
    let text = export.to_string();
    for secret in [ADDRESS, "Firefox", "night shift", &ada.to_string()] {
        assert!(!text.contains(secret), "{secret}: {text}");
    }
    let entry =
        |all: &Value| all.as_array().unwrap().iter().find(|entry| entry["kind"] == "roles_changed").cloned().unwrap();
    let exported = entry(&export["activity"]);
    assert_eq!((&exported["actor"], &exported["actor_user_id"]), (&"operator".into(), &Value::Null));
    assert_eq!((&exported["session_id"], &exported["fields"]["roles"][0]), (&Value::Null, &"monitor".into()));
    // The audit has all of it.
    let output = run_program(&["--json", "user", "audit", "bob@example.com"], app.variables()).await;
    assert!(output.status.success(), "{output:?}");
    let audit: Value = serde_json::from_slice(&output.stdout).unwrap();
    let whole = entry(audit.get("data").unwrap_or(&audit));
    assert_eq!((&whole["actor"], &whole["actor_user_id"]), (&"user".into(), &ada.to_string().into()));
    assert_eq!((&whole["address"], &whole["fields"]["reason"]), (&ADDRESS.into(), &"night shift".into()));
}

async fn notice_says_where_of_ones_own_acts_only(engine: Engine) {
    let app = prepared(engine).await;
    let ada = app.sign_up_verified("ada@example.com").await;
    told(&app, "ada@example.com").await;
    let token = ada.token("csrf").unwrap();
    let fields = [("current", PASSWORD), ("password", "a second lighthouse in the fog"), ("csrf_token", &token)];
    ada.form("/auth/account/password", &fields).header("user-agent", AGENT).await.expect(303);
    let mail = app.mail_to("ada@example.com", "Your password was changed").await;
    assert!(mail.text.contains("Device: Firefox on Linux, 127.0.0.1"), "{}", mail.text);
    assert_eq!(told(&app, "ada@example.com").await, ["password-changed"]);
    let changed = run_program(&["user", "set-password", "ada@example.com"], app.variables()).await;
    assert!(changed.status.success(), "{changed:?}");
    let mail = app.mail_to("ada@example.com", "Your password was changed").await;
    assert!(!mail.text.contains("Device"), "{}", mail.text);
}
