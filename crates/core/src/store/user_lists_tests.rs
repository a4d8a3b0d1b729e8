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
    assert_eq!(listed, ["SEARCH u USING INDEX users_created_at ((created_at,id)>(?,?) AND (created_at,id)<(?,?))"]);
    assert_eq!(plan(LAST), ["SEARCH u USING COVERING INDEX users_created_at ((created_at,id)<(?,?))"]);
    for sql in [WITH_ROLE, WITH_ROLE_LAST] {
        let steps = on_users(sql);
        assert!(steps.len() == 1 && steps[0].starts_with("SEARCH u USING INDEX users_with_role"), "{steps:?}");
    }
}

#[test]
fn searches_use_indexes() {
    let found = on_users(SEARCH.sqlite);
    for index in ["users_email", "users_username"] {
        assert!(found.iter().any(|step| step.contains(index) && step.starts_with("SEARCH")), "{found:?}");
    }
    assert!(!found.iter().any(|step| step.starts_with("SCAN users")), "{found:?}");
    assert_eq!(on_users(WALK.sqlite), on_users(LIST));
    let counted = plan(BEGIN_ALIKE.sqlite);
    for index in ["users_email_prefix (email_key>? AND email_key<?)", "users_username_prefix (username_key>? AND"] {
        assert!(counted.iter().any(|step| step.contains(index)), "{counted:?}");
    }
}
