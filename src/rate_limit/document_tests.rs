//! `docs/reference/limits.md`, computed from the limits themselves.

#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::bucket::{ChangeKind, LOGINS_TO_ACCOUNT, NoticeWeight, RateLimit};
use super::failures::{
    APP_CODES, CODES_FOR_ACCOUNT, CODES_FOR_ADDRESS, CODES_FROM_SITE, FailureLimit, ONE_CODE, ONE_PENDING_LOGIN,
    PER_NAME, PER_NAME_AND_NETWORK, UNTIL_CLEARED,
};
use super::login::{KNOWN_NETWORK_TTL, PER_NETWORK, PER_SITE};
use super::memory::{API_KEY_CHANGES, REFRESHES, WRONG_API_KEYS};
use super::rate::Rate;
use crate::crypto::keyed_hash::LimitKey;
use crate::crypto::secret_keys::SecretKeys;
use crate::metrics::LimitName;
use crate::metrics::label::Label;
use crate::model::ids::{OrganizationId, UserId};
use std::net::IpAddr;
use std::time::Duration;
use uuid::Uuid;

const HEAD: &str = "| What | Counted by | Limit | Beyond it | `limit` |\n|---|---|---|---|---|\n";
const REFUSED: &str = "429";
const NOT_SENT: &str = "the notice is not sent";

/// What a limit may be counted by.
#[derive(Clone, Copy)]
struct Keys {
    address: IpAddr,
    email: &'static str,
    user: UserId,
    concerned: UserId,
    organization: OrganizationId,
}

