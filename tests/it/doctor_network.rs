//! What `doorward doctor` finds between the browser and the service, at the mail server, and at the receiver of webhooks.

mod front;

use crate::doctor::{Variables, doctor, doctor_that_sends, with};
use crate::harness::{Answer, Engine, MailServer, Receiver, WEBHOOK_SECRET, free_port};
use axum::http::Method;
use doorward::domain::doctor_nonce;
use doorward::model::finding::FindingCode;
use doorward::model::principal::Principal;
use front::{CLIENT, Front, Mistakes, TlsFront};
use serde_json::json;
use std::time::Duration;

one_engine![
    mistakes_of_a_proxy_are_found,
    service_that_does_not_run_is_found,
    names_without_address_are_found,
    names_under_localhost_are_this_machine,
    answer_needs_a_fresh_nonce,
    faults_of_mail_server_are_found,
    faults_of_receiver_are_found,
    certificate_that_ends_soon_is_found,
];

const PATH: (&str, &str) = ("Path=/auth/login;", "Path=/app/auth/login;");
const DOMAIN: (&str, &str) = ("Path=/;", "Path=/; Domain=internal.example;");

async fn mistakes_of_a_proxy_are_found(engine: Engine) {
    let front = Front::start().await;
    let builder = engine.prepare().await.set("SVC_BASE_URL", front.url()).set("SVC_TRUSTED_PROXIES", "127.0.0.1");
    front.lead_to(&builder.variables()["SVC_LISTEN"]);
    let app = builder.start().await;
    let healthy = doctor(app.variables()).await;
    healthy.expect_nothing();
    let names_client = |check: &serde_json::Value| check["message"].as_str().unwrap().contains(CLIENT);
    assert!(healthy.checks.iter().any(names_client), "{:#?}", healthy.checks);
    for (mistakes, code, name) in [
        (Mistakes { scheme: "https", ..Mistakes::NONE }, FindingCode::WrongScheme, "wrong_scheme"),
        (Mistakes { strips_cookies: true, ..Mistakes::NONE }, FindingCode::CookiesLost, "cookies_lost"),
        (Mistakes { address: "127.0.0.2", ..Mistakes::NONE }, FindingCode::UntrustedProxy, "untrusted_proxy"),
        (Mistakes { opens_gate: true, ..Mistakes::NONE }, FindingCode::GateOpen, "gate_open"),
        (Mistakes { rewrites: PATH, ..Mistakes::NONE }, FindingCode::CookiesLost, "cookie_path_rewritten"),
        (Mistakes { rewrites: DOMAIN, ..Mistakes::NONE }, FindingCode::CookiesLost, "cookie_domain_rewritten"),
        (Mistakes { caches: Some(Method::GET), ..Mistakes::NONE }, FindingCode::AnswersCached, "answers_cached"),
        (Mistakes { refuses: Some(Method::POST), ..Mistakes::NONE }, FindingCode::LoginsRefused, "post_refused"),
        (Mistakes { max_request: 1024, ..Mistakes::NONE }, FindingCode::LoginsRefused, "small_buffer_of_requests"),
        (Mistakes { max_answer: 1024, ..Mistakes::NONE }, FindingCode::LoginsRefused, "small_buffer_of_answers"),
    ] {
        front.make(mistakes);
        doctor(app.variables()).await.expect(code, name);
    }
    front.make(Mistakes { changes_host: true, ..Mistakes::NONE });
    doctor(app.variables()).await.expect_warning(FindingCode::HostChanged, "host_changed");
    for (client, address, name) in
        [(None, "127.0.0.2", "client_not_named"), (Some("nobody"), "127.0.0.1", "client_unreadable")]
    {
        front.make(Mistakes { client, address, ..Mistakes::NONE });
        doctor(app.variables()).await.expect_warning(FindingCode::ClientNotNamed, name);
    }
}

async fn service_that_does_not_run_is_found(engine: Engine) {
    let builder = engine.prepare().await;
    doctor(builder.variables()).await.expect(FindingCode::AddressUnreachable, "address_unreachable");
    let app = builder.start().await;
    let other = engine.app().await;
    let elsewhere = with(app.variables(), &[("SVC_BASE_URL", &other.url())]);
    doctor(&elsewhere).await.expect(FindingCode::AnsweredElsewhere, "answered_elsewhere");
}

