//! The other processes of the service: they must have the same settings, and each says so if one has not.

use crate::brand::{Brand, Color, Links, Palette};
use crate::context::App;
use crate::crypto::secret_keys::SecretKeys;
use crate::error::Error;
use crate::model::event::EventKinds;
use crate::model::finding::FindingCode;
use crate::model::principal::{Operation, Principal};
use crate::settings::{OrgMode, Settings, SmtpSettings};
use crate::store::Store;
use secrecy::ExposeSecret;
use std::collections::{BTreeMap, BTreeSet};

/// The secret keys, which the fingerprints of other secrets are made with.
const SECRET_KEY: &str = "SECRET_KEY";
const WEBHOOKS: &str = "WEBHOOK_URL and WEBHOOK_SECRET";
const BRAND_NAME: &str = "BRAND_NAME";
const BRAND_COLOR: &str = "BRAND_COLOR";
const APP_URL: &str = "APP_URL";
const TERMS_URL: &str = "TERMS_URL";
const PRIVACY_URL: &str = "PRIVACY_URL";
const SUPPORT_URL: &str = "SUPPORT_URL";
/// What must be alike as well, compared by the operator's texts: what one process allows, another would refuse. Not
/// here is what may differ from machine to machine: addresses, files, pools, proxies, logs.
const COMPARED: [&str; 22] = [
    "BASE_URL",
    "COOKIE_DOMAIN",
    "ALLOWED_ORIGINS",
    "RETURN_ORIGINS",
    "DEFAULT_RETURN_TO",
    "RATE_LIMIT",
    "ACCESS_TTL",
    "REFRESH_TTL",
    "SESSION_TTL",
    "REFRESH_ROTATION",
    "REFRESH_GRACE",
    "GATE_HEADERS",
    "GATE_RENEW_AFTER",
    "JWT_ALG",
    "SIGNUP",
    "SIGNUP_USERNAME",
    "INVITATION_TTL",
    "PASSWORD_MIN_LENGTH",
    "EMAIL_VERIFICATION",
    "ADMIN_MFA",
    "MAIL_FROM",
    "LANGUAGES",
];
const SMTP_URL: &str = "SMTP_URL";
/// What commands take from the running service, so that it may differ.
const BRAND: [&str; 6] = [BRAND_NAME, BRAND_COLOR, APP_URL, TERMS_URL, PRIVACY_URL, SUPPORT_URL];

/// Sends a heartbeat, and compares the settings with those of the other processes: at the start, and again and again.
pub async fn compare(app: &App) -> Result<(), Error> {
    let own = Fingerprint::of(&app.settings, &app.secret_keys);
    let lacks_webhooks = follow_webhooks(app).await?;
    let mut tx = app.store.begin_lease(&process(), Operation::TellProcesses).await?;
    tx.process_renew(app.process, &own.text()).await?;
    tx.commit().await?;
    let mut tx = app.store.begin_lease(&process(), Operation::TellProcesses).await?;
    tx.processes_remove_expired().await?;
    tx.commit().await?;
    let running = app.store.read(&process(), Operation::TellProcesses).await?.processes_running().await?;
    let mut differing = own.differences_of(&running);
    differing.extend(lacks_webhooks.then(|| WEBHOOKS.to_owned()));
    report(app, &differing);
    Ok(())
}

fn process() -> Principal {
    Principal::process(&[Operation::TellProcesses])
}

/// Deletes the heartbeat at the end of a process.
pub async fn release(app: &App) -> Result<(), Error> {
    let mut tx = app.store.begin(&process(), Operation::TellProcesses).await?;
    tx.process_remove(app.process, app.settings.webhooks.is_some()).await?;
    Ok(tx.commit().await?)
}

