//! What one person does, and whether the service answered as it should.

use super::World;
use super::balancer::{Answer, Reply};
use super::browser::Browser;
use super::dice::Dice;
use super::ledger;
use super::population::{Alone, Person, Present};
use super::records::{Operation, WrongKind};
use crate::load::Request;
use crate::mass::PASSWORD;
use crate::outcome::Outcome;
use crate::requests::{CSRF, REFRESH, USER};
use axum::http::header::LOCATION;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// An application refreshes a token that ends this soon, in seconds.
const SOON: i64 = 10;
/// What may be repeated is repeated so often, that far apart.
const TRIES: usize = 200;
const PAUSE: Duration = Duration::from_millis(300);
/// After a connection died, its transaction has ended at the latest then.
const SETTLED: Duration = Duration::from_secs(2);
/// A session that has ended is refused by every process after a second; a little for the way.
const ENDED_EVERYWHERE: Duration = Duration::from_millis(1050);

/// What came of a form.
pub enum Ended {
    /// It was answered, with neither a fault nor an overload.
    Answered(Answer),
    /// Nobody knows.
    Unknown,
    /// It never reached the service.
    NotSent,
}

impl World {
    /// Does one thing; `seed` decides who does it.
    pub async fn act(&self, operation: Operation, seed: u64) {
        let mut dice = Dice::new(seed);
        let done = self.try_to_act(operation, &mut dice).await;
        self.note(operation, done);
    }

    /// An action has ended; an error is none of the service's answers.
    pub fn note(&self, operation: Operation, done: Outcome<()>) {
        if let Err(error) = done {
            self.records.wrong(operation, Instant::now(), WrongKind::Contract, error.to_string());
        }
        self.records.count();
    }

    async fn try_to_act(&self, operation: Operation, dice: &mut Dice) -> Outcome<()> {
        match operation {
            Operation::SignUp => return self.sign_up().await,
            Operation::Team => return self.step(dice).await,
            Operation::LogIn => {
                if let Some(alone) = self.population.to_log_in(dice) {
                    return self.log_in(&alone.person).await.map(drop);
                }
            }
            Operation::LogOut => {
                if let Some(alone) = self.population.alone(dice) {
                    return self.log_out(alone).await;
                }
            }
            _ => {}
        }
        let Some(present) = self.population.present(dice) else { return Ok(()) };
        match operation {
            Operation::Refresh => self.refresh(&present.person).await.map(drop),
            Operation::Page => self.page(&present.person).await,
            Operation::Refused => self.be_refused(&present, dice).await,
            _ => self.user(&present.person).await,
        }
    }

    /// Asks who is logged in, and whether it is the right one.
    pub async fn user(&self, person: &Person) -> Outcome<()> {
        if !self.be_fresh(person).await? {
            return Ok(());
        }
        let Some(claims) = person.browser.claims() else { return Ok(()) };
        let asked = Instant::now();
        let Some(answer) = self.ask(Operation::User, person, person.browser.get(USER)?).await else { return Ok(()) };
        match answer.status {
            200 if answer.text().contains(&claims.sub) => self.records.good(Operation::User, asked),
            200 => self.wrong(Operation::User, asked, WrongKind::Contract, "GET /user answered with somebody else"),
            // So long did it wait while a fault was made.
            401 if asked.elapsed() > Duration::from_secs(u64::try_from(SOON)? - 1) => {}
            401 => self.wrong(Operation::User, asked, WrongKind::Refusal, "GET /user refused a valid token"),
            status => self.wrong(Operation::User, asked, WrongKind::Contract, format!("GET /user answered {status}")),
        }
        Ok(())
    }

    /// Has a token that is good for a while, as an application sees to.
    pub async fn be_fresh(&self, person: &Person) -> Outcome<bool> {
        Ok(person.browser.seconds_left() >= SOON || self.refresh(person).await?)
    }

    /// Refreshes the session, however often it takes: a refresh whose answer was lost may be repeated.
    pub async fn refresh(&self, person: &Person) -> Outcome<bool> {
        for _ in 0..TRIES {
            let asked = Instant::now();
            let request = person.browser.script(REFRESH)?;
            match self.ask(Operation::Refresh, person, request).await.map(|answer| answer.status) {
                Some(200) => {
                    self.records.good(Operation::Refresh, asked);
                    return Ok(true);
                }
                Some(401) => {
                    self.wrong(Operation::Refresh, asked, WrongKind::Refusal, "a refresh was refused");
                    return Ok(false);
                }
                Some(status) => {
                    let what = format!("a refresh was answered {status}");
                    self.wrong(Operation::Refresh, asked, WrongKind::Contract, what);
                    return Ok(false);
                }
                None => sleep(PAUSE).await,
            }
        }
        Ok(false)
    }

