//! The table of docs/guides/proxies.md: what became of requests through each proxy. `DOORWARD_BLESS=1` writes it, where
//! all of them are installed.

use super::outcomes::{OUTCOMES, outcomes};
use super::site::ProxyKind;
use crate::harness::{Need, envoy, newest_caddy, report, traefik, written_table};
use std::process::Command;

single_run![table_is_what_the_proxies_did];

const KINDS: [(ProxyKind, Need, &str); 6] = [
    (ProxyKind::Nginx, Need::Nginx, "nginx"),
    (ProxyKind::Caddy, Need::Caddy, "Caddy"),
    (ProxyKind::NewestCaddy, Need::NewestCaddy, "Caddy"),
    (ProxyKind::HaProxy, Need::HaProxy, "HAProxy"),
    (ProxyKind::Traefik, Need::Traefik, "Traefik"),
    (ProxyKind::Envoy, Need::Envoy, "Envoy"),
];

async fn table_is_what_the_proxies_did() {
    let mut columns = Vec::new();
    for (kind, _, name) in KINDS.into_iter().filter(|(_, need, _)| need.is_met()) {
        columns.push((format!("{name} {}", version(kind)), outcomes(kind).await));
    }
    let table = written_table("docs/guides/proxies.md", "proxies");
    if columns.len() == KINDS.len() && table.is_blessed(|| render(&columns)) {
        return;
    }
    let rows: Vec<Vec<&str>> = table.rows();
    for (head, cells) in columns {
        // Another version may do something else.
        let Some(place) = rows[0].iter().position(|cell| *cell == head) else {
            report(&format!("SKIPPED: the column of {head}, which docs/guides/proxies.md does not have."));
            continue;
        };
        let written: Vec<_> = rows[2..].iter().map(|row| (row[0], row[place].to_owned())).collect();
        let happened: Vec<_> = OUTCOMES.into_iter().zip(cells).collect();
        assert_eq!(written, happened, "the column of {head}: DOORWARD_BLESS=1 writes it");
    }
}

fn render(columns: &[(String, Vec<String>)]) -> String {
    let line = |first: &str, cells: Vec<&str>| format!("| {first} | {} |\n", cells.join(" | "));
    let heads = line("What is sent", columns.iter().map(|(head, _)| head.as_str()).collect());
    let rows = OUTCOMES.into_iter().enumerate();
    let rows = rows.map(|(place, what)| line(what, columns.iter().map(|(_, cells)| cells[place].as_str()).collect()));
    let rows: Vec<String> = rows.collect();
    format!("{heads}|---|{}\n{}", "---|".repeat(columns.len()), rows.concat())
}

/// As the program says, without the last part: `2.6`.
fn version(kind: ProxyKind) -> String {
    let (program, argument) = match kind {
        ProxyKind::Nginx => ("nginx".to_owned(), "-v"),
        ProxyKind::Caddy => ("caddy".to_owned(), "version"),
        ProxyKind::NewestCaddy => (newest_caddy().expect("the newest Caddy"), "version"),
        ProxyKind::HaProxy => ("haproxy".to_owned(), "-v"),
        ProxyKind::Traefik => (traefik().expect("Traefik"), "version"),
        ProxyKind::Envoy => (envoy().expect("Envoy"), "--version"),
    };
    let output = Command::new(program).arg(argument).output().unwrap();
    let printed = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    let mut words = printed.split(|sign: char| !sign.is_ascii_digit() && sign != '.');
    let version = words.find(|word| word.trim_matches('.').split('.').count() == 3);
    version.expect("a version").trim_matches('.').rsplit_once('.').expect("three parts").0.to_owned()
}
