//! API keys as text: `svckey_<id>_<secret><checksum>`. The prefix, which is made from the service's name, and the
//! checksum let scanners find a key that has leaked.

use crate::model::api_key::ApiKeyId;
use crate::random::{self, RandomError};
use crate::settings::ServiceName;
use aws_lc_rs::constant_time::verify_slices_are_equal;
use aws_lc_rs::digest::{SHA256, digest};
use std::fmt;
use zeroize::Zeroizing;

const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const ID_ALPHABET: &[u8; 36] = b"0123456789abcdefghijklmnopqrstuvwxyz";
/// 16 characters of 36: 82 bits, so that no two keys meet.
const ID_LENGTH: usize = 16;
/// 43 characters of 62: 256 bits, so an unkeyed hash resists brute force.
const SECRET_LENGTH: usize = 43;
const CHECKSUM_LENGTH: usize = 6;

/// The SHA-256 of the random part of a key.
#[derive(Clone, Copy)]
pub struct ApiKeyHash([u8; 32]);

impl ApiKeyHash {
    fn of(secret: &str) -> Self {
        let mut hash = [0; 32];
        hash.copy_from_slice(digest(&SHA256, secret.as_bytes()).as_ref());
        Self(hash)
    }

    pub const fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// Whether this is the stored hash, in constant time.
    pub fn is(&self, stored: &[u8]) -> bool {
        verify_slices_are_equal(&self.0, stored).is_ok()
    }
}

pub struct GeneratedApiKey {
    /// The part that is no secret.
    pub id: ApiKeyId,
    /// The whole key, shown once.
    pub text: Zeroizing<String>,
    /// The hash of its random part.
    pub hash: ApiKeyHash,
}

impl GeneratedApiKey {
    pub fn generate(service: &ServiceName) -> Result<Self, RandomError> {
        let id = ApiKeyId(random_text(ID_ALPHABET, ID_LENGTH)?.to_string());
        let secret = random_text(ALPHABET, SECRET_LENGTH)?;
        let body = Zeroizing::new(format!("{}{id}_{}", prefix(service), *secret));
        let text = Zeroizing::new(format!("{}{}", *body, checksum(&body)));
        Ok(Self { id, text, hash: ApiKeyHash::of(&secret) })
    }
}

impl fmt::Debug for GeneratedApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GeneratedApiKey").field("id", &self.id).finish_non_exhaustive()
    }
}

/// A presented key of the right form.
pub struct PresentedApiKey {
    /// Which key it claims to be.
    pub id: ApiKeyId,
    /// The hash of its random part.
    pub hash: ApiKeyHash,
}

impl PresentedApiKey {
    /// Reads a key of this service; `None` if it is malformed or its checksum is wrong.
    pub fn parse(service: &ServiceName, text: &str) -> Option<Self> {
        let (id, rest) = text.strip_prefix(&prefix(service))?.split_once('_')?;
        let (secret, sum) = rest.split_at_checked(SECRET_LENGTH)?;
        let is_id = id.len() == ID_LENGTH && id.bytes().all(|byte| byte.is_ascii_digit() || byte.is_ascii_lowercase());
        let is_secret = secret.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let body = text.strip_suffix(sum)?;
        let is_key = is_id && is_secret && sum.len() == CHECKSUM_LENGTH && sum == checksum(body);
        is_key.then(|| Self { id: ApiKeyId(id.to_owned()), hash: ApiKeyHash::of(secret) })
    }

    /// What takes the place of a key that is malformed, so that it costs as much as any other wrong one: no key has
    /// this id.
    pub fn malformed(text: &str) -> Self {
        Self { id: ApiKeyId(String::new()), hash: ApiKeyHash::of(text) }
    }
}

fn prefix(service: &ServiceName) -> String {
    format!("{}key_", service.as_str())
}

/// Characters of the alphabet, each as likely as any other.
fn random_text(alphabet: &[u8], length: usize) -> Result<Zeroizing<String>, RandomError> {
    let fair = 256 - 256 % alphabet.len();
    let mut text = Zeroizing::new(String::with_capacity(length));
    while text.len() < length {
        let bytes = Zeroizing::new(random::bytes::<64>()?);
        let indexes = bytes.iter().map(|byte| usize::from(*byte)).filter(|index| *index < fair);
        let missing = length - text.len();
        text.extend(indexes.take(missing).map(|index| char::from(alphabet[index % alphabet.len()])));
    }
    Ok(text)
}

/// CRC-32 (ISO 3309) of what stands before it, as six digits to the base 62.
fn checksum(text: &str) -> String {
    let mut rest = !text.bytes().fold(u32::MAX, |crc, byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| (crc >> 1) ^ (0xedb8_8320 & (crc & 1).wrapping_neg()))
    });
    let mut digits = [0; CHECKSUM_LENGTH];
    for digit in digits.iter_mut().rev() {
        *digit = ALPHABET[(rest % 62) as usize];
        rest /= 62;
    }
    digits.iter().copied().map(char::from).collect()
}

#[cfg(test)]
#[path = "api_key_tests.rs"]
mod tests;
