//! `/auth/admin/jobs/{id}` and `/auth/admin/deliveries/replay`: the replay of all webhooks that failed or wait.

use super::act::{Act, ActTarget, ActWords};
use super::deliveries::{PATH as DELIVERIES, state_words};
use super::{list_query, people};
use crate::context::App;
use crate::domain::jobs::{self, JobProgress, ReplayFilter, begin_replay};
use crate::http::form::{Form, FormErrors, FormFields};
use crate::http::page_error::PageError;
use crate::http::pages::change_form::{FormTarget, LoggedIn};
use crate::http::pages::page_context::PageContext;
use crate::http::pages::required::{not_found, parse_id};
use crate::http::views::{
    self, ActParent, AdminDetailPage, AdminField, AdminFieldKind, AdminPart, Cell, Cells, Choice, PartContent,
};
use crate::messages::{Key, Message};
use crate::model::event::EventKind;
use crate::model::ids::JobId;
use crate::model::principal::{Operation, Principal};
use crate::refusal::{ChangeError, Refusal, Rule};
use crate::store::{DeliveryState, JobState};
use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;

/// Shows a job; while it runs, the page asks for itself again.
pub async fn show(context: PageContext, Path(id): Path<String>) -> Result<Response, PageError> {
    let admin = context.administrator(Operation::ReadDeliveries).await?;
    let id = JobId(parse_id(&id)?);
    let job = jobs::find(&context.app, &admin.principal, id).await?.ok_or_else(not_found)?;
    let state = Message::new("admin-job-state").text("state", job.state.as_str());
    let state = if job.state == JobState::Failed { Cell::Alarm(state) } else { Cell::Tag(state) };
    let by = people::link(&context, &admin, job.created_by).await?;
    let parts = [AdminPart {
        id: "progress",
        heading: Key("admin-job-progress"),
        content: PartContent::Facts(facts(&job, by)),
        more: Some((format!("{DELIVERIES}?channel=webhook&state=failed"), Key("admin-deliveries-still-failed"))),
        acts: Vec::new(),
    }];
    let title = context.layout().t("admin-replay-events").to_string();
    let view = AdminDetailPage {
        layout: &admin.shell(&context, DELIVERIES, None),
        list: (DELIVERIES, Key("admin-deliveries")),
        title: &title,
        tags: &[state],
        notice: None,
        parts: &parts,
        command: "doorward webhooks list --state failed",
        renews: job.state == JobState::Running,
    };
    Ok(views::page(StatusCode::OK, &view))
}

fn facts(job: &JobProgress, by: Cells) -> Vec<(Key, Cells)> {
    let count = |count: u64| usize::try_from(count).unwrap_or(usize::MAX);
    let done = Message::new("admin-job-done")
        .number("done", count(job.done))
        .number("total", count(job.total.unwrap_or(job.done)));
    let filter = job.filter.unwrap_or_default();
    let moment = |at| vec![Cell::Moment(at)];
    let state = job.filter.map(|of| if of.waiting { DeliveryState::Pending } else { DeliveryState::Failed });
    vec![
        (Key("admin-job-replayed"), vec![Cell::Words(done)]),
        (Key("admin-state"), state.map(|state| Cell::Words(state_words(state))).into_iter().collect()),
        (Key("admin-kind"), filter.kind.map(|kind| Cell::Code(kind.as_str().to_owned())).into_iter().collect()),
        (Key("admin-since"), filter.since.map(moment).unwrap_or_default()),
        (Key("admin-until"), filter.until.map(moment).unwrap_or_default()),
        (Key("admin-began"), moment(job.created_at)),
        (Key("admin-actor"), by),
        (Key("admin-ended"), job.finished_at.map(moment).unwrap_or_default()),
    ]
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub struct ReplayFields {
    channel: String,
    state: String,
    kind: String,
    since: String,
    until: String,
}

impl FormFields for ReplayFields {
    const SHOWN_AGAIN: &'static [&'static str] = &["channel", "state", "kind", "since", "until", "reason"];
}

pub struct AllDeliveries;

impl FormTarget for AllDeliveries {
    type Ids = ();

