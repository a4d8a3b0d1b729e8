//! Password hashing: Argon2id (RFC 9106), stored as PHC strings.
//!
//! One password has several encodings where it is not ASCII: *ä* as one character or as two, as the keyboard has it. So it
//! is hashed in the normalization form C (NIST SP 800-63B-4, 3.1.1.2). Hashes from before are of what was typed.

use super::hash_memory::HashMemory;
use crate::random::{self, RandomError};
use argon2::password_hash::phc::{Output, ParamsString, Salt};
use argon2::{ARGON2ID_IDENT, Algorithm, Argon2, PasswordHash, Version};
use aws_lc_rs::constant_time::verify_slices_are_equal;
use aws_lc_rs::digest::{SHA256, digest};
use icu_normalizer::{ComposingNormalizerBorrowed, DecomposingNormalizerBorrowed};
use std::collections::TryReserveError;
use std::sync::atomic::{AtomicU64, Ordering};
use zeroize::Zeroizing;

const SALT_LEN: usize = 16;
const HASH_LEN: usize = 32;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Params {
    /// Memory in KiB; at least 8 for each lane.
    pub memory_kib: u32,
    /// Passes over the memory; at least 1.
    pub passes: u32,
    /// Lanes, all computed by one thread; at least 1.
    pub lanes: u32,
}

impl Params {
    /// The minimum configuration of the OWASP Password Storage Cheat Sheet for Argon2id: 19 MiB, 2 passes, 1 lane;
    /// about 15 ms on one core.
    pub const OWASP: Params = Params { memory_kib: 19 * 1024, passes: 2, lanes: 1 };

    /// The minimum that Argon2 permits. Only for tests that are not about passwords.
    pub const CHEAPEST: Params = Params { memory_kib: 8, passes: 1, lanes: 1 };

    fn to_argon2(self) -> Result<argon2::Params, PasswordError> {
        argon2::Params::new(self.memory_kib, self.passes, self.lanes, Some(HASH_LEN)).map_err(|_| PasswordError::Params)
    }
}

/// Why a password could not be hashed or verified.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum PasswordError {
    #[error("the password hash's parameters are out of range")]
    Params,
    #[error("the operating system gave no random bytes")]
    Random,
    #[error("the stored password hash cannot be read")]
    Stored,
    /// The computation failed, probably for lack of memory.
    #[error("the password hash could not be computed")]
    Computation,
}

impl From<TryReserveError> for PasswordError {
    fn from(_: TryReserveError) -> Self {
        PasswordError::Computation
    }
}

