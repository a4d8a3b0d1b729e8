//! Login with an account at a provider: invitations, second factors, limits, kinds of providers, and people who come
//! back to something else than they left.

use crate::harness::{Client, Engine, PASSWORD, code_of, link_of};
use crate::invitations::invite;
use crate::organizations::create_team;
use crate::provider_logins::{Stage, answer_whose, begin_to_connect, connect, is_logged_in, return_path};
use doorward::domain::provider::fields::ProviderFields;
use serde_json::{Value, json};
use std::time::Duration;

one_engine![
    invitation_admits_its_address_and_tells_others_for_whom_it_is,
    trusted_second_factor_counts_and_untrusted_does_not,
    login_at_the_provider_long_ago_is_no_recent_one,
    twenty_accounts_at_providers_are_enough,
    connection_ends_with_its_session_and_in_another_browser,
    provider_that_was_never_there_harms_no_other_login,
    address_of_microsoft_counts_by_its_own_claim,
    github_names_people_by_number_and_hides_no_address_behind_noreply,
    password_typed_by_a_squatter_is_of_no_use_after_mine,
    unexpired_email_change_is_of_no_use_to_a_squatter,
    account_of_a_provider_that_verifies_nothing_is_of_no_use_after_mine,
];

const VERIFIED: &str = "SELECT COUNT(*) FROM users WHERE email_verified_at IS NOT NULL";

fn person(sub: &str, claims: &Value) -> Value {
    json!([{"sub": sub, "email": "ada@example.com", "email_verified": true, "claims": claims}])
}

async fn invitation_admits_its_address_and_tells_others_for_whom_it_is(engine: Engine) {
    let people = json!([
        {"sub": "bob", "email": "bob@example.com", "email_verified": true},
        {"sub": "eve", "email": "eve@example.com", "email_verified": true},
    ]);
    let stage = Stage::with(engine.prepare().await, people, ProviderFields::default()).await;
    let ada = stage.app.sign_up("ada@example.com").await;
    let team = create_team(&ada, "Crew").await;
    let link = invite(&ada, &team, "bob@example.com", "member").await;
    let token = link.rsplit('/').next().unwrap().to_owned();
    let fields = |hint: &str| format!("login_hint={hint}&invitation={token}");
    let eve = stage.app.anonymous();
    let refused = eve.get(&return_path(&stage.begin(&eve, &fields("eve")).await)).await.expect(403).text();
    assert!(refused.contains("bob@example.com") && !is_logged_in(&eve), "{refused}");
    assert_eq!(stage.identities().await, 0);
    let bob = stage.app.anonymous();
    bob.get(&return_path(&stage.begin(&bob, &fields("bob")).await)).await.expect(303);
    let user = bob.api_user().await.expect(200).json();
    assert_eq!(user["email"], "bob@example.com");
    assert!(bob.get("/auth/organizations").await.expect(200).text().contains("Crew"));
    assert_eq!(stage.app.database().count(VERIFIED).await, 1);
    // It is used up; an account that exists accepts another one on its own page.
    let other = invite(&ada, &create_team(&ada, "Band").await, "bob@example.com", "member").await;
    let token = other.rsplit('/').next().unwrap().to_owned();
    let again = stage.app.anonymous();
    let fields = stage.begin(&again, &format!("login_hint=bob&invitation={token}")).await;
    assert!(again.get(&return_path(&fields)).await.expect(303).location().starts_with(&other));
}

async fn trusted_second_factor_counts_and_untrusted_does_not(engine: Engine) {
    for (mfa, methods) in [("ask", json!(["provider"])), ("trust", json!(["provider", "provider_mfa"]))] {
        let people = person("ada", &json!({"amr": ["pwd", "otp"]}));
        let fields = ProviderFields { mfa: Some(mfa.to_owned()), ..ProviderFields::default() };
        let stage = Stage::with(engine.prepare().await, people, fields).await;
        let ada = stage.app.anonymous();
        stage.log_in(&ada, "ada").await.expect(303);
        let session = ada.get("/auth/api/v2/session").await.expect(200).json();
        assert_eq!(session["session"]["methods"], methods, "{mfa}: {session}");
        stage.app.confirm_by_mail(&ada, "ada@example.com").await;
        ada.turn_on_two_factor(&stage.app).await;
        let again = stage.app.anonymous();
        stage.log_in(&again, "ada").await.expect(303);
        assert_eq!(is_logged_in(&again), mfa == "trust", "{mfa}");
    }
}

async fn login_at_the_provider_long_ago_is_no_recent_one(engine: Engine) {
    for auth_time in [json!(1_000_000_000), json!("yesterday"), json!(9e12)] {
        let people = person("ada", &json!({"auth_time": auth_time}));
        let stage = Stage::with(engine.prepare().await, people, ProviderFields::default()).await;
        let ada = stage.app.anonymous();
        stage.log_in(&ada, "ada").await.expect(303);
        assert!(ada.get("/auth/account/export").await.expect(303).location().contains("/confirm?"), "{auth_time}");
    }
}

