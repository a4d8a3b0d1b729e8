//! What differs between two runs that say the same, in one list: snapshots hold a name in its place.

use regex::{Captures, Regex};
use std::collections::HashMap;
use std::sync::LazyLock;

const TOKEN: &str = "[token #]";

/// Patterns with their replacements, in the order in which they are applied. A replacement with `#` counts the different
/// values of its kind in one text, so that a snapshot shows which of them are the same.
const VARYING: &[(&str, &str)] = &[
    // Where the test runs.
    // Ports of tests have five digits, documented ones four at most.
    (r"(?:127\.0\.0\.1|localhost|\[::1\]):\d{5}\b", "[host #]"),
    (r"127\.0\.0\.1%3A\d{5}\b", "[host]"),
    (r#"[^\s=(<>"',:{`]*/doorward-test-[\w-]+"#, "[folder]"),
    (r"\btest_\d+(?:_\d+)?\b", "[database]"),
    (concat!(r"\b", env!("CARGO_PKG_VERSION"), r"\b"), "[version]"),
    // Headers. The length of a body depends on what else is redacted.
    (r"(?m)^(date|content-length|x-request-id): .*$", "$1: [varies]"),
    (r"\b(request|traceparent|micros)=\S+", "$1=[varies]"),
    // Waits, of the header, the pages' countdowns and their sentences; how long they are remains, roughly.
    (r#"\b(retry-after: |data-(?:countdown|wait)=")(?:[6-9]|\d\d)\b"#, "$1[6 to 99 s]"),
    (r#"\b(retry-after: |data-(?:countdown|wait)=")\d{3}\b"#, "$1[100 to 999 s]"),
    (r#"\b(retry-after: |data-(?:countdown|wait)=")\d{4,}\b"#, "$1[1000 s or more]"),
    (r"\b(Try again in|Send again in) \d+ (second|minute|hour)s?", "$1 [some] ${2}s"),
    // A session's end, by the clock of the answer.
    (r"\bMax-Age=12095\d\d\b", "Max-Age=1209600"),
    // The system's words.
    (r"(failed to lookup address information): [^;\n]+", "$1: [reason]"),
    (r#""(request|micros)":(?:"[^"]*"|\d+)"#, r#""$1":"[varies]""#),
    // What is signed or hashed, in base64.
    (r"\bv1,[A-Za-z0-9+/]{43}=", "v1,[signature]"),
    (r"\bsha256-[A-Za-z0-9+/]{43}=", "sha256-[hash]"),
    // The gate's pages carry `assets/app.css`, an email begins its own on a line.
    (r"(?s)<style>[^\n].*?</style>", "<style>[styles]</style>"),
    // Assets are named by their content.
    (r"\.[0-9a-f]{16}\.(css|js|svg|png|ico)\b", ".[hash].$1"),
    (r"<dd><code>[0-9a-f]{16}</code></dd>", "<dd><code>[request id]</code></dd>"),
    (r"(%(?:25)*2F)[0-9a-f]{8}(?:(?:-|%(?:25)*2D)[0-9a-f]{4}){3}(?:-|%(?:25)*2D)[0-9a-f]{12}", "$1[id]"),
    (r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b", "[id #]"),
    // A user in the options of a passkey.
    (r"(;id&#34;:&#34;)[\w-]{22}(&#34;)", "$1[handle]$2"),
    // Tokens: signed, of links and cookies (32 bytes), of API keys.
    (r"\beyJ[\w-]+\.[\w-]+\.[\w-]+", "[jwt #]"),
    (r"\b(\w+key_)[0-9a-z]{16}_[\w-]{40,}", "$1[api key #]"),
    // What only the page of a form shows.
    (r#"(name="page" value=")[\w-]{40,}""#, "$1[page]\""),
    // A login with a provider, in an address and in the query of another one.
    (r"(state(?:=|%(?:25)*3D))(?:[A-Za-z0-9_-]|%(?:25)*(?:2D|5F)){43}", "$1[state]"),
    (r"\b(Referen[cz]e?: )[0-9a-f]{8}\b", "$1[reference]"),
    // Within the query of another address; before the others, which would take the end of its `%2F` along.
    (r"(%(?:25)*2F)(?:[A-Za-z0-9_-]|%(?:25)*(?:2D|5F)){43}", "$1[token]"),
    (r"[A-Za-z0-9_-]{40,}={0,2}", TOKEN),
    (r"\b[0-9a-f]{64}\b", "[hash #]"),
    // Recovery codes, and keys of authenticator apps.
    (r"(\b|%0A)(?:[0-9a-z]{4}(?:-|%2D)){3}[0-9a-z]{4}\b", "$1[recovery code]"),
    (r"\b(?:[A-Z2-7]{4} ?){8}\b", "[authenticator key]"),
    (r#"(?s)<svg class="qr.*?</svg>"#, "[qr code]"),
    // Made passwords, ids of API keys and of messages.
    (r#"(?i)\b(password"?: "?)[a-z0-9]{20}\b"#, "$1[password]"),
    (
        r#"(?m)(^|"id": "|"key_id":"|"rotated_to": "|[Kk]ey \\?"?|already: |, to |rotate |revoke )[0-9a-z]{16}\b"#,
        "$1[key id]",
    ),
    (r"\b[0-9a-z]{16}( (?:users|organizations|platform):)", "[key id]$1"),
    (r"\b[0-9a-f]{32}\b", "[id]"),
    // A place in a list.
    (r"\b\d{16}-\[id", "[microseconds]-[id"),
    // Times, of HTTP, of records and in both languages.
    (r#"(?i)(webhook-timestamp: |"(?:iat|exp)": ?)\d{10}\b"#, "$1[unix time]"),
    (r"\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT", "[http time]"),
    (r"\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{1,2} \w{3} \d{4} \d\d:\d\d:\d\d \+0000", "[mail time]"),
    (r"\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", "[time]"),
    (r"\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", "[time in seconds]"),
    (r"\b\d{4}-\d\d-\d\dT\d\d:\d\dZ", "[time in minutes]"),
    (r"\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?\+00:00", "[time with offset]"),
    (r"\b\d{4}-\d\d-\d\d \d\d:\d\d(?::\d\d)?(?: UTC)?", "[time]"),
    (r"\b\d{4}-\d\d-\d\d\b", "[day]"),
    (r"\b\d{1,2}\.? \p{L}+ \d{4}, \d\d:\d\d(?: Uhr)?(?: UTC| \(UTC\))?", "[moment]"),
    (r#"( data-local="clock">)[^<]+"#, "$1[clock]"),
    (r#"( title="\[moment\]">)[^<]+"#, "$1[how long ago]"),
    (r"\b\d{1,2}\.? (?:\p{Lu}\p{L}+) 20\d\d\b", "[day]"),
    // Of cookies, and by the clock of a command; a column is as wide as what it holds.
    (r"\b1[789]\d{8}\b", "[seconds]"),
    (r"\b(?:\d+[hms]){1,2} ago( {2})? *", "[ago]$1"),
    (r"\bdiffer by \d+ s\b", "differ by [duration]"),
    (r"\b(?:\d+[hms]){1,2} old\b", "[age] old"),
    (r"\bdue in \w+( {2})? *", "due in [duration]$1"),
    (r"\bcan be written in \w+", "can be written in [duration]"),
    (r"\bWHEN +LAST\b", "WHEN  LAST"),
    // What took how long.
    (r" *\b(?:\d+ (?:us|ms)|\d+\.\d\d s)\b", " [duration]"),
    (r#"("(?:\w+_ms|\w+_age_seconds|p50|p95|p99)": )[\d.]+"#, "$1[duration]"),
    (r"(?m)boundary=\S+$", "boundary=[varies]"),
    // Of emails, and of authenticator apps.
    (r#"(?m)(^|[\s>"])\d{6}\b"#, "$1[code]"),
];

static PATTERNS: LazyLock<Vec<(Regex, &str)>> =
    LazyLock::new(|| VARYING.iter().map(|(pattern, name)| (Regex::new(pattern).unwrap(), *name)).collect());

/// The text without what differs from run to run.
pub fn redact(text: &str) -> String {
    PATTERNS.iter().fold(text.to_owned(), |text, (pattern, replacement)| {
        let mut seen: HashMap<String, usize> = HashMap::new();
        let replaced = |found: &Captures<'_>| {
            if *replacement == TOKEN && !is_random(&found[0]) {
                return found[0].to_owned();
            }
            let mut text = String::new();
            found.expand(replacement, &mut text);
            if !replacement.contains('#') {
                return text;
            }
            let next = seen.len() + 1;
            text.replace('#', &seen.entry(found[0].to_owned()).or_insert(next).to_string())
        };
        pattern.replace_all(&text, replaced).into_owned()
    })
}

/// Names of metrics, and lines of a table, are as long as tokens. No 32 random bytes are without letters of both cases.
fn is_random(text: &str) -> bool {
    text.contains(|c: char| c.is_ascii_uppercase()) && text.contains(|c: char| c.is_ascii_lowercase())
}
