use super::super::plan::plan;
use super::*;

#[test]
fn language_at_an_address_is_found_by_index() {
    let plan = plan(LANGUAGE_AT);
    assert!(plan.iter().all(|step| !step.starts_with("SCAN")), "{plan:#?}");
}
