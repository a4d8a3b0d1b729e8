//! What differs between two runs that say the same, in one list: snapshots hold a name in its place.

use regex::{Captures, Regex};
use std::collections::HashMap;
use std::sync::LazyLock;

/// Patterns with their replacements, in the order in which they are applied. A replacement with `#` counts the different
/// values of its kind in one text, so that a snapshot shows which of them are the same.
const VARYING: &[(&str, &str)] = &[
    // Where the test runs.
    (r"(?:127\.0\.0\.1|localhost|\[::1\]):\d{2,5}", "[host]"),
    (r"[^\s=(<>]*/doorward-test-[\w-]+", "[folder]"),
    (r"\btest_\d+(?:_\d+)?\b", "[database]"),
    (concat!(r"\b", env!("CARGO_PKG_VERSION_MAJOR"), r"\.", env!("CARGO_PKG_VERSION_MINOR"), r"\.\d+\b"), "[version]"),
    // Headers. The length of a body depends on what else is redacted.
    (r"(?m)^(date|content-length|x-request-id): .*$", "$1: [varies]"),
    (r"\b(request|traceparent|micros)=\S+", "$1=[varies]"),
    // Waits, of the header, the pages' countdowns and their sentences.
    (r"\bretry-after: \d+", "retry-after: [seconds]"),
    (r#"data-(countdown|wait)="\d+""#, "data-$1=\"[seconds]\""),
    (r"\b(Try again in|Send again in) \d+ (?:second|minute|hour)s?", "$1 [wait]"),
    (r#""(request|micros)":(?:"[^"]*"|\d+)"#, r#""$1":"[varies]""#),
    // What is signed or hashed, in base64.
    (r"\bv1,[A-Za-z0-9+/]{43}=", "v1,[signature]"),
    (r"\bsha256-[A-Za-z0-9+/]{43}=", "sha256-[hash]"),
    // The gate's pages carry `assets/app.css`, an email begins its own on a line.
    (r"(?s)<style>[^\n].*?</style>", "<style>[styles]</style>"),
    // Assets are named by their content.
    (r"\.[0-9a-f]{16}\.(css|js|svg|png|ico)\b", ".[hash].$1"),
    (r"(%(?:25)*2F)[0-9a-f]{8}(?:(?:-|%(?:25)*2D)[0-9a-f]{4}){3}(?:-|%(?:25)*2D)[0-9a-f]{12}", "$1[id]"),
    (r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b", "[id #]"),
    // A user in the options of a passkey.
    (r"(;id&#34;:&#34;)[\w-]{22}(&#34;)", "$1[handle]$2"),
    // Tokens: signed, of links and cookies (32 bytes), of API keys.
    (r"\beyJ[\w-]+\.[\w-]+\.[\w-]+", "[jwt #]"),
    (r"\b[\w-]*_sk_[\w-]+", "[api key #]"),
    // Within the query of another address; before the others, which would take the end of its `%2F` along.
    (r"(%(?:25)*2F)(?:[A-Za-z0-9_-]|%(?:25)*(?:2D|5F)){43}", "$1[token]"),
    (r"[A-Za-z0-9_-]{40,}={0,2}", "[token #]"),
    // Recovery codes, and keys of authenticator apps.
    (r"(?:[0-9a-z]{4}(?:-|%2D)){3}[0-9a-z]{4}\b", "[recovery code]"),
    (r"\b(?:[A-Z2-7]{4} ?){8}\b", "[authenticator key]"),
    (r#"(?s)<svg class="qr.*?</svg>"#, "[qr code]"),
    // Made passwords, ids of API keys and of messages.
    (r#"(?i)\b(password"?: "?)[a-z0-9]{20}\b"#, "$1[password]"),
    (r#"(?m)(^|"id": "|"rotated_to": "|[Kk]ey \\?"?|already: |, to |rotate |revoke )[0-9a-z]{16}\b"#, "$1[key id]"),
    (r"\b[0-9a-f]{32}\b", "[id]"),
    // Times, of HTTP, of records and in both languages.
    (r#"(?i)(webhook-timestamp: |"(?:iat|exp)": ?)\d{10}\b"#, "$1[unix time]"),
    (r"\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT", "[http time]"),
    (r"\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{1,2} \w{3} \d{4} \d\d:\d\d:\d\d \+0000", "[mail time]"),
    (r"\b\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|\+00:00)", "[time]"),
    (r"\b\d{4}-\d\d-\d\d \d\d:\d\d(?::\d\d)?(?: UTC)?", "[time]"),
    (r"\b\d{4}-\d\d-\d\d\b", "[day]"),
    (r"\b\d{1,2}\.? \p{L}+ \d{4}, \d\d:\d\d(?: Uhr)?(?: UTC| \(UTC\))?", "[moment]"),
    (r#"( title="\[moment\]">)[^<]+"#, "$1[how long ago]"),
    (r"\b\d{1,2}\.? (?:\p{Lu}\p{L}+) 20\d\d\b", "[day]"),
    // Of cookies, and by the clock of a command; a column is as wide as what it holds.
    (r"\b1[789]\d{8}\b", "[seconds]"),
    (r"\b(?:\d+[hms]){1,2} ago( {2})? *", "[ago]$1"),
    (r"\bdiffer by \d+ s\b", "differ by [duration]"),
    (r"\b(?:\d+[hms]){1,2} old\b", "[age] old"),
    (r"\bdue in \w+( {2})? *", "due in [duration]$1"),
    (r"\bWHEN +LAST\b", "WHEN  LAST"),
    // What took how long.
    (r" *\b(?:\d+ (?:us|ms)|\d+\.\d\d s)\b", " [duration]"),
    (r#"("(?:\w+_ms|\w+_age_seconds|p50|p95|p99)": )[\d.]+"#, "$1[duration]"),
    (r"(?m)boundary=\S+$", "boundary=[varies]"),
    // Of emails, and of authenticator apps.
    (r#"(?m)(^|[\s>"=])\d{6}\b"#, "$1[code]"),
];

static PATTERNS: LazyLock<Vec<(Regex, &str)>> =
    LazyLock::new(|| VARYING.iter().map(|(pattern, name)| (Regex::new(pattern).unwrap(), *name)).collect());

/// The text without what differs from run to run.
pub fn redact(text: &str) -> String {
    PATTERNS.iter().fold(text.to_owned(), |text, (pattern, replacement)| {
        if !replacement.contains('#') {
            return pattern.replace_all(&text, *replacement).into_owned();
        }
        let mut seen: HashMap<String, usize> = HashMap::new();
        let numbered = |found: &Captures<'_>| {
            let next = seen.len() + 1;
            replacement.replace('#', &seen.entry(found[0].to_owned()).or_insert(next).to_string())
        };
        pattern.replace_all(&text, numbered).into_owned()
    })
}
