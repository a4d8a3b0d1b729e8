use super::super::plan::plan;
use super::*;

#[test]
fn language_at_an_address_is_found_by_index() {
    let plan = plan(LANGUAGE_AT);
    assert!(plan.iter().all(|step| !step.starts_with("SCAN")), "{plan:#?}");
}

#[test]
fn administrators_are_found_by_partial_index() {
    let plan = plan(ADMINISTRATORS);
    assert!(plan.len() == 1 && plan[0].contains("users_with_role"), "{plan:#?}");
}
