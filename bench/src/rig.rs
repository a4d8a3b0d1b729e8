//! What the parts share: a directory, a PostgreSQL cluster, and a filled instance on either engine.

use crate::Args;
use crate::instance::{Engine, Instance};
use crate::mass;
use crate::outcome::Outcome;
use crate::postgres::Cluster;
use crate::seed;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Name of the filled PostgreSQL database.
pub const DATABASE: &str = "filled";

/// What the parts share.
pub struct Rig {
    /// The filled instances: SQLite, and PostgreSQL if it is installed.
    pub instances: Vec<Instance>,
    /// PostgreSQL, if it is installed.
    pub cluster: Option<Cluster>,
    /// The server's version.
    pub postgres_version: Option<String>,
    /// The databases that are kept between runs, with `--keep`.
    kept: Option<KeptDatabases>,
    // Dropped last: fields are dropped in order of declaration.
    directory: Directory,
}

/// Large databases that are kept between runs.
struct KeptDatabases {
    directory: PathBuf,
    cluster: Option<Cluster>,
}

impl Rig {
    /// Creates and fills the databases.
    pub async fn build(args: &Args) -> Outcome<Self> {
        // Fails before the long preparation.
        crate::process::doorward()?;
        let directory = Directory::create(args.dir.clone().unwrap_or_else(std::env::temp_dir))?;
        let cluster = Cluster::start(&directory.0.join("postgresql")).await?;
        let mut instances = vec![Instance::new(&directory.0.join("sqlite"), None)?];
        let mut postgres_version = None;
        if let Some(cluster) = &cluster {
            cluster.create_database(DATABASE).await?;
            postgres_version = Some(cluster.version().await?);
            instances.push(Instance::new(&directory.0.join("on-postgresql"), Some(cluster.url(DATABASE)))?);
        }
        if args.needs_users() {
            for instance in &mut instances {
                seed::fill(instance, args.users()).await?;
            }
        }
        let kept = match &args.keep {
            Some(directory) if args.needs_growth() => Some(KeptDatabases::open(directory).await?),
            _ => None,
        };
        Ok(Self { instances, cluster, postgres_version, kept, directory })
    }

    /// The available engines.
    pub fn engines(&self) -> impl Iterator<Item = Engine> {
        let cluster = self.kept.as_ref().map_or(&self.cluster, |kept| &kept.cluster);
        [Engine::Sqlite].into_iter().chain(cluster.as_ref().map(|_| Engine::Postgres))
    }

    /// A database with this number of people; created or completed if necessary.
    pub async fn filled_database(&self, engine: Engine, people: u64) -> Outcome<Instance> {
        let (directory, cluster) = match &self.kept {
            Some(kept) => (kept.directory.clone(), &kept.cluster),
            None => (self.path("grown"), &self.cluster),
        };
        let name = format!("grown_{people}");
        let instance = match (engine, cluster) {
            (Engine::Postgres, Some(cluster)) => {
                cluster.keep_database(&name).await?;
                Instance::new(&directory.join(format!("postgresql_{name}")), Some(cluster.url(&name)))?
            }
            _ => Instance::new(&directory.join(format!("sqlite_{name}")), None)?,
        };
        // The service creates the schema.
        instance.app().await?.store.close().await;
        mass::fill(&instance, people).await?;
        Ok(instance)
    }

    /// A new instance on each engine, with an empty database.
    pub async fn empty_instances(&self, name: &str) -> Outcome<Vec<Instance>> {
        let mut instances = vec![Instance::new(&self.path(&format!("{name}-sqlite")), None)?];
        if let Some(cluster) = &self.cluster {
            cluster.create_database(name).await?;
            instances.push(Instance::new(&self.path(&format!("{name}-on-postgresql")), Some(cluster.url(name)))?);
        }
        Ok(instances)
    }

    /// A path for a part's own files.
    pub fn path(&self, name: &str) -> PathBuf {
        self.directory.0.join(name)
    }
}

impl KeptDatabases {
    async fn open(directory: &Path) -> Outcome<Self> {
        let directory = std::path::absolute(directory)?;
        std::fs::create_dir_all(&directory)?;
        // PostgreSQL may run as another user, who needs access to its own directory.
        std::fs::set_permissions(&directory, PermissionsExt::from_mode(0o755))?;
        let cluster = Cluster::start(&directory.join("postgresql")).await?;
        Ok(Self { directory, cluster })
    }
}

/// A directory that is removed on drop.
struct Directory(PathBuf);

impl Directory {
    fn create(parent: PathBuf) -> Outcome<Self> {
        let path = std::path::absolute(parent)?.join(format!("doorward-bench-{}", std::process::id()));
        std::fs::create_dir_all(&path)?;
        // PostgreSQL may run as another user, who needs access to its own directory.
        std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755))?;
        Ok(Self(path))
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        remove(&self.0);
    }
}

/// Removes a directory, or prints that it could not, as it may be large.
pub fn remove(path: &Path) {
    if let Err(error) = std::fs::remove_dir_all(path) {
        eprintln!("{} was not removed: {error}", path.display());
    }
}
