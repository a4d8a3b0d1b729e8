//! Passkeys (Web Authentication, level 3): what a browser is asked, and whether its answer is good.
//!
//! A passkey stands for two factors, so it must verify its user (`userVerification: required`; an answer without the UV
//! flag is refused), and it must be found without a name (`residentKey: required`). Attestation is not asked for.
//!
//! The signatures are checked by `webauthn-rs-core`. What it must remember between question and answer is not stored:
//! it travels with the form, sealed and bound to the browser by its CSRF token, and void after ten minutes. That an
//! answer counts once is for the caller to see to, by [`Asked::challenge_hash`].

use super::seal::Place;
use super::secret_keys::SecretKeys;
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

/// What stands for the account in a question that is about no account.
pub const ANYBODY: &[u8] = b"";
/// How long an answer may take.
pub const ANSWER_WITHIN: Duration = Duration::from_mins(10);

/// What a browser is asked: the options for its script, and the state that comes back with the answer.
pub struct Question {
    /// JSON for `navigator.credentials`.
    pub options: String,
    /// Sealed.
    pub state: String,
}

/// Why an answer is no good.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum PasskeyError {
    /// The question is too old, was asked in another browser, or is none of ours.
    #[error("the question is void")]
    Void,
    /// The authenticator did not verify its user.
    #[error("the authenticator did not verify its user")]
    NotVerified,
    /// The count of signatures did not grow: there may be a copy of the passkey.
    #[error("the count of signatures did not grow")]
    Copied,
    /// Anything else; the text is for the log.
    #[error("{0}")]
    Refused(String),
}

impl From<WebauthnError> for PasskeyError {
    fn from(error: WebauthnError) -> Self {
        match error {
            WebauthnError::UserNotVerified => PasskeyError::NotVerified,
            WebauthnError::CredentialPossibleCompromise => PasskeyError::Copied,
            other => PasskeyError::Refused(format!("{other:?}")),
        }
    }
}

fn refused(error: impl std::fmt::Display) -> PasskeyError {
    PasskeyError::Refused(error.to_string())
}

/// What a question was about, and until when it holds.
#[derive(Clone, Copy, Debug)]
pub struct Asked {
    /// Stands for the challenge, of which each is answered once.
    pub challenge_hash: [u8; 32],
    /// When the question becomes void.
    pub expires_at: Time,
}

#[derive(Serialize, Deserialize)]
struct Sealed<S> {
    expires_at: i64,
    state: S,
}

/// A passkey as it is stored.
pub struct StoredPasskey {
    /// Its id at the authenticator.
    pub credential_id: Vec<u8>,
    /// Key and flags.
    pub credential: Vec<u8>,
    /// The authenticator's count of signatures.
    pub counter: u32,
    /// Whether there is a copy of it, at its maker's for example.
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

/// Whose new passkey it is to be.
pub struct NewOwner<'a> {
    /// Given back by the authenticator at a log-in: the account's id, which says nothing about the person.
    pub handle: &'a [u8],
    /// What the authenticator shows.
    pub name: &'a str,
}

/// Asks and judges for one origin.
pub struct Passkeys<'a> {
    core: WebauthnCore,
    keys: &'a SecretKeys,
}

impl<'a> Passkeys<'a> {
    /// For the service at `origin`; `None` where browsers know no passkeys: at an IP address, and without TLS anywhere but
    /// on the same machine.
    pub fn new(origin: &Origin, brand: &str, keys: &'a SecretKeys) -> Option<Self> {
        let host = origin.host();
        let is_local = host == "localhost" || host.ends_with(".localhost");
        let is_address = host.starts_with('[') || host.parse::<std::net::IpAddr>().is_ok();
        if is_address || !(origin.is_https() || is_local) {
            return None;
        }
        let origins = vec![origin.as_str().parse().ok()?];
        let core = WebauthnCore::new_unsafe_experts_only(brand, host, origins, ANSWER_WITHIN, Some(false), Some(false));
        Some(Self { core, keys })
    }

    /// Asks for a new passkey that is none of `present`, those that the account has.
    pub fn ask_new(
        &self,
        owner: &NewOwner<'_>,
        present: Vec<Vec<u8>>,
        browser: &str,
        now: Time,
    ) -> Result<Question, PasskeyError> {
        let builder = self.core.new_challenge_register_builder(owner.handle, owner.name, owner.name)?;
        let builder = builder.user_verification_policy(UserVerificationPolicy::Required).require_resident_key(true);
        let (mut asked, state) = self.core.generate_challenge_register(builder)?;
        // Not in the state, which it would swell: the database refuses an id that it knows.
        asked.public_key.exclude_credentials = Some(present.into_iter().map(descriptor).collect());
        let options = serde_json::to_string(&asked).map_err(refused)?;
        Ok(Question { options, state: self.seal(owner.handle, browser, &state, now)? })
    }

    /// Judges the answer with a new passkey.
    pub fn judge_new(
        &self,
        answer: &str,
        (handle, state, browser): (&[u8], &str, &str),
        now: Time,
    ) -> Result<(StoredPasskey, Asked), PasskeyError> {
        let (state, asked) = self.open::<RegistrationState>(handle, browser, state, now)?;
        let answer: RegisterPublicKeyCredential = serde_json::from_str(answer).map_err(refused)?;
        let credential = self.core.register_credential(&answer, &state, None)?;
        Ok((StoredPasskey::try_from(&credential)?, asked))
    }

