//! What the gate tells an application about its user.

use crate::model::names::names;

names! {
    /// A value that the gate sends in a header, with its name in `SVC_GATE_HEADERS`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[repr(u8)]
    pub enum GateValue {
        Id = "id",
        Email = "email",
        Username = "username",
        /// The display name, if there is one.
        Name = "name",
        /// The platform roles, separated by commas.
        Roles = "roles",
        EmailVerified = "email_verified",
        OrganizationId = "organization_id",
        OrganizationRole = "organization_role",
        SessionId = "session_id",
        /// The signed assertion of all of this.
        Assertion = "assertion",
    }
}

impl GateValue {
    /// The end of the name of its own header. A header that proxies do not know reaches applications from outside, so
    /// none was added since the first version.
    pub const fn own_header(self) -> Option<&'static str> {
        Some(match self {
            GateValue::Id => "User-Id",
            GateValue::Email => "User-Email",
            GateValue::Username => "User-Username",
            GateValue::Name => return None,
            GateValue::Roles => "User-Roles",
            GateValue::EmailVerified => "Email-Verified",
            GateValue::OrganizationId => "Organization-Id",
            GateValue::OrganizationRole => "Organization-Role",
            GateValue::SessionId => "Session-Id",
            GateValue::Assertion => "Assertion",
        })
    }
}
