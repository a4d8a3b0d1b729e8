//! Errors of commands about people and what belongs to them, and of tools.

use super::table::{Explained, error};

pub const ACCOUNTS: [Explained; 8] = [
    error(r#"there is no user "…""#, "No account has this id, email address or username.", "`doorward user list`."),
    error("…; did you mean …?", "No account has this name, and some have a similar one.", "Take one of those."),
    error(
        r#""…" is the id of … and the username of …; name the account by its email address"#,
        "A username of an old account looks like an id.",
        "Name the account by its email address.",
    ),
    error(
        "there is no such …",
        "It is gone or never was; the sentence names what.",
        "List them: `doorward user list`, `doorward org list`, `doorward invitation list`.",
    ),
    error(
        "an administrator already exists; add another with doorward user grant",
        "`doorward setup-link` makes the first administrator only.",
        "`doorward user grant NAME admin`.",
    ),
    error(
        "… has no such session",
        "The id is not one of the account's open sessions.",
        "`doorward user sessions list NAME`.",
    ),
    error(
        "… has no such identity",
        "The id is not one of the account's identities.",
        "`doorward user identities list NAME`.",
    ),
    error(
        "the next email to this address can be written in …",
        "Several emails went to this address of late.",
        "Run the command again after this time.",
    ),
];

pub const ORGANIZATIONS: [Explained; 4] = [
    error(
        r#"there is no organization with the ID or exact name "…""#,
        "Names are compared letter by letter.",
        "`doorward org list`.",
    ),
    error(
        r#"several organizations have the name "…"; give the id of one"#,
        "Names are not unique.",
        "Take the id from the table that follows.",
    ),
    error(
        r#"no invitation has the id or waits for the address "…""#,
        "It was answered, revoked or expired, or goes to another address.",
        "`doorward invitation list`.",
    ),
    error(
        "several invitations wait for …; give an id: …",
        "The address is invited by several organizations.",
        "Take an id from the sentence.",
    ),
];

pub const KEYS_AND_PROVIDERS: [Explained; 9] = [
    error(
        r#"there is a live API key "…" already: …"#,
        "Names of live keys are unique.",
        "Choose another name, or `doorward api-key rotate`.",
    ),
    error(
        r#"there is no API key "…"; `doorward api-key list` shows the ids"#,
        "No key has this id.",
        "`doorward api-key list`.",
    ),
    error(
        "… is the name of key …; give the id of one",
        "A key that ended, or that is being replaced, has the same name.",
        "Take an id from the sentence.",
    ),
    error(
        r#"the API key "…" has ended; create a new one"#,
        "It was revoked, or expired.",
        "`doorward api-key create`.",
    ),
    error(r#"the API key "…" was rotated already, to …"#, "It has a successor.", "Rotate the successor."),
    error(
        r#"there is a provider "…" already; `doorward provider update` changes it"#,
        "Names of providers are unique.",
        "`doorward provider update`.",
    ),
    error(
        r#"there is no provider "…"; `doorward provider list` shows the names"#,
        "No provider has this name.",
        "`doorward provider list`.",
    ),
    error(
        "there can be … providers at most",
        "The login page has no room for more.",
        "`doorward provider remove` one.",
    ),
    error(
        "the providers were changed since the plan was made; look at it again",
        "Someone changed a provider between plan and answer.",
        "`doorward apply` again.",
    ),
];

pub const DELIVERIES: [Explained; 7] = [
    error(
        "there is no email …; finished ones are removed after a time",
        "The id is wrong, or the email is long gone.",
        "`doorward mail list`.",
    ),
    error(
        "email … is erased: it was sent, has failed, or is out of date",
        "The text of finished emails is deleted.",
        "Have the person ask for a new one.",
    ),
    error("email … has no link", "It is a notice, or has a code only.", "`doorward mail show ID`."),
    error(
        "not written again: … of …",
        "Their links are out of date, or they left meanwhile.",
        "The list above the sentence says so of each.",
    ),
    error(
        "there is no delivery …; finished ones are removed after a time",
        "The id is wrong, or the delivery is long gone.",
        "`doorward webhooks list`.",
    ),
    error("not replayed: … of …", "They are on their way, or gone.", "The list above the sentence says so of each."),
    error(
        "--forward-to names this listener itself",
        "Each event would come back without end.",
        "Name the application's address.",
    ),
];

pub const PASSWORDS: [Explained; 8] = [
    error(
        "the password would be refused",
        "It is too short, common or known from a breach; the lines above say which.",
        "Choose another one.",
    ),
    error(
        "the list of breached passwords could not be read: …",
        "The filter in the data directory cannot be read.",
        "Correct its permissions.",
    ),
    error(
        "the list of breached passwords is damaged; import it again",
        "The filter was cut off or changed.",
        "`doorward passwords import-hibp FILE`.",
    ),
    error(
        "line … is not a SHA-1 hash of 40 hexadecimal digits, alone or before a colon and a number; the list is \
         the one with SHA-1 hashes, as one file",
        "The file is another list.",
        "Take the one with SHA-1 hashes.",
    ),
    error(
        "line … comes before the one above it: the list must be the one that is ordered by hash",
        "The file is ordered by count.",
        "Take the one that is ordered by hash.",
    ),
    error("the list is empty", "The file holds no line.", "Name another file."),
    error("… is not a file", "The path is a folder or a device.", "Name the file of the list."),
    error(
        "another import into this data directory is running",
        "Two imports would write one filter.",
        "Wait for the other.",
    ),
];

pub const DEVELOPMENT: [Explained; 6] = [
    error(
        "sessions without a login are for development: …",
        "The base URL, here or where the service last started, is not of this machine.",
        "Log in, or use a database of your own for development.",
    ),
    error(
        "\"…\" has an account that this command did not make, or that got a password, a second factor, a passkey \
         or a role since; it opens sessions of its own accounts only",
        "A person may stand behind the account.",
        "Take another address.",
    ),
    error(r#""…" is disabled"#, "The account may not log in.", "`doorward user enable NAME`."),
    error(
        "--people …: …",
        "The file of people for `doorward dev provider` cannot be read.",
        "Correct it: [The provider for development](dev-provider.md).",
    ),
    error("--lua: only haproxy has a Lua file", "The other proxies need none.", "Leave the option out."),
    error(
        "--service-name: the files are written and tried for the service name …, and not for …",
        "The files name cookies and headers.",
        "Print the file for `svc`, and replace the names in it.",
    ),
];

pub const DOCUMENTATION: [Explained; 2] = [
    error("there is no page …; the closest are …", "The program has no page of this name.", "`doorward docs`."),
    error("several pages are called …: …", "Two folders have a page of this name.", "Name the folder too."),
];

pub const QUESTIONS: [Explained; 5] = [
    error(
        "… There is no terminal to answer on; --yes confirms it",
        "The command asks before it does what cannot be undone.",
        "`--yes`.",
    ),
    error(
        "to do: …. There is no terminal to answer on; --yes confirms it",
        "`doorward apply` asks before it changes providers.",
        "`--yes`.",
    ),
    error("… … would be sent again; --yes confirms it", "The command asks before it sends many.", "`--yes`."),
    error("nothing was changed", "The question was not answered with yes.", "Answer `y`, or `--yes`."),
    error("nothing was sent", "The question was not answered with yes.", "Answer `y`, or `--yes`."),
];
