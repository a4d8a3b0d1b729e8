//! Random bytes, from the operating system through the crypto library, and UUIDs.

use crate::model::time::Time;
use uuid::Uuid;

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

/// A UUID that sorts by `now` (RFC 9562, version 7), for rows that are read in the order of their creation.
pub fn uuid_v7(now: Time) -> Result<Uuid, RandomError> {
    Ok(v7(now, bytes()?))
}

/// As [`uuid_v7`], with a counter: sorts after those of the same `now` with a smaller counter. RFC 9562, 6.2, method 1,
/// with a counter of 26 bits instead of the first random ones; 48 random bits remain.
pub fn uuid_v7_with_counter(now: Time, counter: u32) -> Result<Uuid, RandomError> {
    let mut random: [u8; 10] = bytes()?;
    // 12 bits follow the version's four, 14 more the variant's two.
    let [.., high_first, high_second] = (counter >> 14).to_be_bytes();
    let [.., low_first, low_second] = (counter & 0x3fff).to_be_bytes();
    random[..4].copy_from_slice(&[high_first, high_second, low_first, low_second]);
    Ok(v7(now, random))
}

/// As [`uuid_v7`], also by what is less than a millisecond: lists by id are then lists by time.
pub fn uuid_v7_with_micros(now: Time) -> Result<Uuid, RandomError> {
    let micros = u32::try_from(now.as_micros().rem_euclid(1000)).unwrap_or_default();
    uuid_v7_with_counter(now, micros)
}

/// The least UUID that [`uuid_v7`] or [`uuid_v7_with_counter`] can return at `now` or later.
pub fn uuid_v7_min(now: Time) -> Uuid {
    v7(now, [0; 10])
}

fn v7(now: Time, random: [u8; 10]) -> Uuid {
    let millis = u64::try_from(now.as_micros() / 1000).unwrap_or(0);
    uuid::Builder::from_unix_timestamp_millis(millis, &random).into_uuid()
}

#[cfg(test)]
#[path = "random_tests.rs"]
mod tests;
