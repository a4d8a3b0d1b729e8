//! People found by words, domain, id, state and role, in pages that read a bounded part of an index.

use crate::harness::{Engine, TestApp, begin, eventually, read};
use doorward::domain::account::delete::Delete;
use doorward::domain::account::stored_words::renew_part;
use doorward::domain::account::update::{UpdateUser, UserUpdate};
use doorward::domain::change;
use doorward::domain::directory::people::{People, PeopleQuery, people};
use doorward::domain::directory::people_place::PeoplePlace;
use doorward::domain::identity::visible_name::DisplayName;
use doorward::model::ids::UserId;
use doorward::model::placeholder_email::placeholder_of;
use doorward::model::principal::Principal;
use doorward::model::roles::{PlatformRole, Roles};
use doorward::model::time::Time;
use doorward::store::{UserRow, UserState};
use std::collections::BTreeSet;
use std::time::Duration;
use uuid::Uuid;

both_engines![
    people_are_found_by_beginnings_of_words_wholes_domain_and_id,
    hostile_text_finds_nobody_and_breaks_nothing,
    pages_have_each_person_once_in_order,
    filters_are_cut_after_2000_places,
    list_without_text_is_newest_first,
    words_follow_every_change,
    passes_mend_what_an_older_version_left,
    passes_are_shared_and_grow_rarer,
];
once_on_postgres![pages_read_by_index_on_postgres];

/// Pages of each kind, of which the last ones are read by general plans.
const ROUND: usize = 8;
/// Milliseconds since the Unix epoch of the first account.
const EPOCH_MS: u64 = 1_760_000_000_000;

/// An account of which only names count: the `number`th that was made.
struct Named<'a> {
    number: u64,
    email: &'a str,
    username: &'a str,
    name: Option<&'a str>,
}

fn id(number: u64) -> UserId {
    UserId(Uuid::from_u64_pair((EPOCH_MS + number) << 16 | 0x7000, 0x8000_0000_0000_0000 | number))
}

