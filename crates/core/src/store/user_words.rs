//! The words by which administrators find people, as rows that are written with the user.

use super::sql::Sql;
use super::values::{among, padded, with_rows};
use super::{Conn, Result, Tx, UserRow};
use crate::model::ids::UserId;
use crate::model::person_words::words_of;
use crate::model::time::Time;
use std::collections::{BTreeSet, HashMap};

/// Rows of one statement: both engines limit its parameters.
const ROWS_AT_ONCE: usize = 1000;
const INSERT: &str =
    "INSERT INTO user_words (word, newest, user_id) VALUES ON CONFLICT (word, newest, user_id) DO NOTHING";
const DELETE: &str = "DELETE FROM user_words WHERE word IN (VALUES) AND user_id = ";
const OF_USERS: &str = "SELECT user_id, word, newest FROM user_words WHERE user_id IN (VALUES)";
const BETWEEN: &str = "SELECT user_id, word, newest FROM user_words WHERE user_id > $1 AND user_id <= $2";

macro_rules! select_sources {
    ($rest:literal) => {
        concat!("SELECT id, email_key, username_key, name, created_at FROM users ", $rest)
    };
}

const SOURCES_AFTER: &str = select_sources!("WHERE id > $1 ORDER BY id LIMIT $2");
/// In the order of their ids, so that no two transactions wait for each other. On SQLite nobody else writes meanwhile.
const LOCK: Sql = Sql {
    sqlite: select_sources!("WHERE id IN (VALUES) ORDER BY id"),
    postgres: select_sources!("WHERE id IN (VALUES) ORDER BY id FOR NO KEY UPDATE"),
};

/// What the words of a user are made from.
struct WordSourceRow {
    id: UserId,
    email_key: String,
    username_key: String,
    name: Option<String>,
    created_at: Time,
}

row!(WordSourceRow { id, email_key, username_key, name, created_at });

impl WordSourceRow {
    fn words(&self) -> Words {
        let words = words_of(&self.email_key, &self.username_key, self.name.as_deref());
        words.into_iter().map(|word| (word, -self.created_at.as_micros())).collect()
    }
}

/// The words of a user, each with minus the time at which the account was made.
type Words = BTreeSet<(String, i64)>;

struct WordRow {
    user_id: UserId,
    word: String,
    newest: i64,
}

row!(WordRow { user_id, word, newest });

fn by_user(rows: Vec<WordRow>) -> HashMap<UserId, Words> {
    let mut words: HashMap<UserId, Words> = HashMap::new();
    for row in rows {
        words.entry(row.user_id).or_default().insert((row.word, row.newest));
    }
    words
}

/// A part of all users, whose words were compared with what the users are called.
#[derive(Debug)]
pub struct ComparedWords {
    pub differing: Vec<UserId>,
    /// The last user of the part; `None` if no users are left after it.
    pub last: Option<UserId>,
}

impl Conn {
    /// Compares the words of at most `limit` users after one, in the order of their ids.
    pub async fn user_words_compare(&mut self, after: UserId, limit: i64) -> Result<ComparedWords> {
        let users: Vec<WordSourceRow> = fetch_all!(self, SOURCES_AFTER, after, limit)?;
        let Some(last) = users.last().map(|user| user.id) else {
            return Ok(ComparedWords { differing: Vec::new(), last: None });
        };
        let rows = fetch_all!(self, BETWEEN, after, last)?;
        let stored = by_user(rows);
        let differs = |user: &&WordSourceRow| stored.get(&user.id).is_none_or(|words| *words != user.words());
        let is_full = i64::try_from(users.len()).is_ok_and(|found| found >= limit);
        let differing = users.iter().filter(differs).map(|user| user.id).collect();
        Ok(ComparedWords { differing, last: is_full.then_some(last) })
    }
}

impl Tx {
    /// Writes the words of a new user.
    pub(super) async fn user_words_create(
        &mut self,
        user: &UserRow,
        email_key: &str,
        username_key: &str,
    ) -> Result<()> {
        let source = WordSourceRow {
            id: user.id,
            email_key: email_key.to_owned(),
            username_key: username_key.to_owned(),
            // A new user has no name yet.
            name: None,
            created_at: user.created_at,
        };
        self.user_words_insert(words_in_rows(source.id, &source.words())).await
    }

    /// Makes the words of some users those of their names and addresses, under their locks; returns how many users had
    /// others.
    pub async fn user_words_renew(&mut self, ids: &[UserId]) -> Result<u64> {
        let users: Vec<WordSourceRow> = fetch_all!(self, LOCK, |sql| among(sql, ids))?;
        let mut stored = by_user(fetch_all!(self, OF_USERS, |sql| among(sql, ids))?);
        let (mut renewed, mut missing) = (0, Vec::new());
        for user in &users {
            let (words, old) = (user.words(), stored.remove(&user.id).unwrap_or_default());
            renewed += u64::from(words != old);
            self.user_words_delete(user.id, old.difference(&words).map(|(word, _)| word.clone()).collect()).await?;
            missing.extend(words.difference(&old).map(|(word, newest)| (user.id, word.clone(), *newest)));
        }
        self.user_words_insert(missing).await?;
        Ok(renewed)
    }

    async fn user_words_delete(&mut self, user: UserId, words: Vec<String>) -> Result<()> {
        if words.is_empty() {
            return Ok(());
        }
        execute!(self, DELETE, |sql| among(sql, &words).push_bind(user)).map(drop)
    }

    async fn user_words_insert(&mut self, rows: Vec<(UserId, String, i64)>) -> Result<()> {
        for rows in rows.chunks(ROWS_AT_ONCE) {
            execute!(self, INSERT, |sql| {
                with_rows(sql, padded(rows), |mut row, (user, word, newest)| {
                    row.push_bind(word.as_str()).push_bind(*newest).push_bind(*user);
                })
            })?;
        }
        Ok(())
    }
}

fn words_in_rows(user: UserId, words: &Words) -> Vec<(UserId, String, i64)> {
    words.iter().map(|(word, newest)| (user, word.clone(), *newest)).collect()
}

#[cfg(test)]
#[path = "user_words_tests.rs"]
mod tests;