async fn answer_needs_a_fresh_nonce(engine: Engine) {
    let app = engine.app().await;
    let nonce = doctor_nonce::create(&app.app.store, &Principal::operator()).await.unwrap();
    let path = format!("/auth/doctor/{}", nonce.text());
    let answer = app.anonymous().get(&path).await.expect(200);
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    let seen = answer.json();
    assert_eq!((&seen["client"], &seen["cookies"]), (&json!("127.0.0.1"), &json!([])));
    assert_eq!(seen["host"], app.address().to_string());
    let stored = app.database().count("SELECT count(*) FROM doctor_nonces").await;
    for other in ["x".to_owned(), "A".repeat(43), "A".repeat(500), nonce.text().to_uppercase()] {
        app.anonymous().get(&format!("/auth/doctor/{other}")).await.expect(404);
    }
    app.clock().advance(Duration::from_secs(61));
    app.anonymous().get(&path).await.expect(404);
    doctor_nonce::remove(&app.app.store, &Principal::operator(), &nonce).await.unwrap();
    assert_eq!((stored, app.database().count("SELECT count(*) FROM doctor_nonces").await), (1, 0));
}

/// RFC 6761: no name under `invalid` has an address.
async fn names_without_address_are_found(engine: Engine) {
    let builder = engine.prepare().await;
    let variables = with(
        builder.variables(),
        &[
            ("SVC_BASE_URL", "https://doorward.invalid"),
            ("SVC_SMTP_URL", "smtps://mail.invalid"),
            ("SVC_MAIL_FROM", "accounts@mail.example"),
            ("SVC_WEBHOOK_URL", "https://hooks.invalid/"),
            ("SVC_WEBHOOK_SECRET", WEBHOOK_SECRET),
        ],
    );
    let examined = doctor(&variables).await;
    examined.expect(FindingCode::NameNotResolved, "name_not_resolved");
}

/// RFC 6761: no DNS server is asked for them.
async fn names_under_localhost_are_this_machine(engine: Engine) {
    let (receiver, mail_server) = (Receiver::start().await, MailServer::start().await.without_starttls());
    let at = |url: &str, name: &str| url.replace("127.0.0.1", name).replace("//localhost", &format!("//{name}"));
    let builder = engine.prepare().await.with_email_verification().webhooks(&receiver);
    let base_url = at(&builder.variables()["SVC_BASE_URL"], "app.localhost");
    let builder = builder.set("SVC_BASE_URL", base_url).set("SVC_WEBHOOK_URL", at(&receiver.url(), "hooks.localhost"));
    let builder = builder.set("SVC_SMTP_URL", at(&mail_server.url(), "mail.localhost"));
    let app = builder.set("SVC_MAIL_FROM", "accounts@mail.example").start().await;
    let examined = doctor_that_sends(app.variables()).await;
    assert_eq!(examined.code, Some(0), "{:#?}", examined.checks);
    app.sign_up("ada@example.com").await;
    receiver.wait_for(4).await;
    mail_server.wait_for(1).await;
}

fn mailing(variables: &Variables, url: &str, server: &MailServer) -> Variables {
    let certificate = server.certificate().display().to_string();
    let from = ("SVC_MAIL_FROM", "accounts@mail.example");
    with(variables, &[("SVC_SMTP_URL", url), from, ("SVC_SMTP_CA_FILE", &certificate)])
}

