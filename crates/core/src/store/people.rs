//! Pages of people found by words: places of the index are read in its order, up to a limit a page, and of those the
//! people that fit.

use super::{Conn, Result, UserFilter, UserState};
use crate::model::ids::UserId;
use crate::model::person_words::WordTerm;
use sqlx::AssertSqlSafe;
use std::ops::Range;
use uuid::Uuid;

/// A row of the words: the people of a search stand in this order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct WordPlace {
    pub word: String,
    /// Minus the time at which the account was made, in microseconds.
    pub newest: i64,
    pub user_id: UserId,
}

row!(WordPlace { word, newest, user_id });

impl WordPlace {
    pub fn before(word: &str) -> Self {
        Self { word: word.to_owned(), newest: i64::MIN, user_id: UserId(Uuid::nil()) }
    }

    fn after(word: String) -> Self {
        Self { word, newest: i64::MAX, user_id: UserId(Uuid::max()) }
    }
}

#[derive(Clone, Debug)]
pub struct WordWalk<'a> {
    /// The term whose rows are read.
    pub driver: &'a WordTerm,
    /// Terms that must fit too.
    pub others: Vec<&'a WordTerm>,
    /// People whom all of these fit are left out; with none, nobody is.
    pub but: Vec<&'a WordTerm>,
    pub filter: &'a UserFilter,
}

/// How much a page reads at most.
#[derive(Clone, Copy, Debug)]
pub struct PageLimits {
    /// Places of the index.
    pub places: i64,
    pub people: usize,
}

/// A page of people, by the places of the index of words.
#[derive(Debug)]
pub struct PeoplePage {
    pub users: Vec<UserId>,
    /// After this place there may be more.
    pub rest: Option<WordPlace>,
    /// Whether all places were read that a page may read, before it was full.
    pub is_cut: bool,
}

impl PeoplePage {
    /// Of the places that fit, one more than the page has if there are as many, and the last place that it read if it read
    /// all that it may.
    fn of(mut fit: Vec<WordPlace>, last: Option<WordPlace>, start: &WordPlace, limits: PageLimits) -> Self {
        let is_full = fit.len() > limits.people;
        fit.truncate(limits.people);
        let users: Vec<UserId> = fit.iter().map(|place| place.user_id).collect();
        let is_cut = last.is_some() && users.len() < limits.people;
        let rest = if is_full { Some(fit.pop().unwrap_or_else(|| start.clone())) } else { last };
        Self { users, rest, is_cut }
    }
}

impl PageLimits {
    /// One more than the page has tells whether there are more.
    fn rows(self) -> i64 {
        i64::try_from(self.people).map_or(i64::MAX, |people| people.saturating_add(1))
    }

    /// How many places stand before the last one.
    fn before_last(self) -> i64 {
        self.places.saturating_sub(1)
    }
}

const WORDS_LAST: &str = "SELECT word, newest, user_id FROM user_words \
    WHERE (word, newest, user_id) > ($1, $2, $3) AND word <= $4 ORDER BY word, newest, user_id LIMIT 1 OFFSET $5";
const WORDS_COUNT: &str = "SELECT count(*) FROM (SELECT 1 FROM user_words WHERE word >= $1 AND word <= $2 LIMIT $3) c";

/// Whether a word of the person at a place fits a term, whose first and last words are this parameter and the next. The
/// offset has PostgreSQL look at the words of each person, instead of reading all words that fit.
fn has_word(parameter: usize) -> String {
    let next = parameter + 1;
    format!(
        "EXISTS (SELECT 1 FROM user_words w WHERE w.user_id = p.user_id AND w.word >= ${parameter} AND w.word <= ${next} \
         LIMIT 1 OFFSET 0)"
    )
}

/// What restricts users; the parameter is the pattern of the role.
fn restricted(filter: &UserFilter, parameter: usize) -> String {
    let state = match filter.state {
        Some(UserState::Active) => " AND u.disabled_at IS NULL",
        Some(UserState::Disabled) => " AND u.disabled_at IS NOT NULL",
        Some(UserState::Unverified) => " AND u.email_verified_at IS NULL",
        None => "",
    };
    let role = filter.role.map(|_| format!(" AND ',' || u.roles || ',' LIKE ${parameter}"));
    format!("{state}{}", role.unwrap_or_default())
}

/// The rows from `$1` to `$3` on, up to `$4` to `$6`, of which each is its person's first that fits the driving term, whose
/// first word is `$7`: a person stands in the page once.
const WORDS: &str = "SELECT p.word, p.newest, p.user_id FROM user_words p \
    WHERE (p.word, p.newest, p.user_id) > ($1, $2, $3) AND (p.word, p.newest, p.user_id) <= ($4, $5, $6) \
    AND NOT EXISTS (SELECT 1 FROM user_words s WHERE s.user_id = p.user_id AND s.word >= $7 AND s.word < p.word \
    LIMIT 1 OFFSET 0)";
/// [`WORDS`] that fit all terms, each with two parameters from `$9` on; then the role's.
fn words_sql(others: usize, but: usize, filter: &UserFilter) -> String {
    const FIRST_TERM: usize = 9;
    let term = |number: usize| has_word(FIRST_TERM + 2 * number);
    let all_of = |terms: Range<usize>| terms.map(term).collect::<Vec<_>>().join(" AND ");
    let with = if others == 0 { String::new() } else { format!(" AND {}", all_of(0..others)) };
    let without = if but == 0 { String::new() } else { format!(" AND NOT ({})", all_of(others..others + but)) };
    let restricted = restricted(filter, FIRST_TERM + 2 * (others + but));
    let user = if restricted.is_empty() {
        String::new()
    } else {
        format!(" AND EXISTS (SELECT 1 FROM users u WHERE u.id = p.user_id{restricted} LIMIT 1 OFFSET 0)")
    };
    format!("{WORDS}{with}{without}{user} ORDER BY p.word, p.newest, p.user_id LIMIT $8")
}

impl Conn {
    /// How many words fit a term; counting stops at `limit`.
    pub async fn people_count_words(&mut self, term: &WordTerm, limit: i64) -> Result<i64> {
        fetch_scalar!(self, WORDS_COUNT, term.first(), term.last(), limit)
    }

    /// A page of the people whom terms fit, by the words that fit the driving one, each newest first.
    pub async fn people_by_word(
        &mut self,
        walk: &WordWalk<'_>,
        after: &WordPlace,
        limits: PageLimits,
    ) -> Result<PeoplePage> {
        let end = walk.driver.last();
        let WordPlace { word, newest, user_id } = after;
        let last: Option<WordPlace> =
            fetch_optional!(self, WORDS_LAST, word, newest, user_id, end.as_str(), limits.before_last())?;
        let sql = words_sql(walk.others.len(), walk.but.len(), walk.filter);
        let to = last.clone().unwrap_or_else(|| WordPlace::after(end));
        let fit: Vec<WordPlace> = with_engine!(self, WORDS, |c, _words| async {
            let query = sqlx::query_as(AssertSqlSafe(sql)).bind(word).bind(newest).bind(user_id);
            let query = query.bind(to.word.as_str()).bind(to.newest).bind(to.user_id);
            let mut query = query.bind(walk.driver.first()).bind(limits.rows());
            for term in walk.others.iter().chain(&walk.but) {
                query = query.bind(term.first()).bind(term.last());
            }
            if let Some(pattern) = walk.filter.role_pattern() {
                query = query.bind(pattern);
            }
            query.fetch_all(c).await
        })?;
        Ok(PeoplePage::of(fit, last, after, limits))
    }
}

#[cfg(test)]
#[path = "people_tests.rs"]
mod tests;
