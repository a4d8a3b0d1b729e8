//! Every statement of the outbox uses an index, so that its cost does not grow with the finished deliveries.

use super::claim::{CLAIM, RELEASE, START};
use super::claim_mails::CLAIM_MAILS;
use super::maintain::{CLEAN_SUBJECTS, Finished, OVERDUE, REAP};
use super::push::{ALIGN, RESERVE};
use super::read::{ATTEMPTS, LIST_ALL, LIST_DELIVERED, LIST_FAILED, LIST_PENDING, LIST_PROCESSING};
use super::replay::{self, COUNT_WAITING, LAST_FAILED, REPLAY, REPLAY_FAILED, REPLAY_WAITING};
use super::settle::SETTLE;
use super::stats::{
    COUNT_DELIVERED, COUNT_DUE, COUNT_FAILED, COUNT_PENDING, COUNT_PROCESSING, DELIVERED_SINCE, OLDEST,
    SAMPLE_DELIVERED, SAMPLE_FAILED, SAMPLE_PENDING,
};
use super::subject_order::{NEXT, PASS, SOME_WAIT, WAITING};
use crate::store::plan::plan;
use crate::store::sql::Sql;

#[track_caller]
fn uses(text: impl Into<Sql>, values: &str, index: &str) {
    let plan = uses_and_sorts(text, values, index);
    assert!(!plan.iter().any(|step| step.contains("TEMP B-TREE")), "{plan:#?}");
}

#[track_caller]
fn uses_and_sorts(text: impl Into<Sql>, values: &str, index: &str) -> Vec<String> {
    let plan = plan(&text.into().sqlite.replace("VALUES", values));
    assert!(plan.iter().any(|step| step.contains(index)), "{index} is not in {plan:#?}");
    assert!(!plan.iter().any(|step| step.starts_with("SCAN outbox")), "{plan:#?}");
    plan
}

#[test]
fn statements_use_their_index() {
    uses(OVERDUE, "VALUES", "INDEX outbox_pending (channel=? AND due_at<?)");
    uses(REAP, "VALUES", "INDEX outbox_processing (channel=? AND leased_at<?)");
    uses(REAP, "VALUES", "SEARCH outbox USING PRIMARY KEY (id=?)");
    uses(Finished::Delivered.clean(), "VALUES", "INDEX outbox_delivered (channel=? AND finished_at<?)");
    uses(Finished::Failed.clean(), "VALUES", "INDEX outbox_failed (channel=? AND finished_at<?)");
    uses(START, "VALUES (?, ?, ?), (?, ?, ?)", "SEARCH outbox USING PRIMARY KEY (id=?)");
    uses(RELEASE, "VALUES (?, ?), (?, ?)", "SEARCH outbox USING PRIMARY KEY (id=?)");
    uses(SETTLE, "VALUES (?, ?, ?, ?, ?), (?, ?, ?, ?, ?)", "SEARCH outbox USING PRIMARY KEY (id=?)");
}

/// However many events of one subject wait, a claim and the end of an attempt look at one or two entries of an index for
/// each subject, and once at what is being sent.
#[test]
fn order_uses_index() {
    for index in [
        "SEARCH outbox USING INDEX outbox_due (channel=? AND due_at<?)",
        "INDEX outbox_sending (subject>?)",
        "INDEX outbox_waiting (subject>?)",
        "SEARCH outbox USING PRIMARY KEY (id=?)",
    ] {
        // It sorts the few that it has found by their subjects.
        uses_and_sorts(CLAIM, "VALUES", index);
    }
    for index in ["INDEX outbox_urgent (channel=? AND due_at<?)", "INDEX outbox_due (channel=? AND due_at<?)"] {
        // It sorts the few that it has found by their turn.
        uses_and_sorts(CLAIM_MAILS, "VALUES", index);
    }
    uses(PASS, "?, ?", "SEARCH outbox USING PRIMARY KEY (id=?)");
    uses(NEXT, "VALUES (?), (?)", "SEARCH o USING COVERING INDEX outbox_sending (subject>?)");
    uses(NEXT, "VALUES (?), (?)", "SEARCH o USING INDEX outbox_waiting (subject>?)");
    uses(SOME_WAIT, "VALUES", "SEARCH outbox USING INDEX outbox_waiting (subject>?)");
    let waiting = plan(WAITING);
    let searches = waiting.iter().filter(|step| step.contains("SEARCH outbox USING INDEX outbox_waiting (subject>?)"));
    assert!(searches.count() == 2 && !waiting.iter().any(|step| step.contains("SCAN outbox")), "{waiting:#?}");
    uses(ALIGN, "VALUES (?, ?), (?, ?)", "SEARCH outbox_subjects USING PRIMARY KEY (subject=?)");
    uses(CLEAN_SUBJECTS, "VALUES", "INDEX outbox_subjects_last_at (last_at<?)");
    // It only inserts, and looks its conflicts up by the primary key.
    let plan = plan(&RESERVE.sqlite.replace("VALUES", "VALUES (?, ?, ?), (?, ?, ?)"));
    assert!(plan.iter().all(|step| !step.contains("outbox_subjects")), "{plan:#?}");
}

