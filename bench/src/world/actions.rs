//! The actions of one person, and whether the service responded correctly.

use super::World;
use super::balancer::{Answer, Reply};
use super::browser::Browser;
use super::ledger;
use super::population::{Exclusive, LoggedIn, Person};
use super::records::{FailureKind, Operation};
use super::rng::Rng;
use crate::load::Request;
use crate::mass::PASSWORD;
use crate::outcome::Outcome;
use crate::requests::{CSRF, REFRESH, USER};
use axum::http::header::LOCATION;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// An application refreshes a token with fewer seconds left.
const REFRESH_MARGIN_SECONDS: i64 = 10;
/// Idempotent requests are retried up to this number of times.
const MAX_ATTEMPTS: usize = 200;
const RETRY_INTERVAL: Duration = Duration::from_millis(300);
/// After a connection is lost, its transaction has ended by then.
const SETTLE_TIMEOUT: Duration = Duration::from_secs(2);
/// Every process refuses an ended session after a second; with some margin.
const SESSION_END_TIMEOUT: Duration = Duration::from_millis(1050);

pub enum Submission {
    /// A response that is neither a server error nor an overload.
    Answered(Answer),
    /// It was sent, but its effect is unknown.
    Unknown,
    /// It never reached the service.
    NotSent,
}

impl World {
    /// Performs one action; `seed` selects the person.
    pub async fn act(&self, operation: Operation, seed: u64) {
        let mut rng = Rng::new(seed);
        // An error means an invalid response.
        if let Err(error) = self.try_to_act(operation, &mut rng).await {
            self.records.failure(operation, Instant::now(), FailureKind::UnexpectedAnswer, error.to_string());
        }
        self.records.action_finished();
    }

    async fn try_to_act(&self, operation: Operation, rng: &mut Rng) -> Outcome<()> {
        match operation {
            Operation::SignUp => return self.sign_up().await,
            Operation::Team => return self.step(rng).await,
            Operation::LogIn => {
                if let Some(exclusive) = self.population.next_to_log_in(rng) {
                    return self.log_in(&exclusive.person).await.map(drop);
                }
            }
            Operation::LogOut => {
                if let Some(exclusive) = self.population.exclusive(rng) {
                    return self.log_out(exclusive).await;
                }
            }
            _ => {}
        }
        let Some(logged_in) = self.population.logged_in(rng) else { return Ok(()) };
        match operation {
            Operation::Refresh => self.refresh(&logged_in.person).await.map(drop),
            Operation::Page => self.page(&logged_in.person).await,
            Operation::Refused => self.send_refused(&logged_in, rng).await,
            _ => self.user(&logged_in.person).await,
        }
    }

    /// Requests the current user, and checks that it is the right one.
    pub async fn user(&self, person: &Person) -> Outcome<()> {
        if !self.ensure_fresh_token(person).await? {
            return Ok(());
        }
        let Some(claims) = person.browser.claims() else { return Ok(()) };
        let asked = Instant::now();
        let Some(answer) = self.ask(Operation::User, person, person.browser.get(USER)?).await else { return Ok(()) };
        match answer.status {
            200 if answer.text().contains(&claims.sub) => self.records.success(Operation::User, asked),
            200 => self.failure(
                Operation::User,
                asked,
                FailureKind::UnexpectedAnswer,
                "GET /user answered with another user",
            ),
            // The token expired while the request waited during a fault.
            401 if asked.elapsed() > Duration::from_secs(u64::try_from(REFRESH_MARGIN_SECONDS)? - 1) => {}
            401 => self.failure(Operation::User, asked, FailureKind::Refusal, "GET /user refused a valid token"),
            status => self.failure(
                Operation::User,
                asked,
                FailureKind::UnexpectedAnswer,
                format!("GET /user answered {status}"),
            ),
        }
        Ok(())
    }

    /// Refreshes a token that expires soon, as an application does.
    pub async fn ensure_fresh_token(&self, person: &Person) -> Outcome<bool> {
        Ok(person.browser.seconds_left() >= REFRESH_MARGIN_SECONDS || self.refresh(person).await?)
    }

    /// Refreshes the session, with retries: a refresh whose response was lost may be repeated.
    async fn refresh(&self, person: &Person) -> Outcome<bool> {
        for _ in 0..MAX_ATTEMPTS {
            let asked = Instant::now();
            let request = person.browser.script(REFRESH)?;
            match self.ask(Operation::Refresh, person, request).await.map(|answer| answer.status) {
                Some(200) => {
                    self.records.success(Operation::Refresh, asked);
                    return Ok(true);
                }
                Some(401) => {
                    self.failure(Operation::Refresh, asked, FailureKind::Refusal, "a refresh was refused");
                    return Ok(false);
                }
                Some(status) => {
                    let what = format!("a refresh was answered {status}");
                    self.failure(Operation::Refresh, asked, FailureKind::UnexpectedAnswer, what);
                    return Ok(false);
                }
                None => sleep(RETRY_INTERVAL).await,
            }
        }
        Ok(false)
    }

