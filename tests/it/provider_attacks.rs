//! What attackers tried on logins with providers: a provider that steals codes, invitations of others, records that were
//! removed, limits that were gone round.

use crate::harness::{Client, Engine, PASSWORD, ScriptedProvider, code_of};
use crate::invitations::invite;
use crate::organizations::create_team;
use crate::provider_logins::{Stage, add_as, answer_whose, connect, is_logged_in, people, return_path, return_path_of};
use doorward::domain::change;
use doorward::domain::provider::fields::ProviderFields;
use doorward::domain::provider::manage;
use doorward::metrics::SignupResult;
use doorward::model::principal::Principal;
use doorward::model::provider::ProviderName;
use reqwest::Method;
use serde_json::{Value, json};

both_engines![invitation_survives_what_is_asked,];
one_engine![
    answer_by_a_form_goes_to_no_other_provider,
    invitation_is_for_its_address_whatever_is_answered,
    removed_provider_ends_what_waits_for_it,
    signups_with_providers_count_as_signups,
    returns_of_strangers_are_limited,
    way_in_works_by_its_issuer_and_not_by_a_name,
    name_with_control_characters_is_none,
];

async fn remove(stage: &Stage, name: &str) {
    let name = ProviderName::parse(name).unwrap();
    change::run(&stage.app.app, &Principal::operator(), manage::Remove { name: &name }).await.unwrap();
}

/// Mix-up (RFC 9700, 4.4): a provider sends its victim to an honest one, with its own state, for an answer by a form.
async fn answer_by_a_form_goes_to_no_other_provider(engine: Engine) {
    let stage = Stage::new(engine, true).await;
    let evil = ScriptedProvider::with_people(&people(true)).await;
    add_as(&stage.app, &evil, "evil", ProviderFields::default()).await;
    let ada = stage.app.anonymous();
    let begun = ada.get("/auth/login/with/evil?login_hint=ada").await.expect(303);
    let fields = evil.visit(begun.location()).await;
    let body = form_urlencoded::Serializer::new(String::new())
        .extend_pairs([("state", fields["state"].as_str()), ("code", "of the honest provider")])
        .finish();
    let post = stage.app.anonymous().call(Method::POST, "/auth/login/with/dev/return");
    post.header("sec-fetch-site", "cross-site").form_body(body).await.expect(303);
    let kept = "SELECT COUNT(*) FROM foreign_logins WHERE answer IS NOT NULL";
    assert_eq!(stage.app.database().count(kept).await, 0, "the other provider would get the code");
    ada.get(&format!("/auth/login/with/evil/return?state={}", fields["state"])).await.expect(401);
    // One that asks ahead of a click keeps nothing either.
    let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(&fields).finish();
    let ahead = stage.app.anonymous().call(Method::POST, "/auth/login/with/evil/return");
    ahead.header("sec-purpose", "prefetch").form_body(body).await.expect(403);
}

/// An invitation of a team for an address; its token.
async fn invitation(owner: &Client, team: &str, email: &str) -> String {
    let link = invite(owner, &create_team(owner, team).await, email, "admin").await;
    link.rsplit('/').next().unwrap().to_owned()
}

async fn invitation_is_for_its_address_whatever_is_answered(engine: Engine) {
    for answer in ["keep", "anew"] {
        let stage = Stage::new(engine, true).await;
        let owner = stage.app.sign_up("owner@example.com").await;
        let token = invitation(&owner, "Crew", "boss@example.com").await;
        stage.app.sign_up("ada@example.com").await;
        let members = "SELECT COUNT(*) FROM memberships";
        let before = stage.app.database().count(members).await;
        let ada = stage.app.anonymous();
        let fields = stage.begin(&ada, &format!("login_hint=ada&invitation={token}")).await;
        let question = ada.get(&return_path(&fields)).await.expect(200);
        let told = answer_whose(&ada, &question, answer).await.expect(403).text();
        assert!(told.contains("boss@example.com") && !is_logged_in(&ada), "{answer}: {told}");
        assert_eq!(stage.app.database().count(members).await, before, "{answer}");
        let pending = "SELECT COUNT(*) FROM invitations WHERE state = 'pending'";
        assert_eq!(stage.app.database().count(pending).await, 1, "{answer}");
    }
}

