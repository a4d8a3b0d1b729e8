//! The table of a face: its changes, and what those who ask for them are answered.

use super::outcome::Outcome;
use super::request::{self, Request};
use super::scene::Scene;
use super::stage::{Stage, Who};
use crate::harness::snapshot;
use std::time::Duration;

pub struct Column {
    pub name: &'static str,
    pub who: Who,
    pub about: About,
}

/// What a column is asked about.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum About {
    Everything,
    /// The things of another person. Without an id everyone asks about themselves.
    OthersThings,
    /// An account with a platform role, where one is named.
    Administrators,
}

impl Column {
    fn can_ask(&self, request: &Request) -> bool {
        let is_of_person = ["{session}", "{passkey}", "{identity}"].iter().any(|gap| request.asks_for(gap));
        self.about != About::OthersThings || is_of_person
    }
}

pub struct Table {
    face: &'static str,
    columns: Vec<&'static str>,
    rows: Vec<(&'static str, Vec<Vec<Outcome>>)>,
}

impl Table {
    pub async fn of(stage: &Stage, face: &'static str, columns: &[Column]) -> Self {
        let names = columns.iter().map(|column| column.name).chain(["of nothing", "twice"]);
        let mut table = Self { face, columns: names.collect(), rows: Vec::new() };
        for request in request::of(face) {
            table.rows.push((request.change, answers(stage, &request, columns).await));
        }
        table
    }

    /// Adds what is answered a quarter of an hour after the last proof of who asks.
    pub async fn add_unproved(&mut self, stage: &Stage, scenes: &[Scene], who: &Who) {
        stage.app.clock().advance(Duration::from_mins(15));
        self.columns.push("unproved");
        for ((request, scene), (_, row)) in request::of(self.face).iter().zip(scenes).zip(&mut self.rows) {
            // Renews the access token.
            stage.ask(who, scene, "GET /auth/account").await;
            row.push(vec![stage.ask(who, scene, &scene.fill(request.line)).await]);
        }
    }

    /// Compares it with a snapshot, which has each sentence once, beneath the table.
    #[track_caller]
    pub fn snapshot(self, name: &str) {
        let mut sentences = Vec::new();
        let head = ["change"].into_iter().chain(self.columns).map(str::to_owned).collect::<Vec<_>>();
        let mut lines = vec![head];
        for (change, row) in self.rows {
            let cells = row.iter().map(|outcomes| cell(outcomes, &mut sentences));
            lines.push([change.to_owned()].into_iter().chain(cells).collect());
        }
        let widths: Vec<usize> =
            (0..lines[0].len()).map(|at| lines.iter().map(|line| line[at].chars().count()).max().unwrap()).collect();
        let text = |line: &Vec<String>| {
            let cells = line.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}"));
            cells.collect::<Vec<_>>().join(" | ").trim_end().to_owned()
        };
        let notes = sentences.iter().enumerate().map(|(at, sentence)| format!("({}) {sentence}", at + 1));
        let text: Vec<String> = lines.iter().map(text).chain([String::new()]).chain(notes).collect();
        snapshot(&format!("changes/{name}"), text.join("\n").trim_end());
    }
}

fn cell(outcomes: &[Outcome], sentences: &mut Vec<String>) -> String {
    let mut texts = Vec::new();
    for Outcome { code, sentence, .. } in outcomes {
        if sentence.is_empty() {
            texts.push(code.clone());
            continue;
        }
        let known = sentences.iter().position(|known| known == sentence);
        let at = known.unwrap_or_else(|| {
            sentences.push(sentence.clone());
            sentences.len() - 1
        });
        texts.push(format!("{code} ({})", at + 1));
    }
    texts.join(", ")
}

/// What each column is answered, what is said of an id of nothing, and what the second time to who may.
async fn answers(stage: &Stage, request: &Request, columns: &[Column]) -> Vec<Vec<Outcome>> {
    let (mut cells, mut twice) = (Vec::new(), Vec::new());
    let mut scene = stage.scene(request).await;
    for column in columns {
        if !column.can_ask(request) {
            cells.push(Vec::new());
            continue;
        }
        let names_account = request.asks_for("{person}") || request.asks_for("{member}");
        let is_protected = column.about == About::Administrators && names_account;
        if is_protected {
            stage.protect(&scene).await;
        }
        let line = scene.fill(request.line);
        let outcome = stage.ask(&column.who, &scene, &line).await;
        if outcome.is_done && twice.is_empty() {
            twice.push(stage.ask(&column.who, &scene, &line).await);
        }
        // What was refused is still there for the next one.
        if outcome.is_done || is_protected {
            scene = stage.scene(request).await;
        }
        cells.push(vec![outcome]);
    }
    let mut nothing = Vec::new();
    for line in request.ids().iter().flat_map(|gap| scene.without(gap, request.line)) {
        let outcome = stage.ask(&columns.last().expect("who may").who, &scene, &line).await;
        if !nothing.contains(&outcome) {
            nothing.push(outcome);
        }
    }
    cells.extend([nothing, twice]);
    cells
}
