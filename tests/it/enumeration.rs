//! Nothing that a stranger or an inviter can ask tells who has an account (docs/concepts/security.md).

use crate::harness::{Client, Engine, Reply, TestApp, code_of, link_of};
use crate::invitations::invite;
use crate::organizations::{PASSWORD, create_team};
use serde_json::Value;
use std::time::Duration;

one_engine![
    shown_invitation_does_not_tell_who_has_an_account,
    mailed_invitation_tells_its_owner,
    inviting_does_the_same_work_for_every_address,
    taken_username_is_numbered_where_verification_is_required,
    taken_username_is_refused_elsewhere,
    request_ids_count_nothing,
];

const PAGE_FIELD: &str = "name=\"page\" value=\"";

/// A reply without what differs for every request or address.
fn comparable(client: &Client, reply: &Reply, email: &str, link: &str) -> (u16, String, String) {
    let token = link.rsplit('/').next().unwrap();
    let strip = |text: &str| {
        let text = text.replace(email, "EMAIL").replace(token, "TOKEN").replace(&encoded(token), "TOKEN");
        let text = without_forms(client, &text);
        // Both invitations were made at other times.
        let parts = text.split("<time ").map(|part| part.split_once("</time>").map_or(part, |(_, rest)| rest));
        parts.collect::<String>()
    };
    (reply.status, strip(reply.header("location").unwrap_or_default()), strip(&reply.text()))
}

/// A page without what its forms carry, which differs each time.
fn without_forms(client: &Client, page: &str) -> String {
    let page = page.replace(&client.token("csrf").unwrap_or_default(), "CSRF");
    let (first, forms) = page.split_once(PAGE_FIELD).unwrap_or((&page, ""));
    let rest = forms.split(PAGE_FIELD).map(|form| form.split_once('"').map_or(form, |(_, rest)| rest));
    std::iter::once(first).chain(rest).collect()
}

/// As a value within a query.
pub fn encoded(path: &str) -> String {
    path.replace('/', "%2F").replace('-', "%2D").replace('_', "%5F")
}

/// Every answer that the link gives a guest who is not logged in.
async fn answers(app: &TestApp, link: &str, email: &str, statements: bool) -> Vec<(u16, String, String, u64)> {
    let token = link.rsplit('/').next().unwrap();
    let guest = app.anonymous();
    guest.get("/auth/login").await.expect(200);
    let mut answers = Vec::new();
    let mut note = async |path: &str, fields: Option<&[(&str, &str)]>| {
        let before = app.app.store.statements();
        let reply = match fields {
            Some(fields) => guest.post_form(path, fields).await,
            None => guest.get(path).await,
        };
        let work = if statements { app.app.store.statements() - before } else { 0 };
        let (status, location, page) = comparable(&guest, &reply, email, link);
        answers.push((status, location, page, work));
    };
    note(link, None).await;
    note(&format!("{link}/accept"), Some(&[])).await;
    note(&format!("/auth/login?return_to={}", link.replace('/', "%2F")), None).await;
    note(&format!("/auth/signup?invitation={token}"), None).await;
    let short = [("password", "short"), ("invitation", token)];
    note("/auth/signup", Some(&short)).await;
    let fields = [("password", "a lighthouse in the rain"), ("invitation", token)];
    note("/auth/signup", Some(&fields)).await;
    note("/auth/email/verify", None).await;
    note("/auth/email/verify", Some(&[("code", "000000")])).await;
    app.clock().advance(Duration::from_secs(61));
    note("/auth/email/verify/resend", Some(&[])).await;
    note("/auth/email/verify", Some(&[("code", "000000")])).await;
    note(link, None).await;
    note(&format!("{link}/decline"), Some(&[])).await;
    note(link, None).await;
    answers
}

async fn shown_invitation_does_not_tell_who_has_an_account(engine: Engine) {
    let app = engine.prepare().await.set("SVC_EMAIL_VERIFICATION", "required").without_background().start().await;
    let ada = app.sign_up_verified("ada@example.com").await;
    app.sign_up_verified("victim@example.com").await;
    let team = create_team(&ada, "Crew").await;
    let mut seen = Vec::new();
    for email in ["victim@example.com", "nobody@example.com"] {
        let link = invite(&ada, &team, email, "member").await;
        seen.push(answers(&app, &link, email, true).await);
    }
    assert_eq!(seen[0], seen[1]);
    let page = &seen[0][0].2;
    assert!(page.contains("/auth/login?return_to=") && page.contains("/auth/signup?invitation="), "{page}");
    // Both ways are offered in every mode.
    for (mode, signup) in [("optional", "open"), ("off", "open"), ("off", "invite"), ("off", "closed")] {
        let app = engine.prepare().await.set("SVC_EMAIL_VERIFICATION", "off").start().await;
        let ada = app.sign_up("ada@example.com").await;
        app.sign_up("victim@example.com").await;
        let team = create_team(&ada, "Crew").await;
        let victim = invite(&ada, &team, "victim@example.com", "member").await;
        let nobody = invite(&ada, &team, "nobody@example.com", "member").await;
        let app = app.restart_with(&[("SVC_EMAIL_VERIFICATION", mode), ("SVC_SIGNUP", signup)]).await;
        let guest = app.anonymous();
        let mut pages = Vec::new();
        for (link, email) in [(&victim, "victim@example.com"), (&nobody, "nobody@example.com")] {
            guest.get("/auth/login").await;
            pages.push(comparable(&guest, &guest.get(link).await.expect(200), email, link));
        }
        assert_eq!(pages[0], pages[1], "{mode} {signup}");
        assert!(pages[0].2.contains("/auth/login?return_to="), "{}", pages[0].2);
        assert_eq!(pages[0].2.contains("/auth/signup?invitation="), signup != "closed", "{}", pages[0].2);
    }
}

