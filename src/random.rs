//! Randomness, from the operating system through the crypto library, and the ids made of it.

use crate::model::time::Time;
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
    Ok(v7(now, bytes()?))
}

/// A UUID as [`uuid_v7`] makes it, that sorts after those of the same `now` with a smaller `place`: RFC 9562, 6.2,
/// method 1, with a counter of 26 bits in the place of the first random ones; 48 random bits are left.
pub fn uuid_v7_at(now: Time, place: u32) -> Result<Uuid, RandomError> {
    let mut random: [u8; 10] = bytes()?;
    // 12 bits stand behind the version's four, 14 more behind the variant's two.
    let [.., high_first, high_second] = (place >> 14).to_be_bytes();
    let [.., low_first, low_second] = (place & 0x3fff).to_be_bytes();
    random[..4].copy_from_slice(&[high_first, high_second, low_first, low_second]);
    Ok(v7(now, random))
}

/// No UUID that [`uuid_v7`] or [`uuid_v7_at`] made at `now` or later sorts before this one.
pub fn uuid_least(now: Time) -> Uuid {
    v7(now, [0; 10])
}

fn v7(now: Time, random: [u8; 10]) -> Uuid {
    let millis = u64::try_from(now.as_micros() / 1000).unwrap_or(0);
    uuid::Builder::from_unix_timestamp_millis(millis, &random).into_uuid()
}

#[cfg(test)]
#[path = "random_tests.rs"]
mod tests;
