//! `docs/reference/settings.md`, generated from the table of settings.

use super::name::ServiceName;
use super::spec::{DefaultValue, SettingsGroup, Spec};
use super::table;

const INTRODUCTION: &str = "\
# Settings

<!-- Written from the table in crates/core/src/settings. To write it again: DOORWARD_BLESS=1 cargo test -p doorward-core settings_doc -->

For operators. Doorward is configured by environment variables. None is needed: without any, the service runs on SQLite
at <http://localhost:8080>. `--env-file FILE` reads them from a [file](../guides/operations.md#a-file-of-settings).

- `doorward config` prints every setting with its value, its default and where the value came from, and `doorward config
  SVC_LISTEN` the value of one; secrets are masked.
- The variables begin with the service name in capitals. The name is `svc` unless `--service-name` or `DOORWARD_NAME`
  sets another (a lower-case letter, then at most 31 lower-case letters and digits); with `--service-name acme`,
  `SVC_LISTEN` becomes `ACME_LISTEN`. Cookies, webhook headers and platform roles are named after it, too.
- An empty variable, or one of blanks only, counts as not set.
- A **duration** is written with units: `250ms`, `5s`, `2m`, `24h`, `1h30m`; the units are `h`, `m`, `s` and `ms`. A bare
  number is refused. Numbers and durations are above zero.
- A **list** is comma-separated; blanks around its items are ignored.
- An **origin** is scheme, host and port: `https://auth.example.com` or `http://localhost:8080`.
- **base64** may be of the standard or the URL-safe alphabet, padded or not.
- A value that cannot be used stops the start with exit code 2 and one line for each such variable. A variable with the
  prefix that is no setting is a warning with the closest name; what Kubernetes sets (`SVC_SERVICE_*`, `SVC_PORT*`) is
  passed over.
- A setting marked *secret* is never printed, logged or shown in an error; of a URL, username, password and query are
  left out.
";

/// Returns the text of `docs/reference/settings.md`.
pub fn document() -> Result<String, super::name::NameError> {
    let name = ServiceName::parse(ServiceName::DEFAULT)?;
    let sections: Vec<_> = table::SECTIONS.into_iter().map(|section| section_text(section, &name)).collect();
    Ok(format!("{INTRODUCTION}\n{}", sections.join("\n")))
}

fn section_text(section: &SettingsGroup, name: &ServiceName) -> String {
    let rows: String = section.settings.iter().map(|spec| row(spec, name)).collect();
    format!("## {}\n\n| Variable | Type | Default | Meaning |\n|---|---|---|---|\n{rows}", section.title)
}

fn row(spec: &Spec, name: &ServiceName) -> String {
    let secret = if spec.exposure == super::Exposure::Secret { " *Secret.*" } else { "" };
    let text = spec.default_text(name);
    let default = if let DefaultValue::Fixed(_) = spec.default { format!("`{text}`") } else { text };
    let cells = [format!("`{}`", spec.variable(name)), spec.kind.to_owned(), default, spec.meaning(name) + secret];
    format!("| {} |\n", cells.map(|cell| escape(&cell)).join(" | "))
}

/// Escapes a cell: a bar would end it, an angle bracket would be markup.
fn escape(cell: &str) -> String {
    if cell.starts_with('`') { cell.replace('|', "\\|") } else { cell.replace('|', "\\|").replace('<', "\\<") }
}

#[cfg(test)]
#[path = "document_tests.rs"]
mod tests;
