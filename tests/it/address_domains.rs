//! The domain of an email address is kept as A-labels, so that each address has one account, and shown in letters.

use crate::harness::{Client, Engine, PASSWORD, Receiver, TestApp, code_of, eventually, link_of, run_program};
use crate::invitations::invite;
use crate::organizations::create_team;
use serde_json::Value;

both_engines![
    address_in_every_spelling_is_one_account,
    spellings_of_an_address_share_the_limit_of_failures,
    stored_domains_are_converted_at_start,
];
one_engine![
    mails_go_to_a_labels_and_show_letters,
    placeholder_cannot_be_spelled_otherwise,
    two_addresses_that_become_one_are_listed_and_stay,
    address_with_doubled_dots_still_logs_in_and_resets,
];

const STORED: &str = "user2@xn--mller-kva.example";
const LETTERS: &str = "user2@müller.example";
const SPELLINGS: [&str; 5] =
    [STORED, LETTERS, "USER2@MÜLLER.Example", "user2@mu\u{308}ller.example", "user2@XN--MLLER-KVA.example"];

async fn command(app: &TestApp, arguments: &[&str]) -> String {
    let output = run_program(arguments, app.variables()).await;
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

async fn addresses(app: &TestApp) -> Vec<String> {
    app.database().texts("SELECT email || ' ' || email_key FROM users ORDER BY username").await
}

/// Stores the address of an account as an earlier version did.
async fn store_as_typed(app: &TestApp, username: &str, email: &str) {
    let key = email.to_lowercase();
    let sql = format!("UPDATE users SET email = '{email}', email_key = '{key}' WHERE username = '{username}'");
    app.database().execute(&sql).await;
}

async fn address_in_every_spelling_is_one_account(engine: Engine) {
    let app = engine.app().await;
    // A browser's email field sends A-labels, its text field what was typed.
    let user = app.sign_up(STORED).await;
    for spelling in SPELLINGS {
        app.anonymous().log_in(spelling, PASSWORD).await.expect(303);
        assert!(app.anonymous().sign_up(spelling).await.expect(422).text().contains("already exists"), "{spelling}");
        let shown: Value = serde_json::from_str(&command(&app, &["--json", "user", "show", spelling]).await).unwrap();
        assert_eq!(shown["email"], STORED, "{spelling}");
    }
    assert_eq!(addresses(&app).await, [format!("{STORED} {STORED}")]);
    assert_eq!(user.api_user().await.json()["email"], STORED);
    assert!(user.get("/auth/account").await.expect(200).text().contains(LETTERS));
    assert!(command(&app, &["user", "show", "user2"]).await.contains(LETTERS));
    // Typed in letters, it is stored alike.
    app.sign_up("ada@MÜLLER.example").await;
    assert_eq!(addresses(&app).await[0], "ada@xn--mller-kva.example ada@xn--mller-kva.example");
}

async fn mails_go_to_a_labels_and_show_letters(engine: Engine) {
    let app = engine.prepare().await.with_email_verification().start().await;
    let ada = app.sign_up_verified("ada@example.com").await;
    let team = create_team(&ada, "Crew").await;
    let shown = invite(&ada, &team, LETTERS, "member").await;
    let mail = app.mail_to(STORED, "Crew").await;
    assert!(mail.text.contains(LETTERS) && mail.to == STORED, "{} {}", mail.to, mail.text);
    assert!(app.anonymous().get(&shown).await.expect(200).text().contains(LETTERS));
    let bob = app.anonymous();
    let form = [("username", "bob"), ("password", PASSWORD)];
    bob.post_form(&format!("/auth/signup?invitation={}", link_of(&mail).rsplit('/').next().unwrap()), &form)
        .await
        .expect(303);
    assert_eq!(bob.api_user().await.expect(200).json()["email"], STORED);
    // The old address, in another spelling, is no change; a new one is verified as A-labels.
    bob.post_form("/auth/account/email", &[("email", LETTERS)]).await.expect(422);
    bob.post_form("/auth/account/email", &[("email", "bob@bücher.example")]).await.expect(303);
    assert!(bob.get("/auth/account/email").await.text().contains("bob@bücher.example"));
    let code = code_of(&app.mail_to("bob@xn--bcher-kva.example", "").await);
    bob.post_form("/auth/account/email/confirm", &[("code", &code)]).await.expect(303);
    assert_eq!(bob.api_user().await.expect(200).json()["email"], "bob@xn--bcher-kva.example");
    app.anonymous().post_form("/auth/password/forgot", &[("email", "BOB@bücher.example")]).await.expect(303);
    assert_eq!(app.mail_to("bob@xn--bcher-kva.example", "Reset your").await.to, "bob@xn--bcher-kva.example");
}

async fn spellings_of_an_address_share_the_limit_of_failures(engine: Engine) {
    let app = engine.app().await;
    app.sign_up(STORED).await;
    for number in 0..10 {
        app.anonymous().log_in(SPELLINGS[number % SPELLINGS.len()], "wrong").await.expect(401);
    }
    for spelling in SPELLINGS {
        app.anonymous().log_in(spelling, "wrong").await.expect(429);
    }
}

async fn placeholder_cannot_be_spelled_otherwise(engine: Engine) {
    let app = engine.app().await;
    for email in [
        "eve@unverified.invalid",
        "eve@ｕnverified.invalid",
        "eve@UNVERIFIED.ｉｎｖａｌｉｄ",
        "eve@unver\u{ad}ified.invalid",
    ] {
        let page = app.anonymous().sign_up(email).await.expect(422);
        assert!(page.text().contains("a valid email address"), "{email}: {}", page.text());
    }
    assert_eq!(addresses(&app).await, Vec::<String>::new());
}

async fn stored_domains_are_converted_at_start(engine: Engine) {
    let receiver = Receiver::start().await;
    let app = engine.prepare().await.with_email_verification().webhooks(&receiver).start().await;
    let user = app.sign_up("user2@example.com").await;
    let link = link_of(&app.mail_to("user2@example.com", "").await);
    let ada = app.sign_up_verified("ada@example.com").await;
    let team = create_team(&ada, "Crew").await;
    invite(&ada, &team, "bob@example.com", "member").await;
    store_as_typed(&app, "user2", "user2@Müller.example").await;
    for (table, old, new) in [
        ("account_tokens", "user2@example.com", "user2@Müller.example"),
        ("invitations", "bob@example.com", "bob@müller.example"),
    ] {
        let key = new.to_lowercase();
        let sql = format!("UPDATE {table} SET email = '{new}', email_key = '{key}' WHERE email = '{old}'");
        app.database().execute(&sql).await;
    }
    let updates = "SELECT count(*) FROM outbox WHERE kind = 'user.updated'";
    let before = app.database().count(updates).await;
    let app = app.restart().await;
    let user = user.at(&app.url());
    let converted = async || (app.database().count(updates).await > before).then_some(());
    eventually("the address is converted", converted).await;
    assert_eq!(addresses(&app).await, ["ada@example.com ada@example.com", &format!("{STORED} {STORED}")]);
    assert_eq!(user.api_user().await.expect(200).json()["email"], STORED);
    let invited = app.database().texts("SELECT email || ' ' || email_key FROM invitations").await;
    assert_eq!(invited, ["bob@xn--mller-kva.example bob@xn--mller-kva.example"]);
    // The link that was mailed before is still that of the account's address.
    user.post_form(&link, &[]).await.expect(303);
    assert_eq!(app.database().count("SELECT count(*) FROM users WHERE email_verified_at IS NOT NULL").await, 2);
    let app = app.restart().await;
    app.anonymous().log_in(LETTERS, PASSWORD).await.expect(303);
    assert_eq!(app.database().count(updates).await, before + 1, "once");
}

async fn two_addresses_that_become_one_are_listed_and_stay(engine: Engine) {
    let app = engine.app().await;
    for name in ["ada", "bob", "cy", "dan", "eve"] {
        app.sign_up(&format!("{name}@example.com")).await;
    }
    store_as_typed(&app, "ada", STORED).await;
    store_as_typed(&app, "bob", LETTERS).await;
    store_as_typed(&app, "cy", "cy@bücher.example").await;
    store_as_typed(&app, "dan", "cy@bu\u{308}cher.example").await;
    // Letters before the @ are none of a domain.
    store_as_typed(&app, "eve", "évé@example.com").await;
    let before = addresses(&app).await;
    let app = app.restart().await;
    app.anonymous().log_in("bob", PASSWORD).await.expect(303);
    assert_eq!(addresses(&app).await, before);
    let listed: Value = serde_json::from_str(&command(&app, &["--json", "user", "duplicates"]).await).unwrap();
    let field = |name: &str| -> Vec<String> {
        let rows = listed["data"].as_array().unwrap().iter();
        rows.map(|row| row[name].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(field("username"), ["cy", "dan", "ada", "bob"]);
    assert_eq!(field("address"), ["cy@xn--bcher-kva.example", "cy@xn--bcher-kva.example", STORED, STORED]);
    assert!(command(&app, &["user", "duplicates"]).await.contains("cy@bücher.example"));
    // Once one of them has another address, nothing is in the way of the other.
    store_as_typed(&app, "ada", "ada@example.com").await;
    let app = app.restart().await;
    let done = async || addresses(&app).await.contains(&format!("{STORED} {STORED}")).then_some(());
    eventually("the address is converted", done).await;
}

async fn address_with_doubled_dots_still_logs_in_and_resets(engine: Engine) {
    let app = engine.app().await;
    app.sign_up("ada@example.com").await;
    store_as_typed(&app, "ada", "a..da.@example.com").await;
    app.anonymous().log_in("a..da.@example.com", PASSWORD).await.expect(303);
    let reader: Client = app.anonymous();
    reader.post_form("/auth/password/forgot", &[("email", "a..da.@example.com")]).await.expect(303);
    let link = link_of(&app.mail_to("a..da.@example.com", "Reset your").await);
    let page = reader.get(&link).await.expect(200);
    assert!(page.text().contains("a..da.@example.com"), "{}", page.text());
    app.anonymous().sign_up("b..ob@example.com").await.expect(422);
    reader.post_form("/auth/password/forgot", &[("email", "nobody")]).await.expect(422);
}
