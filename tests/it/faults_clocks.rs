//! Clock skew between processes: leases and due times use the clock of the database.

use crate::harness::{Answer, Engine, Need, Process, TempDir, eventually};
use crate::outbox::fixture::insert_expired_claim;
use crate::outbox::service::Service;
use std::path::{Path, PathBuf};
use std::process::Command;

once_on_postgres![clocks_two_hours_apart_change_nothing];

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

fn build_shift(folder: &Path) -> PathBuf {
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
    let slow = service.start_beside(&[("LD_PRELOAD", library), ("CLOCK_SHIFT", "-3600")]).await;
    let held = service.receiver.wait_for(1).await[0].id().to_owned();
    let fast = service.start_beside(&[("LD_PRELOAD", library), ("CLOCK_SHIFT", "3600")]).await;
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

/// Waits until the reaper of this process has ended an expired claim. Any process may be the first to find one, so more
/// are inserted until this process was.
async fn wait_for_reaper_of(service: &Service, process: &Process) {
    let is_first = async || {
        insert_expired_claim(service.database()).await;
        process.stderr().contains("its last attempt was interrupted").then_some(())
    };
    eventually("the reaper of this process runs", is_first).await;
}
