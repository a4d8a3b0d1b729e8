//! Every statement about emails uses an index, so that its cost does not grow with the number of emails sent.

use super::mails::{ANY_EXPIRED, EXPIRE, IS_PENDING, SEALED, WITHDRAW};
use super::mails_read::{ALL, DELIVERED, FAILED, LATER, PENDING, PROCESSING, TO, TO_IN_STATE};
use super::plan::plan;

#[track_caller]
fn uses(sql: &str, step: &str) {
    let plan = plan(sql);
    assert!(plan.iter().any(|found| found.contains(step)), "{step} is not in {plan:#?}");
    let scans =
        plan.iter().filter(|step| step.starts_with("SCAN outbox") || *step == "SCAN o" || step.contains("TEMP B"));
    assert_eq!(scans.count(), 0, "{plan:#?}");
}

#[test]
fn queue_removal_uses_index() {
    uses(WITHDRAW, "INDEX mails_about_id (about_id=?)");
    uses(WITHDRAW, "SEARCH outbox USING PRIMARY KEY (id=?)");
    uses(IS_PENDING, "INDEX mails_about_id (about_id=?)");
    uses(IS_PENDING, "SEARCH outbox USING PRIMARY KEY (id=?)");
    uses(EXPIRE.sqlite, "INDEX mails_expires_at (expires_at<?)");
    uses(EXPIRE.sqlite, "SEARCH outbox USING PRIMARY KEY (id=?)");
    uses(ANY_EXPIRED.sqlite, "INDEX mails_expires_at (expires_at<?)");
    uses(SEALED, "SEARCH m USING PRIMARY KEY (id>?)");
}

#[test]
fn operator_queries_use_index() {
    uses(ALL, "SEARCH m USING PRIMARY KEY (id<?)");
    uses(TO, "INDEX mails_recipient_key (recipient_key=? AND id<?)");
    uses(LATER, "INDEX mails_recipient_key (recipient_key=? AND id>?)");
    uses(TO_IN_STATE, "INDEX mails_recipient_key (recipient_key=? AND id<?)");
    uses(PENDING, "INDEX outbox_pending (channel=? AND (due_at,id)<(?,?))");
    uses(PROCESSING, "INDEX outbox_processing (channel=? AND (leased_at,id)<(?,?))");
    uses(DELIVERED, "INDEX outbox_delivered (channel=? AND (finished_at,id)<(?,?))");
    uses(FAILED, "INDEX outbox_failed (channel=? AND (finished_at,id)<(?,?))");
}
