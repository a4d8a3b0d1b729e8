//! Administrators see organizations and change them (docs/reference/administration.md).

use crate::harness::{Client, Engine, TestApp, act, first_column, id_of, someone_with};
use doorward::domain::account::stored_words::renew_part;

both_engines![organizations_of_older_versions_are_found];
one_engine![
    each_act_on_an_organization_is_a_form_and_is_done_once_it_is_sent,
    organizations_are_found_by_the_beginning_of_the_name_and_by_id,
    long_searches_of_organizations_go_on,
    names_roles_and_personal_organizations_have_rules,
    long_lists_of_members_and_invitations_go_on,
    names_of_organizations_stand_apart,
];

const REASON: (&str, &str) = ("reason", "asked by phone");
const LIST: &str = "/auth/admin/organizations";

/// Name of the snapshots, path below the organization's, fields beside the reason.
type ActOnTeam<'a> = (&'a str, String, &'a [(&'a str, &'a str)]);

/// A team of ada with bob as its member and an invitation of cy: its page, bob's id and the invitation's.
struct Team {
    app: TestApp,
    owner: Client,
    page: String,
    member: String,
    invitation: String,
}

impl Team {
    async fn start(engine: Engine) -> Self {
        let app = engine.app().await;
        let owner = app.sign_up("ada@example.com").await;
        let team = owner.post_form("/auth/organizations", &[("name", "Crew")]).await.expect(303).location().to_owned();
        let invite = async |email| {
            let fields = [("email", email), ("role", "member")];
            let page = owner.post_form(&format!("{team}/invitations"), &fields).await.expect(200).text();
            page.split("/auth/invitations/").nth(1).unwrap().split('"').next().unwrap().to_owned()
        };
        let bob = app.sign_up("bob@example.com").await;
        let link = invite("bob@example.com").await;
        bob.post_form(&format!("/auth/invitations/{link}/accept"), &[]).await.expect(303);
        invite("cy@example.com").await;
        let member = id_of(&app, "bob@example.com").await;
        let page = format!("/auth/admin{}", team.strip_prefix("/auth").unwrap());
        let shown = someone_with(&app, "auditor").await.get(&page).await.expect(200).text();
        assert!(shown.contains("cy@example.com"), "{shown}");
        let admin = someone_with(&app, "admin").await.get(&page).await.expect(200).text();
        let invitation = admin.split("/invitations/").nth(1).unwrap().split('/').next().unwrap().to_owned();
        Self { app, owner, page, member, invitation }
    }
}

async fn each_act_on_an_organization_is_a_form_and_is_done_once_it_is_sent(engine: Engine) {
    let Team { app, page, member, invitation, .. } = Team::start(engine).await;
    let (admin, auditor) = (someone_else(&app, "admin").await, someone_else(&app, "auditor").await);
    admin.get(LIST).await.snapshot("admin/organizations");
    admin.get(&page).await.snapshot("admin/organization");
    auditor.get(&page).await.snapshot("admin/organization_of_auditor");
    app.anonymous().get(LIST).await.snapshot("admin/organizations_logged_out");
    app.anonymous().get(&page).await.snapshot("admin/organization_logged_out");
    let none = "0198c0de-0000-7000-8000-000000000000";
    admin.get(&format!("{LIST}/{none}")).await.snapshot("admin/organization_unknown");
    let acts: [ActOnTeam<'_>; 5] = [
        ("organization_rename", "rename".to_owned(), &[("name", "Band")]),
        ("member_role", format!("members/{member}/role"), &[("role", "admin")]),
        ("member_remove", format!("members/{member}/remove"), &[]),
        ("invitation_revoke", format!("invitations/{invitation}/revoke"), &[]),
        ("organization_delete", "delete".to_owned(), &[]),
    ];
    for (file, path, fields) in &acts {
        let path = format!("{page}/{path}");
        admin.get(&path).await.snapshot(&format!("admin/{file}_form"));
        auditor.get(&path).await.snapshot(&format!("admin/{file}_form_refused"));
        auditor.post_form(&path, &[REASON]).await.snapshot(&format!("admin/{file}_refused"));
        let done = act(&admin, &path, &[fields, [REASON].as_slice()].concat()).await;
        done.snapshot(&format!("admin/{file}_done"));
    }
    admin.get(&page).await.expect(404);
    let kinds = "SELECT kind FROM audit WHERE fields LIKE '%asked by phone%' ORDER BY at, id";
    let done =
        ["organization_renamed", "member_role_changed", "member_removed", "invitation_revoked", "organization_deleted"];
    assert_eq!(app.database().texts(kinds).await, done);
}

