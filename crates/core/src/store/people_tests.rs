#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use crate::model::roles::PlatformRole;
use crate::store::plan::plan;

fn filter(state: Option<UserState>, role: Option<PlatformRole>) -> UserFilter {
    UserFilter { state, role, ..UserFilter::default() }
}

#[test]
fn searches_walk_the_words_and_look_people_up() {
    let walk = "SEARCH p USING PRIMARY KEY ((word,newest,user_id)>(?,?,?) AND (word,newest,user_id)<(?,?,?))";
    let lookup = "USING COVERING INDEX user_words_user_id (user_id=? AND word>? AND word<?)";
    for (others, but) in [(0, 0), (1, 0), (3, 2)] {
        for state in [None, Some(UserState::Active), Some(UserState::Disabled), Some(UserState::Unverified)] {
            for role in [None, Some(PlatformRole::Admin)] {
                let steps = plan(&words_sql(others, but, &filter(state, role)));
                let (walks, rest) = steps.split_first().unwrap();
                assert_eq!(walks, walk);
                let lookups = rest.iter().filter(|step| step.ends_with(lookup)).count();
                assert_eq!(lookups, 1 + others + but, "{steps:#?}");
                let users = rest.iter().filter(|step| *step == "SEARCH u USING PRIMARY KEY (id=?)").count();
                assert_eq!(users, usize::from(state.is_some() || role.is_some()), "{steps:#?}");
                assert!(!steps.iter().any(|step| step.contains("SCAN") || step.contains("B-TREE")), "{steps:#?}");
            }
        }
    }
    assert_eq!(plan(WORDS_LAST), ["SEARCH user_words USING PRIMARY KEY ((word,newest,user_id)>(?,?,?) AND word<?)"]);
    let counted = plan(WORDS_COUNT);
    assert!(counted.contains(&"SEARCH user_words USING PRIMARY KEY (word>? AND word<?)".to_owned()), "{counted:?}");
}

#[test]
fn lists_walk_the_users_and_those_with_a_role() {
    let all = "SEARCH u USING INDEX users_created_at ((created_at,id)>(?,?) AND (created_at,id)<(?,?))";
    assert_eq!(plan(USERS_LAST), ["SEARCH u USING COVERING INDEX users_created_at ((created_at,id)<(?,?))"]);
    for state in [Some(UserState::Active), Some(UserState::Disabled), Some(UserState::Unverified)] {
        assert_eq!(plan(&users_sql(&filter(state, None))), [all]);
        let with_role = plan(&with_role_sql(&filter(state, Some(PlatformRole::Monitor))));
        let is_short = |step: &String| step.starts_with("SEARCH u USING INDEX users_with_role");
        assert!(with_role.len() == 1 && with_role.iter().all(is_short), "{with_role:?}");
    }
    let last = plan(WITH_ROLE_LAST);
    assert!(last.len() == 1 && last[0].starts_with("SEARCH u USING INDEX users_with_role"), "{last:?}");
}

#[test]
fn page_ends_at_its_limits() {
    let limits = PageLimits { places: 9, people: 2 };
    let user = |number: &u128| UserId(Uuid::from_u128(*number));
    let page = |fit: &[u128], last| {
        let page = PeoplePage::of(fit.to_vec(), last, &0, limits, user);
        (page.users.len(), page.rest, page.is_cut)
    };
    assert_eq!(page(&[1, 2, 3], Some(9)), (2, Some(2), false));
    assert_eq!(page(&[1, 2], Some(9)), (2, Some(9), false));
    assert_eq!(page(&[1], Some(9)), (1, Some(9), true));
    assert_eq!(page(&[], Some(9)), (0, Some(9), true));
    assert_eq!(page(&[1, 2], None), (2, None, false));
    let full = PeoplePage::of(vec![1], None, &0, PageLimits { people: 0, ..limits }, user);
    assert_eq!((full.users.len(), full.rest), (0, Some(0)), "more people, of whom there is no room for any");
}
