//! `/auth/admin/deliveries`: finds webhooks and mails.

use super::Administrator;
use super::list_query::{ListQuery, choice, search};
use crate::domain::directory::delivery_search::{self, AnyDelivery, Channel, DeliverySearch};
use crate::http::page_error::PageError;
use crate::http::pages::page_context::PageContext;
use crate::http::views::{self, ActLink, AdminListPage, Cell, Cells, Choice, FilterKind, ListFilter, Table};
use crate::messages::{Key, Message};
use crate::model::principal::Operation;
use crate::store::DeliveryState;
use axum::http::StatusCode;
use axum::response::Response;

pub(super) const PATH: &str = "/auth/admin/deliveries";

/// Lists the deliveries of a channel, newest first.
pub async fn show(context: PageContext) -> Result<Response, PageError> {
    let admin = context.administrator(Operation::ReadDeliveries).await?;
    let query = ListQuery::new(&context, PATH, &["channel", "state", "kind", "since", "until"]);
    let kind = context.query.text("kind").trim();
    let search = DeliverySearch {
        channel: if context.query.get("channel") == Some("mail") { Channel::Mail } else { Channel::Webhook },
        state: context.query.get("state").and_then(DeliveryState::parse),
        kind: Some(kind).filter(|kind| !kind.is_empty()),
        since: query.since(),
        until: query.until(),
    };
    let mut conn = context.app.store.read(&admin.principal, Operation::ReadDeliveries).await?;
    let found = delivery_search::search(&mut conn, &search, query.range("after")).await?;
    drop(conn);
    let (first, next) = (query.first(), query.next("after", found.next));
    let view = AdminListPage {
        layout: &admin.shell(&context, PATH, None),
        title: Key("admin-deliveries"),
        path: PATH,
        filters: &filters(&search, &query),
        table: table(search.channel, found.data.iter().map(row).collect()),
        folded: None,
        first: first.as_deref(),
        next: next.as_deref(),
        is_cut: found.is_cut,
        acts: &acts(&admin, &context),
        notice: None,
        command: if search.channel == Channel::Mail { "doorward mail list" } else { "doorward webhooks list" },
    };
    Ok(views::page(StatusCode::OK, &view))
}

/// The replay of all that failed, restricted as the list is, and of all that waits, of the list's kind.
fn acts(admin: &Administrator, context: &PageContext) -> Vec<ActLink> {
    if !admin.may(Operation::ReplayDeliveries) {
        return Vec::new();
    }
    let replay = "/auth/admin/deliveries/replay";
    let failed = ListQuery::new(context, replay, &["kind", "since", "until"]).link(None);
    let waiting = ListQuery::new(context, replay, &["kind"]).link(Some(("state", DeliveryState::Pending.as_str())));
    let acts = [(failed, "admin-replay-all"), (waiting, "admin-replay-waiting")];
    acts.map(|(href, label)| ActLink { href, label: Key(label), is_dangerous: false }).into()
}

fn filters(wanted: &DeliverySearch<'_>, query: &ListQuery<'_>) -> [ListFilter; 5] {
    let channel = |value, of| Choice {
        value,
        label: Message::new("admin-channel-name").text("channel", value),
        selected: wanted.channel == of,
    };
    let states = DeliveryState::ALL.map(|state| (state.as_str(), state_words(state)));
    let state = wanted.state.map_or("", DeliveryState::as_str);
    let [since, until] = query.span_filters();
    [
        ListFilter {
            name: "channel",
            label: Key("admin-channel"),
            kind: FilterKind::Choice(vec![channel("webhook", Channel::Webhook), channel("mail", Channel::Mail)]),
        },
        choice("state", "admin-state", states, state),
        search("kind", "admin-kind", "admin-deliveries-kind-hint", wanted.kind.unwrap_or_default()),
        since,
        until,
    ]
}

fn table(channel: Channel, rows: Vec<Vec<Cells>>) -> Table {
    let empty = if channel == Channel::Mail { "admin-deliveries-no-mails" } else { "admin-deliveries-no-events" };
    let of_mail: &[&str] = if channel == Channel::Mail { &["admin-mail-to", "admin-mail-subject"] } else { &[] };
    let of_both = ["admin-kind", "admin-state", "admin-attempts", "admin-outcome", "admin-created"];
    Table {
        caption: Key("admin-deliveries"),
        columns: ["admin-id"].iter().chain(of_mail).chain(&of_both).copied().map(Key).collect(),
        rows,
        empty: Message::new(empty),
    }
}

fn row(delivery: &AnyDelivery) -> Vec<Cells> {
    let id = delivery.id();
    let mut cells = vec![vec![Cell::Link { href: format!("{PATH}/{id}"), text: id }]];
    if let AnyDelivery::Mail(mail) = delivery {
        cells.extend([Cell::typed(Some(&mail.recipient)), Cell::typed(Some(&mail.subject))]);
    }
    cells.extend([
        vec![Cell::Code(delivery.kind().to_owned())],
        vec![state(delivery.state())],
        vec![Cell::Number(delivery.attempts())],
        outcome(delivery.last_outcome(), delivery.last_status()),
        Cell::ago(Some(delivery.created_at())),
    ]);
    cells
}

pub(super) fn state_words(state: DeliveryState) -> Message {
    Message::new("admin-delivery-state").text("state", state.as_str())
}

pub(super) fn state(state: DeliveryState) -> Cell {
    let words = state_words(state);
    if state == DeliveryState::Failed { Cell::Alarm(words) } else { Cell::Words(words) }
}

/// What came of an attempt: the status that was answered, and what it means.
pub(super) fn outcome(class: Option<&str>, status: Option<i64>) -> Cells {
    let mut cells = Vec::new();
    cells.extend(status.map(Cell::Number));
    cells.extend(class.map(|class| Cell::Words(Message::new("admin-outcome-of").text("outcome", class))));
    cells
}
