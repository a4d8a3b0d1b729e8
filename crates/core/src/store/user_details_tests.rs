use super::*;
use crate::store::plan::plan;

/// The steps that touch users; those of other tables are by user.
fn on_users(sql: &str) -> Vec<String> {
    let steps = plan(sql).into_iter();
    steps.filter(|step| step.contains(" users") || step.contains(" u ") || step.contains("TEMP B-TREE")).collect()
}

#[test]
fn lists_use_indexes() {
    let listed = on_users(LIST);
    assert!(listed.len() == 1 && listed[0].starts_with("SEARCH u USING INDEX users_created_at"), "{listed:?}");
    let found = on_users(SEARCH.sqlite);
    for index in ["users_email", "users_username"] {
        assert!(found.iter().any(|step| step.contains(index) && step.starts_with("SEARCH")), "{found:?}");
    }
    assert!(!found.iter().any(|step| step.starts_with("SCAN users")), "{found:?}");
    let walked = on_users(WALK.sqlite);
    assert_eq!(walked, listed);
    let counted = plan(BEGIN_ALIKE.sqlite);
    for index in ["users_email_prefix (email_key>? AND email_key<?)", "users_username_prefix (username_key>? AND"] {
        assert!(counted.iter().any(|step| step.contains(index)), "{counted:?}");
    }
    let named = on_users(&WITH_EXTERNAL_IDS.replace("VALUES", "'7', '8'"));
    assert!(named.len() == 1 && named[0].contains("users_external_id"), "{named:?}");
    let admins = plan(OTHER_ADMIN);
    assert!(admins[0].contains("users_with_role"), "{admins:?}");
}
