//! Diagnoses database faults for operators.

use super::db::Db;
use super::postgres::{POOLER_REFUSAL, READ_ONLY, STANDBY, answered};
use super::{Result, Store, StoreError};

/// A database fault with a known remedy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DatabaseFault {
    ReadOnly,
    Full,
    Rights,
    /// A pooler gives connections away after each transaction.
    Pooler,
    /// The schema lacks this many steps.
    OldSchema(usize),
    /// It cannot be reached or opened, or fails otherwise.
    Away,
}

impl StoreError {
    /// Which trouble with the database this error shows.
    pub fn fault(&self) -> DatabaseFault {
        let text = self.cause();
        // The result of a commit that transactions share is a text only.
        let says = |words: &[&str]| words.iter().any(|words| text.contains(words));
        match self {
            StoreError::OldSchema(missing) => DatabaseFault::OldSchema(*missing),
            StoreError::Schema(text) if text == POOLER_REFUSAL => DatabaseFault::Pooler,
            _ if self.code_is(|code| code == "42501") => DatabaseFault::Rights,
            _ if self.code_is(|code| code == "53100") || says(&["disk is full"]) => DatabaseFault::Full,
            _ if self.code_is(|code| code == "25006") || says(&[READ_ONLY, STANDBY, "readonly database"]) => {
                DatabaseFault::ReadOnly
            }
            _ => DatabaseFault::Away,
        }
    }
}

/// The tables of the service that its user may not both read and change.
const FORBIDDEN_TABLES: &str = "SELECT relname::text FROM pg_class WHERE relkind = 'r' \
    AND relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = 'instance'::regclass) \
    AND relowner = (SELECT relowner FROM pg_class WHERE oid = 'instance'::regclass) \
    AND NOT (has_table_privilege(oid, 'SELECT') AND has_table_privilege(oid, 'INSERT') \
    AND has_table_privilege(oid, 'UPDATE') AND has_table_privilege(oid, 'DELETE')) ORDER BY relname";

/// How many connections the user of the service may have: as the server, the user and the database limit it.
const MAX_CONNECTIONS: &str = "SELECT least( \
    current_setting('max_connections')::bigint - current_setting('superuser_reserved_connections')::bigint \
        - coalesce(current_setting('reserved_connections', true), '0')::bigint, \
    (SELECT NULLIF(rolconnlimit, -1) FROM pg_catalog.pg_roles WHERE rolname = current_user)::bigint, \
    (SELECT NULLIF(datconnlimit, -1) FROM pg_catalog.pg_database WHERE datname = current_database())::bigint)";

impl Store {
    /// How many connections the server gives to all processes of the service together; `None` on SQLite.
    pub async fn max_connections(&self) -> Result<Option<i64>> {
        let Db::Postgres(pool) = &self.db else { return Ok(None) };
        let mut pooled = pool.acquire().await?;
        let most = answered(sqlx::query_scalar(MAX_CONNECTIONS).fetch_one(pooled.connection()?)).await;
        Ok(Some(pooled.settle(most)?))
    }

    /// The tables that the user of the database may not both read and change; none on SQLite.
    pub async fn forbidden_tables(&self) -> Result<Vec<String>> {
        let Db::Postgres(pool) = &self.db else { return Ok(Vec::new()) };
        let mut pooled = pool.acquire().await?;
        let tables = answered(sqlx::query_scalar(FORBIDDEN_TABLES).fetch_all(pooled.connection()?)).await;
        pooled.settle(tables)
    }
}