#[test]
fn operator_queries_use_index() {
    for text in LIST_PENDING {
        uses(text, "VALUES", "INDEX outbox_pending (channel=? AND due_at>? AND (due_at,id)<(?,?))");
    }
    for text in LIST_PROCESSING {
        uses(text, "VALUES", "INDEX outbox_processing (channel=? AND leased_at>? AND (leased_at,id)<(?,?))");
    }
    for text in LIST_DELIVERED {
        uses(text, "VALUES", "INDEX outbox_delivered (channel=? AND finished_at>? AND (finished_at,id)<(?,?))");
        uses(text, "VALUES", "SEARCH a USING PRIMARY KEY (delivery_id=?)");
    }
    for text in LIST_FAILED {
        uses(text, "VALUES", "INDEX outbox_failed (channel=? AND finished_at>? AND (finished_at,id)<(?,?))");
    }
    for sql in LIST_ALL {
        uses(sql, "VALUES", "SEARCH outbox USING PRIMARY KEY (id>? AND id<?)");
    }
    uses(ATTEMPTS, "VALUES", "SEARCH outbox_attempts USING PRIMARY KEY (delivery_id=?)");
    uses(REPLAY, "VALUES (?, ?), (?, ?)", "SEARCH outbox USING PRIMARY KEY (id=?)");
    uses(REPLAY_FAILED, "VALUES", "INDEX outbox_failed (channel=? AND ");
    uses(REPLAY_WAITING, "VALUES", "INDEX outbox_due (channel=? AND due_at>?)");
    uses(COUNT_WAITING, "VALUES", "INDEX outbox_due (channel=? AND due_at>?)");
    let last = plan(LAST_FAILED);
    let range = "outbox_failed (channel=? AND (finished_at,id)>(?,?) AND finished_at<?)";
    assert!(last.iter().any(|step| step.contains(range)), "{last:?}");
    uses(replay::COUNT_FAILED, "VALUES", "INDEX outbox_failed (channel=? AND finished_at>? AND finished_at<?)");
}

#[test]
fn statistics_use_index() {
    uses(COUNT_PENDING, "VALUES", "INDEX outbox_pending (channel=?)");
    uses(COUNT_PROCESSING, "VALUES", "INDEX outbox_processing (channel=?)");
    uses(COUNT_DELIVERED, "VALUES", "INDEX outbox_delivered (channel=?)");
    uses(COUNT_FAILED, "VALUES", "INDEX outbox_failed (channel=?)");
    uses(COUNT_DUE, "VALUES", "INDEX outbox_pending (channel=? AND due_at<?)");
    uses(OLDEST, "VALUES", "INDEX outbox_pending (channel=?)");
    uses(DELIVERED_SINCE, "VALUES", "INDEX outbox_delivered (channel=? AND finished_at>?)");
    for (sql, index) in [(SAMPLE_PENDING, "pending"), (SAMPLE_DELIVERED, "delivered"), (SAMPLE_FAILED, "failed")] {
        uses(sql, "VALUES", &format!("INDEX outbox_{index} (channel=?)"));
        uses(sql, "VALUES", "SEARCH a USING PRIMARY KEY (delivery_id=?)");
    }
}
