//! Processes whose clocks are wrong: what they agree on by time, they take from the one clock of their database.

use crate::harness::{Answer, Engine, Need, TempDir};
use crate::outbox::service::Service;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

once_on_postgres![clocks_two_hours_apart_change_nothing];

/// Put before the C library, it moves the wall clock of a process by the seconds in `CLOCK_SHIFT`.
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
        // Close to it, so that what the slow one has claimed ahead goes back soon.
        ("SVC_WEBHOOK_TIMEOUT", "58s"),
        ("SVC_WEBHOOK_RETRY_DELAYS", "1s"),
        ("SVC_WEBHOOK_WORKER_COUNT", "1"),
    ];
    let service = Service::new(Engine::Postgres, &variables).await;
    service.receiver.answer_next([Answer::Silence, Answer::Status(500)]);
    service.push(1).await;
    let _slow = service.start_beside(&[("LD_PRELOAD", library), ("CLOCK_SHIFT", "-3600")]).await;
    let held = service.receiver.wait_for(1).await[0].id().to_owned();
    let fast = service.start_beside(&[("LD_PRELOAD", library), ("CLOCK_SHIFT", "3600")]).await;
    service.push(10).await;
    service.wait_where(1, "state = 'pending' AND attempts = 1").await;
    assert_eq!(service.count("due_at BETWEEN now() AND now() + interval '1 second'").await, 1);
    service.wait_for(10, "delivered").await;
    // Several rounds of the reaper.
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert_eq!(service.count("state = 'processing' AND lease = 1").await, 1);
    assert!(!fast.stderr().contains("restored"), "{}", fast.stderr());
    let times = service.times_received();
    assert_eq!(times[&held], 1);
    assert_eq!(times.values().sum::<usize>(), 12);
    let all = service.receiver.received();
    let stamp = |index: usize| all[index].header("webhook-timestamp").unwrap().parse::<i64>().unwrap();
    assert!((7190..7300).contains(&(stamp(11) - stamp(0))), "the clocks were two hours apart");
}
