//! Lists that are built in: one entry a line, sorted by bytes, without duplicates.

use std::cmp::Ordering;

/// Whether a list has an entry.
///
/// A binary search in the embedded text: no index is built at start or kept in memory.
pub fn contains(list: &[u8], entry: &str) -> bool {
    // Both are always the start of a line, or the end of the list.
    let (mut low, mut high) = (0, list.len());
    while low < high {
        let (start, end) = line_around(list, low + (high - low) / 2);
        match list[start..end].cmp(entry.as_bytes()) {
            Ordering::Equal => return true,
            Ordering::Less => low = end + 1,
            Ordering::Greater => high = start,
        }
    }
    false
}

fn line_around(list: &[u8], position: usize) -> (usize, usize) {
    let start = list[..position].iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
    let end = list[position..].iter().position(|&byte| byte == b'\n').map_or(list.len(), |newline| position + newline);
    (start, end)
}
