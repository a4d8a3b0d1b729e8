//! Sections of pages that comments cite, as `docs/reference/webhooks.md 12.3`.

/// The cited pages with their sections, from the text of a source file.
pub fn cited_sections(text: &str) -> Vec<(String, String)> {
    let text = joined(text);
    let mut cited = Vec::new();
    for (start, _) in text.match_indices("docs/") {
        let Some((page, rest)) = text[start..].split_once(".md") else { break };
        let is_path = |c: char| c.is_ascii_alphanumeric() || "-_/.".contains(c);
        if page.chars().all(is_path) {
            let numbers = numbers(rest.strip_prefix('`').unwrap_or(rest));
            cited.extend(numbers.into_iter().map(|number| (format!("{page}.md"), number)));
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

#[cfg(test)]
mod tests {
    use super::cited_sections;

    #[test]
    fn every_number_behind_a_page_is_found() {
        let text = "/// See (docs/reference/gate.md 10.4, 10.6; RFC 1) and `docs/README.md` 7.\n// docs/reference/limits.md\n// 5.1 and 6, docs/reference/events.md has 3.";
        let cited: Vec<String> = cited_sections(text).into_iter().map(|(page, number)| page + " " + &number).collect();
        assert_eq!(
            cited,
            [
                "docs/reference/gate.md 10.4",
                "docs/reference/gate.md 10.6",
                "docs/README.md 7",
                "docs/reference/limits.md 5.1",
                "docs/reference/limits.md 6"
            ]
        );
    }
}
