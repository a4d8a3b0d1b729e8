//! All measurements, as one JSON document or as tables.

use crate::Args;
use crate::check::Check;
use crate::parts::api::Api;
use crate::parts::compare::Comparison;
use crate::parts::login::LogIn;
use crate::parts::memory::Memory;
use crate::parts::refresh::RefreshStats;
use crate::parts::start::Start;
use crate::parts::user::User;
use crate::parts::webhooks::Webhooks;
use crate::rig::Rig;
use serde::Serialize;
use std::fmt;

#[derive(Default, Serialize)]
pub struct Report {
    doorward: &'static str,
    cores: usize,
    sqlite: &'static str,
    postgresql: Option<String>,
    /// `None` if no part needed them.
    users: Option<usize>,
    connections: usize,
    rounds: usize,
    seconds: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<Start>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user: Option<User>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compare: Option<Comparison>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refresh: Option<RefreshStats>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub log_in: Option<LogIn>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<Memory>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub webhooks: Option<Webhooks>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub api: Option<Api>,
}

impl Report {
    pub fn new(args: &Args, rig: &Rig) -> Self {
        Self {
            doorward: env!("CARGO_PKG_VERSION"),
            cores: crate::process::cores(),
            sqlite: rusqlite::version(),
            postgresql: rig.postgres_version.clone(),
            users: args.needs_users().then_some(args.users()),
            connections: args.connections.get(),
            rounds: args.rounds(),
            seconds: args.seconds(),
            ..Self::default()
        }
    }

    pub fn checks(&self) -> Vec<Check> {
        let user = self.user.iter().flat_map(User::checks).chain(self.api.iter().flat_map(Api::checks));
        let refresh = self.refresh.iter().flat_map(RefreshStats::checks);
        let start = self.start.iter().flat_map(Start::checks).chain(self.memory.iter().flat_map(Memory::checks));
        let login = self.log_in.iter().flat_map(LogIn::checks);
        let webhooks = self.webhooks.iter().flat_map(Webhooks::checks);
        user.chain(refresh).chain(start).chain(login).chain(webhooks).collect()
    }

    /// A report with some figures of every part that `check` measures.
    #[cfg(test)]
    pub fn sample() -> Self {
        Self {
            start: Some(Start::sample()),
            user: Some(User::sample()),
            refresh: Some(RefreshStats::sample()),
            log_in: Some(LogIn::sample()),
            memory: Some(Memory::sample()),
            webhooks: Some(Webhooks::sample()),
            api: Some(Api::sample()),
            ..Self::default()
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { doorward, cores, sqlite, users, connections, rounds, seconds, .. } = self;
        let postgresql = self.postgresql.as_deref().unwrap_or("not installed");
        writeln!(f, "Doorward {doorward}, {cores} cores, SQLite {sqlite}, PostgreSQL {postgresql}.")?;
        if let Some(users) = users {
            write!(f, "{users} users, {connections} connections, ")?;
        }
        writeln!(
            f,
            "{rounds} interleaved rounds of {seconds} s (webhooks: 1 s, 2 s where the receiver is slow), medians."
        )?;
        let tables = [
            self.user.as_ref().map(User::table),
            self.compare.as_ref().map(Comparison::table),
            self.refresh.as_ref().map(RefreshStats::table),
            self.start.as_ref().map(Start::table),
            self.log_in.as_ref().map(LogIn::table),
            self.memory.as_ref().map(Memory::table),
        ];
        let webhooks = self.webhooks.iter().flat_map(Webhooks::tables);
        tables
            .into_iter()
            .flatten()
            .chain(webhooks)
            .chain(self.api.iter().flat_map(|api| [api.table(), api.searches()]))
            .try_for_each(|table| write!(f, "\n{table}"))
    }
}
