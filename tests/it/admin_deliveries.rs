//! Administrators see webhooks and mails, and send a webhook again (docs/reference/administration.md).

use crate::harness::{Client, Engine, TestApp, WEBHOOK_SECRET, act, first_column, someone_with};
use doorward::domain::jobs;

both_engines![
    each_page_of_deliveries_is_shown_to_those_who_may,
    deliveries_are_restricted_by_state_kind_and_day,
    failed_webhook_is_sent_again_once_and_recorded,
    mail_is_shown_without_its_text,
    unknown_deliveries_have_no_page
];
one_engine![waiting_webhooks_are_sent_by_a_button_and_recorded];

const REASON: (&str, &str) = ("reason", "receiver was down");
const LIST: &str = "/auth/admin/deliveries";

/// A service whose events have nobody who takes them, with an administrator.
async fn with_admin(engine: Engine) -> (TestApp, Client) {
    let builder = engine.prepare().await.with_email_verification().without_background();
    let app =
        builder.set("SVC_WEBHOOK_URL", "http://127.0.0.1:9/").set("SVC_WEBHOOK_SECRET", WEBHOOK_SECRET).start().await;
    let admin = someone_with(&app, "admin").await;
    (app, admin)
}

async fn first_delivery(client: &Client, query: &str) -> String {
    let id = first_column(&client.get(&format!("{LIST}{query}")).await.expect(200)).pop().unwrap();
    format!("{LIST}/{id}")
}

async fn each_page_of_deliveries_is_shown_to_those_who_may(engine: Engine) {
    let (app, admin) = with_admin(engine).await;
    let page = first_delivery(&admin, "").await;
    let auditor = someone_with(&app, "auditor").await;
    let replay = format!("{page}/replay");
    admin.get(&page).await.snapshot("admin/delivery");
    auditor.get(&page).await.snapshot("admin/delivery_of_auditor");
    app.anonymous().get(LIST).await.snapshot("admin/deliveries_logged_out");
    let any = format!("{LIST}/evt_0198c0de-0000-7000-8000-000000000000");
    app.anonymous().get(&any).await.snapshot("admin/delivery_logged_out");
    admin.get(&format!("{LIST}?state=failed")).await.snapshot("admin/deliveries_none");
    admin.get(&format!("{LIST}?channel=mail")).await.snapshot("admin/deliveries_of_mails");
    admin.get(&replay).await.snapshot("admin/replay_form");
    auditor.get(&replay).await.snapshot("admin/replay_form_refused");
    auditor.post_form(&replay, &[REASON]).await.snapshot("admin/replay_refused");
    act(&admin, &replay, &[REASON]).await.snapshot("admin/replay_done");
}

async fn deliveries_are_restricted_by_state_kind_and_day(engine: Engine) {
    let (_app, admin) = with_admin(engine).await;
    let count = async |query: &str| first_column(&admin.get(&format!("{LIST}{query}")).await.expect(200)).len();
    let all = count("").await;
    assert!(all >= 3, "{all}");
    assert_eq!(count("?state=pending").await, all);
    assert_eq!(count("?state=failed").await, 0);
    assert_eq!(count("?kind=user.created").await, 1);
    assert_eq!(count("?kind=user.create").await, 0);
    assert_eq!(count("?since=2020-01-01").await, all);
    for nothing in ["?since=2999-01-01", "?until=2020-01-01", "?state=pending&until=2020-01-01"] {
        assert_eq!(count(nothing).await, 0, "{nothing}");
    }
    // What is no day or no state restricts nothing.
    assert_eq!(count("?since=yesterday&until=2020-13-01&state=lost&after=nowhere").await, all);
    let mails = count("?channel=mail").await;
    assert!(mails >= 1);
    assert_eq!(count("?channel=mail&kind=email-verification&state=pending").await, mails);
    assert_eq!(count("?channel=mail&kind=password-reset").await, 0);
    assert_eq!(count("?channel=mail&since=2999-01-01").await, 0);
}

