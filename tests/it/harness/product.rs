//! Where the sources of the service are: its packages, by the manifests.

use std::path::{Path, PathBuf};

/// The folders of the workspace's packages but the service's own, as the workspace lists them.
pub fn members() -> Vec<String> {
    let manifest = manifest("");
    let list = manifest.split_once("\nmembers = [").unwrap().1.split_once(']').unwrap().0;
    list.split('"').skip(1).step_by(2).map(str::to_owned).collect()
}

/// The folders with the sources of the service: `src`, and that of each package below `crates`.
pub fn folders() -> Vec<String> {
    let crates = members().into_iter().filter(|member| member.starts_with("crates/"));
    std::iter::once("src".to_owned()).chain(crates.map(|member| format!("{member}/src"))).collect()
}

/// The file of the service at a place below the `src` of its package, such as `mail/message.rs`.
#[track_caller]
pub fn file(place: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = folders().into_iter().map(|folder| root.join(folder).join(place));
    files.find(|file| file.exists()).unwrap_or_else(|| panic!("no package has {place}"))
}

/// The name of the package in a folder.
pub fn name(folder: &str) -> String {
    let manifest = manifest(folder);
    manifest.split_once("name = \"").unwrap().1.split_once('"').unwrap().0.to_owned()
}

fn manifest(folder: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder).join("Cargo.toml")).unwrap()
}