async fn store_all(app: &TestApp, accounts: &[Named<'_>]) {
    let mut tx = begin(&app.app.store).await;
    for account in accounts {
        let user = UserRow {
            id: id(account.number),
            email: account.email.to_owned(),
            username: account.username.to_owned(),
            password_hash: None,
            roles: Roles::NONE,
            email_verified_at: None,
            disabled_at: None,
            created_at: Time::from_micros(i64::try_from((EPOCH_MS + account.number) * 1000).unwrap()),
            language: None,
            name: None,
        };
        tx.user_create(&user, &account.email.to_lowercase(), &account.username.to_lowercase()).await.unwrap();
        if account.name.is_some() {
            tx.user_set_name(user.id, account.name).await.unwrap();
        }
    }
    tx.commit().await.unwrap();
}

async fn page(app: &TestApp, query: &PeopleQuery, after: Option<&PeoplePlace>) -> People {
    let mut conn = read(&app.app.store).await;
    people(&mut conn, &app.app.settings.name, query, after).await.unwrap()
}

fn typed(text: &str) -> PeopleQuery {
    PeopleQuery { text: Some(text.to_owned()), ..PeopleQuery::default() }
}

fn usernames(page: &People) -> Vec<&str> {
    page.data.iter().map(|user| user.username.as_str()).collect()
}

async fn found(app: &TestApp, text: &str) -> String {
    let page = page(app, &typed(text), None).await;
    assert!(page.next.is_none() && !page.is_cut, "{text}");
    usernames(&page).join(" ")
}

/// All pages, each place read again as a link has it.
async fn all_pages(app: &TestApp, query: &PeopleQuery) -> Vec<People> {
    let mut pages = vec![page(app, query, None).await];
    while let Some(next) = &pages.last().unwrap().next {
        let next = PeoplePlace::parse(&next.to_string()).unwrap();
        pages.push(page(app, query, Some(&next)).await);
    }
    pages
}

/// Whether each person's words are those of what the person is called.
async fn words_agree(app: &TestApp) -> bool {
    let compared = read(&app.app.store).await.user_words_compare(UserId(Uuid::nil()), 10_000).await.unwrap();
    compared.differing.is_empty()
}

async fn words(app: &TestApp, user: &str) -> Vec<String> {
    let sql = "SELECT w.word FROM user_words w JOIN users u ON u.id = w.user_id WHERE u.username";
    let mut words = app.database().texts(&format!("{sql} = '{user}'")).await;
    words.sort_unstable();
    words
}

async fn people_are_found_by_beginnings_of_words_wholes_domain_and_id(engine: Engine) {
    let app = engine.prepare().await.without_background().start().await;
    let account = |number, email, username, name| Named { number, email, username, name };
    let placeholder = placeholder_of(id(6));
    store_all(
        &app,
        &[
            account(1, "Ada.King@example.com", "countess", Some("Ada Lovelace")),
            account(2, "grace@navy.example", "amazing_grace", Some("Grace Hopper")),
            account(3, "smith@xn--mller-kva.example", "Smith-Jones", None),
            account(4, "jo@sub.example.com", "jo", Some("Jones Ada Smith")),
            account(5, "x@other.example", "jonas", Some("李小龍 Élodie")),
            account(6, &placeholder, "unknown", None),
        ],
    )
    .await;
    for (text, expected) in [
        ("ada", "jo countess"),
        ("ADA lov", "countess"),
        ("lov ada", "countess"),
        ("ada.king@exa", "countess"),
        ("countess", "countess"),
        ("king", "countess"),
        ("hop", "amazing_grace"),
        ("amazing_gr", "amazing_grace"),
        ("@example.com", "countess"),
        ("@EXAMPLE.com ada", "countess"),
        ("@example", ""),
        ("@müller.example", "Smith-Jones"),
        // Who has it as it stands comes first.
        ("smith-jones", "Smith-Jones jo"),
        ("smith jones", "jo Smith-Jones"),
        ("jon", "jonas jo Smith-Jones"),
        ("李小", "jonas"),
        ("élo", "jonas"),
        ("elodie", ""),
        ("example", ""),
        ("unverified", ""),
        ("unknown", "unknown"),
        ("ada nobody", ""),
        ("@unverified.invalid", ""),
    ] {
        assert_eq!(found(&app, text).await, expected, "{text}");
    }
    for text in [id(2).to_string(), format!(" {} ", id(2).0.simple()), id(2).to_string().to_uppercase()] {
        assert_eq!(found(&app, &text).await, "amazing_grace", "{text}");
    }
    assert_eq!(found(&app, &id(7).to_string()).await, "");
    let disabled = PeopleQuery { state: Some(UserState::Disabled), ..typed(&id(2).to_string()) };
    assert_eq!(page(&app, &disabled, None).await.data.len(), 0, "filters hold for an id");
}

async fn hostile_text_finds_nobody_and_breaks_nothing(engine: Engine) {
    let app = engine.prepare().await.without_background().start().await;
    let account = |number, email, username, name| Named { number, email, username, name };
    store_all(
        &app,
        &[
            account(1, "o'neil%x@example.com", "per_cent", Some("<script>alert(1)</script> \u{1b}[31m")),
            account(2, "perxcent@example.com", "perxcent", Some("Robert'); DROP TABLE users;--")),
            account(3, "rtl@example.com", "rtl", Some("\u{202e}Ma\u{200f}ry\u{2066} שלום")),
        ],
    )
    .await;
    let long = "x".repeat(10_000);
    let marks = "\u{202e}\u{200f}".repeat(50);
    for text in ["%", "_", "'", "%%", "__", "''", "\0", "ada\0", "\0\0\0", "%r%", &long, &marks, "\u{feff}m"] {
        assert_eq!(found(&app, text).await, "", "{text:?}");
    }
    for (text, expected) in [
        ("per_", "per_cent"),
        ("per_c", "per_cent"),
        ("o'neil%", "per_cent"),
        ("o'neil%x@", "per_cent"),
        ("o'neil_x@", ""),
        ("<script>", "per_cent"),
        ("alert(1)", "per_cent"),
        ("Robert');", "perxcent"),
        ("drop table", "perxcent"),
        ("\u{202e}mary", "rtl"),
        ("ma\u{200f}ry שלו", "rtl"),
    ] {
        assert_eq!(found(&app, text).await, expected, "{text:?}");
    }
    // A place of another search, or made up, is none.
    for place in ["w", "wMC4wLjAu", "x", "0-0", "9-8"] {
        assert!(PeoplePlace::parse(place).is_none(), "{place}");
    }
    let newest = PeoplePlace::parse(&format!("9-{}", Uuid::nil().simple())).unwrap();
    assert_eq!(usernames(&page(&app, &typed("rtl"), Some(&newest)).await), ["rtl"]);
    assert!(page(&app, &PeopleQuery::default(), Some(&newest)).await.data.is_empty(), "after the oldest");
}

async fn pages_have_each_person_once_in_order(engine: Engine) {
    let app = engine.prepare().await.without_background().start().await;
    let names: Vec<(String, String, String)> = (0..130)
        .map(|number| {
            let name = ["Ann", "Anna Annabel", "Annabel Ann", "Anna-Ann X"][number % 4];
            (format!("ann{number}@example.com"), format!("u{number}.ann"), name.to_owned())
        })
        .collect();
    let accounts: Vec<Named<'_>> = (0..)
        .zip(&names)
        .map(|(number, (email, username, name))| Named { number, email, username, name: Some(name) })
        .collect();
    store_all(&app, &accounts).await;
    for text in ["ann", "@example.com", "ann u1", "anna-ann", "u", "ann an x"] {
        let pages = all_pages(&app, &typed(text)).await;
        let found: Vec<&str> = pages.iter().flat_map(usernames).collect();
        let once: BTreeSet<&str> = found.iter().copied().collect();
        assert_eq!(once.len(), found.len(), "{text}: {found:?}");
        assert!(pages.iter().all(|page| !page.is_cut && page.data.len() <= 50), "{text}");
        let full = pages.iter().filter(|page| page.data.len() == 50).count();
        let expected = match text {
            "ann" | "@example.com" => 130,
            // 1, 10 to 19, 100 to 129.
            "ann u1" => 41,
            "anna-ann" => 65,
            "ann an x" => 32,
            _ => 0,
        };
        assert_eq!((found.len(), full), (expected, expected / 50), "{text}");
    }
    // Of one word, the newest first.
    let domain = all_pages(&app, &typed("@example.com")).await;
    let found: Vec<Time> = domain.iter().flat_map(|page| page.data.iter().map(|user| user.created_at)).collect();
    assert!(found.is_sorted_by(|one, next| one > next), "{found:?}");
    // Who stands on the next page may be deleted or renamed meanwhile.
    let first = page(&app, &typed("ann"), None).await;
    app.database().execute("DELETE FROM users WHERE username = 'u0.ann'").await;
    assert_eq!(app.database().count("SELECT count(*) FROM user_words WHERE word = 'u0.ann'").await, 0);
    let mut after = first.next;
    let mut rest = 0;
    while let Some(place) = after {
        let next = page(&app, &typed("ann"), Some(&place)).await;
        rest += next.data.len();
        after = next.next;
    }
    assert_eq!(rest, 79);
}

/// Adds accounts whose words are `crowd` and, of one in ten, `tenth`; of the oldest, `last`.
async fn add_crowd(app: &TestApp, count: u64) {
    let (id, at, newest) = match app.engine() {
        Engine::Sqlite => ("unhex(printf('01880000000070008000%012x', i))", "1760000000000000 + i", "-created_at"),
        Engine::Postgres => (
            "('01880000-0000-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid",
            "to_timestamp(1760000000) + i * interval '1 microsecond'",
            "-(extract(epoch FROM created_at) * 1000000)::bigint",
        ),
    };
    let database = app.database();
    database
        .execute(&format!(
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {count}) \
             INSERT INTO users (id, email, email_key, username, username_key, roles, created_at, updated_at) \
             SELECT {id}, i || '@c', i || '@c', 'p' || i, 'p' || i, '', {at}, {at} FROM n"
        ))
        .await;
    for (word, of) in [("crowd", "username LIKE 'p%'"), ("tenth", "username LIKE 'p%0'"), ("last", "username = 'p1'")] {
        let insert = "INSERT INTO user_words (word, newest, user_id)";
        database.execute(&format!("{insert} SELECT '{word}', {newest}, id FROM users WHERE {of}")).await;
    }
    if app.engine() == Engine::Postgres {
        database.execute("ANALYZE").await;
    }
}

