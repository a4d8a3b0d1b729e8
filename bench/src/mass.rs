//! Fills a database with millions of people, by plain SQL in batches.

use crate::instance::Instance;
use crate::outcome::{Outcome, progress};
use crate::people::Person;
use doorward::crypto::password::{Params, PasswordHasher};
use doorward::model::person_words::words_of;
use rusqlite::Connection as Sqlite;
use sqlx::{Connection, PgConnection};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::ops::Range;
use std::path::Path;
use std::time::Duration;
use uuid::Uuid;

/// The password of all people, hashed once.
pub const PASSWORD: &str = "a fine password for a benchmark";
const BATCH: u64 = 20_000;
const SESSION_TTL: Duration = Duration::from_hours(60 * 24);

/// Values shared by the rows of a batch.
struct Batch {
    people: Range<u64>,
    hash: String,
    now: i64,
}

/// Fills the instance's database, which has the schema and nobody in it yet, with `people` people.
pub async fn fill(instance: &Instance, people: u64) -> Outcome<()> {
    progress(&format!("{}: {people} people", instance.engine.name()));
    let hash = PasswordHasher::new(Params::OWASP)?.hash(PASSWORD)?;
    let mut begin = 0;
    while begin < people {
        let end = people.min(begin + BATCH);
        let batch =
            Batch { people: begin..end, hash: hash.clone(), now: doorward::clock::Clock::system().now().as_micros() };
        match instance.url() {
            None => sqlite(instance.sqlite_file(), batch).await?,
            Some(url) => postgres(url, &batch).await?,
        }
        if end / 1_000_000 > begin / 1_000_000 {
            progress(&format!("{}: {end} people", instance.engine.name()));
        }
        begin = end;
    }
    settle(instance).await
}

async fn sqlite(file: std::path::PathBuf, batch: Batch) -> Outcome<()> {
    tokio::task::spawn_blocking(move || write_sqlite(&file, &batch)).await?
}

fn write_sqlite(file: &Path, Batch { people, hash, now }: &Batch) -> Outcome<()> {
    let mut connection = Sqlite::open(file)?;
    connection.busy_timeout(Duration::from_mins(1))?;
    // The database is gone with this run: nothing need be durable.
    connection.execute_batch("PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF; PRAGMA cache_size = -65536")?;
    let tx = connection.transaction()?;
    {
        let mut user = tx.prepare(
            "INSERT INTO users (id, email, email_key, username, username_key, password_hash, roles, created_at, updated_at, \
             name) VALUES (?1, ?2, ?2, ?3, ?3, ?4, '', ?5, ?5, ?6)",
        )?;
        let mut word = tx.prepare("INSERT INTO user_words (word, newest, user_id) VALUES (?1, ?2, ?3)")?;
        let mut organization = tx.prepare(
            "INSERT INTO organizations (id, kind, name, created_by_user_id, created_at, updated_at) \
             VALUES (?1, 'personal', ?2, ?3, ?4, ?4)",
        )?;
        let mut membership = tx.prepare(
            "INSERT INTO memberships (organization_id, user_id, role, created_at) VALUES (?1, ?2, 'owner', ?3)",
        )?;
        let mut session = tx.prepare(
            "INSERT INTO sessions (id, user_id, organization_id, nonce, generation, issued_at, used, version, user_agent, \
             address, created_at, last_used_at, expires_at) \
             VALUES (?1, ?2, ?3, ?4, 1, ?5, 0, 1, 'Mozilla/5.0 (X11; Linux x86_64) benchmark', '', ?5, ?5, ?6)",
        )?;
        for person in people.clone().map(Person) {
            let (id, org) = (person.user().0.into_bytes(), person.organization().0.into_bytes());
            user.execute((&id, person.email(), person.username(), hash, now, person.name()))?;
            for text in words(person) {
                word.execute((text, -now, &id))?;
            }
            organization.execute((&org, person.username(), &id, now))?;
            membership.execute((&org, &id, now))?;
            session.execute((person.session().0.into_bytes(), &id, &org, person.nonce(), now, now + ttl()))?;
        }
    }
    Ok(tx.commit()?)
}

