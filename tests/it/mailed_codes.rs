//! A mailed code in place of a password, for people who have neither a password nor a passkey.

use crate::harness::{
    Builder, Client, Engine, PASSWORD, Reply, ScriptedProvider, TestApp, code_of, run_program, wrong_code,
};
use crate::provider_logins::{add_as, return_path_of};
use doorward::domain::provider::fields::ProviderFields;
use serde_json::json;
use std::time::Duration;

one_engine![
    person_without_password_and_passkey_confirms_by_mailed_code,
    code_is_not_for_people_with_other_means,
    code_belongs_to_the_address_it_was_mailed_to,
    account_without_means_is_connected_after_a_mailed_code,
    mailed_code_never_stands_for_the_second_factor,
    account_with_means_of_its_own_gets_no_code,
    code_works_only_in_the_session_that_asked_for_it,
    strangers_signups_use_up_no_code_to_confirm,
    code_of_an_earlier_email_is_told_from_a_wrong_one,
];
both_engines![wrong_codes_to_confirm_count_by_account];

const CONFIRM: &str = "/auth/account/confirm";
const PAST_CONFIRMATION: Duration = Duration::from_mins(16);
const SUBJECT: &str = "Confirm it’s you";

struct Stage {
    app: TestApp,
    provider: ScriptedProvider,
}

impl Stage {
    async fn new(engine: Engine) -> Self {
        Self::with(engine.prepare().await).await
    }

    async fn with(builder: Builder) -> Self {
        let people = json!([{"sub": "ada", "email": "ada@example.com", "email_verified": true}]);
        let provider = ScriptedProvider::with_people(&people).await;
        let app = builder.start().await;
        add_as(&app, &provider, "dev", ProviderFields::default()).await;
        Self { app, provider }
    }

    async fn arrive(&self, browser: &Client) -> Reply {
        let begun = browser.get("/auth/login/with/dev?login_hint=ada").await.expect(303);
        browser.get(&return_path_of("dev", &self.provider.visit(begun.location()).await)).await
    }

    /// An account of the address that an operator made, and nobody has logged in to.
    async fn account_without_means(&self) {
        self.app.sign_up("ada@example.com").await;
        let database = self.app.database();
        database.execute("UPDATE users SET email_verified_at = created_at, password_hash = NULL").await;
    }

    async fn code(&self) -> String {
        code_of(&self.app.mail_to("ada@example.com", SUBJECT).await)
    }
}

async fn person_without_password_and_passkey_confirms_by_mailed_code(engine: Engine) {
    let stage = Stage::new(engine).await;
    let ada = stage.app.anonymous();
    stage.arrive(&ada).await.expect(303);
    stage.app.clock().advance(PAST_CONFIRMATION);
    ada.refresh("app").await.expect(200);
    ada.get("/auth/account/export").await.expect(303);
    ada.get(CONFIRM).await.expect(200).snapshot("mailed_codes/offered");
    let target = ("return_to", "/auth/account/export");
    let sent = ada.post_form("/auth/account/confirm/mail", &[target]).await.expect(303);
    let sent = sent.snapshot("mailed_codes/sent");
    ada.get(sent.location()).await.expect(200).snapshot("mailed_codes/asked");
    let again = ada.post_form("/auth/account/confirm/mail", &[target]).await.expect(429);
    again.snapshot("mailed_codes/too_soon");
    let code = stage.code().await;
    let wrong = wrong_code(&code);
    let typed = |code| [("mailed_code", code), target];
    ada.post_form("/auth/account/confirm/code", &typed(wrong.as_str()))
        .await
        .expect(422)
        .snapshot("mailed_codes/wrong");
    // Not in another session, nor as another code.
    ada.post_form("/auth/account/confirm/code", &[("code", code.as_str()), target]).await.expect(422);
    let done = ada.post_form("/auth/account/confirm/code", &typed(code.as_str())).await.expect(303);
    assert_eq!(done.location(), "/auth/account/export");
    ada.get("/auth/account/export").await.expect(200);
    let session = ada.get("/auth/api/v2/session").await.expect(200).json();
    assert_eq!(session["session"]["methods"], json!(["mailed_link", "provider"]), "{session}");
    // Once.
    stage.app.clock().advance(PAST_CONFIRMATION);
    ada.refresh("app").await.expect(200);
    ada.post_form("/auth/account/confirm/code", &typed(code.as_str())).await.expect(422);
    // And for ten minutes.
    ada.post_form("/auth/account/confirm/mail", &[]).await.expect(303);
    let late = stage.code().await;
    stage.app.clock().advance(Duration::from_mins(11));
    ada.post_form("/auth/account/confirm/code", &typed(late.as_str())).await.expect(422);
    ada.get("/auth/account/export").await.expect(303);
}

