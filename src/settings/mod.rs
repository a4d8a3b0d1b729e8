//! The service's settings: one typed section a file, all read from the environment.

mod accounts;
mod database;
mod log;
mod mail;
pub mod name;
mod secret;
mod server;
mod sessions;
mod tokens;
mod webhooks;

pub use accounts::{Accounts, OrgMode, Signup};
pub use database::{Database, DatabaseUrl};
pub use log::{Log, LogFormat};
pub use mail::Mail;
pub use name::ServiceName;
pub use secret::SecretKeySetting;
pub use server::{Origin, Server};
pub use sessions::{Rotation, Sessions};
pub use tokens::{Hs256Keys, Tokens};
pub use webhooks::Webhooks;

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
    /// Webhooks; `None`: nothing is stored or sent.
    pub webhooks: Option<Webhooks>,
    /// Log filter and format.
    pub log: Log,
}
