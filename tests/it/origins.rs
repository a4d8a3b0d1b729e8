//! Forged requests: every route that takes a POST, without a token, with a wrong one, and from pages of other origins.

use crate::harness::{Client, Engine, PASSWORD, Reply, TestApp};
use crate::snapshots::{Route, routes};

one_engine![forged_posts_change_nothing_on_any_route, allowed_origin_posts_what_applications_need_only,];

const ALLOWED: &str = "https://app.example";
const FOREIGN: &str = "https://evil.example";
const WRONG: &str = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/// The routes that applications of `SVC_ALLOWED_ORIGINS` may post to from their own pages.
const FOR_APPLICATIONS: [&str; 4] = [
    "/auth/api/v1/sessions/refresh",
    "/auth/sessions/refresh",
    "/auth/sessions/logout",
    "/auth/organizations/{id}/switch",
];

/// Routes that refuse this user for another reason before they look at the token, with their answer: there is no such
/// link, passkey, login or provider, and passkeys need a host name.
pub const REFUSED_EARLIER: [(&str, u16); 18] = [
    ("/auth/account/connections/{name}", 404),
    ("/auth/account/passkeys", 303),
    ("/auth/account/passkeys/{id}/remove", 404),
    ("/auth/account/passkeys/{id}/rename", 404),
    ("/auth/account/recovery-codes", 303),
    ("/auth/account/two-factor/remove", 303),
    ("/auth/email/undo/{token}", 404),
    ("/auth/email/verify/{token}", 404),
    ("/auth/invitations/{token}/accept", 404),
    ("/auth/invitations/{token}/decline", 404),
    ("/auth/login/address", 303),
    ("/auth/login/second-factor", 401),
    ("/auth/login/with/{name}/address", 404),
    ("/auth/login/with/{name}/connect", 404),
    ("/auth/login/with/{name}/return", 404),
    ("/auth/login/with/{name}/whose", 404),
    ("/auth/password/reset/{token}", 404),
    ("/auth/setup/{token}", 404),
];

/// Tells what arrived, and changes nothing: the doctor sends it through the proxy.
pub const PROBE: &str = "/auth/doctor/{nonce}";

/// Every route with a POST that browsers send.
pub fn post_routes() -> Vec<Route> {
    let posts = routes().into_iter().filter(|route| route.method == "POST" && route.path != PROBE);
    let posts = posts.filter(|route| !route.path.contains("/api/v2/"));
    let posts: Vec<Route> = posts.collect();
    assert!(posts.len() > 35 && FOR_APPLICATIONS.iter().all(|path| posts.iter().any(|route| route.path == *path)));
    posts
}

pub struct Owner {
    pub client: Client,
    id: String,
    organization: String,
}

impl Owner {
    /// An owner of a team with all cookies that forms read.
    pub async fn sign_up(app: &TestApp) -> Self {
        let client = app.sign_up("ada@example.com").await;
        let id = client.api_user().await.expect(200).json()["id"].as_str().unwrap().to_owned();
        let team = client.post_form("/auth/organizations", &[("name", "Team")]).await.expect(303);
        let organization = team.location().rsplit('/').next().unwrap().to_owned();
        Self { client, id, organization }
    }

    /// The path of a route, with what is there where a pattern has a gap.
    pub fn path(&self, route: &str) -> String {
        let organization = if route.contains("/organizations/") { &self.organization } else { WRONG_ID };
        let path = route.replace("{id}", organization).replace("{user}", &self.id);
        let path = path.replace("{invitation}", WRONG_ID).replace("{token}", WRONG).replace("{name}", WRONG_ID);
        if route.ends_with("/refresh") { format!("{path}?audience=app") } else { path }
    }

    async fn post(&self, route: &str, token: Option<&str>, origin: Option<&str>) -> Reply {
        let client = self.client.copy();
        let fields = [("password", PASSWORD), ("email", "thief@evil.example"), ("name", "x"), ("username", "x")];
        let mut call = client.form(&self.path(route), &fields).header("accept", "text/html");
        if let Some(token) = token {
            call = call.header("x-csrf-token", token);
        }
        if let Some(origin) = origin {
            call = call.header("origin", origin).header("sec-fetch-site", "same-site");
        }
        call.await
    }
}