/// A limit for given keys, what it counts, and what happens beyond it.
type Row = (fn(Keys) -> RateLimit<'static>, &'static str, &'static str);

/// Makes the rows, and a match that does not compile when a variant has none.
macro_rules! rows {
    ($($variant:ident $([$kind:path])? ($($key:ident),+) $what:literal, $beyond:expr;)+) => {
        const ROWS: &[Row] =
            &[$((|keys| RateLimit::$variant($($kind,)? $(keys.$key),+), $what, $beyond)),+];
        const _: fn(RateLimit<'_>) = |limit| match limit {
            $(RateLimit::$variant($($kind,)? ..) => (),)+
        };
    };
}

rows! {
    SignupFrom(address) "signups", REFUSED;
    LoginsTo(user, address) "successful logins by password or passkey, and right passwords given elsewhere",
        "429, before the password is hashed";
    PasskeyFrom(address) "passkey assertions", REFUSED;
    ProviderFrom(address) "logins with providers that begin, and returns of unknown ones", REFUSED;
    ProviderReturnFrom(address) "returns with which a provider was asked; a success is given back",
        "429, before the provider is asked";
    MailTo(email) "emails with a link or a code: signups, changes of address, invitations by users", REFUSED;
    ResetLinkTo(email) "links to set a new password", "the usual answer, and no email";
    MailToOwn(email) "emails with a link or a code to the account's own address, requested in its session", REFUSED;
    MailFrom(address) "requests for password resets and for changes of the email address", REFUSED;
    NoticeTo[NoticeWeight::Addition](user) "notices of an added login method", NOT_SENT;
    NoticeTo[NoticeWeight::Loss](user) "notices of a changed password or a removed login method", NOT_SENT;
    NoticeAt(email) "notices of every kind, of all accounts that have had the address", NOT_SENT;
    DeedTo(user, concerned) "what administrators did to an account with a platform role, to each of them", NOT_SENT;
    NewTeam(user) "teams created", REFUSED;
    InviteBy(user) "invitation links, new and repeated", REFUSED;
    InviteTo(organization) "invitation links, by all members", REFUSED;
    InviteFrom(address) "invitation links, of all accounts", REFUSED;
    Change[ChangeKind::Names](user) "changes of the username and of names of passkeys", REFUSED;
    Change[ChangeKind::Factors](user) "changes of password, authenticator app, recovery codes, passkeys, trusted devices, \
        requests to change the email address, and deletions", REFUSED;
    Change[ChangeKind::Switches](user) "switches of the organization, and answers to invitations", REFUSED;
    Change[ChangeKind::Organizations](user) "organizations created, renamed, deleted or left", REFUSED;
    Change[ChangeKind::Members](user) "roles changed, members removed, forms of invitations sent, invitations sent again \
        or revoked", REFUSED;
    Change[ChangeKind::Languages](user) "changes of the language, while logged in", REFUSED;
    Change[ChangeKind::Exports](user) "exports of a user's data, and of the audit log by an administrator", REFUSED;
    Change[ChangeKind::Administration](user) "acts at the pages of administrators", REFUSED;
    NamesFrom(address) "changes of usernames, of all accounts", REFUSED;
    ChangesFrom(address) "all these changes, of all accounts", REFUSED;
}

fn keys() -> Keys {
    Keys {
        address: "2001:db8::1".parse().unwrap(),
        email: "jane@example.com",
        user: UserId(Uuid::from_u128(1)),
        concerned: UserId(Uuid::from_u128(1)),
        organization: OrganizationId(Uuid::from_u128(1)),
    }
}

/// What a limit is counted by: what changes the id of its bucket.
fn counted_by(limit: fn(Keys) -> RateLimit<'static>, key: &LimitKey) -> String {
    let base = keys();
    let separate = |other: Keys| limit(base).id(key) != limit(other).id(key);
    let address = |text: &str| separate(Keys { address: text.parse().unwrap(), ..base });
    let email = |email| separate(Keys { email, ..base });
    let parts = [
        (separate(Keys { user: UserId(Uuid::from_u128(2)), ..base }), "account"),
        (separate(Keys { concerned: UserId(Uuid::from_u128(2)), ..base }), "account concerned"),
        (separate(Keys { organization: OrganizationId(Uuid::from_u128(2)), ..base }), "organization"),
        (address("2001:db8:0:1::1"), "address (IPv6: /64)"),
        (address("2001:db8:1::1") && !address("2001:db8:0:1::1"), "address (IPv6: /48)"),
        (email("jane+tag@example.com"), "email address"),
        (email("john@example.com") && !email("jane+tag@example.com"), "email address without its `+tag`"),
    ];
    parts.into_iter().filter(|(is_part, _)| *is_part).map(|(_, name)| name).collect::<Vec<_>>().join(" and ")
}

fn time(time: Duration) -> String {
    let seconds = time.as_secs();
    let (number, unit) = match seconds {
        86_400.. if seconds.is_multiple_of(86_400) => (seconds / 86_400, "day"),
        3600.. if seconds.is_multiple_of(3600) => (seconds / 3600, "hour"),
        60.. if seconds.is_multiple_of(60) => (seconds / 60, "minute"),
        _ => (seconds, "second"),
    };
    format!("{number} {unit}{}", if number == 1 { "" } else { "s" })
}

fn bucket(burst: u32, refill: Duration) -> String {
    let then = match refill.as_millis() {
        below_a_second @ ..1000 => format!("{} a second", 1000 / below_a_second),
        1000 => "1 a second".to_owned(),
        60_000 => "1 a minute".to_owned(),
        _ => format!("1 every {}", time(refill)),
    };
    format!("{burst} at once, then {then}")
}

fn failures(limit: &FailureLimit) -> String {
    let wait = |wait| if wait == UNTIL_CLEARED { "until they are forgotten".to_owned() } else { time(wait) };
    let (free, [min, max]) = (limit.free, limit.waits);
    let last = limit.last.map(|(from, last)| format!("; from {from} on, {}", wait(last))).unwrap_or_default();
    match (min == max, max == UNTIL_CLEARED) {
        (true, true) => free.to_string(),
        (true, false) => format!("{free} within {}", time(max)),
        _ => format!("{free}, then a wait of {} that doubles up to {}{last}", time(min), time(max)),
    }
}

fn row(what: &str, by: &str, limit: &str, beyond: &str, name: LimitName) -> String {
    format!("| {what} | {by} | {limit} | {beyond} | `{}` |\n", LimitName::ALL[name.index()])
}

fn limit_row((limit, what, beyond): &Row, key: &LimitKey) -> String {
    let example = limit(keys());
    let Rate { burst, refill_interval } = example.rate();
    let shown = example.shown(Duration::ZERO).as_secs();
    let retry =
        if *beyond == REFUSED && shown > 0 { format!("; `Retry-After` is at least {shown}") } else { String::new() };
    row(what, &counted_by(*limit, key), &bucket(burst, refill_interval), &format!("{beyond}{retry}"), example.name())
}

fn password_rows() -> String {
    let tries = |by, rate: Rate| {
        let limit = bucket(rate.burst, rate.refill_interval);
        row("logins by password; a success is given back", by, &limit, REFUSED, LimitName::Passwords)
    };
    let known = time(KNOWN_NETWORK_TTL);
    let unknown = format!("all addresses without a login to the account in the last {known}");
    let failed = |by: &str, limit| {
        let what = "failures in a row at one name, username or email address";
        row(what, by, &failures(limit), REFUSED, LimitName::Passwords)
    };
    let logins = bucket(LOGINS_TO_ACCOUNT.burst, LOGINS_TO_ACCOUNT.refill_interval);
    [
        tries("address (IPv6: /64)", PER_NETWORK),
        tries("IPv6 /48", PER_SITE),
        failed("name and address (IPv6: /64)", &PER_NAME_AND_NETWORK),
        failed(&format!("name, for {unknown}"), &PER_NAME),
        row(
            "successful logins by password",
            &format!("account, for {unknown}"),
            &logins,
            REFUSED,
            LimitName::Passwords,
        ),
    ]
    .concat()
}

fn process_rows() -> String {
    let memory = |what, by, rate: Rate, name| row(what, by, &bucket(rate.burst, rate.refill_interval), REFUSED, name);
    [
        memory("refreshes", "session", REFRESHES, LimitName::Refreshes),
        memory(
            "wrong API keys; a right one is neither counted nor refused",
            "address (IPv6: /48)",
            WRONG_API_KEYS,
            LimitName::WrongApiKeys,
        ),
        memory("changes through API v2", "API key", API_KEY_CHANGES, LimitName::ApiKeyChanges),
    ]
    .concat()
}

fn document() -> String {
    let key = SecretKeys::generate().unwrap().0.limit_key();
    let limits: String = ROWS.iter().map(|row| limit_row(row, &key)).collect();
    let (passwords, processes) = (password_rows(), process_rows());
    format!(
        "### Shared by all processes

These counts are in the database.

{HEAD}{limits}
### Passwords

These counts are in the database, too.

{HEAD}{passwords}
### Of each process

These counts are in memory: with several processes, the limit is a multiple.

{HEAD}{processes}"
    )
}

/// What wrong codes there are, what they are counted by, their limits, and what forgets them.
fn codes_table() -> String {
    const UNLOCK: &str = "`doorward user unlock`";
    let row = |what: &str, by: &str, limits: &[FailureLimit], forgotten: &str| {
        let limits = limits.iter().map(failures).collect::<Vec<_>>().join("; ");
        format!("| {what} | {by} | {limits} | {forgotten} |\n")
    };
    let from_last = format!("when that time has passed since the last one, or by {UNLOCK}");
    let of_app = format!("by a right code, a recovery code, or {UNLOCK}");
    [
        "| Wrong codes | Counted by | Limit | Forgotten |\n|---|---|---|---|\n".to_owned(),
        row("mailed, of one email; it ends after 10 minutes", "code", &[ONE_CODE], "by the next email"),
        row(
            "mailed, for all signups, accounts and changes together; links are accepted",
            "email address",
            &CODES_FOR_ADDRESS,
            &from_last,
        ),
        row("mailed to confirm, in whichever session", "account", &CODES_FOR_ACCOUNT, &from_last),
        row(
            "mailed, without those",
            "address (IPv6: /48)",
            &[CODES_FROM_SITE],
            "when that time has passed since the first one",
        ),
        row("of an authenticator app, in a row", "account", &[APP_CODES], &of_app),
        row(
            "second factors; they are asked for 10 minutes",
            "password entered",
            &[ONE_PENDING_LOGIN],
            "by the password again",
        ),
    ]
    .concat()
}

#[test]
fn rate_limits_doc_matches_code() {
    const BEGIN: &str = "cargo test --lib rate_limits_doc -->\n\n";
    const END: &str = "\n<!-- end -->";
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/reference/limits.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let (mut expected, mut rest) = (String::new(), page.as_str());
    for tables in [document(), codes_table()] {
        let (before, written) = rest.split_once(BEGIN).unwrap();
        expected = [&expected, before, BEGIN, &tables, END].concat();
        rest = written.split_once(END).unwrap().1;
    }
    expected.push_str(rest);
    if std::env::var_os("DOORWARD_BLESS").is_some() {
        std::fs::write(&path, expected).unwrap();
        return;
    }
    assert!(
        page == expected,
        "docs/reference/limits.md is not what src/rate_limit says; regenerate it with: DOORWARD_BLESS=1 \
         cargo test --lib rate_limits_doc"
    );
}
