//! Mails as a weapon: what a stranger can make the service send, to whom, and whose mails wait for it.

use crate::api_organizations::KeyHolder;
use crate::harness::{
    Client, Engine, MailServer, PASSWORD, TestApp, Treatment, begin, code_of, eventually, run_program,
};
use crate::invitations::link_in;
use crate::mail::has_openssl;
use crate::organizations::{create_team, user_id};
use doorward::domain::change;
use doorward::domain::mfa::status;
use doorward::domain::organization::invite::Invite;
use doorward::mail::{Notice, notify};
use doorward::messages::Locale;
use doorward::model::ids::{OrganizationId, UserId};
use doorward::model::metadata::Metadata;
use doorward::model::organization::MemberRole;
use doorward::model::principal::Principal;
use doorward::model::roles::Roles;
use doorward::rate_limit::{NoticeWeight, RateLimit};
use doorward::store::UserRow;
use reqwest::Method;
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;
use uuid::Uuid;

both_engines![notices_are_listed_delivered_erased_and_removed, resets_go_out_before_waiting_verifications];
one_engine![
    unverified_address_gets_only_its_verification,
    one_notice_of_a_kind_waits,
    notices_to_one_account_are_limited,
    deletion_is_mailed_to_verified_address,
    accounts_of_one_address_do_not_flood_it,
    operators_reset_of_passkeys_is_mailed,
    operators_passwords_are_mailed_within_the_limit,
    taken_unverified_address_gets_no_mail,
    additions_do_not_hide_losses,
    other_mails_do_not_use_up_reset_links,
    tags_share_the_limit_of_their_mailbox,
    invitations_to_one_address_are_limited,
    signups_with_one_address_are_limited,
    new_account_has_no_new_resends,
    codes_go_out_before_waiting_notices
];

const USERS: &str = "/auth/api/v2/users";
const RECOVERY_CODES: &str = "/auth/account/recovery-codes";
const NOTICES: &str = "SELECT count(*) FROM outbox WHERE channel = 'notice'";

/// A user with a verified address and two-factor authentication, which causes no notice.
async fn verified_with_two_factor(app: &TestApp, email: &str) -> Client {
    let client = app.sign_up(email).await;
    client.turn_on_two_factor(app).await;
    app.database().execute("UPDATE users SET email_verified_at = created_at").await;
    client
}

fn id_of(text: &str) -> UserId {
    UserId(Uuid::parse_str(text).unwrap())
}

/// The kinds of all mails that were ever queued to an address.
async fn kinds_to(app: &TestApp, email: &str) -> Vec<String> {
    let sql = format!(
        "SELECT o.kind FROM outbox o JOIN mails m ON m.id = o.id WHERE m.recipient_key = '{email}' ORDER BY o.kind"
    );
    app.database().texts(&sql).await
}

async fn delete_account(client: &Client) {
    client.post_form("/auth/account/delete", &[("password", PASSWORD)]).await.expect(200);
}

/// Finding 1 of the review: 400 notices a second to an address that its account never verified.
async fn unverified_address_gets_only_its_verification(engine: Engine) {
    let app = engine.prepare().await.with_email_verification().start().await;
    let eve = app.sign_up("victim@example.com").await;
    eve.turn_on_two_factor(&app).await;
    for _ in 0..5 {
        eve.post_form(RECOVERY_CODES, &[]).await.expect(200);
    }
    let fields = [("current", PASSWORD), ("password", "a second lighthouse in the fog")];
    eve.post_form("/auth/account/password", &fields).await.expect(303);
    let fields = [("password", "a second lighthouse in the fog")];
    eve.post_form("/auth/account/two-factor/remove", &fields).await.expect(303);
    eve.post_form("/auth/account/email", &[("email", "eve@example.com")]).await.expect(303);
    let code = code_of(&app.mail_to("eve@example.com", "Verify your new").await);
    eve.post_form("/auth/account/email/confirm", &[("code", &code)]).await.expect(303);
    assert_eq!(kinds_to(&app, "victim@example.com").await, ["email-verification"]);
    let bob = app.sign_up("bob@example.com").await;
    delete_account(&bob).await;
    assert_eq!(kinds_to(&app, "bob@example.com").await, ["email-verification"]);
}

