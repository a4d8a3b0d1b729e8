//! The things that requests name, created again after each change that succeeds.

use super::request::{self, Request, parts};
use super::stage::{SECRET_FILE, Stage, USERS};
use crate::api_organizations::ORGANIZATIONS;
use crate::harness::{Authenticator, Client, PASSWORD, begin, code_of, run_program};
use crate::organizations::user_id;
use doorward::model::ids::{IdentityId, PasskeyId, UserId};
use doorward::model::provider::ProviderName;
use doorward::model::time::Time;
use doorward::store::{NewIdentity, PasskeyRow};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use uuid::Uuid;

const NOTHING: &str = "0198c0de-0000-7000-8000-000000000000";

/// What the gaps of a request stand for.
pub struct Scene {
    pub person: Option<Client>,
    values: BTreeMap<&'static str, String>,
}

impl Scene {
    pub fn value(&self, gap: &str) -> &str {
        &self.values[gap]
    }

    pub fn fill(&self, line: &str) -> String {
        self.values.iter().fold(line.to_owned(), |line, (gap, value)| line.replace(gap, value))
    }

    /// The line with the id of nothing in this gap, and with what is no id where it is a part of the path.
    pub fn without(&self, gap: &str, line: &str) -> Vec<String> {
        let nothing = match gap {
            "{webhook}" => format!("evt_{NOTHING}"),
            "{provider}" => "nothing".to_owned(),
            _ => NOTHING.to_owned(),
        };
        let (_, path, _) = parts(line);
        let wrong = Some("%00").filter(|_| path.starts_with('/') && path.contains(gap));
        [nothing.as_str()].into_iter().chain(wrong).map(|id| self.fill(&line.replace(gap, id))).collect()
    }
}

impl Stage {
    /// One for each request of a face.
    pub async fn scenes(&self, face: &str) -> Vec<Scene> {
        let mut made = Vec::new();
        for request in request::of(face) {
            made.push(self.scene(&request).await);
        }
        made
    }

    /// Makes what the gaps of the request stand for.
    pub async fn scene(&self, request: &Request) -> Scene {
        self.made.set(self.made.get() + 1);
        let number = self.made.get();
        let mut scene = Scene { person: None, values: BTreeMap::new() };
        scene.values.insert("{new}", format!("new{number}"));
        scene.values.insert("{password}", PASSWORD.to_owned());
        scene.values.insert("{owner}", self.owner_id.clone());
        let of_person = ["{person}", "{member}", "{session}", "{identity}", "{passkey}"];
        if request.face == "own" || of_person.iter().any(|gap| request.asks_for(gap)) {
            self.add_person(request, number, &mut scene).await;
        }
        for gap in ["{org}", "{other}"].into_iter().filter(|gap| request.asks_for(gap)) {
            let id = self.add_organization(request, &scene).await;
            scene.values.insert(gap, id);
        }
        if request.asks_for("{invitation}") {
            let id = self.add_invitation(request, number, &mut scene).await;
            scene.values.insert("{invitation}", id);
        }
        // Only those that failed are sent again.
        let failed = "UPDATE outbox SET state = 'failed', finished_at = due_at WHERE channel = 'mail'";
        if request.asks_for("{mail}") {
            self.app.sign_up(&format!("person{number}@example.com")).await;
            self.app.database().execute(failed).await;
        }
        for (gap, line) in [
            ("{key}", format!("api-key create k{number} --scope users:read")),
            ("{mail}", "mail list".to_owned()),
            ("{webhook}", "webhooks list".to_owned()),
            ("{provider}", format!("provider add p{number} --kind github --client-id {number} {SECRET_FILE}")),
        ] {
            if gap == "{provider}" && request.face == "own" {
                scene.values.insert(gap, "github".to_owned());
            } else if request.asks_for(gap) {
                let id = self.printed_id(&line).await.unwrap_or_else(|| format!("p{number}"));
                scene.values.insert(gap, id);
            }
        }
        scene
    }

