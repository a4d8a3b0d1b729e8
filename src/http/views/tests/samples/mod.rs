//! Sample data for every page.

mod account;
mod addresses;
mod admin;
mod common;
mod factors;
pub mod general;
mod organizations;
mod providers;

pub use common::{ORDINARY, Rendered, Texts, layout};

pub fn all(t: Texts) -> Vec<Rendered> {
    [
        general::all(t),
        addresses::all(t),
        account::all(t),
        admin::all(t),
        organizations::all(t),
        factors::all(t),
        providers::all(t),
    ]
    .concat()
}
