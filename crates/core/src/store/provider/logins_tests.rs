use super::*;
use crate::store::plan::plan;

#[test]
fn statements_use_the_indexes() {
    let by_state = "SEARCH foreign_logins USING PRIMARY KEY (state_hash=?)";
    assert_eq!(plan(FIND), [by_state]);
    assert_eq!(plan(CLAIM.sqlite), [by_state]);
    assert_eq!(plan(KEEP_ANSWER.sqlite), [by_state]);
    let expired = plan(DELETE_EXPIRED.sqlite);
    let by_end = "SEARCH foreign_logins USING COVERING INDEX foreign_logins_expires_at (expires_at<?)";
    assert!(expired.iter().any(|step| step == by_end), "{expired:#?}");
}
