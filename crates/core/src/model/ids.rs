//! Identifiers, a newtype for each kind of row, so that they cannot be mixed up.

use std::fmt;
use uuid::Uuid;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize)]
        #[serde(transparent)]
        pub struct $name(pub Uuid);

        impl From<Uuid> for $name {
            fn from(id: Uuid) -> Self {
                Self(id)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

id!(UserId);
id!(OrganizationId);
id!(
    /// A session: a login on a device.
    SessionId
);
id!(InvitationId);
id!(
    /// A verification that waits for its mailed link or code.
    AccountTokenId
);
id!(AuditId);
id!(PasskeyId);
id!(
    /// An account at a provider that logs in to a user's account.
    IdentityId
);
id!(
    /// Long work that an administrator began.
    JobId
);
id!(
    /// A process of the service that runs.
    ProcessId
);
id!(
    /// A stored event. On the wire it is `evt_` and the UUID.
    EventId
);
id!(MailId);
id!(
    /// A delivery: a row of the outbox, with the id of its event or email.
    DeliveryId
);

impl From<EventId> for DeliveryId {
    fn from(id: EventId) -> Self {
        Self(id.0)
    }
}

impl From<MailId> for DeliveryId {
    fn from(id: MailId) -> Self {
        Self(id.0)
    }
}

impl DeliveryId {
    /// The event, if the delivery is a webhook.
    pub const fn event(self) -> EventId {
        EventId(self.0)
    }

    /// The email, if the delivery is one.
    pub const fn mail(self) -> MailId {
        MailId(self.0)
    }
}

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
