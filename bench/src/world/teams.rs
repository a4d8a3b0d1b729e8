//! The life of a team, a step at a time: made, renamed, a guest invited by link, accepted, given another role, gone.

use super::World;
use super::actions::Ended;
use super::balancer::Answer;
use super::dice::Dice;
use super::ledger;
use super::lock;
use super::population::{Person, Present, present};
use super::records::{Operation, WrongKind};
use crate::load::Request;
use crate::outcome::Outcome;
use axum::http::header::LOCATION;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use tokio::time::Instant;

/// So many are in use at most; others are then made no more.
const MOST: usize = 200;
const PATH: &str = "/auth/organizations";

/// A team.
struct Team {
    id: String,
    owner: Arc<Person>,
    stage: Stage,
}

enum Stage {
    /// Its owner is alone.
    Alone,
    /// A guest has a link.
    Invited { guest: Arc<Person>, link: String },
    /// The guest is a member, with the id.
    Joined { guest: Arc<Person>, id: String },
    /// The guest is an admin.
    Promoted { guest: Arc<Person>, id: String },
}

/// Those that wait for their next step.
#[derive(Default)]
pub struct Teams {
    waiting: Mutex<VecDeque<Team>>,
    made: std::sync::atomic::AtomicUsize,
}

/// What came of a step.
enum Done {
    /// It happened; the answer, where there was one.
    Yes(Option<Answer>),
    /// It did not.
    No,
}

/// A form, and how to find out whether it happened if its answer is lost.
struct Form<'a> {
    what: &'a str,
    who: &'a Person,
    request: Request,
    /// The status of success.
    status: u16,
    /// A page of the same person, and what is on it exactly if it happened.
    proof: (String, String),
    /// Whether the proof is that it is not there.
    absent: bool,
    events: Vec<String>,
}

impl World {
    /// Takes the next step of some team; where those who must are busy, asks who is logged in instead.
    pub async fn step(&self, dice: &mut Dice) -> Outcome<()> {
        let made = self.teams.made.load(std::sync::atomic::Ordering::Relaxed);
        let next = if made < MOST && dice.below(6) == 0 { None } else { lock(&self.teams.waiting).pop_front() };
        let Some(team) = next else {
            let Some(owner) = self.population.present(dice) else { return Ok(()) };
            return if made < MOST { self.create(owner).await } else { self.user(&owner.person).await };
        };
        let guest = match &team.stage {
            Stage::Alone => self.population.present(dice).filter(|guest| guest.person.email != team.owner.email),
            Stage::Invited { guest, .. } | Stage::Joined { guest, .. } | Stage::Promoted { guest, .. } => {
                present(guest)
            }
        };
        let (Some(owner), Some(guest)) = (present(&team.owner), guest) else {
            lock(&self.teams.waiting).push_back(team);
            let Some(other) = self.population.present(dice) else { return Ok(()) };
            return self.user(&other.person).await;
        };
        if !self.be_fresh(&owner.person).await? || !self.be_fresh(&guest.person).await? {
            lock(&self.teams.waiting).push_back(team);
            return Ok(());
        }
        let team = self.advance(team, &guest.person, dice).await?;
        lock(&self.teams.waiting).extend(team);
        Ok(())
    }

    async fn create(&self, owner: Present) -> Outcome<()> {
        let owner = &owner.person;
        if !self.be_fresh(owner).await? {
            return Ok(());
        }
        let name = self.names.next("Team");
        let asked = Instant::now();
        let request = owner.browser.post(PATH, &[("name", &name)])?;
        let path = match self.submit(Operation::Team, owner, request).await {
            Ended::Answered(answer) if answer.status == 303 => {
                self.records.good(Operation::Team, asked);
                answer.headers.get(LOCATION).and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned()
            }
            Ended::Answered(answer) => {
                self.unexpected(Operation::Team, asked, &answer, "a team's making");
                return Ok(());
            }
            Ended::NotSent => return Ok(()),
            Ended::Unknown => match link_of(&self.settled_page(owner, PATH).await?, &name) {
                Some(path) => path,
                None => return Ok(()),
            },
        };
        let id = path.rsplit('/').next().unwrap_or_default().to_owned();
        let user = owner.browser.claims().ok_or("there is no token")?.sub;
        self.ledger.happened(&[ledger::created(&id), ledger::joined(&id, &user)]);
        self.teams.made.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        lock(&self.teams.waiting).push_back(Team { id, owner: owner.clone(), stage: Stage::Alone });
        Ok(())
    }