    /// Asks for any passkey.
    pub fn ask_any(&self, browser: &str, now: Time) -> Result<Question, PasskeyError> {
        self.ask(ANYBODY, Vec::new(), browser, now)
    }

    /// Asks for one of the passkeys `present` of the account with this handle.
    pub fn ask_one_of(
        &self,
        handle: &[u8],
        present: Vec<Vec<u8>>,
        browser: &str,
        now: Time,
    ) -> Result<Question, PasskeyError> {
        self.ask(handle, present, browser, now)
    }

    fn ask(&self, about: &[u8], present: Vec<Vec<u8>>, browser: &str, now: Time) -> Result<Question, PasskeyError> {
        let builder =
            self.core.new_challenge_authenticate_builder(Vec::new(), Some(UserVerificationPolicy::Required))?;
        let (mut asked, state) = self.core.generate_challenge_authenticate(builder)?;
        // Not in the state, which it would swell: whoever judges the answer looks whose passkey it is.
        let allow = |id| AllowCredentials { type_: "public-key".to_owned(), id, transports: None };
        asked.public_key.allow_credentials = present.into_iter().map(allow).collect();
        let options = serde_json::to_string(&asked).map_err(refused)?;
        Ok(Question { options, state: self.seal(about, browser, &state, now)? })
    }

    /// What a question was that is about the account with this handle, or about [`ANYBODY`].
    pub fn asked(&self, (about, state, browser): (&[u8], &str, &str), now: Time) -> Result<Asked, PasskeyError> {
        Ok(self.open::<IgnoredAny>(about, browser, state, now)?.1)
    }

    /// Judges the answer of a passkey that is stored so, to a question about the account with this handle, or about
    /// [`ANYBODY`]; what to store of it from now on.
    pub fn judge_known(
        &self,
        answer: &Presented,
        (about, state, browser): (&[u8], &str, &str),
        stored: &[u8],
        now: Time,
    ) -> Result<StoredPasskey, PasskeyError> {
        let (state, _) = self.open::<AuthenticationState>(about, browser, state, now)?;
        let mut credential: Credential = serde_json::from_slice(stored).map_err(refused)?;
        let outcome = self.core.authenticate_single_credential(&answer.0, &state, &credential)?;
        if !outcome.user_verified() {
            return Err(PasskeyError::NotVerified);
        }
        credential.counter = outcome.counter();
        credential.backup_state = outcome.backup_state();
        credential.backup_eligible = outcome.backup_eligible();
        StoredPasskey::try_from(&credential)
    }

    fn seal<S: Serialize>(&self, about: &[u8], browser: &str, state: &S, now: Time) -> Result<String, PasskeyError> {
        let sealed = Sealed { expires_at: (now + ANSWER_WITHIN).as_micros(), state };
        let text = serde_json::to_vec(&sealed).map_err(refused)?;
        let row = row(about, browser);
        let sealed = self.keys.seal(&place(&row), &text).map_err(refused)?;
        Ok(URL_SAFE_NO_PAD.encode(sealed))
    }

    fn open<S: DeserializeOwned>(
        &self,
        about: &[u8],
        browser: &str,
        state: &str,
        now: Time,
    ) -> Result<(S, Asked), PasskeyError> {
        let sealed = URL_SAFE_NO_PAD.decode(state).map_err(|_| PasskeyError::Void)?;
        let row = row(about, browser);
        let text = self.keys.open(&place(&row), &sealed).map_err(|_| PasskeyError::Void)?;
        let opened: Sealed<S> = serde_json::from_slice(&text).map_err(|_| PasskeyError::Void)?;
        let expires_at = Time::from_micros(opened.expires_at);
        if expires_at <= now {
            return Err(PasskeyError::Void);
        }
        // Each sealed state has a challenge and a nonce of its own.
        let mut challenge_hash = [0; 32];
        challenge_hash.copy_from_slice(digest(&SHA256, &sealed).as_ref());
        Ok((opened.state, Asked { challenge_hash, expires_at }))
    }
}

fn descriptor(id: Vec<u8>) -> PublicKeyCredentialDescriptor {
    PublicKeyCredentialDescriptor { type_: "public-key".to_owned(), id, transports: None }
}

/// A question is bound to the browser it was asked in, and to the account it was asked for, if to any.
fn row(about: &[u8], browser: &str) -> Vec<u8> {
    [&(about.len() as u64).to_be_bytes(), about, browser.as_bytes()].concat()
}

fn place(row: &[u8]) -> Place<'_> {
    Place { table: "passkey question", row, column: "state" }
}

/// A browser's answer with a passkey that is known, not judged yet.
pub struct Presented(PublicKeyCredential);

impl Presented {
    /// Reads it.
    pub fn parse(answer: &str) -> Result<Self, PasskeyError> {
        serde_json::from_str(answer).map(Self).map_err(refused)
    }

    /// The passkey's id at the authenticator.
    pub fn credential_id(&self) -> &[u8] {
        self.0.get_credential_id()
    }

    /// Whose the authenticator says it is.
    pub fn handle(&self) -> Option<&[u8]> {
        self.0.get_user_unique_id()
    }
}
