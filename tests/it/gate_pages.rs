//! The gate's pages for people: a proxy shows them on the application's host (docs/reference/gate.md 17.4).

use crate::gate::{ask, page, start};
use crate::harness::{Engine, Reply};
use aws_lc_rs::digest::{SHA256, digest};
use base64::prelude::{BASE64_STANDARD, Engine as _};

single_run![page_carries_its_style_and_leads_to_absolute_addresses];

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
    assert!(text.contains("<a class=\"button primary\" href=\"http://127.0.0.1:"), "{text}");
    assert!(reply.set_cookies().next().is_none(), "a cookie would be the application's");
    assert!(text.len() < 12_000, "proxies keep an answer in one buffer: {}", text.len());
}
