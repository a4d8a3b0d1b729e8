//! `doorward setup-link`

use super::failure::Failure;
use super::output::Output;
use super::runner::as_operator;
use crate::context::App;
use crate::crypto::token_hash::LinkToken;
use crate::domain::registration::setup;
use serde_json::json;

/// Prints the link that makes the first administrator.
pub(super) async fn run(app: &App, (): (), out: &mut Output<'_>) -> Result<(), Failure> {
    let Some((token, expires_at)) = as_operator(app, setup::IssueLink).await? else {
        return Err(Failure::Refused(
            "an administrator already exists; add another with doorward user grant".to_owned(),
        ));
    };
    let url = url(app, &token);
    let text = format!("{url}\nIt expires in one hour. Earlier links no longer work");
    out.result(&json!({"url": url, "expires_at": expires_at}), &text)
}

pub(super) fn url(app: &App, token: &LinkToken) -> String {
    format!("{}/auth/setup/{}", app.settings.server.base_url.as_str(), token.text())
}
