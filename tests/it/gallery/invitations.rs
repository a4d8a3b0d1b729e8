//! What somebody sees who follows the link of an invitation.

use super::room::EMAIL;
use super::{LANGUAGES, Language, Room};

browser![whoever_is_invited, invitations_that_are_over];

const OTHER: &str = "ada@example.org";

/// A room, and the path of an invitation in it.
async fn invited(language: Language, settings: &[(&str, &str)]) -> (Room, String) {
    let room = Room::open(language, settings).await;
    let ada = room.person(OTHER).await;
    let team = crate::organizations::create_team(&ada, "Sternwarte der Universität Göttingen").await;
    let link = crate::invitations::invite(&ada, &team, EMAIL, "admin").await;
    let path = link[link.find("/auth/").unwrap()..].to_owned();
    (room, path)
}

async fn whoever_is_invited() {
    for language in LANGUAGES {
        let (room, path) = invited(language, &[]).await;
        room.go(&path).await;
        room.see("invitation", "invitation-sign-up").await;
        room.go(&room.href("a.primary").await).await;
        room.see("signup", "signup-invited").await;
        room.log_in(OTHER).await;
        room.go(&path).await;
        room.see("invitation", "invitation-other").await;
        room.person(EMAIL).await;
        room.leave().await;
        room.go(&path).await;
        room.see("invitation", "invitation-log-in").await;
        room.log_in(EMAIL).await;
        room.go(&path).await;
        room.see("invitation", "invitation").await;
        room.send("form[action$='/decline']", &[("csrf_token", "stale")]).await;
        room.see("invitation", "invitation-stale").await;
    }
}

async fn invitations_that_are_over() {
    for language in LANGUAGES {
        let (mut room, path) = invited(language, &[]).await;
        room.app = room.app.restart_with(&[("SVC_SIGNUP", "closed")]).await;
        room.go(&path).await;
        room.see("invitation", "invitation-closed").await;
        room.send("form[action$='/decline']", &[]).await;
        room.see("message", "invitation-declined").await;
        room.go(&path).await;
        room.see("message", "invitation-over").await;
        room.go("/auth/invitations/nothing").await;
        room.see("message", "invitation-unknown").await;
    }
}
