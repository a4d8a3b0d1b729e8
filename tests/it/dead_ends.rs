//! Error pages are no dead ends: they know who is logged in, and where trying again can help they keep what was typed.

use crate::bad_storage::behind_proxy;
use crate::harness::{Client, Engine, PASSWORD, Reply, TestApp, eventually};
use std::time::Duration;

one_engine![
    error_pages_know_who_is_logged_in,
    error_page_leaves_the_session_as_it_is,
    limited_login_keeps_the_name_and_asks_for_the_password,
    limited_form_without_secrets_is_sent_again_by_its_button,
    page_that_is_to_be_filled_in_needs_a_valid_token,
];
once_on_postgres![
    unavailable_page_offers_the_same_page_again,
    unavailable_form_keeps_what_was_typed,
    forged_form_is_not_offered_again,
];

/// The hidden fields of the page's form.
fn fields(page: &str) -> Vec<(String, String)> {
    let inputs = page.split("<input type=\"hidden\" name=\"").skip(1);
    let field = |input: &str| {
        let (name, rest) = input.split_once("\" value=\"").unwrap();
        (name.to_owned(), rest.split('"').next().unwrap().to_owned())
    };
    inputs.map(field).collect()
}

/// Presses the button of the error page, which is its only form.
async fn try_again(client: &Client, page: &Reply) -> Reply {
    let text = page.text();
    assert_eq!(text.matches("<form").count(), 1, "{text}");
    let action = text.split("action=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
    let fields = fields(&text);
    let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    client.form(action, &fields).await
}

async fn error_pages_know_who_is_logged_in(engine: Engine) {
    let app = engine.app().await;
    let (ada, stranger) = (app.sign_up("ada@example.com").await, app.anonymous());
    ada.get("/auth/nowhere").await.snapshot("errors/not_found_logged_in");
    ada.get("/auth/sessions/logout").await.snapshot("errors/method_not_allowed_logged_in");
    ada.get("/auth/organizations/x").await.snapshot("organizations/malformed_id");
    stranger.get("/auth/nowhere").await.snapshot("errors/not_found");
    let text = ada.form("/auth/account/username", &[]).header("content-type", "text/plain").body("x");
    text.await.snapshot("username/wrong_content_type");
    ada.get("/auth/nowhere").header("accept-language", "de").await.snapshot("errors/not_found_logged_in_de");
    ada.log_out().await.expect(204);
    assert!(!ada.get("/auth/nowhere").await.expect(404).text().contains("logged in as"));
}

/// Whose access token has expired is named where the session is in memory: an error page asks the database for nothing.
async fn error_page_leaves_the_session_as_it_is(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    app.clock().advance(Duration::from_hours(1));
    ada.api_user().await.expect(401);
    let page = ada.get("/auth/nowhere").await.expect(404);
    assert!(page.text().contains("Page not found") && page.cookie("svc_refresh").is_none());
    ada.refresh("app").await.expect(200);
}

/// Fails to log in until the next try must wait.
async fn use_up_logins(app: &TestApp, name: &str) {
    let refused = async || {
        let reply = app.anonymous().log_in(name, "wrong").await;
        (reply.status == 429).then_some(())
    };
    eventually("log-ins are limited", refused).await;
}

async fn limited_login_keeps_the_name_and_asks_for_the_password(engine: Engine) {
    let app = engine.app().await;
    app.sign_up("ada@example.com").await;
    use_up_logins(&app, "ada").await;
    let visitor = app.anonymous();
    visitor.get("/auth/login").await.expect(200);
    let typed = [("email", "ada"), ("password", PASSWORD), ("return_to", "/books")];
    let page = visitor.post_form("/auth/login", &typed).await.snapshot("login/limited");
    let seconds = page.header("retry-after").unwrap().to_owned();
    assert!(page.text().contains(&format!("data-countdown=\"{seconds}\"")), "{}", page.text());
    try_again(&visitor, &page).await.snapshot("login/filled_in_after_limit");
    app.clock().advance(Duration::from_secs(seconds.parse().unwrap()));
    assert_eq!(visitor.post_form("/auth/login", &typed).await.expect(303).location(), "/books");
}

async fn limited_form_without_secrets_is_sent_again_by_its_button(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let rename = async |name: &str| ada.post_form("/auth/account/username", &[("username", name)]).await;
    let limited = async || Some(rename("ada-b").await).filter(|reply| reply.status == 429);
    eventually("names are limited", limited).await;
    let page = rename("grace").await.snapshot("username/too_many_changes");
    try_again(&ada, &page).await.expect(429);
    app.clock().advance(Duration::from_mins(1));
    try_again(&ada, &page).await.expect(303);
    assert_eq!(ada.api_user().await.expect(200).json()["username"], "grace");
}

/// Who has the token may fill in a page; who has not gets the warning with it.
async fn page_that_is_to_be_filled_in_needs_a_valid_token(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let typed = [("username", "grace"), ("fill_in", "yes")];
    ada.form("/auth/account/username", &typed).await.snapshot("username/wrong_token");
    ada.post_form("/auth/account/username", &typed).await.snapshot("username/to_be_filled_in");
    assert_eq!(ada.api_user().await.expect(200).json()["username"], "ada");
}

async fn unavailable_page_offers_the_same_page_again() {
    let (proxy, builder) = behind_proxy().await;
    let app = builder.start().await;
    let ada = app.sign_up("ada@example.com").await;
    proxy.cut();
    let unavailable = async || Some(ada.get("/auth/account/activity").await).filter(|reply| reply.status == 503);
    let page = eventually("the database is away", unavailable).await.snapshot("unavailable/page").text();
    assert!(page.contains("data-countdown=\"5\""), "{page}");
    proxy.restore();
}

async fn unavailable_form_keeps_what_was_typed() {
    let (proxy, builder) = behind_proxy().await;
    let app = builder.start().await;
    app.sign_up("ada@example.com").await;
    let visitor = app.anonymous();
    visitor.get("/auth/login").await.expect(200);
    proxy.cut();
    let unavailable = async || Some(visitor.log_in("ada", PASSWORD).await).filter(|reply| reply.status == 503);
    let page = eventually("the database is away", unavailable).await.snapshot("unavailable/login_form");
    let form = try_again(&visitor, &page).await.expect(200).text();
    assert!(form.contains("value=\"ada\""), "{form}");
    proxy.restore();
}

/// The button of the page would send it with a valid token.
async fn forged_form_is_not_offered_again() {
    let (proxy, builder) = behind_proxy().await;
    let app = builder.start().await;
    let ada = app.sign_up("ada@example.com").await;
    proxy.cut();
    let forged = async || {
        let call = ada.form("/auth/account/username", &[("username", "mallory")]);
        Some(call.header("sec-fetch-site", "cross-site").await).filter(|reply| reply.status == 503)
    };
    eventually("the database is away", forged).await.snapshot("unavailable/forged_form");
    proxy.restore();
}
