//! Tables, and what stands in their cells.

use crate::messages::{Key, Message};
use crate::model::time::Time;

/// A part of what a cell of a table, or the value of a fact, shows.
#[derive(Clone, Debug)]
pub enum Cell {
    /// What people typed: another direction of writing, or what looks like HTML, stays within it.
    Typed(String),
    /// The same, as a link.
    Link {
        href: String,
        text: String,
    },
    /// Our words as a link.
    Page {
        href: String,
        words: Message,
    },
    /// Our words.
    Words(Message),
    Tag(Message),
    /// A state that asks for a look.
    Alarm(Message),
    /// A name on the wire, such as an id.
    Code(String),
    /// A time, such as `5 minutes ago`.
    Ago(Time),
    Moment(Time),
    Number(i64),
}

/// What one cell shows; nothing is a dash.
pub type Cells = Vec<Cell>;

impl Cell {
    pub fn words(key: &'static str) -> Self {
        Self::Words(Message::new(key))
    }

    pub fn ago(at: Option<Time>) -> Cells {
        at.map(Self::Ago).into_iter().collect()
    }

    /// A name on the wire, which may be empty.
    pub fn code(text: &str) -> Cells {
        if text.is_empty() { Vec::new() } else { vec![Self::Code(text.to_owned())] }
    }

    /// What people typed, which may be missing.
    pub fn typed(text: Option<&str>) -> Cells {
        text.filter(|text| !text.is_empty()).map(|text| Self::Typed(text.to_owned())).into_iter().collect()
    }
}

#[derive(Clone, Debug)]
pub struct Table {
    /// Its caption, which screen readers announce.
    pub caption: Key,
    /// The heads of its columns. The first names the row.
    pub columns: Vec<Key>,
    /// Its rows, each with as many cells.
    pub rows: Vec<Vec<Cells>>,
    /// What it says if there are no rows.
    pub empty: Message,
}

impl Table {
    /// The same table; without its last column, that of the acts, for who may do nothing.
    #[must_use]
    pub fn with_acts(mut self, may_act: bool) -> Self {
        if !may_act {
            self.columns.pop();
            self.rows.iter_mut().for_each(|row| {
                row.pop();
            });
        }
        self
    }

    /// The cells of a row, each with the head of its column.
    pub(super) fn cells<'a>(&'a self, row: &'a [Cells]) -> impl Iterator<Item = (Key, &'a Cells)> {
        self.columns.iter().copied().zip(row)
    }
}
