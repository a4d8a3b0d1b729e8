//! Organizations, their members and invitations, as members see them.

use super::room::EMAIL;
use super::{LANGUAGES, Language, Room};
use uuid::Uuid;

browser![what_organizations_there_are, a_team_and_its_invitations, a_team_and_its_members];

/// Without a place to break a line.
const NAME: &str = "Donaudampfschifffahrtsgesellschaftskapitänsmützenabteilung";
const CREATE: &str = "main form[action='/auth/organizations']";
const INVITE: &str = "form[action$='/invitations']";

async fn logged_in(language: Language, settings: &[(&str, &str)]) -> Room {
    let room = Room::open(language, settings).await;
    room.person(EMAIL).await;
    room.log_in(EMAIL).await;
    room
}

async fn what_organizations_there_are() {
    for language in LANGUAGES {
        let room = logged_in(language, &[("SVC_ORG_MODE", "personal")]).await;
        room.go("/auth/organizations").await;
        room.see("organizations", "organizations-without-teams").await;
        room.go(&room.href(".rows a").await).await;
        room.see("organization", "organization-personal").await;
        let room = logged_in(language, &[]).await;
        room.go("/auth/organizations").await;
        room.send(CREATE, &[("name", " ")]).await;
        room.see("organizations", "organizations-error").await;
        room.send(CREATE, &[("name", NAME)]).await;
        room.go("/auth/organizations").await;
        room.see("organizations", "organizations").await;
    }
}

async fn a_team_and_its_invitations() {
    for language in LANGUAGES {
        let mail = [("SVC_SMTP_URL", "smtp://127.0.0.1:1"), ("SVC_MAIL_FROM", "accounts@example.org")];
        let room = logged_in(language, &mail).await;
        room.go("/auth/organizations").await;
        room.send(CREATE, &[("name", NAME)]).await;
        room.see("organization", "organization-new").await;
        room.send(INVITE, &[("email", "nobody")]).await;
        room.see("organization", "organization-invitation-error").await;
        room.send(INVITE, &[("email", "ada@example.org")]).await;
        room.see("organization", "organization-invited").await;
        room.app.clock().advance(std::time::Duration::from_hours(24 * 8));
        room.send(INVITE, &[("email", EMAIL.replace("navy", "army").as_str())]).await;
        room.send("form[action$='/rename']", &[("name", "")]).await;
        room.see("organization", "organization-errors").await;
    }
}

async fn a_team_and_its_members() {
    for language in LANGUAGES {
        let room = logged_in(language, &[]).await;
        room.go("/auth/organizations").await;
        room.send(CREATE, &[("name", NAME)]).await;
        let team = room.browser.page.current_url().await.unwrap().path().to_owned();
        add_members(&room, &team).await;
        room.go(&team).await;
        room.send(INVITE, &[("email", "ada@example.org")]).await;
        room.see("organization", "organization").await;
        room.go(&format!("{team}?search=nobody")).await;
        room.see("organization", "organization-nobody-found").await;
        room.go(&team).await;
        room.go(&room.href("a[href*='/members/']").await).await;
        room.see("member", "member").await;
        room.go(&format!("{team}/members/{}", own_id(&room).await)).await;
        room.send("form[action$='/remove']", &[]).await;
        room.see("member", "member-last-owner").await;
        room.go(&format!("{team}/leave")).await;
        room.see("organization_leave", "organization-leave").await;
        room.send("main form", &[]).await;
        room.see("organization_leave", "organization-leave-last-owner").await;
        room.go(&format!("{team}/delete")).await;
        room.see("organization_delete", "organization-delete").await;
        room.send("main form", &[("name", "Another")]).await;
        room.see("organization_delete", "organization-delete-error").await;
        room.app.database().execute("UPDATE memberships SET role = 'member'").await;
        room.go(&format!("{team}/delete")).await;
        room.see("message", "organization-refused").await;
    }
}

async fn own_id(room: &Room) -> Uuid {
    let sql = format!("SELECT hex(id) FROM users WHERE email = '{EMAIL}'");
    Uuid::parse_str(&room.app.database().texts(&sql).await[0]).unwrap()
}

/// More members than one page shows, in every role.
async fn add_members(room: &Room, team: &str) {
    let team = team.rsplit('/').next().unwrap().replace('-', "");
    let numbers = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)";
    let users = format!(
        "INSERT INTO users (id, email, email_key, username, username_key, roles, created_at, updated_at) {numbers} \
         SELECT randomblob(16), 'member' || i || '@example.org', 'member' || i || '@example.org', 'member' || i, \
         'member' || i, '', 0, 0 FROM n"
    );
    let members = format!(
        "INSERT INTO memberships (organization_id, user_id, role, created_at) SELECT x'{team}', id, \
         CASE WHEN username < 'member3' THEN 'admin' ELSE 'member' END, 0 FROM users WHERE username LIKE 'member%'"
    );
    room.app.database().execute(&users).await;
    room.app.database().execute(&members).await;
}
