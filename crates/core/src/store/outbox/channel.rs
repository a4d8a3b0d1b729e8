//! The channels of the outbox, their queues, and waking their workers.

use crate::model::names::names;
use tokio::sync::Notify;

names! {
    /// By what means a delivery of the outbox goes out.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Channel {
        Webhook = "webhook",
        Mail = "mail",
    }
}

names! {
    /// A queue of the outbox: the value of its column `channel`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Queue {
        Webhook = "webhook",
        /// Mails that people wait for: links and codes.
        Mail = "mail",
        /// Invitations and notices, which go out when no other mail waits.
        Notice = "notice",
    }
}

impl Channel {
    /// The name of several deliveries, for the log.
    pub const fn plural(self) -> &'static str {
        match self {
            Channel::Webhook => "webhooks",
            Channel::Mail => "mails",
        }
    }

    /// The word for several in the names of metrics, which never change.
    pub const fn counted(self) -> &'static str {
        match self {
            Channel::Webhook => "events",
            Channel::Mail => "emails",
        }
    }

    /// Its queues, in the order in which they are claimed.
    pub const fn queues(self) -> &'static [Queue] {
        match self {
            Channel::Webhook => &[Queue::Webhook],
            Channel::Mail => &[Queue::Mail, Queue::Notice],
        }
    }
}

impl Queue {
    pub const fn channel(self) -> Channel {
        match self {
            Queue::Webhook => Channel::Webhook,
            Queue::Mail | Queue::Notice => Channel::Mail,
        }
    }

    /// Whether its deliveries are sent one after the other if they are about the same subject.
    pub(in crate::store) const fn has_order(self) -> bool {
        matches!(self, Queue::Webhook)
    }
}

/// Notified after a commit that put something into the outbox, one for each channel.
#[derive(Debug, Default)]
pub(in crate::store) struct Wakeups {
    webhook: Notify,
    mail: Notify,
}

impl Wakeups {
    pub(in crate::store) fn of(&self, channel: Channel) -> &Notify {
        match channel {
            Channel::Webhook => &self.webhook,
            Channel::Mail => &self.mail,
        }
    }

    pub(in crate::store) fn wake(&self, channel: Channel) {
        self.of(channel).notify_one();
    }
}
