//! `doorward doctor` compares its settings with those of every process that runs.

use crate::doctor::{Examined, doctor, with};
use crate::harness::{Engine, Process, WEBHOOK_SECRET, eventually, free_port};
use doorward::model::finding::FindingCode;

both_engines![settings_that_wait_for_a_restart_are_found, each_process_counts_while_it_runs];

/// The file of variables was edited, and the service goes on as it was started.
async fn settings_that_wait_for_a_restart_are_found(engine: Engine) {
    let builder = engine.prepare().await;
    let base_url = builder.variables()["SVC_BASE_URL"].replace("127.0.0.1", "app.localhost");
    let builder = builder.set("SVC_BASE_URL", base_url);
    let _process = Process::start(builder.variables()).await;
    let as_started = doctor(builder.variables()).await;
    assert!(as_started.messages(FindingCode::SettingsDiffer).is_empty(), "{:#?}", as_started.checks);
    let nowhere = format!("http://127.0.0.1:{}/hooks", free_port());
    let mail = format!("smtp://user:s3cret@localhost:{}", free_port());
    let edited = with(
        builder.variables(),
        &[
            ("SVC_SMTP_URL", &mail),
            ("SVC_MAIL_FROM", "accounts@mail.example"),
            ("SVC_WEBHOOK_URL", &nowhere),
            ("SVC_WEBHOOK_SECRET", WEBHOOK_SECRET),
            ("SVC_SIGNUP", "invite"),
            ("SVC_EMAIL_VERIFICATION", "required"),
            ("SVC_ACCESS_TTL", "7m"),
            ("SVC_SESSION_TTL", "12h"),
            ("SVC_COOKIE_DOMAIN", "app.localhost"),
        ],
    );
    doctor(&edited).await.expect(FindingCode::SettingsDiffer, "settings_not_restarted");
    let stored = builder.database().texts("SELECT settings FROM processes").await;
    assert!(stored.len() == 1 && stored[0].contains("\"SIGNUP\"") && !stored[0].contains("open"), "{stored:?}");
}

async fn each_process_counts_while_it_runs(engine: Engine) {
    let differs = |examined: &Examined| !examined.messages(FindingCode::SettingsDiffer).is_empty();
    let builder = engine.prepare().await;
    let mut first = Process::start(builder.variables()).await;
    let _second = Process::start(&builder.with_another_port()).await;
    let closed = with(&builder.with_another_port(), &[("SVC_SIGNUP", "closed")]);
    let third = Process::start(&closed).await;
    // One of two alike goes, and the other is compared still.
    first.signal("TERM");
    first.wait().await;
    let of_third = doctor(&closed).await;
    assert!(differs(&of_third), "{:#?}", of_third.checks);
    let of_second = doctor(builder.variables()).await;
    assert!(differs(&of_second), "{:#?}", of_second.checks);
    // It cannot say that it ends.
    third.kill();
    eventually("the killed one is forgotten", async || (!differs(&doctor(builder.variables()).await)).then_some(()))
        .await;
    let running = builder.database().count("SELECT count(*) FROM processes");
    assert!(running.await <= 2, "expired rows are removed by the others");
}
