//! What is shown, without what depends on the time of the reading.

use serde_json::Value;

/// Values of these names depend on when they are read.
const VARYING: [&str; 5] =
    ["next", "last_used_on", "delivered_last_minute", "oldest_pending_age_seconds", "oldest_pending_overdue_seconds"];

/// A JSON value; of a list, each record in a line of its own.
pub fn json(mut value: Value) -> String {
    make_canonical(&mut value);
    match value["data"].as_array() {
        Some(records) => records.iter().flat_map(|record| [record.to_string(), "\n".to_owned()]).collect(),
        None => format!("{value:#}\n"),
    }
}

fn make_canonical(value: &mut Value) {
    match value {
        Value::Object(members) => members.iter_mut().for_each(|(name, member)| match name.as_str() {
            name if VARYING.contains(&name) && !member.is_null() => *member = "<varies>".into(),
            _ => make_canonical(member),
        }),
        Value::Array(items) => items.iter_mut().for_each(make_canonical),
        _ => {}
    }
}

/// The words of a page's main part, a line for each piece of text.
pub fn page(html: &str) -> String {
    let main = html.split("<main").nth(1).unwrap_or_else(|| panic!("no main part in {html}"));
    let main = main.split("</main>").next().unwrap();
    let (mut lines, mut in_time) = (Vec::new(), false);
    for piece in main.split('<').skip(1) {
        let (tag, text) = piece.split_once('>').unwrap();
        if let Some(time) = tag.strip_prefix("time datetime=\"") {
            // The words say how long ago that is.
            lines.push(time.split('"').next().unwrap().to_owned());
            in_time = true;
        }
        in_time &= tag != "/time";
        if !in_time && !text.trim().is_empty() {
            lines.push(text.split_whitespace().collect::<Vec<_>>().join(" "));
        }
    }
    lines.join("\n") + "\n"
}
