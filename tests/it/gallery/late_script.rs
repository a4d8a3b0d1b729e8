//! What the script changes when it comes late: nothing that is in its place already (no layout shift).

use super::room::EMAIL;
use super::{Language, Room};
use serde_json::{Value, json};

browser![a_late_script_moves_nothing];

async fn a_late_script_moves_nothing() {
    let room = Room::open(Language::English, &[("SVC_EMAIL_VERIFICATION", "optional")]).await;
    room.person(EMAIL).await;
    for path in ["/auth/login", "/auth/signup", "/auth/password/forgot"] {
        load_late(&room, path).await;
    }
    room.log_in(EMAIL).await;
    for path in ["", "/security", "/sessions", "/activity", "/password", "/email", "/two-factor", "/passkeys/new"] {
        load_late(&room, &format!("/auth/account{path}")).await;
    }
    load_late(&room, "/auth/organizations").await;
}

/// Goes to a page without its script, lets it come to rest, and adds the script.
async fn load_late(room: &Room, path: &str) {
    for look in [crate::harness::Look::DESKTOP, crate::harness::Look::PHONE] {
        room.browser.apply(look).await;
        room.browser.devtools("Network.setBlockedURLs", json!({ "urls": ["*/assets/app*.js"] })).await;
        room.go(path).await;
        assert_eq!(room.browser.layout_shifts().await, json!([]), "{path} without its script");
        room.browser.devtools("Network.setBlockedURLs", json!({ "urls": [] })).await;
        let add = "const done = arguments[0], script = document.createElement('script');
            script.onload = () => done(document.querySelector('[data-reveal]')?.hidden ?? false);
            script.onerror = () => done('not loaded');
            script.src = document.querySelector('script').src;
            document.head.append(script);";
        let hidden = room.browser.page.execute_async(add, vec![]).await.unwrap();
        assert_eq!(hidden, json!(false), "{path}: the script did not run");
        // Words after a time may move within their line, as the time is told in the reader's own zone.
        let moved = room.browser.layout_shifts().await;
        let is_word = |moved: &Value| moved.as_str() == Some("") || moved.as_f64().is_some_and(|score| score < 0.001);
        assert!(
            moved.as_array().unwrap().iter().all(is_word),
            "{path} at {:?}, moved by its script: {moved}",
            look.size
        );
    }
}
