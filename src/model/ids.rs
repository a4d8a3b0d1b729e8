//! Identifiers, one type for each kind of thing, so that they cannot be mixed up.

use std::fmt;
use uuid::Uuid;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize)]
        #[serde(transparent)]
        pub struct $name(pub Uuid);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

id!(
    /// A user's account.
    UserId
);
id!(
    /// An organization.
    OrganizationId
);
id!(
    /// A session: one log-in on one device.
    SessionId
);
id!(
    /// An invitation to an organization.
    InvitationId
);
id!(
    /// Something that waits for a mailed link or code.
    AccountTokenId
);
id!(
    /// An entry of the audit log.
    AuditId
);
id!(
    /// A passkey of an account.
    PasskeyId
);
id!(
    /// A stored event. On the wire it is `evt_` and the UUID.
    EventId
);
id!(
    /// A mail in the queue.
    MailId
);

impl EventId {
    /// The id as receivers see it.
    pub fn wire(self) -> String {
        format!("evt_{}", self.0)
    }

    /// Reads an id as receivers see it.
    pub fn from_wire(text: &str) -> Option<Self> {
        Uuid::parse_str(text.strip_prefix("evt_")?).ok().map(Self)
    }
}
