//! The domain of an email address: kept as A-labels, shown in letters (Unicode Technical Standard 46).

use icu_properties::CodePointMapData;
use icu_properties::props::Script;
use idna::uts46::{AsciiDenyList, DnsLength, Hyphens, Uts46};
use std::borrow::Cow;

/// Longer texts are no domain names: their A-labels may have 253 characters.
const MAX_TYPED_LEN: usize = 1024;

/// The domain with A-labels (UTS 46, nontransitional); `None` if it cannot be a domain name. One without letters beyond
/// ASCII and without A-labels stays as it is.
pub fn to_a_labels(domain: &str) -> Option<Cow<'_, str>> {
    if domain.is_ascii() && !has_a_label(domain) {
        return Some(Cow::Borrowed(domain));
    }
    if domain.len() > MAX_TYPED_LEN {
        return None;
    }
    Uts46::new().to_ascii(domain.as_bytes(), AsciiDenyList::STD3, Hyphens::CheckFirstLast, DnsLength::Verify).ok()
}

/// The address with its domain as A-labels; as it is if it has no domain name.
pub fn with_a_labels(address: &str) -> Cow<'_, str> {
    match address.rsplit_once('@').map(|(local, domain)| (local, to_a_labels(domain))) {
        Some((local, Some(Cow::Owned(domain)))) => Cow::Owned(format!("{local}@{domain}")),
        _ => Cow::Borrowed(address),
    }
}

/// The form in which addresses are compared, and usernames, which have no `@`.
pub fn key(typed: &str) -> String {
    fold(&with_a_labels(typed.trim()))
}

/// The form in which names are compared.
pub fn fold(text: &str) -> String {
    text.trim().to_lowercase()
}

/// The address as people read it: its domain in letters, where they show which domain it is.
///
/// Letters must lead back to the same A-labels, and must not look like those of another domain: the domain has one
/// script, or a mixture that is usual with Latin letters (UTS 39, 5.2: highly restrictive). Anything else stays in
/// A-labels.
pub fn in_letters(address: &str) -> Cow<'_, str> {
    let Some((local, domain)) = address.rsplit_once('@').filter(|(_, domain)| has_a_label(domain)) else {
        return Cow::Borrowed(address);
    };
    let (letters, valid) = Uts46::new().to_unicode(domain.as_bytes(), AsciiDenyList::STD3, Hyphens::CheckFirstLast);
    let leads_back = || to_a_labels(&letters).is_some_and(|labels| labels.eq_ignore_ascii_case(domain));
    if valid.is_ok() && is_unmistakable(&letters) && leads_back() {
        Cow::Owned(format!("{local}@{letters}"))
    } else {
        Cow::Borrowed(address)
    }
}

fn has_a_label(domain: &str) -> bool {
    domain.split('.').any(|label| label.get(..4).is_some_and(|prefix| prefix.eq_ignore_ascii_case("xn--")))
}

/// Whether the scripts of a domain, all labels together, are one or a usual mixture.
fn is_unmistakable(domain: &str) -> bool {
    let scripts = CodePointMapData::<Script>::new();
    let (mut latin, mut han, mut kana, mut other) = (false, false, false, None);
    for c in domain.chars() {
        match scripts.get(c) {
            // Digits, hyphen and dot; no other signs.
            Script::Common if c.is_alphanumeric() || matches!(c, '-' | '.') => {}
            Script::Latin if is_usual_latin(c) => latin = true,
            Script::Han => han = true,
            Script::Hiragana | Script::Katakana => kana = true,
            // Marks that any letter can have.
            Script::Common | Script::Inherited | Script::Latin => return false,
            script if other.is_none_or(|other| other == script) => other = Some(script),
            _ => return false,
        }
    }
    match other {
        None => true,
        Some(Script::Hangul | Script::Bopomofo) => !kana,
        Some(_) => !(latin || han || kana),
    }
}

/// Latin letters of today's languages: not those of phonetic alphabets, some of which look like `a` or `g`.
fn is_usual_latin(c: char) -> bool {
    c <= '\u{24f}' || ('\u{1e00}'..='\u{1eff}').contains(&c)
}

#[cfg(test)]
#[path = "mail_domain_tests.rs"]
mod tests;
