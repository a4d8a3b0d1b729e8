//! The arguments of `doorward webhooks`. Doc comments here are the help text.

use super::forward::ForwardTarget;
use crate::cli::page::PageArguments;
use crate::cli::sending_again::AgainArguments;
use crate::model::event::EventKind;
use crate::model::ids::EventId;
use crate::settings::duration;
use crate::store::DeliveryState;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use std::time::Duration;

/// `doorward webhooks …`
#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
pub enum WebhooksCommand {
    /// List deliveries, newest first
    #[command(long_about = "List deliveries, newest first: id, kind, state, attempts, time, and result of the last \
        attempt.\n\nWith --state, the time is that of the state: when a delivery failed or arrived, was claimed, or \
        is due. Without it, the time is when the event happened.\n\n\
        Example: doorward webhooks list --state failed --kind user.created --since 2h")]
    List(ListDeliveries),
    /// Show a delivery: its payload and every attempt with the beginning of the response
    Show(DeliveryArgument),
    /// Replay deliveries, with the same id and the same bytes
    #[command(
        long_about = "Replay deliveries, with the same id and the same bytes. Each is due immediately and gets all \
            its attempts again; earlier attempts stay on record. Deliveries in progress are left alone. A receiver \
            that tracks event ids ignores those that it has seen.\n\nAsks before it sends more than 100, unless \
            --yes is given.\n\nAfter an outage of the receiver: doorward webhooks replay --failed --since 24h \
            --waiting"
    )]
    Replay(Replay),
    /// Send a signed test event to the receiver, and show the exchange
    #[command(long_about = "Send a signed test event of type ping to the receiver and show the exchange. It uses the \
            settings, headers and limits of every delivery, and is not stored. Works without a running service.\n\n\
            Exits with 1 unless the answer is 2xx.")]
    Ping,
    /// Show the number of deliveries in each state, their waiting time, and the sending rate
    Stats,
    /// Receive webhooks on this machine, for development: verify, show and answer them
    #[command(long_about = "Receive webhooks on this machine, for development. Verifies each event with the secrets \
        of the environment, and shows it with the curl command that repeats it. The answer is 204, or 401 if a \
        signature is wrong, unless --answer or the application of --forward-to says otherwise. Needs no database and \
        no other settings. Stop it with Ctrl-C.\n\n\
        Example: doorward webhooks listen --port 4000, and the service with SVC_WEBHOOK_URL=http://127.0.0.1:4000/")]
    Listen(Listen),
}

/// Arguments of `doorward webhooks list`.
#[derive(Clone, Debug, PartialEq, Eq, Args)]
pub struct ListDeliveries {
    /// Only deliveries in this state
    #[arg(long, value_parser = state_parser())]
    pub state: Option<DeliveryState>,
    /// Only events of this kind
    #[arg(long, value_parser = kind_parser(), hide_possible_values = true)]
    pub kind: Option<String>,
    /// Only deliveries no older than this, such as 30m, 2h
    #[arg(long, value_name = "DURATION", value_parser = duration::parse)]
    pub since: Option<Duration>,
    /// Which page
    #[command(flatten)]
    pub range: PageArguments,
}

/// Arguments of `doorward webhooks show`.
#[derive(Clone, Debug, PartialEq, Eq, Args)]
pub struct DeliveryArgument {
    /// The event's id, evt_…
    #[arg(value_parser = event_id)]
    pub id: EventId,
}

/// Arguments of `doorward webhooks replay`.
#[derive(Clone, Debug, PartialEq, Eq, Args)]
pub struct Replay {
    /// Ids of events, evt_…
    #[arg(
        value_name = "ID",
        required_unless_present_any = ["failed", "waiting"],
        conflicts_with_all = ["failed", "waiting"],
        value_parser = event_id
    )]
    pub ids: Vec<EventId>,
    /// All deliveries that wait for their next attempt
    #[arg(long)]
    pub waiting: bool,
    /// Which others, and whether to ask
    #[command(flatten)]
    pub again: AgainArguments,
}

/// Arguments of `doorward webhooks listen`.
#[derive(Clone, Debug, PartialEq, Eq, Args)]
pub struct Listen {
    /// Port on 127.0.0.1; 0 picks a free one
    #[arg(long, default_value_t = 4000)]
    pub port: u16,
    /// Answer with this status, whether or not the signatures are valid
    #[arg(long, value_name = "STATUS", value_parser = clap::value_parser!(u16).range(200..=599))]
    pub answer: Option<u16>,
    /// Forward each webhook to this URL, with its headers and bytes, and return the response of the application
    #[arg(long, value_name = "URL", value_parser = ForwardTarget::parse, conflicts_with = "answer")]
    pub forward_to: Option<ForwardTarget>,
    /// Delay the answer by this time, such as 2s
    #[arg(long, value_name = "DURATION", value_parser = duration::parse)]
    pub delay: Option<Duration>,
}

fn kind_parser() -> PossibleValuesParser {
    PossibleValuesParser::new(EventKind::ALL.map(EventKind::as_str))
}

pub(in crate::cli) fn state_parser() -> impl TypedValueParser<Value = DeliveryState> {
    PossibleValuesParser::new(DeliveryState::ALL.map(DeliveryState::as_str))
        .try_map(|word| DeliveryState::parse(&word).ok_or("not a state"))
}

fn event_id(text: &str) -> Result<EventId, &'static str> {
    EventId::from_wire(text).ok_or("an event's id is evt_ and a UUID, as `doorward webhooks list` shows it")
}
