//! Account enumeration by timing: refused logins and requests for a password reset, for accounts that exist or not.

use crate::instance::Instance;
use crate::load::{Request, connect, exchange};
use crate::outcome::{Outcome, progress};
use crate::requests::form;
use crate::rig::Rig;
use crate::seed;
use crate::stats::{median, millis, percentile, superiority};
use crate::table::Table;
use serde::Serialize;
use std::net::SocketAddr;
use std::time::Duration;
use tokio::time::Instant;

/// After each request, for the work that the service does after its response.
const PAUSE_INTERVAL: Duration = Duration::from_millis(20);
/// Not counted: the first hash allocates its memory.
const WARM_UP: usize = 5;

/// Each engine's figures.
#[derive(Serialize)]
pub struct Timing {
    samples: usize,
    engines: Vec<EngineStats>,
}

/// The request, with the address of an account that exists or does not.
#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "snake_case")]
enum Tried {
    LogIn,
    NewPassword,
}

impl Tried {
    const fn in_words(self) -> &'static str {
        match self {
            Tried::LogIn => "refused log-in",
            Tried::NewPassword => "new password asked for",
        }
    }

    const fn path(self) -> &'static str {
        match self {
            Tried::LogIn => "/auth/login",
            Tried::NewPassword => "/auth/password/forgot",
        }
    }

    const fn status(self) -> u16 {
        match self {
            Tried::LogIn => 401,
            Tried::NewPassword => 303,
        }
    }
}

#[derive(Serialize)]
struct EngineStats {
    server: String,
    tried: Tried,
    known: Distribution,
    unknown: Distribution,
    difference_of_medians_ms: f64,
    /// The probability that the known account's request takes longer; 0.5 reveals nothing.
    known_is_slower: f64,
    /// The distance of that from 0.5 in standard errors (Mann-Whitney U); within ±2 is chance.
    standard_errors: f64,
}

#[derive(Serialize)]
struct Distribution {
    median_ms: f64,
    p95_ms: f64,
}

/// Measures every engine: alternates between a known and an unknown account, one request at a time.
pub async fn measure(rig: &Rig, samples: usize) -> Outcome<Timing> {
    let mut engines = Vec::new();
    for instance in &rig.instances {
        progress(&format!("timing: {}", instance.engine.name()));
        let service = instance.start().await?;
        for tried in [Tried::LogIn, Tried::NewPassword] {
            engines.push(engine(instance, service.address, tried, samples).await?);
        }
    }
    Ok(Timing { samples, engines })
}

async fn engine(instance: &Instance, address: SocketAddr, tried: Tried, samples: usize) -> Outcome<EngineStats> {
    let mut connection = connect(address).await?;
    let (mut known, mut unknown) = (Vec::new(), Vec::new());
    for sample in 0..samples + WARM_UP {
        // Alternates which of a pair comes first.
        for exists in [sample % 2 == 0, sample % 2 == 1] {
            let asked = attempt(tried, sample, instance.tokens.len(), exists)?;
            let began = Instant::now();
            let (status, _, _) = exchange(&mut connection, asked).await?;
            let took = began.elapsed();
            if status != tried.status() {
                return Err(format!("{}: {status}", tried.in_words()).into());
            }
            tokio::time::sleep(PAUSE_INTERVAL).await;
            if sample >= WARM_UP {
                (if exists { &mut known } else { &mut unknown }).push(took);
            }
        }
    }
    known.sort_unstable();
    unknown.sort_unstable();
    let (known_is_slower, standard_errors) = superiority(&known, &unknown);
    let (known, unknown) = (Distribution::of(&known), Distribution::of(&unknown));
    Ok(EngineStats {
        server: format!("doorward, {}", instance.engine.name()),
        tried,
        difference_of_medians_ms: known.median_ms - unknown.median_ms,
        known,
        unknown,
        known_is_slower,
        standard_errors,
    })
}

fn attempt(tried: Tried, sample: usize, users: usize, exists: bool) -> Outcome<Request> {
    let known = seed::email(sample % users);
    // Of the same length.
    let email = if exists { known } else { known.replace("user", "none") };
    // A different password each time, as a hash's duration depends on its input: the seeded users share a salt.
    let password = format!("not the password of {:07}", 2 * sample + usize::from(exists));
    form(tried.path(), &[("email", &email), ("password", &password)])
}

impl Distribution {
    fn of(sorted: &[Duration]) -> Self {
        Self { median_ms: median(sorted.iter().copied().map(millis)), p95_ms: millis(percentile(sorted, 95)) }
    }
}

impl Timing {
    /// The table.
    pub fn table(&self) -> Table {
        let cells = |engine: &EngineStats| {
            vec![
                engine.server.clone(),
                engine.tried.in_words().to_owned(),
                format!("{:.2}", engine.known.median_ms),
                format!("{:.2}", engine.known.p95_ms),
                format!("{:.2}", engine.unknown.median_ms),
                format!("{:.2}", engine.unknown.p95_ms),
                format!("{:+.3}", engine.difference_of_medians_ms),
                format!("{:.3}", engine.known_is_slower),
                format!("{:+.1}", engine.standard_errors),
            ]
        };
        Table {
            title: format!(
                "Time of an answer about an account that exists or does not: a wrong password, or a new one asked for ({} of each)",
                self.samples
            ),
            columns: vec![
                "server",
                "tried",
                "known median ms",
                "p95",
                "unknown median ms",
                "p95",
                "difference",
                "P(known slower)",
                "standard errors from 0.5",
            ],
            rows: self.engines.iter().map(cells).collect(),
        }
    }
}
