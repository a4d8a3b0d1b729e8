use super::super::plan::plan;
use super::*;

#[test]
fn addresses_beyond_ascii_are_found_by_partial_index() {
    for (table, sql) in ["users", "account_tokens", "invitations"].into_iter().zip(SELECT) {
        let plan = plan(sql.sqlite);
        assert!(plan.iter().any(|step| step.contains(&format!("INDEX {table}_beyond_ascii"))), "{plan:#?}");
    }
}
