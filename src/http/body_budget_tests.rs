#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;

const FORM: usize = 64 * 1024;

fn allowance(budget: &BodyBudget, address: &str) -> BodyAllowance {
    BodyAllowance::new(budget, address.parse().unwrap(), 0)
}

fn with_credentials(budget: &BodyBudget, address: &str) -> BodyAllowance {
    allowance(budget, address).with_credentials()
}

/// A body of this size, if it fits.
fn body(allowance: &BodyAllowance, bytes: usize) -> Option<BodyShare> {
    let mut share = allowance.begin().ok()?;
    share.grow(bytes).ok().map(|()| share)
}

fn fill(allowance: &BodyAllowance, bytes: usize) -> Vec<BodyShare> {
    std::iter::from_fn(|| body(allowance, bytes)).collect()
}

/// The bytes held of the budget and of the reserve.
fn held(budget: &BodyBudget) -> (usize, usize) {
    let held = budget.0.held.lock();
    (held.budget.all(), held.reserve.all())
}

#[test]
fn site_that_shows_nothing_holds_four_forms() {
    let budget = BodyBudget::new(true);
    let shares = fill(&allowance(&budget, "192.0.2.1"), FORM);
    assert_eq!(shares.len(), 4);
    let v6 = fill(&allowance(&budget, "2001:db8:7:1::1"), FORM);
    assert!(body(&allowance(&budget, "2001:db8:7:2::1"), FORM).is_none(), "another /64 of the same /48");
    assert!(body(&allowance(&budget, "2001:db8:8:1::1"), FORM).is_some());
    drop((shares, v6));
    assert_eq!(held(&budget), (0, 0));
}

#[test]
fn site_with_credentials_holds_at_most_a_quarter() {
    let budget = BodyBudget::new(true);
    let strangers = fill(&allowance(&budget, "192.0.2.1"), FORM);
    let known = fill(&with_credentials(&budget, "192.0.2.1"), FORM);
    assert_eq!(strangers.len() + known.len(), 32, "strangers of the same site do not keep them out");
    assert!(body(&with_credentials(&budget, "192.0.2.2"), FORM).is_some());
    drop((strangers, known));
    assert_eq!(held(&budget), (0, 0));
}

#[test]
fn small_forms_fit_while_the_budget_is_full() {
    let budget = BodyBudget::new(true);
    let sites = (0..32).map(|site| fill(&allowance(&budget, &format!("192.0.2.{site}")), FORM));
    let shares: Vec<_> = sites.flatten().collect();
    assert_eq!((shares.len(), held(&budget)), (128, (BUDGET_BYTES, 0)));
    let login = body(&allowance(&budget, "198.51.100.1"), SMALL_BYTES).unwrap();
    assert_eq!(held(&budget).1, SMALL_BYTES);
    assert!(body(&allowance(&budget, "198.51.100.1"), SMALL_BYTES + 1).is_none());
    assert!(body(&with_credentials(&budget, "198.51.100.1"), FORM).is_none());
    // Those of a site whose part of the budget is full, too.
    assert!(body(&allowance(&budget, "192.0.2.1"), SMALL_BYTES).is_some());
    drop((shares, login));
    assert_eq!(held(&budget), (0, 0));
    assert!(body(&allowance(&budget, "198.51.100.1"), FORM).is_some());
}

#[test]
fn one_site_holds_a_part_of_the_reserve() {
    let budget = BodyBudget::new(true);
    let large = fill(&allowance(&budget, "192.0.2.1"), FORM);
    let small = fill(&allowance(&budget, "192.0.2.1"), SMALL_BYTES);
    assert_eq!(small.len(), 256);
    assert_eq!(held(&budget), (STRANGER_BYTES, RESERVE.of_site));
    let next = allowance(&budget, "192.0.2.2");
    let others = [fill(&next, FORM), fill(&next, SMALL_BYTES)];
    assert_eq!(others.map(|shares| shares.len()), [4, 256]);
    drop((large, small));
    assert_eq!(held(&budget), (0, 0));
}

#[test]
fn sixteen_sites_fill_the_reserve() {
    let budget = BodyBudget::new(true);
    let sites: Vec<_> = (0..17).map(|site| allowance(&budget, &format!("192.0.2.{site}"))).collect();
    let large: Vec<_> = sites.iter().flat_map(|site| fill(site, FORM)).collect();
    let small: Vec<_> = sites[..16].iter().flat_map(|site| fill(site, SMALL_BYTES)).collect();
    assert_eq!(held(&budget).1, RESERVE.all);
    assert!(body(&sites[16], SMALL_BYTES).is_none());
    drop((large, small));
    assert_eq!(held(&budget), (0, 0));
}

#[test]
fn without_rate_limits_one_peer_may_hold_all() {
    let budget = BodyBudget::new(false);
    let gateway = allowance(&budget, "192.0.2.1");
    let (large, small) = (fill(&gateway, FORM), fill(&gateway, SMALL_BYTES));
    assert_eq!((large.len(), small.len()), (128, 4096));
}

#[test]
fn large_head_counts_beyond_the_buffer_of_a_connection() {
    let budget = BodyBudget::new(true);
    let begin = |head_bytes| BodyAllowance::new(&budget, [192, 0, 2, 1].into(), head_bytes).begin();
    let small = begin(FREE_HEAD_BYTES).unwrap();
    assert_eq!(held(&budget), (0, 0));
    let large = begin(60 * 1024).unwrap();
    assert_eq!(held(&budget), (56 * 1024, 0));
    drop((small, large));
}

#[test]
fn bodies_that_never_come_are_bounded_by_their_number() {
    let budget = BodyBudget::new(true);
    let waiting = fill(&allowance(&budget, "192.0.2.1"), 0);
    assert_eq!(waiting.len(), 1024);
    assert!(body(&allowance(&budget, "192.0.2.2"), 0).is_some());
    drop(waiting);
    assert!(body(&allowance(&budget, "192.0.2.1"), FORM).is_some());
}

#[test]
fn refused_growth_takes_nothing_and_keeps_what_was_held() {
    let budget = BodyBudget::new(true);
    let mut share = allowance(&budget, "192.0.2.1").begin().unwrap();
    assert_eq!(share.grow(STRANGER_BYTES + 1), Err(BudgetExceeded));
    assert_eq!(share.grow(STRANGER_BYTES), Ok(()));
    assert_eq!(share.grow(SMALL_BYTES), Err(BudgetExceeded), "it is no small body");
    assert_eq!(held(&budget), (STRANGER_BYTES, 0));
    // One that begins in the reserve goes on in the budget once there is room.
    let mut small = allowance(&budget, "192.0.2.1").begin().unwrap();
    small.grow(1024).unwrap();
    drop(share);
    small.grow(60 * 1024).unwrap();
    assert_eq!(held(&budget), (60 * 1024, 1024));
    drop(small);
    assert_eq!(held(&budget), (0, 0));
}
