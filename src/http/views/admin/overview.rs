//! The overview: what is still to be set, what waits, what was counted.

use super::chart::Chart;
use super::table::{Cell, Cells};
use crate::http::views::Shell;
use crate::messages::{Key, Message};
use askama::Template;

/// `/auth/admin`.
#[derive(Template)]
#[template(path = "admin_overview.html")]
pub struct AdminOverviewPage<'a> {
    pub layout: &'a Shell<'a>,
    pub notice: Option<&'a Message>,
    /// What is wrong or still to be set: doctor's code, and its sentence.
    pub findings: &'a [(&'static str, String)],
    /// What waits and what failed.
    pub figures: &'a [(Key, Cells)],
    /// What was counted in the last day, by hours.
    pub day: &'a [Chart],
    /// What was counted in the last week, by days.
    pub week: &'a [Chart],
    /// The command line that finds more.
    pub command: &'a str,
}
