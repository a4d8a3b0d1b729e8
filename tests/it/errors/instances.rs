//! Errors of an instance: its settings, key, database and start, and its backups.

use super::table::{Explained, error};

pub const SETTINGS: [Explained; 11] = [
    error(
        "… cannot be used; allowed: …",
        "The variable before the sentence has a value of another kind.",
        "Set it to what is allowed; [Settings](settings.md) explains it.",
    ),
    error("the value is not UTF-8 text", "The variable holds other bytes than text.", "Set it again, as text."),
    error(
        "is not set, but … is. Allowed: …",
        "One of two settings that belong together is missing.",
        "Set the variable before the sentence too.",
    ),
    error(
        "is not set, but … is. Allowed: both, or none of the two for no webhooks",
        "Webhooks need an address and a secret.",
        "Set `SVC_WEBHOOK_URL` and `SVC_WEBHOOK_SECRET`, or neither.",
    ),
    error(
        "is set, and … too, whose keys are for HS256. Allowed: one of the two",
        "Shared keys sign by HS256, and another algorithm is set.",
        "Remove `SVC_JWT_ALG` or the shared keys.",
    ),
    error(
        "is not set, and PostgreSQL needs it: all processes share it, so none can generate it. Allowed: 32 bytes \
         as base64, such as openssl rand -base64 32 makes",
        "There is no secret key.",
        "Set `SVC_SECRET_KEY` to the key of this database, or to a new one for a new database.",
    ),
    error(
        "there are no messages in …; … can add ….ftl",
        "`SVC_LANGUAGES` names a language that is not built in.",
        "Remove it, or add its messages: `doorward messages export`, `SVC_MESSAGES`.",
    ),
    error(
        "… cannot be the service name; allowed: a lower-case letter, then at most 31 lower-case letters and digits",
        "`--service-name` or `DOORWARD_NAME` has another form.",
        "Choose another name, or leave it out.",
    ),
    error(
        "… and … are not set, but the service on this database has them: its events of this command would be lost",
        "The command has other settings than the service.",
        "Run it with the variables of the service: `--env-file`; with the package, `doorwardctl`.",
    ),
    error(
        "webhooks are not configured: set … and …",
        "`doorward webhooks ping` has no receiver.",
        "Set `SVC_WEBHOOK_URL` and `SVC_WEBHOOK_SECRET`.",
    ),
    error(
        "mail is not set up: set … and …",
        "`doorward mail test` has no mail server.",
        "Set `SVC_SMTP_URL` and `SVC_MAIL_FROM`.",
    ),
];

pub const SECRET_KEY: [Explained; 12] = [
    error(
        "… is not set and … is missing, but the database … exists. Restore the file, or set … to the key; a new \
         one is never made for an existing database. If it is lost, see doorward secrets reset --help",
        "The data directory lost its key file, or the service runs in another folder.",
        "Restore the file, set `SVC_SECRET_KEY` or `SVC_DATA_DIR`; if the key is lost, `doorward secrets reset`.",
    ),
    error(
        "… does not hold a key: 32 bytes in base64",
        "The key file was changed or cut off.",
        "Restore it from the backup.",
    ),
    error(
        "…: …. Set that key; if it is lost, see doorward secrets reset --help",
        "The key is another one than the database's.",
        "Set `SVC_SECRET_KEY` to the key of this database; if it is lost, `doorward secrets reset`.",
    ),
    error(
        "the secret key does not fit this database: it was made with another one",
        "The key is another one than the database's.",
        "Set `SVC_SECRET_KEY` to the key of this database; if it is lost, `doorward secrets reset`.",
    ),
    error(
        "there is no secret key: … is not set, and the data directory holds none",
        "A backup is to include a key that is not there.",
        "Run the command with the settings of the service.",
    ),
    error("no secret key is given", "The list of keys is empty.", "Set `SVC_SECRET_KEY`."),
    error("the same secret key is given twice", "Two entries of `SVC_SECRET_KEY` are one key.", "Remove one of them."),
    error(
        "the purpose keys cannot be derived",
        "The cryptographic library failed.",
        "Start again; report it if it stays.",
    ),
    error(
        "the secret key fits this database, so nothing is lost. To replace a key that leaked, set … to a new one \
         alone",
        "`doorward secrets reset` is for a lost key.",
        "After a leak, set `SVC_SECRET_KEY` to a new key alone and run it again: [Backup and \
         keys](../guides/backup.md).",
    ),
    error(
        "the service runs, or did within the last minute: it has the key. Stop it, if that is to be lost",
        "A running service holds the key that is said to be lost.",
        "Stop every process, wait a minute, and run `doorward secrets reset` again.",
    ),
    error(
        "… is set: the shared keys are rotated there, not here",
        "`SVC_JWT_KEYS` holds the keys that sign.",
        "Put a new key first in `SVC_JWT_KEYS`.",
    ),
    error(
        "the signing key for another algorithm was not created: …",
        "The start could not write the key of a new `SVC_JWT_ALG`.",
        "`doorward doctor` says what is wrong with the database.",
    ),
];