    /// Looks at the account page.
    pub async fn page(&self, person: &Person) -> Outcome<()> {
        let asked = Instant::now();
        let request = person.browser.get("/auth/account")?;
        match self.ask(Operation::Page, person, request).await {
            Some(answer) if answer.status == 200 => self.records.good(Operation::Page, asked),
            Some(answer) => self.unexpected(Operation::Page, asked, &answer, "the account page"),
            None => {}
        }
        Ok(())
    }

    /// Logs in, however often it takes; `Some(false)` where the password was refused.
    pub async fn log_in(&self, person: &Person) -> Outcome<bool> {
        for _ in 0..TRIES {
            let asked = Instant::now();
            let request = person.browser.post("/auth/login", &[("email", &person.email), ("password", PASSWORD)])?;
            match self.ask(Operation::LogIn, person, request).await {
                Some(answer) if answer.status == 303 => {
                    self.records.good(Operation::LogIn, asked);
                    return Ok(true);
                }
                Some(answer) => {
                    self.unexpected(Operation::LogIn, asked, &answer, "a log-in");
                    return Ok(false);
                }
                None => sleep(PAUSE).await,
            }
        }
        Ok(false)
    }

    /// Logs out, and sees whether the session has ended everywhere.
    async fn log_out(&self, alone: Alone) -> Outcome<()> {
        let person = &alone.person;
        let old = person.browser.get(USER)?;
        for _ in 0..TRIES {
            let asked = Instant::now();
            let request = person.browser.post("/auth/sessions/logout", &[])?;
            match self.ask(Operation::LogOut, person, request).await {
                Some(answer) if answer.status == 303 => {
                    self.records.good(Operation::LogOut, asked);
                    break;
                }
                Some(answer) => {
                    self.wrong(
                        Operation::LogOut,
                        asked,
                        WrongKind::Contract,
                        format!("{} to a log-out", answer.status),
                    );
                    return Ok(());
                }
                None => sleep(PAUSE).await,
            }
        }
        let asked = Instant::now();
        sleep(ENDED_EVERYWHERE).await;
        for place in 0..self.balancer.len() {
            if let Reply::Answered(answer) = self.balancer.ask_one(place, &old).await
                && answer.status == 200
            {
                self.wrong(Operation::LogOut, asked, WrongKind::Ghost, "GET /user knew a session that had ended");
            }
        }
        self.population.left(person.clone());
        Ok(())
    }

    async fn sign_up(&self) -> Outcome<()> {
        let name = self.names.next("soak");
        let person = Person::new(format!("{name}@example.org"), Browser::new());
        let asked = Instant::now();
        let fields = [("email", person.email.as_str()), ("username", &name), ("password", PASSWORD)];
        let request = person.browser.post("/auth/signup", &fields)?;
        match self.submit(Operation::SignUp, &person, request).await {
            Ended::Answered(answer) if answer.status == 303 => self.records.good(Operation::SignUp, asked),
            Ended::Answered(answer) => {
                self.unexpected(Operation::SignUp, asked, &answer, "a sign-up");
                return Ok(());
            }
            Ended::NotSent => return Ok(()),
            Ended::Unknown => {
                sleep(SETTLED).await;
                if !self.turns_out_to_exist(&person).await? {
                    return Ok(());
                }
            }
        }
        let claims = person.browser.claims().ok_or("a sign-up or log-in set no access token")?;
        self.ledger.happened(&ledger::signed_up(&claims.sub, &claims.org_id));
        self.population.add(person);
        Ok(())
    }

    /// Whether an account came to be: its password tells.
    async fn turns_out_to_exist(&self, person: &Person) -> Outcome<bool> {
        for _ in 0..TRIES {
            let request = person.browser.post("/auth/login", &[("email", &person.email), ("password", PASSWORD)])?;
            match self.ask(Operation::LogIn, person, request).await.map(|answer| answer.status) {
                Some(303) => return Ok(true),
                Some(401) => return Ok(false),
                Some(status) => return Err(format!("a log-in was answered {status}").into()),
                None => sleep(PAUSE).await,
            }
        }
        Err("whether an account came to be was never answered".into())
    }