async fn twenty_accounts_at_providers_are_enough(engine: Engine) {
    let stage = Stage::with(engine.prepare().await, person("ada", &json!({})), ProviderFields::default()).await;
    let ada = stage.app.sign_up("grace@example.com").await;
    let id = if engine == Engine::Sqlite { "randomblob(16)" } else { "gen_random_uuid()" };
    for number in 0..20 {
        let row = format!(
            "INSERT INTO identities (id, user_id, issuer, subject, provider, created_at) \
             SELECT {id}, id, 'https://other.example', '{number}', 'other', created_at FROM users"
        );
        stage.app.database().execute(&row).await;
    }
    let refused = connect(&stage.provider, &ada, "ada").await.expect(422).text();
    assert!(refused.contains("20"), "{refused}");
    assert_eq!(stage.identities().await, 20);
    // Nor by a removed one, which makes room.
    stage.app.database().execute("DELETE FROM identities WHERE subject = '7'").await;
    connect(&stage.provider, &ada, "ada").await.expect(303);
}

/// Where the form leads that begins to connect ada's account there.
async fn departure(client: &Client) -> String {
    format!("{}&login_hint=ada", begin_to_connect(client, "dev").await)
}

async fn connection_ends_with_its_session_and_in_another_browser(engine: Engine) {
    let stage = Stage::with(engine.prepare().await, person("ada", &json!({})), ProviderFields::default()).await;
    let ada = stage.app.sign_up("grace@example.com").await;
    // Another browser of the same person, which has begun one too.
    let elsewhere = stage.app.anonymous();
    elsewhere.log_in("grace@example.com", PASSWORD).await.expect(303);
    departure(&elsewhere).await;
    let fields = stage.provider.visit(&departure(&ada).await).await;
    elsewhere.get(&return_path(&fields)).await.expect(401);
    // The same browser, with another login of the same account.
    let fields = stage.provider.visit(&departure(&ada).await).await;
    ada.log_out().await;
    ada.log_in("grace@example.com", PASSWORD).await.expect(303);
    ada.get(&return_path(&fields)).await.expect(401);
    assert_eq!(stage.identities().await, 0);
    // And with another account's.
    let fields = stage.provider.visit(&departure(&ada).await).await;
    ada.log_out().await;
    ada.sign_up("mallory@example.com").await.expect(303);
    ada.get(&return_path(&fields)).await.expect(401);
    assert_eq!(stage.identities().await, 0);
}

async fn provider_that_was_never_there_harms_no_other_login(engine: Engine) {
    let stage = Stage::with(engine.prepare().await, person("ada", &json!({})), ProviderFields::default()).await;
    let Stage { app, provider } = stage;
    drop(provider);
    app.sign_up("ada@example.com").await;
    let ada = app.anonymous();
    let page = ada.get("/auth/login/with/dev").await.expect(503).text();
    assert!(page.contains("Reference: ") && page.contains("action=\"/auth/login\""), "{page}");
    ada.log_in("ada@example.com", PASSWORD).await.expect(303);
    // To connect it is refused the same way.
    ada.post_form("/auth/account/connections/dev", &[]).await.expect(503);
}

async fn address_of_microsoft_counts_by_its_own_claim(engine: Engine) {
    const TENANT: &str = "72f988bf-86f1-41af-91ab-2d7cd011db47";
    let people = json!([
        {"sub": "edov", "email": "ada@corp.example", "claims": {"tid": TENANT, "oid": "o-1", "xms_edov": "1"}},
        {"sub": "plain", "email": "eve@corp.example", "email_verified": true, "claims": {"tid": TENANT, "oid": "o-2"}},
    ]);
    let fields = ProviderFields {
        kind: Some("microsoft".to_owned()),
        tenant: Some("common".to_owned()),
        ..ProviderFields::default()
    };
    let stage = Stage::with(engine.prepare().await.with_email_verification(), people, fields).await;
    let ada = stage.app.anonymous();
    stage.log_in(&ada, "edov").await.expect(303);
    assert_eq!(stage.app.database().count(VERIFIED).await, 1);
    // Whatever `email_verified` says, which is the tenant's word: as if it were typed at signup.
    let eve = stage.app.anonymous();
    stage.log_in(&eve, "plain").await.expect(303);
    assert!(is_logged_in(&eve));
    assert_eq!(stage.app.database().count(VERIFIED).await, 1);
    stage.app.mail_to("eve@corp.example", "Verify").await;
    let subjects = stage.app.database().texts("SELECT subject FROM identities ORDER BY subject").await;
    assert_eq!(subjects, ["o-1", "o-2"]);
    let issuers = stage.app.database().texts("SELECT DISTINCT issuer FROM identities").await;
    assert_eq!(issuers, [format!("{}/{TENANT}/v2.0", stage.provider.issuer)]);
}

