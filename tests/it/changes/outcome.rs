//! What became of a request, in a few words.

use crate::harness::Reply;
use regex::Regex;
use std::process::Output;
use std::sync::LazyLock;

/// Ids, and the names of what the stage makes.
static VARYING: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\b(?:(?:[kp]?new|person|p|k)[0-9]+|[0-9a-z]{16})\b").unwrap()
});
/// Above a form, at a field, instead of a form, on a page that only says why.
static SENTENCES: LazyLock<[Regex; 4]> = LazyLock::new(|| {
    [
        r#"id="form-error"><p>(.*?)</p>"#,
        r#"class="field-error"[^>]*>(.*?)</p>"#,
        r#"class="notice warning"[^>]*><p>(.*?)</p>"#,
        r"</h1>\s*<p[^>]*>(.*?)</p>",
    ]
    .map(|pattern| Regex::new(&format!("(?s){pattern}")).unwrap())
});

#[derive(Clone, PartialEq, Eq)]
pub struct Outcome {
    /// The status, and the code of a refusal or the place that it leads to; or an exit code.
    pub code: String,
    /// What people read of a refusal.
    pub sentence: String,
    pub is_done: bool,
}

impl Outcome {
    pub fn of_reply(reply: &Reply) -> Self {
        let is_json = reply.header("content-type").is_some_and(|kind| kind.contains("json"));
        let (said, sentence) = match reply.header("location") {
            Some(location) if reply.status == 303 => (place(location), String::new()),
            _ if reply.status < 400 => (String::new(), String::new()),
            _ if is_json => (reply.json()["error"]["code"].as_str().unwrap_or_default().to_owned(), String::new()),
            _ => (String::new(), sentence(&reply.text())),
        };
        let asks_who = ["login", "account/confirm"].contains(&said.as_str());
        Self::new(&format!("{} {said}", reply.status), &sentence, reply.status < 400 && !asks_who)
    }

    pub fn of_command(output: &Output) -> Self {
        let code = output.status.code().expect("an exit code");
        let errors = String::from_utf8_lossy(&output.stderr);
        let sentence = if code == 0 { "" } else { errors.lines().next().unwrap_or_default() };
        Self::new(&code.to_string(), sentence, code == 0)
    }

    fn new(code: &str, sentence: &str, is_done: bool) -> Self {
        let [code, sentence] = [code, sentence].map(|text| VARYING.replace_all(text.trim(), "…").into_owned());
        Self { code, sentence, is_done }
    }
}

/// Below `/auth/`, and what is done there.
fn place(location: &str) -> String {
    let (path, query) = location.split_once('?').unwrap_or((location, ""));
    let done = query.split('&').find(|field| field.starts_with("done=")).map(|done| format!("?{done}"));
    format!("{}{}", path.trim_start_matches("/auth/"), done.unwrap_or_default())
}

fn sentence(page: &str) -> String {
    let found = SENTENCES.iter().find_map(|pattern| pattern.captures(page));
    let text = found.map(|found| Regex::new("<[^>]*>").unwrap().replace_all(&found[1], "").into_owned());
    text.unwrap_or_default().replace("&#39;", "’")
}