async fn one_notice_of_a_kind_waits(engine: Engine) {
    let app = engine.app().await;
    let ada = verified_with_two_factor(&app, "ada@example.com").await;
    for _ in 0..5 {
        ada.post_form(RECOVERY_CODES, &[]).await.expect(200);
    }
    ada.post_form("/auth/account/two-factor/remove", &[("password", PASSWORD)]).await.expect(303);
    ada.turn_on_two_factor(&app).await;
    let subjects = "SELECT m.subject FROM outbox o JOIN mails m ON m.id = o.id \
                    WHERE o.state = 'pending' ORDER BY m.subject";
    let expected = ["An authenticator app was added", "An authenticator app was removed", "New recovery codes"];
    assert_eq!(app.database().texts(subjects).await, expected);
    assert_eq!(app.database().count("SELECT count(*) FROM outbox WHERE channel <> 'webhook'").await, 3, "no more rows");
    let created = "SELECT count(*) FROM audit WHERE kind = 'recovery_codes_made'";
    assert_eq!(app.database().count(created).await, 5, "the audit log has them all");
}

async fn notices_to_one_account_are_limited(engine: Engine) {
    let app = engine.app().await;
    let ada = verified_with_two_factor(&app, "ada@example.com").await;
    let replace = async || {
        ada.post_form(RECOVERY_CODES, &[]).await.expect(200);
        // As a mail server that takes each at once.
        app.database().execute("UPDATE outbox SET state = 'delivered'").await;
    };
    for _ in 0..12 {
        replace().await;
    }
    assert_eq!(app.database().count(NOTICES).await, 4);
    app.clock().advance(Duration::from_mins(15));
    ada.post_form("/auth/account/confirm", &[("password", PASSWORD)]).await.expect(303);
    replace().await;
    replace().await;
    assert_eq!(app.database().count(NOTICES).await, 5);
}

async fn additions_do_not_hide_losses(engine: Engine) {
    let app = engine.app().await;
    let ada = verified_with_two_factor(&app, "ada@example.com").await;
    for _ in 0..6 {
        ada.post_form(RECOVERY_CODES, &[]).await.expect(200);
        app.database().execute("UPDATE outbox SET state = 'delivered'").await;
    }
    ada.post_form("/auth/account/two-factor/remove", &[("password", PASSWORD)]).await.expect(303);
    let kinds = kinds_to(&app, "ada@example.com").await;
    assert_eq!(kinds.iter().filter(|kind| *kind == "sign-in-method-removed").count(), 1, "{kinds:?}");
}

/// A stranger asks for mails of every other kind to the address, as often as they can.
async fn other_mails_do_not_use_up_reset_links(engine: Engine) {
    let app = engine.app().await;
    app.sign_up("victim@example.com").await;
    app.database().execute("UPDATE users SET email_verified_at = created_at").await;
    let stranger = app.sign_up("stranger@example.com").await;
    let mut refused = None;
    for _ in 0..8 {
        let reply = stranger.post_form("/auth/account/email", &[("email", "victim@example.com")]).await;
        refused = (reply.status == 429).then_some(reply);
    }
    // To the second, they could use up each mail as it is permitted again.
    assert_eq!(refused.expect("a limit").header("retry-after"), Some("600"));
    app.anonymous().post_form("/auth/password/forgot", &[("email", "victim@example.com")]).await.expect(303);
    app.mail_to("victim@example.com", "Reset your password").await;
}

async fn tags_share_the_limit_of_their_mailbox(engine: Engine) {
    let app = engine.prepare().await.with_email_verification().start().await;
    for number in 0..6 {
        app.anonymous().sign_up(&format!("victim+{number}@example.com")).await.expect(303);
    }
    app.anonymous().sign_up("victim+x@example.com").await.expect(429);
    app.anonymous().sign_up("victim@example.com").await.expect(429);
}

