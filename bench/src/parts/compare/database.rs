//! A database, and the load for it.

use super::newcomer::Newcomer;
use super::operation::ComparedOperation;
use crate::askers::{Asker, GetRequest};
use crate::instance::{Instance, Service, Tokens};
use crate::load::{self, Run};
use crate::outcome::Outcome;
use crate::parts::{api, login};
use crate::requests::{GATE, Refresh, SESSION, USER, USERS, refresh_cookies, user_cookies};
use crate::seed;
use axum::http::HeaderValue;
use axum::http::header::AUTHORIZATION;
use std::fmt::Display;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::Duration;

pub struct Database {
    instance: Instance,
    connections: usize,
    loads: Vec<(ComparedOperation, Load)>,
}

enum Load {
    Ask(Arc<[GetRequest]>),
    /// The sessions go on from round to round.
    Refresh(Vec<Refresh>),
    Newcomers(Arc<AtomicUsize>),
}

impl Database {
    pub async fn prepare(
        mut instance: Instance,
        operations: &[ComparedOperation],
        (users, connections): (usize, usize),
    ) -> Outcome<Self> {
        seed::fill(&mut instance, users).await?;
        let app = instance.app().await?;
        let key = api::api_key(&app).await?;
        app.store.close().await;
        let loads = loads(&instance.tokens, &key, operations, connections)?;
        Ok(Self { instance, connections, loads })
    }

    /// Starts a process of a new copy of a program, and shows it every token once: the first verification of a token is
    /// not measured.
    pub async fn start(&self, program: &Path) -> Outcome<Service> {
        let copy = self.instance.directory.join("doorward");
        // Into a new file: a running program cannot be written to.
        let _absent = std::fs::remove_file(&copy);
        std::fs::copy(program, &copy)?;
        let service = self.instance.start_program(&copy).await?;
        for (operation, load) in &self.loads {
            if let Load::Ask(asked) = load {
                let askers = Asker::sequential(self.connections, asked);
                let sent = load::send_requests(service.address, askers, asked.len()).await;
                sent.map_err(|error| self.named(*operation, &*error))?;
            }
        }
        Ok(service)
    }

    /// Measures the operation in this place of the list.
    pub async fn measure(&mut self, place: usize, service: &Service, duration: Duration) -> Outcome<Run> {
        let operation = self.loads[place].0;
        let run = self.run(place, service, duration).await;
        Ok(run.map_err(|error| self.named(operation, &*error))?)
    }

    async fn run(&mut self, place: usize, service: &Service, duration: Duration) -> Outcome<Run> {
        let (address, process) = (service.address, service.process.id());
        let run = match &mut self.loads[place].1 {
            Load::Ask(asked) => {
                load::measure(address, process, Asker::many(self.connections, asked), duration).await?.1
            }
            Load::Refresh(sessions) => {
                let (kept, run) = load::measure(address, process, std::mem::take(sessions), duration).await?;
                *sessions = kept;
                run
            }
            Load::Newcomers(numbers) => {
                load::measure(address, process, Newcomer::many(login::CLIENTS, numbers), duration).await?.1
            }
        };
        if run.per_second == 0.0 {
            return Err("no answer came in time: give it more --seconds".into());
        }
        Ok(run)
    }

    fn named(&self, operation: ComparedOperation, error: &dyn Display) -> String {
        format!("{}, {}: {error}", operation.name(), self.instance.engine.name())
    }
}

/// A refresh replaces the token that the gate asks with, so the sessions that are refreshed are others.
fn loads(
    tokens: &[Tokens],
    key: &HeaderValue,
    operations: &[ComparedOperation],
    connections: usize,
) -> Outcome<Vec<(ComparedOperation, Load)>> {
    let (refreshed, kept) = tokens.split_at_checked(connections).unwrap_or_default();
    if kept.is_empty() {
        return Err("there must be more --users than --connections".into());
    }
    let load = |operation: &ComparedOperation| {
        let load = match operation {
            ComparedOperation::User => Load::Ask(GetRequest::by_cookies(USER, &user_cookies(kept)?)),
            ComparedOperation::GateByAccess => Load::Ask(GetRequest::by_cookies(GATE, &user_cookies(kept)?)),
            ComparedOperation::GateByRefresh => Load::Ask(GetRequest::by_cookies(GATE, &refresh_cookies(kept)?)),
            ComparedOperation::Session => Load::Ask(GetRequest::by_cookies(SESSION, &user_cookies(kept)?)),
            ComparedOperation::UserById => Load::Ask(kept.iter().map(|tokens| by_id(tokens, key)).collect()),
            ComparedOperation::Refresh => Load::Refresh(refreshed.iter().map(Refresh::new).collect()),
            ComparedOperation::SignUpAndLogIn => Load::Newcomers(Arc::default()),
        };
        Ok((*operation, load))
    };
    operations.iter().map(load).collect()
}

fn by_id(tokens: &Tokens, key: &HeaderValue) -> GetRequest {
    GetRequest { target: format!("{USERS}/{}", tokens.user.0), name: AUTHORIZATION, value: key.clone() }
}