    /// The next step; a team whose link was lost with its answer is left alone from then on.
    async fn advance(&self, team: Team, guest: &Arc<Person>, dice: &mut Dice) -> Outcome<Option<Team>> {
        let Team { id, owner, stage } = team;
        let guest = guest.clone();
        let stage = match stage {
            Stage::Alone if dice.below(4) == 0 => {
                self.rename(&id, &owner).await?;
                Some(Stage::Alone)
            }
            Stage::Alone => match self.invite(&id, &owner, &guest).await? {
                Some(Some(link)) => Some(Stage::Invited { guest, link }),
                Some(None) => None,
                None => Some(Stage::Alone),
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
                let left = self.leave(&id, &guest, &user).await?;
                Some(if left { Stage::Alone } else { Stage::Promoted { guest, id: user } })
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
            proof: (page, format!("<h1>{name}</h1>")),
            absent: false,
            events: vec![ledger::updated(id, &name)],
        };
        self.send(form).await.map(drop)
    }

    /// The link, if it happened and the link is known.
    async fn invite(&self, id: &str, owner: &Person, guest: &Person) -> Outcome<Option<Option<String>>> {
        let page = format!("{PATH}/{id}");
        let form = Form {
            what: "an invitation",
            who: owner,
            request: owner
                .browser
                .post(&format!("{page}/invitations"), &[("email", guest.email.as_str()), ("role", "member")])?,
            status: 200,
            proof: (page, format!("<strong>{}</strong>", guest.email)),
            absent: false,
            events: vec![ledger::of("organization.invitation.created", &[id, &guest.email])],
        };
        Ok(match self.send(form).await? {
            Done::Yes(Some(answer)) => {
                let link = invitation_link(&answer.text());
                if link.is_none() {
                    return Err("an invitation's page shows no link".into());
                }
                Some(link)
            }
            Done::Yes(None) => Some(None),
            Done::No => None,
        })
    }

    /// The guest's id, once a member.
    async fn accept(&self, id: &str, guest: &Person, link: &str) -> Outcome<Option<String>> {
        let user = guest.browser.claims().ok_or("there is no token")?.sub;
        let form = Form {
            what: "an acceptance",
            who: guest,
            request: guest.browser.post(&format!("{link}/accept"), &[])?,
            status: 303,
            proof: (PATH.to_owned(), format!("{PATH}/{id}\"")),
            absent: false,
            events: vec![
                ledger::joined(id, &user),
                ledger::of("organization.invitation.accepted", &[id, &guest.email]),
            ],
        };
        Ok(matches!(self.send(form).await?, Done::Yes(_)).then_some(user))
    }

    async fn promote(&self, id: &str, owner: &Person, user: &str) -> Outcome<bool> {
        let page = format!("{PATH}/{id}/members/{user}");
        let form = Form {
            what: "a change of role",
            who: owner,
            request: owner.browser.post(&format!("{page}/role"), &[("role", "admin")])?,
            status: 303,
            proof: (page, "value=\"admin\" selected".to_owned()),
            absent: false,
            events: vec![ledger::of("organization.membership.updated", &[id, user, "admin"])],
        };
        Ok(matches!(self.send(form).await?, Done::Yes(_)))
    }

    async fn leave(&self, id: &str, guest: &Person, user: &str) -> Outcome<bool> {
        let form = Form {
            what: "a leaving",
            who: guest,
            request: guest.browser.post(&format!("{PATH}/{id}/leave"), &[])?,
            status: 303,
            proof: (PATH.to_owned(), format!("{PATH}/{id}\"")),
            absent: true,
            events: vec![ledger::of("organization.membership.deleted", &[id, user])],
        };
        Ok(matches!(self.send(form).await?, Done::Yes(_)))
    }

    async fn send(&self, form: Form<'_>) -> Outcome<Done> {
        let asked = Instant::now();
        let answer = match self.submit(Operation::Team, form.who, form.request).await {
            Ended::Answered(answer) if is(&answer, form.status) => {
                self.records.good(Operation::Team, asked);
                Some(answer)
            }
            Ended::Answered(answer) => {
                self.unexpected(Operation::Team, asked, &answer, form.what);
                return Ok(Done::No);
            }
            Ended::NotSent => return Ok(Done::No),
            Ended::Unknown => {
                let (path, sign) = &form.proof;
                match self.settled_page(form.who, path).await {
                    Ok(page) if page.contains(sign) != form.absent => None,
                    Ok(_) => return Ok(Done::No),
                    Err(error) => {
                        self.records.wrong(Operation::Team, asked, WrongKind::Contract, error.to_string());
                        self.ledger.may_have_happened(&form.events);
                        return Ok(Done::No);
                    }
                }
            }
        };
        self.ledger.happened(&form.events);
        Ok(Done::Yes(answer))
    }
}

/// Success, and not a way to the log-in page.
fn is(answer: &Answer, status: u16) -> bool {
    let location = answer.headers.get(LOCATION).and_then(|value| value.to_str().ok()).unwrap_or_default();
    answer.status == status && !location.starts_with("/auth/login")
}

/// The path of the link whose text this is.
fn link_of(page: &str, text: &str) -> Option<String> {
    let (before, _) = page.split_once(&format!("\">{text}</a>"))?;
    before.rsplit_once("href=\"").map(|(_, path)| path.to_owned())
}

/// The path of an invitation's link.
fn invitation_link(page: &str) -> Option<String> {
    let (_, after) = page.split_once("/auth/invitations/")?;
    let token: String = after.chars().take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_')).collect();
    (!token.is_empty()).then(|| format!("/auth/invitations/{token}"))
}
