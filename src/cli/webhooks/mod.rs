//! `doorward webhooks …`, one file for each command.

pub mod args;
mod curl;
mod json_lines;
mod list;
mod listen;
mod ping;
mod replay;
mod show;
mod stats;
mod verdict;
mod window;

pub(super) use listen::listen;
pub(super) use ping::ping;
pub(super) use window::window;

use super::Failure;
use super::output::Output;
use crate::app::App;
use args::WebhooksCommand;
use std::io::Write;

/// Carries out a command on the deliveries of the database.
pub(super) async fn run<W: Write>(app: &App, command: WebhooksCommand, out: &mut Output<W>) -> Result<(), Failure> {
    match command {
        WebhooksCommand::List(arguments) => list::list(app, &arguments, out).await,
        WebhooksCommand::Show(arguments) => show::show(app, arguments.id, out).await,
        WebhooksCommand::Replay(arguments) => replay::replay(app, &arguments, out).await,
        WebhooksCommand::Stats => stats::stats(app, out).await,
        // Handled before, as they need no database.
        WebhooksCommand::Ping | WebhooksCommand::Listen(_) | WebhooksCommand::Window => Ok(()),
    }
}
