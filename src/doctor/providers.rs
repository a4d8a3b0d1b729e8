//! Providers that people log in with: their metadata, their clock, whether they know this client, and the address that is
//! registered there. Each is also asked for a token with a code that it never gave, as nothing else tells whether it knows
//! the client.

use super::report::Report;
use crate::clock::Clock;
use crate::crypto::apple_key::AppleKey;
use crate::crypto::secret_keys::SecretKeys;
use crate::domain::provider::secret::ProviderSecret;
use crate::model::finding::{Finding, FindingCode};
use crate::model::principal::{Operation, Principal};
use crate::model::provider::{Provider, ProviderKind};
use crate::oidc::{MetadataFault, ProviderCheck, ProviderClient, ProviderDocuments, ProviderFault};
use crate::outbound::SharedExternalClient;
use crate::settings::{Origin, Settings};
use crate::store::{ProviderRow, Store, StoreError};
use secrecy::{ExposeSecret, SecretString};
use std::time::Duration;

const CHECK: &str = "providers";
/// Tokens are refused when clocks differ by two minutes.
const CLOCK_TOLERANCE: Duration = Duration::from_mins(1);

pub(super) async fn examine(report: &mut Report, store: &Store, settings: &Settings, keys: &SecretKeys, clock: &Clock) {
    let rows = match report.in_time(CHECK, list(store)).await {
        Some(Ok(rows)) if rows.is_empty() => return report.ok(CHECK, "none"),
        Some(Ok(rows)) => rows,
        Some(Err(error)) => {
            return report.found(CHECK, Finding::new(FindingCode::DatabaseAway, error.to_string()));
        }
        None => return,
    };
    let (shared, documents) =
        (SharedExternalClient::new(settings.providers.outbound_allow.clone()), ProviderDocuments::default());
    let Ok(external) = shared.get() else {
        let finding = Finding::new(FindingCode::ProviderUnreachable, ProviderFault::NoRoots.to_string());
        return report.found(CHECK, finding);
    };
    let client = ProviderClient { external: external.share_of(None), documents: &documents, clock };
    for row in &rows {
        examine_provider(report, &client, keys, row, &settings.server.base_url).await;
    }
}

async fn list(store: &Store) -> Result<Vec<ProviderRow>, StoreError> {
    store.read(&Principal::operator(), Operation::ReadProviders).await?.providers_list().await
}

/// Examines one provider of a service at this public address.
pub async fn examine_provider(
    report: &mut Report,
    client: &ProviderClient<'_>,
    keys: &SecretKeys,
    row: &ProviderRow,
    base_url: &Origin,
) {
    let provider = &row.provider;
    let redirect_uri = provider.redirect_uri(base_url.as_str());
    let mut findings = Findings { report, provider };
    let secret = findings.secret(keys, row);
    findings.redirect_address(base_url, &redirect_uri);
    // Boxed, as the futures of all checks are parts of one.
    let examination = Box::pin(client.check(provider, secret.as_ref(), &redirect_uri));
    let Some(examined) = findings.report.in_time(CHECK, examination).await else { return };
    findings.add(&examined, &redirect_uri);
}

struct Findings<'a> {
    report: &'a mut Report,
    provider: &'a Provider,
}

