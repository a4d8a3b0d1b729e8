use super::super::plan::plan;
use super::*;

#[test]
fn failures_at_names_are_found_by_index() {
    assert_eq!(plan(AT_NAMES), ["SEARCH limits USING INDEX limits_name_id (name_id=?)"]);
}
