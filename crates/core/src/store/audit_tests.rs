use super::super::plan::plan;
use super::*;

#[test]
fn logins_of_a_period_are_found_by_index() {
    let plan = plan(LOGINS);
    assert_eq!(plan, ["SEARCH audit USING INDEX audit_user_id (user_id=? AND at>? AND at<?)"]);
}

#[test]
fn entries_of_api_keys_are_found_by_index_in_their_order() {
    let plan = plan(OF_API_KEYS);
    assert_eq!(plan, ["SEARCH audit USING INDEX audit_user_id (user_id=? AND (at,id)<(?,?))"]);
}
