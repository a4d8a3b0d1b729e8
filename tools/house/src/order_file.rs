//! Reads the order of the top modules from the test that enforces it.

use crate::source::parse_file;
use std::path::Path;
use std::{fs, io};
use syn::{Expr, Item, Lit};

/// The file with `const ORDER: &[&str] = &["model", …];`.
const FILE: &str = "tests/it/architecture.rs";

/// The order of the top modules in the repository at `root`; `None` if there is no such file or constant.
pub fn read_order(root: &Path) -> io::Result<Option<Vec<String>>> {
    match fs::read_to_string(root.join(FILE)) {
        Ok(text) => find_order(&text),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

fn find_order(text: &str) -> io::Result<Option<Vec<String>>> {
    let file = parse_file(FILE, text)?;
    Ok(file.items.iter().find_map(|item| match item {
        Item::Const(constant) if constant.ident == "ORDER" => strings(&constant.expr),
        _ => None,
    }))
}

/// The strings of an array, or of a reference to one.
fn strings(expression: &Expr) -> Option<Vec<String>> {
    let array = match expression {
        Expr::Reference(reference) => return strings(&reference.expr),
        Expr::Array(array) => array,
        _ => return None,
    };
    let text = |element: &Expr| match element {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Str(text) => Some(text.value()),
            _ => None,
        },
        _ => None,
    };
    array.elems.iter().map(text).collect()
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

    use super::*;

    #[test]
    fn order_constant_is_found_among_others() {
        let text = "const LONGEST: usize = 5;\nconst ORDER: &[&str] = &[\n\"model\", // the ground\n\"store\",\n];";
        assert_eq!(find_order(text).unwrap().unwrap(), ["model", "store"]);
        assert_eq!(find_order("const LONGEST: usize = 5;").unwrap(), None);
    }

    #[test]
    fn missing_file_means_no_order() {
        assert_eq!(read_order(Path::new("/nowhere")).unwrap(), None);
    }
}
