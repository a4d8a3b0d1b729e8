//! What a version shows of a database: by commands, by API v2, and by pages to those who are logged in.

use super::facts::{BASE_URL, Facts};
use super::make::KEY;
use super::names::Names;
use super::sections::written;
use super::{canonical, check, stored};
use crate::harness::{Builder, Client, Engine, Process, TestDatabase, run_program};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

/// Commands about everything; names and ids are put in for the words in capitals.
const COMMANDS: [&str; 18] = [
    "user list",
    "user duplicates",
    "user show USER",
    "user audit USER",
    "user sessions list USER",
    "user audit DELETED",
    "org list",
    "org show ORG",
    "org members list ORG",
    "invitation list --org ORG",
    "api-key list",
    "provider list",
    "webhooks list --limit 1000",
    "webhooks show EVENT",
    "webhooks stats",
    "mail list --limit 1000",
    "mail show MAIL",
    "keys list",
];
/// All commands at once would wait for the database for seconds on a busy machine, and give up.
const AT_ONCE: usize = 4;
/// Those whom the commands are about. Everybody has a place in API v2, and most have pages.
const PEOPLE: [&str; 8] = ["ada", "robert", "hal", "kim", "lou", "oda", "victor", "zed"];
const USER_RECORDS: [&str; 2] = ["users/ID", "users/ID/sessions?limit=100"];
const ORGANIZATION_RECORDS: [&str; 3] =
    ["organizations/ID", "organizations/ID/members?limit=100", "organizations/ID/invitations?limit=100"];
const PAGES: [&str; 10] = [
    "account",
    "account/security",
    "account/sessions",
    "account/activity",
    "account/email",
    "account/two-factor",
    "account/passkeys",
    "account/recovery-codes",
    "account/connections",
    "organizations",
];

/// A service on a copy of an old database.
pub struct Upgraded {
    engine: Engine,
    builder: Builder,
    /// The tables of the file, before this version's steps.
    tables: Vec<String>,
    names: Names,
    pub facts: Facts,
}

/// Everything that is shown, by what was asked for.
pub type Readings = BTreeMap<String, String>;

impl Upgraded {
    /// Loads a copy, and brings its schema up to date.
    pub async fn new(version: &str, engine: Engine) -> Self {
        let facts = Facts::read(version, engine);
        let builder = engine.prepare().await;
        let (database, moved) = stored::load(version, engine, &facts, builder.folder()).await;
        let names = Names::of(&database, engine, facts.made_at(), moved).await;
        let tables = check::tables(&database, engine).await;
        let builder = builder.on_database(database).with_email_verification();
        let builder = builder.set("SVC_BASE_URL", BASE_URL).set("SVC_SECRET_KEY", KEY);
        let upgraded = Self { engine, builder, tables, names, facts };
        upgraded.json("migrate").await;
        upgraded
    }

    pub fn database(&self) -> &TestDatabase {
        self.builder.database()
    }

    /// Everything. The commands come first, as a service changes what is due; and it has neither a mail server nor a
    /// receiver here, so that deliveries stay as they are.
    pub async fn shown(&self) -> String {
        let mut shown = self.stored().await;
        shown.extend(self.shown_by_commands().await);
        let process = self.start().await;
        shown.extend(self.shown_by_api().await);
        shown.extend(self.shown_to_people().await);
        drop(process);
        self.names.put_into(&written(&shown))
    }

    pub fn browser(&self) -> Client {
        Client::new(&format!("http://{}", self.builder.variables()["SVC_LISTEN"]), "svc")
    }

    pub async fn start(&self) -> Process {
        Process::start(self.builder.variables()).await
    }

