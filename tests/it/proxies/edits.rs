//! What an operator changes in a file that `doorward proxy-config` prints.

use super::balanced::Processes;
use std::path::PathBuf;

/// The words that begin an example line.
const DIRECTIVES: [&str; 6] = [
    "request_header ",
    "http-request ",
    "auth_request_set ",
    "proxy_set_header ",
    "- remove_on_match: ",
    "- { exact: ",
];

/// The changes that a test asks for.
#[derive(Clone, Debug, Default)]
pub struct Edits {
    /// The rules in the gate's address.
    pub rules: &'static str,
    /// Whether `Remote-User` and `X-Remote-User` of `SVC_GATE_HEADERS` pass.
    pub has_added: bool,
    /// The hosts of the application and of the login, if they are two.
    pub hosts: Option<[&'static str; 2]>,
    /// The host of a further application, and where it listens.
    pub further: Option<(&'static str, String)>,
    /// Where Doorward listens, if it runs twice.
    pub processes: Option<Processes>,
    /// Where the application listens, if it is not the site's own.
    pub application: Option<String>,
    /// The script of `HAProxy` or Envoy ends with an error.
    pub has_failing_script: bool,
    /// `HAProxy` takes TLS with this certificate and its key.
    pub certificate: Option<PathBuf>,
}

impl Edits {
    /// The file with the changes, but for rules.
    pub fn apply(&self, file: &str) -> String {
        let file = if self.has_added { with_added(file) } else { file.to_owned() };
        let failing = "  error(\"a mistake\") local sent =";
        if self.has_failing_script { file.replace("  local sent =", failing) } else { file }
    }

    /// A file with the rules in the gate's address, which stands there as `before` and `after`.
    pub fn add_rules(&self, file: &str, before: &str, after: &str) -> String {
        // Each application asks the gate for itself.
        if self.further.is_some() {
            return file.to_owned();
        }
        let address = format!("{before}{after}");
        assert_eq!(file.matches(&address).count(), 1, "{address}");
        let rules = self.rules;
        let mark = if rules.is_empty() || before.ends_with('?') { "" } else { "?" };
        file.replace(&address, &format!("{before}{mark}{rules}{after}"))
    }
}

/// A file whose examples for `Remote-User` count, for `X-Remote-User` too.
fn with_added(file: &str) -> String {
    let mut lines = Vec::new();
    for line in file.lines() {
        let example = line.trim_start().strip_prefix("# ").filter(|example| is_example(example));
        // YAML counts the blanks before it.
        let indent = &line[..line.len() - line.trim_start().len()];
        let example = example.map(|example| format!("{indent}{example}"));
        let longer = example.as_deref().map(with_longer_name);
        lines.push(example.unwrap_or_else(|| line.to_owned()));
        lines.extend(longer);
    }
    let file = lines.join("\n") + "\n";
    let file = file.replace("local ADDED = {}", "local ADDED = { \"remote-user\", \"x-remote-user\" }");
    let file = file.replace("$gate_session\" $gate_is_broken", "$gate_session $gate_remote_user\" $gate_is_broken");
    with_added_of_traefik(&file)
}

/// Two names in the pattern of Traefik's file, and in both rules.
fn with_added_of_traefik(file: &str) -> String {
    let file = file.replace("Regex: (?i)^x[-_.]svc[-_.]", "Regex: (?i)^(x[-_.]svc[-_.]|(x[-_.])?remote[-_.]user$)");
    let rule = |name, value| format!("HeaderRegexp(`{name}`, `{value}`)");
    let with = |value| format!("{} && {}", rule("Remote-User", value), rule("X-Remote-User", value));
    let (person, anonymous) = (rule("X-Svc-Assertion", "^"), rule("X-Svc-Assertion", "^$"));
    let file = file.replace(&person, &format!("{person} && {}", with(".")));
    file.replace(&anonymous, &format!("{anonymous} && {}", with("^$")))
}

fn is_example(line: &str) -> bool {
    DIRECTIVES.iter().any(|directive| line.starts_with(directive)) && line.to_lowercase().contains("remote")
}

/// An example line for `X-Remote-User`, as the files say.
fn with_longer_name(example: &str) -> String {
    let line = example.replace(" -Remote*", " -X-Remote*\nrequest_header -*remote*");
    let line = line.replace("^remote", "^x[^a-z0-9]remote").replace("remote_user", "x_remote_user");
    let line = line.replace("\"remote[", "\"x[^a-z0-9]remote[").replace("exact: remote", "exact: x-remote");
    line.replace("Remote-User", "X-Remote-User")
}
