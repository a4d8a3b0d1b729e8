//! Packs the pages that `doorward docs` prints: compressed, they are a third as large.

use flate2::Compression;
use flate2::write::DeflateEncoder;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The folders of `docs`, in the order in which their pages are listed.
const FOLDERS: [&str; 3] = ["start", "guides", "reference"];
const SKILL: &str = "skills/doorward/SKILL.md";

fn main() -> io::Result<()> {
    let target = std::env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?;
    let file = fs::File::create(Path::new(&target).join("pages.deflate"))?;
    let mut packed = DeflateEncoder::new(file, Compression::best());
    for folder in FOLDERS {
        let folder = format!("docs/{folder}");
        watch(&folder)?;
        for page in pages(Path::new(&folder))? {
            let name = page.with_extension("").display().to_string().replace('\\', "/");
            pack(&mut packed, name.trim_start_matches("docs/"), &page)?;
        }
    }
    watch(SKILL)?;
    pack(&mut packed, "skill", Path::new(SKILL))?;
    packed.finish().map(drop)
}

/// Cargo runs this again when something there changes.
fn watch(place: &str) -> io::Result<()> {
    writeln!(io::stdout(), "cargo::rerun-if-changed={place}")
}

/// The pages of a folder and of those below it, by their paths.
fn pages(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(pages(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// Name and text, each before a NUL, which is in neither.
fn pack(packed: &mut impl Write, name: &str, page: &Path) -> io::Result<()> {
    write!(packed, "{name}\0{}\0", fs::read_to_string(page)?)
}