async fn code_of_an_earlier_email_is_told_from_a_wrong_one(engine: Engine) {
    let stage = Stage::new(engine).await;
    let ada = stage.app.anonymous();
    stage.arrive(&ada).await.expect(303);
    ada.post_form(MAIL, &[]).await.expect(303);
    let earlier = stage.code().await;
    stage.app.clock().advance(Duration::from_mins(2));
    ada.post_form(MAIL, &[]).await.expect(303);
    let page = ada.post_form("/auth/account/confirm/code", &[("mailed_code", &earlier)]).await.expect(422).text();
    assert!(page.contains("A newer email has another code."), "{page}");
}

async fn code_is_not_for_people_with_other_means(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    app.clock().advance(PAST_CONFIRMATION);
    ada.refresh("app").await.expect(200);
    let page = ada.get(CONFIRM).await.expect(200).text();
    assert!(!page.contains("confirm/mail"), "{page}");
    ada.post_form("/auth/account/confirm/mail", &[]).await.expect(303);
    assert!(app.mails_to("ada@example.com").await.iter().all(|mail| mail.subject != SUBJECT));
    ada.post_form("/auth/account/confirm/code", &[("mailed_code", "123456")]).await.expect(422);
    assert_eq!(
        ada.get("/auth/account/export").await.expect(303).location(),
        "/auth/account/confirm?return_to=%2Fauth%2Faccount%2Fexport"
    );
    app.anonymous().post_form("/auth/account/confirm/mail", &[]).await.expect(303);
}

async fn code_belongs_to_the_address_it_was_mailed_to(engine: Engine) {
    let stage = Stage::new(engine).await;
    let ada = stage.app.anonymous();
    stage.arrive(&ada).await.expect(303);
    stage.app.clock().advance(PAST_CONFIRMATION);
    ada.refresh("app").await.expect(200);
    ada.post_form("/auth/account/confirm/mail", &[]).await.expect(303);
    let code = stage.code().await;
    stage.app.database().execute("UPDATE users SET email = 'new@example.com', email_key = 'new@example.com'").await;
    ada.post_form("/auth/account/confirm/code", &[("mailed_code", code.as_str())]).await.expect(422);
    ada.get("/auth/account/export").await.expect(303);
}

async fn account_without_means_is_connected_after_a_mailed_code(engine: Engine) {
    let stage = Stage::new(engine).await;
    stage.account_without_means().await;
    let ada = stage.app.anonymous();
    let offer = stage.arrive(&ada).await.expect(200);
    let offer = offer.snapshot("mailed_codes/connect_offered");
    let login = offer.hidden("state");
    let connect = "/auth/login/with/dev/connect";
    let send = [("state", login.as_str()), ("send", "yes")];
    // Another browser gets nothing mailed.
    stage.app.anonymous().post_form(connect, &send).await.expect(401);
    assert!(stage.app.mails_to("ada@example.com").await.iter().all(|mail| mail.subject != SUBJECT));
    // On the way of every answer to a form that leads to a provider's path.
    ada.post_form(connect, &send).await.expect(200);
    let path = format!("{connect}?state={login}");
    ada.get(&path).await.expect(200).snapshot("mailed_codes/connect_asked");
    let code = stage.code().await;
    let wrong = wrong_code(&code);
    let typed = |code| [("state", login.as_str()), ("code", code)];
    ada.post_form(connect, &typed(wrong.as_str())).await.expect(422);
    stage.app.anonymous().post_form(connect, &typed(code.as_str())).await.expect(401);
    assert!(ada.token("access").is_none());
    ada.post_form(connect, &typed(code.as_str())).await.expect(200);
    assert!(ada.token("access").is_some(), "the code logs in");
    let identities = "SELECT COUNT(*) FROM identities";
    assert_eq!(stage.app.database().count(identities).await, 0, "and connects nothing by itself");
    ada.get(&path).await.expect(200);
    ada.post_form(connect, &[("state", login.as_str())]).await.expect(303);
    assert_eq!(stage.app.database().count(identities).await, 1);
}

async fn mailed_code_never_stands_for_the_second_factor(engine: Engine) {
    let stage = Stage::new(engine).await;
    let holder = stage.app.sign_up("ada@example.com").await;
    let (authenticator, _) = holder.turn_on_two_factor(&stage.app).await;
    let database = stage.app.database();
    database.execute("UPDATE users SET email_verified_at = created_at, password_hash = NULL").await;
    let ada = stage.app.anonymous();
    let login = stage.arrive(&ada).await.expect(200).hidden("state");
    let connect = "/auth/login/with/dev/connect";
    ada.post_form(connect, &[("state", login.as_str()), ("send", "yes")]).await.expect(200);
    let code = stage.code().await;
    let next = ada.post_form(connect, &[("state", login.as_str()), ("code", code.as_str())]).await.expect(303);
    assert!(next.location().starts_with("/auth/login/second-factor"), "{next}");
    assert!(ada.token("access").is_none());
    stage.app.clock().advance(Duration::from_secs(31));
    ada.send_code(&authenticator.next_code(&stage.app)).await;
    let session = ada.get("/auth/api/v2/session").await.expect(200).json();
    assert_eq!(session["session"]["methods"], json!(["totp", "mailed_link"]), "{session}");
}

