//! Requests that cannot be served.

use super::room::EMAIL;
use super::{LANGUAGES, Room};
use crate::harness::Need;
use std::time::Duration;

browser![mistakes_of_the_asker, too_often, faults_of_ours, a_database_that_is_away];

const LOG_IN: &str = "form[action='/auth/login']";

async fn mistakes_of_the_asker() {
    for language in LANGUAGES {
        let room = Room::open(language, &[]).await;
        room.go("/auth/nowhere").await;
        room.see("error", "error-404").await;
        room.go("/auth/sessions/logout").await;
        room.see("error", "error-405").await;
        room.go("/auth/login").await;
        room.browser.page.execute("document.forms[0].enctype = 'text/plain'", vec![]).await.unwrap();
        room.send(LOG_IN, &[("email", EMAIL)]).await;
        room.see("error", "error-400").await;
        room.go("/auth/login").await;
        room.send(LOG_IN, &[("email", &"a".repeat(1 << 20))]).await;
        room.see("error", "error-413").await;
    }
}

async fn too_often() {
    for language in LANGUAGES {
        let room = Room::open(language, &[]).await;
        let stranger = room.app.anonymous();
        for _ in 0..10 {
            stranger.log_in("nobody", "wrong").await.expect(401);
        }
        for wait in [15, 30, 60, 120] {
            room.app.clock().advance(Duration::from_secs(wait));
            stranger.log_in("nobody", "wrong").await.expect(401);
        }
        room.go("/auth/login").await;
        room.send(LOG_IN, &[("email", "nobody"), ("password", "wrong")]).await;
        room.see("error", "error-429").await;
    }
}

async fn faults_of_ours() {
    for language in LANGUAGES {
        let room = Room::open(language, &[]).await;
        room.person(EMAIL).await;
        room.app.database().execute("UPDATE users SET password_hash = 'no hash'").await;
        room.go("/auth/login").await;
        room.send(LOG_IN, &[("email", EMAIL), ("password", "wrong")]).await;
        room.see("error", "error-500").await;
    }
}

async fn a_database_that_is_away() {
    if !Need::Postgres.is_met() {
        return;
    }
    for language in LANGUAGES {
        let (proxy, builder) = crate::bad_storage::behind_proxy().await;
        let room = Room::with(language, builder, &[]).await;
        room.go("/auth/login").await;
        proxy.cut();
        // The first find connections that break; then there is none.
        loop {
            room.go("/auth/login").await;
            room.send(LOG_IN, &[("email", EMAIL), ("password", "wrong")]).await;
            if !room.browser.text().await.contains("500") {
                break;
            }
        }
        room.see("error", "error-503").await;
        proxy.mend();
    }
}
