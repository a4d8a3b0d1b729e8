//! Passkeys (Web Authentication, level 3): registration and authentication ceremonies.
//!
//! A passkey counts as two factors, so user verification is required (`userVerification: required`; a response without
//! the UV flag is rejected), and it must be discoverable (`residentKey: required`). Attestation is not requested.
//!
//! `webauthn-rs-core` verifies the signatures. The state of a ceremony is not stored: it travels with the form, sealed,
//! bound to the browser by its CSRF token, and valid for ten minutes. Callers prevent replay with
//! [`IssuedChallenge::challenge_hash`].

use super::seal::SealContext;
use super::secret_keys::SecretKeys;
use crate::model::this_machine::is_localhost;
use crate::model::time::Time;
use crate::settings::Origin;
use aws_lc_rs::digest::{SHA256, digest};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};
use std::time::Duration;
use webauthn_rs_core::WebauthnCore;
use webauthn_rs_core::error::WebauthnError;
use webauthn_rs_core::proto::{
    AllowCredentials, AuthenticationState, Credential, PublicKeyCredential, PublicKeyCredentialDescriptor,
    RegisterPublicKeyCredential, RegistrationState, UserVerificationPolicy,
};

/// The target of log lines by which the library calls passkeys that it cannot read errors. They are answered, and logged
/// as such.
pub const LIBRARY_LOG_TARGET: &str = "webauthn_rs_core";
/// The user handle of a challenge that any account may answer.
pub const NO_USER: &[u8] = b"";
pub const CHALLENGE_TTL: Duration = Duration::from_mins(10);

/// A challenge for the browser: the options for its script, and the state that comes back with the response.
pub struct PasskeyChallenge {
    /// The JSON options for `navigator.credentials`.
    pub options: String,
    pub state: String,
}

#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum PasskeyError {
    /// The challenge has expired, was issued to another browser, or is not ours.
    #[error("the challenge expired or belongs to another browser")]
    InvalidChallenge,
    /// The authenticator did not verify its user.
    #[error("the authenticator did not verify its user")]
    UserNotVerified,
    /// The signature counter did not increase: the passkey may have been cloned.
    #[error("the signature counter did not increase")]
    PossibleClone,
    /// It says that it can no longer be backed up, or is backed up and cannot be.
    #[error("the flags for backups contradict what the passkey said before")]
    BackupFlags,
    /// It is another user's than the authenticator says, or the authenticator does not say whose.
    #[error("the user handle is missing or another's")]
    UserHandle,
    /// Any other reason, for the log.
    #[error("{0}")]
    Refused(String),
}

impl PasskeyError {
    /// The reason in the audit log: one of few.
    pub const fn reason(&self) -> &'static str {
        match self {
            PasskeyError::InvalidChallenge => "passkey: late, or of another browser",
            PasskeyError::UserNotVerified => "passkey: its user was not verified",
            PasskeyError::PossibleClone => "passkey: its counter went back",
            PasskeyError::BackupFlags => "passkey: its flags for backups contradict",
            PasskeyError::UserHandle => "passkey: no user handle, or another's",
            PasskeyError::Refused(_) => "passkey",
        }
    }
}

impl From<WebauthnError> for PasskeyError {
    fn from(error: WebauthnError) -> Self {
        match error {
            WebauthnError::UserNotVerified => PasskeyError::UserNotVerified,
            WebauthnError::CredentialPossibleCompromise => PasskeyError::PossibleClone,
            WebauthnError::CredentialBackupEligibilityInconsistent | WebauthnError::CredentialMayNotBeHardwareBound => {
                PasskeyError::BackupFlags
            }
            other => PasskeyError::Refused(format!("{other:?}")),
        }
    }
}

fn refused(error: impl std::fmt::Display) -> PasskeyError {
    PasskeyError::Refused(error.to_string())
}

#[derive(Clone, Copy, Debug)]
pub struct IssuedChallenge {
    /// Identifies the challenge, so that it can be used only once.
    pub challenge_hash: [u8; 32],
    pub expires_at: Time,
}

#[derive(Serialize, Deserialize)]
struct CeremonyState<S> {
    expires_at: i64,
    state: S,
}

pub struct StoredPasskey {
    pub credential_id: Vec<u8>,
    /// The serialized credential: public key and flags.
    pub credential: Vec<u8>,
    pub counter: u32,
    /// Whether it is backed up, such as by the vendor's sync service.
    pub backed_up: bool,
}

impl TryFrom<&Credential> for StoredPasskey {
    type Error = PasskeyError;