async fn account_with_means_of_its_own_gets_no_code(engine: Engine) {
    let stage = Stage::new(engine).await;
    stage.account_without_means().await;
    let connect = "/auth/login/with/dev/connect";
    let ada = stage.app.anonymous();
    let login = stage.arrive(&ada).await.expect(200).hidden("state");
    // It gets one meanwhile: its password was set.
    ada.post_form(connect, &[("state", login.as_str()), ("send", "yes")]).await.expect(200);
    let code = stage.code().await;
    let holder = stage.app.sign_up("bob@example.com").await;
    drop(holder);
    let copied = "UPDATE users SET password_hash = (SELECT password_hash FROM users WHERE password_hash IS NOT NULL)";
    stage.app.database().execute(copied).await;
    let refused = ada.post_form(connect, &[("state", login.as_str()), ("code", code.as_str())]).await.expect(200);
    assert!(ada.token("access").is_none(), "{refused}");
    ada.log_in("ada@example.com", PASSWORD).await.expect(303);
}

const MAIL: &str = "/auth/account/confirm/mail";
const CODE: &str = "/auth/account/confirm/code";

async fn code_works_only_in_the_session_that_asked_for_it(engine: Engine) {
    let stage = Stage::new(engine).await;
    let [phone, laptop] = [stage.app.anonymous(), stage.app.anonymous()];
    for browser in [&phone, &laptop] {
        stage.arrive(browser).await.expect(303);
    }
    phone.post_form(MAIL, &[]).await.expect(303);
    let of_phone = stage.code().await;
    let page = laptop.get(CONFIRM).await.expect(200).text();
    assert!(!page.contains("name=\"mailed_code\""), "{page}");
    laptop.post_form(CODE, &[("mailed_code", &of_phone)]).await.expect(422);
    laptop.get("/auth/account/export").await.expect(303);
    // What another session asks for takes nothing away, and is not for this one.
    stage.app.clock().advance(Duration::from_mins(2));
    laptop.post_form(MAIL, &[]).await.expect(303);
    let of_laptop = stage.code().await;
    assert_ne!(of_phone, of_laptop);
    phone.post_form(CODE, &[("mailed_code", &of_laptop)]).await.expect(422);
    phone.post_form(CODE, &[("mailed_code", &of_phone)]).await.expect(303);
    laptop.post_form(CODE, &[("mailed_code", &of_laptop)]).await.expect(303);
}

async fn strangers_signups_use_up_no_code_to_confirm(engine: Engine) {
    let builder = engine.prepare().await.set("SVC_EMAIL_VERIFICATION", "required").set("SVC_RATE_LIMIT", "off");
    let stage = Stage::with(builder).await;
    let ada = stage.app.anonymous();
    stage.arrive(&ada).await.expect(303);
    for _ in 0..10 {
        let stranger = stage.app.anonymous();
        stranger.sign_up("ada@example.com").await.expect(303);
        for _ in 0..5 {
            stranger.post_form("/auth/email/verify", &[("code", "")]).await.expect(422);
        }
    }
    let spent = "SELECT count(*) FROM code_failures WHERE recent = 50";
    assert_eq!(stage.app.database().count(spent).await, 2, "of the address and of the site");
    stage.app.confirm_by_mail(&ada, "ada@example.com").await;
    ada.get("/auth/account/export").await.expect(200);
}

async fn wrong_codes_to_confirm_count_by_account(engine: Engine) {
    let stage = Stage::with(engine.prepare().await.set("SVC_RATE_LIMIT", "off")).await;
    let [ada, elsewhere] = [stage.app.anonymous(), stage.app.anonymous()];
    for browser in [&ada, &elsewhere] {
        stage.arrive(browser).await.expect(303);
    }
    let mut pages = Vec::new();
    for _ in 0..4 {
        stage.app.clock().advance(Duration::from_mins(1));
        ada.post_form(MAIL, &[]).await.expect(303);
        let wrong = wrong_code(&stage.code().await);
        for _ in 0..5 {
            pages.push(ada.post_form(CODE, &[("mailed_code", &wrong)]).await.expect(422).text());
        }
    }
    // Twenty in a day, in whichever session.
    elsewhere.post_form(MAIL, &[]).await.expect(303);
    let right = stage.code().await;
    let refused = elsewhere.post_form(CODE, &[("mailed_code", &right)]).await.expect(422).text();
    assert!(refused.contains("we accept none for now"), "{refused}");
    pages.push(refused);
    // Their mail has a code and nothing to follow.
    assert_eq!(stage.app.mail_to("ada@example.com", SUBJECT).await.link, None);
    assert!(pages.iter().all(|page| !page.contains("the link in the email")));
    // Nobody else's codes are refused, and an operator can help.
    assert_eq!(stage.app.database().count("SELECT count(*) FROM code_failures WHERE recent > 0").await, 1);
    run_program(&["user", "unlock", "ada"], stage.app.variables()).await;
    elsewhere.post_form(CODE, &[("mailed_code", &right)]).await.expect(303);
}
