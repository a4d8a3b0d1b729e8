//! `doorward user set-details`, and what other commands on accounts take of the details.

use super::args::CreateUser;
use super::details_args::SetDetails;
use super::failure::Failure;
use super::output::Output;
use super::which_user;
use super::wording::sentence;
use crate::context::App;
use crate::domain::account::details::{AccountDetails, DetailsChange};
use crate::domain::account::update::UserUpdate;
use crate::domain::identity::visible_name::DisplayName;
use crate::model::external_id::ExternalId;
use crate::model::mail_domain::in_letters;
use crate::model::metadata::Metadata;
use serde_json::json;

/// Sets what the application keeps with an account.
pub(super) async fn set(app: &App, new: &SetDetails, out: &mut Output<'_>) -> Result<(), Failure> {
    let details = DetailsChange {
        external_id: new.external_id.as_deref().map(external_id).transpose()?,
        metadata: new.metadata.as_deref().map(Metadata::parse).transpose().map_err(Failure::Refused)?,
    };
    let name = new.name.as_deref().map(display_name).transpose()?;
    let change = UserUpdate { name, details, ..UserUpdate::default() };
    let (user, changed) = which_user::update(app, &new.user, change).await?;
    let email = in_letters(&user.email);
    let text = if changed { format!("Updated {email}") } else { format!("Nothing to change for {email}") };
    out.result(&json!({"id": user.id, "changed": changed}), &text)
}

pub(super) fn of_new(new: &CreateUser) -> Result<AccountDetails, Failure> {
    let external_id = new.external_id.as_deref().map(external_id).transpose()?.flatten();
    let metadata = Metadata::parse(new.metadata.as_deref().unwrap_or("{}")).map_err(Failure::Refused)?;
    Ok(AccountDetails { external_id, metadata })
}

/// Empty: none.
pub(super) fn display_name(text: &str) -> Result<Option<DisplayName>, Failure> {
    DisplayName::parse_optional(text).map_err(|why| Failure::Refused(sentence(&why)))
}

/// Empty: none.
fn external_id(text: &str) -> Result<Option<ExternalId>, Failure> {
    if text.is_empty() { Ok(None) } else { ExternalId::parse(text).map(Some).map_err(Failure::Refused) }
}