/// Someone with a platform role whose account is there.
async fn someone_else(app: &TestApp, role: &str) -> Client {
    let client = app.anonymous();
    client.log_in(&format!("{role}@example.com"), crate::harness::PASSWORD).await.expect(303);
    client
}

async fn organizations_are_found_by_the_beginning_of_the_name_and_by_id(engine: Engine) {
    let Team { app, owner, page, .. } = Team::start(engine).await;
    for name in ["Éclair %", "Engine  Works"] {
        owner.post_form("/auth/organizations", &[("name", name)]).await.expect(303);
    }
    let admin = someone_else(&app, "admin").await;
    let found = async |query: &str| first_column(&admin.get(&format!("{LIST}?query={query}")).await.expect(200));
    for crew in ["Crew", "cre", "C", "%20CREW%20", page.rsplit('/').next().unwrap()] {
        assert_eq!(found(crew).await, ["Crew"], "{crew}");
    }
    assert_eq!(found("%C3%89CL").await, ["Éclair %"], "folded as login folds, accents apart");
    assert_eq!(found("engine%20%20w").await, ["Engine Works"]);
    for none in ["rew", "works", "%25", "_", "'", "0198c0de-0000-7000-8000-000000000000", &"x".repeat(10_000)] {
        assert!(found(none).await.is_empty(), "{none}");
    }
    assert!(admin.get(&format!("{LIST}?query=Crews")).await.text().contains("No organization fits."));
    assert!(found("").await.len() > 2 && found("%00").await.len() > 2, "what no form sends restricts nothing");
    let renamed = act(&admin, &format!("{page}/rename"), &[("name", "Étoile"), REASON]).await;
    assert_eq!(renamed.status, 303);
    assert_eq!((found("%C3%A9").await, found("crew").await), (vec!["Éclair %".into(), "Étoile".into()], vec![]));
}

async fn long_searches_of_organizations_go_on(engine: Engine) {
    let Team { app, owner, .. } = Team::start(engine).await;
    let app = app.restart_with(&[("SVC_RATE_LIMIT", "off")]).await;
    let owner = owner.at(&app.url());
    let admin = someone_else(&app, "admin").await;
    for number in 0..52 {
        owner.post_form("/auth/organizations", &[("name", &format!("Wing {:02}", number / 2))]).await.expect(303);
    }
    let first = admin.get(&format!("{LIST}?query=wing")).await.expect(200);
    assert_eq!(first_column(&first).len(), 50);
    let next = first.text().split("href=\"").find(|link| link.contains("after=")).unwrap().to_owned();
    let next = next.split('"').next().unwrap().replace("&amp;", "&").replace("&#38;", "&");
    let last = admin.get(&next).await.expect(200);
    assert_eq!(first_column(&last), ["Wing 25", "Wing 25"]);
    assert!(!last.text().contains("after="), "{last}");
    // A place of another search, or none, begins with the first page.
    let crew = next.replace("query=wing", "query=crew");
    assert_eq!(first_column(&admin.get(&crew).await.expect(200)), ["Crew"]);
    for place in ["nowhere", "-", "0198c0de-0000-7000-8000-000000000000"] {
        let shown = admin.get(&format!("{LIST}?query=crew&after={place}")).await.expect(200);
        assert_eq!(first_column(&shown), ["Crew"], "{place}");
    }
}