async fn filters_are_cut_after_2000_places(engine: Engine) {
    let app = engine.prepare().await.without_background().start().await;
    add_crowd(&app, 4_500).await;
    app.database().execute("UPDATE users SET disabled_at = created_at WHERE username IN ('p1', 'p4500')").await;
    let disabled = |text: Option<&str>| PeopleQuery {
        text: text.map(str::to_owned),
        state: Some(UserState::Disabled),
        ..PeopleQuery::default()
    };
    for text in [Some("crowd"), None] {
        let pages = all_pages(&app, &disabled(text)).await;
        let found: Vec<Vec<&str>> = pages.iter().map(usernames).collect();
        assert_eq!(found, [vec!["p4500"], vec![], vec!["p1"]], "{text:?}");
        let cut: Vec<bool> = pages.iter().map(|page| page.is_cut).collect();
        assert_eq!(cut, [true, true, false], "{text:?}");
    }
    // The rarer of two words is walked, so that this page has all that there is.
    let pages = all_pages(&app, &disabled(Some("crowd last"))).await;
    assert_eq!(pages.iter().map(usernames).collect::<Vec<_>>(), [["p1"]]);
    let pages = all_pages(&app, &typed("tenth crowd")).await;
    assert_eq!(pages.iter().map(|page| page.data.len()).collect::<Vec<_>>(), [50; 9]);
    let active = PeopleQuery { state: Some(UserState::Active), ..typed("crowd") };
    let pages = all_pages(&app, &active).await;
    assert_eq!(pages.iter().map(|page| page.data.len()).sum::<usize>(), 4_498);
    assert!(pages.iter().all(|page| !page.is_cut));
    let admins = PeopleQuery { role: Some(PlatformRole::Admin), ..typed("crowd") };
    assert_eq!(all_pages(&app, &admins).await.iter().filter(|page| page.is_cut).count(), 2);
}

