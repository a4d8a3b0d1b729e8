//! Pretty printing of JSON that changes only whitespace: order and spelling remain as signed.

/// Breaks JSON into indented lines. The output for invalid JSON is unspecified.
pub fn pretty_print(json: &str) -> String {
    let mut lines = String::with_capacity(json.len() * 2);
    let mut depth: usize = 0;
    let mut chars = json.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' => {
                lines.push(c);
                copy_string(&mut chars, &mut lines);
            }
            '{' | '[' => {
                lines.push(c);
                while chars.next_if(char::is_ascii_whitespace).is_some() {}
                if let Some(end) = chars.next_if(|next| matches!(next, '}' | ']')) {
                    lines.push(end);
                } else {
                    depth += 1;
                    break_line(&mut lines, depth);
                }
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                break_line(&mut lines, depth);
                lines.push(c);
            }
            ',' => {
                lines.push(c);
                break_line(&mut lines, depth);
            }
            ':' => lines.push_str(": "),
            c if c.is_ascii_whitespace() => {}
            c => lines.push(c),
        }
    }
    lines
}

/// Copies the rest of a string, including its closing quote.
fn copy_string(chars: &mut impl Iterator<Item = char>, lines: &mut String) {
    while let Some(c) = chars.next() {
        lines.push(c);
        match c {
            '"' => return,
            '\\' => lines.extend(chars.next()),
            _ => {}
        }
    }
}

fn break_line(lines: &mut String, depth: usize) {
    lines.push('\n');
    lines.extend(std::iter::repeat_n("  ", depth));
}

#[cfg(test)]
#[path = "pretty_json_tests.rs"]
mod tests;
