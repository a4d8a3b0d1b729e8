//! Every page in every state, from sample data: the one list of states, through which `views`, `wording` and `gallery`
//! go.

mod account;
mod addresses;
mod admin;
mod admin_acts;
mod admin_lists;
mod admin_things;
mod confirm;
pub mod entrance;
mod errors;
mod factors;
mod gate;
mod invitations;
mod organizations;
mod providers;

mod texts;

pub use account::account;
pub use texts::{ORDINARY, Sample, Texts, card, layout, shell};

/// The pages of this service's own host.
pub fn pages(t: Texts) -> Vec<Sample> {
    [
        entrance::all(t),
        errors::all(t),
        addresses::all(t),
        account::all(t),
        confirm::all(t),
        factors::all(t),
        organizations::all(t),
        invitations::all(t),
        providers::all(t),
        admin_lists::all(t),
        admin_things::all(t),
        admin_acts::all(t),
    ]
    .concat()
}

/// Those, and the pages of the gate.
pub fn states(t: Texts) -> Vec<Sample> {
    [pages(t), gate::all(t)].concat()
}
