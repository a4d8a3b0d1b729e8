//! The arguments of `doorward mail`. Doc comments here are the help text.

use crate::cli::page::PageArguments;
use crate::cli::sending_again::AgainArguments;
use crate::cli::webhooks::args::state_parser;
use crate::model::ids::MailId;
use crate::store::DeliveryState;
use clap::{Args, Subcommand};
use uuid::Uuid;

/// `doorward mail …`
#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
pub enum MailCommand {
    /// List emails, newest first
    #[command(
        long_about = "List emails, newest first: id, state, kind, recipient, time, and result of the last attempt. \
            Without a mail server, emails wait here until they expire.\n\n\
            Example: doorward mail list --state pending --to ada@example.com"
    )]
    List(ListMails),
    /// Show an email: its text, while it waits, and every attempt
    #[command(
        long_about = "Show an email: its text, while it waits, and every attempt with the mail server's answer. The \
            text is erased as soon as the email is delivered, fails or expires.\n\nAnyone who has its link or code \
            gets in: pass them to the recipient and to nobody else."
    )]
    Show(MailArgument),
    /// Print the link of a waiting email, to pass on by other means
    #[command(long_about = "Print the link of a waiting email, to pass on by other means. Anyone who has it gets in: \
        pass it to the recipient and to nobody else.")]
    Link(MailArgument),
    /// Write emails that failed again
    #[command(
        long_about = "Write emails that failed again, each with another link, as the text of a failed one is erased: \
        invitations, and links to verify an address or to set a password. What has ended is skipped, and so is what \
        has a later one; so are codes of a moment and notices, of which only kind and recipient are kept.\n\nMore \
        than 100 are written only after a question, or with --yes.\n\n\
        Example: doorward mail retry --failed --since 12h"
    )]
    Retry(RetryMails),
    /// Send a test email, and show the mail server's answers
    #[command(
        long_about = "Send a test email with the settings of the service, and show the mail server's answers. It is \
            not stored, and tried once. Works without a running service.\n\nExits with 1 unless the server accepted \
            the email.\n\nExample: doorward mail test you@example.com"
    )]
    Test(Test),
}

/// Arguments of `doorward mail list`.
#[derive(Clone, Debug, PartialEq, Eq, Args)]
pub struct ListMails {
    /// Only emails in this state
    #[arg(long, value_parser = state_parser())]
    pub state: Option<DeliveryState>,
    /// Only emails to this address
    #[arg(long, value_name = "EMAIL")]
    pub to: Option<String>,
    /// Which page
    #[command(flatten)]
    pub range: PageArguments,
}

/// Which mail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Args)]
pub struct MailArgument {
    /// Id of the email, as `doorward mail list` shows it
    #[arg(value_parser = mail_id)]
    id: Uuid,
}

impl MailArgument {
    pub fn id(self) -> MailId {
        MailId(self.id)
    }
}

/// Arguments of `doorward mail retry`.
#[derive(Clone, Debug, PartialEq, Eq, Args)]
pub struct RetryMails {
    /// Ids of emails
    #[arg(value_name = "ID", required_unless_present = "failed", conflicts_with = "failed", value_parser = mail_id)]
    pub ids: Vec<Uuid>,
    /// Which others, and whether to ask
    #[command(flatten)]
    pub again: AgainArguments,
}

/// Arguments of `doorward mail test`.
#[derive(Clone, Debug, PartialEq, Eq, Args)]
pub struct Test {
    /// Recipient
    #[arg(value_name = "EMAIL")]
    pub to: String,
}

fn mail_id(text: &str) -> Result<Uuid, &'static str> {
    text.parse().map_err(|_| "an email's id is a UUID, as `doorward mail list` shows it")
}
