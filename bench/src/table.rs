//! Tables that are aligned for a terminal and valid Markdown.

use std::fmt;

/// A title, column names, and rows of the same length. The first column is text, the others are numbers.
pub struct Table {
    pub title: String,
    pub columns: Vec<&'static str>,
    pub rows: Vec<Vec<String>>,
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let widths: Vec<usize> = (0..self.columns.len())
            .map(|i| self.rows.iter().map(|row| row[i].chars().count()).chain([self.columns[i].len(), 3]).max())
            .map(Option::unwrap_or_default)
            .collect();
        writeln!(f, "### {}\n", self.title)?;
        line(f, &self.columns, &widths)?;
        let rules: Vec<String> = widths
            .iter()
            .enumerate()
            .map(|(i, width)| if i == 0 { "-".repeat(*width) } else { "-".repeat(width - 1) + ":" })
            .collect();
        line(f, &rules, &widths)?;
        self.rows.iter().try_for_each(|row| line(f, row, &widths))
    }
}

fn line(f: &mut fmt::Formatter<'_>, cells: &[impl AsRef<str>], widths: &[usize]) -> fmt::Result {
    for (i, (cell, width)) in cells.iter().zip(widths).enumerate() {
        let cell = cell.as_ref();
        if i == 0 { write!(f, "| {cell:<width$} ")? } else { write!(f, "| {cell:>width$} ")? }
    }
    writeln!(f, "|")
}
