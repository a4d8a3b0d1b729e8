//! What people do with organizations, their members and invitations in each state.

use super::{Maker, link};
use crate::harness::Client;
use crate::invitations::{invite, shown_link};
use crate::organizations::{create_team, user_id};

pub(super) async fn act(maker: &mut Maker) {
    let oda = maker.sign_up("oda@example.com").await;
    let spare = create_team(&oda, "Spare").await;
    oda.post_form(&format!("{spare}/delete"), &[("name", "Spare")]).await.expect(303);
    let crew = create_team(&oda, "The crew").await;
    oda.post_form(&format!("{crew}/rename"), &[("name", "Crew")]).await.expect(303);
    invitations(maker, &oda, &crew).await;
    let pat = member(maker, &oda, &crew, "pat@example.com").await;
    pat.post_form(&format!("{crew}/switch"), &[]).await.expect(303);
    let quin = member(maker, &oda, &crew, "quin@example.com").await;
    let path = format!("{crew}/members/{}", user_id(&quin).await);
    oda.post_form(&format!("{path}/role"), &[("role", "admin")]).await.expect(303);
    let ray = member(maker, &oda, &crew, "ray@example.com").await;
    let path = format!("{crew}/members/{}", user_id(&ray).await);
    oda.post_form(&format!("{path}/remove"), &[]).await.expect(303);
    let sam = member(maker, &oda, &crew, "sam@example.com").await;
    sam.post_form(&format!("{crew}/leave"), &[]).await.expect(303);
    for (client, user) in [(&oda, "oda"), (&pat, "pat"), (&quin, "quin"), (&ray, "ray")] {
        maker.keep(client, user, "password");
    }
}

/// A new user who was invited and accepted.
async fn member(maker: &Maker, owner: &Client, team: &str, email: &str) -> Client {
    invite(owner, team, email, "member").await;
    let client = maker.sign_up(email).await;
    let link = link(&maker.mail(email, "nvit").await);
    client.post_form(&format!("{link}/accept"), &[]).await.expect(303);
    client
}

/// Pending, sent again, revoked and declined; those of members are accepted, and one expires.
async fn invitations(maker: &Maker, oda: &Client, crew: &str) {
    invite(oda, crew, "pending@example.com", "member").await;
    for (email, action) in [("again@example.com", "resend"), ("revoked@example.com", "revoke")] {
        invite(oda, crew, email, "admin").await;
        let page = oda.get(&format!("{crew}/invitations")).await.expect(200).text();
        let row = &page[page.find(email).unwrap()..];
        let found = row.split("action=\"").find(|part| part.split('"').next().unwrap().ends_with(action));
        let reply = oda.post_form(found.unwrap().split('"').next().unwrap(), &[]).await;
        if action == "resend" {
            shown_link(&reply.expect(200));
        }
    }
    invite(oda, crew, "declined@example.com", "member").await;
    let link = link(&maker.mail("declined@example.com", "nvit").await);
    let anyone = maker.browser("");
    anyone.post_form(&format!("{link}/decline"), &[]).await;
}
