//! Integration tests of what users, applications and webhook receivers see, on both databases.
//!
//! `harness` has the test infrastructure; every other module is a group of tests. CONTRIBUTING describes how to run a
//! part of them.

#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may fail loudly")]

#[macro_use]
mod harness;

mod accessibility;
mod account_pages;
mod address_browsing;
mod address_domains;
mod architecture;
mod assertions;
mod asvs;
mod audit;
mod bad_forms;
mod bad_http;
mod bad_storage;
mod bad_tokens;
mod browsing;
mod cli_manners;
mod code_guesses;
mod confirm;
mod dead_ends;
mod docs;
mod email_change;
mod ended_sessions;
mod enumeration;
mod event_walk;
mod export;
mod faults_clocks;
mod faults_databases;
mod faults_failover;
mod faults_load;
mod faults_model;
mod faults_network;
mod faults_processes;
mod faults_races;
mod faults_receivers;
mod fuzz_corpus;
mod gallery;
mod gate;
mod gate_pages;
mod gate_renewal;
mod hanging_up;
mod harness_tests;
mod health;
mod interop;
mod invitations;
mod invitations_end;
mod languages;
mod limits;
mod limits_changes;
mod limits_mails;
mod login;
mod login_limits;
mod mail;
mod mail_cli;
mod mail_faults;
mod mail_languages;
mod metrics;
mod missing_addresses;
mod names;
mod operators;
mod organizations;
mod organizations_large;
mod origins;
mod outbox;
mod passkey_only;
mod passkeys;
mod passwords_cli;
mod processes;
mod proxies;
mod recovery_codes;
mod refresh;
mod refresh_memory;
mod reset;
mod rotation;
mod schema;
mod server_changes;
mod session_columns;
mod session_memory;
mod signing_algorithm;
mod snippets;
mod standards;
mod start;
mod tour;
mod two_factor;
mod two_factor_browsing;
mod unverified_holders;
mod verification;
mod verification_required;
mod webhooks;
mod webhooks_cli;
mod words;
