use super::*;

const START: Time = Time::from_micros(1_800_000_000_000_000);

fn fresh() -> Tries {
    Tries::from([0, 1, 2, 3].map(|id| LimitRow::fresh(Uuid::from_u128(id))))
}

/// Tries at one account, each from another network, as often as permitted.
fn strangers(mut account: LimitRow, from: Time, until: Time) -> (i64, LimitRow) {
    let (mut now, mut tries) = (from, 0);
    while now < until {
        match (Tries { account, ..fresh() }).begin(now) {
            Ok(after) => {
                account = after.account;
                tries += 1;
            }
            Err(wait) => now = now + wait,
        }
    }
    (tries, account)
}

#[test]
fn a_place_waits_longer_and_longer() {
    let (mut tries, mut now, mut waits) = (fresh(), START, Vec::new());
    while waits.len() < 8 {
        match tries.begin(now) {
            Ok(after) => tries = Tries { account: fresh().account, ..after },
            Err(wait) => {
                waits.push(wait.as_secs());
                now = now + wait;
            }
        }
    }
    assert_eq!(waits, [15, 30, 60, 120, 240, 480, 900, 900]);
}

#[test]
fn strangers_fail_a_hundred_times_in_days_and_then_once_a_day() {
    let day = Duration::from_hours(24);
    let (first, account) = strangers(fresh().account, START, START + Duration::from_secs(1));
    assert_eq!(first, 20, "at once");
    let (first_day, account) = strangers(account, START + Duration::from_secs(1), START + day);
    assert!((20..=50).contains(&first_day), "{first_day}");
    let (rest, account) = strangers(account, START + day, START + day * 10);
    assert!(20 + first_day + rest <= 100 + 7, "{first_day} and {rest}");
    let (month, _) = strangers(account, START + day * 10, START + day * 40);
    assert!((29..=31).contains(&month), "{month}");
}

#[test]
fn strangers_do_not_hold_up_the_owner_where_they_were_before() {
    let home = fresh().succeed(START);
    let (_, account) = strangers(home.account, START, START + Duration::from_hours(24 * 20));
    let now = START + Duration::from_hours(24 * 20);
    assert!(Tries { account, ..fresh() }.begin(now).is_err(), "elsewhere everybody waits");
    let after = Tries { account, ..home }.begin(now);
    assert_eq!(after.map(|after| after.account), Ok(account), "tries at home are counted at home");
    let (_, account) = strangers(account, now, START + FAMILIAR);
    assert!(Tries { account, ..home }.begin(START + FAMILIAR).is_err(), "a month later the place is strange again");
}

#[test]
fn what_succeeded_does_not_count() {
    let mut tries = fresh();
    for _ in 0..1000 {
        let begun = tries.begin(START);
        assert!(begun.is_ok());
        tries = begun.unwrap_or(tries).succeed(START);
    }
}

#[test]
fn no_number_of_failures_is_too_large() {
    assert_eq!(ACCOUNT.after(i64::MAX), Duration::from_hours(24));
    assert_eq!(PLACE.after(i64::MAX), Duration::from_mins(15));
}
