//! Why a user cannot log in: what stands in the way, and how their attempts ended.

use crate::harness::{Engine, MailServer, PASSWORD, TestApp, eventually, person, run_program};
use doorward::domain::account::login_status::{LoginBlocker, LoginStatus, login_status};
use doorward::domain::account::operator;
use doorward::model::device::Device;
use doorward::model::ids::UserId;
use doorward::model::principal::{Operation, Principal};
use doorward::rate_limit::{RefusedLogin, RefusedStep, RefusedUntil};
use std::time::Duration;
use uuid::Uuid;

one_engine![
    account_that_can_log_in_has_nothing_in_its_way,
    limited_logins_are_recorded_with_and_without_account,
    limit_blocks_login_until_it_ends,
    limit_of_a_network_that_no_entry_names_blocks_login,
    each_blocker_is_named,
    mailed_link_to_set_a_password_is_told_while_it_is_valid,
    refused_administrators_are_recorded,
];

async fn login_status_of(app: &TestApp, login: &str) -> LoginStatus {
    let user = operator::find(&app.app.store, &Principal::operator(), login).await.unwrap().id;
    login_status(&app.app, &Principal::operator(), user).await.unwrap().unwrap()
}

fn kinds(status: &LoginStatus) -> Vec<&str> {
    status.attempts.iter().map(|row| row.kind.as_str()).collect()
}

async fn account_that_can_log_in_has_nothing_in_its_way(engine: Engine) {
    let app = engine.app().await;
    app.sign_up("ada@example.com").await;
    app.anonymous().log_in("ada", PASSWORD).await.expect(303);
    let ada = login_status_of(&app, "ada").await;
    assert!(ada.blockers.is_empty(), "{ada:?}");
    assert_eq!(kinds(&ada), ["signed_in"]);
    let nobody = UserId(Uuid::from_u128(1));
    assert!(login_status(&app.app, &Principal::operator(), nobody).await.unwrap().is_none());
    // One's own account is shown by the account pages, not here.
    assert!(login_status(&app.app, &person(nobody), nobody).await.is_err());
}

/// Tries a wrong password until a limit refuses it; returns the statements of the refused try.
async fn try_until_limited(app: &TestApp, login: &str) -> u64 {
    let stranger = app.anonymous();
    stranger.get("/auth/login").await.expect(200);
    for _ in 0..40 {
        let before = app.app.store.statements();
        let reply = stranger.post_form("/auth/login", &[("email", login), ("password", "not the password")]).await;
        if reply.status == 429 {
            return app.app.store.statements() - before;
        }
    }
    panic!("never refused");
}