/// The variables that a running process has set otherwise, and the number of running processes; writes nothing.
pub async fn differing(
    store: &Store,
    settings: &Settings,
    secret_keys: &SecretKeys,
) -> Result<(Vec<String>, usize), Error> {
    let mut conn = store.read(&process(), Operation::TellProcesses).await?;
    let running = conn.processes_running().await?;
    let sends_webhooks = conn.instance_live_webhooks().await?.is_some();
    let mut differing = Fingerprint::of(settings, secret_keys).differences_of(&running);
    // A process whose webhooks were removed counts as one that has them for a minute.
    let lacks_webhooks = settings.webhooks.is_none() && sends_webhooks;
    let adds_webhooks = settings.webhooks.is_some() && !sends_webhooks && !running.is_empty();
    differing.extend((lacks_webhooks || adds_webhooks).then(|| WEBHOOKS.to_owned()));
    Ok((differing.iter().map(|name| named(settings, name)).collect(), running.len()))
}

/// Gives a command the name, color and links of the running service: its emails are the service's, whatever the shell has
/// set. Without a running service the command's own settings stay.
pub async fn adopt_brand(store: &Store, brand: &mut Brand) -> Result<(), Error> {
    let running = store.read(&process(), Operation::TellProcesses).await?.processes_running().await?;
    if let Some(text) = running.first() {
        Fingerprint::parse(text).give_brand(brand);
    }
    Ok(())
}

/// A process without webhooks stores the events of its users for the ones with webhooks, as long as one runs. Returns
/// whether it does so.
async fn follow_webhooks(app: &App) -> Result<bool, Error> {
    let mut tx = app.store.begin_lease(&process(), Operation::TellProcesses).await?;
    if let Some(webhooks) = &app.settings.webhooks {
        tx.instance_renew_webhooks(webhooks.enabled_events).await?;
        tx.commit().await?;
        return Ok(false);
    }
    tx.instance_end_webhooks().await?;
    tx.commit().await?;
    let live = app.store.read(&process(), Operation::TellProcesses).await?.instance_live_webhooks().await?;
    app.store.set_events(live.unwrap_or(EventKinds::NONE));
    Ok(live.is_some())
}

/// Logs which settings differ, once for each set of them.
fn report(app: &App, differing: &BTreeSet<String>) {
    let names: Vec<String> = differing.iter().map(|name| named(&app.settings, name)).collect();
    let names = names.join(", ");
    let mut reported = app.reported_differences.lock();
    if *reported == names {
        return;
    }
    if names.is_empty() {
        tracing::info!("the settings agree with those of the other processes again");
    } else if differing.iter().any(|name| name == WEBHOOKS) && app.settings.webhooks.is_none() {
        tracing::warn!(
            finding = %FindingCode::SettingsDiffer,
            "another process on this database has webhooks, this one has not: it stores its events for the other. Set \
             for all processes alike: {names}"
        );
    } else {
        tracing::warn!(
            finding = %FindingCode::SettingsDiffer,
            "another process on this database has other settings. Set for all processes alike: {names}"
        );
    }
    *reported = names;
}

fn named(settings: &Settings, setting: &str) -> String {
    let variables = setting.split(" and ").map(|name| settings.name.variable(name));
    variables.collect::<Vec<_>>().join(" and ")
}

/// The settings that all processes of a service share, by the names of their variables; what is secret as a fingerprint.
#[derive(Debug, Default, PartialEq, Eq)]
struct Fingerprint(BTreeMap<String, String>);