async fn mailed_invitation_tells_its_owner(engine: Engine) {
    let app = engine.prepare().await.set("SVC_EMAIL_VERIFICATION", "required").start().await;
    let ada = app.sign_up_verified("ada@example.com").await;
    app.sign_up_verified("bob@example.com").await;
    let team = create_team(&ada, "Crew").await;
    for (email, has_account) in [("bob@example.com", true), ("cy@example.com", false)] {
        invite(&ada, &team, email, "member").await;
        let link = link_of(&app.mail_to(email, "invited you").await);
        let page = app.anonymous().get(&link).await.expect(200).text();
        assert_eq!(page.contains("/auth/login?return_to="), has_account, "{page}");
        assert_eq!(page.contains("/auth/signup?invitation="), !has_account, "{page}");
    }
}

async fn inviting_does_the_same_work_for_every_address(engine: Engine) {
    let app = engine.prepare().await.without_background().start().await;
    let ada = app.sign_up("ada@example.com").await;
    app.sign_up("victim@example.com").await;
    let team = create_team(&ada, "Crew").await;
    let mut work = Vec::new();
    for email in ["warm-up@example.com", "victim@example.com", "nobody@example.com"] {
        let before = app.app.store.statements();
        invite(&ada, &team, email, "member").await;
        work.push(app.app.store.statements() - before);
    }
    assert_eq!(work[1], work[2]);
}

async fn taken_username_is_numbered_where_verification_is_required(engine: Engine) {
    let app = engine.prepare().await.set("SVC_EMAIL_VERIFICATION", "required").start().await;
    app.sign_up_verified("alice.smith@example.com").await;
    let team_of = async |client: &Client| {
        let page = client.get("/auth/account").await.expect(200).text();
        let user: Value = client.api_user().await.expect(200).json();
        let name = user["username"].as_str().unwrap().to_owned();
        assert!(page.contains(&name), "{page}");
        name
    };
    let mut seen = Vec::new();
    for (number, name) in ["alice.smith", "Alice.Smith", "free.name"].into_iter().enumerate() {
        let (eve, email) = (app.anonymous(), format!("eve{number}@example.com"));
        let fields = [("email", email.as_str()), ("username", name), ("password", PASSWORD)];
        let reply = eve.post_form("/auth/signup", &fields).await.expect(303);
        let page = eve.get("/auth/email/verify").await.expect(200).text().replace(&email, "EMAIL");
        seen.push((reply.location().to_owned(), without_forms(&eve, &page)));
        let code = code_of(&app.mail_to(&email, "Finish").await);
        eve.post_form("/auth/email/verify", &[("code", &code)]).await.expect(303);
        let expected = ["alice.smith2", "Alice.Smith3", "free.name"][number];
        assert_eq!(team_of(&eve).await, expected);
    }
    assert!(seen.iter().all(|answer| *answer == seen[0]), "{seen:?}");
    // Through the mailed link of an invitation as well, which asks for no further verification.
    let ada = app.sign_up_verified("ada@example.com").await;
    let team = create_team(&ada, "Crew").await;
    invite(&ada, &team, "bob@example.com", "member").await;
    let link = link_of(&app.mail_to("bob@example.com", "invited you").await);
    let bob = app.anonymous();
    let token = link.rsplit('/').next().unwrap();
    let fields = [("username", "ada"), ("password", PASSWORD), ("invitation", token)];
    bob.post_form("/auth/signup", &fields).await.expect(303);
    assert_eq!(team_of(&bob).await, "ada2");
}

async fn taken_username_is_refused_elsewhere(engine: Engine) {
    for mode in ["off", "optional"] {
        let app = engine.prepare().await.set("SVC_EMAIL_VERIFICATION", mode).start().await;
        app.sign_up("alice@example.com").await;
        let fields = [("email", "eve@example.com"), ("username", "Alice"), ("password", PASSWORD)];
        let refused = app.anonymous().post_form("/auth/signup", &fields).await.expect(422);
        assert!(refused.text().contains("is taken"), "{}", refused.text());
    }
}

async fn request_ids_count_nothing(engine: Engine) {
    let app = engine.app().await;
    let guest = app.anonymous();
    let mut ids = Vec::new();
    for _ in 0..20 {
        let reply = guest.get("/auth/health").await.expect(200);
        let id = reply.header("x-request-id").unwrap();
        assert_eq!(id.len(), 16, "{id}");
        ids.push(u64::from_str_radix(id, 16).unwrap());
    }
    // Random ids are this close once in 2^31 pairs.
    let close = |pair: &[u64]| pair[0].abs_diff(pair[1]) < 1 << 32;
    assert!(!ids.windows(2).any(close), "{ids:x?}");
}