impl Findings<'_> {
    fn ok(&mut self, text: &str) {
        self.report.ok(CHECK, format!("{}: {text}", self.provider.name));
    }

    fn found(&mut self, code: FindingCode, text: &str) {
        self.report.found(CHECK, Finding::new(code, format!("{}: {text}", self.provider.name)));
    }

    /// Its secret, if that is of any use.
    fn secret(&mut self, keys: &SecretKeys, row: &ProviderRow) -> Option<SecretString> {
        let name = &self.provider.name;
        let remedy = format!("nobody can log in with it; give it another one with doorward provider update {name}");
        match ProviderSecret::open(keys, row) {
            Ok(Some(ProviderSecret::Client(secret))) => Some(secret),
            Ok(Some(ProviderSecret::AppleKey(key))) => match AppleKey::from_pem(key.expose_secret()) {
                Ok(_) => Some(key),
                Err(error) => {
                    self.found(FindingCode::AppleKeyUnusable, &format!("its key cannot sign: {error}; {remedy}"));
                    None
                }
            },
            Ok(None) => {
                self.found(FindingCode::ProviderWithoutSecret, &format!("its secret was lost: {remedy}"));
                None
            }
            Err(_) => {
                let text = format!("its secret does not open with this secret key: {remedy}");
                self.found(FindingCode::ProviderWithoutSecret, &text);
                None
            }
        }
    }

    /// What the makers of providers take as a redirect address can be told without asking.
    fn redirect_address(&mut self, base_url: &Origin, redirect_uri: &str) {
        let takes_this_machine = self.provider.kind != ProviderKind::Apple;
        let is_taken = match self.provider.kind {
            ProviderKind::Oidc => true,
            _ => base_url.is_https() || takes_this_machine && base_url.is_this_machine(),
        };
        if !is_taken {
            let maker = self.provider.label.as_str();
            self.found(
                FindingCode::RedirectAddress,
                &format!(
                    "{maker} does not accept an address such as {redirect_uri}: it must be on a public host, with https"
                ),
            );
        }
    }

    fn add(&mut self, examined: &ProviderCheck, redirect_uri: &str) {
        match &examined.documents {
            Ok(()) if self.provider.kind == ProviderKind::GitHub => {}
            Ok(()) => self.ok("metadata and keys are valid"),
            Err(fault) => self.documents(fault),
        }
        // The others check code verifiers as well, and do not promise it.
        if examined.promises_pkce == Some(false) && self.provider.kind == ProviderKind::Oidc {
            let text =
                "its metadata do not offer PKCE with S256, which makes a stolen code useless; check its settings";
            self.found(FindingCode::ProviderWithoutPkce, text);
        }
        match &examined.client {
            Some(Ok(())) => {
                self.ok(&format!("it accepts client id and secret; {redirect_uri} must be registered there"));
            }
            Some(Err(fault)) => self.client(fault, redirect_uri),
            None => {}
        }
        if let Some(difference) = examined.clock_difference.filter(|difference| *difference > CLOCK_TOLERANCE) {
            let seconds = difference.as_secs();
            let text =
                format!("its clock and this machine's differ by {seconds} s: synchronize yours, for example with NTP");
            self.found(FindingCode::ProviderClockDiffers, &text);
        }
    }

    fn documents(&mut self, fault: &ProviderFault) {
        let ProviderFault::Metadata(MetadataFault::Issuer { found, expected }) = fault else {
            let text =
                format!("{fault}; check the issuer {}, and that this machine can reach it", self.provider.issuer);
            return self.found(FindingCode::ProviderUnreachable, &text);
        };
        let name = &self.provider.name;
        let is_slash = found.trim_end_matches('/') == expected.trim_end_matches('/');
        let text = match self.provider.kind {
            ProviderKind::Microsoft => format!("{fault}; check the tenant"),
            _ if is_slash => format!(
                "its issuer is {found:?}, the record has {expected:?}: they differ in the slash at the end; doorward \
                 provider update {name} --issuer {found}"
            ),
            // What others sent is no part of a command.
            _ => format!("{fault}; check the issuer"),
        };
        self.found(FindingCode::ProviderIssuer, &text);
    }

    fn client(&mut self, fault: &ProviderFault, redirect_uri: &str) {
        let code = match fault {
            ProviderFault::Refused { code, .. } => code.as_str(),
            _ => "",
        };
        match code {
            // The last one is GitHub's.
            "invalid_client" | "unauthorized_client" | "incorrect_client_credentials" => {
                let what = match self.provider.kind {
                    ProviderKind::Apple => "client id, team id, key id and key",
                    _ => "client id and secret",
                };
                let text = format!("it refuses this client ({code}): check {what}");
                self.found(FindingCode::ProviderRefusesClient, &text);
            }
            // Google's and GitHub's.
            "redirect_uri_mismatch" => {
                let text = format!("{redirect_uri} is not registered there: register it exactly like this");
                self.found(FindingCode::RedirectAddress, &text);
            }
            _ => {
                let text = format!("{fault}; the error invalid_grant was expected");
                self.found(FindingCode::ProviderUnreachable, &text);
            }
        }
    }
}
