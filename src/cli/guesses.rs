//! Commands as one would guess them: other names that work, and what is meant by those that do not.

use clap::Command;
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue};
use std::collections::{BTreeMap, BTreeSet};

/// Other names of commands and groups, at every level. Of two that would share one, the first here has it.
const ALIASES: [(&str, &[&str]); 19] = [
    ("serve", &["start", "run"]),
    ("user", &["users"]),
    ("org", &["orgs", "organization", "organizations"]),
    ("members", &["member"]),
    ("invitation", &["invitations"]),
    ("api-key", &["apikey", "apikeys", "api-keys"]),
    ("provider", &["providers"]),
    ("webhooks", &["webhook"]),
    ("mail", &["mails", "email", "emails"]),
    ("passwords", &["password"]),
    ("secrets", &["secret"]),
    ("create", &["add", "new"]),
    ("add", &["create", "new"]),
    ("list", &["ls"]),
    ("show", &["get"]),
    ("update", &["edit"]),
    ("delete", &["rm", "remove"]),
    ("remove", &["rm", "delete"]),
    ("revoke", &["rm", "remove", "delete"]),
];

const TIPS: [(&str, &str); 8] = [
    ("init", "`doorward serve` makes what it needs when it starts for the first time"),
    ("invite", "did you mean `doorward invitation create`?"),
    ("key", "did you mean `doorward api-key` or `doorward keys`?"),
    ("login", "did you mean `doorward dev session`, which opens a session without a login?"),
    (
        "logs",
        "`doorward serve` writes its log to standard error; `doorward user audit` shows what happened to accounts",
    ),
    ("open", "open the URL that `doorward config SVC_BASE_URL` prints"),
    ("promote", "did you mean `doorward user grant USER admin`?"),
    ("test", "did you mean `doorward doctor`, `doorward mail test` or `doorward webhooks ping`?"),
];

/// A command whose subcommands have their other names, too, which help does not show.
pub(super) fn with_aliases(command: Command) -> Command {
    let names: BTreeSet<String> = command.get_subcommands().map(|inner| inner.get_name().to_owned()).collect();
    let mut taken: BTreeSet<&str> = names.iter().map(String::as_str).collect();
    let mut aliases = BTreeMap::new();
    for (name, guesses) in ALIASES.into_iter().filter(|(name, _)| names.contains(*name)) {
        let free: Vec<&str> = guesses.iter().copied().filter(|guess| taken.insert(guess)).collect();
        aliases.insert(name, free);
    }
    command.mut_subcommands(|inner| {
        let aliases = aliases.remove(inner.get_name()).unwrap_or_default();
        with_aliases(inner.aliases(aliases))
    })
}

/// The error of a command that there is not, with the command that is meant, or else the most similar one.
pub(super) fn with_tip(mut error: clap::Error) -> clap::Error {
    let Some(ContextValue::String(guess)) = error.get(ContextKind::InvalidSubcommand) else { return error };
    if let Some((_, tip)) = TIPS.iter().find(|(word, _)| word == guess) {
        error.remove(ContextKind::SuggestedSubcommand);
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![StyledStr::from(*tip)]));
    } else if let Some(ContextValue::Strings(similar)) = error.get(ContextKind::SuggestedSubcommand) {
        // The most similar one is the last.
        let best = similar.last().cloned().into_iter().collect();
        error.insert(ContextKind::SuggestedSubcommand, ContextValue::Strings(best));
    }
    error
}
