//! What backends ask by API v2, among many users: one user by id, users by the beginning of a name, and the session; and
//! what administrators look for.

use super::search::{self, SearchStats};
use super::series::{LoadStats, Series};
use crate::Args;
use crate::aims;
use crate::askers::{Asker, GetRequest};
use crate::bare::{Answer, Bare};
use crate::check::Check;
use crate::instance::{Engine, Instance, Service};
use crate::load::{self, connect, exchange};
use crate::outcome::{Outcome, progress};
use crate::people::{Person, any_below, random_person};
use crate::requests::{CSRF, REFRESH, SESSION, USERS, request};
use crate::rig::Rig;
use crate::table::Table;
use axum::http::header::{AUTHORIZATION, COOKIE, SET_COOKIE};
use axum::http::{HeaderValue, Method};
use doorward::context::App;
use doorward::domain::api_key::manage::NewApiKey;
use doorward::domain::change;
use doorward::model::api_key::{ApiKeyName, KeyNetworks, Scope};
use doorward::model::principal::Principal;
use secrecy::ExposeSecret;
use serde::Serialize;
use std::net::SocketAddr;
use std::sync::Arc;

/// Requests of each operation, which the connections repeat in random order.
const REQUESTS: usize = 50_000;
const SESSIONS: usize = 1_000;

/// The bare route's figures, then each operation's on each engine.
#[derive(Serialize)]
pub struct Api {
    people: u64,
    bare: LoadStats,
    engines: Vec<EngineStats>,
    people_found: Vec<SearchStats>,
}

#[derive(Serialize)]
struct EngineStats {
    engine: Engine,
    user_by_id: LoadStats,
    search: LoadStats,
    session: LoadStats,
}

struct Server {
    name: String,
    address: SocketAddr,
    process: u32,
    asked: Arc<[GetRequest]>,
    series: Series,
}

impl Server {
    fn new(name: String, address: SocketAddr, process: u32, asked: Vec<GetRequest>) -> Self {
        Self { name, address, process, asked: asked.into(), series: Series::default() }
    }
}

/// Measures the bare route and every operation alternately, round by round.
pub async fn measure(rig: &Rig, args: &Args) -> Outcome<Api> {
    let people = args.people_of_api();
    let (mut engines, mut services, mut servers) = (Vec::new(), Vec::new(), Vec::new());
    let mut people_found = Vec::new();
    for instance in rig.filled_instances("api", people).await? {
        people_found.extend(search::measure(&instance, people).await?);
        let service = instance.start().await?;
        servers.extend(operations(&instance, &service, people).await?);
        services.push(service);
        engines.push(instance.engine);
    }
    let first = servers.first().ok_or("there is no instance")?;
    let asked = first.asked.first().ok_or("there is no request")?.clone();
    let bare = Bare::start(&Answer::of(first.address, asked.request()?).await?)?;
    servers.insert(0, Server::new("bare route".to_owned(), bare.address, bare.process.id(), vec![asked]));
    for round in 1..=args.rounds() {
        for server in &mut servers {
            let clients = Asker::many(args.connections.get(), &server.asked);
            let (_, run) = load::measure(server.address, server.process, clients, args.duration()).await?;
            progress(&format!("api, round {round}: {}: {:.0}/s", server.name, run.per_second));
            server.series.0.push(run);
        }
    }
    Api::of(people, &servers, &engines, people_found).ok_or_else(|| "a server is missing".into())
}

async fn operations(instance: &Instance, service: &Service, people: u64) -> Outcome<[Server; 3]> {
    let app = instance.app().await?;
    let key = api_key(&app).await?;
    let by_key = |target| GetRequest { target, name: AUTHORIZATION, value: key.clone() };
    let mut users = Vec::with_capacity(REQUESTS);
    let mut searches = Vec::with_capacity(REQUESTS);
    for _ in 0..REQUESTS {
        users.push(by_key(format!("{USERS}/{}", random_person(people)?.user().0)));
        // Ten people have the beginning.
        let name = random_person(people)?.username();
        searches.push(by_key(format!("{USERS}?query={}", &name[..name.len() - 1])));
    }
    let mut sessions = Vec::with_capacity(SESSIONS);
    for _ in 0..SESSIONS {
        let value = cookies(&app, service.address, random_person(people)?).await?;
        sessions.push(GetRequest { target: SESSION.to_owned(), name: COOKIE, value });
    }
    app.store.close().await;
    let server = |operation, asked| {
        let name = format!("{operation}, {}", instance.engine.name());
        Server::new(name, service.address, service.process.id(), asked)
    };
    Ok([
        server("`GET /users/{id}`", users),
        server("`GET /users?query=`", searches),
        server("`GET /session`", sessions),
    ])
}

