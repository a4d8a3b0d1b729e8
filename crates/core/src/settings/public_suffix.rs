//! Domains below which anybody may have a name, such as `co.uk` and `duckdns.org`: browsers take no cookies for them
//! (RFC 6265, 5.3). `third-party.md` names the source of the list.

use crate::model::sorted_lines;

/// The rules of more than one label, in lower case, as A-labels.
static RULES: &[u8] = include_bytes!("../../assets/public-suffixes.txt");

/// Whether a domain of more than one label is a public suffix. A rule that begins with `*.` is for every name there, but
/// for those with a rule that begins with `!`.
pub(super) fn is_public_suffix(domain: &str) -> bool {
    let has_rule = |rule: &str| sorted_lines::contains(RULES, rule);
    let Some((_, parent)) = domain.split_once('.') else { return false };
    has_rule(domain) || (has_rule(&format!("*.{parent}")) && !has_rule(&format!("!{domain}")))
}

#[cfg(test)]
#[path = "public_suffix_tests.rs"]
mod tests;
