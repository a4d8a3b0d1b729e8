//! `doorward mail …`, one file for each command.

pub mod args;
mod list;
mod show;
mod test;

pub(super) use test::test;

use super::Failure;
use super::output::Output;
use crate::app::App;
use args::MailCommand;
use std::io::Write;

/// Carries out a command on the mails of the database.
pub(super) async fn run<W: Write>(app: &App, command: MailCommand, out: &mut Output<W>) -> Result<(), Failure> {
    match command {
        MailCommand::List(arguments) => list::list(app, &arguments, out).await,
        MailCommand::Show(which) => show::show(app, which.id(), out).await,
        MailCommand::Link(which) => show::link(app, which.id(), out).await,
        // Handled before, as it needs no database.
        MailCommand::Test(_) => Ok(()),
    }
}
