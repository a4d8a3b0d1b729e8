//! The list of common passwords; `third-party.md` names its source.

use std::cmp::Ordering;

/// Lower case, one per line, sorted by bytes, without duplicates.
static LIST: &[u8] = include_bytes!("../../assets/common-passwords.txt");

/// Whether a password is on the list, ignoring case.
///
/// A binary search in the embedded text: no index is built at start or kept in memory.
pub fn contains(password: &str) -> bool {
    let folded = password.to_lowercase();
    // Both are always the start of a line, or the end of the list.
    let (mut low, mut high) = (0, LIST.len());
    while low < high {
        let (start, end) = line_around(low + (high - low) / 2);
        match LIST[start..end].cmp(folded.as_bytes()) {
            Ordering::Equal => return true,
            Ordering::Less => low = end + 1,
            Ordering::Greater => high = start,
        }
    }
    false
}

fn line_around(position: usize) -> (usize, usize) {
    let start = LIST[..position].iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
    let end = LIST[position..].iter().position(|&byte| byte == b'\n').map_or(LIST.len(), |newline| position + newline);
    (start, end)
}

#[cfg(test)]
#[path = "common_passwords_tests.rs"]
mod tests;
