//! People, as administrators look for them: by the words of addresses and names, by domain, by id, or the newest.

use super::list::{ListRange, Listing};
use super::people_place::{PeoplePlace, PlaceOf, SearchPlace};
use super::user::{UserRecord, add_identities};
use crate::model::ids::UserId;
use crate::model::list_place::ListPlace;
use crate::model::person_words::{WordSearch, WordTerm};
use crate::model::roles::PlatformRole;
use crate::settings::ServiceName;
use crate::store::{Conn, PageLimits, Result, UserDetailsRow, UserFilter, UserState, WordPlace, WordWalk};
use std::collections::HashMap;
use uuid::Uuid;

const PAGE: u8 = 50;
/// Places of an index that a page reads.
const PLACES: i64 = 2_000;

/// Which people are looked for: those that fit everything that is given.
#[derive(Clone, Debug, Default)]
pub struct PeopleQuery {
    /// What was typed to find them, whatever it is.
    pub text: Option<String>,
    pub state: Option<UserState>,
    pub role: Option<PlatformRole>,
}

pub struct People {
    /// The people: of a search in the order of the words, each word newest first; else the newest first.
    pub data: Vec<UserRecord>,
    /// After what the next page begins; `None` at the end.
    pub next: Option<PeoplePlace>,
    /// 2,000 places were read before the page was full: the next page searches further.
    pub is_cut: bool,
}

/// Finds a page of people. A place of another search begins with the first page.
pub async fn people(
    conn: &mut Conn,
    name: &ServiceName,
    query: &PeopleQuery,
    after: Option<&PeoplePlace>,
) -> Result<People> {
    let filter = UserFilter { state: query.state, role: query.role, ..UserFilter::default() };
    let text = query.text.as_deref().map(str::trim).filter(|text| !text.is_empty());
    let Some(text) = text else { return newest(conn, name, &filter, after.and_then(PeoplePlace::newest)).await };
    let found = match (Uuid::try_parse(text), WordSearch::parse(text)) {
        (Ok(id), _) => Found { users: vec![UserId(id)], ..Found::default() },
        (Err(_), Some(search)) => by_words(conn, &search, &filter, after.and_then(PeoplePlace::search)).await?,
        (Err(_), None) => Found::default(),
    };
    let data = records(conn, name, &filter, &found.users).await?;
    Ok(People { data, next: found.next.map(PlaceOf::Search).map(PeoplePlace), is_cut: found.is_cut })
}

async fn newest(conn: &mut Conn, name: &ServiceName, filter: &UserFilter, after: Option<ListPlace>) -> Result<People> {
    let range = ListRange { after: after.unwrap_or(ListPlace::START), ..ListRange::first(PAGE.into()) };
    let after = (range.after.at, UserId(range.after.id));
    let (rows, cut) = conn.users_list_among(filter, after, range.rows(), PLACES).await?;
    let found = range.listing_until(rows, cut, UserDetailsRow::place, |row| UserRecord::of(name, row));
    let Listing { mut data, next, is_cut } = found;
    add_identities(conn, &mut data).await?;
    Ok(People { data, next: next.map(PlaceOf::Newest).map(PeoplePlace), is_cut })
}

#[derive(Default)]
struct Found {
    users: Vec<UserId>,
    next: Option<SearchPlace>,
    is_cut: bool,
}

/// First those who have what was typed as it stands, then those who have its words.
async fn by_words(
    conn: &mut Conn,
    search: &WordSearch,
    filter: &UserFilter,
    after: Option<&SearchPlace>,
) -> Result<Found> {
    let literal: Vec<&WordTerm> = search.punctuated().collect();
    let readings: Vec<(&[WordTerm], Vec<&WordTerm>)> = match &search.split {
        None => vec![(&search.literal, Vec::new())],
        Some(split) => vec![(&search.literal, Vec::new()), (split, literal)],
    };
    let places = PLACES / i64::try_from(readings.len()).unwrap_or(1);
    let mut found = Found::default();
    for (reading, (terms, but)) in readings.iter().enumerate().skip(after.map_or(0, |after| after.reading)) {
        let after = after.filter(|after| after.reading == reading && after.driver < terms.len());
        let chosen = match after {
            Some(after) => Some(after.driver),
            None => most_selective(conn, terms).await?,
        };
        let Some((number, driver)) = chosen.and_then(|number| Some((number, terms.get(number)?))) else { continue };
        let others = terms.iter().enumerate().filter(|(other, _)| *other != number).map(|(_, term)| term).collect();
        let walk = WordWalk { driver, others, but: but.clone(), filter };
        let start = WordPlace::before(driver.first());
        let start = after.map_or(start.clone(), |after| after.at.clone().max(start));
        let limits = PageLimits { places, people: usize::from(PAGE).saturating_sub(found.users.len()) };
        let page = conn.people_by_word(&walk, &start, limits).await?;
        found.users.extend(page.users);
        if let Some(at) = page.rest {
            let next = SearchPlace { reading, driver: number, at };
            return Ok(Found { next: Some(next), is_cut: page.is_cut, ..found });
        }
    }
    Ok(found)
}

/// The term that the fewest words fit, the longest one of several; `None` if no word fits one of them.
async fn most_selective(conn: &mut Conn, terms: &[WordTerm]) -> Result<Option<usize>> {
    if terms.len() == 1 {
        return Ok(Some(0));
    }
    let mut best = None;
    for (number, term) in terms.iter().enumerate() {
        let words = conn.people_count_words(term, PLACES).await?;
        if words == 0 {
            return Ok(None);
        }
        let rank = (words, std::cmp::Reverse(term.first().len()), number);
        best = Some(best.map_or(rank, |best| rank.min(best)));
    }
    Ok(best.map(|(.., number)| number))
}

/// The records of these users, in this order. Who was deleted or changed meanwhile is missing.
async fn records(
    conn: &mut Conn,
    name: &ServiceName,
    filter: &UserFilter,
    users: &[UserId],
) -> Result<Vec<UserRecord>> {
    if users.is_empty() {
        return Ok(Vec::new());
    }
    let rows = conn.user_details_of(users).await?.into_iter().filter(|row| filter.fits(row));
    let mut rows: HashMap<UserId, _> = rows.map(|row| (row.id, row)).collect();
    let found = users.iter().filter_map(|user| rows.remove(user));
    let mut records: Vec<UserRecord> = found.map(|row| UserRecord::of(name, row)).collect();
    add_identities(conn, &mut records).await?;
    Ok(records)
}