async fn operators_passwords_are_mailed_within_the_limit(engine: Engine) {
    let app = engine.app().await;
    for email in ["ada@example.com", "bob@example.com"] {
        app.sign_up(email).await;
    }
    app.database().execute("UPDATE users SET email_verified_at = created_at WHERE username = 'ada'").await;
    for _ in 0..8 {
        for user in ["ada", "bob"] {
            let output = run_program(&["user", "set-password", user], app.variables()).await;
            assert!(output.status.success(), "{output:?}");
        }
        // As a mail server that takes each at once.
        app.database().execute("UPDATE outbox SET state = 'delivered'").await;
    }
    assert_eq!(kinds_to(&app, "ada@example.com").await, ["password-changed"; 2]);
    assert!(kinds_to(&app, "bob@example.com").await.is_empty(), "nobody has verified the address");
}

/// Finding 13 of the review.
async fn deletion_is_mailed_to_verified_address(engine: Engine) {
    let app = engine.app().await;
    let ada = verified_with_two_factor(&app, "ada@example.com").await;
    let bob = verified_with_two_factor(&app, "bob@example.com").await;
    // A thief cannot hide the deletion behind other notices.
    let user = id_of(&user_id(&ada).await);
    for weight in [NoticeWeight::Addition, NoticeWeight::Loss] {
        while app.app.rate_limiter.check(RateLimit::NoticeTo(weight, user)).await.is_ok() {}
    }
    delete_account(&ada).await;
    assert_eq!(kinds_to(&app, "ada@example.com").await, ["account-deleted"]);
    let deleted = run_program(&["user", "delete", "bob@example.com", "--yes"], app.variables()).await;
    assert!(deleted.status.success(), "{deleted:?}");
    assert_eq!(kinds_to(&app, "bob@example.com").await, ["account-deleted"]);
    drop(bob);
}

/// A backend makes accounts with a stranger's address, which it calls verified, and changes and deletes them.
async fn accounts_of_one_address_do_not_flood_it(engine: Engine) {
    let app = engine.app().await;
    let backend = KeyHolder::with(&app, "backend", &["users:write", "users:security"]).await;
    for number in 0..20 {
        let victim = format!("victim+{}@example.com", number % 3);
        let new = json!({"email": victim, "email_verified": true});
        let path = backend.post(USERS, &new).await.expect(201).location().to_owned();
        if number % 2 == 0 {
            let moved = json!({"email": format!("free{number}@example.com")});
            backend.send(Method::PATCH, &path, &moved).await.expect(200);
        }
        backend.call(Method::DELETE, &path).await.expect(204);
    }
    let mails = "SELECT count(*) FROM outbox o JOIN mails m ON m.id = o.id WHERE m.recipient_key LIKE 'victim%'";
    assert_eq!(app.database().count(mails).await, 12);
}

async fn operators_reset_of_passkeys_is_mailed(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    app.database().execute("UPDATE users SET email_verified_at = created_at").await;
    let user = id_of(&user_id(&ada).await);
    app.store_passkey(user).await;
    assert!(change::run(&app.app, &Principal::operator(), status::ResetTwoFactor { user }).await.unwrap());
    let notice = app.mail_to("ada@example.com", "All passkeys were removed").await;
    assert!(!notice.text.contains("Device"), "{}", notice.text);
}

async fn taken_unverified_address_gets_no_mail(engine: Engine) {
    let app = engine.prepare().await.with_email_verification().start().await;
    app.sign_up("bob@example.com").await;
    app.sign_up("cy@example.com").await;
    app.database().execute("UPDATE users SET disabled_at = created_at WHERE username = 'bob'").await;
    let app = app.restart_with(&[("SVC_EMAIL_VERIFICATION", "required")]).await;
    app.anonymous().sign_up("bob@example.com").await.expect(303);
    assert_eq!(kinds_to(&app, "bob@example.com").await, ["email-verification"], "of the account itself");
    // Nor if an account wants to change to an address that another one holds unverified.
    let app = app.restart_with(&[("SVC_EMAIL_VERIFICATION", "optional")]).await;
    let ada = app.sign_up("ada@example.com").await;
    ada.post_form("/auth/account/email", &[("email", "cy@example.com")]).await.expect(303);
    assert_eq!(kinds_to(&app, "cy@example.com").await, ["email-verification"]);
    app.database().execute("UPDATE users SET email_verified_at = created_at WHERE username = 'cy'").await;
    ada.post_form("/auth/account/email", &[("email", "cy@example.com")]).await.expect(303);
    assert_eq!(kinds_to(&app, "cy@example.com").await, ["address-taken", "email-verification"]);
}

