//! Every page of administrators, for each role that sees it: found by following links, as administrators do.

use super::inspection::inspect;
use super::language::{EMAIL, Language};
use super::settings::BRAND;
use crate::harness::{Client, Engine, Reply, TestApp, WEBHOOK_SECRET, act, eventually, someone_with};
use crate::invitations::invite;
use crate::organizations::{create_team, member};
use crate::permissions::shown_below_admin;
use crate::samples::Sample;
use doorward::model::roles::PlatformRole;
use regex::Regex;
use std::collections::{BTreeMap, BTreeSet};

browser![every_page_of_administrators_is_reached_and_looked_at];

/// A download, not a page.
const NO_PAGE: &str = "/auth/admin/audit/export";
/// More pages than the little world below has.
const MAX_FOLLOWED: usize = 400;

/// A service with one of everything that administrators look at, an administrator, and the path of a replay's job.
async fn furnished() -> (TestApp, Client, String) {
    let builder = Engine::Sqlite.prepare().await.set("SVC_RATE_LIMIT", "off");
    let receiver = [("SVC_WEBHOOK_URL", "http://127.0.0.1:9/"), ("SVC_WEBHOOK_SECRET", WEBHOOK_SECRET)];
    let settings = BRAND.into_iter().chain(receiver);
    let app = settings.fold(builder, |builder, (name, value)| builder.set(name, value)).start().await;
    let owner = app.sign_up(EMAIL).await;
    let team = create_team(&owner, "Crew").await;
    member(&app, &owner, &team, "bob@example.com", "member").await;
    invite(&owner, &team, "cy@example.com", "member").await;
    let database = app.database();
    database.execute("UPDATE users SET disabled_at = created_at WHERE email = 'bob@example.com'").await;
    let identity = format!(
        "INSERT INTO identities (id, user_id, issuer, subject, provider, created_at) SELECT randomblob(16), id, \
         'https://accounts.example', '7', 'other', created_at FROM users WHERE email = '{EMAIL}'"
    );
    database.execute(&identity).await;
    let key = ["api-key", "create", "backend", "--scope", "users:read"];
    let made = crate::harness::run_program(&key, app.variables()).await;
    assert!(made.status.success(), "{made:?}");
    let admin = someone_with(&app, PlatformRole::Admin.as_str()).await;
    let job = act(&admin, "/auth/admin/deliveries/replay", &[("reason", "the receiver was down")]).await;
    let job = job.expect(303).location().to_owned();
    // While it runs, its page asks for itself again.
    let is_over = async || Some(admin.get(&job).await).filter(|page| !page.text().contains("http-equiv=\"refresh\""));
    eventually("the job is over", is_over).await;
    (app, admin, job)
}

/// The route of a path: the one with the fewest gaps.
fn route<'a>(routes: &'a [(Regex, String)], path: &str) -> Option<&'a str> {
    let fits = routes.iter().filter(|(regex, _)| regex.is_match(path)).map(|(_, route)| route.as_str());
    fits.min_by_key(|route| route.matches('{').count())
}

fn matchers(shown: &BTreeMap<String, BTreeSet<String>>) -> Vec<(Regex, String)> {
    let gap = Regex::new(r"\{\w+\}").unwrap();
    let regex = |path: &str| Regex::new(&format!("^{}$", gap.replace_all(path, "[^/]+"))).unwrap();
    shown.keys().map(|path| (regex(path), path.clone())).collect()
}

/// Where the links of the page lead, below `/auth/admin` and without their queries.
fn links(page: &str) -> impl Iterator<Item = String> {
    let targets = page.split("<a ").skip(1).filter_map(|link| link.split_once("href=\"")?.1.split(['"', '?']).next());
    targets.filter(|path| path.starts_with("/auth/admin") && *path != NO_PAGE).map(str::to_owned)
}

/// One page of each route to which links lead, by the routes.
async fn followed(client: &Client, routes: &[(Regex, String)], start: &[&str]) -> BTreeMap<String, Reply> {
    let mut waiting: Vec<String> = start.iter().map(|path| (*path).to_owned()).collect();
    let (mut known, mut seen) = (BTreeSet::new(), BTreeMap::new());
    while let Some(path) = waiting.pop() {
        if !known.insert(path.clone()) {
            continue;
        }
        assert!(known.len() < MAX_FOLLOWED, "{known:?}");
        let page = client.get(&path).await.expect(200);
        waiting.extend(links(&page.text()));
        let route = route(routes, &path).unwrap_or_else(|| panic!("a link leads to {path}"));
        seen.entry(route.to_owned()).or_insert(page);
    }
    seen
}

fn sample(role: PlatformRole, route: &str, page: &Reply) -> Sample {
    let name = format!("{}-{}", role.as_str(), route.trim_start_matches("/auth/").replace(['/', '{', '}'], "-"));
    let policy = page.header("content-security-policy").unwrap().parse().unwrap();
    Sample { name: name.leak(), view: "", html: page.text(), policy }
}

async fn every_page_of_administrators_is_reached_and_looked_at() {
    let shown = shown_below_admin();
    let routes = matchers(&shown);
    let (app, admin, job) = furnished().await;
    let mut pages = Vec::new();
    for role in PlatformRole::ALL {
        let client = match role {
            PlatformRole::Admin => admin.clone(),
            other => someone_with(&app, other.as_str()).await,
        };
        // An act leads to a job, no link.
        let start: &[&str] = if role == PlatformRole::Monitor { &["/auth/admin"] } else { &["/auth/admin", &job] };
        let seen = followed(&client, &routes, start).await;
        let may = shown.iter().filter(|(path, roles)| roles.contains(role.as_str()) && *path != NO_PAGE);
        let may: BTreeSet<&String> = may.map(|(path, _)| path).collect();
        let names = seen.keys().collect::<BTreeSet<_>>();
        assert_eq!(names, may, "what {} is led to, and what docs/reference/permissions.md says", role.as_str());
        pages.extend(seen.iter().map(|(route, page)| sample(role, route, page)));
    }
    assert!(pages.len() > 40, "{} pages and roles", pages.len());
    inspect([(Language::English, pages)]).await;
}
