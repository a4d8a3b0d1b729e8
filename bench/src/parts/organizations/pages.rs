//! Requests of members and invited users, over HTTP: alternates between a large and a small organization, one request
//! at a time.

use super::bulk_users::BulkUsers;
use super::common::{FEW, MANY, open};
use crate::instance::Instance;
use crate::load::{Request, connect, exchange};
use crate::outcome::{Outcome, progress};
use crate::requests::{CSRF, request, user_cookies};
use crate::seed;
use crate::stats::{median, millis, percentile};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderValue, Method};
use doorward::context::App;
use doorward::domain::account::operator;
use doorward::domain::ending::Commit;
use doorward::domain::organization::invite::{self, NewInvitation};
use doorward::domain::organization::manage;
use doorward::messages::Locale;
use doorward::model::ids::OrganizationId;
use doorward::model::metadata::Metadata;
use doorward::model::organization::MemberRole;
use doorward::model::principal::Principal;
use http_body_util::Full;
use hyper::body::Bytes;
use serde::Serialize;
use std::time::Duration;
use tokio::time::Instant;

/// Samples of each request, in either organization.
const SAMPLES: usize = 200;
/// Samples of accepted invitations: an organization has at most a hundred pending ones.
const ACCEPTED: usize = 80;
/// Not counted.
const WARM_UP: usize = 10;
/// The owners of both organizations, and the invited users.
pub const PEOPLE: usize = 2 + 2 * (ACCEPTED + WARM_UP);

/// The latency of one request in a large and in a small organization.
#[derive(Serialize)]
pub struct Comparison {
    request: String,
    large: Distribution,
    small: Distribution,
    ratio: f64,
}

#[derive(Serialize)]
struct Distribution {
    median_ms: f64,
    p95_ms: f64,
}

/// A measured organization.
struct Team {
    path: String,
    /// The path of a page in the middle of its members.
    middle: String,
    /// The links of its invitations.
    links: Vec<String>,
}

/// Measures one engine.
pub async fn measure(instance: &Instance, bulk_users: &mut BulkUsers) -> Outcome<Vec<Comparison>> {
    let app = open(instance).await?;
    let teams = [team(&app, bulk_users, 0, MANY).await?, team(&app, bulk_users, 1, FEW).await?];
    app.store.close().await;
    let cookies = user_cookies(&instance.tokens)?;
    let get = |path: &str, who: usize| request(Method::GET, path, cookies[who].clone());
    let list = |_: usize, team: usize| get("/auth/organizations", team);
    let first = |_: usize, team: usize| get(&teams[team].path, team);
    let middle = |_: usize, team: usize| get(&teams[team].middle, team);
    let accept = |sample: usize, team: usize| {
        post(&format!("{}/accept", teams[team].links[sample]), cookies[2 + 2 * sample + team].clone())
    };
    let server = Server { name: instance.engine.name(), service: &instance.start().await? };
    Ok(vec![
        server.compare("list of a user's organizations", SAMPLES, 200, list).await?,
        server.compare("first page of members", SAMPLES, 200, first).await?,
        server.compare("page from their middle", SAMPLES, 200, middle).await?,
        server.compare("accept an invitation", ACCEPTED, 303, accept).await?,
    ])
}

/// Creates a team with members and invitations, owned by the seeded user `number`.
async fn team(app: &App, bulk_users: &mut BulkUsers, number: usize, members: usize) -> Outcome<Team> {
    let owner = operator::find(&app.store, &Principal::operator(), &seed::email(number)).await?.id;
    let id = manage::create(app, &Principal::operator(), owner, &format!("Team {number}"), Commit).await?.id;
    bulk_users.add_members(id, members).await?;
    let mut links = Vec::new();
    for sample in 0..ACCEPTED + WARM_UP {
        links.push(invite(app, id, &seed::email(2 + 2 * sample + number)).await?);
    }
    let path = format!("/auth/organizations/{id}");
    let middle = format!("{path}?after=01880000-0000-7000-8000-{:012x}", members / 2 - 1);
    Ok(Team { path, middle, links })
}

async fn invite(app: &App, org: OrganizationId, email: &str) -> Outcome<String> {
    let (role, metadata) = (MemberRole::Member, Metadata::default());
    let new = NewInvitation { email, role, metadata, send_mail: true, locale: Locale::ENGLISH };
    let invited = invite::invite(app, &Principal::operator(), org, new, Commit).await?;
    Ok(format!("/auth/invitations/{}", invited.token.text()))
}

fn post(path: &str, cookies: HeaderValue) -> Outcome<Request> {
    let mut request = request(Method::POST, path, cookies)?;
    *request.body_mut() = Full::new(Bytes::from(format!("csrf_token={CSRF}")));
    request.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/x-www-form-urlencoded"));
    Ok(request)
}

struct Server<'a> {
    name: &'static str,
    service: &'a crate::instance::Service,
}

impl Server<'_> {
    /// Alternates between the teams. `ask` receives the sample and the team, 0 for the large one.
    async fn compare(
        &self,
        what: &str,
        samples: usize,
        expected: u16,
        ask: impl Fn(usize, usize) -> Outcome<Request>,
    ) -> Outcome<Comparison> {
        progress(&format!("organizations: {}: {what}", self.name));
        let mut connection = connect(self.service.address).await?;
        let mut took = [Vec::new(), Vec::new()];
        for sample in 0..samples + WARM_UP {
            // Alternates which of a pair comes first.
            for team in [sample % 2, 1 - sample % 2] {
                let asked = ask(sample, team)?;
                let began = Instant::now();
                let (status, _, _) = exchange(&mut connection, asked).await?;
                if status != expected {
                    return Err(format!("{what}: the service answered {status}").into());
                }
                if sample >= WARM_UP {
                    took[team].push(began.elapsed());
                }
            }
        }
        let [large, small] = took.map(Distribution::of);
        let ratio = large.median_ms / small.median_ms;
        Ok(Comparison { request: format!("{}, {what}", self.name), large, small, ratio })
    }
}

impl Distribution {
    fn of(mut took: Vec<Duration>) -> Self {
        took.sort_unstable();
        Self { p95_ms: millis(percentile(&took, 95)), median_ms: median(took.into_iter().map(millis)) }
    }
}

impl Comparison {
    /// A row of the table.
    pub fn cells(&self) -> Vec<String> {
        vec![
            self.request.clone(),
            format!("{:.2}", self.large.median_ms),
            format!("{:.2}", self.large.p95_ms),
            format!("{:.2}", self.small.median_ms),
            format!("{:.2}", self.small.p95_ms),
            format!("{:.2}", self.ratio),
        ]
    }
}
