//! The service's settings: one typed section a file, all read from the environment.

mod accounts;
mod database;
mod describe;
mod document;
pub mod duration;
mod encoding;
mod environment;
mod load;
mod log;
mod mail;
pub mod name;
mod origin;
mod pages;
mod parse;
mod problem;
mod reader;
mod secret;
mod server;
mod sessions;
mod shown;
mod spec;
pub mod table;
#[cfg(test)]
mod testing;
mod tokens;
mod unknown;
mod webhooks;

pub use accounts::{Accounts, EmailVerification, OrgMode, Signup};
pub use database::{Database, DatabaseUrl};
pub use describe::{Described, Source, describe};
pub use document::document;
pub use encoding::decode_base64;
pub use environment::{Environment, Variable};
pub use load::Loaded;
pub use log::{Log, LogFormat};
pub use mail::{Credentials, Mail, Security, Smtp};
pub use name::ServiceName;
pub use origin::Origin;
pub use pages::Pages;
pub use problem::{Problem, Problems};
pub use secret::SecretKeySetting;
pub use server::Server;
pub use sessions::{Rotation, Sessions};
pub use spec::{DefaultValue, Exposure, Section, Spec};
pub use tokens::{Hs256Keys, Tokens};
pub use webhooks::Webhooks;

use std::sync::Arc;

/// Everything the environment decides.
#[derive(Debug)]
pub struct Settings {
    /// The service name, from which all wire names come.
    pub name: ServiceName,
    /// Listener, public address, proxies, origins.
    pub server: Server,
    /// Where data lives.
    pub database: Database,
    /// The keys from `SVC_SECRET_KEY`; `None`: generated in the data directory (SQLite only).
    pub secret_keys: Option<Vec<SecretKeySetting>>,
    /// Lifetimes, rotation, audiences.
    pub sessions: Sessions,
    /// Access tokens: issuer and keys.
    pub tokens: Tokens,
    /// Who may sign up, and what they get.
    pub accounts: Accounts,
    /// Outgoing mail.
    pub mail: Mail,
    /// How the pages look and speak.
    pub pages: Pages,
    /// Webhooks; `None`: nothing is stored or sent.
    pub webhooks: Option<Arc<Webhooks>>,
    /// Log filter and format.
    pub log: Log,
}
