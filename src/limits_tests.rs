use super::*;
use uuid::Uuid;

const START: Time = Time::from_micros(1_800_000_000_000_000);

fn address(text: &str) -> IpAddr {
    text.parse().unwrap_or(IpAddr::from([0, 0, 0, 0]))
}

#[test]
fn a_bucket_empties_says_when_and_fills_with_time() {
    let limits = Limits::new(true);
    let login = Limited::LogInTo("ada", address("192.0.2.1"));
    for _ in 0..10 {
        assert_eq!(limits.take(login, START), Ok(()));
    }
    let wait = limits.take(login, START);
    assert_eq!(wait, Err(Duration::from_secs(15)));
    assert_eq!(limits.take(login, START + Duration::from_secs(15)), Ok(()));
    assert!(limits.take(login, START + Duration::from_secs(15)).is_err());
}

#[test]
fn an_attacker_elsewhere_does_not_lock_the_owner_out() {
    let limits = Limits::new(true);
    while limits.take(Limited::LogInTo("ada", address("203.0.113.6")), START).is_ok() {}
    assert_eq!(limits.take(Limited::LogInTo("ada", address("192.0.2.1")), START), Ok(()));
}

#[test]
fn spelling_and_neighbours_in_one_ipv6_network_do_not_give_another_bucket() {
    let limits = Limits::new(true);
    while limits.take(Limited::LogInTo("ada", address("2001:db8::1")), START).is_ok() {}
    assert!(limits.take(Limited::LogInTo(" ADA ", address("2001:db8::2")), START).is_err());
    assert!(limits.take(Limited::LogInTo("ada", address("2001:db8:0:1::2")), START).is_ok());
}

#[test]
fn what_succeeded_does_not_count() {
    let limits = Limits::new(true);
    for _ in 0..1000 {
        assert_eq!(limits.take_log_in("ada", address("192.0.2.1"), START), Ok(()));
        limits.log_in_succeeded("ada", address("192.0.2.1"), START);
    }
}

#[test]
fn a_hundred_tries_from_anywhere_stop_strangers_but_not_the_owner() {
    let limits = Limits::new(true);
    let home = address("192.0.2.1");
    assert!(limits.take_log_in("ada", home, START).is_ok());
    limits.log_in_succeeded("ada", home, START);
    let stranger = |n: u8| IpAddr::from([203, 0, 113, n]);
    let passed = (0..=255).filter(|n| limits.take_log_in("ada", stranger(*n), START).is_ok()).count();
    assert_eq!(passed, 100);
    assert!(limits.take_log_in("ada", home, START).is_ok());
    assert!(limits.take_log_in("grace", stranger(1), START).is_ok());
}

#[test]
fn two_hundred_refreshes_at_once_pass() {
    let limits = Limits::new(true);
    let session = Limited::Refresh(SessionId(Uuid::nil()));
    assert!((0..200).all(|_| limits.take(session, START).is_ok()));
}

#[test]
fn switched_off_nothing_is_limited() {
    let limits = Limits::new(false);
    assert!((0..1000).all(|_| limits.take(Limited::SignUpFrom(address("192.0.2.1")), START).is_ok()));
}

#[test]
fn the_memory_of_full_buckets_is_given_up() {
    let limits = Limits::new(true);
    for n in 0..MAX_BUCKETS + 10 {
        let name = n.to_string();
        let later = START + Duration::from_micros(n as u64 * 1000);
        assert!(limits.take(Limited::LogInTo(&name, address("192.0.2.1")), later).is_ok());
    }
    let kept = limits.buckets.lock().unwrap_or_else(PoisonError::into_inner).len();
    assert!(kept < MAX_BUCKETS / 2, "{kept} are kept");
}

#[test]
fn teams_and_links_have_buckets_of_their_own() {
    let limits = Limits::new(true);
    let (user, org) = (UserId(Uuid::from_u128(1)), OrganizationId(Uuid::from_u128(1)));
    for (what, burst, refill) in
        [(Limited::NewTeam(user), 20, 300), (Limited::InviteBy(user), 50, 20), (Limited::InviteTo(org), 200, 10)]
    {
        for _ in 0..burst {
            assert_eq!(limits.take(what, START), Ok(()), "{what:?}");
        }
        assert_eq!(limits.take(what, START), Err(Duration::from_secs(refill)), "{what:?}");
    }
    assert_eq!(limits.take(Limited::InviteBy(UserId(Uuid::from_u128(2))), START), Ok(()));
}
