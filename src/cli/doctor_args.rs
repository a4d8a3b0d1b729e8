//! The arguments of `doorward doctor`. Doc comments here are the help text.

use super::url;
use clap::Args;
use hyper::Uri;

/// Arguments of `doorward doctor`.
#[derive(Clone, Debug, PartialEq, Eq, Args)]
pub struct Doctor {
    /// Send a signed ping to the receiver of webhooks
    #[arg(long)]
    pub send: bool,
    /// Try whether a visitor of this application can forge the gate's headers; `doorward dev echo` runs in its place
    #[arg(long, value_name = "URL", value_parser = application)]
    pub app: Option<Uri>,
}

/// The address of an application in a browser.
fn application(text: &str) -> Result<Uri, String> {
    url::parse(text, &["http://", "https://"])
}
