//! What the outbox delivers, by channel.

use tokio::sync::Notify;

/// By what means a delivery of the outbox goes out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Channel {
    /// An event, to the application's receiver.
    Webhook,
    /// A mail, to a person.
    Mail,
}

impl Channel {
    /// Every channel.
    pub const ALL: [Channel; 2] = [Channel::Webhook, Channel::Mail];

    /// The name as it is stored and logged.
    pub const fn as_str(self) -> &'static str {
        match self {
            Channel::Webhook => "webhook",
            Channel::Mail => "mail",
        }
    }

    /// Many of its deliveries, for the log.
    pub const fn plural(self) -> &'static str {
        match self {
            Channel::Webhook => "webhooks",
            Channel::Mail => "mails",
        }
    }
}

/// Rung after a commit that put something into the outbox.
#[derive(Debug, Default)]
pub(super) struct Bells {
    webhook: Notify,
    mail: Notify,
}

impl Bells {
    pub(super) fn of(&self, channel: Channel) -> &Notify {
        match channel {
            Channel::Webhook => &self.webhook,
            Channel::Mail => &self.mail,
        }
    }
}
