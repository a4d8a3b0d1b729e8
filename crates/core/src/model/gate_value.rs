//! What the gate tells an application about its user.

use crate::model::names::listed;

listed! {
    /// A value that the gate sends in a header.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[repr(u8)]
    pub enum GateValue {
        Id,
        Email,
        Username,
        /// The platform roles, separated by commas.
        Roles,
        EmailVerified,
        OrganizationId,
        OrganizationRole,
        SessionId,
        /// The signed assertion of all of this.
        Assertion,
    }
}

impl GateValue {
    /// The name in `SVC_GATE_HEADERS`, and the end of the name of its own header.
    pub const fn names(self) -> (&'static str, &'static str) {
        match self {
            GateValue::Id => ("id", "User-Id"),
            GateValue::Email => ("email", "User-Email"),
            GateValue::Username => ("username", "User-Username"),
            GateValue::Roles => ("roles", "User-Roles"),
            GateValue::EmailVerified => ("email_verified", "Email-Verified"),
            GateValue::OrganizationId => ("organization_id", "Organization-Id"),
            GateValue::OrganizationRole => ("organization_role", "Organization-Role"),
            GateValue::SessionId => ("session_id", "Session-Id"),
            GateValue::Assertion => ("assertion", "Assertion"),
        }
    }
}