async fn failed_webhook_is_sent_again_once_and_recorded(engine: Engine) {
    let (app, admin) = with_admin(engine).await;
    let page = first_delivery(&admin, "?kind=user.created").await;
    let failed = "UPDATE outbox SET state = 'failed', finished_at = due_at, attempts = 5 WHERE kind = 'user.created'";
    app.database().execute(failed).await;
    let shown = admin.get(&page).await.expect(200).text();
    assert!(shown.contains("Failed") && shown.contains("Not tried yet."), "{shown}");
    let done = act(&admin, &format!("{page}/replay"), &[REASON]).await.expect(303).location().to_owned();
    assert_eq!(done, format!("{page}?done=act"));
    assert!(admin.get(&done).await.text().contains("Done, and recorded in the audit log."));
    let state = "SELECT state FROM outbox WHERE kind = 'user.created'";
    assert_eq!(app.database().texts(state).await, ["pending"]);
    let entry = "SELECT count(*) FROM audit WHERE kind = 'deliveries_replayed' AND fields LIKE '%receiver was down%'";
    assert_eq!(app.database().count(entry).await, 1);
    app.database()
        .execute("UPDATE outbox SET state = 'processing', leased_at = due_at WHERE kind = 'user.created'")
        .await;
    let busy = act(&admin, &format!("{page}/replay"), &[REASON]).await.expect(422);
    assert!(busy.text().contains("It is being sent just now."), "{busy}");
    assert_eq!(app.database().count(entry).await, 1);
}

async fn waiting_webhooks_are_sent_by_a_button_and_recorded(engine: Engine) {
    let (app, admin) = with_admin(engine).await;
    let list = admin.get(&format!("{LIST}?kind=user.created&since=2020-01-01")).await.expect(200);
    let button = format!("{LIST}/replay?kind=user%2Ecreated&state=pending");
    assert!(list.text().contains(&button.replace('&', "&#38;")), "{list}");
    let form = admin.get(&button).await.expect(200).text();
    for chosen in ["pending", "user.created"] {
        assert!(form.contains(&format!(r#"<option value="{chosen}" selected>"#)), "{form}");
    }
    let tried = "UPDATE outbox SET attempts = 3, leased_at = due_at, \
        due_at = (SELECT max(expires_at) FROM mails) WHERE channel = 'webhook'";
    app.database().execute(tried).await;
    let replay = format!("{LIST}/replay");
    let waiting = [("state", "pending"), ("kind", "user.created"), REASON];
    for refused in [("state", "delivered"), ("since", "2026-01-01"), ("until", "2026-01-01")] {
        act(&admin, &replay, &[&waiting[usize::from(refused.0 == "state")..], &[refused]].concat()).await.expect(422);
    }
    let job = act(&admin, &replay, &waiting).await.expect(303).location().to_owned();
    jobs::work(&app.app, || false).await.unwrap();
    let page = admin.get(&job).await.expect(200).text();
    assert!(page.contains("<dd>1 of 1</dd>") && page.contains("<dd>Waiting</dd>"), "{page}");
    let due = "SELECT kind FROM outbox WHERE channel = 'webhook' AND attempts = 0";
    assert_eq!(app.database().texts(due).await, ["user.created"]);
    let entry = "SELECT count(*) FROM audit WHERE kind = 'deliveries_replayed' AND fields LIKE '%\"waiting\":true%' \
        AND fields LIKE '%receiver was down%'";
    assert_eq!(app.database().count(entry).await, 1);
}

async fn mail_is_shown_without_its_text(engine: Engine) {
    let (app, admin) = with_admin(engine).await;
    let list = admin.get(&format!("{LIST}?channel=mail")).await.expect(200).text();
    let cell = |text: &str| format!("<div><bdi>{text}</bdi></div>");
    assert!(list.contains(&cell("admin@example.com")) && list.contains(&cell("Verify your email address")), "{list}");
    let page = first_delivery(&admin, "?channel=mail").await;
    let link = app.mail_to("admin@example.com", "Verify your").await.link.unwrap();
    let shown = admin.get(&page).await.expect(200).text();
    assert!(shown.contains("admin@example.com") && shown.contains("doorward mail show"), "{shown}");
    assert!(!shown.contains(link.rsplit('/').next().unwrap()), "{shown}");
    // A mail is not sent again.
    admin.get(&format!("{page}/replay")).await.expect(404);
    admin.post_form(&format!("{page}/replay"), &[REASON]).await.expect(404);
}

async fn unknown_deliveries_have_no_page(engine: Engine) {
    let (_app, admin) = with_admin(engine).await;
    let none = "0198c0de-0000-7000-8000-000000000000";
    for id in [none, &format!("evt_{none}"), "evt_", "evt_1", "nothing", "%00", "..%2fpeople"] {
        admin.get(&format!("{LIST}/{id}")).await.expect(404);
        admin.get(&format!("{LIST}/{id}/replay")).await.expect(404);
    }
}
