use super::*;
use crate::store::plan::plan;

#[test]
fn jobs_are_found_by_index() {
    for (sql, index) in [
        (FIND, "PRIMARY KEY (id=?)"),
        (RUNNING, "jobs_running (kind=? AND params=?)"),
        (TAKE.sqlite, "PRIMARY KEY (id=?)"),
        (HOLD.sqlite, "PRIMARY KEY (id=?)"),
        (ADVANCE, "PRIMARY KEY (id=?)"),
        (FINISH.sqlite, "PRIMARY KEY (id=?)"),
        (DELETE_OLD, "jobs_finished (finished_at<?)"),
    ] {
        let plan = plan(sql);
        assert!(plan.iter().any(|step| step.contains(index)), "{index} is not in {plan:#?}");
        assert!(!plan.iter().any(|step| step.starts_with("SCAN jobs")), "{plan:#?}");
    }
    assert!(plan(DUE.sqlite).iter().all(|step| !step.starts_with("SCAN jobs")));
}