/// An API key that may look users up, as a header.
pub async fn api_key(app: &App) -> Outcome<HeaderValue> {
    let name = format!("bench-{}", any_below(u64::MAX)?);
    let new = NewApiKey {
        name: ApiKeyName::parse(&name)?,
        scopes: [Scope::UsersRead].into_iter().collect(),
        ttl: None,
        networks: KeyNetworks::default(),
    };
    let created = change::run(app, &Principal::operator(), new).await?;
    Ok(HeaderValue::try_from(format!("Bearer {}", created.text.as_str()))?)
}

/// The cookies of a person's browser after a refresh.
async fn cookies(app: &App, address: SocketAddr, person: Person) -> Outcome<HeaderValue> {
    let refresh = person.refresh_token(&app.secret_keys);
    let before = format!("svc_refresh={}; svc_csrf={CSRF}", refresh.expose_secret());
    let mut request = request(Method::POST, REFRESH, HeaderValue::try_from(before)?)?;
    request.headers_mut().insert("x-csrf-token", HeaderValue::from_static(CSRF));
    let (_, headers, _) = exchange(&mut connect(address).await?, request).await?;
    let mut cookies =
        headers.get_all(SET_COOKIE).into_iter().filter_map(|cookie| cookie.to_str().ok()?.split(';').next());
    let access = cookies.find(|cookie| cookie.starts_with("svc_access=")).ok_or("the refresh was refused")?;
    Ok(HeaderValue::try_from(access)?)
}

impl Api {
    /// The bare route's figures and those of each engine, in the order of the servers.
    fn of(people: u64, servers: &[Server], engines: &[Engine], people_found: Vec<SearchStats>) -> Option<Self> {
        let bare = &servers.first()?.series;
        let mut figures = servers.iter().map(|server| server.series.figures(server.name.clone(), bare));
        Some(Self {
            people,
            people_found,
            bare: figures.next()?,
            engines: engines
                .iter()
                .map(|engine| {
                    Some(EngineStats {
                        engine: *engine,
                        user_by_id: figures.next()?,
                        search: figures.next()?,
                        session: figures.next()?,
                    })
                })
                .collect::<Option<_>>()?,
        })
    }

    /// `GET /session` of the bare route, and how long searches take.
    pub fn checks(&self) -> impl Iterator<Item = Check> {
        let engines = self.engines.iter().flat_map(|EngineStats { engine, search, session, .. }| {
            [aims::SESSION.check(*engine, session.of_bare), aims::SEARCH.check(*engine, search.p99_ms)]
        });
        engines.chain(self.people_found.iter().map(SearchStats::check))
    }

    pub fn searches(&self) -> Table {
        SearchStats::table(self.people, &self.people_found)
    }

    pub fn table(&self) -> Table {
        let engines = self.engines.iter().flat_map(|engine| [&engine.user_by_id, &engine.search, &engine.session]);
        Table {
            title: format!(
                "API v2 among {} users (aims: a search within {} at the 99th percentile, GET /session at least {} of the \
                 bare route)",
                self.people,
                aims::SEARCH.cell(),
                aims::SESSION.cell()
            ),
            columns: LoadStats::COLUMNS.to_vec(),
            rows: [&self.bare].into_iter().chain(engines).map(LoadStats::cells).collect(),
        }
    }

    #[cfg(test)]
    pub fn sample() -> Self {
        let stats = |engine| EngineStats {
            engine,
            user_by_id: LoadStats::default(),
            search: LoadStats::default(),
            session: LoadStats::default(),
        };
        let engines = Engine::ALL.map(stats).into();
        Self { people: 1, bare: LoadStats::default(), engines, people_found: SearchStats::sample() }
    }
}
