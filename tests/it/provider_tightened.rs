//! What waits with a provider ends when its word counts for less: it was believed under the rules of before.

use crate::harness::{Client, Engine, PASSWORD, Reply, code_of};
use crate::provider_logins::{Stage, answer_whose, is_logged_in, people, update};
use doorward::domain::provider::fields::ProviderFields;

one_engine![question_ends_when_the_provider_counts_for_less, signup_that_waits_ends_when_the_provider_counts_for_less,];

fn field(name: &str, value: &str) -> ProviderFields {
    let value = Some(value.to_owned());
    match name {
        "label" => ProviderFields { label: value, ..ProviderFields::default() },
        "email" => ProviderFields { email: value, ..ProviderFields::default() },
        "mfa" => ProviderFields { mfa: value, ..ProviderFields::default() },
        _ => ProviderFields { signup: value, ..ProviderFields::default() },
    }
}

/// An account holds the address without having verified it, and the provider's word for it is believed.
async fn asked_whose(engine: Engine) -> (Stage, Client, Reply) {
    let [email, mfa] = ["trusted", "trust"].map(|word| Some(word.to_owned()));
    let fields = ProviderFields { email, mfa, ..ProviderFields::default() };
    let builder = engine.prepare().await.set("SVC_RATE_LIMIT", "off");
    let stage = Stage::with(builder, people(false), fields).await;
    stage.app.sign_up("ada@example.com").await;
    let stranger = stage.app.anonymous();
    let question = stage.log_in(&stranger, "ada").await.expect(200);
    (stage, stranger, question)
}

async fn question_ends_when_the_provider_counts_for_less(engine: Engine) {
    for (name, value) in [("email", "never"), ("mfa", "ask"), ("signup", "off")] {
        let (stage, stranger, question) = asked_whose(engine).await;
        update(&stage, field(name, value)).await;
        answer_whose(&stranger, &question, "keep").await.expect(401);
        assert!(!is_logged_in(&stranger) && stage.identities().await == 0, "{name}");
        stage.app.anonymous().log_in("ada@example.com", PASSWORD).await.expect(303);
    }
    // A new label is no other rule.
    let (stage, stranger, question) = asked_whose(engine).await;
    update(&stage, field("label", "Other")).await;
    answer_whose(&stranger, &question, "keep").await.expect(303);
    assert!(is_logged_in(&stranger));
}

async fn signup_that_waits_ends_when_the_provider_counts_for_less(engine: Engine) {
    for (name, value, stays) in [("label", "Other", true), ("signup", "off", false)] {
        let builder = engine.prepare().await.set("SVC_EMAIL_VERIFICATION", "required");
        let stage = Stage::with(builder, people(false), ProviderFields::default()).await;
        let ada = stage.app.anonymous();
        assert_eq!(stage.log_in(&ada, "ada").await.expect(303).location(), "/auth/email/verify");
        let code = code_of(&stage.app.mail_to("ada@example.com", "Finish").await);
        update(&stage, field(name, value)).await;
        ada.post_form("/auth/email/verify", &[("code", &code)]).await;
        assert_eq!((is_logged_in(&ada), stage.identities().await == 1), (stays, stays), "{name}");
    }
}
