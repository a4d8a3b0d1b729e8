//! Who there is: everyone with a browser, which may be in use by several tabs at once.

use super::browser::Browser;
use super::dice::Dice;
use super::lock;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

/// Tries to find somebody who is not busy with something else.
const TRIES: usize = 16;

/// Somebody with an account.
pub struct Person {
    /// Their address.
    pub email: String,
    /// Their browser.
    pub browser: Browser,
    /// Held by all that a session serves, and alone by what replaces or ends it: a request that is under way while its
    /// own session ends may be refused with right.
    pub hold: Arc<tokio::sync::RwLock<()>>,
}

impl Person {
    /// Somebody with this browser.
    pub fn new(email: String, browser: Browser) -> Arc<Self> {
        Arc::new(Self { email, browser, hold: Arc::default() })
    }
}

/// Somebody whose session stays for as long as this value does.
pub struct Present {
    /// Who.
    pub person: Arc<Person>,
    _hold: tokio::sync::OwnedRwLockReadGuard<()>,
}

/// Somebody who does nothing else.
pub struct Alone {
    /// Who.
    pub person: Arc<Person>,
    _hold: tokio::sync::OwnedRwLockWriteGuard<()>,
}

/// Everyone.
#[derive(Default)]
pub struct Population {
    people: RwLock<Vec<Arc<Person>>>,
    logged_out: Mutex<VecDeque<Arc<Person>>>,
}

impl Population {
    /// Somebody more.
    pub fn add(&self, person: Arc<Person>) {
        self.people.write().unwrap_or_else(PoisonError::into_inner).push(person);
    }

    /// Somebody who is logged in, if one is found.
    pub fn present(&self, dice: &mut Dice) -> Option<Present> {
        (0..TRIES).find_map(|_| present(&self.any(dice)?))
    }

    /// Somebody who is logged in and whose tabs are closed, if one is found.
    pub fn alone(&self, dice: &mut Dice) -> Option<Alone> {
        (0..TRIES).find_map(|_| {
            let person = self.any(dice)?;
            let hold = person.hold.clone().try_write_owned().ok()?;
            person.browser.has_session().then(|| Alone { person: person.clone(), _hold: hold })
        })
    }

    /// Who has logged out; else somebody who logs in again.
    pub fn to_log_in(&self, dice: &mut Dice) -> Option<Alone> {
        let Some(person) = lock(&self.logged_out).pop_front() else { return self.alone(dice) };
        if let Ok(hold) = person.hold.clone().try_write_owned() {
            return Some(Alone { person, _hold: hold });
        }
        lock(&self.logged_out).push_back(person);
        None
    }

    /// Somebody has logged out.
    pub fn left(&self, person: Arc<Person>) {
        lock(&self.logged_out).push_back(person);
    }

    fn any(&self, dice: &mut Dice) -> Option<Arc<Person>> {
        let people = self.people.read().unwrap_or_else(PoisonError::into_inner);
        if people.is_empty() { None } else { people.get(dice.below(people.len())).cloned() }
    }
}

/// This person, if logged in.
pub fn present(person: &Arc<Person>) -> Option<Present> {
    let hold = person.hold.clone().try_read_owned().ok()?;
    person.browser.has_session().then(|| Present { person: person.clone(), _hold: hold })
}
