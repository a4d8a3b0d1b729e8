use super::*;
use crate::store::plan::plan;

#[test]
fn entries_of_a_user_walk_their_index() {
    for sql in [OF_SECURITY, LAST_PLACE, PASSWORD_CHANGED] {
        let plan = plan(sql);
        let steps: Vec<_> = plan.iter().filter(|step| step.contains(" audit ")).collect();
        let walks = |step: &&String| step.ends_with(" INDEX audit_user_id (user_id=? AND (at,id)<(?,?))");
        assert!(steps.len() == 1 && steps.iter().all(walks), "{plan:#?}");
    }
}

#[test]
fn kinds_beside_security_are_all_bound() {
    let last = 5 + AuditKind::BESIDE_SECURITY.len();
    assert!(OF_SECURITY.contains(&format!("${last})")) && !OF_SECURITY.contains(&format!("${}", last + 1)));
}
