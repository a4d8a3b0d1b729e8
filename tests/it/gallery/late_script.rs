//! A script that loads late causes no layout shift.

use super::visitor::EMAIL;
use super::{Language, Visitor};
use serde_json::{Value, json};

browser![late_script_causes_no_layout_shift];

async fn late_script_causes_no_layout_shift() {
    let visitor = Visitor::open(Language::English, &[("SVC_EMAIL_VERIFICATION", "optional")]).await;
    visitor.sign_up(EMAIL).await;
    for path in ["/auth/login", "/auth/signup", "/auth/password/forgot"] {
        expect_no_layout_shift(&visitor, path).await;
    }
    visitor.log_in(EMAIL).await;
    for path in ["", "/security", "/sessions", "/activity", "/password", "/email", "/two-factor", "/passkeys/new"] {
        expect_no_layout_shift(&visitor, &format!("/auth/account{path}")).await;
    }
    expect_no_layout_shift(&visitor, "/auth/organizations").await;
}

/// Loads a page without its script, waits until it is stable, and adds the script.
async fn expect_no_layout_shift(visitor: &Visitor, path: &str) {
    for look in [crate::harness::Look::DESKTOP, crate::harness::Look::PHONE] {
        visitor.browser.apply(look).await;
        visitor.browser.devtools("Network.setBlockedURLs", json!({ "urls": ["*/assets/app*.js"] })).await;
        visitor.go(path).await;
        assert_eq!(visitor.browser.layout_shifts().await, json!([]), "{path} without its script");
        visitor.browser.devtools("Network.setBlockedURLs", json!({ "urls": [] })).await;
        let add = "const done = arguments[0], script = document.createElement('script');
            script.onload = () => done(document.querySelector('[data-reveal]')?.hidden ?? false);
            script.onerror = () => done('not loaded');
            script.src = document.querySelector('script').src;
            document.head.append(script);";
        let hidden = visitor.browser.page.execute_async(add, vec![]).await.unwrap();
        assert_eq!(hidden, json!(false), "{path}: the script did not run");
        // Text after a time may move within its line, because the script shows the time in the reader's time zone.
        let moved = visitor.browser.layout_shifts().await;
        let is_word = |moved: &Value| moved.as_str() == Some("") || moved.as_f64().is_some_and(|score| score < 0.001);
        assert!(
            moved.as_array().unwrap().iter().all(is_word),
            "{path} at {:?}, moved by its script: {moved}",
            look.size
        );
    }
}