    fn try_from(credential: &Credential) -> Result<Self, PasskeyError> {
        Ok(Self {
            credential_id: credential.cred_id.clone(),
            credential: serde_json::to_vec(credential).map_err(refused)?,
            counter: credential.counter,
            backed_up: credential.backup_state,
        })
    }
}

pub struct PasskeyUser<'a> {
    /// The user handle, which the authenticator returns at login: the account's id, which reveals nothing about the
    /// user.
    pub handle: &'a [u8],
    pub name: &'a str,
}

/// A challenge as it came back with a response.
#[derive(Clone, Copy)]
pub struct ReturnedChallenge<'a> {
    /// The user handle of the account it was issued for, or [`NO_USER`].
    pub handle: &'a [u8],
    pub state: &'a str,
    /// The CSRF token of the browser.
    pub browser: &'a str,
}

/// Issues challenges and verifies responses for one origin.
pub struct Passkeys<'a> {
    core: WebauthnCore,
    keys: &'a SecretKeys,
}

impl<'a> Passkeys<'a> {
    /// Supports the service at `origin`; `None` where browsers do not support passkeys: at an IP address, and without
    /// TLS anywhere but at localhost.
    pub fn new(origin: &Origin, brand: &str, keys: &'a SecretKeys) -> Option<Self> {
        let host = origin.host();
        let is_address = host.starts_with('[') || host.parse::<std::net::IpAddr>().is_ok();
        if is_address || !(origin.is_https() || is_localhost(host)) {
            return None;
        }
        let origins = vec![origin.as_str().parse().ok()?];
        let core = WebauthnCore::new_unsafe_experts_only(brand, host, origins, CHALLENGE_TTL, Some(false), Some(false));
        Some(Self { core, keys })
    }

    /// Issues a challenge for a new passkey. `registered` are the credential ids that the account has, which are
    /// excluded.
    pub fn start_registration(
        &self,
        user: &PasskeyUser<'_>,
        registered: Vec<Vec<u8>>,
        browser: &str,
        now: Time,
    ) -> Result<PasskeyChallenge, PasskeyError> {
        let builder = self.core.new_challenge_register_builder(user.handle, user.name, user.name)?;
        let builder = builder.user_verification_policy(UserVerificationPolicy::Required).require_resident_key(true);
        let (mut challenge, state) = self.core.generate_challenge_register(builder)?;
        // Left out of the state to keep it small: the database rejects a known credential id.
        challenge.public_key.exclude_credentials = Some(registered.into_iter().map(descriptor).collect());
        let options = serde_json::to_string(&challenge).map_err(refused)?;
        Ok(PasskeyChallenge { options, state: self.seal(user.handle, browser, &state, now)? })
    }

    /// Verifies the response with a new passkey.
    pub fn finish_registration(
        &self,
        response: &str,
        challenge: ReturnedChallenge<'_>,
        now: Time,
    ) -> Result<(StoredPasskey, IssuedChallenge), PasskeyError> {
        let (state, issued) = self.open::<RegistrationState>(challenge, now)?;
        let response: RegisterPublicKeyCredential = serde_json::from_str(response).map_err(refused)?;
        let credential = self.core.register_credential(&response, &state, None)?;
        Ok((StoredPasskey::try_from(&credential)?, issued))
    }

    /// Issues a challenge that any account's passkey may answer.
    pub fn start_discoverable_authentication(
        &self,
        browser: &str,
        now: Time,
    ) -> Result<PasskeyChallenge, PasskeyError> {
        self.issue(NO_USER, Vec::new(), browser, now)
    }

    /// Issues a challenge for the account with this handle, whose credential ids are `registered`.
    pub fn start_authentication(
        &self,
        handle: &[u8],
        registered: Vec<Vec<u8>>,
        browser: &str,
        now: Time,
    ) -> Result<PasskeyChallenge, PasskeyError> {
        self.issue(handle, registered, browser, now)
    }

    fn issue(
        &self,
        handle: &[u8],
        registered: Vec<Vec<u8>>,
        browser: &str,
        now: Time,
    ) -> Result<PasskeyChallenge, PasskeyError> {
        let builder =
            self.core.new_challenge_authenticate_builder(Vec::new(), Some(UserVerificationPolicy::Required))?;
        let (mut challenge, state) = self.core.generate_challenge_authenticate(builder)?;
        // Left out of the state to keep it small: the caller checks whose passkey it is.
        let allow = |id| AllowCredentials { type_: "public-key".to_owned(), id, transports: None };
        challenge.public_key.allow_credentials = registered.into_iter().map(allow).collect();
        let options = serde_json::to_string(&challenge).map_err(refused)?;
        Ok(PasskeyChallenge { options, state: self.seal(handle, browser, &state, now)? })
    }

