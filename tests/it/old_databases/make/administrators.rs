//! What administrators do at their pages, what is refused to one of them, and what an operator takes back of strangers.

use super::{LAPTOP, Maker};
use crate::harness::{Client, PASSWORD, act as submit};

const REASON: (&str, &str) = ("reason", "asked by phone");

pub(super) async fn act(maker: &Maker) {
    let [admin, auditor] = [with_role(maker, "admin").await, with_role(maker, "auditor").await];
    let replay = [("channel", "webhook"), ("until", "2020-01-01"), REASON];
    submit(&admin, "/auth/admin/deliveries/replay", &replay).await.expect(303);
    maker.wait_for("SELECT count(*) FROM jobs WHERE state = 'done'").await;
    auditor.get("/auth/admin/audit/export?format=csv&kind=account_created").await.expect(200);
    let nobody = "/auth/admin/people/0198c0de-0000-7000-8000-000000000000/delete";
    auditor.post_form(nobody, &[REASON]).await.expect(403);
    let strangers = maker.browser("");
    while strangers.log_in("auditor@example.com", "not the password").await.status != 429 {}
    for kind in ["admin_refused", "sign_in_limited"] {
        maker.wait_for(&format!("SELECT count(*) FROM audit WHERE kind = '{kind}'")).await;
    }
    maker.command("user unlock auditor@example.com").await;
}

/// Someone with this role, who has just logged in.
async fn with_role(maker: &Maker, role: &str) -> Client {
    let email = format!("{role}@example.com");
    maker.sign_up(&email).await;
    maker.command(&format!("user grant {email} {role}")).await;
    let browser = maker.browser(LAPTOP);
    browser.log_in(&email, PASSWORD).await.expect(303);
    browser
}
