//! What is shown, without what depends on the time of the reading.

use doorward::model::time::Time;
use serde_json::Value;
use std::time::Duration;

/// Longer than any reading takes. A stored time this soon after the making would be taken for one of the reading.
const READING: Duration = Duration::from_mins(5);
/// Values of these names are bytes of the old version, in which the times are not moved.
const UNMOVED: [&str; 2] = ["payload", "payload_text"];
/// Values of these names depend on when they are read.
const VARYING: [&str; 5] =
    ["next", "last_used_on", "delivered_last_minute", "oldest_pending_age_seconds", "oldest_pending_overdue_seconds"];

/// The time of an old database: when it was made, and by how much it was moved.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    pub made_at: Time,
    pub moved: i64,
}

impl Frame {
    /// A text with times as they are in the file; `<now>` for those of the reading.
    pub fn text(self, text: &str) -> String {
        let mut shown = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(mark) = rest.find('T') {
            let end = rest[mark..].find('Z').map(|length| mark + length + 1);
            let start = mark.checked_sub("2026-11-24".len()).filter(|start| rest.is_char_boundary(*start));
            let found = start.zip(end).filter(|(start, end)| end - start <= "2026-11-24T12:34:56.789012Z".len());
            let found = found.and_then(|(start, end)| Some((start, end, Time::parse(&rest[start..end])?)));
            if let Some((start, end, time)) = found {
                shown.push_str(&rest[..start]);
                shown.push_str(&self.time(time));
                rest = &rest[end..];
            } else {
                shown.push_str(&rest[..=mark]);
                rest = &rest[mark + 1..];
            }
        }
        shown + rest
    }

    fn time(self, shown: Time) -> String {
        let time = Time::from_micros(shown.as_micros() - self.moved);
        let is_new = self.made_at <= time && time < self.made_at + READING;
        if is_new { "<now>".to_owned() } else { time.to_string() }
    }

    /// A JSON value; of a list, each record in a line of its own.
    pub fn json(self, mut value: Value) -> String {
        self.make_canonical(&mut value);
        match value["data"].as_array() {
            Some(records) => records.iter().flat_map(|record| [record.to_string(), "\n".to_owned()]).collect(),
            None => format!("{value:#}\n"),
        }
    }

    fn make_canonical(self, value: &mut Value) {
        match value {
            Value::Object(members) => members.iter_mut().for_each(|(name, member)| match name.as_str() {
                name if UNMOVED.contains(&name) => {}
                name if VARYING.contains(&name) && !member.is_null() => *member = "<varies>".into(),
                _ => self.make_canonical(member),
            }),
            Value::Array(items) => items.iter_mut().for_each(|item| self.make_canonical(item)),
            Value::String(text) => *text = self.text(text),
            _ => {}
        }
    }

    /// The words of a page's main part, a line for each piece of text.
    pub fn page(self, html: &str) -> String {
        let main = html.split("<main").nth(1).unwrap_or_else(|| panic!("no main part in {html}"));
        let main = main.split("</main>").next().unwrap();
        let (mut lines, mut in_time) = (Vec::new(), false);
        for piece in main.split('<').skip(1) {
            let (tag, text) = piece.split_once('>').unwrap();
            if let Some(time) = tag.strip_prefix("time datetime=\"") {
                // The words say how long ago that is.
                lines.push(self.text(time.split('"').next().unwrap()));
                in_time = true;
            }
            in_time &= tag != "/time";
            if !in_time && !text.trim().is_empty() {
                lines.push(text.split_whitespace().collect::<Vec<_>>().join(" "));
            }
        }
        lines.join("\n") + "\n"
    }
}
