//! Resident memory with a hundred thousand sessions in use.

use crate::aims;
use crate::askers::{Asker, GetRequest};
use crate::check::Check;
use crate::instance::{Engine, Instance};
use crate::outcome::{Outcome, progress};
use crate::people::Person;
use crate::requests::{CSRF, USER};
use crate::rig::Rig;
use crate::table::Table;
use crate::{Args, load};
use axum::http::HeaderValue;
use doorward::domain::session::lifecycle::{Subject, access_token};
use doorward::model::organization::MemberRole;
use doorward::model::roles::Roles;
use secrecy::ExposeSecret;
use serde::Serialize;
use std::time::Duration;

/// Live sessions that are requested, all of them in memory at the same time.
const SESSIONS: u64 = 100_000;
/// Requests in random order before the memory is read, until all caches are filled.
const REQUESTS: usize = 200_000;

#[derive(Serialize)]
pub struct Memory {
    engines: Vec<EngineStats>,
    sessions: u64,
}

#[derive(Serialize)]
struct EngineStats {
    engine: Engine,
    with_sessions_mb: f64,
}

pub async fn measure(rig: &Rig, args: &Args) -> Outcome<Memory> {
    let mut engines = Vec::new();
    for instance in rig.filled_instances("memory", SESSIONS).await? {
        let asked = GetRequest::by_cookies(USER, &tokens(&instance).await?);
        let connections = args.connections.get();
        let service = instance.start().await?;
        // Each once and in order, then in random order.
        load::send_requests(service.address, Asker::sequential(connections, &asked), asked.len()).await?;
        load::send_requests(service.address, Asker::many(connections, &asked), REQUESTS).await?;
        let with_sessions_mb = service.process.resident_megabytes()?;
        let engine = instance.engine;
        progress(&format!("memory: {}: {with_sessions_mb:.0} MB with {SESSIONS} sessions", engine.name()));
        engines.push(EngineStats { engine, with_sessions_mb });
    }
    Ok(Memory { engines, sessions: SESSIONS })
}

async fn tokens(instance: &Instance) -> Outcome<Vec<HeaderValue>> {
    progress(&format!("{}: {SESSIONS} access tokens", instance.engine.name()));
    let app = instance.app().await?;
    let now = app.clock.now();
    let cookies = (0..SESSIONS).map(|number| {
        let person = Person(number);
        let subject = Subject {
            session_id: person.session(),
            user_id: person.user(),
            organization_id: person.organization(),
            organization_role: MemberRole::Owner,
            roles: Roles::NONE,
            expires_at: now + Duration::from_hours(24),
            refresh_generation: 1,
        };
        let token = access_token(&app, &subject, "app", now)?;
        Ok(HeaderValue::try_from(format!("svc_access={}; svc_csrf={CSRF}", token.token.expose_secret()))?)
    });
    let cookies = cookies.collect::<Outcome<_>>()?;
    app.store.close().await;
    Ok(cookies)
}

impl Memory {
    pub fn checks(&self) -> impl Iterator<Item = Check> {
        self.engines.iter().map(|stats| aims::FULL.check(stats.engine, stats.with_sessions_mb))
    }

    pub fn table(&self) -> Table {
        let cells = |stats: &EngineStats| {
            vec![format!("doorward, {}", stats.engine.name()), format!("{:.1}", stats.with_sessions_mb)]
        };
        Table {
            title: format!("Resident memory with {} sessions in use (aim: {})", self.sessions, aims::FULL.cell()),
            columns: vec!["server", "MB"],
            rows: self.engines.iter().map(cells).collect(),
        }
    }

    #[cfg(test)]
    pub fn sample() -> Self {
        let stats = |engine| EngineStats { engine, with_sessions_mb: 1.0 };
        Self { engines: Engine::ALL.map(stats).into(), sessions: SESSIONS }
    }
}