async fn faults_of_mail_server_are_found(engine: Engine) {
    let server = MailServer::start().await.with_credentials("ada", "s3cret");
    let app = engine.prepare().await.mails(&server).start().await;
    let healthy = doctor(app.variables()).await;
    assert!(healthy.code == Some(0) && server.received().is_empty(), "{:#?}", healthy.checks);
    // Its STARTTLS was used.
    assert!(!format!("{:?}", healthy.checks).contains("DW-004"), "{:#?}", healthy.checks);
    let dead = format!("smtp://localhost:{}", free_port());
    doctor(&mailing(app.variables(), &dead, &server)).await.expect(FindingCode::MailUnreachable, "mail_unreachable");
    server.change_password("another");
    let examined = doctor(&mailing(app.variables(), &server.url(), &server)).await;
    examined.expect(FindingCode::MailLogin, "mail_login");
    assert!(!format!("{:?}", examined.checks).contains("s3cret"), "{:#?}", examined.checks);
    let stranger = MailServer::start().await.with_other_host_name();
    doctor(&mailing(app.variables(), &stranger.url(), &stranger)).await.expect(FindingCode::MailTls, "mail_tls");
}

async fn faults_of_receiver_are_found(engine: Engine) {
    let receiver = Receiver::start().await;
    let app = engine.prepare().await.webhooks(&receiver).start().await;
    let healthy = doctor(app.variables()).await;
    assert!(healthy.code == Some(0) && receiver.received().is_empty(), "{:#?}", healthy.checks);
    healthy.expect_warning(FindingCode::OutageLosesEvents, "outage_loses_events");
    let healthy = doctor_that_sends(app.variables()).await;
    assert!(healthy.code == Some(0) && receiver.received()[0].kind() == "ping", "{:#?}", healthy.checks);
    receiver.answer_next([Answer::Status(500)]);
    doctor_that_sends(app.variables()).await.expect(FindingCode::WebhooksRefused, "webhooks_refused");
    let url = format!("http://127.0.0.1:{}/hooks", free_port());
    let dead = with(app.variables(), &[("SVC_WEBHOOK_URL", &url), ("SVC_WEBHOOK_SECRET", WEBHOOK_SECRET)]);
    doctor(&dead).await.expect(FindingCode::WebhooksUnreachable, "webhooks_unreachable");
    // A server with a certificate of its own making, which no trusted root has signed.
    let server = MailServer::start_with_tls().await;
    let stranger = server.url().replace("smtps:", "https:");
    let untrusted = with(app.variables(), &[("SVC_WEBHOOK_URL", &stranger), ("SVC_BASE_URL", &stranger)]);
    let examined = doctor(&untrusted).await;
    examined.expect(FindingCode::WebhooksTls, "webhooks_tls");
    examined.expect(FindingCode::AddressCertificate, "address_certificate");
}

/// At the public address, the mail server and the receiver of webhooks.
async fn certificate_that_ends_soon_is_found(engine: Engine) {
    let (front, mail_server) = (Front::start().await, MailServer::start_with_tls().await);
    front.make(Mistakes { scheme: "https", ..Mistakes::NONE });
    let (soon, later) = (TlsFront::start(front.url(), 2).await, TlsFront::start(front.url(), 30).await);
    let builder = engine.prepare().await.set("SVC_TRUSTED_PROXIES", "127.0.0.1");
    front.lead_to(&builder.variables()["SVC_LISTEN"]);
    let app = builder.set("SVC_BASE_URL", later.url()).start().await;
    let trusting = |tls: &TlsFront| {
        let file = tls.certificate().display().to_string();
        with(app.variables(), &[("SVC_BASE_URL", tls.url()), ("SVC_JWT_ISSUER", later.url()), ("SSL_CERT_FILE", &file)])
    };
    doctor(&trusting(&later)).await.expect_nothing();
    let hooks = format!("{}/hooks", soon.url());
    let hooks = [("SVC_WEBHOOK_URL", hooks.as_str()), ("SVC_WEBHOOK_SECRET", WEBHOOK_SECRET)];
    let examined = doctor(&mailing(&with(&trusting(&soon), &hooks), &mail_server.url(), &mail_server)).await;
    let ends = examined.messages(FindingCode::CertificateEnds);
    let servers = [mail_server.url(), soon.url().to_owned(), soon.url().to_owned()];
    let hosts = servers.each_ref().map(|url| url.split("//").last().unwrap());
    assert_eq!(ends.len(), hosts.len(), "{:#?}", examined.checks);
    for (message, host) in ends.iter().zip(hosts) {
        assert!(message.contains(host) && message.contains(" expires on 20") && message.contains("renew"), "{message}");
    }
}
