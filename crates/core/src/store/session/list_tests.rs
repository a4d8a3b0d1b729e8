use super::*;
use crate::store::plan::plan;

#[test]
fn page_uses_the_index() {
    let page = plan(PAGE).join("; ");
    assert!(
        page.starts_with("SEARCH sessions USING INDEX sessions_user_id (user_id=? AND (created_at,id)<(?,?))"),
        "{page}"
    );
}
