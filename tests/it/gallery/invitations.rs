//! What the recipient of an invitation sees.

use super::visitor::EMAIL;
use super::{LANGUAGES, Language, Visitor};

browser![invitation_pages, ended_invitation_pages];

const OTHER: &str = "ada@example.org";

/// A visitor and the path of an invitation.
async fn open_with_invitation(language: Language, settings: &[(&str, &str)]) -> (Visitor, String) {
    let visitor = Visitor::open(language, settings).await;
    let ada = visitor.sign_up(OTHER).await;
    let team = crate::organizations::create_team(&ada, "Sternwarte der Universität Göttingen").await;
    let link = crate::invitations::invite(&ada, &team, EMAIL, "admin").await;
    let path = link[link.find("/auth/").unwrap()..].to_owned();
    (visitor, path)
}

async fn invitation_pages() {
    for language in LANGUAGES {
        let (visitor, shown) = open_with_invitation(language, &[]).await;
        visitor.go(&shown).await;
        visitor.see("invitation", "invitation-shown").await;
        let (path, _) = visitor.mailed_link(EMAIL, "/auth/invitations/").await;
        visitor.go(&path).await;
        visitor.see("invitation", "invitation-sign-up").await;
        visitor.go(&visitor.href("a.primary").await).await;
        visitor.see("signup", "signup-invited").await;
        visitor.log_in(OTHER).await;
        visitor.go(&path).await;
        visitor.see("invitation", "invitation-other").await;
        visitor.sign_up(EMAIL).await;
        visitor.clear_cookies().await;
        visitor.go(&path).await;
        visitor.see("invitation", "invitation-log-in").await;
        visitor.log_in(EMAIL).await;
        visitor.go(&path).await;
        visitor.see("invitation", "invitation").await;
        visitor.send("form[action$='/decline']", &[("csrf_token", "stale")]).await;
        visitor.see("invitation", "invitation-stale").await;
    }
}

async fn ended_invitation_pages() {
    for language in LANGUAGES {
        let (mut visitor, shown) = open_with_invitation(language, &[]).await;
        visitor.app = visitor.app.restart_with(&[("SVC_SIGNUP", "closed")]).await;
        visitor.go(&shown).await;
        visitor.see("invitation", "invitation-shown-closed").await;
        let (path, _) = visitor.mailed_link(EMAIL, "/auth/invitations/").await;
        visitor.go(&path).await;
        visitor.see("invitation", "invitation-closed").await;
        visitor.send("form[action$='/decline']", &[]).await;
        visitor.see("message", "invitation-declined").await;
        visitor.go(&path).await;
        visitor.see("message", "invitation-over").await;
        visitor.go("/auth/invitations/nothing").await;
        visitor.see("message", "invitation-unknown").await;
    }
}