    async fn page(&self, person: &Person) -> Outcome<()> {
        let asked = Instant::now();
        let request = person.browser.get("/auth/account")?;
        match self.ask(Operation::Page, person, request).await {
            Some(answer) if answer.status == 200 => self.records.success(Operation::Page, asked),
            Some(answer) => self.unexpected(Operation::Page, asked, &answer, "the account page"),
            None => {}
        }
        Ok(())
    }

    /// Logs in, with retries; `false` if the login was refused.
    async fn log_in(&self, person: &Person) -> Outcome<bool> {
        for _ in 0..MAX_ATTEMPTS {
            let asked = Instant::now();
            let request = person.browser.post("/auth/login", &[("email", &person.email), ("password", PASSWORD)])?;
            match self.ask(Operation::LogIn, person, request).await {
                Some(answer) if answer.status == 303 => {
                    self.records.success(Operation::LogIn, asked);
                    return Ok(true);
                }
                Some(answer) => {
                    self.unexpected(Operation::LogIn, asked, &answer, "a log-in");
                    return Ok(false);
                }
                None => sleep(RETRY_INTERVAL).await,
            }
        }
        Ok(false)
    }

    /// Logs out, and checks that every process refuses the session.
    async fn log_out(&self, exclusive: Exclusive) -> Outcome<()> {
        let person = &exclusive.person;
        let old = person.browser.get(USER)?;
        for _ in 0..MAX_ATTEMPTS {
            let asked = Instant::now();
            let request = person.browser.post("/auth/sessions/logout", &[])?;
            match self.ask(Operation::LogOut, person, request).await {
                Some(answer) if answer.status == 303 => {
                    self.records.success(Operation::LogOut, asked);
                    break;
                }
                Some(answer) => {
                    self.failure(
                        Operation::LogOut,
                        asked,
                        FailureKind::UnexpectedAnswer,
                        format!("{} to a log-out", answer.status),
                    );
                    return Ok(());
                }
                None => sleep(RETRY_INTERVAL).await,
            }
        }
        let asked = Instant::now();
        sleep(SESSION_END_TIMEOUT).await;
        for place in 0..self.balancer.len() {
            if let Reply::Answered(answer) = self.balancer.ask_one(place, &old).await
                && answer.status == 200
            {
                self.failure(
                    Operation::LogOut,
                    asked,
                    FailureKind::EndedSession,
                    "GET /user knew a session that had ended",
                );
            }
        }
        self.population.mark_logged_out(person.clone());
        Ok(())
    }

    async fn sign_up(&self) -> Outcome<()> {
        let name = self.names.next("soak");
        let person = Person::new(format!("{name}@example.org"), Browser::new());
        let asked = Instant::now();
        let fields = [("email", person.email.as_str()), ("username", &name), ("password", PASSWORD)];
        let request = person.browser.post("/auth/signup", &fields)?;
        match self.submit(Operation::SignUp, &person, request).await {
            Submission::Answered(answer) if answer.status == 303 => self.records.success(Operation::SignUp, asked),
            Submission::Answered(answer) => {
                self.unexpected(Operation::SignUp, asked, &answer, "a sign-up");
                return Ok(());
            }
            Submission::NotSent => return Ok(()),
            Submission::Unknown => {
                sleep(SETTLE_TIMEOUT).await;
                if !self.account_exists(&person).await? {
                    return Ok(());
                }
            }
        }
        let claims = person.browser.claims().ok_or("a sign-up or log-in set no access token")?;
        self.ledger.require(&ledger::signed_up(&claims.sub, &claims.org_id));
        self.population.add(person);
        Ok(())
    }

    /// Whether an account was created, by logging in to it.
    async fn account_exists(&self, person: &Person) -> Outcome<bool> {
        for _ in 0..MAX_ATTEMPTS {
            let request = person.browser.post("/auth/login", &[("email", &person.email), ("password", PASSWORD)])?;
            match self.ask(Operation::LogIn, person, request).await.map(|answer| answer.status) {
                Some(303) => return Ok(true),
                Some(401) => return Ok(false),
                Some(status) => return Err(format!("a log-in was answered {status}").into()),
                None => sleep(RETRY_INTERVAL).await,
            }
        }
        Err("whether an account came to be was never answered".into())
    }

