use super::*;
use crate::store::plan::plan;

#[test]
fn sessions_of_a_provider_are_found_by_their_index() {
    assert_eq!(plan(END_OF_PROVIDER), ["SEARCH sessions USING INDEX sessions_provider (provider=?)"]);
}
