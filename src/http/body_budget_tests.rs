#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;

fn allowance(budget: &BodyBudget, address: &str) -> BodyAllowance {
    BodyAllowance::new(budget, address.parse().unwrap(), 0)
}

/// As many shares of 64 KiB as fit.
fn fill(budget: &BodyBudget, address: &str) -> Vec<BodyShare> {
    let one = || {
        let mut share = allowance(budget, address).begin().ok()?;
        share.grow(64 * 1024).ok().map(|()| share)
    };
    std::iter::from_fn(one).collect()
}

fn fits(budget: &BodyBudget, address: &str) -> bool {
    allowance(budget, address).begin().unwrap().grow(64 * 1024).is_ok()
}

#[test]
fn network_holds_at_most_a_quarter() {
    let budget = BodyBudget::new(true);
    let shares = fill(&budget, "192.0.2.1");
    assert_eq!(shares.len(), 32);
    assert!(fits(&budget, "192.0.2.2"));
    let v6 = fill(&budget, "2001:db8::1");
    assert!(!fits(&budget, "2001:db8::2"), "the same /64");
    assert!(fits(&budget, "2001:db8:0:1::1"));
    drop((shares, v6));
    assert!(fits(&budget, "192.0.2.1"));
    assert!(budget.0.held.lock().unwrap().networks.is_empty(), "nothing is left of them");
}

#[test]
fn all_networks_share_the_budget() {
    let budget = BodyBudget::new(true);
    let addresses = ["192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.4"];
    let shares: Vec<_> = addresses.map(|address| fill(&budget, address)).into_iter().flatten().collect();
    assert_eq!(shares.len(), 128);
    assert!(!fits(&budget, "192.0.2.5"));
    drop(shares);
    assert!(fits(&budget, "192.0.2.5"));
}

#[test]
fn without_rate_limits_one_peer_may_hold_all() {
    let budget = BodyBudget::new(false);
    assert_eq!(fill(&budget, "192.0.2.1").len(), 128);
}

#[test]
fn slow_small_bodies_keep_nobody_out() {
    let budget = BodyBudget::new(true);
    let small = || {
        let mut share = BodyAllowance::new(&budget, "192.0.2.1".parse().unwrap(), 500).begin().unwrap();
        share.grow(1024).unwrap();
        share
    };
    let shares: Vec<_> = std::iter::repeat_with(small).take(300).collect();
    assert!(fits(&budget, "192.0.2.1"));
    drop(shares);
}

#[test]
fn refused_share_takes_nothing() {
    let budget = BodyBudget::new(true);
    let mut share = allowance(&budget, "192.0.2.1").begin().unwrap();
    assert_eq!(share.grow(NETWORK_BYTES + 1), Err(BudgetExceeded));
    assert_eq!(share.grow(NETWORK_BYTES), Ok(()));
}
