//! The files of the repository, and where the sources of the service are: in its packages, by the manifest.

use std::path::{Path, PathBuf};

/// The text files in these folders, and these files, each with its path from the root of the repository.
#[track_caller]
pub fn texts(places: &[&str]) -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for place in places {
        collect(&root.join(place), &mut files);
    }
    assert!(!files.is_empty(), "no file in {places:?}");
    let path = |file: &Path| file.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
    files.iter().filter_map(|file| Some((path(file), std::fs::read_to_string(file).ok()?))).collect()
}

fn collect(place: &Path, files: &mut Vec<PathBuf>) {
    if place.is_file() {
        files.push(place.to_owned());
    }
    for entry in std::fs::read_dir(place).into_iter().flatten().flatten() {
        collect(&entry.path(), files);
    }
}

/// The folders of the workspace's packages but the service's own.
fn members() -> Vec<String> {
    let manifest = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml")).unwrap();
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