    async fn find(_: LoggedIn<'_>, (): ()) -> Result<Self, PageError> {
        Ok(Self)
    }
}

impl ActTarget for AllDeliveries {
    fn name(&self) -> Option<&str> {
        None
    }

    fn page(&self) -> String {
        DELIVERIES.to_owned()
    }

    fn parent(&self) -> ActParent<'_> {
        ActParent::Page(Key("admin-deliveries"))
    }
}

/// The states whose deliveries are replayed all at once.
const REPLAYED: [DeliveryState; 2] = [DeliveryState::Failed, DeliveryState::Pending];

/// Replays every webhook that failed, of a kind and a span of time, or that waits for its next attempt.
pub struct ReplayAll;

impl Act for ReplayAll {
    type Target = AllDeliveries;
    type Fields = ReplayFields;
    const OPERATION: Operation = Operation::ReplayDeliveries;
    const WORDS: ActWords = ActWords::new("admin-replay-events", "admin-replay-events-what", "admin-replay-all-button");

    fn command(_: &AllDeliveries) -> String {
        "doorward webhooks replay --failed --waiting".to_owned()
    }

    fn fields<'a>(context: &PageContext, _: &AllDeliveries, errors: &'a FormErrors) -> Vec<AdminField<'a>> {
        // The form takes over what the list was restricted by.
        let value = |name| errors.typed().get(name).unwrap_or_else(|| context.query.text(name)).to_owned();
        let wanted = value("state");
        let states = REPLAYED.map(|state| Choice {
            value: state.as_str(),
            label: state_words(state),
            selected: wanted == state.as_str(),
        });
        let kind = value("kind");
        let mut kinds = vec![Choice { value: "", label: Message::new("admin-any"), selected: kind.is_empty() }];
        kinds.extend(EventKind::ALL.map(|of| Choice {
            value: of.as_str(),
            label: Message::new("admin-verbatim").text("text", of.as_str()),
            selected: kind == of.as_str(),
        }));
        let day = |name: &'static str, label| AdminField {
            name,
            label: Key(label),
            kind: AdminFieldKind::Day(value(name)),
            error: errors.of(name),
        };
        let (states, kinds) = (AdminFieldKind::Choice(states.into()), AdminFieldKind::Choice(kinds));
        vec![
            AdminField { name: "state", label: Key("admin-state"), kind: states, error: errors.of("state") },
            AdminField { name: "kind", label: Key("admin-kind"), kind: kinds, error: errors.of("kind") },
            day("since", "admin-since"),
            day("until", "admin-until"),
        ]
    }

    async fn carry_out(
        app: &App,
        by: &Principal,
        _: &AllDeliveries,
        form: &Form<ReplayFields>,
    ) -> Result<String, ChangeError> {
        if !["", "webhook"].contains(&form.channel.as_str()) {
            return Err(Refusal::rule(Rule::Conflict, "admin-replay-channel").into());
        }
        let waiting = match form.state.as_str() {
            "" | "failed" => false,
            "pending" => true,
            _ => return Err(Refusal::field("state", Message::new("admin-replay-state")).into()),
        };
        let kind = match form.kind.as_str() {
            "" => None,
            kind => Some(EventKind::parse(kind).ok_or(Refusal::field("kind", Message::new("admin-kind-unknown")))?),
        };
        let time = |name, text: &str, read: fn(&str) -> Option<_>| match text.trim() {
            "" => Ok(None),
            text => read(text).map(Some).ok_or(Refusal::field(name, Message::new("admin-time-unreadable"))),
        };
        let since = time("since", &form.since, list_query::since)?;
        let until = time("until", &form.until, list_query::until)?;
        let day = [("since", since), ("until", until)].into_iter().find(|(_, day)| day.is_some());
        if let Some((name, _)) = day.filter(|_| waiting) {
            return Err(Refusal::field(name, Message::new("admin-replay-waiting-days")).into());
        }
        let id = begin_replay(app, by, ReplayFilter { waiting, kind, since, until }).await?;
        Ok(format!("/auth/admin/jobs/{id}"))
    }
}
