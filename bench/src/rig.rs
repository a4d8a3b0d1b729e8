//! What the parts share: a directory, a PostgreSQL cluster, and a filled instance on either engine.

use crate::Args;
use crate::instance::Instance;
use crate::mass;
use crate::outcome::Outcome;
use crate::postgres::Cluster;
use crate::seed;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

pub const DATABASE: &str = "filled";

pub struct Rig {
    /// The filled instances: SQLite, and PostgreSQL if it is installed.
    pub instances: Vec<Instance>,
    pub cluster: Option<Cluster>,
    pub postgres_version: Option<String>,
    // Dropped last: fields are dropped in order of declaration.
    directory: Directory,
}

impl Rig {
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
        Ok(Self { instances, cluster, postgres_version, directory })
    }

    /// A new instance on each engine, with this number of people in its database.
    pub async fn filled_instances(&self, name: &str, people: u64) -> Outcome<Vec<Instance>> {
        let instances = self.empty_instances(name).await?;
        for instance in &instances {
            // The service creates the schema.
            instance.app().await?.store.close().await;
            mass::fill(instance, people).await?;
        }
        Ok(instances)
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
