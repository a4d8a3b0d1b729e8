//! The teams, and how far each has come.

use super::population::Person;
use parking_lot::Mutex;
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

pub struct Team {
    pub id: String,
    pub owner: Arc<Person>,
    pub stage: Stage,
}

pub enum Stage {
    /// The owner is the only member.
    OwnerOnly,
    /// A guest has a link.
    Invited { guest: Arc<Person>, link: String },
    /// The guest is a member; `id` is the user id.
    Joined { guest: Arc<Person>, id: String },
    /// The guest is an admin.
    Promoted { guest: Arc<Person>, id: String },
}

/// Teams that wait for their next step.
#[derive(Default)]
pub struct Teams {
    pub waiting: Mutex<VecDeque<Team>>,
    pub made: AtomicUsize,
}
