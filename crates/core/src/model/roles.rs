//! Platform roles: permissions in the administration of the service.

use super::names::names;

names! {
    /// A role in the whole service, apart from the roles in an organization. On the wire its name follows the service
    /// name ([`ServiceName::role`](crate::settings::ServiceName::role)).
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[repr(u8)]
    pub enum PlatformRole {
        /// May administer the service: the audience `admin`.
        Admin = "admin",
        /// May read what administrators may change.
        Auditor = "auditor",
        /// Reads health and delivery metrics.
        Monitor = "monitor",
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Roles(u8);

impl Roles {
    pub const NONE: Roles = Roles(0);

    #[must_use]
    pub const fn with(self, role: PlatformRole) -> Self {
        Roles(self.0 | 1 << role as u8)
    }

    #[must_use]
    pub const fn and(self, others: Self) -> Self {
        Roles(self.0 | others.0)
    }

    #[must_use]
    pub const fn except(self, others: Self) -> Self {
        Roles(self.0 & !others.0)
    }

    pub const fn contains(self, role: PlatformRole) -> bool {
        self.0 & (1 << role as u8) != 0
    }

    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The roles in the set, the most privileged first.
    pub fn iter(self) -> impl Iterator<Item = PlatformRole> {
        PlatformRole::ALL.into_iter().filter(move |role| self.contains(*role))
    }

    /// The set as it is stored: comma-separated names in the order of [`PlatformRole::ALL`]; no role is `""`.
    pub fn to_text(self) -> String {
        self.iter().map(PlatformRole::as_str).collect::<Vec<_>>().join(",")
    }

    /// Reads what [`Roles::to_text`] wrote; `None` if a name is unknown.
    pub fn parse_text(text: &str) -> Option<Self> {
        if text.is_empty() {
            return Some(Self::NONE);
        }
        text.split(',').map(PlatformRole::parse).collect()
    }
}

impl FromIterator<PlatformRole> for Roles {
    fn from_iter<I: IntoIterator<Item = PlatformRole>>(roles: I) -> Self {
        roles.into_iter().fold(Self::NONE, Roles::with)
    }
}

#[cfg(test)]
#[path = "roles_tests.rs"]
mod tests;
