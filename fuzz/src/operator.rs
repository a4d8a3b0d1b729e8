//! What the operator gives: settings, files of variables, wording and logos.

use doorward::brand::Logo;
use doorward::messages::{Catalog, Key, Locale};
use doorward::settings::{
    EnvText, Environment, Exposure, NotText, ServiceName, Settings, ValueSource, describe, table,
};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt::Write;
use std::os::unix::ffi::OsStringExt;
use std::str::from_utf8;
use std::sync::LazyLock;

/// Stands in secrets, and nowhere else.
const MARK: &str = "Qz7mark7zQ";
/// Their values are paths, which are read.
const PATHS: [&str; 3] = ["BRAND_LOGO", "BRAND_LOGO_DARK", "MESSAGES"];

static NAME: LazyLock<ServiceName> = LazyLock::new(|| ServiceName::parse("svc").expect("a service name"));

type Variables = BTreeMap<String, OsString>;

/// Variables, one in each line, without their prefix: every problem is a line that shows no secret, and defaults mean
/// the same where they are set.
pub fn settings(input: &[u8]) {
    let mut variables = variables(input);
    variables.entry("SVC_BASE_URL".to_owned()).or_insert_with(|| "https://auth.example".into());
    let environment: Environment = variables.clone().into_iter().collect();
    if let Some(shown) = loaded(&environment) {
        let defaults = describe(&NAME, &environment).into_iter().filter(|one| one.source == ValueSource::Default);
        let defaults = defaults.filter_map(|one| Some((one.variable, one.value?.into())));
        let explicit: Environment = variables.clone().into_iter().chain(defaults).collect();
        // Some must not stand beside others, such as JWT_ALG beside JWT_KEYS.
        assert!(loaded(&explicit).is_none_or(|explicit| explicit == shown), "{shown}");
    }
    secrets_are_hidden(variables);
}

fn variables(input: &[u8]) -> Variables {
    let lines = input.split(|byte| *byte == b'\n').take(64);
    let variable = |line: &[u8]| {
        let at = line.iter().position(|byte| *byte == b'=')?;
        let (name, value) = (from_utf8(line.get(..at)?).ok()?, line.get(at + 1..)?);
        let is_usable = name.len() <= 64 && !PATHS.contains(&name) && !line.contains(&0);
        is_usable.then(|| (format!("SVC_{name}"), OsString::from_vec(value.to_owned())))
    };
    lines.filter_map(variable).collect()
}

/// The settings, or `None` if they have problems.
fn loaded(environment: &Environment) -> Option<String> {
    match Settings::load(&NAME, environment) {
        Ok(loaded) => {
            assert!(loaded.warnings.iter().all(|warning| !warning.message.contains('\n')));
            // What is shown says where a value comes from, which is no part of what it means.
            Some(format!("{:?}", Settings { described: Vec::new(), ..loaded.settings }))
        }
        Err(problems) => {
            let text = problems.to_string();
            assert!(!problems.problems.is_empty() && text.lines().count() == problems.problems.len(), "{text}");
            assert!(problems.problems.iter().all(|one| !one.message.contains(char::is_control)), "{text:?}");
            None
        }
    }
}

/// With a mark in every secret and as the password of every address, whatever is wrong with them, it is shown nowhere.
fn secrets_are_hidden(mut variables: Variables) {
    for spec in table::all() {
        let Some(value) = variables.get_mut(&spec.variable(&NAME)) else { continue };
        let Some(text) = value.to_str().filter(|text| !text.trim().is_empty()) else { continue };
        match spec.exposure {
            // The ids of keys are no secrets: they stand before a colon.
            Exposure::Secret => *value = format!("{text}{MARK}").into(),
            Exposure::Url | Exposure::Address if !text.trim().starts_with("sqlite:") => {
                *value = text.replacen("://", &format!("://user:{MARK}@"), 1).into();
            }
            _ => {}
        }
    }
    let environment: Environment = variables.into_iter().collect();
    let mut shown = format!("{environment:?} {:?}", describe(&NAME, &environment));
    match Settings::load(&NAME, &environment) {
        Ok(loaded) => write!(shown, "{loaded:?}"),
        Err(problems) => write!(shown, "{problems} {problems:?}"),
    }
    .expect("a string");
    assert!(!shown.contains(MARK), "{shown}");
}

/// A file of variables: what is read and written again is the same, and a comment before it changes nothing.
pub fn env_file(input: &[u8]) {
    let lines = input.split(|byte| *byte == b'\n').count();
    let text = match EnvText::parse(input) {
        Ok(text) => text,
        Err(NotText(line)) => {
            assert!((1..=lines).contains(&line));
            return;
        }
    };
    for numbers in [&text.skipped, &text.unclear] {
        assert!(numbers.is_sorted() && numbers.iter().all(|line| (1..=lines).contains(line)), "{numbers:?}");
    }
    let is_name = |name: &str| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    assert!(text.variables.keys().all(|name| is_name(name)));
    let again = EnvText { variables: text.variables.clone(), ..EnvText::default() };
    assert_eq!(EnvText::parse(written(&again.variables).as_bytes()), Ok(again));
    let later = |numbers: &[usize]| numbers.iter().map(|line| line + 1).collect::<Vec<_>>();
    let after_comment =
        EnvText { skipped: later(&text.skipped), unclear: later(&text.unclear), variables: text.variables };
    assert_eq!(EnvText::parse(&[b"# A=b\n", input].concat()), Ok(after_comment));
}

fn written(variables: &BTreeMap<String, String>) -> String {
    let mut text = String::new();
    for (name, value) in variables {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"").replace('$', "\\$").replace('`', "\\`");
        writeln!(text, "{name}=\"{value}\"").expect("a string");
    }
    text
}

/// The name of a file in the first line, then messages: what is accepted says every message, and not much more than
/// stands there.
pub fn messages(input: &[u8]) {
    let Ok(input) = from_utf8(input) else { return };
    let (name, text) = input.split_once('\n').unwrap_or((input, ""));
    let catalog = match Catalog::with_files([(name.to_owned(), Ok(text.to_owned()))]) {
        Ok(catalog) => catalog,
        Err(why) => {
            assert!(why.starts_with(name), "{why}");
            return;
        }
    };
    let locale = name.strip_suffix(".ftl").and_then(Locale::parse).expect("a language");
    assert!(catalog.languages().contains(&locale));
    let missing = catalog.missing(locale);
    for id in Catalog::embedded().missing(Locale::parse("la").expect("a language")) {
        if !missing.contains(&id) && text.contains(id) {
            let said = catalog.messages(locale).t(Key(id)).to_string();
            // A message has at most a hundred placeables.
            assert!(said.len() <= 100 * (text.len() + 1024), "{id}");
        }
    }
}

/// A logo: the file as it is, with a width at which it can be shown.
pub fn logo(input: &[u8]) {
    let Ok(logo) = Logo::from_bytes(input.to_vec()) else { return };
    assert!((1..=160).contains(&logo.width), "{}", logo.width);
    assert_eq!(logo.asset.body(), input);
    let is_png = input.starts_with(b"\x89PNG");
    let (content_type, end) = if is_png { ("image/png", ".png") } else { ("image/svg+xml", ".svg") };
    assert!(logo.asset.content_type() == content_type && logo.asset.name().ends_with(end));
    assert!(is_png || from_utf8(input).is_ok_and(|text| text.contains("<svg")));
}
