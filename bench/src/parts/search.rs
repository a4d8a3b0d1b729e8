//! How long administrators wait for a page of people, among many: by one word that many have, by a rare one, by two, by words
//! with filters, and by a domain.

use crate::aims;
use crate::check::Check;
use crate::instance::{Engine, Instance};
use crate::outcome::{Outcome, progress};
use crate::people::{GIVEN_NAMES, any_below, random_person};
use crate::stats::{millis, percentile};
use crate::table::Table;
use doorward::domain::directory::people::{PeopleQuery, people};
use doorward::model::principal::{Operation, Principal};
use doorward::store::UserState;
use serde::Serialize;
use std::time::Duration;
use tokio::time::Instant;

const PAGES: usize = 300;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Search {
    CommonWord,
    RareWord,
    TwoWords,
    /// Each of which many people have, and nobody both.
    StrangeWords,
    WordAndFilters,
    Domain,
    Everyone,
}

impl Search {
    const ALL: [Search; 7] = [
        Search::CommonWord,
        Search::RareWord,
        Search::TwoWords,
        Search::StrangeWords,
        Search::WordAndFilters,
        Search::Domain,
        Search::Everyone,
    ];

    const fn name(self) -> &'static str {
        match self {
            Search::CommonWord => "a common word",
            Search::RareWord => "a rare word",
            Search::TwoWords => "two words",
            Search::StrangeWords => "two words that no one person has",
            Search::WordAndFilters => "a common word, disabled",
            Search::Domain => "a domain",
            Search::Everyone => "no text",
        }
    }

    fn query(self, among: u64) -> Outcome<PeopleQuery> {
        let given = usize::try_from(any_below(u64::try_from(GIVEN_NAMES.len())?)?)?;
        let given = GIVEN_NAMES.get(given).copied().unwrap_or_default();
        let other = GIVEN_NAMES.iter().find(|other| **other != given).copied().unwrap_or_default();
        let person = random_person(among)?;
        let text = match self {
            Search::CommonWord | Search::WordAndFilters => given.to_owned(),
            Search::RareWord => person.family_name(),
            Search::TwoWords => person.name(),
            Search::StrangeWords => format!("{given} {other}"),
            Search::Domain => "@example.org".to_owned(),
            Search::Everyone => String::new(),
        };
        let state = (self == Search::WordAndFilters).then_some(UserState::Disabled);
        Ok(PeopleQuery { text: Some(text), state, role: None })
    }
}

/// The pages of one kind on one database.
#[derive(Serialize)]
pub struct SearchStats {
    engine: Engine,
    search: Search,
    p50_ms: f64,
    p99_ms: f64,
}

/// Asks for pages one after the other, each kind in turn, inside this process.
pub async fn measure(instance: &Instance, among: u64) -> Outcome<Vec<SearchStats>> {
    let app = instance.app().await?;
    let operator = Principal::operator();
    let mut times: Vec<Vec<Duration>> = vec![Vec::new(); Search::ALL.len()];
    for _ in 0..PAGES {
        for (search, times) in Search::ALL.into_iter().zip(&mut times) {
            let query = search.query(among)?;
            let began = Instant::now();
            let mut conn = app.store.read(&operator, Operation::FindUsers).await?;
            people(&mut conn, &app.settings.name, &query, None).await?;
            drop(conn);
            times.push(began.elapsed());
        }
    }
    app.store.close().await;
    progress(&format!("search, {}", instance.engine.name()));
    let stats = Search::ALL.into_iter().zip(times).map(|(search, mut times)| {
        times.sort_unstable();
        let [p50_ms, p99_ms] = [50, 99].map(|percent| millis(percentile(&times, percent)));
        SearchStats { engine: instance.engine, search, p50_ms, p99_ms }
    });
    Ok(stats.collect())
}

impl SearchStats {
    pub fn check(&self) -> Check {
        aims::PEOPLE.check_one(self.engine, self.search.name().to_owned(), self.p99_ms)
    }

    pub fn table(among: u64, all: &[Self]) -> Table {
        let row = |stats: &Self| {
            let server = format!("{}, {}", stats.search.name(), stats.engine.name());
            vec![server, format!("{:.2}", stats.p50_ms), format!("{:.2}", stats.p99_ms)]
        };
        Table {
            title: format!("People found among {among} (aim: within {} at the 99th percentile)", aims::PEOPLE.cell()),
            columns: vec!["search", "p50 ms", "p99 ms"],
            rows: all.iter().map(row).collect(),
        }
    }

    #[cfg(test)]
    pub fn sample() -> Vec<Self> {
        let stats = |engine| Self { engine, search: Search::Domain, p50_ms: 0.0, p99_ms: 0.0 };
        Engine::ALL.map(stats).into()
    }
}
