//! Every statement of the outbox finds its rows by an index, so its cost does not grow with what is finished.

use super::macros::NowSql;
use super::outbox_claim::{CLAIM, RELEASE, START};
use super::outbox_maintain::{CLEAN_DELIVERED, CLEAN_FAILED, OVERDUE, REAP};
use super::outbox_read::{ATTEMPTS, LIST_ALL, LIST_DELIVERED, LIST_FAILED, LIST_PENDING, LIST_PROCESSING};
use super::outbox_replay::{self, REPLAY, REPLAY_FAILED};
use super::outbox_settle::SETTLE;
use super::outbox_stats::{
    COUNT_DELIVERED, COUNT_DUE, COUNT_FAILED, COUNT_PENDING, COUNT_PROCESSING, DELIVERED_SINCE, OLDEST,
    SAMPLE_DELIVERED, SAMPLE_FAILED, SAMPLE_PENDING,
};
use super::plan::plan;

#[track_caller]
fn uses(text: NowSql, values: &str, index: &str) {
    let plan = plan(&text.sqlite.replace("VALUES", values));
    assert!(plan.iter().any(|step| step.contains(index)), "{index} is not in {plan:#?}");
    let scans = plan.iter().filter(|step| step.starts_with("SCAN outbox") || step.contains("TEMP B-TREE"));
    assert_eq!(scans.count(), 0, "{plan:#?}");
}

#[test]
fn each_statement_uses_its_index() {
    uses(CLAIM, "VALUES", "INDEX outbox_pending (channel=? AND due_at<?)");
    uses(CLAIM, "VALUES", "SEARCH outbox USING PRIMARY KEY (id=?)");
    uses(OVERDUE, "VALUES", "INDEX outbox_pending (channel=? AND due_at<?)");
    uses(REAP, "VALUES", "INDEX outbox_processing (channel=? AND leased_at<?)");
    uses(REAP, "VALUES", "SEARCH outbox USING PRIMARY KEY (id=?)");
    uses(CLEAN_DELIVERED, "VALUES", "INDEX outbox_delivered (channel=? AND finished_at<?)");
    uses(CLEAN_FAILED, "VALUES", "INDEX outbox_failed (channel=? AND finished_at<?)");
    uses(START, "VALUES (?, ?, ?), (?, ?, ?)", "SEARCH outbox USING PRIMARY KEY (id=?)");
    uses(RELEASE, "VALUES (?, ?), (?, ?)", "SEARCH outbox USING PRIMARY KEY (id=?)");
    uses(SETTLE, "VALUES (?, ?, ?, ?, ?), (?, ?, ?, ?, ?)", "SEARCH outbox USING PRIMARY KEY (id=?)");
}

fn alone(sql: &'static str) -> NowSql {
    NowSql { sqlite: sql, postgres: sql }
}

#[test]
fn what_the_operator_asks_uses_an_index() {
    for text in LIST_PENDING {
        uses(text, "VALUES", "INDEX outbox_pending (channel=? AND due_at>?)");
    }
    for text in LIST_PROCESSING {
        uses(text, "VALUES", "INDEX outbox_processing (channel=? AND leased_at>?)");
    }
    for text in LIST_DELIVERED {
        uses(text, "VALUES", "INDEX outbox_delivered (channel=? AND finished_at>?)");
        uses(text, "VALUES", "SEARCH a USING PRIMARY KEY (delivery_id=?)");
    }
    for text in LIST_FAILED {
        uses(text, "VALUES", "INDEX outbox_failed (channel=? AND finished_at>?)");
    }
    for sql in LIST_ALL {
        uses(alone(sql), "VALUES", "SEARCH outbox USING PRIMARY KEY (id>?)");
    }
    uses(alone(ATTEMPTS), "VALUES", "SEARCH outbox_attempts USING PRIMARY KEY (delivery_id=?)");
    uses(REPLAY, "VALUES (?, ?), (?, ?)", "SEARCH outbox USING PRIMARY KEY (id=?)");
    uses(REPLAY_FAILED, "VALUES", "INDEX outbox_failed (channel=? AND finished_at>? AND finished_at<?)");
    uses(outbox_replay::COUNT_FAILED, "VALUES", "INDEX outbox_failed (channel=? AND finished_at>? AND finished_at<?)");
}

#[test]
fn figures_use_an_index() {
    uses(alone(COUNT_PENDING), "VALUES", "INDEX outbox_pending (channel=?)");
    uses(alone(COUNT_PROCESSING), "VALUES", "INDEX outbox_processing (channel=?)");
    uses(alone(COUNT_DELIVERED), "VALUES", "INDEX outbox_delivered (channel=?)");
    uses(alone(COUNT_FAILED), "VALUES", "INDEX outbox_failed (channel=?)");
    uses(COUNT_DUE, "VALUES", "INDEX outbox_pending (channel=? AND due_at<?)");
    uses(OLDEST, "VALUES", "INDEX outbox_pending (channel=?)");
    uses(DELIVERED_SINCE, "VALUES", "INDEX outbox_delivered (channel=? AND finished_at>?)");
    for (sql, index) in [(SAMPLE_PENDING, "pending"), (SAMPLE_DELIVERED, "delivered"), (SAMPLE_FAILED, "failed")] {
        uses(alone(sql), "VALUES", &format!("INDEX outbox_{index} (channel=?)"));
        uses(alone(sql), "VALUES", "SEARCH a USING PRIMARY KEY (delivery_id=?)");
    }
}
