//! The words by which administrators find people: how they are taken from an account, and read from what was typed.

use super::mail_domain;
use super::placeholder_email::is_placeholder;
use super::visible::{is_invisible, visible_words};
use std::collections::BTreeSet;

/// Words of one account. Sixty people in a thousand million have more, and are found by the others.
const MAX_WORDS: usize = 100;
/// In characters: a whole address fits. Of a longer word the beginning is kept.
const MAX_WORD_LEN: usize = 254;
/// In characters, of what is typed.
const MAX_TYPED_LEN: usize = 200;
/// In characters, all terms together: fewer would fit a large part of all people.
const MIN_TYPED_LEN: usize = 2;
/// Each term is looked up once for each place of the index that a page reads.
const MAX_TERMS: usize = 10;

/// The words of an account: its folded email address and username as a whole, `@` with the domain, and each word of the
/// name, of the username and of the local part of the address. An address that stands for none gives no words.
pub fn words_of(email_key: &str, username_key: &str, name: Option<&str>) -> BTreeSet<String> {
    let email = Some(email_key).filter(|email| !is_placeholder(email));
    let (local, domain) = email.and_then(|email| email.rsplit_once('@')).unzip();
    let whole = email.map(str::to_owned).into_iter().chain([username_key.to_owned()]);
    let whole = whole.chain(domain.map(|domain| format!("@{domain}")));
    let parts = [name, Some(username_key), local].into_iter().flatten().flat_map(parts);
    let mut words = BTreeSet::new();
    for word in whole.chain(parts).filter(|word| !word.is_empty()) {
        if words.len() == MAX_WORDS {
            break;
        }
        words.insert(word.chars().take(MAX_WORD_LEN).collect());
    }
    words
}

/// The words of a text: letters and digits in a row, folded as login folds.
fn parts(text: &str) -> Vec<String> {
    let seen: String = text.chars().filter(|c| !is_invisible(*c)).collect();
    let folded = mail_domain::fold(&seen);
    folded.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WordTerm {
    Beginning(String),
    Whole(String),
}

impl WordTerm {
    pub fn first(&self) -> &str {
        let (WordTerm::Beginning(text) | WordTerm::Whole(text)) = self;
        text
    }

    /// No word that fits comes after this text, by bytes.
    pub fn last(&self) -> String {
        match self {
            // No character is greater.
            WordTerm::Beginning(text) => format!("{text}{}", char::MAX),
            WordTerm::Whole(text) => text.clone(),
        }
    }

    /// The beginning that was typed; `None` of a whole word.
    fn beginning(&self) -> Option<&str> {
        match self {
            WordTerm::Beginning(text) => Some(text),
            WordTerm::Whole(_) => None,
        }
    }
}

/// What was typed to find people, as terms that must all fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WordSearch {
    /// Terms as they were typed: `smith-jones` fits an address or username that begins so.
    pub literal: Vec<WordTerm>,
    /// The same with the words of such terms in their place: the word `smith`, and one that begins with `jones`. `None` if
    /// there is no such term. Every one whom `literal` finds is found by these too.
    pub split: Option<Vec<WordTerm>>,
}

impl WordSearch {
    /// Reads what was typed. `None` if it finds nobody: fewer than two characters, more than 200 or than ten terms, control
    /// characters. White space separates terms; characters that nobody sees are left out.
    pub fn parse(typed: &str) -> Option<Self> {
        let typed = typed.trim();
        if typed.chars().nth(MAX_TYPED_LEN).is_some() || typed.chars().any(|c| c.is_control() && !c.is_whitespace()) {
            return None;
        }
        let seen = visible_words(typed);
        let literal = without_implied(seen.split(' ').map(term).collect());
        if !is_enough(&literal) {
            return None;
        }
        let parts: Vec<Vec<WordTerm>> = literal.iter().map(split).collect();
        let all_have_words = parts.iter().all(|words| !words.is_empty());
        let split = without_implied(parts.into_iter().flatten().collect());
        let is_other = all_have_words && split != literal && is_enough(&split);
        Some(Self { literal, split: is_other.then_some(split) })
    }

    /// The terms of `literal` that `split` has words in place of.
    pub fn punctuated(&self) -> impl Iterator<Item = &WordTerm> {
        self.literal.iter().filter(|term| split(term) != [(*term).clone()])
    }
}

fn is_enough(terms: &[WordTerm]) -> bool {
    terms.iter().map(|term| term.first().chars().count()).sum::<usize>() >= MIN_TYPED_LEN && terms.len() <= MAX_TERMS
}

fn term(typed: &str) -> WordTerm {
    let folded = mail_domain::key(typed);
    if folded.starts_with('@') { WordTerm::Whole(folded) } else { WordTerm::Beginning(folded) }
}

/// The words in place of a term: whole ones, but for one that goes on at its end. A term with an `@` is the beginning of an
/// address, whose domain has no words.
fn split(term: &WordTerm) -> Vec<WordTerm> {
    let Some(text) = term.beginning().filter(|text| !text.contains('@')) else { return vec![term.clone()] };
    let mut parts = parts(text);
    let last = if text.ends_with(char::is_alphanumeric) { parts.pop() } else { None };
    parts.into_iter().map(WordTerm::Whole).chain(last.map(WordTerm::Beginning)).collect()
}

/// Without terms that fit wherever another one does: `jo` beside `john`.
fn without_implied(terms: Vec<WordTerm>) -> Vec<WordTerm> {
    let mut kept: Vec<WordTerm> = Vec::new();
    for term in terms {
        let implies = |one: &WordTerm, other: &WordTerm| match other.beginning() {
            Some(beginning) => one.first().starts_with(beginning),
            None => one == other,
        };
        if !kept.iter().any(|other| implies(other, &term)) {
            kept.retain(|other| !implies(&term, other));
            kept.push(term);
        }
    }
    kept
}

#[cfg(test)]
#[path = "person_words_tests.rs"]
mod tests;
