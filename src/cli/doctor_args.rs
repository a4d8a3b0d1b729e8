//! The arguments of `doorward doctor`. Doc comments here are the help text.

use super::url;
use clap::Args;
use hyper::Uri;

/// Arguments of `doorward doctor`.
#[derive(Clone, Debug, PartialEq, Eq, Args)]
pub struct Doctor {
    /// Send a signed ping to the webhook receiver
    #[arg(long)]
    pub send: bool,
    /// Test whether a visitor of this application can forge the gate's headers; run `doorward dev echo` in its place
    #[arg(long, value_name = "URL", value_parser = application)]
    pub app: Option<Uri>,
}

/// The address of an application in a browser.
fn application(text: &str) -> Result<Uri, String> {
    url::parse(text, &["http://", "https://"])
}
