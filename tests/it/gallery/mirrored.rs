//! A sample of a language that is written from right to left: the English messages in Hebrew letters.

pub const TAG: &str = "he";

pub fn messages() -> String {
    let english = include_str!("../../../crates/core/messages/en.ftl");
    english.lines().filter(|line| !line.starts_with('#')).map(|line| mirrored(line) + "\n").collect()
}

/// A line whose words are in Hebrew letters; names, variables and choices stay.
fn mirrored(line: &str) -> String {
    let start = line.trim_start();
    let is_variant = start.starts_with('[') || start.starts_with("*[");
    let end = if is_variant { line.find("] ") } else { line.find(" = ") };
    let (name, text) = match end {
        Some(end) => line.split_at(end + 2),
        None if start.starts_with('}') => ("", line),
        None => (line, ""),
    };
    let mut depth = i32::from(name.is_empty() && start.starts_with('}'));
    let letters = text.chars().map(|letter| {
        depth += i32::from(letter == '{') - i32::from(letter == '}');
        if depth == 0 { hebrew(letter) } else { letter }
    });
    name.chars().chain(letters).collect()
}

fn hebrew(letter: char) -> char {
    const ALPHABET: [char; 22] =
        ['א', 'ב', 'ג', 'ד', 'ה', 'ו', 'ז', 'ח', 'ט', 'י', 'כ', 'ל', 'מ', 'נ', 'ס', 'ע', 'פ', 'צ', 'ק', 'ר', 'ש', 'ת'];
    if letter.is_ascii_alphabetic() {
        ALPHABET[usize::from(letter.to_ascii_lowercase() as u8 - b'a') % 22]
    } else {
        letter
    }
}