async fn invitation_survives_what_is_asked(engine: Engine) {
    let stage = Stage::new(engine, true).await;
    let owner = stage.app.sign_up("owner@example.com").await;
    let token = invitation(&owner, "Crew", "ada@example.com").await;
    // An account that nobody ever had a way into: its person joins at once.
    stage.app.sign_up("ada@example.com").await;
    let unused = "UPDATE users SET password_hash = NULL WHERE email = 'ada@example.com'";
    stage.app.database().execute("DELETE FROM sessions").await;
    stage.app.database().execute(unused).await;
    let signups = || stage.app.app.metrics.auth.signups.of(SignupResult::Created);
    let before = signups();
    let ada = stage.app.anonymous();
    let fields = stage.begin(&ada, &format!("login_hint=ada&invitation={token}")).await;
    ada.get(&return_path(&fields)).await.expect(303);
    assert!(ada.get("/auth/organizations").await.expect(200).text().contains("Crew"));
    assert_eq!(signups(), before + 1);
    // A verified account is led to the invitation after the button.
    let bob = stage.app.sign_up("bob@example.com").await;
    stage.app.database().execute("UPDATE users SET email_verified_at = created_at").await;
    let owner = stage.app.anonymous();
    owner.log_in("owner@example.com", PASSWORD).await.expect(303);
    let token = invitation(&owner, "Band", "bob@example.com").await;
    drop(bob);
    let bob = stage.app.anonymous();
    let fields = stage.begin(&bob, &format!("login_hint=bob&invitation={token}")).await;
    bob.get(&return_path(&fields)).await.expect(200);
    bob.log_in("bob@example.com", PASSWORD).await.expect(303);
    let connected = bob.post_form("/auth/login/with/dev/connect", &[("state", &fields["state"])]).await.expect(303);
    assert_eq!(connected.location(), format!("/auth/invitations/{token}"));
}

async fn removed_provider_ends_what_waits_for_it(engine: Engine) {
    // A second factor.
    let stage = Stage::new(engine, true).await;
    let ada = stage.app.anonymous();
    stage.log_in(&ada, "ada").await.expect(303);
    stage.app.confirm_by_mail(&ada, "ada@example.com").await;
    let (authenticator, _) = ada.turn_on_two_factor(&stage.app).await;
    let again = stage.app.anonymous();
    stage.log_in(&again, "ada").await.expect(303);
    remove(&stage, "dev").await;
    ada.get("/auth/account").await.expect(303);
    again.send_code(&authenticator.next_code(&stage.app)).await;
    assert!(!is_logged_in(&again));
    // A signup.
    let required = engine.prepare().await.set("SVC_EMAIL_VERIFICATION", "required");
    let stage = Stage::with(required, people(false), ProviderFields::default()).await;
    let ada = stage.app.anonymous();
    stage.log_in(&ada, "ada").await.expect(303);
    let code = code_of(&stage.app.mail_to("ada@example.com", "Finish").await);
    remove(&stage, "dev").await;
    ada.post_form("/auth/email/verify", &[("code", &code)]).await;
    assert!(!is_logged_in(&ada));
    assert_eq!(stage.app.database().count("SELECT COUNT(*) FROM users").await, 0);
    // A login at the provider, and one that is asked something.
    let stage = Stage::new(engine, true).await;
    let ada = stage.app.anonymous();
    let fields = stage.begin(&ada, "login_hint=ada").await;
    remove(&stage, "dev").await;
    ada.get(&return_path(&fields)).await.expect(404);
    add_as(&stage.app, &stage.provider, "dev", ProviderFields::default()).await;
    ada.get(&return_path(&fields)).await.expect(401);
    assert_eq!(stage.identities().await, 0);
}

async fn signups_with_providers_count_as_signups(engine: Engine) {
    let person = |number: i32| json!({"sub": format!("p{number}"), "email": format!("p{number}@example.com")});
    let all: Vec<Value> = (0..60).map(person).collect();
    let app = engine.prepare().await.with_email_verification();
    let stage = Stage::with(app, Value::from(all), ProviderFields::default()).await;
    let mut made = 0;
    for number in 0..60 {
        let browser = stage.app.anonymous();
        let reply = stage.log_in(&browser, &format!("p{number}")).await;
        made += i64::from(reply.status == 303);
        assert!([303, 429].contains(&reply.status), "{reply}");
    }
    assert!((30..50).contains(&made), "{made} signups of one network");
    assert_eq!(stage.app.database().count("SELECT COUNT(*) FROM users").await, made);
}