impl From<RandomError> for PasswordError {
    fn from(_: RandomError) -> Self {
        PasswordError::Random
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum PasswordMatch {
    No,
    Yes,
    /// The password is right, but the stored hash has outdated parameters: rehash it.
    YesOutdated,
}

impl PasswordMatch {
    /// Whether the password is right, even if its hash is outdated.
    pub const fn is_match(self) -> bool {
        matches!(self, PasswordMatch::Yes | PasswordMatch::YesOutdated)
    }
}

/// Hashes passwords with one set of parameters, and verifies them against hashes with any parameters.
pub struct PasswordHasher {
    params: argon2::Params,
    memory: HashMemory,
    /// The hash for accounts without one: random bytes instead of a digest, so no password matches.
    dummy: String,
    verifications: AtomicU64,
}

impl PasswordHasher {
    /// Creates a hasher whose new hashes use `params`.
    pub fn new(params: Params) -> Result<Self, PasswordError> {
        let params = params.to_argon2()?;
        // A hash occupies one core.
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        Ok(Self {
            memory: HashMemory::new(params.block_count(), cores),
            dummy: phc(&params, &random::bytes::<SALT_LEN>()?, &random::bytes::<HASH_LEN>()?)?,
            params,
            verifications: AtomicU64::new(0),
        })
    }

    /// Hashes a password with a new salt; returns the PHC string.
    pub fn hash(&self, password: &str) -> Result<String, PasswordError> {
        let password = normalized(password);
        let salt = random::bytes::<SALT_LEN>()?;
        let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, self.params.clone());
        let output = self.compute(&argon2, &password, &salt)?;
        phc(&self.params, &salt, &output)
    }

    /// Verifies a password against a stored PHC string. `None`, for a user that does not exist or has no password,
    /// never matches and takes the same code path, so timing does not enable account enumeration: with a separate path,
    /// the times differed by one percent.
    pub fn verify(&self, password: &str, stored: Option<&str>) -> Result<PasswordMatch, PasswordError> {
        let stored = PasswordHash::new(stored.unwrap_or(&self.dummy)).map_err(|_| PasswordError::Stored)?;
        if self.matches(&normalized(password), &stored)? {
            return Ok(if self.is_current(&stored) { PasswordMatch::Yes } else { PasswordMatch::YesOutdated });
        }
        // Of what was typed alone, so that the time does not tell whether there is a hash.
        match other_form(password) {
            Some(other) if self.matches(&other, &stored)? => Ok(PasswordMatch::YesOutdated),
            _ => Ok(PasswordMatch::No),
        }
    }

    /// The number of verifications so far, dummies included.
    pub fn verifications(&self) -> u64 {
        self.verifications.load(Ordering::Relaxed)
    }

    fn matches(&self, password: &str, stored: &PasswordHash) -> Result<bool, PasswordError> {
        let (Some(salt), Some(expected)) = (&stored.salt, &stored.hash) else { return Err(PasswordError::Stored) };
        self.verifications.fetch_add(1, Ordering::Relaxed);
        let output = self.compute(&argon2_of(stored).ok_or(PasswordError::Stored)?, password, salt)?;
        Ok(verify_slices_are_equal(&output, expected.as_bytes()).is_ok())
    }

    fn compute(&self, argon2: &Argon2<'_>, password: &str, salt: &[u8]) -> Result<Vec<u8>, PasswordError> {
        let params = argon2.params();
        let mut output = vec![0; params.output_len().unwrap_or(HASH_LEN)];
        let done = self.memory.with_blocks(params.block_count(), |blocks| {
            argon2.hash_password_into_with_memory(password.as_bytes(), salt, &mut output, blocks)
        })?;
        done.map(|()| output).map_err(|_| PasswordError::Computation)
    }

    fn is_current(&self, stored: &PasswordHash) -> bool {
        stored.algorithm == ARGON2ID_IDENT
            && stored.version == Some(Version::V0x13.into())
            && stored.salt.as_ref().is_some_and(|salt| salt.len() >= SALT_LEN)
            && argon2::Params::try_from(stored).is_ok_and(|params| params == self.params)
    }
}

impl std::fmt::Debug for PasswordHasher {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PasswordHasher").field("params", &self.params).finish_non_exhaustive()
    }
}

/// A password as it is hashed and compared.
pub fn normalized(password: &str) -> Zeroizing<String> {
    Zeroizing::new(ComposingNormalizerBorrowed::new_nfc().normalize(password).into_owned())
}

/// What an older hash may be of: the bytes as they were typed, now or on another keyboard.
fn other_form(password: &str) -> Option<Zeroizing<String>> {
    if *normalized(password) != password {
        return Some(Zeroizing::new(password.to_owned()));
    }
    let decomposed = Zeroizing::new(DecomposingNormalizerBorrowed::new_nfd().normalize(password).into_owned());
    (*decomposed != password).then_some(decomposed)
}

/// The fingerprint of a stored hash. What is bound to it is invalidated when another password is set.
pub fn fingerprint(stored: &str) -> [u8; 32] {
    let mut fingerprint = [0; 32];
    fingerprint.copy_from_slice(digest(&SHA256, stored.as_bytes()).as_ref());
    fingerprint
}

fn phc(params: &argon2::Params, salt: &[u8], output: &[u8]) -> Result<String, PasswordError> {
    let hash = PasswordHash {
        algorithm: ARGON2ID_IDENT,
        version: Some(Version::V0x13.into()),
        params: ParamsString::try_from(params).map_err(|_| PasswordError::Params)?,
        salt: Some(Salt::new(salt).map_err(|_| PasswordError::Params)?),
        hash: Some(Output::new(output).map_err(|_| PasswordError::Params)?),
    };
    Ok(hash.to_string())
}

/// The algorithm and parameters of a stored hash.
fn argon2_of(stored: &PasswordHash) -> Option<Argon2<'static>> {
    let algorithm = Algorithm::try_from(stored.algorithm.as_str()).ok()?;
    let version = stored.version.map_or(Ok(Version::default()), Version::try_from).ok()?;
    Some(Argon2::new(algorithm, version, argon2::Params::try_from(stored).ok()?))
}

#[cfg(test)]
#[path = "password_tests.rs"]
mod tests;
