//! Logins with a provider that claims an address, and does not vouch for it: no more than the same address typed at signup
//! (docs/reference/browser.md 8.5).

use crate::harness::{
    Client, Engine, PASSWORD, Process, Reply, TestApp, code_of, eventually, free_port, link_of, run_program,
};
use crate::provider_logins::{Stage, is_logged_in, people, return_path};
use doorward::domain::provider::fields::ProviderFields;
use serde_json::{Value, json};

one_engine![
    claimed_address_is_what_it_would_be_at_signup,
    claimed_address_of_an_account_gets_the_sentence_of_signup,
    claimed_and_typed_addresses_tell_no_more_than_signup,
    verification_that_is_a_text_is_named_in_the_log,
];

async fn claimed_address_is_what_it_would_be_at_signup(engine: Engine) {
    let stage = Stage::with(
        engine.prepare().await.set("SVC_EMAIL_VERIFICATION", "required"),
        people(false),
        ProviderFields::default(),
    )
    .await;
    let ada = stage.app.anonymous();
    let reply = stage.log_in(&ada, "ada").await.expect(303);
    assert_eq!((reply.location(), is_logged_in(&ada)), ("/auth/email/verify", false));
    assert_eq!(stage.identities().await, 0);
    let mail = stage.app.mail_to("ada@example.com", "Finish").await;
    // Without a password another browser is told where the code belongs, and verifies nothing.
    let stranger = stage.app.anonymous();
    let page = stranger.get(&link_of(&mail)).await.expect(200).text();
    assert!(page.contains("in the browser where you signed up") && !page.contains("name=\"password\""), "{page}");
    stranger.post_form(&link_of(&mail), &[]).await.expect(403);
    assert!(!is_logged_in(&stranger));
    ada.post_form("/auth/email/verify", &[("code", &code_of(&mail))]).await.expect(303);
    assert!(is_logged_in(&ada));
    assert_eq!(stage.identities().await, 1);
    let methods = ada.get("/auth/api/v2/session").await.expect(200).json();
    assert_eq!(methods["session"]["methods"], json!(["mailed_link", "provider"]), "{methods}");
}

async fn claimed_address_of_an_account_gets_the_sentence_of_signup(engine: Engine) {
    let stage = Stage::new(engine, false).await;
    let holder = stage.app.sign_up("ada@example.com").await;
    let verified = "UPDATE users SET email_verified_at = created_at";
    stage.app.database().execute(verified).await;
    drop(holder);
    let ada = stage.app.anonymous();
    let reply = stage.log_in(&ada, "ada").await;
    assert!(!is_logged_in(&ada) && stage.identities().await == 0, "{reply}");
    assert!([303, 422].contains(&reply.status), "{reply}");
    // Of a disabled account signup says the same, and so does this.
    stage.app.database().execute("UPDATE users SET disabled_at = created_at").await;
    let page = stage.log_in(&stage.app.anonymous(), "ada").await.expect(422).text();
    assert!(page.contains("already exists") && page.contains("action=\"/auth/signup\""), "{page}");
    // The provider's word for the address is another matter.
    let stage = Stage::new(engine, true).await;
    stage.app.sign_up("ada@example.com").await;
    stage.app.database().execute("UPDATE users SET disabled_at = created_at").await;
    let page = stage.log_in(&stage.app.anonymous(), "ada").await.expect(422).text();
    assert!(page.contains("already exists") && page.contains("action=\"/auth/login\""), "{page}");
}

/// Of each kind of address, what the visitor from a provider gets is what signup says, in status, place and mail.
async fn claimed_and_typed_addresses_tell_no_more_than_signup(engine: Engine) {
    let kinds = ["free", "held", "known", "disabled", "moved"];
    let address = |kind: &str| format!("{kind}@example.com");
    let people: Vec<Value> = kinds.iter().map(|kind| json!({"sub": kind, "email": address(kind)})).collect();
    let people = Value::from([people, vec![json!({"sub": "eve"})]].concat());
    for mode in ["required", "optional"] {
        let builder = engine.prepare().await.set("SVC_EMAIL_VERIFICATION", mode).set("SVC_RATE_LIMIT", "off");
        let stage = Stage::with(builder, people.clone(), ProviderFields::default()).await;
        let app = &stage.app;
        for kind in &kinds[1..] {
            let command = ["user", "create", &address(kind), "--username", kind];
            assert!(run_program(&command, app.variables()).await.status.success());
        }
        let database = app.database();
        database.execute("UPDATE users SET email_verified_at = created_at WHERE username <> 'held'").await;
        database.execute("UPDATE users SET disabled_at = created_at WHERE username = 'disabled'").await;
        give_up(app, &address("moved")).await;
        for kind in kinds {
            let (email, visitor) = (address(kind), app.anonymous());
            let typed = visitor.sign_up(&email).await;
            let claimed = stage.log_in(&app.anonymous(), kind).await;
            let place = |reply: &Reply| (reply.status, reply.header("location").map(str::to_owned));
            // A free address is an account by now.
            if mode == "required" || kind != "free" {
                assert_eq!(place(&claimed), place(&typed), "{mode} {kind} {claimed}");
            }
            let nameless = app.anonymous();
            let asked = stage.log_in(&nameless, "eve").await.expect(200).hidden("state");
            let fields = [("state", asked.as_str()), ("email", &email), ("username", "")];
            let given = nameless.post_form("/auth/login/with/dev/address", &fields).await;
            assert_eq!(place(&given), place(&claimed), "{mode} {kind} {given}");
            if mode == "required" {
                assert_eq!(place(&given), (303, Some("/auth/email/verify".to_owned())), "{kind}");
            }
        }
    }
}

/// Moves the account with this address to another one; until the link to undo that is over, the address is reserved.
async fn give_up(app: &TestApp, email: &str) {
    app.anonymous().post_form("/auth/password/forgot", &[("email", email)]).await.expect(303);
    let link = link_of(&app.mail_to(email, "password").await);
    let client = app.anonymous();
    client.post_form(&link, &[("password", PASSWORD)]).await.expect(303);
    client.post_form("/auth/account/email", &[("email", "elsewhere@example.com")]).await.expect(303);
    let link = link_of(&app.mail_to("elsewhere@example.com", "Verify your new").await);
    client.post_form(&link, &[]).await.expect(303);
}

/// Some providers say "true" and not true, and their operator has to know why each address is to be verified.
async fn verification_that_is_a_text_is_named_in_the_log(engine: Engine) {
    let claims = json!({ "email_verified": "true" });
    let people = json!([{ "sub": "ada", "email": "ada@example.com", "claims": claims }]);
    let stage = Stage::with(engine.prepare().await, people, ProviderFields::default()).await;
    let mut variables = stage.app.variables().clone();
    variables.insert("SVC_LISTEN".to_owned(), format!("127.0.0.1:{}", free_port()));
    let process = Process::start(&variables).await;
    let ada = Client::new(&format!("http://{}", variables["SVC_LISTEN"]), "svc");
    let fields = stage.begin(&ada, "login_hint=ada").await;
    ada.get(&return_path(&fields)).await.expect(303);
    let named = async || process.stderr().contains("email_verified is the text").then_some(());
    eventually("the log names the text", named).await;
}