async fn list_without_text_is_newest_first(engine: Engine) {
    let app = engine.prepare().await.without_background().start().await;
    let names: Vec<(String, String)> =
        (0..120).map(|number| (format!("{number}@example.com"), format!("user{number}"))).collect();
    let accounts: Vec<Named<'_>> =
        (0..).zip(&names).map(|(number, (email, username))| Named { number, email, username, name: None }).collect();
    store_all(&app, &accounts).await;
    for (username, roles) in [("user7", "admin"), ("user9", "auditor"), ("user80", "admin,monitor")] {
        app.database().execute(&format!("UPDATE users SET roles = '{roles}' WHERE username = '{username}'")).await;
    }
    for text in [None, Some(String::new()), Some("  ".to_owned())] {
        let pages = all_pages(&app, &PeopleQuery { text, ..PeopleQuery::default() }).await;
        let found: Vec<&str> = pages.iter().flat_map(usernames).collect();
        assert_eq!((found.len(), found[0], found[119], pages.len()), (120, "user119", "user0", 3));
    }
    let with = |role| PeopleQuery { role: Some(role), ..PeopleQuery::default() };
    assert_eq!(usernames(&page(&app, &with(PlatformRole::Admin), None).await), ["user80", "user7"]);
    assert_eq!(usernames(&page(&app, &with(PlatformRole::Monitor), None).await), ["user80"]);
    let unverified = PeopleQuery { state: Some(UserState::Unverified), ..with(PlatformRole::Auditor) };
    assert_eq!(usernames(&page(&app, &unverified, None).await), ["user9"]);
    let disabled = PeopleQuery { state: Some(UserState::Disabled), ..with(PlatformRole::Auditor) };
    assert!(page(&app, &disabled, None).await.data.is_empty());
}

