//! `/auth/admin/deliveries/{id}`: one webhook or mail with its attempts, and the act that sends a webhook again.

use super::act::{self, Act, ActTarget, ActWords, ReasonFields};
use super::deliveries::{PATH, outcome, state};
use super::{Administrator, people};
use crate::context::App;
use crate::domain::change;
use crate::domain::directory::delivery_search::{self, AnyDelivery, DeliveryKey};
use crate::domain::jobs::ReplayDelivery;
use crate::http::form::Form;
use crate::http::page_error::PageError;
use crate::http::pages::change_form::{FormTarget, LoggedIn};
use crate::http::pages::page_context::PageContext;
use crate::http::pages::required::not_found;
use crate::http::return_to;
use crate::http::views::{self, ActLink, ActParent, AdminDetailPage, AdminPart, Cell, Cells, PartContent, Table};
use crate::messages::{Key, Message};
use crate::model::principal::{Operation, Principal};
use crate::refusal::ChangeError;
use crate::store::{AttemptRow, DeliveryRow, DeliveryState};
use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::Response;

/// Characters of an answer that a page shows.
const MAX_ANSWER: usize = 200;

/// Shows a delivery: neither what an event says nor what a mail says.
pub async fn show(context: PageContext, Path(id): Path<String>) -> Result<Response, PageError> {
    let admin = context.administrator(Operation::ReadDeliveries).await?;
    let (delivery, attempts) = find(&context.app, &admin.principal, &id).await?;
    let id = delivery.id();
    let command = match delivery {
        AnyDelivery::Event(_) => format!("doorward webhooks show {id}"),
        AnyDelivery::Mail(_) => format!("doorward mail show {id}"),
    };
    let parts = [
        AdminPart {
            id: "delivery",
            heading: Key("admin-delivery"),
            content: PartContent::Facts(facts(&delivery)),
            more: None,
            acts: acts(&admin, &delivery),
        },
        AdminPart {
            id: "attempts",
            heading: Key("admin-attempts"),
            content: PartContent::Table(attempts_table(&attempts)),
            more: None,
            acts: Vec::new(),
        },
    ];
    let notice = act::notice(&context);
    let view = AdminDetailPage {
        layout: &admin.shell(&context, PATH, None),
        list: (PATH, Key("admin-deliveries")),
        title: delivery.kind(),
        tags: &[state(delivery.state())],
        notice: notice.as_ref(),
        parts: &parts,
        command: &command,
        renews: false,
    };
    Ok(views::page(StatusCode::OK, &view))
}

async fn find(app: &App, by: &Principal, id: &str) -> Result<(AnyDelivery, Vec<AttemptRow>), PageError> {
    let key = DeliveryKey::parse(id).ok_or_else(not_found)?;
    let mut conn = app.store.read(by, Operation::ReadDeliveries).await?;
    delivery_search::find(&mut conn, key).await?.ok_or_else(not_found)
}

fn facts(delivery: &AnyDelivery) -> Vec<(Key, Cells)> {
    let mut facts = vec![(Key("admin-kind"), vec![Cell::Code(delivery.kind().to_owned())])];
    if let AnyDelivery::Mail(mail) = delivery {
        let href = return_to::with_query(people::PATH, "query", &mail.recipient);
        facts.push((Key("admin-mail-to"), vec![Cell::Link { href, text: mail.recipient.clone() }]));
        facts.push((Key("admin-mail-subject"), Cell::typed(Some(&mail.subject))));
        facts.push((Key("admin-ends"), vec![Cell::Moment(mail.expires_at)]));
    }
    let when = match delivery.finished_at() {
        Some(at) => (Key("admin-finished"), vec![Cell::Moment(at)]),
        None => (Key("admin-due"), vec![Cell::Moment(delivery.due_at())]),
    };
    facts.extend([
        (Key("admin-state"), vec![state(delivery.state())]),
        (Key("admin-created"), vec![Cell::Moment(delivery.created_at())]),
        when,
        (Key("admin-id"), vec![Cell::Code(delivery.id())]),
    ]);
    facts
}

/// A mail is not sent again: its link or code was for then.
fn acts(admin: &Administrator, delivery: &AnyDelivery) -> Vec<ActLink> {
    let may = admin.may(Operation::ReplayDeliveries) && delivery.state() != DeliveryState::Processing;
    match delivery {
        AnyDelivery::Event(_) if may => vec![ActLink {
            href: format!("{PATH}/{}/replay", delivery.id()),
            label: Key("admin-replay"),
            is_dangerous: false,
        }],
        _ => Vec::new(),
    }
}

fn attempts_table(attempts: &[AttemptRow]) -> Table {
    let row = |attempt: &AttemptRow| {
        let answer: String = String::from_utf8_lossy(&attempt.response).trim().chars().take(MAX_ANSWER).collect();
        vec![
            vec![Cell::Moment(attempt.started_at)],
            outcome(Some(&attempt.outcome), attempt.status),
            vec![Cell::Number(attempt.duration_us / 1000)],
            Cell::typed(Some(&answer.replace(char::is_control, " "))),
        ]
    };
    Table {
        caption: Key("admin-attempts"),
        columns: ["admin-began", "admin-outcome", "admin-milliseconds", "admin-answer"].map(Key).to_vec(),
        rows: attempts.iter().rev().map(row).collect(),
        empty: Message::new("admin-attempts-none"),
    }
}

impl FormTarget for DeliveryRow {
    type Ids = String;

    async fn find(by: LoggedIn<'_>, id: String) -> Result<Self, PageError> {
        match find(&by.app, &by.administrator(), &id).await?.0 {
            AnyDelivery::Event(event) => Ok(event),
            AnyDelivery::Mail(_) => Err(not_found()),
        }
    }
}

impl ActTarget for DeliveryRow {
    fn name(&self) -> Option<&str> {
        Some(&self.kind)
    }

    fn page(&self) -> String {
        format!("{PATH}/{}", self.id.wire())
    }

    fn parent(&self) -> ActParent<'_> {
        ActParent::Named(&self.kind)
    }
}

pub struct ReplayOne;

impl Act for ReplayOne {
    type Target = DeliveryRow;
    type Fields = ReasonFields;
    const OPERATION: Operation = Operation::ReplayDeliveries;
    const WORDS: ActWords = ActWords::new("admin-replay", "admin-replay-what", "admin-replay");

    fn command(event: &DeliveryRow) -> String {
        format!("doorward webhooks replay {}", event.id.wire())
    }

    async fn carry_out(
        app: &App,
        by: &Principal,
        event: &DeliveryRow,
        _: &Form<ReasonFields>,
    ) -> Result<String, ChangeError> {
        change::run(app, by, ReplayDelivery { event: event.id }).await?;
        Ok(act::done(&event.page()))
    }
}
