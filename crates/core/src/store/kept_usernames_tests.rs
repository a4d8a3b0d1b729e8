use super::*;
use crate::store::plan::plan;

#[test]
fn kept_names_are_found_by_their_indexes() {
    for sql in [KEPT_FOR, OF_USER, IS_TAKEN, KEEP, DELETE_EXPIRED] {
        let steps = plan(sql);
        assert!(steps.iter().all(|step| !step.starts_with("SCAN kept_usernames")), "{steps:?}");
    }
}
