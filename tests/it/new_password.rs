//! A new password leaves the other ways to log in: so they are named where it is set, by mail, and to operators.

use crate::harness::{Engine, PASSWORD, link_of, run_program};
use crate::provider_logins::{Stage, connect, people};
use doorward::domain::provider::fields::ProviderFields;

one_engine![account_that_a_thief_connected_is_named_with_a_new_password];

const NEW: &str = "a second lighthouse in the fog";
const FORM: &str = "/auth/account/password";
const CONNECTIONS: &str = "/auth/account/connections";

async fn account_that_a_thief_connected_is_named_with_a_new_password(engine: Engine) {
    let builder = engine.prepare().await.with_email_verification();
    let stage = Stage::with(builder, people(false), ProviderFields::default()).await;
    let grace = stage.app.sign_up_verified("grace@example.com").await;
    assert!(!grace.get(FORM).await.expect(200).text().contains(CONNECTIONS));
    connect(&stage.provider, &grace, "ada").await.expect(303);
    let form = grace.get(FORM).await.expect(200).text();
    assert!(form.contains("end other ways to log in") && form.contains(CONNECTIONS), "{form}");
    let changed = grace.post_form(FORM, &[("current", PASSWORD), ("password", NEW)]).await.expect(303);
    let names_it = |page: &str| page.contains("remove those that aren’t yours") && page.contains(CONNECTIONS);
    let page = grace.get(changed.location()).await.expect(200).text();
    assert!(names_it(&page), "{page}");
    let mail = stage.app.mail_to("grace@example.com", "password was changed").await;
    assert!(mail.text.contains("they log in without the password"), "{}", mail.text);
    // After a reset.
    let reset = stage.app.anonymous();
    reset.post_form("/auth/password/forgot", &[("email", "grace@example.com")]).await.expect(303);
    let link = link_of(&stage.app.mail_to("grace@example.com", "Reset your password").await);
    let done = reset.post_form(&link, &[("password", PASSWORD)]).await.expect(303);
    let page = reset.get(done.location()).await.expect(200).text();
    assert!(names_it(&page), "{page}");
    // And where an operator helps.
    let command = ["user", "two-factor", "reset", "grace", "--yes"];
    let output = run_program(&command, stage.app.variables()).await;
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("ada of ") && text.contains("doorward user identities remove grace "), "{text}");
}
