//! A caller's place in a distributed trace.

use std::fmt;

/// The parent of what is done for a caller: the header `traceparent` of W3C Trace Context.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TraceParent {
    /// Names the whole trace; not zero.
    pub trace_id: u128,
    /// Names the caller's span; not zero.
    pub span_id: u64,
    /// Whether the caller records its part.
    pub sampled: bool,
}

impl TraceParent {
    /// Parses a header, also of a newer version, which has at least the same fields (W3C Trace Context, 3.2 and 4.3).
    pub fn parse(text: &str) -> Option<Self> {
        let (version, rest) = text.split_at_checked(2)?;
        let version = hex(version, 2)?;
        let mut fields = rest.strip_prefix('-')?.splitn(4, '-');
        let trace_id = hex(fields.next()?, 32)?;
        let span_id = u64::try_from(hex(fields.next()?, 16)?).ok()?;
        let flags = hex(fields.next()?, 2)?;
        let is_known = version != 0xff && (version != 0 || fields.next().is_none());
        let parent = Self { trace_id, span_id, sampled: flags & 1 == 1 };
        (is_known && trace_id != 0 && span_id != 0).then_some(parent)
    }

    /// The name of the trace, as logs and collectors show it.
    pub fn trace(&self) -> String {
        format!("{:032x}", self.trace_id)
    }
}

/// The field of a header to be sent.
impl fmt::Display for TraceParent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "00-{:032x}-{:016x}-{:02x}", self.trace_id, self.span_id, u8::from(self.sampled))
    }
}

/// What a request says of the trace that it belongs to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CallerTrace {
    /// Nothing that is valid.
    #[default]
    Absent,
    /// Its place, by a proxy that is trusted: the request belongs there.
    Trusted(TraceParent),
    /// By anyone else, who could join any trace and have it recorded: the request's own is a new one, with a link to
    /// theirs.
    Untrusted(TraceParent),
}

impl CallerTrace {
    /// The place that the request has in its caller's trace.
    pub const fn parent(self) -> Option<TraceParent> {
        match self {
            Self::Trusted(parent) => Some(parent),
            Self::Absent | Self::Untrusted(_) => None,
        }
    }

    /// The place that the request's span has a link to.
    pub const fn link(self) -> Option<TraceParent> {
        match self {
            Self::Untrusted(link) => Some(link),
            Self::Absent | Self::Trusted(_) => None,
        }
    }
}

/// A number of that many digits, in lower case as the header demands.
fn hex(text: &str, digits: usize) -> Option<u128> {
    let is_hex = text.len() == digits && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    if is_hex { u128::from_str_radix(text, 16).ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PARENT: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    #[test]
    fn header_is_read_and_written() {
        let parent = TraceParent::parse(PARENT).map(|parent| parent.to_string());
        assert_eq!(parent.as_deref(), Some(PARENT));
        let unsampled = TraceParent::parse(&PARENT.replace("-01", "-02")).map(|parent| parent.sampled);
        assert_eq!(unsampled, Some(false));
    }

    #[test]
    fn newer_version_may_have_more_fields() {
        let newer = PARENT.replacen("00", "cc", 1) + "-what-the-future-will-be";
        assert_eq!(TraceParent::parse(&newer).map(|parent| parent.to_string()).as_deref(), Some(PARENT));
    }

    #[test]
    fn invalid_headers_are_refused() {
        let cut = &PARENT[..54];
        let upper = PARENT.to_ascii_uppercase();
        for text in [
            "",
            "0",
            "é",
            "00",
            "00-",
            cut,
            &upper,
            &format!("{PARENT}-00"),
            &PARENT.replacen("00", "ff", 1),
            &PARENT.replace("4bf92f3577b34da6a3ce929d0e0e4736", &"0".repeat(32)),
            &PARENT.replace("00f067aa0ba902b7", &"0".repeat(16)),
            &PARENT.replace("-01", "-+1"),
            &format!(" {PARENT}"),
        ] {
            assert_eq!(TraceParent::parse(text), None, "{text}");
        }
    }
}
