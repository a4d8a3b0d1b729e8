//! Many people, made by SQL: to sign up a hundred thousand of them would take an hour of password hashes.

use crate::instance::{Engine, Instance};
use crate::outcome::Outcome;
use doorward::model::ids::OrganizationId;
use sqlx::{AssertSqlSafe, Connection, PgConnection, SqliteConnection};

/// A database with many people in it, each with an organization of their own.
pub enum Crowd {
    /// Its file.
    Sqlite(SqliteConnection),
    /// Its server.
    Postgres(PgConnection),
}

impl Crowd {
    /// Makes so many people.
    pub async fn gather(instance: &Instance, count: usize) -> Outcome<Self> {
        let url = instance.database_url();
        let mut crowd = match instance.engine {
            Engine::Sqlite => Crowd::Sqlite(SqliteConnection::connect(&url).await?),
            Engine::Postgres => Crowd::Postgres(PgConnection::connect(&url).await?),
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
        crowd.run(&people).await?;
        // Nobody else has an id that is both a user's and an organization's.
        crowd
            .run(
                "INSERT INTO organizations (id, kind, name, created_by_user_id, created_at, updated_at) \
                 SELECT id, 'personal', username, id, created_at, created_at FROM users WHERE username LIKE 'crowd%'",
            )
            .await?;
        crowd
            .run(
                "INSERT INTO memberships (organization_id, user_id, role, created_at) \
                 SELECT id, id, 'owner', created_at FROM users WHERE username LIKE 'crowd%'",
            )
            .await?;
        crowd.run("ANALYZE").await?;
        Ok(crowd)
    }

    /// Makes so many of them members.
    pub async fn join(&mut self, organization: OrganizationId, count: usize) -> Outcome<()> {
        let id = match self {
            Crowd::Sqlite(_) => format!("x'{}'", organization.0.simple()),
            Crowd::Postgres(_) => format!("'{organization}'"),
        };
        let cast = if matches!(self, Crowd::Postgres(_)) { "::uuid" } else { "" };
        let join = format!(
            "INSERT INTO memberships (organization_id, user_id, role, created_at) \
             SELECT {id}{cast}, id, 'member', created_at FROM users WHERE username LIKE 'crowd%' ORDER BY id LIMIT {count}"
        );
        self.run(&join).await?;
        self.run("ANALYZE").await
    }

    /// Removes the events that wait.
    pub async fn forget_events(&mut self) -> Outcome<()> {
        self.run("DELETE FROM outbox").await
    }

    async fn run(&mut self, sql: &str) -> Outcome<()> {
        // The texts are this program's own.
        let query = sqlx::raw_sql(AssertSqlSafe(sql.to_owned()));
        match self {
            Crowd::Sqlite(connection) => query.execute(connection).await.map(drop)?,
            Crowd::Postgres(connection) => query.execute(connection).await.map(drop)?,
        }
        Ok(())
    }
}
