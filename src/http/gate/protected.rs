//! The origins of applications behind the gate.

use crate::settings::{Origin, Settings};

/// Why the gate does not redirect users back to an origin, and signs no assertion for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obstacle {
    Unlisted,
    /// Browsers do not send it the cookies of the login.
    NoCookies,
}

/// The base URL's origin and those of the settings, each with whether it gets the cookies.
#[derive(Debug)]
pub struct ProtectedOrigins(Vec<(Origin, bool)>);

impl ProtectedOrigins {
    /// Those of the settings; the base URL's is the first.
    pub fn of(settings: &Settings) -> Self {
        let server = &settings.server;
        Self(server.return_targets().map(|origin| (origin.clone(), server.receives_cookies(origin))).collect())
    }

    pub fn find(&self, origin: &Origin) -> Option<usize> {
        self.0.iter().position(|(known, _)| known == origin)
    }

    pub fn get(&self, place: usize) -> Option<&Origin> {
        self.0.get(place).map(|(origin, _)| origin)
    }

    /// Whether the origin is the base URL's.
    pub const fn is_own(place: usize) -> bool {
        place == 0
    }

    /// The place, if its origin gets the cookies.
    pub fn usable(&self, place: Option<usize>) -> Result<usize, Obstacle> {
        let place = place.ok_or(Obstacle::Unlisted)?;
        self.0.get(place).filter(|(_, gets_cookies)| *gets_cookies).map(|_| place).ok_or(Obstacle::NoCookies)
    }
}
