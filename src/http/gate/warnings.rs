//! What an operator should know of the gate, at most once a minute each: any request may cause it.

use super::protected::Obstacle;
use crate::http::warning_interval::WarningInterval;
use crate::settings::Settings;
use std::net::IpAddr;

/// When each was last logged.
#[derive(Default)]
pub struct Warnings {
    rule: WarningInterval,
    peer: WarningInterval,
    unlisted: WarningInterval,
    no_cookies: WarningInterval,
}

impl Warnings {
    /// The address of the gate has a rule that cannot be read: the proxy's, which refuses everybody, or one that anybody
    /// made up who reaches the gate.
    pub fn unreadable_rule(&self, is_trusted: bool) {
        const RULE: &str = "a rule in the address of the gate is unknown, repeated or unreadable";
        if !is_trusted {
            tracing::debug!("{RULE}");
        } else if self.rule.is_due() {
            tracing::error!("{RULE}: everybody is refused");
        }
    }

    /// A peer that is not trusted describes another request.
    pub fn untrusted_peer(&self, settings: &Settings, peer: IpAddr) {
        if self.peer.is_due() {
            let variable = settings.name.variable("TRUSTED_PROXIES");
            tracing::warn!(%peer, "the gate does not believe this peer; if it is the proxy, add it to {variable}");
        }
    }

    pub fn obstacle(&self, settings: &Settings, obstacle: Obstacle) {
        let name = |suffix| settings.name.variable(suffix);
        match obstacle {
            Obstacle::Unlisted if self.unlisted.is_due() => {
                let (base, others) = (name("BASE_URL"), name("RETURN_ORIGINS"));
                tracing::warn!(
                    "the gate protects an origin that is neither that of {base} nor in {others}; compare the scheme, too \
                     (X-Forwarded-Proto): users are not sent back to it"
                );
            }
            Obstacle::NoCookies if self.no_cookies.is_due() => {
                let variable = name("COOKIE_DOMAIN");
                tracing::warn!(
                    "the gate protects an origin that gets no cookies of the login: see {variable}, and https"
                );
            }
            Obstacle::Unlisted | Obstacle::NoCookies => {}
        }
    }
}
