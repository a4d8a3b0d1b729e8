//! The audit log as a file: written page by page, however slowly it is read.

use super::audit::{self, AuditAbout, AuditQuery, AuditRecord};
use super::list::{ListRange, Listing};
use crate::context::App;
use crate::error::Error;
use crate::messages::Message;
use crate::model::change::{Change, InstanceChange};
use crate::model::names::names;
use crate::model::principal::{Operation, Principal};
use crate::refusal::{ChangeError, Refusal, Rule};
use crate::store::AuditRow;
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::sync::Arc;

/// The most entries of one file; the command line has no such limit.
const MAX_EXPORTED: u32 = 100_000;
const PAGE: u32 = 500;

names! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum AuditFormat {
        /// A line of JSON for each entry, with the members of `doorward user audit --json`.
        Ndjson = "ndjson",
        /// RFC 4180, with a line of names first.
        Csv = "csv",
    }
}

/// An export under way. It holds no connection between two chunks.
pub struct AuditExport {
    app: Arc<App>,
    principal: Principal,
    query: AuditQuery,
    format: AuditFormat,
    /// What is written next; `None` after the last.
    page: Option<Listing<AuditRow>>,
    /// How many more entries there may be.
    left: u32,
    is_begun: bool,
}

/// Begins an export, and records it in the log, in which it is not part of itself. Too many entries are refused;
/// [`command`] prints them.
pub async fn export(
    app: &Arc<App>,
    principal: &Principal,
    query: AuditQuery,
    format: AuditFormat,
) -> Result<AuditExport, ChangeError> {
    let mut conn = app.store.read(principal, Operation::ReadActivity).await?;
    let count = conn.audit_count(&query, i64::from(MAX_EXPORTED) + 1).await?;
    if count > u64::from(MAX_EXPORTED) {
        let max = usize::try_from(MAX_EXPORTED).unwrap_or(usize::MAX);
        let why = Message::new("admin-audit-too-many").number("max", max);
        return Err(Refusal::Rule(Rule::Full, why).into());
    }
    let page = audit::list(&mut conn, &query, ListRange::first(PAGE)).await?;
    drop(conn);
    let mut tx = app.store.begin(principal, Operation::ReadActivity).await?;
    let (format_name, filter) = (format.as_str(), filter(&query));
    let change = InstanceChange::AuditExported { format: format_name, filter: &filter, count };
    tx.record(Change::Instance(change)).await?;
    tx.commit().await?;
    Ok(AuditExport {
        app: app.clone(),
        principal: principal.clone(),
        query,
        format,
        page: Some(page),
        left: MAX_EXPORTED,
        is_begun: false,
    })
}

impl AuditExport {
    /// The next part of the file, which may be empty; `None` at its end.
    pub async fn next_chunk(&mut self) -> Result<Option<String>, Error> {
        let Some(page) = self.page.take() else { return Ok(None) };
        let mut chunk = String::new();
        if !std::mem::replace(&mut self.is_begun, true) && self.format == AuditFormat::Csv {
            chunk.push_str(&csv_head(&AuditRecord::MEMBERS));
        }
        let entries = usize::try_from(self.left).unwrap_or(usize::MAX);
        for row in page.data.iter().take(entries) {
            chunk.push_str(&self.line(row).map_err(Error::json)?);
            self.left -= 1;
        }
        if let Some(after) = page.next.filter(|_| self.left > 0) {
            let mut conn = self.app.store.read(&self.principal, Operation::ReadActivity).await?;
            self.page = Some(audit::list(&mut conn, &self.query, ListRange { after, limit: PAGE }).await?);
        }
        Ok(Some(chunk))
    }

    fn line(&self, row: &AuditRow) -> serde_json::Result<String> {
        let record = AuditRecord::from(row);
        match self.format {
            AuditFormat::Ndjson => Ok(format!("{}\n", serde_json::to_string(&record)?)),
            AuditFormat::Csv => csv_line(&AuditRecord::MEMBERS, &record),
        }
    }
}

