use super::*;
use crate::store::plan::plan;
use crate::store::values::around_values;

#[test]
fn statements_use_the_indexes() {
    assert_eq!(plan(FIND), ["SEARCH identities USING INDEX identities_subject (issuer=? AND subject=?)"]);
    assert_eq!(plan(OF_USER), ["SEARCH identities USING INDEX identities_user_id (user_id=?)"]);
    let (before, after) = around_values(OF_USERS);
    let of_users = format!("{before}$1, $2{after}");
    assert_eq!(plan(&of_users), ["SEARCH identities USING INDEX identities_user_id (user_id=?)"]);
    assert_eq!(plan(COUNT), ["SEARCH identities USING COVERING INDEX identities_user_id (user_id=?)"]);
    assert_eq!(plan(DELETE), ["SEARCH identities USING PRIMARY KEY (id=?)"]);
    assert_eq!(plan(DELETE_OF_USER), ["SEARCH identities USING INDEX identities_user_id (user_id=? AND created_at>?)"]);
}