async fn limited_logins_are_recorded_with_and_without_account(engine: Engine) {
    let app = engine.prepare().await.without_background().start().await;
    app.sign_up("ada@example.com").await;
    let (known, unknown) = (try_until_limited(&app, "ada").await, try_until_limited(&app, "nobody").await);
    assert_eq!(known, unknown, "the same work");
    app.app.failed_attempts.write(&app.app.store).await.unwrap();
    for user in ["user_id IS NOT NULL", "user_id IS NULL"] {
        let rows = format!("SELECT fields FROM audit WHERE kind = 'sign_in_limited' AND times = 1 AND {user}");
        assert_eq!(app.database().texts(&rows).await, [r#"{"what":"password"}"#], "{user}");
    }
}

async fn limit_blocks_login_until_it_ends(engine: Engine) {
    let app = engine.prepare().await.without_background().start().await;
    app.sign_up("ada@example.com").await;
    app.clock().advance(Duration::from_hours(31 * 24));
    try_until_limited(&app, "ada").await;
    app.app.failed_attempts.write(&app.app.store).await.unwrap();
    let limits = app.database().texts("SELECT CAST(failures AS TEXT) FROM limits ORDER BY id").await;
    let ada = login_status_of(&app, "ada").await;
    let refused = |blocker: &LoginBlocker| match blocker {
        LoginBlocker::Limited(refused) => Some(*refused),
        _ => None,
    };
    let refused: Vec<_> = ada.blockers.iter().filter_map(refused).collect();
    assert_eq!(refused.len(), ada.blockers.len(), "{ada:?}");
    let is_here = |step| matches!(step, RefusedStep::From(address) if address.is_loopback());
    let here = refused.iter().find(|refused| is_here(refused.step)).expect("the network of the attempts");
    assert!(matches!(here.until, RefusedUntil::Time(until) if app.clock().now() < until), "{here:?}");
    assert_eq!(kinds(&ada)[0], "sign_in_limited");
    assert!(kinds(&ada).contains(&"sign_in_failed"));
    login_status_of(&app, "ada").await;
    let unchanged = app.database().texts("SELECT CAST(failures AS TEXT) FROM limits ORDER BY id").await;
    assert_eq!(unchanged, limits, "looking counts nothing");
    app.clock().advance(Duration::from_hours(3));
    assert!(login_status_of(&app, "ada").await.blockers.is_empty());
}

async fn limit_of_a_network_that_no_entry_names_blocks_login(engine: Engine) {
    let app = engine.prepare().await.without_background().start().await;
    app.sign_up("ada@example.com").await;
    app.anonymous().log_in("ada", PASSWORD).await.expect(303);
    app.database().execute("DELETE FROM audit WHERE kind = 'signed_in'").await;
    try_until_limited(&app, "ada").await;
    let delayed = async || match login_status_of(&app, "ada").await.blockers.as_slice() {
        [LoginBlocker::Limited(refused)] => refused.step,
        others => panic!("{others:?}"),
    };
    assert_eq!(delayed().await, RefusedStep::FromOthers);
    app.app.failed_attempts.write(&app.app.store).await.unwrap();
    assert!(matches!(delayed().await, RefusedStep::From(_)));
}

async fn each_blocker_is_named(engine: Engine) {
    let server = MailServer::start().await;
    let builder = engine.prepare().await.mails(&server).set("SVC_EMAIL_VERIFICATION", "required");
    let app = builder.without_background().start().await;
    let create = ["user", "create", "bob@example.com"];
    assert!(run_program(&create, app.variables()).await.status.success());
    assert!(run_program(&["user", "disable", "bob"], app.variables()).await.status.success());
    app.database().execute("UPDATE users SET password_hash = NULL").await;
    let bob = login_status_of(&app, "bob").await.blockers;
    assert!(
        matches!(
            bob.as_slice(),
            [LoginBlocker::Disabled { .. }, LoginBlocker::Unverified, LoginBlocker::NoWayIn { link_until: None }]
        ),
        "{bob:?}"
    );
    let app = app.restart_with(&[("SVC_EMAIL_VERIFICATION", "optional")]).await;
    let ada = app.sign_up("ada@example.com").await;
    ada.turn_on_two_factor(&app).await;
    app.database().execute("UPDATE totp SET failures = 100").await;
    let failed = "UPDATE outbox SET state = 'failed', finished_at = due_at WHERE channel IN ('mail', 'notice')";
    app.database().execute(failed).await;
    let ada = login_status_of(&app, "ada").await.blockers;
    let codes = RefusedLogin { step: RefusedStep::AppCode, until: RefusedUntil::Cleared };
    let [LoginBlocker::Limited(refused), LoginBlocker::MailFailed(_), ..] = ada.as_slice() else { panic!("{ada:?}") };
    assert_eq!(*refused, codes);
}

async fn mailed_link_to_set_a_password_is_told_while_it_is_valid(engine: Engine) {
    let server = MailServer::start().await;
    let app = engine.prepare().await.mails(&server).without_background().start().await;
    app.sign_up("ada@example.com").await;
    app.database().execute("UPDATE users SET password_hash = NULL").await;
    assert!(run_program(&["user", "send-password-reset", "ada"], app.variables()).await.status.success());
    let link_until = async || match login_status_of(&app, "ada").await.blockers.as_slice() {
        [LoginBlocker::NoWayIn { link_until }] => *link_until,
        other => panic!("{other:?}"),
    };
    let until = link_until().await.expect("a link");
    app.clock().advance(until.since(app.clock().now()));
    assert_eq!(link_until().await, None);
}

async fn refused_administrators_are_recorded(engine: Engine) {
    let app = engine.app().await;
    let auditor = UserId(Uuid::from_u128(7));
    let (route, device) = ("/auth/admin/people/{id}/disable", Device::new("Firefox", None));
    for _ in 0..2 {
        let refused = (route, Operation::ChangeUser);
        app.app.failed_attempts.record_admin_refused(auditor, refused, &device, app.clock().now());
    }
    let entries = "SELECT actor || ' ' || times || ' ' || user_agent || ' ' || fields FROM audit \
        WHERE kind = 'admin_refused' AND user_id = actor_user_id AND subject_id = user_id";
    let expected = format!("user 2 Firefox {{\"operation\":\"ChangeUser\",\"path\":\"{route}\"}}");
    eventually("recorded", async || (app.database().texts(entries).await == [expected.clone()]).then_some(())).await;
}
