//! The operations that are measured on a database of some size, through the library.

use super::growth_bare::BareReader;
use crate::instance::Instance;
use crate::outcome::Outcome;
use crate::people::random_person;
use crate::stats::median;
use doorward::context::App;
use doorward::crypto::refresh_token;
use doorward::domain::session::refresh::refresh;
use doorward::model::device::Device;
use doorward::model::principal::{Operation, Principal};
use secrecy::ExposeSecret;
use std::array::from_fn;
use std::fs::File;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// The columns.
pub const OPERATIONS: [&str; 4] = ["user µs", "log-in's look-up µs", "refresh µs", "lists µs"];
/// Of each operation in a round.
const REPETITIONS: usize = 300;
/// Each operation runs for this time before it is measured, so that the database's caches are filled as in use.
const WARM_UP: Duration = Duration::from_millis(300);

/// A database that is measured.
pub struct Subject {
    instance: Instance,
    people: u64,
    app: Arc<App>,
    /// Medians of the rounds so far, for each operation.
    rounds: [Vec<f64>; OPERATIONS.len()],
    /// The limit of the first operation, on SQLite.
    bare: Option<BareReader>,
    bare_rounds: Vec<f64>,
}

impl Subject {
    /// Opens it.
    pub async fn open(instance: Instance, people: u64) -> Outcome<Self> {
        let app = instance.app().await?;
        let bare = match instance.url() {
            None => Some(BareReader::open(&instance.sqlite_file())?),
            Some(_) => None,
        };
        Ok(Self { instance, people, app, rounds: from_fn(|_| Vec::new()), bare, bare_rounds: Vec::new() })
    }

    /// Measures one round.
    pub async fn measure(&mut self) -> Outcome<()> {
        warm(self.instance.files().await?).await?;
        for operation in 0..OPERATIONS.len() {
            let warm = Instant::now() + WARM_UP;
            while Instant::now() < warm {
                self.once(operation).await?;
            }
            let mut took = Vec::with_capacity(REPETITIONS);
            for _ in 0..REPETITIONS {
                took.push(self.once(operation).await?);
            }
            self.rounds[operation].push(median(took));
        }
        self.measure_bare()
    }

    fn measure_bare(&mut self) -> Outcome<()> {
        let Some(bare) = &self.bare else { return Ok(()) };
        let warm = Instant::now() + WARM_UP;
        while Instant::now() < warm {
            bare.once(random_person(self.people)?)?;
        }
        let took = (0..REPETITIONS).map(|_| bare.once(random_person(self.people)?)).collect::<Outcome<Vec<_>>>()?;
        self.bare_rounds.push(median(took));
        Ok(())
    }

    /// Microseconds of one operation on a random person.
    async fn once(&self, operation: usize) -> Outcome<f64> {
        let (app, person) = (&*self.app, random_person(self.people)?);
        let token = refresh_token::parse(person.refresh_token(&app.secret_keys).expose_secret());
        let began = Instant::now();
        let found = match operation {
            0 => app.store.sessions().get(person.session()).await?.is_some(),
            1 => {
                let mut conn = app.store.read(&Principal::operator(), Operation::ManageInstance).await?;
                conn.user_find_by_email(&person.email()).await?.is_some()
            }
            2 => {
                refresh(app, &token.ok_or("no token")?, "app", &Device::new("", None)).await?;
                true
            }
            _ => {
                let mut conn = app.store.read(&Principal::operator(), Operation::ManageInstance).await?;
                conn.session_reuse_since(person.user(), app.clock.now()).await?;
                !conn.memberships_of_user(person.user()).await?.is_empty()
            }
        };
        let took = began.elapsed();
        if found { Ok(took.as_secs_f64() * 1e6) } else { Err(format!("{person:?} is not there").into()) }
    }

    /// The medians of all rounds.
    pub fn medians(&self) -> [f64; OPERATIONS.len()] {
        from_fn(|operation| median(self.rounds[operation].iter().copied()))
    }

    /// The median of the limit on SQLite.
    pub fn bare_median(&self) -> Option<f64> {
        self.bare.is_some().then(|| median(self.bare_rounds.iter().copied()))
    }

    /// Closes it.
    pub async fn close(self) -> (Instance, u64) {
        self.app.store.close().await;
        (self.instance, self.people)
    }
}

/// Reads the database files into the operating system's cache, where those of a database in use are: the service is
/// measured here, not the disk.
async fn warm(files: PathBuf) -> Outcome<()> {
    tokio::task::spawn_blocking(move || {
        for entry in std::fs::read_dir(files)? {
            let path = entry?.path();
            if path.is_file() {
                std::io::copy(&mut File::open(path)?, &mut std::io::sink())?;
            }
        }
        Ok(())
    })
    .await?
}
