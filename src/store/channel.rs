//! The channels of the outbox, and waking their workers.

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

    /// The name of several deliveries, for the log.
    pub const fn plural(self) -> &'static str {
        match self {
            Channel::Webhook => "webhooks",
            Channel::Mail => "mails",
        }
    }
}

/// Notified after a commit that put something into the outbox, one for each channel.
#[derive(Debug, Default)]
pub(super) struct Wakeups {
    webhook: Notify,
    mail: Notify,
}

impl Wakeups {
    pub(super) fn of(&self, channel: Channel) -> &Notify {
        match channel {
            Channel::Webhook => &self.webhook,
            Channel::Mail => &self.mail,
        }
    }

    /// Wakes a worker of the channel.
    pub(super) fn wake(&self, channel: Channel) {
        self.of(channel).notify_one();
    }
}
