//! Rows of a `VALUES` list, for statements about several rows at once.

use sqlx::query_builder::Separated;
use sqlx::{Database, Encode, QueryBuilder, Type};

/// The rows of a batch, some repeated until their number is one of few, so that few statements need to be prepared.
/// A repeated row changes nothing, as a statement changes each row of the table once.
pub(super) fn padded<T>(rows: &[T]) -> impl Iterator<Item = &T> {
    let count = match rows.len() {
        count @ ..=8 => count.next_power_of_two(),
        count @ ..=64 => count.next_multiple_of(8),
        count => count.next_multiple_of(32),
    };
    rows.iter().cycle().take(count)
}

/// What stands before and after the rows in a text that has `(VALUES)` in their place.
pub(super) fn around_values(sql: &'static str) -> (&'static str, &'static str) {
    sql.split_once("VALUES").unwrap_or((sql, ""))
}

/// A statement with these rows in the place of its `VALUES`; there must be one.
pub(super) fn with_rows<DB: Database, I: IntoIterator>(
    sql: &'static str,
    rows: I,
    push: impl FnMut(Separated<'_, DB, &'static str>, I::Item),
) -> QueryBuilder<DB> {
    let (before, after) = around_values(sql);
    let mut query = QueryBuilder::new(before);
    query.push_values(rows, push).push(after);
    query
}

/// A statement with these values in the place of its `VALUES`, as in `id IN (VALUES)`; none finds nothing.
pub(super) fn among<DB: Database, T>(sql: &'static str, values: &[T]) -> QueryBuilder<DB>
where
    T: Clone + Type<DB> + for<'q> Encode<'q, DB>,
{
    let (before, after) = around_values(sql);
    let mut query = QueryBuilder::new(before);
    if values.is_empty() {
        query.push("NULL");
    }
    let mut list = query.separated(", ");
    for value in padded(values) {
        list.push_bind(value.clone());
    }
    query.push(after);
    query
}
