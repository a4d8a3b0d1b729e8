//! Tables of the documentation that a test computes: between `<!-- NAME: written by … -->` and `<!-- end -->`.

use std::path::PathBuf;

/// A table as it stands in its page.
pub struct WrittenTable {
    path: PathBuf,
    before: String,
    table: String,
    after: String,
}

pub fn written_table(page: &str, name: &str) -> WrittenTable {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(page);
    let text = std::fs::read_to_string(&path).unwrap();
    let begin = text.find(&format!("<!-- {name}: written by ")).expect("its table");
    let begin = begin + text[begin..].find("-->\n").expect("the end of its mark") + "-->\n".len();
    let end = begin + text[begin..].find("<!-- end -->").expect("its end");
    let [before, table, after] = [&text[..begin], &text[begin..end], &text[end..]].map(str::to_owned);
    WrittenTable { path, before, table, after }
}

impl WrittenTable {
    /// Writes another in its place if `DOORWARD_BLESS` is set.
    pub fn is_blessed(&self, table: impl FnOnce() -> String) -> bool {
        let is_asked = std::env::var_os("DOORWARD_BLESS").is_some();
        if is_asked {
            let text = format!("{}\n{}\n{}", self.before, table(), self.after);
            std::fs::write(&self.path, text).unwrap();
        }
        is_asked
    }

    pub fn text(&self) -> &str {
        self.table.trim()
    }

    /// The cells of each line, that of the head and the one beneath it included.
    pub fn rows(&self) -> Vec<Vec<&str>> {
        self.text().lines().map(|line| line.trim_matches('|').split('|').map(str::trim).collect()).collect()
    }
}