async fn words_follow_every_change(engine: Engine) {
    let app = engine.prepare().await.without_background().start().await;
    let ada = app.sign_up("ada@example.com").await;
    assert_eq!(words(&app, "ada").await, ["@example.com", "ada", "ada@example.com"]);
    ada.post_form("/auth/account/name", &[("name", "Ada King")]).await.expect(303);
    ada.post_form("/auth/account/username", &[("username", "countess")]).await.expect(303);
    let expected = ["@example.com", "ada", "ada@example.com", "countess", "king"];
    assert_eq!(words(&app, "countess").await, expected);
    let user = UserId(Uuid::parse_str(ada.api_user().await.json()["id"].as_str().unwrap()).unwrap());
    let change = UserUpdate {
        email: Some("lovelace@new.example".to_owned()),
        name: Some(Some(DisplayName::parse("Byron").unwrap())),
        ..UserUpdate::default()
    };
    change::run(&app.app, &Principal::operator(), UpdateUser::new(user, change).unwrap()).await.unwrap();
    assert_eq!(
        words(&app, "countess").await,
        ["@new.example", "byron", "countess", "lovelace", "lovelace@new.example"]
    );
    let mut tx = begin(&app.app.store).await;
    tx.user_set_email(user, "a@b.example", "a@b.example").await.unwrap();
    tx.commit().await.unwrap();
    assert!(words_agree(&app).await);
    let mut tx = begin(&app.app.store).await;
    tx.user_set_email_unverified(user, &placeholder_of(user)).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(words(&app, "countess").await, ["byron", "countess"]);
    // What is rolled back is not found either.
    let mut tx = begin(&app.app.store).await;
    tx.user_set_username(user, "other", "other").await.unwrap();
    tx.rollback().await.unwrap();
    assert_eq!((found(&app, "other").await, found(&app, "countess").await), (String::new(), "countess".to_owned()));
    assert!(words_agree(&app).await);
    change::run(&app.app, &Principal::operator(), Delete { user }).await.unwrap();
    assert_eq!(app.database().count("SELECT count(*) FROM user_words").await, 0);
}

async fn renew_all(app: &TestApp) -> usize {
    let mut parts = 1;
    while renew_part(&app.app).await.unwrap() {
        parts += 1;
    }
    parts
}

async fn passes_mend_what_an_older_version_left(engine: Engine) {
    let app = engine.prepare().await.without_background().start().await;
    add_crowd(&app, 1_200).await;
    app.sign_up("ada@example.com").await;
    app.sign_up("bob@example.com").await;
    let database = app.database();
    // Left out, of an old name, and of nobody's name.
    database.execute("DELETE FROM user_words WHERE word = 'ada'").await;
    database.execute("UPDATE users SET username = 'robert', username_key = 'robert' WHERE username = 'bob'").await;
    assert_eq!((found(&app, "robert").await, found(&app, "bob").await), (String::new(), "robert".to_owned()));
    assert!(!words_agree(&app).await);
    assert_eq!(renew_all(&app).await, 3, "500 users a part");
    assert!(words_agree(&app).await);
    assert_eq!(found(&app, "robert").await, "robert");
    assert_eq!(words(&app, "robert").await, ["@example.com", "bob", "bob@example.com", "robert"]);
    assert_eq!(words(&app, "p1").await, ["1", "1@c", "@c", "p1"], "'crowd' and 'last' are not its name");
    assert_eq!(words(&app, "ada").await, ["@example.com", "ada", "ada@example.com"]);
    // A pass that finds everything right writes nothing.
    app.clock().advance(Duration::from_mins(2));
    let before = app.app.store.statements();
    assert_eq!(renew_all(&app).await, 3);
    let statements = app.app.store.statements() - before;
    assert!(statements <= 18, "{statements} statements");
    let before = app.app.store.statements();
    assert!(!renew_part(&app.app).await.unwrap());
    assert_eq!(app.app.store.statements() - before, 2, "nothing is due: one for people, one for organizations");
}

