//! Many users, created by SQL: signing up a hundred thousand of them would take an hour of password hashes.

use crate::instance::{Engine, Instance};
use crate::outcome::Outcome;
use doorward::model::ids::OrganizationId;
use sqlx::{AssertSqlSafe, Connection, PgConnection, SqliteConnection};

/// A connection to a database with many users, each with a personal organization.
pub enum BulkUsers {
    /// SQLite.
    Sqlite(SqliteConnection),
    /// PostgreSQL.
    Postgres(PgConnection),
}

impl BulkUsers {
    /// Creates `count` users.
    pub async fn create(instance: &Instance, count: usize) -> Outcome<Self> {
        let url = instance.database_url();
        let mut bulk_users = match instance.engine {
            Engine::Sqlite => BulkUsers::Sqlite(SqliteConnection::connect(&url).await?),
            Engine::Postgres => BulkUsers::Postgres(PgConnection::connect(&url).await?),
        };
        let (id, now) = match instance.engine {
            Engine::Sqlite => ("unhex(printf('01880000000070008000%012x', i))", "unixepoch() * 1000000"),
            Engine::Postgres => ("('01880000-0000-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid", "now()"),
        };
        let people = format!(
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {count}) \
             INSERT INTO users (id, email, email_key, username, username_key, roles, created_at, updated_at) \
             SELECT {id}, 'crowd' || i || '@example.org', 'crowd' || i || '@example.org', 'crowd' || i, 'crowd' || i, \
             '', {now}, {now} FROM n"
        );
        bulk_users.run(&people).await?;
        // Only these organizations have the id of their user.
        bulk_users
            .run(
                "INSERT INTO organizations (id, kind, name, created_by_user_id, created_at, updated_at) \
                 SELECT id, 'personal', username, id, created_at, created_at FROM users WHERE username LIKE 'crowd%'",
            )
            .await?;
        bulk_users
            .run(
                "INSERT INTO memberships (organization_id, user_id, role, created_at) \
                 SELECT id, id, 'owner', created_at FROM users WHERE username LIKE 'crowd%'",
            )
            .await?;
        bulk_users.run("ANALYZE").await?;
        Ok(bulk_users)
    }

    /// Adds `count` of them as members.
    pub async fn add_members(&mut self, organization: OrganizationId, count: usize) -> Outcome<()> {
        let id = match self {
            BulkUsers::Sqlite(_) => format!("x'{}'", organization.0.simple()),
            BulkUsers::Postgres(_) => format!("'{organization}'"),
        };
        let cast = if matches!(self, BulkUsers::Postgres(_)) { "::uuid" } else { "" };
        let join = format!(
            "INSERT INTO memberships (organization_id, user_id, role, created_at) \
             SELECT {id}{cast}, id, 'member', created_at FROM users WHERE username LIKE 'crowd%' ORDER BY id LIMIT {count}"
        );
        self.run(&join).await?;
        self.run("ANALYZE").await
    }

    /// Deletes the events in the outbox.
    pub async fn delete_events(&mut self) -> Outcome<()> {
        self.run("DELETE FROM outbox").await
    }

    async fn run(&mut self, sql: &str) -> Outcome<()> {
        // All statements are constants of this program.
        let query = sqlx::raw_sql(AssertSqlSafe(sql.to_owned()));
        match self {
            BulkUsers::Sqlite(connection) => query.execute(connection).await.map(drop)?,
            BulkUsers::Postgres(connection) => query.execute(connection).await.map(drop)?,
        }
        Ok(())
    }
}
