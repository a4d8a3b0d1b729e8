//! What snapshots have in common, and which of them must be there. The files stand in `tests/it/snapshots`;
//! CONTRIBUTING says how they are taken.

use crate::harness::{Engine, contents, folder_of_snapshots, part, product};
use regex::Regex;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

single_run![parts_of_pages_are_unchanged, every_route_has_snapshots];

/// The text from the first occurrence of `begin` up to that of `end`.
pub fn between<'a>(text: &'a str, begin: &str, end: &str) -> &'a str {
    let start = text.find(begin).unwrap_or_else(|| panic!("no {begin} in {text}"));
    let length = text[start..].find(end).unwrap_or_else(|| panic!("no {end} after {begin} in {text}"));
    text[start..start + length].trim_end()
}

async fn parts_of_pages_are_unchanged() {
    let app = Engine::Sqlite.app().await;
    let page = app.anonymous().get("/auth/login").await.expect(200).to_string();
    part("security headers", between(&page, "x-content-type-options:", "x-request-id:"));
    let json = app.anonymous().get("/auth/api/v1/user").await.expect(401).to_string();
    part("headers for programs", between(&json, "x-content-type-options:", "x-request-id:"));
    part("head", between(&page, "<head>", "<title>"));
    part("assets", between(&page, "<link rel=\"icon\"", "</head>"));
    part("mark", between(&page, "<svg class=\"mark\"", "<span>Doorward"));
    part("eye", between(&page, "<svg viewBox", "</button>"));
    // That of a page after a form.
    let page = app.anonymous().log_in("ada", "wrong").await.expect(401).to_string();
    part("foot", between(&page, "<footer class=\"foot\" id=\"foot\">", "</body>"));
    let ada = app.sign_up("ada@example.com").await;
    for (name, path) in [
        ("profile", "/auth/account"),
        ("security", "/auth/account/security"),
        ("sessions", "/auth/account/sessions"),
        ("activity", "/auth/account/activity"),
        ("organizations", "/auth/organizations"),
    ] {
        let page = ada.get(path).await.expect(200).to_string();
        part("bar", between(&page, "<header class=\"bar\">", "<div class=\"columns divided\">"));
        part(&format!("sections with {name}"), between(&page, "<nav class=\"sections\"", "<div class=\"content\">"));
    }
}

/// A method, and a path with gaps such as `{id}`.
#[derive(Clone)]
pub struct Route {
    pub method: String,
    pub path: String,
}

impl Route {
    fn name(&self) -> String {
        format!("{} {}", self.method, self.path)
    }

    /// The path as the name of a file.
    pub fn file_name(&self) -> String {
        let path = self.path.replace("/auth/", "").replace(['{', '}'], "");
        path.replace(|c: char| !c.is_ascii_alphanumeric(), "_")
    }

    /// What the first line of the snapshots of its answers looks like.
    fn request(&self) -> Regex {
        let gaps = Regex::new(r"\{\w+\}").unwrap();
        let path = gaps.split(&self.path).map(regex::escape).collect::<Vec<_>>().join("[^/?]+");
        Regex::new(&format!(r"^{} {path}(\?.*)?$", self.method)).unwrap()
    }
}

/// What the paths of the acts on a person begin with.
pub const PERSON: &str = "/auth/admin/people/{id}/";

