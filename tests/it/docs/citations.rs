//! Pages that texts cite, and sections of them, as `docs/reference/webhooks.md 12.3`.

/// The cited pages, each with its cited sections, from the text of a file.
pub fn cited(text: &str) -> Vec<(String, Vec<String>)> {
    let text = joined(text);
    let mut cited = Vec::new();
    for (start, _) in text.match_indices("docs/") {
        let Some((page, rest)) = text[start..].split_once(".md") else { break };
        let is_path = |c: char| c.is_ascii_alphanumeric() || "-_/.".contains(c);
        if page.chars().all(is_path) {
            cited.push((format!("{page}.md"), numbers(rest.strip_prefix('`').unwrap_or(rest))));
        }
    }
    cited
}

/// The numbers that a text begins with: ` 5.3 and 7`, ` 10.4, 10.6`.
fn numbers(mut rest: &str) -> Vec<String> {
    let mut numbers = Vec::new();
    while let Some(after) = [" and ", ", ", " "].iter().find_map(|separator| rest.strip_prefix(separator)) {
        let end = after.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(after.len());
        let number = after[..end].trim_end_matches('.');
        if number.is_empty() {
            break;
        }
        numbers.push(number.to_owned());
        rest = &after[number.len()..];
    }
    numbers
}

/// The text with the lines of a comment joined, as a citation may begin on one and end on the next.
fn joined(text: &str) -> String {
    let mark = |line: &str| ["//!", "///", "//", "#"].into_iter().find(|mark| line.starts_with(mark));
    let mut joined = String::new();
    for line in text.lines().map(str::trim) {
        match mark(line) {
            Some(mark) => joined.push_str(line[mark.len()..].trim()),
            None => joined.push_str(line),
        }
        joined.push(' ');
    }
    joined
}
