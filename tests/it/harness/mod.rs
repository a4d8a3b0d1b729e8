//! The test harness: databases, a running service, clients, a webhook receiver, a mail server, processes, a browser.

#[macro_use]
mod runner;
mod administrators;
mod app;
mod authenticator;
mod axe;
mod blackhole;
mod browser;
mod client;
mod cookies;
mod database;
mod guardian;
mod mail_server;
mod mails;
mod namespace;
mod needs;
mod newcomer;
mod passkey;
mod ports;
mod postgres;
mod process;
pub mod product;
mod program;
mod proxy;
mod raw;
mod receiver;
mod redact;
mod reply;
mod scripted_provider;
mod signatures;
mod snapshot;
mod statements;
mod temp;
mod transactions;
mod use_cases;
mod written_table;

pub use administrators::{act, administrator, administrator_of, first_column, id_of, someone_with};
pub use app::{Builder, TestApp, WEBHOOK_SECRET};
pub use authenticator::{Authenticator, recovery_codes};
pub use axe::{ENTER, ESCAPE, SPACE, TAB};
pub use blackhole::Blackhole;
pub use browser::{Browser, Look};
pub use client::{Call, Client, PASSWORD};
pub use database::{Engine, TestDatabase};
pub use guardian::Guardian;
pub use mail_server::tls::{acceptor, certificate};
pub use mail_server::{MailServer, ReceivedMail, Step, Treatment};
pub use mails::{code_of, link_of, wrong_code};
pub use namespace::{MOVED_NAME, Namespace, Way};
pub use needs::{
    Need, api_tools, clients, envoy, generators, newest_caddy, providers, python_with_jwt, python_with_radicale,
    report, systemd_library, traefik,
};
pub use newcomer::{Newcomer, Terminal, blocks};
pub use passkey::{CAN_BE_BACKED_UP, IS_BACKED_UP, Passkey};
pub use ports::free_port;
pub use process::{Process, previous_program};
pub use program::{UNTIL_STOPPED, run_process, run_program, run_program_with_input};
pub use proxy::Proxy;
pub use raw::raw_http;
pub use receiver::{Answer, Received, Receiver};
pub use redact::redact;
pub use reply::Reply;
pub use runner::{WAIT_TIMEOUT, advance_tokio_clock, engines_of, eventually, on_one_thread, run, scaled};
pub use scripted_provider::ScriptedProvider;
pub use snapshot::{
    Answers, contents, folder_of_snapshots, part, run_to_snapshot, snapshot, snapshot_of_command, text_of_command,
};
pub use temp::TempDir;
pub use transactions::{begin, begin_autocommit, begin_claim, push_event, read};
pub use use_cases::{backend, person, sign_up};
pub use written_table::written_table;