    /// Runs a command that succeeds, with its JSON.
    async fn json(&self, line: &str) -> Value {
        let arguments: Vec<&str> = ["--json"].into_iter().chain(line.split(' ')).collect();
        let output = run_program(&arguments, self.builder.variables()).await;
        assert!(output.status.success(), "{line}: {output:?}");
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// How many rows each table of the file has, and each kind in the audit log, of which not every one is shown to a user.
    async fn stored(&self) -> Readings {
        let database = self.database();
        let mut rows = String::new();
        let tables = check::tables(database, self.engine).await;
        // A step that changes sessions is noted there, for ten minutes.
        for table in tables.into_iter().filter(|table| self.tables.contains(table) && table != "session_changes") {
            let count = database.count(&format!("SELECT count(*) FROM {table}")).await;
            rows.extend([count.to_string(), format!(" {table}\n")]);
        }
        let kinds = "SELECT count(*) || ' ' || kind FROM audit GROUP BY kind ORDER BY kind";
        let kinds = database.texts(kinds).await.join("\n") + "\n";
        [("rows of each table".to_owned(), rows), ("audit entries of each kind".to_owned(), kinds)].into()
    }

    async fn shown_by_commands(&self) -> Readings {
        let mut running = JoinSet::new();
        let turns = Arc::new(Semaphore::new(AT_ONCE));
        for line in self.commands().await {
            let (variables, turns) = (self.builder.variables().clone(), turns.clone());
            running.spawn(async move {
                let _turn = turns.acquire().await.unwrap();
                let arguments: Vec<&str> = ["--json"].into_iter().chain(line.split(' ')).collect();
                let output = run_program(&arguments, &variables).await;
                assert!(output.status.success(), "{line}: {output:?}");
                let shown = canonical::json(serde_json::from_slice(&output.stdout).unwrap());
                (format!("doorward {line}"), shown)
            });
        }
        running.join_all().await.into_iter().collect()
    }

    /// The commands, with every id that they are about.
    async fn commands(&self) -> Vec<String> {
        let organizations = self.json("org list").await;
        let (events, mails) =
            (self.json("webhooks list --limit 1000").await, self.json("mail list --limit 1000").await);
        let teams = ids(&organizations, |org| org["kind"] == "team");
        let of_each_state = |list| ids(list, first_of_each("state"));
        let names = [
            ("USER", PEOPLE.map(str::to_owned).to_vec()),
            ("DELETED", vec![self.facts.deleted_user.clone()]),
            ("ORG", teams),
            ("EVENT", of_each_state(&events)),
            ("MAIL", of_each_state(&mails)),
        ];
        let all = COMMANDS.iter().flat_map(|line| {
            let found = names.iter().find(|(name, _)| line.contains(name));
            let with = |(name, ids): &(&str, Vec<String>)| ids.iter().map(|id| line.replace(name, id)).collect();
            found.map_or_else(|| vec![(*line).to_owned()], with)
        });
        all.collect()
    }

    async fn shown_by_api(&self) -> Readings {
        let mut shown = Readings::new();
        for (list, records) in [("users", &USER_RECORDS[..]), ("organizations", &ORGANIZATION_RECORDS)] {
            let all = self.read(&format!("{list}?limit=100"), &mut shown).await;
            for id in ids(&all, |_| true) {
                for record in records {
                    self.read(&record.replace("ID", &id), &mut shown).await;
                }
            }
        }
        shown
    }

    async fn read(&self, path: &str, shown: &mut Readings) -> Value {
        let path = format!("/auth/api/v2/{path}");
        let key = format!("Bearer {}", self.facts.api_key);
        let value = self.browser().get(&path).header("authorization", &key).await.expect(200).json();
        shown.insert(format!("GET {path}"), canonical::json(value.clone()));
        value
    }

    /// By the sessions of the old version. Pages come first, with one session of each user: they show the last use of
    /// all of them.
    async fn shown_to_people(&self) -> Readings {
        let mut shown = Readings::new();
        let mut users = BTreeSet::new();
        let browsers: Vec<_> = self.facts.browsers.iter().map(|kept| (kept, kept.open(&self.browser()))).collect();
        for (kept, browser) in browsers.iter().filter(|(kept, _)| users.insert(kept.user.as_str())) {
            browser.refresh("app").await.expect(200);
            for page in self.pages(browser).await {
                let reply = browser.get(&page).await;
                let text = match reply.header("location") {
                    Some(location) => format!("leads to {location}"),
                    None => canonical::page(&reply.expect(200).text()),
                };
                shown.insert(format!("GET {page} {}", kept.user), text);
            }
        }
        for (number, (kept, browser)) in browsers.iter().enumerate() {
            browser.refresh("app").await.expect(200);
            for path in ["/auth/api/v1/user", "/auth/api/v2/session", "/auth/api/v2/session/organizations"] {
                let value = browser.get(path).await.expect(200).json();
                let name = format!("GET {path} {number}: {} by {}", kept.user, kept.methods);
                shown.insert(name, canonical::json(value));
            }
        }
        shown
    }

    /// The pages of an account, of its organizations and of other members.
    async fn pages(&self, browser: &Client) -> Vec<String> {
        let mut pages: BTreeSet<String> = PAGES.iter().map(|page| format!("/auth/{page}")).collect();
        let organizations = browser.get("/auth/organizations").await.expect(200).text();
        for page in links(&organizations, "/auth/organizations/0") {
            pages.extend(links(&browser.get(&page).await.expect(200).text(), "/auth/organizations/0"));
            pages.insert(page);
        }
        pages
            .extend(links(&browser.get("/auth/account/passkeys").await.expect(200).text(), "/auth/account/passkeys/0"));
        pages.into_iter().collect()
    }
}

fn ids(list: &Value, mut is_wanted: impl FnMut(&Value) -> bool) -> Vec<String> {
    let records = list["data"].as_array().unwrap().iter().filter(|record| is_wanted(record));
    records.map(|record| record["id"].as_str().unwrap().to_owned()).collect()
}

/// Whether a record is the first with its value of this name.
fn first_of_each(name: &str) -> impl FnMut(&Value) -> bool {
    let mut seen = BTreeSet::new();
    move |record| seen.insert(record[name].to_string())
}

/// The paths of links that begin so.
fn links(html: &str, start: &str) -> Vec<String> {
    let links = html.split("href=\"").filter(|part| part.starts_with(start));
    links.map(|part| part.split(['"', '?', '#']).next().unwrap().to_owned()).collect()
}
