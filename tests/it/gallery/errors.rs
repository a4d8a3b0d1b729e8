//! Error pages.

use super::visitor::EMAIL;
use super::{LANGUAGES, Language, Visitor};
use crate::harness::{Need, eventually};
use std::time::Duration;

browser![
    client_error_pages,
    error_page_of_a_logged_in_user,
    rate_limit_page,
    rate_limit_page_of_a_logged_in_user,
    internal_error_page,
    database_unavailable_page,
];

const USERNAME: &str = "form[action='/auth/account/username']";
const LOG_IN: &str = "form[action='/auth/login']";

async fn client_error_pages() {
    for language in LANGUAGES {
        let visitor = Visitor::open(language, &[]).await;
        visitor.go("/auth/nowhere").await;
        visitor.see("error", "error-404").await;
        visitor.go("/auth/sessions/logout").await;
        visitor.see("error", "error-405").await;
        visitor.go("/auth/login").await;
        visitor.browser.page.execute("document.forms[0].enctype = 'text/plain'", vec![]).await.unwrap();
        visitor.send(LOG_IN, &[("email", EMAIL)]).await;
        visitor.see("error", "error-400").await;
        visitor.go("/auth/login").await;
        visitor.send(LOG_IN, &[("email", &"a".repeat(1 << 20))]).await;
        visitor.see("error", "error-413").await;
        visitor.write(&refused_script(&visitor, language).await).await;
        visitor.see("error", "error-403").await;
    }
}

/// The page that a script gets, which no window shows.
async fn refused_script(visitor: &Visitor, language: Language) -> String {
    let asked = visitor.app.anonymous().get("/auth/login").header("sec-fetch-mode", "cors");
    asked.header("accept-language", language.tag()).await.expect(403).text()
}

async fn error_page_of_a_logged_in_user() {
    for language in LANGUAGES {
        let visitor = Visitor::open(language, &[]).await;
        visitor.sign_up(EMAIL).await;
        visitor.log_in(EMAIL).await;
        visitor.go("/auth/nowhere").await;
        visitor.see("error", "known-404").await;
    }
}

/// The countdown of the script, which begins with what the page says without it.
async fn rate_limit_page_of_a_logged_in_user() {
    for language in LANGUAGES {
        let visitor = Visitor::open(language, &[]).await;
        let client = visitor.sign_up(EMAIL).await;
        visitor.log_in(EMAIL).await;
        // On a slow machine the limit lets one more pass meanwhile.
        let limited = async || {
            while client.post_form("/auth/account/username", &[("username", "grace")]).await.status != 429 {}
            visitor.go("/auth/account/username").await;
            visitor.send(USERNAME, &[("username", "grace")]).await;
            visitor.browser.text().await.contains("429").then_some(())
        };
        eventually("names are limited", limited).await;
        let counting = async || visitor.browser.text().await.contains(':').then_some(());
        eventually("the countdown runs", counting).await;
        visitor.see("error", "limited-complete").await;
    }
}

async fn rate_limit_page() {
    for language in LANGUAGES {
        let visitor = Visitor::open(language, &[]).await;
        let stranger = visitor.app.anonymous();
        for _ in 0..10 {
            stranger.log_in("nobody", "wrong").await.expect(401);
        }
        for wait in [15, 30, 60, 120] {
            visitor.app.clock().advance(Duration::from_secs(wait));
            stranger.log_in("nobody", "wrong").await.expect(401);
        }
        visitor.go("/auth/login").await;
        visitor.send(LOG_IN, &[("email", "nobody"), ("password", "wrong")]).await;
        let is_held = "return document.querySelector('[data-retry]').disabled";
        assert_eq!(visitor.browser.page.execute(is_held, vec![]).await.unwrap(), true, "until the time is over");
        visitor.see("error", "error-429").await;
        visitor.send("main form", &[]).await;
        let email = "return document.querySelector('#email').value";
        assert_eq!(visitor.browser.page.execute(email, vec![]).await.unwrap(), "nobody");
        visitor.see("login", "login-filled-in").await;
    }
}

async fn internal_error_page() {
    for language in LANGUAGES {
        let visitor = Visitor::open(language, &[]).await;
        visitor.sign_up(EMAIL).await;
        visitor.app.database().execute("UPDATE users SET password_hash = 'no hash'").await;
        visitor.go("/auth/login").await;
        visitor.send(LOG_IN, &[("email", EMAIL), ("password", "wrong")]).await;
        visitor.see("error", "error-500").await;
    }
}

async fn database_unavailable_page() {
    if !Need::Postgres.is_met() {
        return;
    }
    for language in LANGUAGES {
        let (proxy, builder) = crate::bad_storage::behind_proxy().await;
        let visitor = Visitor::with(language, builder, &[]).await;
        visitor.go("/auth/login").await;
        proxy.cut();
        // The first requests still find broken connections in the pool; then there are none.
        loop {
            visitor.go("/auth/login").await;
            visitor.send(LOG_IN, &[("email", EMAIL), ("password", "wrong")]).await;
            if !visitor.browser.text().await.contains("500") {
                break;
            }
        }
        visitor.see("error", "error-503").await;
        proxy.restore();
    }
}
