//! Each change by each of its faces: who may, who is refused and how, what is said where an id names nothing, and what
//! the second time. `changes/changes.txt` has the requests, `snapshots/changes` what becomes of them.

mod outcome;
mod request;
mod scene;
mod stage;
mod table;

use crate::api_organizations::KeyHolder;
use crate::application_scripts::JOURNEYS;
use crate::harness::{Engine, someone_with};
use crate::migrate::commands;
use crate::origins::PROBE;
use crate::snapshots::routes;
use doorward::cli::args::described;
use doorward::model::api_key::Scope;
use doorward::settings::ServiceName;
use request::without_names;
use stage::{Stage, Who};
use std::collections::BTreeSet;
use table::{About, Column, Table};

one_engine![
    changes_of_ones_own_account,
    changes_of_members,
    changes_of_administrators,
    changes_of_backends,
    changes_of_operators,
];
single_run![every_change_has_a_row];

/// What the paths of routes without a row begin with, and why.
const OTHER_ROUTES: [(&str, &str); 3] = [
    ("/auth/account/confirm", "is the step-up of the others, which `confirm` tells"),
    ("/auth/api/v1/", "is told by `refresh`"),
    ("/auth/sessions/refresh", "renews cookies, which `refresh` tells"),
];

/// Commands without a row, and why.
const ELSEWHERE: [(&str, &str); 1] = [("user recover", "takes a backup")];

fn column(name: &'static str, who: Who) -> Column {
    Column { name, who, about: About::Everything }
}

async fn changes_of_ones_own_account(engine: Engine) {
    let stage = Stage::new(engine).await;
    let another = column("another", Who::Browser(stage.owner.copy()));
    let columns = [
        column("nobody", Who::Browser(stage.app.anonymous())),
        Column { about: About::OthersThings, ..another },
        column("oneself", Who::Person),
    ];
    let late = stage.scenes("own").await;
    let mut table = Table::of(&stage, "own", &columns).await;
    table.add_unproved(&stage, &late, &Who::Person).await;
    table.snapshot("of_ones_own_account");
}

async fn changes_of_members(engine: Engine) {
    let mut stage = Stage::new(engine).await;
    let columns = [
        column("nobody", Who::Browser(stage.app.anonymous())),
        column("stranger", Who::Browser(stage.app.sign_up_verified("stranger@example.com").await)),
        column("administrator", Who::Browser(someone_with(&stage.app, "admin").await)),
        column("member", stage.member("member").await),
        column("admin", stage.member("admin").await),
        column("owner", Who::Browser(stage.owner.copy())),
    ];
    Table::of(&stage, "org", &columns).await.snapshot("of_members");
}

async fn changes_of_administrators(engine: Engine) {
    let stage = Stage::new(engine).await;
    let mut columns =
        vec![column("nobody", Who::Browser(stage.app.anonymous())), column("owner", Who::Browser(stage.owner.copy()))];
    for role in ["monitor", "auditor", "admin"] {
        columns.push(column(role, Who::Browser(someone_with(&stage.app, role).await)));
    }
    let late = stage.scenes("admin").await;
    let mut table = Table::of(&stage, "admin", &columns).await;
    table.add_unproved(&stage, &late, &columns.last().unwrap().who).await;
    table.snapshot("of_administrators");
}

async fn changes_of_backends(engine: Engine) {
    let stage = Stage::new(engine).await;
    let scopes = Scope::ALL.map(Scope::as_str);
    let ordinary: Vec<&str> = scopes.into_iter().filter(|scope| *scope != "platform:write").collect();
    let with = async |name: &str, scopes: &[&str]| {
        Who::Key(Some(KeyHolder::with(&stage.app, &name.replace(':', "-"), scopes).await))
    };
    let mut columns = vec![column("no key", Who::Key(None))];
    for scope in scopes {
        columns.push(column(scope, with(scope, &[scope]).await));
    }
    columns.push(column("all but platform:write", with("ordinary", &ordinary).await));
    for (name, who) in [
        ("… of administrators", with("another", &ordinary).await),
        ("all, of administrators", with("privileged", &scopes).await),
    ] {
        columns.push(Column { about: About::Administrators, ..column(name, who) });
    }
    Table::of(&stage, "api", &columns).await.snapshot("of_backends");
}

async fn changes_of_operators(engine: Engine) {
    let stage = Stage::new(engine).await;
    Table::of(&stage, "command", &[column("operator", Who::Operator)]).await.snapshot("of_operators");
}

/// The forms of logged-in people, the acts of administrators, the operations of API v2, and the commands.
async fn every_change_has_a_row() {
    let forms = ["own", "org", "admin"].into_iter().flat_map(request::of);
    let with_rows: BTreeSet<String> = forms.chain(request::of("api")).map(|request| request.route()).collect();
    assert_eq!(with_rows, changing_routes());
    let lines: Vec<String> = request::of("command").iter().map(|request| format!("{} ", request.line)).collect();
    let has = |name: &String| lines.iter().any(|line| line.starts_with(&format!("{name} ")));
    let missing: Vec<String> = changing_commands().into_iter().filter(|name| !has(name)).collect();
    assert_eq!(missing, ELSEWHERE.map(|(name, _)| name));
}

/// Method and path of each form of a logged-in person, and of each operation of API v2 that changes something.
fn changing_routes() -> BTreeSet<String> {
    let is_elsewhere = |path: &str| {
        let begins = |(start, _): &(&str, &str)| path.starts_with(start);
        path == PROBE || OTHER_ROUTES.iter().any(begins) || JOURNEYS.iter().any(|(journey, _)| *journey == path)
    };
    let changing = routes().into_iter().filter(|route| !["GET", "OPTIONS"].contains(&route.method.as_str()));
    let changing = changing.filter(|route| !is_elsewhere(&route.path));
    changing.map(|route| format!("{} {}", route.method, without_names(&route.path))).collect()
}

fn changing_commands() -> BTreeSet<String> {
    const NOUNS: [&str; 7] = ["api-key", "invitation", "mail", "org", "provider", "user", "webhooks"];
    const READING: [&str; 10] =
        ["audit", "check", "duplicates", "link", "list", "listen", "ping", "show", "stats", "test"];
    let mut all = BTreeSet::new();
    commands(&described(&ServiceName::parse("svc").unwrap()), "", &mut all);
    all.retain(|name| {
        let words: Vec<&str> = name.split(' ').collect();
        NOUNS.contains(&words[0]) && !words.iter().any(|word| READING.contains(word))
    });
    all
}