async fn invitations_to_one_address_are_limited(engine: Engine) {
    let app = engine.app().await;
    let mut statuses = Vec::new();
    let mut teams = Vec::new();
    for number in 0..8 {
        let inviter = app.sign_up(&format!("inviter{number}@example.com")).await;
        let team = create_team(&inviter, "Crew").await;
        let reply = inviter.post_form(&format!("{team}/invitations"), &[("email", "Victim@example.com")]).await;
        statuses.push(reply.status);
        assert!(reply.status == 200 || reply.header("retry-after").is_some(), "{}", reply.text());
        teams.push((inviter, team));
    }
    assert_eq!(statuses, [200, 200, 200, 200, 200, 200, 429, 429]);
    let (inviter, team) = &teams[0];
    let resend = link_in(&inviter.get(&format!("{team}/invitations")).await.text(), "/resend");
    inviter.post_form(&resend, &[]).await.expect(429);
    assert_eq!(kinds_to(&app, "victim@example.com").await.len(), 6);
    // Invitations are not urgent: they wait behind codes and links.
    let behind_codes = "SELECT count(*) FROM outbox WHERE channel = 'notice' AND kind = 'invitation'";
    assert_eq!(app.database().count(behind_codes).await, 6);
    // An operator is exempt.
    let org = OrganizationId(Uuid::parse_str(teams[7].1.rsplit('/').next().unwrap()).unwrap());
    let new = Invite {
        org,
        email: "victim@example.com",
        role: MemberRole::Member,
        metadata: Metadata::default(),
        send_mail: true,
        locale: Locale::ENGLISH,
    };
    change::run(&app.app, &Principal::operator(), new).await.unwrap();
    app.clock().advance(Duration::from_mins(10));
    inviter.post_form(&resend, &[]).await.expect(200);
    inviter.post_form(&resend, &[]).await.expect(429);
}

async fn signups_with_one_address_are_limited(engine: Engine) {
    let app = engine.prepare().await.with_email_verification().start().await;
    for _ in 0..6 {
        delete_account(&app.sign_up("victim@example.com").await).await;
    }
    let reply = app.anonymous().sign_up("Victim@example.com").await.expect(429);
    assert!(reply.header("retry-after").is_some());
    assert_eq!(kinds_to(&app, "victim@example.com").await.len(), 6);
    app.sign_up("honest@example.com").await;
}

async fn new_account_has_no_new_resends(engine: Engine) {
    let app = engine.app().await;
    let mut passed = 0;
    for _ in 0..8 {
        let eve = app.sign_up("victim@example.com").await;
        passed += usize::from(eve.post_form("/auth/email/verify/resend", &[]).await.status == 303);
        delete_account(&eve).await;
    }
    assert_eq!((passed, kinds_to(&app, "victim@example.com").await.len()), (6, 6));
}

/// Queues notices about as many accounts.
async fn queue_notices(app: &TestApp, count: u128) {
    let mut tx = begin(&app.app.store).await;
    for number in 1..=count {
        let now = app.clock().now();
        let user = UserRow {
            id: UserId(Uuid::from_u128(number)),
            email: format!("reader{number}@example.com"),
            username: "reader".to_owned(),
            password_hash: None,
            roles: Roles::NONE,
            email_verified_at: Some(now),
            disabled_at: None,
            created_at: now,
            language: None,
            name: None,
        };
        notify(&app.app, &mut tx, &user, Notice::PasswordChanged).await.unwrap();
    }
    tx.commit().await.unwrap();
}

