//! Keys of organizations, by whose beginnings administrators find them. They are written with the name. A version that does
//! not know them leaves them out, so each says which name it was made of.

use super::{Conn, Result, Tx};
use crate::model::ids::OrganizationId;
use crate::model::mail_domain::fold;

pub(super) const UNKEYED: &str =
    "SELECT id, name FROM organizations WHERE keyed_name IS DISTINCT FROM name ORDER BY id LIMIT $1";
/// Not where the name has changed since it was read.
const SET_KEY: &str = "UPDATE organizations SET name_key = $3, keyed_name = $2 WHERE id = $1 AND name = $2";

impl Conn {
    /// At most `limit` organizations that have no key, or that of another name.
    pub async fn organizations_unkeyed(&mut self, limit: i64) -> Result<Vec<(OrganizationId, String)>> {
        fetch_all!(self, UNKEYED, limit)
    }
}

impl Tx {
    /// Writes the keys of organizations with these names, which are in the order of their ids, as locks are.
    pub async fn organizations_set_keys(&mut self, named: &[(OrganizationId, String)]) -> Result<()> {
        for (id, name) in named {
            execute!(self, SET_KEY, id, name, fold(name))?;
        }
        Ok(())
    }
}