    /// Sends a request that must be refused; none of these may cause an event.
    async fn send_refused(&self, logged_in: &LoggedIn, rng: &mut Rng) -> Outcome<()> {
        let person = &logged_in.person;
        if !self.ensure_fresh_token(person).await? {
            return Ok(());
        }
        let name = self.names.next("never");
        let stranger = Person::new(String::new(), Browser::new());
        let (who, request, expected) = match rng.below(3) {
            0 => {
                // The username is the local part of the email address.
                let taken = person.email.split('@').next().unwrap_or_default();
                let email = format!("{name}@example.org");
                let fields = [("email", email.as_str()), ("username", taken), ("password", PASSWORD)];
                (&*stranger, stranger.browser.post("/auth/signup", &fields)?, 422)
            }
            1 => {
                let form = person.browser.post_with_csrf("/auth/organizations", &[("name", &name)], OTHER_CSRF)?;
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
            Some(status) if status == expected => self.records.success(Operation::Refused, asked),
            Some(status) => {
                let what = format!("what must be refused with {expected} was answered {status}");
                self.failure(Operation::Refused, asked, FailureKind::UnexpectedAnswer, what);
            }
            None => {}
        }
        Ok(())
    }

    /// Sends a request, and stores the cookies; `None` without a response, or after a server error.
    pub async fn ask(&self, operation: Operation, person: &Person, request: Request) -> Option<Answer> {
        match self.submit(operation, person, request).await {
            Submission::Answered(answer) => Some(answer),
            Submission::Unknown | Submission::NotSent => None,
        }
    }

    /// Sends a form, and stores the cookies.
    pub async fn submit(&self, operation: Operation, person: &Person, request: Request) -> Submission {
        let asked = Instant::now();
        let what = format!("{} {}", request.method(), pattern(request.uri().path()));
        match self.balancer.ask(&request).await {
            Reply::Answered(answer) if answer.status >= 500 || answer.status == 429 => {
                self.failure(operation, asked, FailureKind::Error, format!("{} to {what}", answer.status));
                Submission::Unknown
            }
            Reply::Answered(answer) => {
                person.browser.keep(&answer.headers);
                Submission::Answered(answer)
            }
            Reply::Lost(why) => {
                self.failure(operation, asked, FailureKind::Error, format!("{what}: {why}"));
                Submission::Unknown
            }
            Reply::Unreachable => {
                self.failure(operation, asked, FailureKind::Error, format!("{what}: no process was there"));
                Submission::NotSent
            }
        }
    }

    /// A page after the effect of a lost form is settled.
    pub async fn settled_page(&self, person: &Person, path: &str) -> Outcome<String> {
        sleep(SETTLE_TIMEOUT).await;
        for _ in 0..MAX_ATTEMPTS {
            match self.ask(Operation::Page, person, person.browser.get(path)?).await {
                Some(answer) if answer.status == 200 => return Ok(answer.text()),
                Some(answer) => return Err(format!("{path} was answered {}", answer.status).into()),
                None => sleep(RETRY_INTERVAL).await,
            }
        }
        Err(format!("{path} was never answered").into())
    }

    /// Records an unexpected status: a refusal, if it redirects to the login page.
    pub fn unexpected(&self, operation: Operation, asked: Instant, answer: &Answer, what: &str) {
        let location = answer.headers.get(LOCATION).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let is_refusal = answer.status == 401 || location.starts_with("/auth/login");
        let kind = if is_refusal { FailureKind::Refusal } else { FailureKind::UnexpectedAnswer };
        let to = if location.is_empty() { String::new() } else { format!(" to {location}") };
        self.failure(operation, asked, kind, format!("{what} was answered {}{to}", answer.status));
    }

    fn failure(&self, operation: Operation, asked: Instant, kind: FailureKind, what: impl Into<String>) {
        self.records.failure(operation, asked, kind, what);
    }
}

/// A valid token that differs from the cookie.
const OTHER_CSRF: &str = "BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB";
const _: () = assert!(OTHER_CSRF.len() == CSRF.len());

/// A path with ids and tokens replaced.
fn pattern(path: &str) -> String {
    path.split('/').map(|part| if part.len() > 24 { "…" } else { part }).collect::<Vec<_>>().join("/")
}

/// A person who was created before the run.
pub fn seeded(email: String, refresh_token: String) -> Arc<Person> {
    Person::new(email, Browser::with_refresh_token(refresh_token))
}
