//! The text of a file of variables, read as systemd reads that of `EnvironmentFile=` (systemd.exec(5)), so that one file
//! serves the unit and the command line. `tests/it/env_file.rs` compares both readers.

use std::collections::BTreeMap;

#[derive(Debug, Default, PartialEq, Eq)]
pub struct EnvText {
    /// The variables; of several with one name, the last counts.
    pub variables: BTreeMap<String, String>,
    /// The numbers of the lines that are neither a comment nor a variable.
    pub skipped: Vec<usize>,
    /// The numbers of the comments that end with a backslash: before version 254, systemd takes the next line for a part
    /// of such a comment.
    pub unclear: Vec<usize>,
}

/// The number of a line for which systemd refuses the file: the variable in it is not UTF-8 text.
#[derive(Debug, PartialEq, Eq)]
pub struct NotText(pub usize);

impl EnvText {
    pub fn parse(bytes: &[u8]) -> Result<Self, NotText> {
        let mut text = Self::default();
        let mut scanner = Scanner { rest: bytes, line: 1 };
        while let Some(byte) = scanner.next() {
            let line = scanner.line;
            match byte {
                byte if is_blank(byte) => {}
                b'#' | b';' if scanner.comment() => text.unclear.push(line),
                b'#' | b';' => {}
                first => {
                    let is_set = match scanner.name(first) {
                        Some(name) => text.set(&name, &scanner.value()).ok_or(NotText(line))?,
                        None => false,
                    };
                    if !is_set {
                        text.skipped.push(line);
                    }
                }
            }
        }
        Ok(text)
    }

    /// Returns whether the name can be a variable's; `None` if either is not text.
    fn set(&mut self, name: &[u8], value: &[u8]) -> Option<bool> {
        let (name, value) = (utf8(name)?, utf8(value)?);
        let is_name = is_name(name);
        if is_name {
            self.variables.insert(name.to_owned(), value.to_owned());
        }
        Some(is_name)
    }
}

/// systemd takes no noncharacters of Unicode.
fn utf8(bytes: &[u8]) -> Option<&str> {
    let is_noncharacter = |c: char| matches!(u32::from(c), 0xfdd0..=0xfdef) || u32::from(c) & 0xfffe == 0xfffe;
    std::str::from_utf8(bytes).ok().filter(|text| !text.contains(is_noncharacter))
}

fn is_name(name: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    name.bytes().all(is_part) && name.bytes().next().is_some_and(|first| !first.is_ascii_digit())
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t') || is_line_end(byte)
}

fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

/// The bytes that were not read yet. What ends in the middle counts as if it had ended in order.
struct Scanner<'a> {
    rest: &'a [u8],
    line: usize,
}

impl Iterator for Scanner<'_> {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        self.line += usize::from(*first == b'\n');
        Some(*first)
    }
}

impl Scanner<'_> {
    /// Passes over a comment; returns whether it ends with a backslash.
    fn comment(&mut self) -> bool {
        let is_escaped = |escaped: bool, byte: u8| !escaped && byte == b'\\';
        self.take_while(|byte| !is_line_end(*byte)).fold(false, is_escaped)
    }

    /// The name before a `=`; `None` if the line ends without one.
    fn name(&mut self, first: u8) -> Option<Vec<u8>> {
        let mut name = vec![first];
        loop {
            match self.next()? {
                b'=' => break,
                byte if is_line_end(byte) => return None,
                byte => name.push(byte),
            }
        }
        let end = name.iter().rposition(|byte| !is_blank(*byte)).map_or(0, |last| last + 1);
        name.truncate(end);
        Some(name)
    }

    /// The value behind a `=`: first what is in quotes, without the blanks around it, then all that is left of the line.
    fn value(&mut self) -> Vec<u8> {
        let mut value = Vec::new();
        while let Some(byte) = self.next() {
            match byte {
                b'\'' => value.extend(self.take_while(|byte| *byte != b'\'')),
                b'"' => self.double_quoted(&mut value),
                byte if is_line_end(byte) => break,
                byte if is_blank(byte) => {}
                first => {
                    self.unquoted(first, &mut value);
                    break;
                }
            }
        }
        value
    }

    /// A backslash goes before a quote, a backslash, a backtick, a dollar and the end of a line, which goes with it;
    /// before all else it stands for itself, as in a shell.
    fn double_quoted(&mut self, value: &mut Vec<u8>) {
        while let Some(byte) = self.next() {
            match byte {
                b'"' => return,
                b'\\' => match self.next() {
                    Some(escaped @ (b'"' | b'\\' | b'`' | b'$')) => value.push(escaped),
                    Some(b'\n') | None => {}
                    Some(other) => value.extend([b'\\', other]),
                },
                byte => value.push(byte),
            }
        }
    }

    /// Quotes stand for themselves here. Blanks at the end are not of the value, unless there is a backslash before them.
    fn unquoted(&mut self, first: u8, value: &mut Vec<u8>) {
        let mut end = value.len();
        let mut next = Some(first);
        while let Some(byte) = next.filter(|byte| !is_line_end(*byte)) {
            if byte == b'\\' {
                value.extend(self.next().filter(|escaped| !is_line_end(*escaped)));
            } else {
                value.push(byte);
            }
            if byte == b'\\' || !is_blank(byte) {
                end = value.len();
            }
            next = self.next();
        }
        value.truncate(end);
    }
}

#[cfg(test)]
#[path = "env_text_tests.rs"]
mod tests;
