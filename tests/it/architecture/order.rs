//! The order of the modules, and the imports that go against it.

use super::{Source, lines};

/// The modules of the service's packages from the ground up, and in place of `domain` those in it: each may import those
/// before it. The map of CONTRIBUTING has the same ones.
pub const ORDER: &[&str] = &[
    "model",
    "clock",
    "random",
    "messages",
    "brand",
    "breached",
    "settings",
    "outbound",
    "metrics",
    "traces",
    "crypto",
    "oidc",
    "store",
    "error",
    "rate_limit",
    "refusal",
    "context",
    "device_name",
    "html",
    "mail",
    "domain/doctor_nonce",
    "domain/other_processes",
    "domain/hourly_counts",
    "domain/idempotency",
    "domain/change",
    "domain/api_key",
    "domain/identity",
    "domain/provider",
    "domain/directory",
    "domain/jobs",
    "domain/session",
    "domain/mfa",
    "domain/keys",
    "domain/lost_key",
    "domain/organization",
    "domain/restored",
    "domain/login",
    "domain/ownership",
    "domain/mailed_token",
    "domain/registration",
    "domain/provider_login",
    "domain/verification",
    "domain/account",
    "domain/dev_session",
    "delivery",
    "http",
    "boot",
    "background",
    "service",
    "doctor",
    "cli",
    "main",
];

/// The place in [`ORDER`] of a module, such as `domain/login/prompt` or `store`.
pub fn level(module: &str) -> Option<usize> {
    let is_in =
        |listed: &&str| module.strip_prefix(*listed).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    ORDER.iter().position(is_in)
}

/// The module of a file: `store/users` of `store/users.rs`, `store` of `store/mod.rs`.
pub fn module(place: &str) -> &str {
    place.strip_suffix("/mod.rs").or_else(|| place.strip_suffix(".rs")).unwrap_or(place)
}

/// The modules that a line of code names by `crate::` or `super::`, from the module in which it stands.
fn named_modules(line: &str, from: &str) -> Vec<String> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let paths = line.split(|c: char| !is_part(c)).map(|path| path.split("::").collect::<Vec<_>>());
    let named = paths.filter_map(|path| {
        let supers = path.iter().take_while(|part| **part == "super").count();
        let mut module: Vec<&str> = match (path[0], supers) {
            ("crate", _) => vec![],
            (_, 0) => return None,
            _ => from.split('/').collect(),
        };
        module.truncate(module.len().saturating_sub(supers));
        module.extend(&path[supers.max(1)..]);
        Some(module.join("/"))
    });
    named.collect()
}

/// The imports of a module that stands later in [`ORDER`], as lines. Braces after `crate::` or `crate::domain::` would
/// hide what is imported.
pub fn upward_imports(sources: &[Source]) -> String {
    let mut found = Vec::new();
    for source in sources {
        let from = module(source.place());
        for (number, line) in source.code() {
            let is_hidden = line.contains("crate::{") || line.contains("crate::domain::{");
            let named = named_modules(line, from).into_iter();
            let upward = named.filter(|named| level(from).is_some_and(|from| level(named).is_some_and(|to| to > from)));
            let hidden = is_hidden.then(|| "several modules".to_owned());
            found.extend(upward.chain(hidden).map(|named| format!("{}:{number} imports {named}", source.path)));
        }
    }
    lines(found)
}
