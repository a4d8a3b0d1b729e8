//! Places in lists of people, as the parameter `after` of their pages has them.

use crate::model::ids::UserId;
use crate::model::list_place::ListPlace;
use crate::store::WordPlace;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use std::fmt;
use uuid::Uuid;

/// A longer text is no place.
const MAX_TEXT_LEN: usize = 2048;
/// What a place of a search begins with, which a time does not.
const SEARCH: char = 'w';

/// After what a page of people begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PeoplePlace(pub(super) PlaceOf);

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PlaceOf {
    Newest(ListPlace),
    Search(SearchPlace),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SearchPlace {
    /// Which reading of what was typed.
    pub(super) reading: usize,
    /// By which of its terms it is in order.
    pub(super) driver: usize,
    pub(super) at: WordPlace,
}

impl PeoplePlace {
    /// Reads a place as it is shown; `None` if it is none.
    pub fn parse(text: &str) -> Option<Self> {
        let place = match text.strip_prefix(SEARCH) {
            None => PlaceOf::Newest(ListPlace::parse(text)?),
            Some(coded) => PlaceOf::Search(SearchPlace::parse(coded)?),
        };
        Some(Self(place))
    }

    pub(super) fn newest(&self) -> Option<ListPlace> {
        match &self.0 {
            PlaceOf::Newest(place) => Some(*place),
            PlaceOf::Search(_) => None,
        }
    }

    pub(super) fn search(&self) -> Option<&SearchPlace> {
        match &self.0 {
            PlaceOf::Newest(_) => None,
            PlaceOf::Search(place) => Some(place),
        }
    }
}

impl SearchPlace {
    fn parse(coded: &str) -> Option<Self> {
        let bytes = URL_SAFE_NO_PAD.decode(Some(coded).filter(|coded| coded.len() <= MAX_TEXT_LEN)?).ok()?;
        let text = String::from_utf8(bytes).ok()?;
        let mut parts = text.splitn(5, '.');
        let (reading, driver) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
        let (newest, user) = (parts.next()?.parse().ok()?, Uuid::try_parse(parts.next()?).ok()?);
        let word = parts.next().filter(|word| !word.chars().any(char::is_control))?.to_owned();
        Some(Self { reading, driver, at: WordPlace { word, newest, user_id: UserId(user) } })
    }
}

impl fmt::Display for PeoplePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            PlaceOf::Newest(place) => place.fmt(f),
            PlaceOf::Search(SearchPlace { reading, driver, at }) => {
                let WordPlace { word, newest, user_id } = at;
                let text = format!("{reading}.{driver}.{newest}.{}.{word}", user_id.0.simple());
                write!(f, "{SEARCH}{}", URL_SAFE_NO_PAD.encode(text))
            }
        }
    }
}

#[cfg(test)]
#[path = "people_place_tests.rs"]
mod tests;