async fn codes_go_out_before_waiting_notices(engine: Engine) {
    if !has_openssl() {
        return;
    }
    let server = MailServer::start().await;
    let slow = Arc::new(Semaphore::new(0));
    server.treat_next((0..300).map(|_| Treatment::Held(slow.clone())));
    let app = engine.prepare().await.with_email_verification().mails(&server).start().await;
    queue_notices(&app, 300).await;
    server.wait_for(4).await;
    app.sign_up("ada@example.com").await;
    // The server takes one after the other, and the code is among the next: a few were claimed before it was written.
    slow.add_permits(20);
    let first = server.wait_for(20).await;
    let place = first.iter().position(|mail| mail.header("to") == "ada@example.com");
    assert!(place.is_some_and(|place| place < 12), "{place:?}");
    slow.add_permits(400);
    server.wait_for(301).await;
}

/// A rush of signups, while the mail server is slow.
async fn resets_go_out_before_waiting_verifications(engine: Engine) {
    if !has_openssl() {
        return;
    }
    let server = MailServer::start().await;
    let app = engine.prepare().await.with_email_verification().mails(&server).start().await;
    app.sign_up("ada@example.com").await;
    server.wait_for(1).await;
    let database = app.database();
    database.execute("UPDATE users SET email_verified_at = created_at").await;
    let slow = Arc::new(Semaphore::new(0));
    server.treat_next((0..300).map(|_| Treatment::Held(slow.clone())));
    queue_notices(&app, 300).await;
    server.wait_for(5).await;
    let waiting = "UPDATE outbox SET channel = 'mail', kind = 'sign-up' WHERE channel = 'notice' AND state = 'pending'";
    database.execute(waiting).await;
    app.anonymous().post_form("/auth/password/forgot", &[("email", "ada@example.com")]).await.expect(303);
    let reset = "SELECT count(*) FROM outbox WHERE kind = 'password-reset'";
    eventually("the reset waits", async || (database.count(reset).await == 1).then_some(())).await;
    slow.add_permits(20);
    let sent = server.wait_for(21).await;
    let place = sent.iter().skip(1).position(|mail| mail.header("to") == "ada@example.com");
    assert!(place.is_some_and(|place| place < 12), "{place:?}");
    slow.add_permits(400);
    server.wait_for(302).await;
}

async fn notices_are_listed_delivered_erased_and_removed(engine: Engine) {
    if !has_openssl() {
        return;
    }
    let mut server = MailServer::start().await;
    server.go_down().await;
    let app = engine.prepare().await.with_email_verification().mails(&server).start().await;
    let ada = app.sign_up("ada@example.com").await;
    app.database().execute("UPDATE users SET email_verified_at = created_at").await;
    ada.turn_on_two_factor(&app).await;
    let list = run_program(&["mail", "list", "--state", "pending", "--json"], app.variables()).await;
    let list: serde_json::Value = serde_json::from_slice(&list.stdout).unwrap();
    let mut kinds: Vec<&str> =
        list["data"].as_array().unwrap().iter().filter_map(|mail| mail["kind"].as_str()).collect();
    kinds.sort_unstable();
    assert_eq!(kinds, ["email-verification", "sign-in-method-added"]);
    let attempted = format!("{NOTICES} AND attempts = 1 AND state = 'pending'");
    eventually("the first attempt", async || (app.database().count(&attempted).await == 1).then_some(())).await;
    server.come_up().await;
    app.clock().advance(Duration::from_secs(31));
    let delivered = format!("{NOTICES} AND state = 'delivered' AND length(payload) = 0");
    eventually("delivery", async || (app.database().count(&delivered).await == 1).then_some(())).await;
    let mails = server.wait_for(2).await;
    assert!(mails.iter().any(|mail| mail.header("subject") == "An authenticator app was added"));
    app.clock().advance(Duration::from_hours(8 * 24));
    let app = app.restart().await;
    eventually("clean-up", async || (app.database().count(NOTICES).await == 0).then_some(())).await;
}
