use super::*;

const START: Time = Time::from_micros(1_800_000_000_000_000);

fn fresh() -> Tries {
    let [from, place, name, familiar] = [0, 1, 2, 3].map(|id| LimitRow::fresh(Uuid::from_u128(id)));
    Tries { from, place, name, familiar }
}

/// Where the owner logged in at the start.
fn home() -> Tries {
    let until = START + FAMILIAR;
    Tries { familiar: LimitRow { at: until, expires_at: until, ..fresh().familiar }, ..fresh() }
}

/// Tries at one name, each from another network, as often as permitted.
fn strangers(mut name: LimitRow, from: Time, until: Time) -> (i64, LimitRow) {
    let (mut now, mut tries) = (from, 0);
    while now < until {
        match (Tries { name, ..fresh() }).begin(now) {
            Ok(after) => {
                name = after.name;
                tries += 1;
            }
            Err(wait) => now = now + wait,
        }
    }
    (tries, name)
}

#[test]
fn a_place_waits_longer_and_longer() {
    let (mut tries, mut now, mut waits) = (fresh(), START, Vec::new());
    while waits.len() < 8 {
        match tries.begin(now) {
            Ok(after) => tries = Tries { name: fresh().name, ..after },
            Err(wait) => {
                waits.push(wait.as_secs());
                now = now + wait;
            }
        }
    }
    assert_eq!(waits, [15, 30, 60, 120, 240, 480, 900, 900]);
}

#[test]
fn strangers_fail_fifty_times_at_each_of_two_names_in_days_and_then_once_a_day() {
    let day = Duration::from_hours(24);
    let (first, name) = strangers(fresh().name, START, START + Duration::from_secs(1));
    assert_eq!(first, 10, "at once");
    let (first_day, name) = strangers(name, START + Duration::from_secs(1), START + day);
    assert!((20..=27).contains(&first_day), "{first_day}");
    let (rest, name) = strangers(name, START + day, START + day * 10);
    assert!(10 + first_day + rest <= 50 + 9, "{first_day} and {rest}");
    let (month, _) = strangers(name, START + day * 10, START + day * 40);
    assert!((29..=31).contains(&month), "{month}");
}

#[test]
fn strangers_do_not_hold_up_the_owner_where_they_were_before() {
    let now = START + Duration::from_hours(24 * 20);
    let (_, name) = strangers(fresh().name, START, now);
    assert!(Tries { name, ..fresh() }.begin(now).is_err(), "elsewhere everybody waits");
    let after = Tries { name, ..home() }.begin(now);
    assert_eq!(after.map(|after| after.name), Ok(name), "tries at home are counted at home");
    let (_, name) = strangers(name, now, START + FAMILIAR);
    assert!(Tries { name, ..home() }.begin(START + FAMILIAR).is_err(), "a month later the place is strange again");
}

#[test]
fn no_number_of_failures_is_too_large() {
    assert_eq!(NAME.after(i64::MAX), Duration::from_hours(24));
    assert_eq!(PLACE.after(i64::MAX), Duration::from_mins(15));
}
