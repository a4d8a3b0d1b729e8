//! A login with a provider that waits, for the second factor or for an address, ends with what it relies on: the identity,
//! the account, the provider's record.

use crate::harness::{Authenticator, Client, Engine, TempDir, code_of, run_program};
use crate::provider_logins::{Stage, connect, is_logged_in, people, update};
use doorward::domain::provider::fields::ProviderFields;
use serde_json::Value;

both_engines![
    login_that_waits_for_the_second_factor_ends_with_what_began_it,
    login_that_waits_for_an_address_ends_with_what_began_it,
];

const ADDRESS: &str = "/auth/login/address";

async fn run(stage: &Stage, arguments: &[&str]) -> Value {
    let output = run_program(&[&["--json"], arguments].concat(), stage.app.variables()).await;
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Someone with a second factor and a connected account, and a browser that came back from there and is asked for a code.
async fn between_factors(engine: Engine) -> (Stage, Client, Client, Authenticator) {
    let builder = engine.prepare().await.set("SVC_RATE_LIMIT", "off");
    let stage = Stage::with(builder, people(true), ProviderFields::default()).await;
    let owner = stage.app.sign_up("ada@example.com").await;
    let (phone, _) = owner.turn_on_two_factor(&stage.app).await;
    connect(&stage.provider, &owner, "ada").await.expect(303);
    let thief = stage.app.anonymous();
    assert_eq!(stage.log_in(&thief, "ada").await.expect(303).location(), "/auth/login/second-factor");
    (stage, owner, thief, phone)
}

async fn identity(stage: &Stage) -> String {
    run(stage, &["user", "identities", "list", "ada"]).await["data"][0]["id"].as_str().unwrap().to_owned()
}

/// Another client id, by a file.
async fn apply_another_client(stage: &Stage) {
    let folder = TempDir::new("ends");
    let file = folder.path().join("providers.toml").display().to_string();
    let issuer = &stage.provider.issuer;
    let text = format!(
        "[[provider]]\nname = \"dev\"\nkind = \"oidc\"\nissuer = \"{issuer}\"\nclient_id = \"another\"\n\
         label = \"Dev\"\nclient_secret_file = \"secret\"\n"
    );
    std::fs::write(&file, text).unwrap();
    std::fs::write(folder.path().join("secret"), &stage.provider.client_secret).unwrap();
    run(stage, &["apply", &file, "--yes"]).await;
}

async fn end(stage: &Stage, owner: &Client, ending: &str) {
    match ending {
        "nothing" => {}
        "label" => {
            let other = Some("Other".to_owned());
            update(stage, ProviderFields { label: other, ..ProviderFields::default() }).await;
        }
        "client_id" => {
            let another = Some("another".to_owned());
            update(stage, ProviderFields { client_id: another, ..ProviderFields::default() }).await;
        }
        "file" => apply_another_client(stage).await,
        "mfa" => {
            run(stage, &["provider", "update", "dev", "--mfa", "trust"]).await;
        }
        "password" => {
            run(stage, &["user", "set-password", "ada"]).await;
        }
        "role" => stage.app.database().execute("UPDATE users SET roles = 'admin'").await,
        "owner" => {
            let remove = format!("/auth/account/connections/{}/remove", identity(stage).await);
            owner.post_form(&remove, &[]).await.expect(303);
        }
        "command" => {
            run(stage, &["user", "identities", "remove", "ada", &identity(stage).await, "--yes"]).await;
        }
        _ => {
            run(stage, &["user", "disable", "ada"]).await;
            run(stage, &["user", "enable", "ada"]).await;
        }
    }
}

async fn login_that_waits_for_the_second_factor_ends_with_what_began_it(engine: Engine) {
    for ending in ["nothing", "label", "owner", "command", "client_id", "file", "disabled"] {
        let (stage, owner, thief, phone) = between_factors(engine).await;
        end(&stage, &owner, ending).await;
        thief.send_code(&phone.next_code(&stage.app)).await;
        assert_eq!(is_logged_in(&thief), ["nothing", "label"].contains(&ending), "{ending}");
    }
}

/// A browser that came back to an account without an address, where one is required, and is asked for it.
async fn before_the_address(engine: Engine) -> (Stage, Client) {
    let required = engine.prepare().await.set("SVC_EMAIL_VERIFICATION", "required").set("SVC_RATE_LIMIT", "off");
    let stage = Stage::with(required, people(true), ProviderFields::default()).await;
    stage.log_in(&stage.app.anonymous(), "ada").await.expect(303);
    let none = "'01234567-89ab-4def-8123-456789abcdef@unverified.invalid'";
    let remove = format!("UPDATE users SET email = {none}, email_key = {none}, email_verified_at = NULL");
    stage.app.database().execute(&remove).await;
    let thief = stage.app.anonymous();
    assert_eq!(stage.log_in(&thief, "ada").await.expect(303).location(), ADDRESS);
    (stage, thief)
}

/// Else the thief's mailbox would open the account, whose owner has removed the thief's way in.
async fn login_that_waits_for_an_address_ends_with_what_began_it(engine: Engine) {
    let enter = [("email", "thief@example.com")];
    let given = "SELECT COUNT(*) FROM users WHERE email = 'thief@example.com'";
    for (ending, is_mailed) in [
        ("nothing", false),
        ("nothing", true),
        ("command", false),
        ("command", true),
        ("disabled", false),
        ("disabled", true),
        ("client_id", false),
        ("client_id", true),
        ("file", false),
        ("mfa", true),
        ("password", false),
        ("password", true),
        ("role", false),
        ("role", true),
    ] {
        let (stage, thief) = before_the_address(engine).await;
        if is_mailed {
            thief.post_form(ADDRESS, &enter).await.expect(303);
        }
        end(&stage, &thief, ending).await;
        if !is_mailed {
            thief.post_form(ADDRESS, &enter).await.expect(303);
        }
        if is_mailed || ending == "nothing" {
            let code = code_of(&stage.app.mail_to("thief@example.com", "Verify your").await);
            thief.post_form("/auth/email/verify", &[("code", &code)]).await;
        } else {
            assert!(stage.app.mails_to("thief@example.com").await.is_empty(), "{ending}");
        }
        assert_eq!(stage.app.database().count(given).await, i64::from(ending == "nothing"), "{ending} {is_mailed}");
    }
}
