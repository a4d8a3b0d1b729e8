//! Reads the triggers, and the functions that they call, from the text of the schema's steps.

use std::collections::BTreeMap;

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Trigger {
    pub table: String,
    pub function: String,
    pub statement: String,
}

/// What some steps have made and left, by name.
#[derive(Debug, Default)]
pub(super) struct MadeObjects {
    pub triggers: BTreeMap<String, Trigger>,
    /// The bodies, byte for byte as the database keeps them.
    pub functions: BTreeMap<String, String>,
}

impl MadeObjects {
    /// By the texts of the steps, in their order.
    pub fn by(texts: &[&str]) -> Self {
        let mut made = Self::default();
        for statement in texts.iter().flat_map(|text| statements(text)) {
            made.read(statement);
        }
        made
    }

    fn read(&mut self, statement: String) {
        let words: Vec<&str> = statement.split_whitespace().collect();
        match words.as_slice() {
            ["CREATE", "TRIGGER", name, rest @ ..] => {
                let after = |word| rest.iter().skip_while(move |it| **it != word).nth(1).copied().unwrap_or_default();
                let function = after("FUNCTION").trim_end_matches("()").to_owned();
                let (name, table) = ((*name).to_owned(), after("ON").to_owned());
                self.triggers.insert(name, Trigger { table, function, statement });
            }
            ["DROP", "TRIGGER", name, ..] => drop(self.triggers.remove(*name)),
            ["CREATE", "FUNCTION", name, ..] | ["CREATE", "OR", "REPLACE", "FUNCTION", name, ..] => {
                let body = statement.split("$$").nth(1).unwrap_or_default().to_owned();
                self.functions.insert(name.trim_end_matches("()").to_owned(), body);
            }
            _ => {}
        }
    }
}

/// The statements of a step, without comments. Between two `$$` neither semicolons nor comments count.
fn statements(text: &str) -> Vec<String> {
    let mut statements = vec![String::new()];
    for (number, part) in text.split("$$").enumerate() {
        let is_body = number % 2 == 1;
        if is_body {
            if let Some(last) = statements.last_mut() {
                last.push_str("$$");
                last.push_str(part);
                last.push_str("$$");
            }
            continue;
        }
        let code: Vec<&str> = part.lines().filter(|line| !line.trim_start().starts_with("--")).collect();
        for (place, piece) in code.join("\n").split(';').enumerate() {
            if place > 0 {
                statements.push(String::new());
            }
            if let Some(last) = statements.last_mut() {
                last.push_str(piece);
            }
        }
    }
    statements.into_iter().map(|statement| statement.trim().to_owned()).filter(|it| !it.is_empty()).collect()
}

#[cfg(test)]
#[path = "trigger_text_tests.rs"]
mod tests;
