//! The last minutes: events and mails in every state. The service is killed while it delivers.

use super::Maker;
use crate::harness::{Answer, Engine, Step, Treatment};
use doorward::clock::Clock;

pub(super) async fn act(maker: &mut Maker) {
    wait_until_idle(maker).await;
    maker.set("SVC_INVITATION_TTL", "1s");
    maker.command("invitation create --org Crew --email late@example.com").await;
    maker.set("SVC_INVITATION_TTL", "168h");
    fail(maker).await;
    retry_later(maker).await;
    hang(maker).await;
    maker.kill();
    // These stay undelivered: no process runs any more.
    maker.command("org rename Club Society").await;
    maker.command("invitation create --org Society --email waiting@example.com").await;
    insert_what_lasts_a_second(maker).await;
}

async fn wait_until_idle(maker: &Maker) {
    let waiting = "SELECT 1 FROM outbox WHERE state IN ('pending', 'processing')";
    maker.wait_for(&format!("SELECT count(*) FROM (SELECT 1) idle WHERE NOT EXISTS ({waiting})")).await;
}

/// One of each kind of delivery comes into this state.
async fn deliver_into(maker: &Maker, state: &str, name: &str) {
    maker.command_with(&["org", "rename", "Crew", name]).await;
    maker.command_with(&["org", "rename", name, "Crew"]).await;
    maker.command(&format!("invitation create --org Crew --email {name}@example.com")).await;
    for channel in ["= 'webhook'", "<> 'webhook'"] {
        maker.wait_for(&format!("SELECT count(*) FROM outbox WHERE channel {channel} AND {state}")).await;
    }
}

async fn fail(maker: &mut Maker) {
    maker.set("SVC_WEBHOOK_MAX_DELIVERY_ATTEMPTS", "2");
    maker.run("SVC_WEBHOOK_RETRY_DELAYS", "10ms").await;
    maker.receiver.answer_always(Answer::Status(500));
    maker.mails.treat_next([Treatment::Say(Step::Recipient, "550 5.1.1 no such user")]);
    deliver_into(maker, "state = 'failed'", "failed").await;
    wait_until_idle(maker).await;
}

async fn retry_later(maker: &mut Maker) {
    maker.run("SVC_WEBHOOK_RETRY_DELAYS", "1h").await;
    maker.mails.treat_next([Treatment::Say(Step::Recipient, "451 4.3.0 try again later")]);
    deliver_into(maker, "state = 'pending' AND attempts = 1", "later").await;
}

async fn hang(maker: &mut Maker) {
    maker.run("SVC_WEBHOOK_TIMEOUT", "60s").await;
    maker.receiver.answer_always(Answer::Silence);
    maker.mails.treat_next([Treatment::Hang(Step::Dot)]);
    deliver_into(maker, "state = 'processing'", "hangs").await;
}

/// A request for a link is answered at once, and a run of the doctor removes its own value: a kill at the right time
/// would leave them. The rows are as those versions write them.
async fn insert_what_lasts_a_second(maker: &Maker) {
    let database = maker.builder.database();
    let now = Clock::system().now().as_micros();
    let (bytes, id, now) = match maker.engine {
        Engine::Sqlite => ("x'", "x'01980a3c5b8e7d219c402f6d1a7b8e93'", now.to_string()),
        Engine::Postgres => ("'\\x", "'01980a3c-5b8e-7d21-9c40-2f6d1a7b8e93'", "now()".to_owned()),
    };
    let columns = "reset_requests (id, email, locale, return_to, created_at)";
    database.execute(&format!("INSERT INTO {columns} VALUES ({id}, 'nobody@example.com', 'en', NULL, {now})")).await;
    let hash = "5f".repeat(32);
    database.execute(&format!("INSERT INTO doctor_nonces (hash, expires_at) VALUES ({bytes}{hash}', {now})")).await;
}