/// Those of `router.rs`, the acts on a person, and the operations of API v2 by their description.
pub fn routes() -> Vec<Route> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let source = std::fs::read_to_string(product::file("http/router.rs")).unwrap();
    assert!(!["put(", "patch(", "delete("].iter().any(|call| source.contains(call)), "a method that is not read here");
    let mut routes = Vec::new();
    // Each up to the end of its own statement.
    let end_of =
        |text: &str| [";", "\n}", ".merge("].iter().filter_map(|end| text.find(end)).min().unwrap_or(text.len());
    for text in source.split(".route(").skip(1).map(|text| &text[..end_of(text)]) {
        let path = text.split('"').nth(1).expect("a path");
        let methods = [
            ("GET", "get("),
            ("GET", "any("),
            ("POST", "post("),
            ("GET", "form::<"),
            ("POST", "form::<"),
            ("POST", "refresh()"),
            ("OPTIONS", "options("),
            ("OPTIONS", "refresh()"),
        ];
        let has = |call: &str| text.match_indices(call).any(|(at, _)| text[..at].ends_with([' ', '.', '(']));
        let methods = methods.iter().filter(|(_, call)| has(call));
        routes.extend(methods.map(|(method, _)| Route { method: (*method).to_owned(), path: path.to_owned() }));
    }
    let acts = std::fs::read_to_string(product::file("http/pages/admin/person_acts.rs")).unwrap();
    for act in acts.split("PersonAct::of::<").skip(1) {
        let path = format!("{PERSON}{}", act.split('"').nth(1).expect("a path"));
        routes.extend(["GET", "POST"].map(|method| Route { method: method.to_owned(), path: path.clone() }));
    }
    let description = std::fs::read_to_string(root.join("docs/reference/openapi.json")).unwrap();
    let description: serde_json::Value = serde_json::from_str(&description).unwrap();
    for (path, operations) in description["paths"].as_object().unwrap() {
        let methods = operations.as_object().unwrap().keys().filter(|key| *key != "parameters");
        routes.extend(methods.map(|method| Route { method: method.to_uppercase(), path: path.clone() }));
    }
    routes
}

/// All files in a folder and those in it.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

/// The request line of each snapshot of an answer, and whether it is refused: by its status, or by a redirect to the
/// login.
fn answers() -> Vec<(String, bool)> {
    let files =
        files(&folder_of_snapshots()).into_iter().filter(|file| file.extension().is_some_and(|end| end == "snap"));
    let answer = Regex::new(r"(?m)^([A-Z]+ /.*)\n\n(?:\S.*\n +)?(\d{3})\b").unwrap();
    let answers = |file: PathBuf| {
        let text = contents(&file);
        let found: Vec<_> = answer.captures_iter(&text).collect();
        let ends = found.iter().skip(1).map(|next| next.get_match().start()).chain([text.len()]);
        let answers = found.iter().zip(ends).map(|(found, end)| {
            let leads_to_login = text[found.get_match().start()..end].contains("\nlocation: /auth/login?return_to=");
            let status: u16 = found[2].parse().unwrap();
            (found[1].to_owned(), status >= 400 || leads_to_login)
        });
        answers.collect::<Vec<_>>()
    };
    files.flat_map(answers).collect()
}

/// Each route has an answer that is what it is there for, and one that refuses.
async fn every_route_has_snapshots() {
    let answers = answers();
    let mut missing = BTreeSet::new();
    for route in routes() {
        let (request, name) = (route.request(), route.name());
        let answers: Vec<bool> =
            answers.iter().filter(|(line, _)| request.is_match(line)).map(|(_, refused)| *refused).collect();
        let is_never_done = DIFFERENT_EACH_TIME.contains(&name.as_str()) || ALWAYS_REFUSED.contains(&name.as_str());
        if !answers.contains(&false) && !is_never_done {
            missing.insert(format!("{name}: done"));
        }
        if !answers.contains(&true) && !NEVER_REFUSED.contains(&name.as_str()) {
            missing.insert(format!("{name}: refused"));
        }
    }
    assert!(missing.is_empty(), "no snapshot of\n{}", missing.into_iter().collect::<Vec<_>>().join("\n"));
}

/// Routes whose answers have ports and folders: their stories compare them with what commands print.
const DIFFERENT_EACH_TIME: [&str; 1] = ["GET /auth/admin/settings"];

/// Routes that are there to refuse.
const ALWAYS_REFUSED: [&str; 2] = ["GET /auth/gate/forbidden", "GET /auth/gate/unauthorized"];

/// Routes that answer everyone, whatever they send: what leads on to other pages, forms that anyone may open, and what
/// tells about the service itself.
const NEVER_REFUSED: [&str; 16] = [
    "GET /",
    "GET /.well-known/change-password",
    "GET /auth",
    "GET /auth/",
    "GET /auth/.well-known/jwks.json",
    "GET /auth/health",
    "GET /auth/language",
    "GET /auth/login",
    "GET /auth/logout",
    "GET /auth/password/forgot",
    "GET /auth/version",
    "GET /robots.txt",
    // An origin that is not allowed gets an answer without the headers that browsers look for.
    "OPTIONS /auth/api/v1/sessions/refresh",
    "OPTIONS /auth/api/v1/user",
    "OPTIONS /auth/sessions/logout",
    "OPTIONS /auth/sessions/refresh",
];
