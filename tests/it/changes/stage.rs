//! A service with those who ask.

use super::outcome::Outcome;
use super::request::parts;
use super::scene::Scene;
use crate::api_organizations::KeyHolder;
use crate::harness::{Client, Engine, Reply, TestApp, WEBHOOK_SECRET, run_program, run_program_with_input};
use crate::organizations::user_id;
use doorward::model::api_key::Scope;
use reqwest::Method;
use serde_json::json;
use std::cell::Cell;

pub const SECRET_FILE: &str = "--client-secret-file tests/it/commands/providers/client.secret";
pub const USERS: &str = "/auth/api/v2/users";

/// Who sends a request.
pub enum Who {
    Browser(Client),
    /// The person whom the scene was made for.
    Person,
    Key(Option<KeyHolder>),
    Operator,
}

pub struct Stage {
    pub app: TestApp,
    /// Owner of each organization.
    pub owner: Client,
    pub owner_id: String,
    /// A backend that may do everything.
    pub backend: KeyHolder,
    /// Further members of each organization: role and id.
    pub members: Vec<(&'static str, String)>,
    /// How many scenes were made.
    pub made: Cell<u128>,
}

impl Stage {
    pub async fn new(engine: Engine) -> Self {
        let builder = engine.prepare().await.with_email_verification().without_background();
        let port = builder.variables()["SVC_LISTEN"].rsplit(':').next().unwrap().to_owned();
        // Passkeys need the name of a host.
        let builder = builder.set("SVC_BASE_URL", format!("http://localhost:{port}")).set("SVC_RATE_LIMIT", "off");
        let builder = builder.set("SVC_WEBHOOK_URL", "http://127.0.0.1:9/").set("SVC_WEBHOOK_SECRET", WEBHOOK_SECRET);
        // A process learns within a second of those that are added later.
        let provider = format!("provider add github --client-id doorward {SECRET_FILE}");
        run_program(&provider.split(' ').collect::<Vec<_>>(), builder.variables()).await;
        let app = builder.start().await;
        let owner = app.sign_up_verified("owner@example.com").await;
        let owner_id = user_id(&owner).await;
        let backend = KeyHolder::with(&app, "backend", &Scope::ALL.map(Scope::as_str)).await;
        Self { app, owner, owner_id, backend, members: Vec::new(), made: Cell::new(0) }
    }

    /// Someone who is a member of each organization that is made from now on.
    pub async fn member(&mut self, role: &'static str) -> Who {
        let client = self.app.sign_up_verified(&format!("{role}@example.org")).await;
        self.members.push((role, user_id(&client).await));
        Who::Browser(client)
    }

    /// Gives the person of the scene a platform role.
    pub async fn protect(&self, scene: &Scene) {
        let path = format!("{USERS}/{}", scene.value("{person}"));
        self.backend.send(Method::PATCH, &path, &json!({"roles": ["svc:monitor"]})).await.expect(200);
    }

    pub async fn ask(&self, who: &Who, scene: &Scene, line: &str) -> Outcome {
        let reply = match who {
            Who::Browser(client) => send(client, line).await,
            Who::Person => send(scene.person.as_ref().expect("a person"), line).await,
            Who::Key(key) => {
                let (method, path, body) = parts(line);
                let call = match key {
                    Some(key) => key.call(method, path),
                    None => self.app.anonymous().call(method, path),
                };
                call.header("content-type", "application/json").body(body.to_owned()).await
            }
            Who::Operator => {
                let (line, input) = line.split_once(" < ").unwrap_or((line, ""));
                let arguments: Vec<&str> = line.split(' ').collect();
                let output = run_program_with_input(&arguments, self.app.variables(), input).await;
                return Outcome::of_command(&output);
            }
        };
        Outcome::of_reply(&reply)
    }
}

/// Sends a form, or an operation of a session.
async fn send(client: &Client, line: &str) -> Reply {
    let (method, path, body) = parts(line);
    if method == Method::POST {
        let reason = if path.starts_with("/auth/admin/") { "reason=asked+by+phone&" } else { "" };
        let fields: Vec<_> = form_urlencoded::parse(format!("{reason}{body}").as_bytes()).into_owned().collect();
        let fields: Vec<_> = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        return client.post_form(path, &fields).await;
    }
    let token = client.token("csrf").unwrap_or_default();
    let call = client.call(method, path).header("x-csrf-token", &token);
    call.header("content-type", "application/json").body(body.to_owned()).await
}
