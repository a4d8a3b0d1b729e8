//! The arguments of `doorward mail`. Doc comments here are the help text.

use crate::model::ids::MailId;
use crate::store::DeliveryState;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use uuid::Uuid;

/// `doorward mail …`
#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
pub enum MailCommand {
    /// List mails, newest first
    #[command(
        long_about = "List mails, newest first: id, state, kind, recipient, when due or finished, and what came \
        of the last attempt. Without a mail server, mails wait here until their time is over.\n\n\
        Example: doorward mail list --state pending --to ada@example.com"
    )]
    List(ListMails),
    /// Show one mail: its text, while it waits, and every attempt
    #[command(
        long_about = "Show one mail: its text, while it waits, and every attempt with the mail server's answer. What \
        stands in a mail is erased as soon as it is delivered, given up or of no more use.\n\nA link or a code in it \
        lets whoever has it in: pass it to the recipient and to nobody else."
    )]
    Show(MailArgument),
    /// Print the link of a mail that waits, to be passed on by other means
    #[command(
        long_about = "Print the link of a mail that waits, to be passed on by other means. It lets whoever has it in: \
        pass it to the recipient and to nobody else."
    )]
    Link(MailArgument),
    /// Send a test mail, and show what the mail server says
    #[command(
        long_about = "Send a test mail with the settings of the service, and show what the mail server says. It is \
        stored nowhere and tried once. Works without a running service.\n\nExits with 1 unless the server took the \
        mail.\n\nExample: doorward mail test you@example.com"
    )]
    Test(Test),
}

/// Arguments of `doorward mail list`.
#[derive(Clone, Debug, PartialEq, Eq, Args)]
pub struct ListMails {
    /// Only mails in this state
    #[arg(long, value_parser = state_parser())]
    pub state: Option<DeliveryState>,
    /// Only mails to this address
    #[arg(long, value_name = "EMAIL")]
    pub to: Option<String>,
    /// At most this many
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub limit: u32,
}

/// Which mail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Args)]
pub struct MailArgument {
    /// Id of the mail, as `doorward mail list` shows it
    #[arg(value_parser = mail_id)]
    id: Uuid,
}

impl MailArgument {
    /// The email's id.
    pub fn id(self) -> MailId {
        MailId(self.id)
    }
}

/// Arguments of `doorward mail test`.
#[derive(Clone, Debug, PartialEq, Eq, Args)]
pub struct Test {
    /// To whom
    #[arg(value_name = "EMAIL")]
    pub to: String,
}

fn mail_id(text: &str) -> Result<Uuid, &'static str> {
    text.parse().map_err(|_| "a mail's id is a UUID, as `doorward mail list` shows it")
}

fn state_parser() -> impl TypedValueParser<Value = DeliveryState> {
    PossibleValuesParser::new(DeliveryState::ALL.map(DeliveryState::as_str))
        .try_map(|word| DeliveryState::parse(&word).ok_or("not a state"))
}
