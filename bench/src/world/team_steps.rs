//! The life cycle of a team, step by step: created, renamed, a guest invited by link, joined, promoted, left.

use super::World;
use super::actions::Submission;
use super::balancer::Answer;
use super::ledger;
use super::population::{LoggedIn, Person, logged_in};
use super::records::{FailureKind, Operation};
use super::rng::Rng;
use super::teams::{Stage, Team};
use crate::load::Request;
use crate::outcome::Outcome;
use axum::http::header::LOCATION;
use std::sync::Arc;
use tokio::time::Instant;

const MAX_TEAMS: usize = 200;
const PATH: &str = "/auth/organizations";

enum StepOutcome {
    /// It happened; with the response, unless that was lost.
    Done(Option<Answer>),
    NotDone,
}

/// A form, and how to check whether it took effect if its response is lost.
struct Form<'a> {
    what: &'a str,
    who: &'a Person,
    request: Request,
    status: u16,
    /// A page of the same person, and a text on it that shows the effect.
    check: (String, String),
    /// Whether the text is absent, rather than present, once the form took effect.
    absent: bool,
    events: Vec<String>,
}

impl World {
    /// Takes the next step of a team; requests the current user instead if the members are busy.
    pub async fn step(&self, rng: &mut Rng) -> Outcome<()> {
        let made = self.teams.made.load(std::sync::atomic::Ordering::Relaxed);
        let next = if made < MAX_TEAMS && rng.below(6) == 0 { None } else { self.teams.waiting.lock().pop_front() };
        let Some(team) = next else {
            let Some(owner) = self.population.logged_in(rng) else { return Ok(()) };
            return if made < MAX_TEAMS { self.create(owner).await } else { self.user(&owner.person).await };
        };
        let guest = match &team.stage {
            Stage::OwnerOnly => self.population.logged_in(rng).filter(|guest| guest.person.email != team.owner.email),
            Stage::Invited { guest, .. } | Stage::Joined { guest, .. } | Stage::Promoted { guest, .. } => {
                logged_in(guest)
            }
        };
        let (Some(owner), Some(guest)) = (logged_in(&team.owner), guest) else {
            self.teams.waiting.lock().push_back(team);
            let Some(other) = self.population.logged_in(rng) else { return Ok(()) };
            return self.user(&other.person).await;
        };
        if !self.ensure_fresh_token(&owner.person).await? || !self.ensure_fresh_token(&guest.person).await? {
            self.teams.waiting.lock().push_back(team);
            return Ok(());
        }
        let team = self.advance(team, &guest.person, rng).await?;
        self.teams.waiting.lock().extend(team);
        Ok(())
    }

    async fn create(&self, owner: LoggedIn) -> Outcome<()> {
        let owner = &owner.person;
        if !self.ensure_fresh_token(owner).await? {
            return Ok(());
        }
        let name = self.names.next("Team");
        let asked = Instant::now();
        let request = owner.browser.post(PATH, &[("name", &name)])?;
        let path = match self.submit(Operation::Team, owner, request).await {
            Submission::Answered(answer) if answer.status == 303 => {
                self.records.success(Operation::Team, asked);
                answer.headers.get(LOCATION).and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned()
            }
            Submission::Answered(answer) => {
                self.unexpected(Operation::Team, asked, &answer, "a team's making");
                return Ok(());
            }
            Submission::NotSent => return Ok(()),
            Submission::Unknown => match link_of(&self.settled_page(owner, PATH).await?, &name) {
                Some(path) => path,
                None => return Ok(()),
            },
        };
        let id = path.rsplit('/').next().unwrap_or_default().to_owned();
        let user = owner.browser.claims().ok_or("there is no token")?.sub;
        self.ledger.require(&[ledger::created(&id), ledger::joined(&id, &user)]);
        self.teams.made.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        self.teams.waiting.lock().push_back(Team { id, owner: owner.clone(), stage: Stage::OwnerOnly });
        Ok(())
    }

    /// Takes the next step; a team whose invitation link was lost with its response is dropped.
    async fn advance(&self, team: Team, guest: &Arc<Person>, rng: &mut Rng) -> Outcome<Option<Team>> {
        let Team { id, owner, stage } = team;
        let guest = guest.clone();
        let stage = match stage {
            Stage::OwnerOnly if rng.below(4) == 0 => {
                self.rename(&id, &owner).await?;
                Some(Stage::OwnerOnly)
            }
            Stage::OwnerOnly => match self.invite(&id, &owner, &guest).await? {
                Some(Some(link)) => Some(Stage::Invited { guest, link }),
                Some(None) => None,
                None => Some(Stage::OwnerOnly),
            },
            Stage::Invited { link, .. } => match self.accept(&id, &guest, &link).await? {
                Some(user) => Some(Stage::Joined { guest, id: user }),
                None => Some(Stage::Invited { guest, link }),
            },
            Stage::Joined { id: user, .. } => {
                let promoted = self.promote(&id, &owner, &user).await?;
                Some(if promoted { Stage::Promoted { guest, id: user } } else { Stage::Joined { guest, id: user } })
            }
            Stage::Promoted { id: user, .. } => {
                let has_left = self.leave(&id, &guest, &user).await?;
                Some(if has_left { Stage::OwnerOnly } else { Stage::Promoted { guest, id: user } })
            }
        };
        Ok(stage.map(|stage| Team { id, owner, stage }))
    }

