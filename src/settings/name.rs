//! The service name and everything that is derived from it (contract.md 1).

/// A deployment's service name; cookies, headers, variables and roles are named after it and after nothing else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServiceName(String);
