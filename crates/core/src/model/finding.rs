//! What may be wrong with an instance: one list for the warnings of a start and for `doorward doctor`.
//! docs/reference/doctor.md explains each of them.

use serde::{Serialize, Serializer};
use std::fmt;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// It works, but not as safely or as well as it could.
    Warning,
    /// Something does not work, or is open to an attack.
    Error,
}

impl Severity {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// Declares the codes. A number is never changed and never used again: operators search for it.
macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $number:literal $severity:ident),* $(,)?) => {
        /// What a check found, as a stable code.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum FindingCode { $($(#[$doc])* $name),* }

        impl FindingCode {
            pub const ALL: &[FindingCode] = &[$(FindingCode::$name),*];

            /// The code as it is printed: `DW-002`.
            pub const fn as_str(self) -> &'static str {
                match self { $(FindingCode::$name => concat!("DW-", $number)),* }
            }

            pub const fn severity(self) -> Severity {
                match self { $(FindingCode::$name => Severity::$severity),* }
            }
        }
    };
}

codes! {
    /// A setting is missing or cannot be read.
    SettingInvalid = "001" Error,
    /// A variable looks like a setting but is none.
    UnknownVariable = "002" Warning,
    /// An origin to return to does not receive the cookies.
    OriginWithoutCookies = "003" Warning,
    /// Email may leave without TLS.
    MailWithoutTls = "004" Warning,
    /// The limit of open files could not be raised.
    OpenFileLimit = "005" Warning,
    /// A running process has other settings.
    SettingsDiffer = "006" Error,
    /// A line of a file of variables is not read, or not by everyone.
    EnvFileLine = "007" Warning,
    /// Variables come from the environment, although there is a file of variables.
    BesideEnvFile = "008" Warning,
    /// The file of variables in the working directory may be someone else's.
    EnvFileNotTrusted = "009" Warning,
    /// Others can read or change a file.
    FileNotPrivate = "010" Warning,
    /// Others can replace the files of a directory.
    DirectoryNotPrivate = "011" Warning,
    /// There is no room on the disk, or no right to write there.
    NoRoom = "012" Error,
    /// The secret key cannot be loaded.
    KeyMissing = "015" Error,
    /// The secret key is not that of the database.
    WrongKey = "016" Error,
    /// No signing key was made, as processes differ in the algorithm.
    AlgorithmsAlternate = "017" Warning,
    /// A table, a column or a unique index of the schema is missing.
    SchemaIncomplete = "018" Error,
    /// The server gives fewer connections than the processes may open.
    ConnectionsShort = "019" Warning,
    /// The database cannot be opened or does not answer.
    DatabaseAway = "020" Error,
    /// The database takes no writes.
    DatabaseReadOnly = "021" Error,
    /// The database's disk is full.
    DatabaseFull = "022" Error,
    /// The database's user may not do what the service does.
    DatabaseRights = "023" Error,
    /// The database takes long for each answer.
    DatabaseSlow = "024" Warning,
    /// A pooler gives connections away after each transaction.
    PoolerInTransactionMode = "025" Error,
    /// The schema lacks steps.
    OldSchema = "026" Error,
    /// The clock differs from the database's.
    ClockDiffers = "027" Error,
    /// Accounts whose addresses differ only in the spelling of the domain.
    DuplicateAddresses = "028" Warning,
    /// Pages of the database are damaged.
    DatabaseDamaged = "029" Error,
    /// A name has no address.
    NameNotResolved = "030" Error,
    /// The public address takes no connection.
    AddressUnreachable = "031" Error,
    /// The certificate of the public address is not trusted.
    AddressCertificate = "032" Error,
    /// Something else answers at the public address.
    AnsweredElsewhere = "033" Error,
    /// The public address has another scheme.
    WrongScheme = "034" Error,
    /// A proxy changes the host.
    HostChanged = "035" Warning,
    /// A proxy is not trusted.
    UntrustedProxy = "036" Error,
    /// Nothing names the client, or nothing readable.
    ClientNotNamed = "037" Warning,
    /// Cookies do not survive the proxy.
    CookiesLost = "038" Error,
    /// The gate answers from outside.
    GateOpen = "039" Error,
    /// The mail server takes no connection.
    MailUnreachable = "040" Error,
    /// There is no TLS with the mail server.
    MailTls = "041" Error,
    /// The mail server refuses the login.
    MailLogin = "042" Error,
    /// Emails wait that should have left.
    MailsWait = "043" Warning,
    /// The receiver of webhooks takes no connection.
    WebhooksUnreachable = "050" Error,
    /// There is no TLS with the receiver of webhooks.
    WebhooksTls = "051" Error,
    /// The receiver of webhooks refuses a signed ping.
    WebhooksRefused = "052" Error,
    /// Events are given up after a short outage of the receiver of webhooks.
    OutageLosesEvents = "053" Warning,
    /// Events wait that should have arrived, or were given up.
    EventsNotDelivered = "054" Warning,
    /// A visitor's headers arrive at an application under the gate's names.
    IdentityForged = "060" Error,
    /// Whether that is so could not be found out.
    ApplicationNotReached = "061" Error,
    /// An application may take a stranger for one of its accounts, by a header of the gate.
    NamesOfStrangers = "062" Warning,
    /// A provider does not answer, or with something else than a provider's documents.
    ProviderUnreachable = "070" Error,
    /// The metadata of a provider are of another issuer.
    ProviderIssuer = "071" Error,
    /// A provider does not promise to check code verifiers.
    ProviderWithoutPkce = "072" Warning,
    /// A provider refuses this client.
    ProviderRefusesClient = "073" Error,
    /// A provider has no secret that can be used.
    ProviderWithoutSecret = "074" Error,
    /// The key of a record for Apple cannot sign.
    AppleKeyUnusable = "075" Error,
    /// A provider does not take the redirect address.
    RedirectAddress = "076" Error,
    /// The clock differs from a provider's.
    ProviderClockDiffers = "077" Error,
    /// Only this machine reaches the public address.
    AddressIsLocal = "080" Warning,
    /// There is no mail server.
    NoMailServer = "081" Warning,
    /// There is no receiver of webhooks.
    NoWebhooks = "082" Warning,
    /// The instance is new, and a backup is to be planned.
    NoBackupYet = "083" Warning,
    /// No backup was recorded for a week.
    NoBackup = "084" Warning,
    /// A proxy answers from a cache.
    AnswersCached = "085" Error,
    /// A proxy does not pass on what a login sends and receives.
    LoginsRefused = "086" Error,
    /// A check did not end in time.
    CheckTimedOut = "090" Error,
    /// A certificate ends soon.
    CertificateEnds = "091" Warning,
}

impl fmt::Display for FindingCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for FindingCode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    pub code: FindingCode,
    /// What is wrong and what to do, in one line; never a secret.
    pub message: String,
}

impl Finding {
    pub fn new(code: FindingCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.code, self.message)
    }
}