    async fn rename(&self, id: &str, owner: &Person) -> Outcome<()> {
        let name = self.names.next("Crew");
        let page = format!("{PATH}/{id}");
        let form = Form {
            what: "a renaming",
            who: owner,
            request: owner.browser.post(&format!("{page}/rename"), &[("name", &name)])?,
            status: 303,
            check: (page, format!("<h1>{name}</h1>")),
            absent: false,
            events: vec![ledger::updated(id, &name)],
        };
        self.send(form).await.map(drop)
    }

    /// The link: `Some(None)` if the response with it was lost, `None` if there was no invitation.
    async fn invite(&self, id: &str, owner: &Person, guest: &Person) -> Outcome<Option<Option<String>>> {
        let page = format!("{PATH}/{id}");
        let form = Form {
            what: "an invitation",
            who: owner,
            request: owner
                .browser
                .post(&format!("{page}/invitations"), &[("email", guest.email.as_str()), ("role", "member")])?,
            status: 200,
            check: (format!("{page}/invitations"), format!("<strong>{}</strong>", guest.email)),
            absent: false,
            events: vec![ledger::of("organization.invitation.created", &[id, &guest.email])],
        };
        Ok(match self.send(form).await? {
            StepOutcome::Done(Some(answer)) => {
                let link = invitation_link(&answer.text());
                if link.is_none() {
                    return Err("an invitation's page shows no link".into());
                }
                Some(link)
            }
            StepOutcome::Done(None) => Some(None),
            StepOutcome::NotDone => None,
        })
    }

    /// The guest's id, if the guest became a member.
    async fn accept(&self, id: &str, guest: &Person, link: &str) -> Outcome<Option<String>> {
        let user = guest.browser.claims().ok_or("there is no token")?.sub;
        let form = Form {
            what: "an acceptance",
            who: guest,
            request: guest.browser.post(&format!("{link}/accept"), &[])?,
            status: 303,
            check: (PATH.to_owned(), format!("{PATH}/{id}\"")),
            absent: false,
            events: vec![
                ledger::joined(id, &user),
                ledger::of("organization.invitation.accepted", &[id, &guest.email]),
            ],
        };
        Ok(matches!(self.send(form).await?, StepOutcome::Done(_)).then_some(user))
    }

    async fn promote(&self, id: &str, owner: &Person, user: &str) -> Outcome<bool> {
        let page = format!("{PATH}/{id}/members/{user}");
        let form = Form {
            what: "a change of role",
            who: owner,
            request: owner.browser.post(&format!("{page}/role"), &[("role", "admin")])?,
            status: 303,
            check: (page, "value=\"admin\" selected".to_owned()),
            absent: false,
            events: vec![ledger::of("organization.membership.updated", &[id, user, "admin"])],
        };
        Ok(matches!(self.send(form).await?, StepOutcome::Done(_)))
    }

    async fn leave(&self, id: &str, guest: &Person, user: &str) -> Outcome<bool> {
        let form = Form {
            what: "a leaving",
            who: guest,
            request: guest.browser.post(&format!("{PATH}/{id}/leave"), &[])?,
            status: 303,
            check: (PATH.to_owned(), format!("{PATH}/{id}\"")),
            absent: true,
            events: vec![ledger::of("organization.membership.deleted", &[id, user])],
        };
        Ok(matches!(self.send(form).await?, StepOutcome::Done(_)))
    }

    async fn send(&self, form: Form<'_>) -> Outcome<StepOutcome> {
        let asked = Instant::now();
        let answer = match self.submit(Operation::Team, form.who, form.request).await {
            Submission::Answered(answer) if is_success(&answer, form.status) => {
                self.records.success(Operation::Team, asked);
                Some(answer)
            }
            Submission::Answered(answer) => {
                self.unexpected(Operation::Team, asked, &answer, form.what);
                return Ok(StepOutcome::NotDone);
            }
            Submission::NotSent => return Ok(StepOutcome::NotDone),
            Submission::Unknown => {
                let (path, marker) = &form.check;
                match self.settled_page(form.who, path).await {
                    Ok(page) if page.contains(marker) != form.absent => None,
                    Ok(_) => return Ok(StepOutcome::NotDone),
                    Err(error) => {
                        self.records.failure(Operation::Team, asked, FailureKind::UnexpectedAnswer, error.to_string());
                        self.ledger.allow(&form.events);
                        return Ok(StepOutcome::NotDone);
                    }
                }
            }
        };
        self.ledger.require(&form.events);
        Ok(StepOutcome::Done(answer))
    }
}

/// Whether a response has this status and does not redirect to the login page.
fn is_success(answer: &Answer, status: u16) -> bool {
    let location = answer.headers.get(LOCATION).and_then(|value| value.to_str().ok()).unwrap_or_default();
    answer.status == status && !location.starts_with("/auth/login")
}

fn link_of(page: &str, text: &str) -> Option<String> {
    let (before, _) = page.split_once(&format!("\">{text}</a>"))?;
    before.rsplit_once("href=\"").map(|(_, path)| path.to_owned())
}

fn invitation_link(page: &str) -> Option<String> {
    let (_, after) = page.split_once("/auth/invitations/")?;
    let token: String = after.chars().take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_')).collect();
    (!token.is_empty()).then(|| format!("/auth/invitations/{token}"))
}
