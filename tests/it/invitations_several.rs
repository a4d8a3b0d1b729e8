//! Several people invited by one form: each is judged alone, and what was not done stays in the form.

use crate::harness::{Engine, Reply, TestApp};
use crate::invitations::invite;
use crate::organizations::{create_team, user_id};
use doorward::model::ids::UserId;
use doorward::rate_limit::RateLimit;

both_engines![too_many_addresses_at_once_are_refused_as_typed,];
one_engine![
    addresses_of_one_form_are_invited_each_by_itself,
    wrong_addresses_stay_in_the_form_and_the_others_are_invited,
    limits_count_each_address_and_keep_the_rest_in_the_form,
];

/// What the field of the addresses shows, line by line.
fn left_in_form(reply: &Reply) -> Vec<String> {
    let text = reply.text();
    let field = text.split_once("<textarea").and_then(|(_, rest)| rest.split_once('>')).unwrap().1;
    field.split_once("</textarea>").unwrap().0.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

/// How many links the page shows.
fn links(reply: &Reply) -> usize {
    reply.text().matches("readonly").count()
}

async fn pending(app: &TestApp) -> Vec<String> {
    app.database().texts("SELECT email FROM invitations WHERE state = 'pending' ORDER BY email").await
}

async fn addresses_of_one_form_are_invited_each_by_itself(engine: Engine) {
    let app = engine.prepare().await.set("SVC_SMTP_URL", "smtp://127.0.0.1:1").set("SVC_MAIL_FROM", "a@example.org");
    let app = app.start().await;
    let ada = app.sign_up("ada@example.com").await;
    let team = create_team(&ada, "Crew").await;
    let typed = "bob@example.com, Cy Twombly <cy@example.com>;dan@example.com\r\n BOB@example.com eve@example.com";
    let fields = [("email", typed), ("role", "admin")];
    let done = ada.post_form(&format!("{team}/invitations"), &fields).await.snapshot("invitations/invited_several");
    assert_eq!((links(&done), left_in_form(&done)), (4, vec![]));
    let invited = ["bob", "cy", "dan", "eve"].map(|name| format!("{name}@example.com"));
    assert_eq!(pending(&app).await, invited);
    assert_eq!(app.database().count("SELECT count(*) FROM invitations WHERE role = 'admin'").await, 4);
    for email in &invited {
        assert_eq!(app.mails_to(email).await.len(), 1, "{email}");
    }
}

async fn wrong_addresses_stay_in_the_form_and_the_others_are_invited(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let team = create_team(&ada, "Crew").await;
    invite(&ada, &team, "bob@example.com", "member").await;
    let path = format!("{team}/invitations");
    let fields = [("email", "nobody, cy@example.com, bob@example.com, ada@example.com"), ("role", "admin")];
    let partly = ada.post_form(&path, &fields).await.snapshot("invitations/invited_partly");
    assert_eq!(left_in_form(&partly), ["nobody", "bob@example.com", "ada@example.com"]);
    assert_eq!((links(&partly), pending(&app).await.len()), (1, 2));
    assert!(partly.text().contains("value=\"admin\" selected"), "the role stays: {}", partly.text());
    // Once no one was invited, the answer is that of a wrong form.
    let fields = [("email", "nobody\nbob@example.com"), ("role", "member")];
    let refused = ada.post_form(&path, &fields).await.expect(422);
    assert_eq!(left_in_form(&refused), ["nobody", "bob@example.com"]);
    // What forbids one forbids all.
    let members = [("email", "dan@example.com eve@example.com"), ("role", "owner")];
    let admin = crate::organizations::member(&app, &ada, &team, "fay@example.com", "admin").await;
    let refused = admin.post_form(&path, &members).await.expect(403);
    assert_eq!(left_in_form(&refused), ["dan@example.com eve@example.com"]);
    assert_eq!(pending(&app).await.len(), 2);
}

async fn too_many_addresses_at_once_are_refused_as_typed(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let team = create_team(&ada, "Crew").await;
    let path = format!("{team}/invitations");
    let people = |count: usize| (0..count).map(|number| format!("sailor{number}@example.com")).collect::<Vec<_>>();
    let refused = ada.post_form(&path, &[("email", &people(21).join("\n"))]).await.expect(422);
    assert!(refused.text().contains("You can invite up to 20 people at once."), "{}", refused.text());
    assert_eq!(left_in_form(&refused), people(21));
    assert_eq!(pending(&app).await.len(), 0);
    let done = ada.post_form(&path, &[("email", &people(20).join(" "))]).await.expect(200);
    assert_eq!((links(&done), pending(&app).await.len()), (20, 20));
}

async fn limits_count_each_address_and_keep_the_rest_in_the_form(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let team = create_team(&ada, "Crew").await;
    let path = format!("{team}/invitations");
    let user = UserId(user_id(&ada).await.parse().unwrap());
    // All but two of the fifty that an account may send.
    for _ in 0..48 {
        app.app.rate_limiter.check(RateLimit::InviteBy(user)).await.unwrap();
    }
    let fields = [("email", "a@example.com b@example.com c@example.com d@example.com")];
    let partly = ada.post_form(&path, &fields).await.expect(200);
    assert_eq!(left_in_form(&partly), ["c@example.com", "d@example.com"]);
    assert!(partly.text().contains("The ones below weren’t sent: try again in"), "{}", partly.text());
    assert_eq!(pending(&app).await, ["a@example.com", "b@example.com"]);
    // Where not even the first is within the limits, the page of the limit offers the form again.
    ada.post_form(&path, &fields).await.expect(429);
}