const WRONG_ID: &str = "01890000-0000-7000-8000-000000000000";

async fn started(engine: Engine) -> (TestApp, Owner) {
    let app = engine.prepare().await.set("SVC_ALLOWED_ORIGINS", ALLOWED).set("SVC_RATE_LIMIT", "off").start().await;
    let owner = Owner::sign_up(&app).await;
    (app, owner)
}

/// What any change leaves: a row, an event, a record, or a mail.
pub async fn traces(app: &TestApp) -> Vec<i64> {
    let tables = ["users", "sessions", "organizations", "memberships", "invitations", "mails", "outbox"];
    let more = ["totp", "passkeys", "recovery_codes", "account_tokens", "reset_requests", "half_log_ins"];
    let mut counts = Vec::new();
    for table in tables.into_iter().chain(more) {
        counts.push(app.database().count(&format!("SELECT count(*) FROM {table}")).await);
    }
    // That a change was refused for a role is a trace, and no change.
    let refused = "SELECT count(*) FROM audit WHERE kind <> 'admin_refused'";
    counts.push(app.database().count(refused).await);
    counts.push(app.database().count("SELECT count(*) FROM sessions WHERE ended_at IS NOT NULL").await);
    counts
}

/// A line for an answer that is not the refusal of a forged request.
fn wrong_answer(route: &str, what: &str, reply: &Reply) -> Option<String> {
    let usual = if route.ends_with("/refresh") { 400 } else { 403 };
    let earlier = REFUSED_EARLIER.iter().find(|(path, _)| *path == route);
    let expected = earlier.map_or(usual, |(_, status)| *status);
    (reply.status != expected).then(|| format!("{route} {what}: {} instead of {expected}", reply.status))
}

async fn forged_posts_change_nothing_on_any_route(engine: Engine) {
    let (app, owner) = started(engine).await;
    let right = owner.client.token("csrf").unwrap();
    let before = traces(&app).await;
    let mut wrong = Vec::new();
    for route in post_routes() {
        for (what, token, origin) in [
            ("without a token", None, None),
            ("with a wrong token", Some(WRONG), None),
            ("with an empty token", Some(""), None),
            ("from a foreign origin", Some(right.as_str()), Some(FOREIGN)),
            ("from nowhere", Some(right.as_str()), Some("null")),
            ("without a token from an allowed origin", None, Some(ALLOWED)),
        ] {
            wrong.extend(wrong_answer(&route.path, what, &owner.post(&route.path, token, origin).await));
        }
        owner.post(&route.path, None, None).await.snapshot(&format!("forged/{}", route.file_name()));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(traces(&app).await, before);
    owner.client.api_user().await.expect(200);
}

async fn allowed_origin_posts_what_applications_need_only(engine: Engine) {
    let (app, owner) = started(engine).await;
    let right = owner.client.token("csrf").unwrap();
    let before = traces(&app).await;
    let (permitted, others): (Vec<_>, Vec<_>) =
        post_routes().into_iter().partition(|route| FOR_APPLICATIONS.contains(&route.path.as_str()));
    let mut wrong = Vec::new();
    for route in others {
        let reply = owner.post(&route.path, Some(&right), Some(ALLOWED)).await;
        wrong.extend(wrong_answer(&route.path, "from an allowed origin", &reply));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(traces(&app).await, before);
    assert_eq!(permitted.len(), FOR_APPLICATIONS.len());
    // Logging out last, as it ends the session.
    for route in
        FOR_APPLICATIONS.iter().filter(|route| !route.ends_with("/logout")).chain(["/auth/sessions/logout"].iter())
    {
        let reply = owner.post(route, Some(&right), Some(ALLOWED)).await;
        assert!([200, 303].contains(&reply.status), "{route}: {} {}", reply.status, reply.text());
    }
    owner.client.api_user().await.expect(401);
}
