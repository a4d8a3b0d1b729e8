//! Resident memory: idle, with a hundred thousand sessions in memory, and after a million requests.

use crate::askers::{Asker, GetRequest};
use crate::instance::Instance;
use crate::outcome::{Outcome, progress};
use crate::people::Person;
use crate::requests::{CSRF, USER};
use crate::rig::Rig;
use crate::stats::count;
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
/// Requests in random order before the memory with the sessions is read.
const WARM_UP: usize = 200_000;
/// Requests after that.
const REQUESTS: usize = 1_000_000;
/// The time after its start before a process counts as idle.
const SETTLE_TIME: Duration = Duration::from_secs(2);
const AIM_IDLE_MB: f64 = 25.0;
const AIM_FULL_MB: f64 = 120.0;

/// Each engine's figures.
#[derive(Serialize)]
pub struct Memory {
    engines: Vec<EngineStats>,
    sessions: u64,
    requests: usize,
    aim_idle_mb: f64,
    aim_full_mb: f64,
}

#[derive(Serialize)]
struct EngineStats {
    server: String,
    idle_mb: f64,
    with_sessions_mb: f64,
    after_requests_mb: f64,
    growth: f64,
}

/// Measures every engine.
pub async fn measure(rig: &Rig, args: &Args) -> Outcome<Memory> {
    let mut engines = Vec::new();
    for engine in rig.engines() {
        let instance = rig.filled_database(engine, SESSIONS).await?;
        let asked = GetRequest::by_cookies(USER, &tokens(&instance).await?);
        let connections = args.connections.get();
        let service = instance.start().await?;
        tokio::time::sleep(SETTLE_TIME).await;
        let idle_mb = service.process.resident_megabytes()?;
        // Each once and in order, then in random order, until all caches are filled.
        load::send_requests(service.address, Asker::sequential(connections, &asked), asked.len()).await?;
        load::send_requests(service.address, Asker::many(connections, &asked), WARM_UP).await?;
        let with_sessions_mb = service.process.resident_megabytes()?;
        progress(&format!("memory: {}: {with_sessions_mb:.0} MB with {SESSIONS} sessions", engine.name()));
        load::send_requests(service.address, Asker::many(connections, &asked), REQUESTS).await?;
        let after_requests_mb = service.process.resident_megabytes()?;
        engines.push(EngineStats {
            server: format!("doorward, {}", engine.name()),
            idle_mb,
            with_sessions_mb,
            after_requests_mb,
            growth: after_requests_mb / with_sessions_mb,
        });
    }
    Ok(Memory { engines, sessions: SESSIONS, requests: REQUESTS, aim_idle_mb: AIM_IDLE_MB, aim_full_mb: AIM_FULL_MB })
}

/// An access token for every session.
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
    /// The table.
    pub fn table(&self) -> Table {
        let cells = |engine: &EngineStats| {
            vec![
                engine.server.clone(),
                format!("{:.1}", engine.idle_mb),
                format!("{:.1}", engine.with_sessions_mb),
                format!("{:.1}", engine.after_requests_mb),
                format!("{:.2}", engine.growth),
            ]
        };
        Table {
            title: format!(
                "Resident memory in MB (aims: idle {AIM_IDLE_MB:.0}, with {:.0},000 live sessions in memory \
                 {AIM_FULL_MB:.0}, no growth after {} requests more)",
                count(usize::try_from(self.sessions / 1000).unwrap_or_default()),
                self.requests
            ),
            columns: vec!["server", "idle", "with the sessions", "after the requests", "times"],
            rows: self.engines.iter().map(cells).collect(),
        }
    }
}
