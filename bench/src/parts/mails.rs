//! Whether an account can flood a mailbox or hold up the mails of others (docs/concepts/security.md): two accounts, one
//! with a verified address, change their passwords as fast as they can, while others sign up and wait for their codes.

use crate::Args;
use crate::instance::{Instance, Service};
use crate::load::{Request, connect, exchange};
use crate::mail_sink::MailSink;
use crate::outcome::{Outcome, progress};
use crate::rig::Rig;
use crate::stats::millis;
use crate::table::Table;
use crate::world::browser::Browser;
use serde::Serialize;
use std::net::SocketAddr;
use std::time::Duration;
use tokio::time::{Instant, interval, sleep, sleep_until};

const CHANGES: u32 = 1000;
const DURATION: Duration = Duration::from_mins(1);
const SIGNUP_INTERVAL: Duration = Duration::from_secs(5);
/// How long the mail server takes for each mail.
const DELAY: Duration = Duration::from_millis(100);
/// A code that does not come in this time has failed the aim anyway.
const CODE_TIMEOUT: Duration = Duration::from_secs(30);
const PASSWORDS: [&str; 2] = ["a lighthouse in the fog", "a second lighthouse in the fog"];
const AIM_NOTICES: usize = 6;
const AIM_CODE_MS: f64 = 2000.0;

/// Each engine's figures.
#[derive(Serialize)]
pub struct Mails {
    engines: Vec<EngineStats>,
    aim_notices: usize,
    aim_code_ms: f64,
}

#[derive(Serialize)]
struct EngineStats {
    server: String,
    /// The requests of both accounts that changed something.
    changed: usize,
    notices_to_verified: usize,
    notices_to_unverified: usize,
    /// The longest time from the request of an honest signup until its code arrived.
    code_ms: f64,
}

/// Measures every engine, or the selected one.
pub async fn measure(rig: &Rig, args: &Args) -> Outcome<Mails> {
    let mut engines = Vec::new();
    for mut instance in rig.empty_instances("mails").await? {
        if args.engine.is_some_and(|engine| engine != instance.engine) {
            continue;
        }
        let sink = MailSink::start(&rig.path("mail-sink"), DELAY).await?;
        instance.unset("SVC_RATE_LIMIT");
        instance.set("SVC_SMTP_URL", sink.url());
        instance.set("SVC_SMTP_CA_FILE", sink.certificate());
        instance.set("SVC_MAIL_FROM", "bench@mail.example");
        engines.push(measure_engine(&instance, &sink).await?);
    }
    Ok(Mails { engines, aim_notices: AIM_NOTICES, aim_code_ms: AIM_CODE_MS })
}

async fn measure_engine(instance: &Instance, sink: &MailSink) -> Outcome<EngineStats> {
    let Service { address, process: _process, .. } = instance.start().await?;
    let engine = instance.engine.name();
    progress(&format!("mails: {engine}: {CHANGES} changes by each of two accounts in {} s", DURATION.as_secs()));
    let (verified, unverified) = ("verified@example.com", "unverified@example.com");
    let verified_browser = sign_up(address, verified).await?;
    let unverified_browser = sign_up(address, unverified).await?;
    let code = sink.first_to(verified, CODE_TIMEOUT).await?.code.ok_or("the mail has no code")?;
    expect(303, send(address, &verified_browser, "/auth/email/verify", &[("code", &code)]).await?)?;
    let (first, second, code_ms) = tokio::try_join!(
        change_passwords(address, &verified_browser),
        change_passwords(address, &unverified_browser),
        honest_signups(address, sink),
    )?;
    // What was queued last arrives.
    sleep(Duration::from_secs(5)).await;
    // The first mail to each is its verification.
    let notices = |address| sink.mails_to(address).len().saturating_sub(1);
    Ok(EngineStats {
        server: format!("doorward, {engine}"),
        changed: first + second,
        notices_to_verified: notices(verified),
        notices_to_unverified: notices(unverified),
        code_ms,
    })
}

/// Asks for [`CHANGES`] of the password, evenly over [`DURATION`]; returns the number of those that were made.
async fn change_passwords(address: SocketAddr, browser: &Browser) -> Outcome<usize> {
    let mut due = interval(DURATION / CHANGES);
    let mut changed = 0;
    for _ in 0..CHANGES {
        due.tick().await;
        let fields = [("current", PASSWORDS[changed % 2]), ("password", PASSWORDS[(changed + 1) % 2])];
        match send(address, browser, "/auth/account/password", &fields).await? {
            303 => changed += 1,
            429 => {}
            status => return Err(format!("a change of the password was answered with {status}").into()),
        }
    }
    Ok(changed)
}

/// Signs up every few seconds; returns the longest time until a code arrived, in milliseconds.
async fn honest_signups(address: SocketAddr, sink: &MailSink) -> Outcome<f64> {
    let begin = Instant::now();
    let mut longest = Duration::ZERO;
    for number in 1_u32.. {
        let due = begin + SIGNUP_INTERVAL * number;
        if due >= begin + DURATION {
            break;
        }
        sleep_until(due).await;
        let email = format!("honest{number}@example.com");
        let asked = Instant::now();
        sign_up(address, &email).await?;
        longest = longest.max(sink.first_to(&email, CODE_TIMEOUT).await?.at - asked);
    }
    Ok(millis(longest))
}

async fn sign_up(address: SocketAddr, email: &str) -> Outcome<Browser> {
    let browser = Browser::new();
    expect(303, send(address, &browser, "/auth/signup", &[("email", email), ("password", PASSWORDS[0])]).await?)?;
    Ok(browser)
}

async fn send(address: SocketAddr, browser: &Browser, path: &str, fields: &[(&str, &str)]) -> Outcome<u16> {
    let request: Request = browser.post(path, fields)?;
    let (status, headers, _) = exchange(&mut connect(address).await?, request).await?;
    browser.keep(&headers);
    Ok(status)
}

fn expect(expected: u16, status: u16) -> Outcome<()> {
    if status == expected { Ok(()) } else { Err(format!("the service answered {status}").into()) }
}

impl Mails {
    /// Whether every aim was met.
    pub fn is_within_aims(&self) -> bool {
        self.engines.iter().all(|engine| {
            engine.notices_to_verified <= AIM_NOTICES
                && engine.notices_to_unverified == 0
                && engine.code_ms <= AIM_CODE_MS
        })
    }

    /// The table.
    pub fn table(&self) -> Table {
        let cells = |engine: &EngineStats| {
            vec![
                engine.server.clone(),
                engine.changed.to_string(),
                engine.notices_to_verified.to_string(),
                engine.notices_to_unverified.to_string(),
                format!("{:.0}", engine.code_ms),
            ]
        };
        Table {
            title: format!(
                "{CHANGES} password changes by each of two accounts in {} s (aims: at most {AIM_NOTICES} notices, none \
                 to an unverified address, codes of others within {AIM_CODE_MS:.0} ms)",
                DURATION.as_secs()
            ),
            columns: vec!["server", "changes made", "notices, verified", "notices, unverified", "longest code ms"],
            rows: self.engines.iter().map(cells).collect(),
        }
    }
}