pub const DATABASE: [Explained; 25] = [
    error(
        "…: … could not be opened: ……",
        "The database that the variable names cannot be used; the reason stands at the end.",
        "Correct `SVC_DATABASE_URL` or `SVC_DATA_DIR`; `doorward doctor` examines the database.",
    ),
    error(
        "there is no database at …; set … or … as the service has it, or run doorward migrate to make a new one",
        "The command has other settings than the service, or runs in another folder.",
        "Set `SVC_DATA_DIR` or `SVC_DATABASE_URL`; for a new database, `doorward migrate`.",
    ),
    error("…: run doorward migrate", "The schema is of an older version.", "`doorward migrate`, or start the service."),
    error("…, and …", "The schema is of an older version, and `SVC_MIGRATE` is off.", "`doorward migrate`."),
    error("the schema lacks … of this version's steps", "The schema is of an older version.", "`doorward migrate`."),
    error(
        "the schema could not be brought up to date: …",
        "A step failed, or the database is of a newer version.",
        "`doorward migrate status` shows the steps; install the newer version again, or restore a backup.",
    ),
    error(
        "the lock file beside the database: …",
        "The folder of the database cannot be written.",
        "Give the service's user the folder; `doorward doctor`.",
    ),
    error(
        "a step of the schema was not answered",
        "The server did not answer in time.",
        "Start again; the step is taken whole or not at all.",
    ),
    error("the PostgreSQL URL cannot be read: …", "The URL has another form.", "Correct `SVC_DATABASE_URL`."),
    error("no host", "The URL names no server.", "Correct `SVC_DATABASE_URL`."),
    error(
        "the password file …: …",
        "The file with the password of PostgreSQL cannot be read.",
        "Correct `SVC_DATABASE_PASSWORD_FILE`, or the permissions of the file.",
    ),
    error(
        "the server is a standby; only the primary takes writes",
        "`SVC_DATABASE_URL` names a standby.",
        "Name the primary, or all hosts of the cluster.",
    ),
    error(
        "the server is read-only",
        "The server takes no writes.",
        "Name the primary in `SVC_DATABASE_URL`, or let the server take writes.",
    ),
    error(
        "the server's certificate is of X.509 version 1, which is refused: make one of version 3",
        "The certificate of PostgreSQL is of an old form.",
        "Make a new one for the server.",
    ),
    error(
        "the pooler before the server gives a connection away after each transaction, which cannot work: set it \
         to session mode, or connect to the server itself",
        "PgBouncer is in transaction mode.",
        "Set `pool_mode=session`, or connect to the server.",
    ),
    error(
        "the server, or the pooler before it, gave no second connection within 5 seconds: its limit of \
         connections is too low",
        "All connections are taken.",
        "Raise the limit there, or lower `SVC_DATABASE_POOL_MAX`.",
    ),
    error(
        "database: …",
        "The database refused or failed; its own words follow.",
        "`doorward doctor` looks for the reason.",
    ),
    error(
        "the transaction was not committed: …",
        "The database failed at the end of a change; nothing was changed.",
        "Run the command again; `doorward doctor` if it stays.",
    ),
    error(
        "another process holds the database",
        "Another process writes to the SQLite file for long.",
        "Run the command again.",
    ),
    error("the database was closed", "The process is ending.", "Run the command again."),
    error("the transaction had already failed", "A bug in Doorward.", "Report it, with the log."),
    error(
        "a change was not checked against its permit: …",
        "A bug in Doorward; nothing was changed.",
        "Report it, with the log.",
    ),
    error(
        "a constraint of the database was violated: …",
        "Two changes met, or the database was changed by hand.",
        "Run the command again; report it if it stays.",
    ),
    error(
        "an event could not be written as JSON: …",
        "A bug in Doorward; nothing was changed.",
        "Report it, with the log.",
    ),
    error("…: not UTF-8 text", "The path has other bytes than text.", "Choose another path."),
];

