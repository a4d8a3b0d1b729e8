//! The service's settings, read from the environment or from files of variables: one file for each typed section.

mod accounts;
mod database;
mod describe;
mod document;
pub mod duration;
mod encoding;
mod env_file;
mod env_text;
mod environment;
mod gate;
mod links;
mod load;
mod log;
mod mail;
pub mod name;
mod origin;
mod pages;
mod parse;
mod problem;
mod providers;
mod public_suffix;
mod reader;
mod redact;
mod secret;
mod server;
mod sessions;
mod spec;
pub mod table;
#[cfg(test)]
mod testing;
mod tokens;
mod webhooks;

pub use accounts::{AccountSettings, AdminMfa, EmailVerification, OrgMode, Signup, SignupUsername};
pub use database::{DatabaseSettings, DatabaseUrl, SchemaUpdate};
pub use describe::{DescribedSetting, ValueSource, describe};
pub use document::document;
pub use encoding::decode_base64;
pub use env_file::{EnvFileError, LOCAL_ENV_FILE};
pub use env_text::{EnvText, NotText};
pub use environment::{Environment, Variable};
pub use gate::GateSettings;
pub use load::LoadedSettings;
pub use log::{LogFormat, LogSettings};
pub use mail::{Credentials, MailSettings, Security, SmtpSettings};
pub use name::ServiceName;
pub use origin::Origin;
pub use pages::PageSettings;
pub use problem::{Problems, SettingProblem};
pub use providers::{ProviderSettings, ProvidersPlace};
pub use secret::SecretKeySetting;
pub use server::{ProxyHeader, ServerSettings};
pub use sessions::{Rotation, SessionSettings};
pub use spec::{DefaultValue, Exposure, SettingsGroup, Spec};
pub use tokens::{Hs256Keys, TokenSettings};
pub use webhooks::{InvalidSecret, WebhookSecret, WebhookSettings};

use std::sync::Arc;

#[derive(Debug)]
pub struct Settings {
    /// The service name, from which all wire names are derived.
    pub name: ServiceName,
    pub server: ServerSettings,
    pub database: DatabaseSettings,
    /// The keys from `SVC_SECRET_KEY`; `None` if the key is generated in the data directory (SQLite only).
    pub secret_keys: Option<Vec<SecretKeySetting>>,
    pub sessions: SessionSettings,
    pub gate: GateSettings,
    pub tokens: TokenSettings,
    pub accounts: AccountSettings,
    pub providers: ProviderSettings,
    pub mail: MailSettings,
    pub pages: PageSettings,
    /// Webhooks; `None` if no event is stored or sent.
    pub webhooks: Option<Arc<WebhookSettings>>,
    pub log: LogSettings,
    /// The value of each setting and where it comes from, for display.
    pub described: Vec<DescribedSetting>,
}
