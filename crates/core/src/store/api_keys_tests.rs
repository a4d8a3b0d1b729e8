use super::*;
use crate::store::plan::plan;

#[test]
fn statements_use_the_indexes() {
    assert_eq!(plan(NEWEST_LIVE), ["SEARCH api_keys USING INDEX api_keys_name (name=?)"]);
    assert_eq!(plan(LIST), ["SCAN api_keys USING INDEX api_keys_created_at"]);
}
