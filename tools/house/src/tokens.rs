//! Finds paths in the arguments of macros, which are not parsed.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// Something in a token stream that looks like a path.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TokenPath {
    /// The segments; `$crate` is written `crate`.
    pub segments: Vec<String>,
    /// The line of the first segment.
    pub line: usize,
    /// What follows.
    pub next: Next,
}

/// What follows a path in a token stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// `(`
    Call,
    /// `!`
    Macro,
    Other,
}

/// The paths in a token stream and its groups. Fields, lifetimes and the variables of `macro_rules!` are skipped.
pub(crate) fn paths(tokens: TokenStream) -> Vec<TokenPath> {
    let mut found = Vec::new();
    collect(tokens, &mut found);
    found
}

fn collect(tokens: TokenStream, found: &mut Vec<TokenPath>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        match token {
            TokenTree::Group(group) => collect(group.stream(), found),
            TokenTree::Ident(_) => {
                let (path, length) = path_at(&tokens, at);
                at += length - 1;
                found.extend(path);
            }
            _ => {}
        }
        at += 1;
    }
}

/// The path that begins with the identifier at `start`, if it is one, and the number of its tokens.
fn path_at(tokens: &[TokenTree], start: usize) -> (Option<TokenPath>, usize) {
    let mut segments = Vec::new();
    let mut end = start;
    while let Some(TokenTree::Ident(ident)) = tokens.get(end) {
        segments.push(ident.to_string());
        end += 1;
        if !(is_colons(&tokens[end..]) && matches!(tokens.get(end + 2), Some(TokenTree::Ident(_)))) {
            break;
        }
        end += 2;
    }
    let line = tokens[start].span().start().line;
    let path = TokenPath { segments, line, next: next(&tokens[end..]) };
    (begins_path(&tokens[..start], &path.segments).then_some(path), end - start)
}

fn begins_path(before: &[TokenTree], segments: &[String]) -> bool {
    let is = |back: usize, char: char| {
        let token = before.len().checked_sub(back).map(|index| &before[index]);
        matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == char)
    };
    let is_field = is(1, '.') && !is(2, '.');
    let is_variable = is(1, '$') && segments[0] != "crate";
    let is_continuation = is(1, ':') && is(2, ':');
    !(is_field || is_variable || is_continuation || is(1, '\''))
}

fn is_colons(tokens: &[TokenTree]) -> bool {
    let colon = |token: Option<&TokenTree>| matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == ':');
    colon(tokens.first()) && colon(tokens.get(1))
}

fn next(tokens: &[TokenTree]) -> Next {
    match tokens.first() {
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis => Next::Call,
        Some(TokenTree::Punct(punct)) if punct.as_char() == '!' => match tokens.get(1) {
            Some(TokenTree::Punct(punct)) if punct.as_char() == '=' => Next::Other,
            _ => Next::Macro,
        },
        _ => Next::Other,
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

    use super::*;

    fn found(text: &str) -> Vec<String> {
        paths(text.parse().unwrap()).iter().map(|path| path.segments.join("::")).collect()
    }

    #[test]
    fn paths_are_found_in_groups() {
        assert_eq!(found("a::b(c::D { ..crate::e() })"), ["a::b", "c::D", "crate::e"]);
        assert_eq!(found("$crate::store::Conn<'a, T>"), ["crate::store::Conn", "T"]);
    }

    #[test]
    fn fields_variables_and_lifetimes_are_skipped() {
        assert_eq!(found("x.field ::other $variable &'life y"), ["x", "y"]);
    }

    #[test]
    fn calls_and_macros_are_distinguished() {
        let next = |text: &str| paths(text.parse().unwrap())[0].next;
        assert_eq!(next("act(1)"), Next::Call);
        assert_eq!(next("act!(1)"), Next::Macro);
        assert_eq!(next("act != 1"), Next::Other);
    }
}