/// As a process of the previous version writes them, which knows no keys.
async fn organizations_of_older_versions_are_found(engine: Engine) {
    let Team { app, owner, .. } = Team::start(engine).await;
    owner.post_form("/auth/organizations", &[("name", "Yard")]).await.expect(303);
    app.database().execute("UPDATE organizations SET name = 'Harbour' WHERE name = 'Crew'").await;
    app.database().execute("UPDATE organizations SET name_key = NULL, keyed_name = NULL WHERE name = 'Yard'").await;
    renew_part(&app.app).await.unwrap();
    let admin = someone_else(&app, "admin").await;
    let found = async |query: &str| first_column(&admin.get(&format!("{LIST}?query={query}")).await.expect(200));
    assert_eq!((found("harb").await, found("yar").await), (vec!["Harbour".into()], vec!["Yard".into()]));
    assert!(found("crew").await.is_empty());
}

async fn names_roles_and_personal_organizations_have_rules(engine: Engine) {
    let Team { app, page, .. } = Team::start(engine).await;
    let admin = someone_else(&app, "admin").await;
    let ada = id_of(&app, "ada@example.com").await;
    let role = act(&admin, &format!("{page}/members/{ada}/role"), &[("role", "root"), REASON]).await.expect(422);
    assert!(role.text().contains("Choose among the roles"), "{role}");
    let name = act(&admin, &format!("{page}/rename"), &[("name", " "), REASON]).await;
    assert!(name.expect(422).text().contains("id=\"name-error\""));
    let personal = format!("{LIST}?query={}", "ada");
    let id = app.database().texts("SELECT name FROM organizations WHERE kind = 'personal' ORDER BY id").await;
    assert_eq!(first_column(&admin.get(&personal).await), [id[0].as_str()]);
    let shown = admin.get(&personal).await.text();
    let own = shown.split("/auth/admin/organizations/").nth(1).unwrap().split('"').next().unwrap();
    let own = format!("{LIST}/{own}");
    assert!(!admin.get(&own).await.text().contains(&format!("{own}/delete")));
    let refused = act(&admin, &format!("{own}/delete"), &[REASON]).await.expect(422);
    assert!(refused.text().contains("A personal organization"), "{refused}");
}

async fn long_lists_of_members_and_invitations_go_on(engine: Engine) {
    let Team { app, owner, page, .. } = Team::start(engine).await;
    let admin = someone_else(&app, "admin").await;
    let team = page.replace("/admin", "");
    for number in 0..51 {
        let fields = [("email", format!("p{number}@example.com")), ("role", "member".to_owned())];
        let fields = fields.each_ref().map(|(name, value)| (*name, value.as_str()));
        let status = owner.post_form(&format!("{team}/invitations"), &fields).await.status;
        if status == 429 {
            app.clock().advance(std::time::Duration::from_hours(1));
            owner.log_in("ada", crate::harness::PASSWORD).await.expect(303);
            owner.post_form(&format!("{team}/invitations"), &fields).await.expect(200);
        }
    }
    let shown = someone_else(&app, "admin").await.get(&page).await.expect(200).text();
    let next = shown.split("?invited_after=").nth(1).unwrap().split('"').next().unwrap();
    let rest = someone_else(&app, "admin").await.get(&format!("{page}?invited_after={next}")).await.expect(200).text();
    assert!(rest.contains("cy@example.com") && !shown.contains("cy@example.com"), "the first one is the last");
    drop(admin);
}

async fn names_of_organizations_stand_apart(engine: Engine) {
    let Team { app, page, .. } = Team::start(engine).await;
    let admin = someone_else(&app, "admin").await;
    app.database().execute("UPDATE organizations SET name = '<b>$(reboot)</b>' WHERE name = 'Crew'").await;
    for path in [LIST, &page, &format!("{page}/rename"), &format!("{page}/delete")] {
        let text = admin.get(path).await.expect(200).text();
        assert!(text.contains("<bdi>&#60;b&#62;$(reboot)&#60;/b&#62;</bdi>"), "{path}: {text}");
        let command = text.split("<p class=\"hint command\">").nth(1).unwrap().split("</p>").next().unwrap();
        assert!(!command.contains("reboot"), "{command}");
    }
}
