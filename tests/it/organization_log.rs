//! The audit log of organizations: who changed what, in whose log it stands.

use crate::audit::log_of;
use crate::harness::{Engine, TestApp, run_program};
use crate::invitations::{invite, link_in, shown_link};
use crate::organizations::{create_team, user_id};
use doorward::store::AuditRow;

one_engine![changes_of_organizations_are_recorded,];

/// The entries of these kinds, with who did it and the details.
fn lines(rows: &[AuditRow]) -> Vec<String> {
    let of_organizations = ["organization_", "member_", "invitation_"];
    let rows = rows.iter().filter(|row| of_organizations.iter().any(|prefix| row.kind.starts_with(prefix)));
    rows.map(|row| format!("{} {}: {}", row.actor, row.kind, row.detail)).collect()
}

async fn doorward(app: &TestApp, arguments: &[&str]) {
    let output = run_program(arguments, app.variables()).await;
    assert!(output.status.success(), "{arguments:?}: {output:?}");
}

async fn changes_of_organizations_are_recorded(engine: Engine) {
    let app = engine.app().await;
    let (ada, bob) = (app.sign_up("ada@example.com").await, app.sign_up("bob@example.com").await);
    let team = create_team(&ada, "Crew").await;
    let org = team.rsplit('/').next().unwrap().to_owned();
    let (ada_id, bob_id) = (user_id(&ada).await, user_id(&bob).await);
    ada.post_form(&format!("{team}/rename"), &[("name", "Crew")]).await.expect(303);
    ada.post_form(&format!("{team}/leave"), &[]).await.expect(422);
    ada.post_form(&format!("{team}/rename"), &[("name", "Team")]).await.expect(303);
    invite(&ada, &team, "bob@example.com", "admin").await;
    let resend = link_in(&ada.get(&format!("{team}/invitations")).await.text(), "/resend");
    let invitation = resend.rsplit('/').nth(1).unwrap().to_owned();
    let reply = ada.post_form(&resend, &[]).await.expect(200);
    let link = shown_link(&reply);
    bob.post_form(&format!("{link}/accept"), &[]).await.expect(303);
    ada.post_form(&format!("{team}/members/{bob_id}/role"), &[("role", "member")]).await.expect(303);
    doorward(&app, &["org", "members", "set-role", &org, "bob", "owner"]).await;
    bob.post_form(&format!("{team}/members/{ada_id}/remove"), &[]).await.expect(303);
    doorward(&app, &["invitation", "create", "--org", &org, "--email", "cy@example.com"]).await;
    bob.post_form(&format!("{team}/delete"), &[("name", "Team")]).await.expect(303);
    let ada_log = log_of(&app, "ada").await;
    assert_eq!(
        lines(&ada_log),
        [
            format!("user organization_created: Crew ({org})"),
            format!("user organization_renamed: Crew ({org}), Team"),
            format!("user invitation_created: Team ({org}), admin, {invitation}"),
            format!("user invitation_resent: Team ({org}), admin, {invitation}"),
            format!("user member_role_changed: Team ({org}), {bob_id}, admin to member"),
        ]
    );
    assert!(ada_log.iter().all(|row| row.actor_user_id == row.user_id && row.session_id.is_some()), "{ada_log:?}");
    assert_eq!(
        lines(&log_of(&app, "bob").await),
        [
            format!("user member_added: Team ({org}), admin"),
            format!("operator member_role_changed: Team ({org}), member to owner"),
            format!("user member_removed: Team ({org}), {ada_id}, owner"),
            format!("user organization_deleted: Team ({org})"),
        ]
    );
    let by_operator = "SELECT kind FROM audit WHERE user_id IS NULL AND actor = 'operator'";
    assert_eq!(app.database().texts(by_operator).await, ["invitation_created"]);
    let page = bob.get("/auth/account/activity").await.expect(200).text();
    assert!(page.contains("Role in an organization changed") && page.contains("By an administrator"), "{page}");
}
