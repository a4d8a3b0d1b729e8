use super::*;
use crate::store::plan::plan;

#[test]
fn statements_use_the_indexes() {
    let old = plan(DELETE_OLD.sqlite).join("; ");
    assert!(old.contains("USING INDEX idempotency_keys_started_at (started_at<?)"), "{old}");
    let page = plan(PAGE).join("; ");
    assert!(page.contains("idempotency_keys_1 (id>?)"), "{page}");
}
