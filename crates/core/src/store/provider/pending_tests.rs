use super::*;
use crate::store::plan::plan;

#[test]
fn statements_use_the_indexes() {
    assert_eq!(plan(FIND_PENDING), ["SEARCH pending_identities USING PRIMARY KEY (token_id=?)"]);
    for statement in [WAIT, FINISH] {
        assert_eq!(plan(statement), ["SEARCH foreign_logins USING PRIMARY KEY (state_hash=?)"]);
    }
}