async fn github_names_people_by_number_and_hides_no_address_behind_noreply(engine: Engine) {
    let emails = |address: &str| json!([{"email": address, "primary": true, "verified": true}]);
    let people = json!([
        {"sub": "hub", "name": "Ada", "claims": {"id": 583_231, "emails": emails("ada@example.com")}},
        {"sub": "shy", "name": "Eve", "claims": {"id": 7, "emails": emails("7+eve@users.noreply.github.com")}},
    ]);
    let fields = ProviderFields { kind: Some("github".to_owned()), ..ProviderFields::default() };
    let stage = Stage::with(engine.prepare().await, people, fields).await;
    stage.log_in(&stage.app.anonymous(), "hub").await.expect(303);
    assert_eq!(stage.app.database().texts("SELECT subject FROM identities").await, ["583231"]);
    assert_eq!(stage.app.database().count(VERIFIED).await, 1);
    let eve = stage.app.anonymous();
    stage.log_in(&eve, "shy").await;
    assert_eq!(stage.app.database().count(VERIFIED).await, 1, "a placeholder of GitHub verifies nothing");
}

/// The classes of Sudhodanan and Paverd (2022): an account that a stranger prepares is of no use once its owner comes.
async fn password_typed_by_a_squatter_is_of_no_use_after_mine(engine: Engine) {
    // The squatter's own account at the provider is connected with the address of the victim (trojan identifier).
    let stage = Stage::new(engine, true).await;
    let squatter = stage.app.sign_up("ada@example.com").await;
    connect(&stage.provider, &squatter, "bob").await.expect(303);
    assert_eq!(stage.identities().await, 1);
    // Classic merge: the victim's login at the provider connects nothing by itself.
    let ada = stage.app.anonymous();
    let question = stage.log_in(&ada, "ada").await.expect(200);
    answer_whose(&ada, &question, "keep").await.expect(303);
    // Unexpired session, trojan identifier, password: all are gone.
    squatter.get("/auth/account").await.expect(303);
    stage.app.anonymous().log_in("ada@example.com", PASSWORD).await.expect(401);
    assert_eq!(stage.app.database().texts("SELECT subject FROM identities").await, ["ada"]);
    let bob = stage.app.anonymous();
    stage.log_in(&bob, "bob").await.expect(303);
    assert!(!bob.get("/auth/account").await.expect(200).text().contains("ada@example.com"));
}

/// The fourth class.
async fn unexpired_email_change_is_of_no_use_to_a_squatter(engine: Engine) {
    let stage = Stage::with(
        engine.prepare().await.with_email_verification(),
        person("ada", &json!({})),
        ProviderFields::default(),
    )
    .await;
    let squatter = stage.app.sign_up("squatter@example.com").await;
    squatter.post_form("/auth/account/email", &[("email", "ada@example.com")]).await.expect(303);
    let change = stage.app.mail_to("ada@example.com", "").await;
    let ada = stage.app.anonymous();
    stage.log_in(&ada, "ada").await.expect(303);
    assert!(is_logged_in(&ada));
    // The link is followed now, with all that the squatter knows.
    squatter.post_form(&link_of(&change), &[("password", PASSWORD)]).await;
    squatter.post_form("/auth/account/email/confirm", &[("code", &code_of(&change))]).await;
    assert_eq!(squatter.api_user().await.expect(200).json()["email"], "squatter@example.com");
    assert_eq!(ada.api_user().await.expect(200).json()["email"], "ada@example.com");
    assert_eq!(stage.identities().await, 1);
}

/// The fifth class: a provider lets the squatter state the address of someone else.
async fn account_of_a_provider_that_verifies_nothing_is_of_no_use_after_mine(engine: Engine) {
    let people = json!([
        {"sub": "squatter", "email": "ada@example.com", "email_verified": false},
        {"sub": "ada", "email": "ada@example.com", "email_verified": true},
    ]);
    let app = engine.prepare().await.with_email_verification();
    let stage = Stage::with(app, people, ProviderFields::default()).await;
    let squatter = stage.app.anonymous();
    stage.log_in(&squatter, "squatter").await.expect(303);
    assert!(is_logged_in(&squatter), "as a signup with that address typed");
    assert_eq!(stage.app.database().count(VERIFIED).await, 0);
    stage.app.clock().advance(Duration::from_mins(1));
    let ada = stage.app.anonymous();
    let question = stage.log_in(&ada, "ada").await.expect(200);
    answer_whose(&ada, &question, "keep").await.expect(303);
    squatter.get("/auth/account").await.expect(303);
    assert_eq!(stage.app.database().texts("SELECT subject FROM identities").await, ["ada"]);
    let back = stage.app.anonymous();
    let refused = stage.log_in(&back, "squatter").await;
    assert!(!is_logged_in(&back), "{refused}");
}
