//! What is known about each message, and the page made of it.

use super::{instances, people};

pub struct Explained {
    /// With `…` for each value.
    pub says: &'static str,
    pub cause: &'static str,
    /// The command or the variable that mends it.
    pub mend: &'static str,
}

pub const fn error(says: &'static str, cause: &'static str, mend: &'static str) -> Explained {
    Explained { says, cause, mend }
}

/// The parts of the page.
pub const SECTIONS: [(&str, &[Explained]); 13] = [
    ("Settings", &instances::SETTINGS),
    ("Secret key", &instances::SECRET_KEY),
    ("Database", &instances::DATABASE),
    ("Start", &instances::START),
    ("Backup and restore", &instances::BACKUP),
    ("Accounts", &people::ACCOUNTS),
    ("Organizations", &people::ORGANIZATIONS),
    ("API keys and providers", &people::KEYS_AND_PROVIDERS),
    ("Emails and webhooks", &people::DELIVERIES),
    ("Passwords", &people::PASSWORDS),
    ("Development and proxies", &people::DEVELOPMENT),
    ("Documentation", &people::DOCUMENTATION),
    ("Questions", &people::QUESTIONS),
];

/// What ends a sentence of `SETTINGS`.
pub const ENDINGS: [&str; 5] = [
    "a duration above zero and at most 876000h, in h, m, s and ms, such as 250ms, 5s, 2m, 24h or 1h30m",
    "a text that is not empty",
    "a text without blanks or line breaks before or after it (in a file, the line break at its end is one)",
    "after whsec_, base64 of the standard alphabet, with + and / (not - and _), such as openssl rand -base64 32 makes",
    "after whsec_, valid base64, such as openssl rand -base64 32 makes: here characters are missing, or the last one cannot \
     end it",
];

const INTRODUCTION: &str = "\
# Errors

<!-- Written from the messages in the sources and from tests/it/errors. To write it again: DOORWARD_BLESS=1 cargo test --test it errors -->

For operators and developers who met an error of a command or of a start. `…` stands for a value. Codes such as `DW-030` are
[findings](doctor.md), which `doorward explain DW-030` explains; what pages and the API answer is in the
[protocol](protocol.md).

An error is one sentence on standard error; with `--json` it is `{\"error\":{\"code\":\"…\",\"message\":\"…\"}}` there.

| `code` | Exit code | What |
|---|---|---|
| `invalid_arguments` | 2 | the line was not understood, or a file of `--env-file` cannot be read: `doorward COMMAND --help` |
| `invalid_settings` | 2 | one line for each variable that cannot be used: `doorward config` shows them all |
| `invalid_usage` | 2 | arguments, settings or their surroundings do not allow it; the sentence names what to change |
| `refused` | 1 | a rule does not allow it, or a check failed; nothing was changed unless the sentence says so |
| `failed` | 1 | the database or the machine failed: `doorward doctor` looks for the reason |
| `input_output` | 1 | standard input or output could not be used |

A sentence that begins with the path of a file ends with the reason of the operating system. One that begins with a capital
is a rule of addresses, names or passwords, in the words of the pages, and says what is allowed.
";

pub fn page() -> String {
    let sections = SECTIONS.iter().map(|(title, errors)| {
        let rows = errors.iter().map(row).collect::<String>();
        format!("\n## {title}\n\n| Message | Cause | What mends it |\n|---|---|---|\n{rows}")
    });
    INTRODUCTION.to_owned() + &sections.collect::<String>()
}

fn row(error: &Explained) -> String {
    let mark = if error.says.contains('`') { "``" } else { "`" };
    format!("| {mark}{}{mark} | {} | {} |\n", error.says, error.cause, error.mend)
}
