use super::*;

fn of(account: u128, address: &str) -> Requester {
    Requester::client(Some(UserId(uuid::Uuid::from_u128(account))), &Device::new("", address.parse().ok()))
}

#[test]
fn account_and_site_hold_only_their_share() {
    let shares = Shares::new(2);
    let places: Vec<_> = ["192.0.2.1", "192.0.2.2", "192.0.2.3"].map(|address| shares.take(of(1, address))).into();
    assert_eq!(places.iter().flatten().count(), 2, "one account from many addresses");
    let places: Vec<_> = (2..5).map(|account| shares.take(of(account, "2001:db8:0:1::1"))).collect();
    assert_eq!(places.iter().flatten().count(), 2, "many accounts from one site");
    assert!(shares.take(of(9, "2001:db8:0:2::1")).is_none(), "another subnet of the site");
    assert!(shares.take(of(9, "2001:db8:1::1")).is_some());
    assert!(shares.take(Requester::OPERATOR).is_some());
    drop(places);
    assert!(shares.take(of(9, "2001:db8:0:2::1")).is_some());
}

#[test]
fn released_places_take_no_memory() {
    let shares = Shares::new(2);
    drop((shares.take(of(1, "192.0.2.1")), shares.take(of(1, "192.0.2.2"))));
    assert!(shares.held.lock().is_empty());
}