    /// Opens a challenge without verifying a response.
    pub fn issued_challenge(
        &self,
        challenge: ReturnedChallenge<'_>,
        now: Time,
    ) -> Result<IssuedChallenge, PasskeyError> {
        Ok(self.open::<IgnoredAny>(challenge, now)?.1)
    }

    /// Verifies an assertion with the stored passkey, and returns the updated passkey to store.
    pub fn finish_authentication(
        &self,
        assertion: &PasskeyAssertion,
        challenge: ReturnedChallenge<'_>,
        stored: &[u8],
        now: Time,
    ) -> Result<StoredPasskey, PasskeyError> {
        let (state, _) = self.open::<AuthenticationState>(challenge, now)?;
        let mut credential: Credential = serde_json::from_slice(stored).map_err(refused)?;
        // A keeper that learns to sync says so from then on (KeePassXC, iCloud), of passkeys that it has; the signature is
        // over what it says. The library's own switch refuses one that is backed up already.
        credential.backup_eligible |= assertion.is_backup_eligible();
        let outcome = self.core.authenticate_single_credential(&assertion.0, &state, &credential)?;
        if !outcome.user_verified() {
            return Err(PasskeyError::UserNotVerified);
        }
        credential.counter = outcome.counter();
        credential.backup_state = outcome.backup_state();
        credential.backup_eligible = outcome.backup_eligible();
        StoredPasskey::try_from(&credential)
    }

    fn seal<S: Serialize>(&self, handle: &[u8], browser: &str, state: &S, now: Time) -> Result<String, PasskeyError> {
        let state = CeremonyState { expires_at: (now + CHALLENGE_TTL).as_micros(), state };
        let plaintext = serde_json::to_vec(&state).map_err(refused)?;
        let binding = binding(handle, browser);
        let sealed = self.keys.seal(&seal_context(&binding), &plaintext).map_err(refused)?;
        Ok(URL_SAFE_NO_PAD.encode(sealed))
    }

    fn open<S: DeserializeOwned>(
        &self,
        challenge: ReturnedChallenge<'_>,
        now: Time,
    ) -> Result<(S, IssuedChallenge), PasskeyError> {
        let sealed = URL_SAFE_NO_PAD.decode(challenge.state).map_err(|_| PasskeyError::InvalidChallenge)?;
        let binding = binding(challenge.handle, challenge.browser);
        let opened = self.keys.open(&seal_context(&binding), &sealed).map_err(|_| PasskeyError::InvalidChallenge)?;
        let opened: CeremonyState<S> = serde_json::from_slice(&opened).map_err(|_| PasskeyError::InvalidChallenge)?;
        let expires_at = Time::from_micros(opened.expires_at);
        if expires_at <= now {
            return Err(PasskeyError::InvalidChallenge);
        }
        // Unique: every sealed state has its own challenge and nonce.
        let mut challenge_hash = [0; 32];
        challenge_hash.copy_from_slice(digest(&SHA256, &sealed).as_ref());
        Ok((opened.state, IssuedChallenge { challenge_hash, expires_at }))
    }
}

fn descriptor(id: Vec<u8>) -> PublicKeyCredentialDescriptor {
    PublicKeyCredentialDescriptor { type_: "public-key".to_owned(), id, transports: None }
}

/// Binds a challenge to the browser and, if it has one, to the account.
fn binding(handle: &[u8], browser: &str) -> Vec<u8> {
    [&(handle.len() as u64).to_be_bytes(), handle, browser.as_bytes()].concat()
}

fn seal_context(binding: &[u8]) -> SealContext<'_> {
    SealContext { table: "passkey question", row: binding, column: "state" }
}

/// An assertion from a browser, not verified yet.
pub struct PasskeyAssertion(PublicKeyCredential);

impl PasskeyAssertion {
    /// Parses the JSON of `navigator.credentials.get`.
    pub fn parse(response: &str) -> Result<Self, PasskeyError> {
        serde_json::from_str(response).map(Self).map_err(refused)
    }

    pub fn credential_id(&self) -> &[u8] {
        self.0.get_credential_id()
    }

    /// The flag BE of the authenticator data (WebAuthn level 3, 6.1).
    fn is_backup_eligible(&self) -> bool {
        self.0.response.authenticator_data.get(32).is_some_and(|flags| flags & 0x08 != 0)
    }

    /// The user handle that the authenticator returned.
    pub fn handle(&self) -> Option<&[u8]> {
        self.0.get_user_unique_id()
    }
}