async fn postgres(url: &str, batch: &Batch) -> Outcome<()> {
    let mut connection = PgConnection::connect(url).await?;
    // As above; and the rows are consistent by construction.
    sqlx::raw_sql("SET synchronous_commit = off; SET session_replication_role = replica")
        .execute(&mut connection)
        .await?;
    let mut tx = connection.begin().await?;
    for (table, row) in TABLES {
        let mut text = String::new();
        for person in batch.people.clone().map(Person) {
            row(&mut text, person, batch)?;
        }
        let mut copy = tx.copy_in_raw(table).await?;
        copy.send(text.into_bytes()).await?;
        copy.finish().await?;
    }
    Ok(tx.commit().await?)
}

type Row = fn(&mut String, Person, &Batch) -> std::fmt::Result;

const TABLES: [(&str, Row); 5] = [
    (
        "COPY users (id, email, email_key, username, username_key, password_hash, roles, created_at, updated_at, name) \
         FROM STDIN",
        |text, person, batch| {
            let (id, email, username, now) = (person.user().0, person.email(), person.username(), time(batch.now));
            let (hash, name) = (&batch.hash, person.name());
            writeln!(text, "{id}\t{email}\t{email}\t{username}\t{username}\t{hash}\t\t{now}\t{now}\t{name}")
        },
    ),
    ("COPY user_words (word, newest, user_id) FROM STDIN", |text, person, batch| {
        let (id, newest) = (person.user().0, -batch.now);
        words(person).into_iter().try_for_each(|word| writeln!(text, "{word}\t{newest}\t{id}"))
    }),
    (
        "COPY organizations (id, kind, name, created_by_user_id, created_at, updated_at) FROM STDIN",
        |text, person, batch| {
            let (id, name, user, now) = (person.organization().0, person.username(), person.user().0, time(batch.now));
            writeln!(text, "{id}\tpersonal\t{name}\t{user}\t{now}\t{now}")
        },
    ),
    ("COPY memberships (organization_id, user_id, role, created_at) FROM STDIN", |text, person, batch| {
        writeln!(text, "{}\t{}\towner\t{}", person.organization().0, person.user().0, time(batch.now))
    }),
    (
        "COPY sessions (id, user_id, organization_id, nonce, generation, issued_at, used, version, user_agent, address, \
         created_at, last_used_at, expires_at) FROM STDIN",
        |text, person, batch| {
            let (id, user, org, nonce) = (person.session().0, person.user().0, person.organization().0, person.nonce());
            let (nonce, now, end) = (Uuid::from_bytes(nonce).simple(), time(batch.now), time(batch.now + ttl()));
            let agent = "Mozilla/5.0 (X11; Linux x86_64) benchmark";
            writeln!(text, "{id}\t{user}\t{org}\t\\\\x{nonce}\t1\t{now}\tf\t1\t{agent}\t\t{now}\t{now}\t{end}")
        },
    ),
];

fn words(person: Person) -> BTreeSet<String> {
    words_of(&person.email(), &person.username(), Some(&person.name()))
}

fn time(micros: i64) -> String {
    doorward::model::time::Time::from_micros(micros).to_string()
}

fn ttl() -> i64 {
    i64::try_from(SESSION_TTL.as_micros()).unwrap_or(i64::MAX)
}

/// Brings the database into the state of one in use: statistics for the planner, and the log checkpointed.
async fn settle(instance: &Instance) -> Outcome<()> {
    if let Some(url) = instance.url() {
        let mut connection = PgConnection::connect(url).await?;
        for sql in ["VACUUM ANALYZE", "CHECKPOINT"] {
            sqlx::raw_sql(sql).execute(&mut connection).await?;
        }
    } else {
        Sqlite::open(instance.sqlite_file())?.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
    }
    Ok(())
}
