//! Randomness, from the operating system through the crypto library, and the ids made of it.

use crate::clock::Time;
use uuid::Uuid;

/// The operating system gave no random bytes.
#[derive(Debug, thiserror::Error)]
#[error("the operating system gave no random bytes")]
pub struct RandomError;

/// `N` unpredictable bytes.
pub fn bytes<const N: usize>() -> Result<[u8; N], RandomError> {
    let mut bytes = [0; N];
    #[expect(clippy::disallowed_methods, reason = "the one place that draws random bytes")]
    aws_lc_rs::rand::fill(&mut bytes).map_err(|_| RandomError)?;
    Ok(bytes)
}

/// A random UUID (RFC 9562, version 4).
pub fn uuid_v4() -> Result<Uuid, RandomError> {
    Ok(uuid::Builder::from_random_bytes(bytes()?).into_uuid())
}

/// A UUID that sorts by `now` (RFC 9562, version 7): ids of rows that are read in the order of their making.
pub fn uuid_v7(now: Time) -> Result<Uuid, RandomError> {
    let millis = u64::try_from(now.as_micros() / 1000).unwrap_or(0);
    Ok(uuid::Builder::from_unix_timestamp_millis(millis, &bytes()?).into_uuid())
}
