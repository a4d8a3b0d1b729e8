//! Every statement about organizations in a request uses an index, so that its cost grows neither with the size of the
//! organization nor with their number.

use super::invitations::{CLEAN_EXPIRED, CLEAN_FINISHED};
use super::organization_keys::UNKEYED;
use super::organizations::{BY_NAME, COUNTED_OF_USER, NAMES_OF_USER, NAMING_USER, OF_USER, PAGE_OF_USER};
use super::plan::plan;
use super::{invitations, members, organization_lists as lists};

/// Fails unless the plan has `step`, and no table is read from end to end.
#[track_caller]
fn uses(sql: &str, step: &str) {
    let plan = plan(sql);
    assert!(plan.iter().any(|found| found.contains(step)), "{step} is not in {plan:#?}");
    let scanned = |step: &&String| {
        ["invitations", "memberships", "organizations", "users", "m", "o", "u"]
            .iter()
            .any(|table| *step == &format!("SCAN {table}") || step.starts_with(&format!("SCAN {table} ")))
    };
    assert_eq!(plan.iter().filter(scanned).count(), 0, "{plan:#?}");
}

/// As [`uses`], and the order comes from the index.
#[track_caller]
fn uses_in_order(sql: &str, step: &str) {
    uses(sql, step);
    assert!(plan(sql).iter().all(|step| !step.contains("TEMP B-TREE")), "{:#?}", plan(sql));
}

#[test]
fn member_queries_use_index() {
    uses(members::WITH_EMAIL, "users_email_key");
    uses_in_order(OF_USER, "INDEX memberships_user_id (user_id=?)");
    uses_in_order(COUNTED_OF_USER, "INDEX memberships_user_id (user_id=?)");
    uses_in_order(COUNTED_OF_USER, "INDEX memberships_created_at (organization_id=?)");
    uses_in_order(NAMES_OF_USER, "INDEX memberships_user_id (user_id=?)");
    uses_in_order(BY_NAME, "INDEX organizations_name (name=?)");
    uses_in_order(PAGE_OF_USER, "INDEX memberships_user_id (user_id=? AND (created_at,organization_id)<(?,?))");
    uses_in_order(members::ROLES_PAGE, "SEARCH memberships USING PRIMARY KEY (organization_id=? AND user_id>?)");
    uses_in_order(members::OF_THIS_ONLY, "SEARCH m USING PRIMARY KEY (organization_id=? AND user_id>?)");
    uses(members::OTHER_OWNER, "INDEX memberships_owners (organization_id=?)");
}

#[test]
fn invitation_queries_use_index() {
    uses(invitations::FIND_BY_HASH, "INDEX invitations_token_hash (token_hash=?)");
    uses(invitations::FIND_BY_HASH, "INDEX invitations_mailed_token_hash (mailed_token_hash=?)");
    uses(invitations::FIND_PENDING, "INDEX invitations_pending (organization_id=? AND email_key=?)");
    uses_in_order(invitations::PENDING_BY, "invitations_pending_by (organization_id=? AND invited_by_user_id=?)");
    uses(invitations::COUNT_OPEN, "INDEX invitations_pending");
}

#[test]
fn lists_use_index() {
    uses_in_order(lists::ORGANIZATIONS, "INDEX organizations_created_at (");
    uses_in_order(lists::ORGANIZATIONS, "(organization_id=?)");
    uses_in_order(lists::BEGINNING, "INDEX organizations_name_key ((name_key,id)>(?,?) AND name_key<?)");
    assert_eq!(
        plan(UNKEYED),
        ["SCAN organizations USING INDEX organizations_unkeyed"],
        "has what the search wants only"
    );
    uses_in_order(lists::MEMBERS, "INDEX memberships_created_at (organization_id=? AND (created_at,user_id)<(?,?))");
    // By index, and none further than its limit.
    for step in [
        "INDEX memberships_created_at (organization_id=? AND (created_at,user_id)<(?,?))",
        "INDEX users_email_prefix (email_key>? AND email_key<?)",
        "INDEX users_username_prefix (username_key>? AND username_key<?)",
        "SEARCH m USING PRIMARY KEY (organization_id=? AND user_id=?)",
    ] {
        uses(lists::MEMBERS_SEARCH.sqlite, step);
    }
    uses_in_order(lists::INVITATIONS, "INDEX invitations_organization_id (organization_id=? AND id<?)");
    // Either of the two indexes on pending invitations.
    uses(lists::OPEN_INVITATIONS, "INDEX invitations_pending");
}

#[test]
fn cleanup_queries_use_index() {
    uses_in_order(CLEAN_FINISHED.sqlite, "INDEX invitations_finished (finished_at<?)");
    uses_in_order(CLEAN_EXPIRED.sqlite, "INDEX invitations_expired (expires_at<?)");
    uses(NAMING_USER.sqlite, "INDEX organizations_created_by_user_id (created_by_user_id=?)");
    uses(NAMING_USER.sqlite, "INDEX invitations_invited_by_user_id (invited_by_user_id=?)");
    uses(NAMING_USER.sqlite, "INDEX invitations_finished_by_user_id (finished_by_user_id=?)");
}