async fn returns_of_strangers_are_limited(engine: Engine) {
    let stage = Stage::new(engine, true).await;
    let ada = stage.app.anonymous();
    let fields = stage.begin(&ada, "login_hint=ada").await;
    let path = return_path(&fields);
    let stranger = stage.app.anonymous();
    let mut refused = 0;
    while stranger.get(&path).await.status == 401 {
        refused += 1;
        assert!(refused < 200, "a state that leaked is refused without end");
    }
    let unknown = format!("/auth/login/with/dev/return?state={}", "A".repeat(43));
    stranger.get(&unknown).await.expect(429);
    let body = format!("state={}&code=x", "A".repeat(43));
    stranger.call(Method::POST, "/auth/login/with/dev/return").form_body(body).await.expect(429);
    // What waits in its own browser is not hindered.
    ada.get(&path).await.expect(303);
    assert!(is_logged_in(&ada));
    // Used up, it is limited as those of strangers.
    ada.jar().remove("svc_access");
    ada.jar().remove("svc_refresh");
    ada.get(&path).await.expect(429);
}

async fn way_in_works_by_its_issuer_and_not_by_a_name(engine: Engine) {
    let stage = Stage::new(engine, true).await;
    let ada = stage.app.anonymous();
    stage.log_in(&ada, "ada").await.expect(303);
    let other = ScriptedProvider::with_people(&people(true)).await;
    add_as(&stage.app, &other, "other", ProviderFields::default()).await;
    // Its issuer goes, and its name comes to another one: the account at it logs in nowhere.
    remove(&stage, "dev").await;
    let third = ScriptedProvider::with_people(&people(true)).await;
    add_as(&stage.app, &third, "dev", ProviderFields::default()).await;
    let ada = stage.app.sign_up("grace@example.com").await;
    connect(&third, &ada, "bob").await.expect(303);
    let mine = "UPDATE identities SET user_id = (SELECT id FROM users WHERE email = 'grace@example.com')";
    stage.app.database().execute(mine).await;
    stage.app.database().execute("UPDATE users SET password_hash = NULL").await;
    let page = ada.get("/auth/account/connections").await.expect(200).text();
    let paths: Vec<&str> = page.split("action=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    let removals: Vec<&str> = paths.into_iter().filter(|path| path.ends_with("/remove")).collect();
    assert_eq!(removals.len(), 2, "{page}");
    let mut outcomes = Vec::new();
    for path in &removals {
        outcomes.push(ada.post_form(path, &[]).await.status);
    }
    outcomes.sort_unstable();
    assert_eq!(outcomes, [303, 422], "the one that logs in stays");
    let left = stage.app.database().texts("SELECT subject FROM identities").await;
    assert_eq!(left, ["bob"]);
    // Under another name it still is a way in.
    remove(&stage, "dev").await;
    add_as(&stage.app, &third, "renamed", ProviderFields::default()).await;
    let grace = stage.app.anonymous();
    let begun = grace.get("/auth/login/with/renamed?login_hint=bob").await.expect(303);
    let fields = third.visit(begun.location()).await;
    grace.get(&return_path_of("renamed", &fields)).await.expect(303);
    assert_eq!(grace.api_user().await.expect(200).json()["email"], "grace@example.com");
    grace.post_form(removals[0], &[]).await;
    grace.post_form(removals[1], &[]).await;
    assert_eq!(stage.identities().await, 1);
}

async fn name_with_control_characters_is_none(engine: Engine) {
    let named = json!([{"sub": "nul", "email": "nul@example.com", "name": "A\u{0}B"}]);
    let required = engine.prepare().await.set("SVC_EMAIL_VERIFICATION", "required");
    let stage = Stage::with(required, named, ProviderFields::default()).await;
    let reply = stage.log_in(&stage.app.anonymous(), "nul").await.expect(303);
    assert_eq!(reply.location(), "/auth/email/verify");
}
