use super::*;
use crate::store::plan::plan;
use crate::store::values::around_values;

fn of_two(sql: &'static str) -> Vec<String> {
    let (before, after) = around_values(sql);
    plan(&format!("{before}$1, $2{after}"))
}

#[test]
fn statements_use_the_indexes() {
    assert_eq!(plan(SOURCES_AFTER), ["SEARCH users USING PRIMARY KEY (id>?)"]);
    assert_eq!(of_two(LOCK.sqlite), ["SEARCH users USING PRIMARY KEY (id=?)"]);
    let index = "SEARCH user_words USING COVERING INDEX user_words_user_id";
    assert_eq!(plan(BETWEEN), [format!("{index} (user_id>? AND user_id<?)")]);
    assert_eq!(of_two(OF_USERS), [format!("{index} (user_id=?)")]);
    let (before, after) = around_values(DELETE);
    assert_eq!(plan(&format!("{before}$1, $2{after}$3")), [format!("{index} (user_id=? AND word=?)")]);
}
