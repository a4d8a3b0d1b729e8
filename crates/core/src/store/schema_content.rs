//! Finds the tables, columns and unique indexes that a database lacks, although every step of the schema is recorded as
//! taken: someone may have dropped one, or loaded half a backup.

use super::migrate::{SCHEMA, STEPS, TAKEN};
use super::sql::Sql;
use super::{Result, Store};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection};
use std::collections::BTreeSet;

const COLUMNS: Sql = Sql {
    sqlite: "SELECT m.name, c.name FROM sqlite_schema m, pragma_table_info(m.name) c WHERE m.type = 'table' \
        AND m.name NOT LIKE '\\_sqlx%' ESCAPE '\\' AND m.name NOT LIKE 'sqlite%'",
    postgres: "SELECT c.relname::text, a.attname::text FROM pg_catalog.pg_class c \
        JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid \
        WHERE c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped \
        AND c.relnamespace = current_schema()::regnamespace",
};
/// Tables and the columns that are unique together, primary keys included. The order does not matter to that.
const UNIQUES: Sql = Sql {
    sqlite: "SELECT m.name, (SELECT group_concat(i.name, ', ') \
            FROM (SELECT name FROM pragma_index_info(l.name) ORDER BY name) i) \
        FROM sqlite_schema m JOIN pragma_index_list(m.name) l \
        WHERE m.type = 'table' AND l.\"unique\" AND l.origin <> 'pk' AND m.name NOT LIKE '\\_sqlx%' ESCAPE '\\' \
        UNION SELECT m.name, (SELECT group_concat(k.name, ', ') \
            FROM (SELECT name FROM pragma_table_info(m.name) WHERE pk > 0 ORDER BY name) k) \
        FROM sqlite_schema m WHERE m.type = 'table' AND m.name NOT LIKE '\\_sqlx%' ESCAPE '\\' \
        AND m.name NOT LIKE 'sqlite%' AND EXISTS (SELECT 1 FROM pragma_table_info(m.name) WHERE pk > 0)",
    postgres: "SELECT t.relname::text, (SELECT string_agg(a.attname, ', ' ORDER BY a.attname COLLATE \"C\") \
            FROM pg_catalog.pg_attribute a WHERE a.attrelid = t.oid AND a.attnum = ANY(x.indkey::int2[])) \
        FROM pg_catalog.pg_index x JOIN pg_catalog.pg_class t ON t.oid = x.indrelid \
        WHERE x.indisunique AND x.indisvalid AND 0 <> ALL(x.indkey::int2[]) \
        AND t.relnamespace = current_schema()::regnamespace",
};

/// A table and what it has.
type Parts = BTreeSet<(String, String)>;

impl Store {
    /// Names the tables, columns and unique indexes that are missing. Only reads.
    pub async fn missing_content(&self) -> Result<Vec<String>> {
        let mut conn = self.read_internal().await?;
        let columns: Vec<(String, String)> = fetch_all!(&mut conn, COLUMNS)?;
        let uniques: Vec<(String, String)> = fetch_all!(&mut conn, UNIQUES)?;
        let taken: Vec<i64> = fetch_scalars!(&mut conn, TAKEN)?;
        // A later version may have done without a unique index, but without no column that this one needs.
        let is_known = taken.iter().all(|taken| STEPS.iter().any(|step| step.0 == *taken));
        let (expected_columns, expected_uniques) = expected().await?;
        let mut missing = missing_columns(&expected_columns, &columns.into_iter().collect());
        if is_known {
            missing.extend(missing_uniques(&expected_uniques, &uniques.into_iter().collect(), &missing));
        }
        Ok(missing)
    }
}

/// What the schema has, made in memory: both engines have the same tables, columns and indexes.
async fn expected() -> Result<(Parts, Parts)> {
    let mut own = SqliteConnectOptions::new().in_memory(true).connect().await?;
    sqlx::raw_sql(SCHEMA.sqlite).execute(&mut own).await?;
    let columns: Vec<(String, String)> = sqlx::query_as(COLUMNS.sqlite).fetch_all(&mut own).await?;
    let uniques: Vec<(String, String)> = sqlx::query_as(UNIQUES.sqlite).fetch_all(&mut own).await?;
    own.close().await?;
    Ok((columns.into_iter().collect(), uniques.into_iter().collect()))
}

fn missing_columns(expected: &Parts, found: &Parts) -> Vec<String> {
    let has_table = |table: &str| found.iter().any(|(of, _)| of == table);
    let tables: BTreeSet<&str> = expected.iter().map(|(table, _)| table.as_str()).collect();
    let tables = tables.into_iter().filter(|table| !has_table(table)).map(|table| format!("table {table}"));
    let columns = expected.difference(found).filter(|(table, _)| has_table(table));
    tables.chain(columns.map(|(table, column)| format!("column {table}.{column}"))).collect()
}

/// Those of tables and columns that are not missing themselves.
fn missing_uniques(expected: &Parts, found: &Parts, missing: &[String]) -> Vec<String> {
    let is_there = |table: &str, columns: &str| {
        !missing.contains(&format!("table {table}"))
            && !columns.split(", ").any(|column| missing.contains(&format!("column {table}.{column}")))
    };
    let lacking = expected.difference(found).filter(|(table, columns)| is_there(table, columns));
    lacking.map(|(table, columns)| format!("unique index on {table} ({columns})")).collect()
}