pub const START: [Explained; 17] = [
    error(
        "…: could not listen on …: …",
        "The address is taken, not of this machine, or the port needs a right.",
        "Set `SVC_LISTEN` or `SVC_METRICS_LISTEN`, or stop what listens there.",
    ),
    error("cannot listen on port …: …", "The port is taken.", "Choose another `--port`."),
    error(
        "--app: … has another host than …; …",
        "Browsers send the cookies to one host only.",
        "Give both the same host, such as `localhost`.",
    ),
    error(
        "… is for another machine: …. doorward dev is for this one",
        "A variable names a server elsewhere, which people may use.",
        "Unset the variable, or use `doorward serve`.",
    ),
    error(
        "the service on this database was last …, and people may use it. Make a copy with doorward backup, restore it in \
         another folder, and start it once with doorward serve and a … of this machine",
        "The last start on this database had a base URL elsewhere.",
        "`doorward backup`, then `doorward restore` and `doorward serve` in the other folder.",
    ),
    error(
        "…: … is not this machine, and --ephemeral is for tests on it",
        "A variable names a host elsewhere.",
        "Unset the variable for the tests.",
    ),
    error(
        "no folder for --ephemeral can be made: …",
        "Neither `XDG_RUNTIME_DIR`, `/dev/shm` nor the temporary directory takes one.",
        "Set `XDG_RUNTIME_DIR` or `TMPDIR` to a folder of yours.",
    ),
    error(
        "… has port 0, so that the service's port is not known",
        "The command needs the address of a service that chose its port.",
        "Set `SVC_LISTEN` to a port, or give the address to the command.",
    ),
    error(
        "no thread for password hashes: …",
        "The limit of threads or memory is reached.",
        "Raise it for the service.",
    ),
    error("the metrics: …", "A bug in Doorward.", "Report it, with the log."),
    error(
        "the domains of stored email addresses were not converted: …",
        "The database failed during the start.",
        "Start again; `doorward doctor` if it stays.",
    ),
    error(
        "the base URL was not noted in the database: …",
        "The database failed during the start.",
        "Start again; `doorward doctor` if it stays.",
    ),
    error(
        "the certificates for the mail server in … cannot be used: …",
        "The file holds no certificates.",
        "Correct `SVC_SMTP_CA_FILE`, or the file.",
    ),
    error(
        "TLS cannot be set up for the mail server: …",
        "The machine's certificates cannot be used.",
        "Install `ca-certificates`.",
    ),
    error(
        "no trusted certificates were found on this machine: …",
        "The machine has no root certificates, which an `https` receiver needs.",
        "Install `ca-certificates`.",
    ),
    error(
        "the username and password of the webhook URL cannot be sent as a header",
        "They hold characters that no header can.",
        "Change them in `SVC_WEBHOOK_URL`.",
    ),
    error(
        "… answered …",
        "The health check got another answer than 200.",
        "`doorward doctor`; with `--ready` it may be the database.",
    ),
];

pub const BACKUP: [Explained; 16] = [
    error(
        "… exists already, and is not overwritten",
        "A file of that name is there.",
        "Choose another name, or move the file.",
    ),
    error(
        "…: …; the copy takes up to … bytes there",
        "There is no room, or no right to write.",
        "Choose another folder.",
    ),
    error(
        "… holds no password of PostgreSQL",
        "`doorward backup --password` prints the password in `SVC_DATABASE_URL`, which has none.",
        "Leave the option out.",
    ),
    error(
        "--loaded is for PostgreSQL; a SQLite database is restored from a file",
        "The option is for the other database.",
        "Name the file: `doorward restore FILE`.",
    ),
    error(
        "triggers, rules or views of the backup are not those of Doorward: …; take another backup, or remove them \
         if you know who made them",
        "Someone changed the database from which the backup is.",
        "Take another backup; [Backup and keys](../guides/backup.md).",
    ),
    error(
        "the service runs, or another command: stop all processes that have this database open",
        "A restore replaces the database under running processes.",
        "Stop them, and run `doorward restore` again.",
    ),
    error(
        "… is in use: stop the service, and whatever else has it open",
        "A process has the database open.",
        "Stop it, and run `doorward restore` again.",
    ),
    error(
        "… holds another key, and is not overwritten",
        "The data directory has the key of another database.",
        "Move that file away if no database needs it.",
    ),
    error(
        "…; see doorward restore --help",
        "The secret key is another one than the backup's.",
        "Set `SVC_SECRET_KEY` to the key of the backup, or `--with-key`.",
    ),
    error(
        "--from must be a file: the service has a SQLite database",
        "The backup is named in the form of the other database.",
        "`doorward user recover ID --from FILE`.",
    ),
    error(
        "--from must be the postgres:// URL of a database into which pg_restore has put the backup",
        "The backup is named in the form of the other database.",
        "Load it into a database of its own, and name that.",
    ),
    error(
        "the backup has no account with the id …",
        "It was made before the account, or after its deletion.",
        "Take another backup.",
    ),
    error(
        "there is an account with the id … already: nothing to bring back",
        "The account is not deleted.",
        "`doorward user show ID`.",
    ),
    error(
        "another account has the email address … now; change that, or delete it, first",
        "Someone signed up with the address since.",
        "`doorward user set-email`, or `doorward user delete`.",
    ),
    error(
        "another account has the username … now; change that first",
        "Someone chose the username since.",
        "Have that person choose another one.",
    ),
    error(
        "the backup was made with another secret key",
        "Second factors of the backup cannot be read.",
        "Put the key of the backup behind the current one in `SVC_SECRET_KEY`.",
    ),
];
