use super::*;
use crate::store::plan::plan;

#[test]
fn statements_use_indexes() {
    let named = plan(&WITH_EXTERNAL_IDS.replace("VALUES", "'7', '8'"));
    assert!(named[0].starts_with("SEARCH u ") && named[0].contains("users_external_id"), "{named:?}");
    let admins = plan(OTHER_ADMIN);
    assert!(admins[0].contains("users_with_role"), "{admins:?}");
}
