//! The operator's rules, in the query of the gate's address.

use super::protected::ProtectedOrigins;
use crate::model::ids::OrganizationId;
use crate::model::organization::MemberRole;
use crate::model::roles::PlatformRole;
use crate::model::session_view::SessionView;
use crate::settings::{Origin, duration};
use std::time::Duration;

/// What the operator asks of a request. All must be met.
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a rule of its own")]
pub struct Rules {
    /// The protected origin, whatever headers say: its place among the protected ones.
    pub origin: Option<PinnedOrigin>,
    /// The session's active organization.
    pub organization: Option<OrganizationId>,
    /// The least role there.
    pub role: Option<MemberRole>,
    /// A platform role, or admin.
    pub platform: Option<PlatformRole>,
    pub verified: bool,
    /// The session showed a second factor.
    pub mfa: bool,
    /// The user authenticated within this time.
    pub fresh: Option<Duration>,
    /// Changes come from the protected origin itself.
    pub same_origin: bool,
    /// Anonymous requests pass too.
    pub optional: bool,
    /// A preflight passes.
    pub preflight: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PinnedOrigin {
    Protected(usize),
    Unlisted,
}

/// A rule that cannot be read: no request passes.
#[derive(Debug, PartialEq, Eq)]
pub struct UnreadableRule;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lack {
    /// Something that the user cannot show.
    Other,
    /// A second factor, perhaps also a fresh login.
    SecondFactor,
    /// A proof of who the user is within this time.
    RecentProof(Duration),
}

impl Rules {
    /// Reads a query. Every parameter is a rule, at most once, with a value that can be read.
    pub fn parse(query: Option<&str>, origins: &ProtectedOrigins) -> Result<Self, UnreadableRule> {
        let mut rules = Rules::default();
        let mut seen: Vec<String> = Vec::new();
        for (name, value) in form_urlencoded::parse(query.unwrap_or_default().as_bytes()) {
            if seen.iter().any(|earlier| *earlier == name) {
                return Err(UnreadableRule);
            }
            rules.read(&name, &value, origins).ok_or(UnreadableRule)?;
            seen.push(name.into_owned());
        }
        Ok(rules)
    }

    fn read(&mut self, name: &str, value: &str, origins: &ProtectedOrigins) -> Option<()> {
        match (name, value) {
            ("origin", value) => {
                let place = origins.find(&Origin::parse(value)?);
                self.origin = Some(place.map_or(PinnedOrigin::Unlisted, PinnedOrigin::Protected));
            }
            ("organization", value) => self.organization = Some(OrganizationId(value.parse().ok()?)),
            ("role", value) => self.role = Some(MemberRole::parse(value)?),
            ("platform", value) => self.platform = Some(PlatformRole::parse(value)?),
            ("fresh", value) => self.fresh = Some(duration::parse(value).ok()?),
            ("verified", "") => self.verified = true,
            ("mfa", "") => self.mfa = true,
            ("same-origin", "") => self.same_origin = true,
            ("optional", "") => self.optional = true,
            ("preflight", "") => self.preflight = true,
            _ => return None,
        }
        Some(())
    }

    /// What this user lacks, if anything. What cannot be shown comes first: then a step-up would be of no use.
    pub fn lack(&self, view: &SessionView, now: crate::model::time::Time) -> Option<Lack> {
        let is_in = self.organization.is_none_or(|id| view.organization_role.is_some() && view.organization_id == id);
        let has_role = self.role.is_none_or(|least| view.organization_role.is_some_and(|role| role >= least));
        let has_platform =
            self.platform.is_none_or(|role| view.roles.contains(role) || view.roles.contains(PlatformRole::Admin));
        if !is_in || !has_role || !has_platform || (self.verified && !view.email_verified) {
            return Some(Lack::Other);
        }
        if self.mfa && !view.methods.has_second_factor() {
            return Some(Lack::SecondFactor);
        }
        self.fresh.filter(|time| !view.is_proved_within(*time, now)).map(Lack::RecentProof)
    }
}

#[cfg(test)]
#[path = "rules_tests.rs"]
mod tests;
