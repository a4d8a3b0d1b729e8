//! The gate's pages for people: a proxy shows them on the application's host (docs/reference/gate.md 17.4).

use crate::gate::{APPLICATION, ask, page, script, start};
use crate::harness::{Client, Engine, Reply, TempDir};
use aws_lc_rs::digest::{SHA256, digest};
use base64::prelude::{BASE64_STANDARD, Engine as _};

single_run![page_carries_its_style_and_leads_to_absolute_addresses, page_carries_small_logo_and_switches_languages];
one_engine![refusal_alone_is_that_of_the_gate_and_lets_nothing_pass];

async fn page_carries_its_style_and_leads_to_absolute_addresses() {
    let app = start(Engine::Sqlite, &[("SVC_BRAND_NAME", "Navy Yard"), ("SVC_BRAND_COLOR", "#b00040")]).await;
    let (ada, nobody) = (app.sign_up("ada@example.com").await, app.anonymous());
    for (client, query, status) in
        [(&nobody, "", 302), (&ada, "?platform=admin", 403), (&ada, "?mfa", 302), (&ada, "?admin", 500)]
    {
        let reply = page(ask(client, query)).await.expect(status);
        expect_own_style(&reply);
        assert!(reply.text().contains("Navy Yard") && reply.text().contains("--brand:#b00040"), "{}", reply.text());
    }
    let unknown = nobody.get("/auth/gate").header("accept", "text/html").await.expect(401);
    expect_own_style(&unknown);
}

async fn page_carries_small_logo_and_switches_languages() {
    let folder = TempDir::new("brand");
    let logo = folder.path().join("logo.svg");
    for (comment, is_shown) in [("", true), (&"x".repeat(2000), false)] {
        let svg = format!("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 60 20\"><!--{comment}--></svg>");
        std::fs::write(&logo, svg).unwrap();
        let brand = [
            ("SVC_BRAND_NAME", "Navy Yard"),
            ("SVC_BRAND_LOGO", logo.to_str().unwrap()),
            ("SVC_BRAND_SHOW_NAME", "off"),
            ("SVC_SUPPORT_URL", "https://navy.example/help"),
        ];
        let app = start(Engine::Sqlite, &brand).await;
        let ada = app.sign_up("ada@example.com").await;
        let reply = page(ask(&ada, "?platform=admin")).await.expect(403);
        let text = reply.text();
        assert_eq!(text.contains("<img class=\"mark\" src=\"data:image/svg+xml;base64,"), is_shown, "{text}");
        assert_eq!(text.contains("<span>Navy Yard</span>"), !is_shown, "{text}");
        let policy = reply.header("content-security-policy").unwrap();
        assert_eq!(policy.ends_with("; img-src data:"), is_shown, "{policy}");
        assert!(text.len() < 14_000, "proxies keep an answer in one buffer: {}", text.len());
        assert!(text.contains("href=\"https://navy.example/help\""), "{text}");
        // Back to the page of the application, in German.
        let switch = format!("{}/auth/language?to=de&amp;return_to=", app.url());
        let link = text.split_once(&switch).expect("a switch of the language").1.split('"').next().unwrap();
        let chosen = ada.get(&format!("/auth/language?to=de&return_to={link}")).await.expect(303);
        assert_eq!(chosen.location(), format!("{APPLICATION}/page?a=1&b=2"));
        let german = page(ask(&ada, "?platform=admin")).await.expect(403);
        assert!(german.text().contains("<html lang=\"de\">"), "{}", german.text());
    }
    // Where it is not known what was asked for, there is no way back.
    let unknown = start(Engine::Sqlite, &[]).await.anonymous().get("/auth/gate").header("accept", "text/html").await;
    let text = unknown.expect(401).text();
    assert!(!text.contains("/auth/language") && text.contains("Reference"), "{text}");
}

/// nginx keeps no answer of the gate, and asks for the page of a refusal by itself.
async fn refusal_alone_is_that_of_the_gate_and_lets_nothing_pass(engine: Engine) {
    let app = start(engine, &[]).await;
    let (ada, nobody) = (app.sign_up("ada@example.com").await, app.anonymous());
    let by_nginx = |client: &Client, path: &str, method: &str| {
        let call = client.get(path).header("x-original-url", &format!("{APPLICATION}/page?a=1&b=2"));
        call.header("x-original-method", method)
    };
    let form = |client: &Client, path: &str| by_nginx(client, path, "POST").header("accept", "text/html");
    let forbidden = form(&ada, "/auth/gate?platform=admin").await.expect(403).text();
    let step_up = form(&ada, "/auth/gate?mfa").await.expect(403);
    let confirm = step_up.header("x-svc-login-url").unwrap();
    let login = form(&nobody, "/auth/gate").await.expect(401).text();
    let elsewhere = format!("{}.evil.example/auth/account", app.url());
    for (path, url, status, expected) in [
        // It has no rules, and knows nobody.
        ("/auth/gate/forbidden?optional", "", 403, &forbidden),
        ("/auth/gate/forbidden", confirm, 403, &step_up.text()),
        ("/auth/gate/forbidden", elsewhere.as_str(), 403, &forbidden),
        ("/auth/gate/unauthorized?optional", "", 401, &login),
    ] {
        for client in [&ada, &nobody] {
            let reply = form(client, path).header("x-svc-login-url", url).await.expect(status);
            assert_eq!(&reply.text(), expected, "{path} {url}");
            expect_own_style(&reply);
            assert!(reply.header("x-svc-user-id").is_none(), "{reply:?}");
        }
    }
    script(by_nginx(&ada, "/auth/gate/unauthorized", "GET")).await.snapshot("gate/unauthorized_alone");
    script(by_nginx(&ada, "/auth/gate/forbidden", "GET")).await.snapshot("gate/forbidden_alone");
}

/// Fails unless the page looks the same wherever it is shown, whose policy allows what is in it and nothing else.
pub fn expect_own_style(reply: &Reply) {
    let text = reply.text();
    let style = text.split("<style>").nth(1).expect("a style").split("</style>").next().unwrap();
    let hash = BASE64_STANDARD.encode(digest(&SHA256, style.as_bytes()));
    let policy = format!("default-src 'none'; style-src 'sha256-{hash}'; base-uri 'none';");
    assert!(reply.header("content-security-policy").unwrap().starts_with(&policy), "{reply:?}");
    for part in ["<script", "<form", "stylesheet", "src=", "href=\"/", "style=\""] {
        assert!(!text.contains(part), "{part}: {text}");
    }
    // Where only who runs the site can help, the way on is not what to do next.
    let button = if text.contains("<dl class=\"reference\">") { "button" } else { "button primary" };
    assert!(text.contains(&format!("<a class=\"{button}\" href=\"http://127.0.0.1:")), "{text}");
    assert!(reply.set_cookies().next().is_none(), "a cookie would be the application's");
    assert!(text.len() < 12_000, "proxies keep an answer in one buffer: {}", text.len());
}