async fn passes_are_shared_and_grow_rarer(engine: Engine) {
    let app = engine.prepare().await.without_background().start().await;
    let second = app.second_process().await;
    add_crowd(&app, 1_200).await;
    let both = async {
        let (one, other) = tokio::join!(renew_all(&app), renew_all(&second));
        one + other
    };
    assert!(both.await >= 3);
    // A process that lost its part while it worked on it leaves it to the other after half a minute.
    eventually("all parts are done", async || {
        app.clock().advance(Duration::from_secs(31));
        renew_all(&app).await;
        words_agree(&app).await.then_some(())
    })
    .await;
    let is_due = async || read(&app.app.store).await.word_check_is_due().await.unwrap();
    let mut pauses = Vec::new();
    while pauses.len() < 14 {
        renew_all(&app).await;
        let mut minutes = 0;
        while !is_due().await {
            app.clock().advance(Duration::from_mins(1));
            minutes += 1;
        }
        pauses.push(minutes);
    }
    assert!(pauses.is_sorted() && pauses[0] <= 3 && pauses[13] == 24 * 60, "{pauses:?}");
}

/// PostgreSQL chooses its plans by what it knows of the tables, so there are many rows, and each page is asked until prepared
/// statements have their general plan: no table is ever read as a whole, and no page reads more than it may.
async fn pages_read_by_index_on_postgres() {
    let app = Engine::Postgres.prepare().await.without_background().start().await;
    add_crowd(&app, 40_000).await;
    app.database().execute("UPDATE users SET roles = 'admin' WHERE username LIKE 'p1_'").await;
    app.database().execute("VACUUM ANALYZE").await;
    let role = Some(PlatformRole::Admin);
    let (disabled, unverified) = (Some(UserState::Disabled), Some(UserState::Unverified));
    let query = |text: Option<&str>, state, role| PeopleQuery { text: text.map(str::to_owned), state, role };
    let queries = [
        query(Some("crowd"), None, None),
        query(Some("tenth crowd"), None, None),
        query(Some("tenth crowd last"), disabled, None),
        query(Some("crowd-last tenth"), unverified, role),
        query(Some("crowd"), disabled, role),
        query(Some("p1"), None, None),
        query(Some("@c"), disabled, None),
        query(None, None, None),
        query(None, disabled, None),
        query(None, unverified, role),
    ];
    let tables = "FROM pg_stat_user_tables WHERE relname IN ('users', 'user_words')";
    let scans = format!("SELECT sum(seq_scan)::bigint {tables}");
    let lookups = format!("SELECT sum(idx_scan)::bigint {tables}");
    let places = "SELECT sum(idx_tup_read)::bigint FROM pg_stat_user_indexes \
        WHERE indexrelname IN ('user_words_pkey', 'users_created_at')";
    let statistics = async || {
        let database = app.database();
        [database.count(&scans).await, database.count(&lookups).await, database.count(places).await]
    };
    // Statistics are late, up to ten seconds: what came before may count in the first round.
    eventually("a round without a scan", async || {
        let [scanned, looked_up, read] = statistics().await;
        for query in queries.iter().cycle().take(queries.len() * ROUND) {
            page(&app, query, None).await;
        }
        let pages = i64::try_from(queries.len() * ROUND).unwrap();
        let written = async || (statistics().await[1] >= looked_up + 2 * pages).then_some(());
        eventually("the statistics are written", written).await;
        let after = statistics().await;
        // The last place is found, then the people up to it, and each term is counted.
        (after[0] == scanned && (after[2] - read) / pages <= 5 * 2_000).then_some(())
    })
    .await;
}