    async fn add_person(&self, request: &Request, number: u128, scene: &mut Scene) {
        let email = format!("person{number}@example.com");
        let id = if request.face == "own" {
            let person = self.app.sign_up(&email).await;
            let id = user_id(&person).await;
            self.prepare(request, number, &person, scene).await;
            scene.person = Some(person);
            id
        } else {
            let new = json!({"email": email, "password": PASSWORD});
            self.backend.post(USERS, &new).await.expect(201).json()["id"].as_str().unwrap().to_owned()
        };
        let user = UserId(id.parse().unwrap());
        if request.asks_for("{session}") {
            let phone = self.app.anonymous();
            phone.log_in(&email, PASSWORD).await.expect(303);
            let session = phone.get("/auth/api/v2/session").await.expect(200).json();
            scene.values.insert("{session}", session["session"]["id"].as_str().unwrap().to_owned());
        }
        if request.asks_for("{identity}") {
            scene.values.insert("{identity}", self.add_identity(user, number).await);
        }
        if request.asks_for("{passkey}") {
            scene.values.insert("{passkey}", self.add_passkey(user, number).await);
        }
        scene.values.insert("{person}", id.clone());
        scene.values.insert("{member}", id);
    }

    /// Does what the person has done before.
    async fn prepare(&self, request: &Request, number: u128, person: &Client, scene: &mut Scene) {
        if request.asks_for("{code}") {
            person.post_form("/auth/account/two-factor", &[]).await.expect(303);
            let page = person.get("/auth/account/two-factor").await.expect(200);
            scene.values.insert("{code}", Authenticator::from_page(&page.text()).code(&self.app));
        }
        if request.asks_for("{mailed code}") || request.prepared == "mail" {
            let new = format!("person{number}@example.org");
            person.post_form("/auth/account/email", &[("email", &new)]).await.expect(303);
            scene.values.insert("{mailed code}", code_of(&self.app.mail_to(&new, "").await));
        }
        if request.prepared == "app" {
            person.turn_on_two_factor(&self.app).await;
        }
    }

    async fn add_identity(&self, user_id: UserId, number: u128) -> String {
        let (id, provider) = (IdentityId(Uuid::from_u128(number)), &ProviderName::parse("github").unwrap());
        let subject = &number.to_string();
        let new = NewIdentity { id, user_id, issuer: "https://github.com", subject, provider, email: None };
        let mut tx = begin(&self.app.app.store).await;
        assert!(tx.identity_create(&new).await.unwrap());
        tx.commit().await.unwrap();
        id.to_string()
    }

    async fn add_passkey(&self, user_id: UserId, number: u128) -> String {
        let row = PasskeyRow {
            id: PasskeyId(Uuid::from_u128(number)),
            user_id,
            credential_id: number.to_be_bytes().to_vec(),
            name: "Phone".to_owned(),
            credential: vec![7],
            counter: 0,
            backed_up: false,
            created_at: Time::from_micros(0),
            last_used_at: None,
        };
        let mut tx = begin(&self.app.app.store).await;
        assert!(tx.passkey_create(&row).await.unwrap());
        tx.commit().await.unwrap();
        row.id.to_string()
    }

    async fn add_organization(&self, request: &Request, scene: &Scene) -> String {
        let new = json!({"name": "Crew", "owner_id": self.owner_id});
        let path = self.backend.post(ORGANIZATIONS, &new).await.expect(201).location().to_owned();
        let member = scene.values.get("{member}").filter(|_| request.asks_for("{member}"));
        for (role, id) in self.members.iter().map(|(role, id)| (*role, id)).chain(member.map(|id| ("member", id))) {
            let new = json!({"user_id": id, "role": role});
            self.backend.post(&format!("{path}/members"), &new).await.expect(201);
        }
        path.rsplit('/').next().unwrap().to_owned()
    }

    /// One by a member, as members cannot resend those of a backend.
    async fn add_invitation(&self, request: &Request, number: u128, scene: &mut Scene) -> String {
        if !scene.values.contains_key("{org}") {
            let id = self.add_organization(request, scene).await;
            scene.values.insert("{org}", id);
        }
        let org = &scene.values["{org}"];
        let fields = [("email", &*format!("invited{number}@example.com")), ("role", "member")];
        self.owner.post_form(&format!("/auth/organizations/{org}/invitations"), &fields).await.expect(200);
        let listed = self.backend.get(&format!("{ORGANIZATIONS}/{org}/invitations")).await.expect(200).json();
        listed["data"][0]["id"].as_str().unwrap().to_owned()
    }

    /// The id that a command prints first.
    async fn printed_id(&self, line: &str) -> Option<String> {
        let arguments = ["--json"].into_iter().chain(line.split(' ')).collect::<Vec<_>>();
        let output = run_program(&arguments, self.app.variables()).await;
        let printed: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"));
        printed["id"].as_str().or(printed["data"][0]["id"].as_str()).map(str::to_owned)
    }
}
