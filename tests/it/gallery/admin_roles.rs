//! Every page of administrators, for each role that sees it: found by following links, as administrators do.

use super::{Language, Visitor};
use crate::harness::{WEBHOOK_SECRET, act, someone_with};
use crate::invitations::invite;
use crate::organizations::{create_team, member};
use crate::permissions::shown_below_admin;
use doorward::model::roles::PlatformRole;
use regex::Regex;
use std::collections::{BTreeMap, BTreeSet};

browser![every_page_of_administrators_is_reached_and_looked_at];

const ADMIN: &str = "admin@example.com";
/// A download, not a page.
const NO_PAGE: &str = "/auth/admin/audit/export";
/// More pages than the little world below has.
const MAX_FOLLOWED: usize = 400;

/// A service with one of everything that administrators look at, and the job of a replay.
async fn furnished() -> (Visitor, String) {
    let receiver = [("SVC_WEBHOOK_URL", "http://127.0.0.1:9/"), ("SVC_WEBHOOK_SECRET", WEBHOOK_SECRET)];
    let visitor = Visitor::open(Language::English, &[&receiver[..], &[("SVC_RATE_LIMIT", "off")]].concat()).await;
    let owner = visitor.sign_up(super::visitor::EMAIL).await;
    let team = create_team(&owner, "Crew").await;
    member(&visitor.app, &owner, &team, "bob@example.com", "member").await;
    invite(&owner, &team, "cy@example.com", "member").await;
    let database = visitor.app.database();
    database.execute("UPDATE users SET disabled_at = created_at WHERE email = 'bob@example.com'").await;
    let identity = format!(
        "INSERT INTO identities (id, user_id, issuer, subject, provider, created_at) SELECT randomblob(16), id, \
         'https://accounts.example', '7', 'other', created_at FROM users WHERE email = '{}'",
        super::visitor::EMAIL
    );
    database.execute(&identity).await;
    let key = ["api-key", "create", "backend", "--scope", "users:read"];
    let made = crate::harness::run_program(&key, visitor.app.variables()).await;
    assert!(made.status.success(), "{made:?}");
    let admin = someone_with(&visitor.app, PlatformRole::Admin.as_str()).await;
    let job = act(&admin, "/auth/admin/deliveries/replay", &[("reason", "the receiver was down")]).await;
    (visitor, job.expect(303).location().to_owned())
}

async fn set_role(visitor: &Visitor, role: PlatformRole) {
    let grant = format!("UPDATE users SET roles = '{}' WHERE email = '{ADMIN}'", role.as_str());
    visitor.app.database().execute(&grant).await;
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
async fn links(visitor: &Visitor) -> Vec<String> {
    let script = "return [...document.querySelectorAll('a[href]')].map((link) => new URL(link.href).pathname)";
    let all = visitor.browser.page.execute(script, vec![]).await.unwrap();
    let paths = all.as_array().unwrap().iter().map(|path| path.as_str().unwrap().to_owned());
    paths.filter(|path| path.starts_with("/auth/admin") && path != NO_PAGE).collect()
}

/// The routes of all pages to which links lead; each is looked at once.
async fn followed(visitor: &Visitor, routes: &[(Regex, String)], role: PlatformRole, job: &str) -> BTreeSet<String> {
    let (mut waiting, mut known, mut seen) = (vec!["/auth/admin".to_owned()], BTreeSet::new(), BTreeSet::new());
    // An act leads to a job, no link.
    waiting.extend((role != PlatformRole::Monitor).then(|| job.to_owned()));
    while let Some(path) = waiting.pop() {
        if !known.insert(path.clone()) {
            continue;
        }
        assert!(known.len() < MAX_FOLLOWED, "{known:?}");
        visitor.go(&path).await;
        let route = route(routes, &path).unwrap_or_else(|| panic!("a link leads to {path}"));
        if seen.insert(route.to_owned()) {
            let name = route.trim_start_matches("/auth/").replace(['/', '{', '}'], "-");
            visitor.see_one_of_administrators(&format!("{}-{name}", role.as_str())).await;
        }
        waiting.extend(links(visitor).await);
    }
    seen
}

async fn every_page_of_administrators_is_reached_and_looked_at() {
    let shown = shown_below_admin();
    let routes = matchers(&shown);
    let (visitor, job) = furnished().await;
    let mut rows = 0;
    for role in PlatformRole::ALL {
        set_role(&visitor, role).await;
        visitor.log_in(ADMIN).await;
        let seen = followed(&visitor, &routes, role, &job).await;
        let may = shown.iter().filter(|(path, roles)| roles.contains(role.as_str()) && *path != NO_PAGE);
        let may: BTreeSet<String> = may.map(|(path, _)| path.clone()).collect();
        assert_eq!(seen, may, "what {} is led to, and what docs/reference/permissions.md says", role.as_str());
        rows += seen.len();
    }
    assert!(rows > 40, "{rows} pages and roles");
}
