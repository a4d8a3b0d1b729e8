//! What a test needs to use an old database: the secrets of its people, who exist nowhere else, and its time.

use crate::harness::{Client, Engine, Passkey};
use doorward::model::time::Time;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};

/// The URL of the service in every old database.
pub const BASE_URL: &str = "http://localhost:8080";

#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Facts {
    pub made_at: String,
    /// An API key that may read everything.
    pub api_key: String,
    /// The id of an account that was deleted.
    pub deleted_user: String,
    pub browsers: Vec<Browser>,
    /// Ada's ways in, besides the password that everybody has.
    pub totp_key: String,
    pub recovery_codes: Vec<String>,
    pub passkey: Option<Passkey>,
    pub trusted_device: String,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Browser {
    pub user: String,
    pub methods: String,
    /// The cookies that outlive the access token.
    pub refresh: String,
    pub csrf: String,
}

impl Browser {
    pub fn of(client: &Client, user: &str, methods: &str) -> Self {
        let token = |name| client.token(name).unwrap_or_else(|| panic!("{user} is not logged in by {methods}"));
        let (user, methods) = (user.to_owned(), methods.to_owned());
        Self { user, methods, refresh: token("refresh"), csrf: token("csrf") }
    }

    /// The browser with its cookies, some time later.
    pub fn open(&self, client: &Client) -> Client {
        client.set_token("refresh", &self.refresh);
        client.set_token("csrf", &self.csrf);
        client.clone()
    }
}

impl Facts {
    /// Reads the facts about a version's database.
    pub fn read(version: &str, engine: Engine) -> Self {
        serde_json::from_slice(&fs::read(file(version, engine, "json")).unwrap()).unwrap()
    }

    pub fn write(&self, version: &str, engine: Engine) {
        let text = serde_json::to_string_pretty(self).unwrap();
        fs::write(file(version, engine, "json"), format!("{text}\n")).unwrap();
    }

    pub fn made_at(&self) -> Time {
        Time::parse(&self.made_at).unwrap()
    }
}

pub fn file(version: &str, engine: Engine, extension: &str) -> PathBuf {
    let engine = match engine {
        Engine::Sqlite => "sqlite",
        Engine::Postgres => "postgres",
    };
    folder().join(format!("{version}-{engine}.{extension}"))
}

pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/databases")
}

pub fn database(version: &str, engine: Engine) -> PathBuf {
    let extension = match engine {
        Engine::Sqlite => "db.gz",
        Engine::Postgres => "sql",
    };
    file(version, engine, extension)
}
