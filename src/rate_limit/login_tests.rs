use super::*;

const START: Time = Time::from_micros(1_800_000_000_000_000);

fn fresh() -> LoginCounters {
    let [network, site, name_and_network, name, known_network, logins, unknown_logins] =
        [0, 1, 2, 3, 4, 5, 6].map(|id| LimitRow::fresh(Uuid::from_u128(id)));
    LoginCounters { network, site, name_and_network, name, known_network, logins, unknown_logins }
}

/// Of a network from which the owner logged in at the start.
fn known() -> LoginCounters {
    let until = START + KNOWN_NETWORK_TTL;
    let known_network = LimitRow { at: until, expires_at: until, ..fresh().known_network };
    LoginCounters { known_network, ..fresh() }
}

/// The number of allowed attempts at one name, each from another network, and the counter of the name after them.
fn attack(mut name: LimitRow, from: Time, until: Time) -> (i64, LimitRow) {
    let (mut now, mut attempts) = (from, 0);
    while now < until {
        match (LoginCounters { name, ..fresh() }).begin(now, AttemptPlace::Login) {
            Ok(after) => {
                name = after.name;
                attempts += 1;
            }
            Err(wait) => now = now + wait,
        }
    }
    (attempts, name)
}

#[test]
fn delays_of_one_network_double_up_to_maximum() {
    let (mut counters, mut now, mut delays) = (fresh(), START, Vec::new());
    while delays.len() < 8 {
        match counters.begin(now, AttemptPlace::Login) {
            Ok(after) => counters = LoginCounters { name: fresh().name, ..after },
            Err(wait) => {
                delays.push(wait.as_secs());
                now = now + wait;
            }
        }
    }
    assert_eq!(delays, [15, 30, 60, 120, 240, 480, 900, 900]);
}

#[test]
fn distributed_guessing_is_limited_to_one_attempt_a_day() {
    let day = Duration::from_hours(24);
    let (first, name) = attack(fresh().name, START, START + Duration::from_secs(1));
    assert_eq!(first, 10, "at once");
    let (first_day, name) = attack(name, START + Duration::from_secs(1), START + day);
    assert!((20..=27).contains(&first_day), "{first_day}");
    let (rest, name) = attack(name, START + day, START + day * 10);
    assert!(10 + first_day + rest <= 50 + 9, "{first_day} and {rest}");
    let (month, _) = attack(name, START + day * 10, START + day * 40);
    assert!((29..=31).contains(&month), "{month}");
}

#[test]
fn known_network_is_not_delayed_by_other_networks() {
    let now = START + Duration::from_hours(24 * 20);
    let (_, name) = attack(fresh().name, START, now);
    assert!(LoginCounters { name, ..fresh() }.begin(now, AttemptPlace::Login).is_err(), "other networks have to wait");
    let after = LoginCounters { name, ..known() }.begin(now, AttemptPlace::Login);
    assert_eq!(after.map(|after| after.name), Ok(name), "attempts from a known network are not counted for the name");
    let (_, name) = attack(name, now, START + KNOWN_NETWORK_TTL);
    let forgotten = START + KNOWN_NETWORK_TTL;
    assert!(
        LoginCounters { name, ..known() }.begin(forgotten, AttemptPlace::Login).is_err(),
        "a month later the network is unknown again"
    );
}

#[test]
fn logins_elsewhere_keep_neither_known_network_nor_open_session_out() {
    let unknown_logins = (0..60).fold(fresh().unknown_logins, |row, _| LOGINS_TO_ACCOUNT.overdraw(row, START));
    let stranger = LoginCounters { unknown_logins, ..fresh() };
    assert!(stranger.begin(START, AttemptPlace::Login).is_err());
    assert!(stranger.begin(START, AttemptPlace::Session).is_ok());
    assert!(LoginCounters { unknown_logins, ..known() }.begin(START, AttemptPlace::Login).is_ok());
    let logins = unknown_logins;
    assert!(LoginCounters { logins, ..known() }.begin(START, AttemptPlace::Login).is_err(), "from one network");
}