impl Fingerprint {
    fn of(settings: &Settings, secret_keys: &SecretKeys) -> Self {
        let key_ids: Vec<String> = secret_keys.key_ids().map(|id| id.to_string()).collect();
        let shared: Vec<String> = settings
            .tokens
            .hs256
            .iter()
            .flat_map(|shared| &shared.keys)
            .map(|(id, key)| format!("{id} {}", secret_keys.fingerprint(&[key])))
            .collect();
        let org_mode = match settings.accounts.org_mode {
            OrgMode::Personal => "personal",
            OrgMode::Single => "single",
            OrgMode::Multi => "multi",
        };
        let webhooks = settings.webhooks.as_ref().map(|webhooks| {
            let url = webhooks.url.to_string();
            let fingerprint = secret_keys.fingerprint(&[url.as_bytes(), webhooks.secret.as_bytes()]);
            (fingerprint, webhooks.enabled_events.to_text())
        });
        let (webhooks, events) = webhooks.unwrap_or_default();
        let brand = &settings.pages.brand;
        let url = |url: &Option<String>| url.clone().unwrap_or_default();
        let described = settings;
        let settings = [
            (BRAND_NAME, brand.name.clone()),
            (BRAND_COLOR, brand.palette.light.brand.to_string()),
            (APP_URL, url(&brand.links.app)),
            (TERMS_URL, url(&brand.links.terms)),
            (PRIVACY_URL, url(&brand.links.privacy)),
            (SUPPORT_URL, url(&brand.links.support)),
            (SECRET_KEY, key_ids.join(" ")),
            ("JWT_ISSUER", settings.tokens.issuer.clone()),
            ("JWT_KEYS", shared.join(" ")),
            ("AUDIENCES", settings.sessions.audiences.join(" ")),
            ("ORG_MODE", org_mode.to_owned()),
            (WEBHOOKS, webhooks),
            ("WEBHOOK_ENABLED_EVENTS", events),
        ];
        let compared = COMPARED.into_iter().filter_map(|name| {
            let variable = described.name.variable(name);
            let setting = described.described.iter().find(|setting| setting.variable == variable)?;
            Some((name, secret_keys.fingerprint(&[setting.value.as_deref().unwrap_or_default().as_bytes()])))
        });
        let smtp = described.mail.smtp.as_ref().map_or_else(String::new, |smtp| smtp_fingerprint(smtp, secret_keys));
        let all = settings.into_iter().chain(compared).chain([(SMTP_URL, smtp)]);
        Self(all.map(|(name, value)| (name.to_owned(), value)).collect())
    }

    /// What differs in any of the others.
    fn differences_of(&self, others: &[String]) -> BTreeSet<String> {
        others.iter().flat_map(|text| self.differences(&Self::parse(text))).collect()
    }

    fn text(&self) -> String {
        serde_json::json!(self.0).to_string()
    }

    /// What another version wrote may have other names, or none.
    fn parse(text: &str) -> Self {
        Self(serde_json::from_str(text).unwrap_or_default())
    }

    /// Another version may have written none of them.
    fn give_brand(&self, brand: &mut Brand) {
        let Some(name) = self.0.get(BRAND_NAME) else { return };
        brand.name.clone_from(name);
        if let Some(color) = self.0.get(BRAND_COLOR).and_then(|color| Color::parse(color)) {
            brand.palette = Palette::of(color);
        }
        let url = |name: &str| self.0.get(name).filter(|url| !url.is_empty()).cloned();
        brand.links =
            Links { app: url(APP_URL), terms: url(TERMS_URL), privacy: url(PRIVACY_URL), support: url(SUPPORT_URL) };
    }

    /// The names of the settings that both have and that differ. Webhooks of only one of the two are not a difference
    /// here, and with other secret keys the fingerprints say nothing.
    fn differences(&self, other: &Self) -> Vec<String> {
        if self.0.get(SECRET_KEY) != other.0.get(SECRET_KEY) {
            return vec![SECRET_KEY.to_owned()];
        }
        let differ = self.0.iter().filter(|(name, own)| other.0.get(*name).is_some_and(|other| other != *own));
        let differ = differ.filter(|(name, _)| !BRAND.contains(&name.as_str()));
        let is_one_sided = |name: &str| {
            let value = |of: &Self| of.0.get(name).is_none_or(String::is_empty);
            name.starts_with("WEBHOOK") && (value(self) || value(other))
        };
        differ.map(|(name, _)| name.clone()).filter(|name| !is_one_sided(name)).collect()
    }
}

fn smtp_fingerprint(smtp: &SmtpSettings, secret_keys: &SecretKeys) -> String {
    let security = format!("{:?}", smtp.security);
    let credentials = smtp.credentials.as_ref();
    let (user, password) = credentials
        .map(|credentials| (credentials.user.as_str(), credentials.password.expose_secret()))
        .unwrap_or_default();
    let values = [&smtp.host, &smtp.port.to_string(), &security, user, password];
    secret_keys.fingerprint(&values.map(str::as_bytes))
}
