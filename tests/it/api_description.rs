//! The description of API v2 against the service: it is valid, generated requests find no contradiction, and a
//! generated client works. `scripts/api-tools` brings the programs.

use crate::harness::{Engine, TempDir, TestApp, api_tools, run_program};
use crate::organizations::{create_team, user_id};
use std::path::Path;
use std::process::Command;

if_installed![
    ApiTools: description_is_valid,
    ApiTools: generated_requests_find_nothing_on_sqlite,
    ApiTools: generated_requests_find_nothing_on_postgres,
    ApiTools: generated_client_lists_users_and_invites_one,
];

const DESCRIPTION: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/reference/openapi.json");
const SCOPES: [&str; 6] =
    ["users:read", "users:write", "users:security", "organizations:read", "organizations:write", "platform:write"];

/// What a cursor is, and which address is free, no schema says: what fits it may be refused.
const COMMON: [&str; 10] = [
    "run",
    "--seed=7",
    "--max-examples=5",
    "--phases=examples,coverage,fuzzing",
    "--checks=all",
    "--exclude-checks=positive_data_acceptance",
    "--exclude-operation-id-regex=^delete_(session|user|organization)$",
    "--request-timeout=60",
    "--generation-database=none",
    "--suppress-health-check=all",
];

/// A client that a generator made from the description.
const CLIENT: &str = r#"
import sys
from client import AuthenticatedClient
from client.api.organizations import create_invitation, create_organization, list_invitations
from client.api.users import create_user, list_users
from client.models import ErrorBody, MemberRole, NewInvitation, NewOrganization, NewUser

backend = AuthenticatedClient(base_url=sys.argv[1], token=sys.argv[2], raise_on_unexpected_status=True)
ada = create_user.sync(client=backend, body=NewUser(email="ada@example.com"), idempotency_key="1")
assert create_user.sync(client=backend, body=NewUser(email="ada@example.com"), idempotency_key="1").id == ada.id
taken = create_user.sync(client=backend, body=NewUser(email="ada@example.com"))
assert isinstance(taken, ErrorBody) and taken.error.code == "email_taken", taken
page = list_users.sync(client=backend, query="ada")
assert [user.email for user in page.data] == ["ada@example.com"] and page.next_ is None, page
crew = create_organization.sync(client=backend, body=NewOrganization(name="Crew", owner_id=ada.id))
guest = NewInvitation(email="grace@example.com", role=MemberRole.MEMBER, send_mail=False)
made = create_invitation.sync(crew.id, client=backend, body=guest)
assert made.link.startswith("http"), made
invitations = list_invitations.sync(crew.id, client=backend)
assert [invitation.email for invitation in invitations.data] == ["grace@example.com"], invitations
"#;

/// Runs a program of the tools, which succeeds, in a folder.
async fn run(name: &str, arguments: &[&str], folder: &Path) {
    let tools = api_tools().unwrap();
    let path = format!("{tools}:{}", std::env::var("PATH").unwrap());
    let mut command = Command::new(Path::new(&tools).join(name));
    command.args(arguments).current_dir(folder).env("PATH", path).env("NO_COLOR", "1");
    let output = tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{name}: {text}\n{}", String::from_utf8_lossy(&output.stderr));
}

async fn key(app: &TestApp) -> String {
    let arguments = [&["--json", "api-key", "create", "generated", "--scope"], &SCOPES[..]].concat();
    let output = run_program(&arguments, app.variables()).await;
    let created: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    created["key"].as_str().unwrap().to_owned()
}

async fn description_is_valid() {
    let folder = TempDir::new("description");
    run("openapi-spec-validator", &[DESCRIPTION], folder.path()).await;
}

async fn generated_requests_find_nothing_on_sqlite() {
    generated_requests_find_nothing(Engine::Sqlite).await;
}

async fn generated_requests_find_nothing_on_postgres() {
    generated_requests_find_nothing(Engine::Postgres).await;
}

/// Valid and invalid requests, each operation's alone and one after the other: no 5xx, and no answer that the
/// description does not have. The seed is fixed, so that a failure can be repeated.
async fn generated_requests_find_nothing(engine: Engine) {
    let app = engine.prepare().await.set("SVC_RATE_LIMIT", "off").start().await;
    let ada = app.sign_up("ada@example.com").await;
    let folder = TempDir::new("schemathesis");
    // Another user than the one whose session is tried: what is tried on this one ends its sessions.
    let bob = app.sign_up("bob@example.com").await;
    let team = create_team(&bob, "Crew").await;
    let (user, team) = (user_id(&bob).await, team.rsplit('/').next().unwrap().to_owned());
    let of = |path: &str, id: &str| {
        format!(
            "[[operations]]\ninclude-path-regex = \"^/auth/api/v2/{path}/\"\nparameters = {{ \"path.id\" = \"{id}\" }}\n"
        )
    };
    let settings = of("users", &user) + &of("organizations", &team);
    std::fs::write(folder.path().join("schemathesis.toml"), settings).unwrap();
    let cookies = ["access", "refresh", "csrf"].map(|name| format!("svc_{name}={}", ada.token(name).unwrap()));
    let url = format!("{}/auth/api/v2/openapi.json", app.url());
    let key = format!("Authorization: Bearer {}", key(&app).await);
    run("schemathesis", &[&COMMON[..], &[&url, "--exclude-tag=session", "--header", &key]].concat(), folder.path())
        .await;
    let (cookies, token) = (cookies.join("; "), format!("X-CSRF-Token: {}", ada.token("csrf").unwrap()));
    let headers = ["--header", &format!("Cookie: {cookies}"), "--header", &token];
    // Every request has the cookies, also where one is generated without.
    let own = [&url, "--include-tag=session", "--exclude-checks=positive_data_acceptance,negative_data_rejection"];
    run("schemathesis", &[&COMMON[..], &own, &headers].concat(), folder.path()).await;
}

async fn generated_client_lists_users_and_invites_one() {
    let app = Engine::Sqlite.app().await;
    let folder = TempDir::new("generated-client");
    let generate = ["generate", "--path", DESCRIPTION, "--output-path", "client", "--meta", "none"];
    run("openapi-python-client", &generate, folder.path()).await;
    std::fs::write(folder.path().join("use.py"), CLIENT).unwrap();
    run("python", &["use.py", &app.url(), &key(&app).await], folder.path()).await;
}
