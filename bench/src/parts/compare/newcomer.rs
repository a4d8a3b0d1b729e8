//! People who sign up, and then log in from another browser.

use crate::load::{Client, Request};
use crate::outcome::Outcome;
use crate::requests::{log_in, newcomer_email, refresh_token, sign_up};
use axum::http::HeaderMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A connection of theirs: two requests for each person.
pub struct Newcomer {
    /// The next person's number, shared by all connections and rounds.
    numbers: Arc<AtomicUsize>,
    signed_up: Option<usize>,
}

impl Newcomer {
    pub fn many(connections: usize, numbers: &Arc<AtomicUsize>) -> Vec<Self> {
        (0..connections).map(|_| Self { numbers: numbers.clone(), signed_up: None }).collect()
    }
}

impl Client for Newcomer {
    fn next(&mut self) -> Outcome<Request> {
        if let Some(number) = self.signed_up.take() {
            return log_in(&newcomer_email(number));
        }
        let number = self.numbers.fetch_add(1, Ordering::Relaxed);
        self.signed_up = Some(number);
        sign_up(number)
    }

    fn status(&self) -> u16 {
        303
    }

    /// The status alone does not tell a session from a redirect to another page.
    fn answered(&mut self, headers: &HeaderMap) -> Outcome<bool> {
        match refresh_token(headers) {
            Some(token) if !token.is_empty() => Ok(true),
            _ => Err("the answer to a signup or a login opened no session".into()),
        }
    }
}
