//! The people, each with a browser that several tabs may use concurrently.

use super::browser::Browser;
use super::rng::Rng;
use parking_lot::{Mutex, RwLock};
use std::collections::VecDeque;
use std::sync::Arc;

/// Tries to find a person who is not busy.
const MAX_TRIES: usize = 16;

pub struct Person {
    pub email: String,
    pub browser: Browser,
    /// Held shared by requests of the session, and exclusively by actions that replace or end it: a request that is in
    /// flight while its session ends may be refused.
    pub session_lock: Arc<tokio::sync::RwLock<()>>,
}

impl Person {
    pub fn new(email: String, browser: Browser) -> Arc<Self> {
        Arc::new(Self { email, browser, session_lock: Arc::default() })
    }
}

/// A logged-in person, whose session is not ended while this value lives.
pub struct LoggedIn {
    pub person: Arc<Person>,
    _session_lock: tokio::sync::OwnedRwLockReadGuard<()>,
}

/// A person who does nothing else while this value lives.
pub struct Exclusive {
    pub person: Arc<Person>,
    _session_lock: tokio::sync::OwnedRwLockWriteGuard<()>,
}

#[derive(Default)]
pub struct Population {
    people: RwLock<Vec<Arc<Person>>>,
    logged_out: Mutex<VecDeque<Arc<Person>>>,
}

impl Population {
    pub fn add(&self, person: Arc<Person>) {
        self.people.write().push(person);
    }

    /// A random logged-in person, if one is found.
    pub fn logged_in(&self, rng: &mut Rng) -> Option<LoggedIn> {
        (0..MAX_TRIES).find_map(|_| logged_in(&self.random(rng)?))
    }

    /// A random logged-in person without requests in flight, if one is found.
    pub fn exclusive(&self, rng: &mut Rng) -> Option<Exclusive> {
        (0..MAX_TRIES).find_map(|_| {
            let person = self.random(rng)?;
            let session_lock = person.session_lock.clone().try_write_owned().ok()?;
            person.browser.has_session().then(|| Exclusive { person: person.clone(), _session_lock: session_lock })
        })
    }

    /// A person who has logged out; otherwise one who logs in again.
    pub fn next_to_log_in(&self, rng: &mut Rng) -> Option<Exclusive> {
        let Some(person) = self.logged_out.lock().pop_front() else { return self.exclusive(rng) };
        if let Ok(session_lock) = person.session_lock.clone().try_write_owned() {
            return Some(Exclusive { person, _session_lock: session_lock });
        }
        self.logged_out.lock().push_back(person);
        None
    }

    pub fn mark_logged_out(&self, person: Arc<Person>) {
        self.logged_out.lock().push_back(person);
    }

    fn random(&self, rng: &mut Rng) -> Option<Arc<Person>> {
        let people = self.people.read();
        if people.is_empty() { None } else { people.get(rng.below(people.len())).cloned() }
    }
}

/// This person, if logged in and not busy with an exclusive action.
pub fn logged_in(person: &Arc<Person>) -> Option<LoggedIn> {
    let session_lock = person.session_lock.clone().try_read_owned().ok()?;
    person.browser.has_session().then(|| LoggedIn { person: person.clone(), _session_lock: session_lock })
}
