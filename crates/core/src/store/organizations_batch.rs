//! Creating many organizations together: the personal ones of members whose last organization is deleted.

use super::values::with_rows;
use super::{OrganizationRow, Result, Tx};
use crate::model::ids::{OrganizationId, UserId};
use crate::model::organization::MemberRole;

/// The most rows of a statement: enough to amortize the round trip, and within the limit of parameters of both
/// databases.
const ROWS: usize = 500;

impl Tx {
    /// Stores new organizations, each with its first owner.
    pub async fn organizations_create_owned(&mut self, made: &[(OrganizationRow, UserId)]) -> Result<()> {
        for chunk in made.chunks(ROWS) {
            self.insert_organizations(chunk.iter().map(|(organization, _)| organization)).await?;
            self.insert_owners(chunk.iter().map(|(organization, owner)| (organization.id, *owner))).await?;
        }
        Ok(())
    }

    async fn insert_organizations(&mut self, rows: impl Iterator<Item = &OrganizationRow> + Send) -> Result<()> {
        let sql = "INSERT INTO organizations (id, kind, name, created_by_user_id, created_at, updated_at) VALUES";
        with_engine!(self, sql, |c, sql| async {
            let mut query = with_rows(sql, rows, |mut row, organization| {
                row.push_bind(organization.id).push_bind(organization.kind).push_bind(&organization.name);
                row.push_bind(organization.created_by_user_id);
                row.push_bind(organization.created_at).push_bind(organization.created_at);
            });
            query.build().persistent(false).execute(c).await.map(drop)
        })
    }

    async fn insert_owners(&mut self, rows: impl Iterator<Item = (OrganizationId, UserId)> + Send) -> Result<()> {
        let now = self.now();
        let sql = "INSERT INTO memberships (organization_id, user_id, role, created_at) VALUES";
        with_engine!(self, sql, |c, sql| async {
            let mut query = with_rows(sql, rows, |mut row, (org, owner)| {
                row.push_bind(org).push_bind(owner).push_bind(MemberRole::Owner).push_bind(now);
            });
            query.build().persistent(false).execute(c).await.map(drop)
        })
    }
}
