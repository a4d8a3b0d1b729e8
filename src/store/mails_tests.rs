//! Every statement about mails finds its rows by an index, so its cost does not grow with how many were sent.

use super::mails::{ANY_EXPIRED, EXPIRE, SEALED, WITHDRAW};
use super::mails_read::{ALL, DELIVERED, FAILED, PENDING, PROCESSING, TO, TO_IN_STATE};
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
fn what_leaves_the_queue_is_found_by_an_index() {
    uses(WITHDRAW.sqlite, "INDEX mails_about_id (about_id=?)");
    uses(WITHDRAW.sqlite, "SEARCH outbox USING PRIMARY KEY (id=?)");
    uses(EXPIRE.sqlite, "INDEX mails_expires_at (expires_at<?)");
    uses(EXPIRE.sqlite, "SEARCH outbox USING PRIMARY KEY (id=?)");
    uses(ANY_EXPIRED.sqlite, "INDEX mails_expires_at (expires_at<?)");
    uses(SEALED, "SEARCH m USING PRIMARY KEY (id>?)");
}

#[test]
fn what_the_operator_asks_is_found_by_an_index() {
    // The newest are the last of the primary key; the limit ends the walk.
    uses(ALL, "SCAN m");
    uses(TO, "INDEX mails_recipient_key (recipient_key=?)");
    uses(TO_IN_STATE, "INDEX mails_recipient_key (recipient_key=?)");
    uses(PENDING, "INDEX outbox_pending (channel=?)");
    uses(PROCESSING, "INDEX outbox_processing (channel=?)");
    uses(DELIVERED, "INDEX outbox_delivered (channel=?)");
    uses(FAILED, "INDEX outbox_failed (channel=?)");
}
