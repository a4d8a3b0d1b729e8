//! Request ids (docs/reference/protocol.md 16.2).

/// The id of a request, in `X-Request-Id` and in every log line about it.
#[derive(Clone, Copy, Debug, Default)]
pub struct RequestId(u64);

impl RequestId {
    /// A random id: two of them do not tell how many requests came between. The generator keeps its state in the
    /// thread, so this asks the operating system seldom; if that has no random bytes, the id is zero.
    pub fn generate() -> Self {
        Self(crate::random::bytes().map_or(0, u64::from_le_bytes))
    }
}

impl std::fmt::Display for RequestId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}
