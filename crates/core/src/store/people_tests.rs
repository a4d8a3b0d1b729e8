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
fn page_ends_at_its_limits() {
    let limits = PageLimits { places: 9, people: 2 };
    let place = |number: u128| WordPlace { user_id: UserId(Uuid::from_u128(number)), ..WordPlace::before("ada") };
    let page = |fit: &[u128], last: Option<u128>| {
        let fit = fit.iter().copied().map(place).collect();
        let page = PeoplePage::of(fit, last.map(place), &place(0), limits);
        (page.users.len(), page.rest.map(|rest| rest.user_id.0.as_u128()), page.is_cut)
    };
    assert_eq!(page(&[1, 2, 3], Some(9)), (2, Some(2), false));
    assert_eq!(page(&[1, 2], Some(9)), (2, Some(9), false));
    assert_eq!(page(&[1], Some(9)), (1, Some(9), true));
    assert_eq!(page(&[], Some(9)), (0, Some(9), true));
    assert_eq!(page(&[1, 2], None), (2, None, false));
    let full = PeoplePage::of(vec![place(1)], None, &place(0), PageLimits { people: 0, ..limits });
    assert_eq!((full.users.len(), full.rest), (0, Some(place(0))), "more people, of whom there is no room for any");
}
