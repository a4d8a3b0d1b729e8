use super::*;
use crate::store::plan::plan;

/// The steps that read the table; each must walk this index.
#[track_caller]
fn walks(sql: &str, indexes: &[&str]) {
    let plan = plan(sql);
    let steps: Vec<&String> = plan.iter().filter(|step| step.contains(" audit ")).collect();
    assert_eq!(steps.len(), indexes.len(), "{plan:#?}");
    for (step, index) in steps.iter().zip(indexes) {
        assert!(step.starts_with("SEARCH audit USING") && step.contains(index), "{index} is not in {plan:#?}");
    }
}

#[test]
fn each_way_through_the_log_walks_its_index() {
    for (statements, indexes) in [
        (ALL, &["audit_at (at>? AND (at,id)<(?,?))"][..]),
        (OF_KIND, &["audit_kind (kind=? AND at>? AND (at,id)<(?,?))"]),
        (OF_ACTOR, &["audit_actor (actor=? AND at>? AND (at,id)<(?,?))"]),
        (
            OF_ID,
            &[
                "audit_user_id (user_id=? AND at>? AND (at,id)<(?,?))",
                "audit_subject_id (subject_id=? AND at>? AND (at,id)<(?,?))",
                "audit_actor_user_id (actor_user_id=? AND at>? AND (at,id)<(?,?))",
                "audit_organization_id (organization_id=? AND at>? AND (at,id)<(?,?))",
            ],
        ),
    ] {
        for sql in [statements.list, statements.last, statements.count] {
            walks(sql, indexes);
        }
    }
}

#[test]
fn index_of_kinds_leaves_out_the_common_ones() {
    for kind in COMMON {
        assert!(OF_KIND.list.contains(&format!("'{}'", kind.as_str())), "{kind:?}");
    }
    assert_eq!(OF_KIND.list.matches('\'').count(), 2 * COMMON.len());
}

#[test]
fn attempts_of_a_user_walk_their_index() {
    walks(ATTEMPTS, &["audit_user_id (user_id=? AND at>? AND (at,id)<(?,?))"]);
}

#[test]
fn what_entries_are_about_is_an_id_or_an_actor_without_account() {
    let id = Uuid::from_u128(7);
    assert_eq!(AuditAbout::parse(&format!(" {id} ")), Some(AuditAbout::Id(id)));
    for actor in ["operator", "unknown", "key:backend"] {
        assert_eq!(AuditAbout::parse(actor), Some(AuditAbout::Actor(actor.to_owned())));
    }
    assert_eq!(AuditAbout::parse("key:a\0"), Some(AuditAbout::Nothing));
    for other in ["ada", "ada@example.com", "user", "Operator", ""] {
        assert_eq!(AuditAbout::parse(other), None, "{other}");
    }
}

#[test]
fn list_begins_before_the_end_of_its_time() {
    let until = Time::from_micros(5);
    let query = AuditQuery { until: Some(until), ..AuditQuery::default() };
    assert_eq!(query.begin(ListPlace::START), ListPlace { at: until, id: Uuid::nil() });
    let later = ListPlace { at: Time::from_micros(4), id: Uuid::max() };
    assert_eq!(query.begin(later), later);
}
