use super::*;
use crate::store::plan::plan;

#[test]
fn statements_use_the_indexes() {
    assert_eq!(plan(LIST), ["SCAN providers USING INDEX providers_position"]);
    assert_eq!(plan(FIND), ["SEARCH providers USING PRIMARY KEY (name=?)"]);
    for sql in [VERSION, RAISE] {
        assert_eq!(plan(sql), ["SEARCH instance USING INTEGER PRIMARY KEY (rowid=?)"], "{sql}");
    }
}
