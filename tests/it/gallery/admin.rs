//! The pages of administrators, for each role that sees them.

use super::{LANGUAGES, Language, Visitor};
use uuid::Uuid;

browser![
    people_of_administrators,
    acts_of_administrators,
    organizations_of_administrators,
    service_of_administrators,
    pages_of_auditors_and_monitors
];

const ADMIN: &str = "admin@example.com";
/// As long as real ones can be.
const EMAIL: &str = super::visitor::EMAIL;

/// A browser of someone with this role, and the id of a person.
async fn logged_in(language: Language, role: &str) -> (Visitor, String) {
    let visitor = Visitor::open(language, &[]).await;
    for email in [ADMIN, EMAIL] {
        visitor.sign_up(email).await;
    }
    let grant = format!("UPDATE users SET roles = '{role}' WHERE email = '{ADMIN}'");
    visitor.app.database().execute(&grant).await;
    visitor.log_in(ADMIN).await;
    let id = format!("SELECT lower(hex(id)) FROM users WHERE email = '{EMAIL}'");
    let id = visitor.app.database().texts(&id).await.remove(0);
    (visitor, Uuid::try_parse(&id).unwrap().to_string())
}

async fn people_of_administrators() {
    for language in LANGUAGES {
        let (visitor, id) = logged_in(language, "admin").await;
        visitor.go("/auth/admin").await;
        visitor.see("admin_overview", "admin-overview-new").await;
        visitor.go("/auth/admin/people").await;
        visitor.see("admin_list", "admin-people").await;
        visitor.go("/auth/admin/people?query=zz&state=disabled").await;
        visitor.see("admin_list", "admin-people-none").await;
        visitor.go(&format!("/auth/admin/people/{id}")).await;
        visitor.see("admin_thing", "admin-person").await;
        let disabled =
            format!("UPDATE users SET disabled_at = created_at, roles = 'auditor,monitor' WHERE email = '{EMAIL}'");
        visitor.app.database().execute(&disabled).await;
        visitor.go(&format!("/auth/admin/people/{id}")).await;
        visitor.see("admin_thing", "admin-person-disabled").await;
    }
}

async fn acts_of_administrators() {
    for language in LANGUAGES {
        let (visitor, id) = logged_in(language, "admin").await;
        visitor.go("/auth/admin/people/new").await;
        visitor.see("admin_act", "admin-person-new").await;
        visitor.send("main form", &[("email", "a@b.c"), ("name", "https://x"), ("reason", " ")]).await;
        visitor.see("admin_act", "admin-person-new-error").await;
        visitor.go(&format!("/auth/admin/people/{id}/disable")).await;
        visitor.see("admin_act", "admin-disable").await;
        visitor.go(&format!("/auth/admin/people/{id}/email")).await;
        visitor.see("admin_act", "admin-email").await;
        visitor.go(&format!("/auth/admin/people/{id}/roles")).await;
        visitor.see("admin_act", "admin-roles").await;
        visitor.go("/auth/admin/deliveries/replay").await;
        visitor.see("admin_act", "admin-replay-all").await;
        // As from a browser that does not know days.
        visitor.browser.page.execute("document.getElementById('since').type = 'text'", vec![]).await.unwrap();
        visitor.send("main form", &[("since", "yesterday"), ("reason", "asked")]).await;
        visitor.see("admin_act", "admin-replay-all-error").await;
        visitor.go(&format!("/auth/admin/people/{id}/two-factor/reset")).await;
        visitor.see("admin_act", "admin-two-factor").await;
        visitor.send("main form", &[("reason", " ")]).await;
        visitor.see("admin_act", "admin-reason-error").await;
        visitor.go("/auth/admin/deliveries/replay").await;
        visitor.send("main form", &[("reason", "the receiver was down")]).await;
        visitor.see("admin_thing", "admin-job").await;
    }
}

async fn pages_of_auditors_and_monitors() {
    for language in LANGUAGES {
        let (visitor, id) = logged_in(language, "auditor").await;
        visitor.go(&format!("/auth/admin/people/{id}")).await;
        visitor.see("admin_thing", "admin-person-of-auditor").await;
        visitor.go("/auth/admin/audit").await;
        visitor.see("admin_list", "admin-audit").await;
        visitor.go("/auth/admin/audit?query=nobody%40example.com").await;
        visitor.see("admin_list", "admin-audit-none").await;
        visitor.go("/auth/admin/audit/export?format=xml").await;
        visitor.see("admin_list", "admin-audit-refused").await;
        visitor.go(&format!("/auth/admin/people/{id}/disable")).await;
        visitor.see("error", "admin-not-permitted").await;
        let (visitor, _) = logged_in(language, "monitor").await;
        visitor.go("/auth/admin").await;
        visitor.see("admin_overview", "admin-overview-of-monitor").await;
    }
}

async fn organizations_of_administrators() {
    for language in LANGUAGES {
        let (visitor, _) = logged_in(language, "admin").await;
        visitor.go("/auth/admin/organizations").await;
        visitor.see("admin_list", "admin-organizations").await;
        visitor.go("/auth/admin/organizations?query=zz").await;
        visitor.see("admin_list", "admin-organizations-none").await;
        // The personal one of the person with the long address, as a team.
        let team = format!(
            "UPDATE organizations SET kind = 'team', name = 'Genossenschaft für Verbindungstechnik & <b>Söhne</b>' \
             WHERE created_by_user_id = (SELECT id FROM users WHERE email = '{EMAIL}')"
        );
        visitor.app.database().execute(&team).await;
        let ids = "SELECT lower(hex(id)) FROM organizations WHERE kind = 'team' UNION ALL \
             SELECT lower(hex(m.user_id)) FROM memberships m JOIN organizations o ON o.id = m.organization_id \
             WHERE o.kind = 'team'";
        let ids = visitor.app.database().texts(ids).await;
        let [org, member] = [&ids[0], &ids[1]].map(|id| Uuid::try_parse(id).unwrap());
        let page = format!("/auth/admin/organizations/{org}");
        visitor.go(&page).await;
        visitor.see("admin_thing", "admin-organization").await;
        for (act, state) in [("rename", "admin-rename"), ("delete", "admin-delete-organization")] {
            visitor.go(&format!("{page}/{act}")).await;
            visitor.see_act(state).await;
        }
        visitor.go(&format!("{page}/members/{member}/remove")).await;
        visitor.see_act("admin-remove-member").await;
        visitor.go(&format!("{page}/members/{member}/role")).await;
        visitor.see_act("admin-member-role").await;
        visitor.send("main form", &[("reason", "x")]).await;
        visitor.see("admin_thing", "admin-organization-changed").await;
    }
}

async fn service_of_administrators() {
    for language in LANGUAGES {
        let (visitor, _) = logged_in(language, "admin").await;
        for (path, state) in [
            ("deliveries", "admin-deliveries-none"),
            ("deliveries?channel=mail&since=2026-01-01", "admin-deliveries-of-mails"),
            ("api-keys", "admin-api-keys-none"),
            ("providers", "admin-providers-none"),
            ("settings", "admin-settings"),
        ] {
            visitor.go(&format!("/auth/admin/{path}")).await;
            visitor.see("admin_list", state).await;
        }
    }
}
