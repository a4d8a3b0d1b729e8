//! Clock skew between processes: leases, due times and the grace of refresh tokens use the clock of the database.

use crate::harness::{Answer, Engine, Need, Process, TempDir, eventually};
use crate::outbox::fixture::insert_expired_claim;
use crate::outbox::service::Service;
use std::path::{Path, PathBuf};
use std::process::Command;

once_on_postgres![clocks_two_hours_apart_change_nothing, clock_skew_triggers_no_reuse_detection];

/// A library for `LD_PRELOAD` that shifts the wall clock of a process by `CLOCK_SHIFT` seconds.
const SHIFT: &str = "#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
int clock_gettime(clockid_t id, struct timespec *at) {
    long failed = syscall(SYS_clock_gettime, id, at);
    const char *shift = getenv(\"CLOCK_SHIFT\");
    if (!failed && id == CLOCK_REALTIME && shift) at->tv_sec += atol(shift);
    return failed;
}
";

pub fn build_shift(folder: &Path) -> PathBuf {
    let (source, library) = (folder.join("shift.c"), folder.join("shift.so"));
    std::fs::write(&source, SHIFT).unwrap();
    let made = Command::new("cc").args(["-shared", "-fPIC", "-o"]).args([&library, &source]).output().unwrap();
    assert!(made.status.success(), "{made:?}");
    library
}

async fn clocks_two_hours_apart_change_nothing() {
    if !Need::Compiler.is_met() {
        return;
    }
    let folder = TempDir::new("clock");
    let library = build_shift(folder.path());
    let library = library.to_str().unwrap();
    let variables = [
        ("SVC_WEBHOOK_PROCESSING_STALE_AFTER", "60s"),
        // Close to the lease, so that the slow process soon releases what it claimed ahead.
        ("SVC_WEBHOOK_TIMEOUT", "58s"),
        ("SVC_WEBHOOK_RETRY_DELAYS", "1s"),
        ("SVC_WEBHOOK_WORKER_COUNT", "1"),
    ];
    let service = Service::new(Engine::Postgres, &variables).await;
    service.receiver.answer_next([Answer::Silence, Answer::Status(500)]);
    service.push(1).await;
    let slow = service.start_beside_unready(&[("LD_PRELOAD", library), ("CLOCK_SHIFT", "-3600")]).await;
    let held = service.receiver.wait_for(1).await[0].id().to_owned();
    let fast = service.start_beside_unready(&[("LD_PRELOAD", library), ("CLOCK_SHIFT", "3600")]).await;
    service.push(10).await;
    service.wait_where(1, "state = 'pending' AND attempts = 1").await;
    assert_eq!(service.count("due_at BETWEEN now() AND now() + interval '1 second'").await, 1);
    service.wait_for(10, "delivered").await;
    wait_for_reaper_of(&service, &fast).await;
    wait_for_reaper_of(&service, &slow).await;
    assert_eq!(service.count("state = 'processing' AND attempts = 1 AND lease = 1").await, 1);
    for process in [&slow, &fast] {
        assert!(!process.stderr().contains("restored"), "{}", process.stderr());
    }
    let times = service.times_received();
    assert_eq!(times[&held], 1);
    assert_eq!(times.values().sum::<usize>(), 12);
    let all = service.receiver.received();
    let stamp = |index: usize| all[index].header("webhook-timestamp").unwrap().parse::<i64>().unwrap();
    assert!((7190..7300).contains(&(stamp(11) - stamp(0))), "the clocks were two hours apart");
}

/// A user who uses processes with different clocks is neither logged out as a thief nor met with an error. Such a process
/// says so, and is not ready.
async fn clock_skew_triggers_no_reuse_detection() {
    if !Need::Compiler.is_met() {
        return;
    }
    let folder = TempDir::new("clock");
    let library = build_shift(folder.path());
    let builder = Engine::Postgres.prepare().await.set("SVC_RATE_LIMIT", "off");
    let _right = Process::start(builder.variables()).await;
    for shift in ["45", "-3600"] {
        let ada = builder.anonymous();
        ada.sign_up(&format!("ada{shift}@example.com")).await.expect(303);
        let mut variables = builder.with_another_port();
        variables.insert("LD_PRELOAD".to_owned(), library.to_str().unwrap().to_owned());
        variables.insert("CLOCK_SHIFT".to_owned(), shift.to_owned());
        let wrong = Process::start_unready(&variables).await;
        let there = format!("http://{}", variables["SVC_LISTEN"]);
        let tab = ada.copy().at(&there);
        // The second one marks the new token as used: after the grace the old one would be a thief's.
        let new = ada.refresh("app").await.expect(200).cookie("svc_refresh").unwrap().value;
        assert!(ada.refresh("app").await.expect(200).cookie("svc_refresh").is_none());
        assert_eq!(tab.refresh("app").await.expect(200).cookie("svc_refresh").unwrap().value, new, "{shift} s");
        builder.anonymous().at(&there).sign_up(&format!("bob{shift}@example.com")).await.expect(303);
        let ready = builder.anonymous().at(&there).get("/auth/ready").await.expect(503);
        assert!(ready.text().contains("clock"), "{}", ready.text());
        let log = wrong.stderr();
        assert!(log.contains("the clock of this machine is") && !log.contains("agrees"), "{log}");
    }
    assert_eq!(builder.database().count("SELECT count(*) FROM sessions WHERE ended_at IS NOT NULL").await, 0);
}

/// Waits until the reaper of this process has ended an expired claim. Any process may be the first to find one, so more
/// are inserted until this process was.
async fn wait_for_reaper_of(service: &Service, process: &Process) {
    let is_first = async || {
        insert_expired_claim(service.database()).await;
        process.stderr().contains("its last attempt was interrupted").then_some(())
    };
    eventually("the reaper of this process runs", is_first).await;
}
