//! Organizations, their members and invitations, as members see them.

use super::visitor::EMAIL;
use super::{LANGUAGES, Language, Visitor};
use uuid::Uuid;

browser![organization_list_pages, team_invitation_pages, team_member_pages];

/// A name without a line break opportunity.
const NAME: &str = "Donaudampfschifffahrtsgesellschaftskapitänsmützenabteilung";
const CREATE: &str = "main form[action='/auth/organizations']";
const SWITCH: &str = "form[action$='/switch']";
const INVITE: &str = "form[action$='/invitations']";

async fn logged_in(language: Language, settings: &[(&str, &str)]) -> Visitor {
    let visitor = Visitor::open(language, settings).await;
    visitor.sign_up(EMAIL).await;
    visitor.log_in(EMAIL).await;
    visitor
}

async fn organization_list_pages() {
    for language in LANGUAGES {
        let visitor = logged_in(language, &[("SVC_ORG_MODE", "personal")]).await;
        visitor.go("/auth/organizations").await;
        visitor.see("organizations", "organizations-without-teams").await;
        visitor.go(&visitor.href(".rows a").await).await;
        visitor.see("organization_settings", "organization-personal").await;
        let visitor = logged_in(language, &[]).await;
        visitor.go("/auth/organizations/new").await;
        visitor.see("organization_new", "organization-new").await;
        visitor.send(CREATE, &[("name", " ")]).await;
        visitor.see("organization_new", "organization-new-error").await;
        visitor.send(CREATE, &[("name", NAME)]).await;
        visitor.see("organization", "organization-alone").await;
        visitor.go("/auth/organizations").await;
        visitor.send(SWITCH, &[]).await;
        visitor.see("organizations", "organizations").await;
        visitor.send(SWITCH, &[("csrf_token", "stale")]).await;
        visitor.see("organizations", "organizations-error").await;
    }
}

async fn team_invitation_pages() {
    for language in LANGUAGES {
        let mail = [("SVC_SMTP_URL", "smtp://127.0.0.1:1"), ("SVC_MAIL_FROM", "accounts@example.org")];
        let mut visitor = logged_in(language, &mail).await;
        let team = create_team(&visitor).await;
        visitor.go(&format!("{team}/invitations")).await;
        visitor.see("organization_invitations", "organization-invitations-none").await;
        visitor.send(INVITE, &[("email", "nobody")]).await;
        visitor.see("organization_invitations", "organization-invitations-error").await;
        let several = format!("ada@example.org, nobody, {EMAIL}\n{}", EMAIL.replace("navy", "army"));
        visitor.send(INVITE, &[("email", &several)]).await;
        visitor.see("organization_invitations", "organization-invited-several").await;
        visitor.app.clock().advance(std::time::Duration::from_hours(24 * 8));
        visitor.log_in(EMAIL).await;
        visitor.go(&format!("{team}/invitations")).await;
        visitor.send(INVITE, &[("email", "bob@example.org")]).await;
        visitor.go(&format!("{team}/invitations")).await;
        visitor.browser.page.execute("document.querySelector('.rows details').open = true", vec![]).await.unwrap();
        visitor.see("organization_invitations", "organization-invitations").await;
        visitor.go(&format!("{team}/settings")).await;
        visitor.see("organization_settings", "organization-settings").await;
        visitor.send("form[action$='/rename']", &[("name", "")]).await;
        visitor.see("organization_settings", "organization-settings-error").await;
        visitor.app = visitor.app.restart_with(&[("SVC_EMAIL_VERIFICATION", "optional")]).await;
        visitor.go(&format!("{team}/invitations")).await;
        visitor.see("organization_invitations", "organization-unverified").await;
    }
}

async fn team_member_pages() {
    for language in LANGUAGES {
        let visitor = logged_in(language, &[]).await;
        let team = create_team(&visitor).await;
        visitor.go(&format!("{team}/invitations")).await;
        visitor.send(INVITE, &[("email", "ada@example.org")]).await;
        visitor.see("organization_invitations", "organization-invited").await;
        add_members(&visitor, &team).await;
        visitor.go("/auth/organizations").await;
        visitor.send(SWITCH, &[]).await;
        visitor.go(&team).await;
        visitor.see("organization", "organization").await;
        visitor.go(&format!("{team}?search=nobody")).await;
        visitor.see("organization", "organization-nobody-found").await;
        visitor.go(&team).await;
        let member = visitor.href("li:nth-child(2) a[href*='/members/']").await;
        visitor.go(&member).await;
        visitor.see("member", "member").await;
        visitor.go(&format!("{member}/remove")).await;
        visitor.see("member_remove", "member-remove").await;
        visitor.go(&format!("{team}/members/{}", own_id(&visitor).await)).await;
        visitor.see("member", "member-oneself").await;
        visitor.go(&format!("{team}/leave")).await;
        visitor.see("organization_leave", "organization-leave-last-owner").await;
        visitor.go(&format!("{team}/delete")).await;
        visitor.see("organization_delete", "organization-delete").await;
        visitor.send("main form", &[("name", "Another")]).await;
        visitor.see("organization_delete", "organization-delete-error").await;
        visitor.app.database().execute("UPDATE memberships SET role = 'member'").await;
        visitor.go(&format!("{team}/leave")).await;
        visitor.see("organization_leave", "organization-leave").await;
        visitor.go(&team).await;
        visitor.see("organization", "organization-as-member").await;
        visitor.go(&format!("{team}/settings")).await;
        visitor.see("organization_settings", "organization-settings-as-member").await;
        visitor.go(&format!("{team}/delete")).await;
        visitor.see("message", "organization-refused").await;
    }
}

/// Creates a team with a long name; returns the path of its page.
async fn create_team(visitor: &Visitor) -> String {
    visitor.go("/auth/organizations/new").await;
    visitor.send(CREATE, &[("name", NAME)]).await;
    visitor.browser.page.current_url().await.unwrap().path().to_owned()
}

async fn own_id(visitor: &Visitor) -> Uuid {
    let sql = format!("SELECT hex(id) FROM users WHERE email = '{EMAIL}'");
    Uuid::parse_str(&visitor.app.database().texts(&sql).await[0]).unwrap()
}

/// Adds more members than one page shows, in every role.
async fn add_members(visitor: &Visitor, team: &str) {
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
    visitor.app.database().execute(&users).await;
    visitor.app.database().execute(&members).await;
}