fn filter(query: &AuditQuery) -> Map<String, Value> {
    let about = query.about.as_ref().map(|about| ("about", named(about)));
    let kind = query.kind.map(|kind| ("kind", kind.as_str().to_owned()));
    let since = query.since.map(|time| ("since", time.to_string()));
    let until = query.until.map(|time| ("until", time.to_string()));
    let given = [about, kind, since, until].into_iter().flatten();
    given.map(|(name, value)| (name.to_owned(), value.into())).collect()
}

fn named(about: &AuditAbout) -> String {
    match about {
        AuditAbout::Id(id) => id.to_string(),
        AuditAbout::Actor(actor) => actor.clone(),
        AuditAbout::Nothing => String::new(),
    }
}

/// The command line that prints the entries of a query, however many they are.
pub fn command(query: &AuditQuery) -> String {
    let about = query.about.as_ref().map(|about| format!(" {}", named(about)));
    let kind = query.kind.map(|kind| format!(" --kind {}", kind.as_str()));
    let since = query.since.map(|time| format!(" --since {time}"));
    let until = query.until.map(|time| format!(" --until {time}"));
    let arguments: String = [about, kind, since, until].into_iter().flatten().collect();
    format!("doorward --json user audit{arguments} --all")
}

/// What begins a formula in a spreadsheet, also in full width (OWASP, CSV Injection).
const BEGINS_FORMULA: [char; 8] = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];
/// What ends a cell where the list separator is another than the comma, as in most of Europe, or chosen at an import. No
/// quote protects there, as none begins the line.
const ENDS_CELL: [char; 6] = [';', '|', ':', '\t', '\r', '\n'];

/// A line of comma-separated values (RFC 4180), which spreadsheets open without running what is in them: the members of
/// a record, in this order; null and what is absent is empty, an object is its JSON.
fn csv_line<const N: usize>(members: &[&str; N], record: &impl Serialize) -> serde_json::Result<String> {
    let json = serde_json::to_string(record)?;
    let values: HashMap<String, &RawValue> = serde_json::from_str(&json)?;
    let cells = members.map(|member| values.get(member).map_or(Ok(String::new()), |value| cell(value)));
    let cells: Vec<String> = cells.into_iter().collect::<serde_json::Result<_>>()?;
    Ok(format!("{}\r\n", cells.join(",")))
}

fn csv_head(members: &[&str]) -> String {
    format!("{}\r\n", members.join(","))
}

fn cell(value: &RawValue) -> serde_json::Result<String> {
    let json = value.get();
    match json.chars().next() {
        Some('n') => Ok(String::new()),
        Some('"') => Ok(text(&serde_json::from_str::<String>(json)?)),
        // Numbers and truth values stay as they are: they are none of what people typed.
        Some('-' | '0'..='9' | 't' | 'f') => Ok(json.to_owned()),
        _ => Ok(quoted(&without_formulas(json, false))),
    }
}

fn text(text: &str) -> String {
    let hidden = if text.starts_with(['\t', '\r', '\n']) { "'" } else { "" };
    quoted(&format!("{hidden}{}", without_formulas(text, true)))
}

/// The text with a `'` before what would begin a formula, at its beginning if a cell begins there, and behind what ends a
/// cell, or behind quotes and blanks that follow it.
fn without_formulas(text: &str, mut begins_cell: bool) -> String {
    let mut harmless = String::with_capacity(text.len());
    for c in text.chars() {
        if begins_cell && BEGINS_FORMULA.contains(&c) {
            harmless.push('\'');
        }
        begins_cell = ENDS_CELL.contains(&c) || (begins_cell && (c == '"' || c.is_whitespace()));
        harmless.push(c);
    }
    harmless
}

fn quoted(text: &str) -> String {
    if text.contains(['"', ',', '\r', '\n']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}

#[cfg(test)]
#[path = "audit_export_tests.rs"]
mod tests;
