//! Providers that people log in with: their records, and the list of them that each process has in memory.

mod identities;
mod list;
mod logins;
mod lookup;
pub(super) mod memory;
mod pending;
mod rows;

pub use identities::{IdentityRow, MAX_IDENTITIES, NewIdentity};
pub use list::{ProviderList, ProviderRow};
pub use logins::{ConnectTarget, ProviderLoginRow};
pub use pending::PendingIdentityRow;