    /// Sends what must be refused; none of it may cause an event.
    async fn be_refused(&self, present: &Present, dice: &mut Dice) -> Outcome<()> {
        let person = &present.person;
        if !self.be_fresh(person).await? {
            return Ok(());
        }
        let name = self.names.next("never");
        let stranger = Person::new(String::new(), Browser::new());
        let (who, request, expected) = match dice.below(3) {
            0 => {
                // Everyone's username is in their address.
                let taken = person.email.split('@').next().unwrap_or_default();
                let email = format!("{name}@example.org");
                let fields = [("email", email.as_str()), ("username", taken), ("password", PASSWORD)];
                (&*stranger, stranger.browser.post("/auth/signup", &fields)?, 422)
            }
            1 => {
                let form = person.browser.post_with_csrf("/auth/organizations", &[("name", &name)], CSRF_OF_ANOTHER)?;
                (&**person, form, 403)
            }
            _ => {
                let own = person.browser.claims().ok_or("there is no token")?.org_id;
                let path = format!("/auth/organizations/{own}/members/{}/remove", uuid::Uuid::nil());
                (&**person, person.browser.post(&path, &[])?, 404)
            }
        };
        let asked = Instant::now();
        match self.ask(Operation::Refused, who, request).await.map(|answer| answer.status) {
            Some(status) if status == expected => self.records.good(Operation::Refused, asked),
            Some(status) => {
                let what = format!("what must be refused with {expected} was answered {status}");
                self.wrong(Operation::Refused, asked, WrongKind::Contract, what);
            }
            None => {}
        }
        Ok(())
    }

    /// Asks, and keeps the cookies; `None` where there was no answer, or the service was at fault.
    pub async fn ask(&self, operation: Operation, person: &Person, request: Request) -> Option<Answer> {
        match self.submit(operation, person, request).await {
            Ended::Answered(answer) => Some(answer),
            Ended::Unknown | Ended::NotSent => None,
        }
    }

    /// Sends a form, and keeps the cookies.
    pub async fn submit(&self, operation: Operation, person: &Person, request: Request) -> Ended {
        let asked = Instant::now();
        let what = format!("{} {}", request.method(), pattern(request.uri().path()));
        match self.balancer.ask(&request).await {
            Reply::Answered(answer) if answer.status >= 500 || answer.status == 429 => {
                self.wrong(operation, asked, WrongKind::Error, format!("{} to {what}", answer.status));
                Ended::Unknown
            }
            Reply::Answered(answer) => {
                person.browser.keep(&answer.headers);
                Ended::Answered(answer)
            }
            Reply::Lost(why) => {
                self.wrong(operation, asked, WrongKind::Error, format!("{what}: {why}"));
                Ended::Unknown
            }
            Reply::Unreachable => {
                self.wrong(operation, asked, WrongKind::Error, format!("{what}: no process was there"));
                Ended::NotSent
            }
        }
    }

    /// A page as it is once the outcome of a lost form is certain.
    pub async fn settled_page(&self, person: &Person, path: &str) -> Outcome<String> {
        sleep(SETTLED).await;
        for _ in 0..TRIES {
            match self.ask(Operation::Page, person, person.browser.get(path)?).await {
                Some(answer) if answer.status == 200 => return Ok(answer.text()),
                Some(answer) => return Err(format!("{path} was answered {}", answer.status).into()),
                None => sleep(PAUSE).await,
            }
        }
        Err(format!("{path} was never answered").into())
    }

    /// An answer with another status: a refusal, if the log-in page is where it leads.
    pub fn unexpected(&self, operation: Operation, asked: Instant, answer: &Answer, what: &str) {
        let location = answer.headers.get(LOCATION).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let is_refusal = answer.status == 401 || location.starts_with("/auth/login");
        let kind = if is_refusal { WrongKind::Refusal } else { WrongKind::Contract };
        let to = if location.is_empty() { String::new() } else { format!(" to {location}") };
        self.wrong(operation, asked, kind, format!("{what} was answered {}{to}", answer.status));
    }

    fn wrong(&self, operation: Operation, asked: Instant, kind: WrongKind, what: impl Into<String>) {
        self.records.wrong(operation, asked, kind, what);
    }
}

/// As good as any, but not the cookie's.
const CSRF_OF_ANOTHER: &str = "BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB";
const _: () = assert!(CSRF_OF_ANOTHER.len() == CSRF.len());

/// A path without what is different in each: ids and tokens.
fn pattern(path: &str) -> String {
    path.split('/').map(|part| if part.len() > 24 { "…" } else { part }).collect::<Vec<_>>().join("/")
}

/// Everything that is known of somebody who was made before the run.
pub fn seeded(email: String, refresh_token: String) -> Arc<Person> {
    Person::new(email, Browser::with_refresh_token(refresh_token))
}
