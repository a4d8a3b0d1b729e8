//! Routes that browsers and operators ask without a page: assets, probes; and methods and hosts that are none.

use crate::harness::{Client, Engine};
use doorward::domain::doctor_nonce;
use doorward::model::principal::Principal;
use reqwest::Method;

single_run![assets_are_found_by_the_names_in_pages, renewal_needs_a_session, wrong_methods_and_hosts_are_refused];
one_engine![doctor_is_answered_by_a_nonce,];

async fn assets_are_found_by_the_names_in_pages() {
    let app = Engine::Sqlite.app().await;
    let client = app.anonymous();
    let page = client.get("/auth/login").await.expect(200).text();
    for kind in ["css", "js", "svg"] {
        let mut texts = page.split('"');
        let path = texts.find(|text| text.starts_with("/auth/assets/") && text.ends_with(kind)).unwrap();
        client.call(Method::HEAD, path).await.snapshot(&format!("assets/head_of_{kind}"));
    }
    client.get("/auth/assets/app.css").await.snapshot("assets/unknown");
}

async fn renewal_needs_a_session() {
    let app = Engine::Sqlite.app().await;
    let renew = async |client: Client| client.get("/auth/sessions/renew?return_to=%2Fbooks").await;
    renew(app.sign_up("ada@example.com").await).await.snapshot("sessions/renewed");
    renew(app.anonymous()).await.snapshot("sessions/renew_logged_out");
}

async fn wrong_methods_and_hosts_are_refused() {
    let app = Engine::Sqlite.app().await;
    let client = app.anonymous();
    client.call(Method::HEAD, "/auth/login").await.snapshot("login/head");
    client.call(Method::DELETE, "/auth/login").await.snapshot("errors/method_not_allowed");
    client.get("/elsewhere").await.snapshot("errors/not_found_elsewhere");
    client.get("/auth/login").header("host", "a.example, b.example").await.snapshot("errors/two_hosts");
}

async fn doctor_is_answered_by_a_nonce(engine: Engine) {
    let app = engine.app().await;
    let nonce = doctor_nonce::create(&app.app.store, &Principal::operator()).await.unwrap();
    app.anonymous().get(&format!("/auth/doctor/{}", nonce.text())).await.snapshot("probes/doctor");
    app.anonymous().get("/auth/doctor/nothing").await.snapshot("probes/doctor_unknown_nonce");
    // A form whose answer is as large as a login's.
    let posted = app.anonymous().call(Method::POST, &format!("/auth/doctor/{}", nonce.text())).await.expect(200);
    posted.snapshot("probes/doctor_post");
    app.anonymous().call(Method::POST, "/auth/doctor/nothing").await.snapshot("probes/doctor_post_unknown_nonce");
}
