//! Tests that sleep for a fixed time.

use crate::location::Location;
use crate::repository::Repository;
use crate::source::{Source, parse_file};
use std::io;
use syn::visit::{self, Visit};
use syn::{Expr, ExprCall, ExprForLoop, ExprLoop, ExprWhile, Item};

/// The fixed sleeps in test code: that of the sources, and everything in `tests/`.
///
/// A fixed sleep is a call of a path that ends with `sleep`, outside the body of every `loop`, `while` and `for` of the
/// same function, with an argument of literals and constants only. Calls in the arguments of macros are not found.
pub fn fixed_sleeps(repository: &Repository, sources: &[Source]) -> io::Result<Vec<Location>> {
    let mut places = Vec::new();
    for source in sources {
        find(&source.path, &source.tests, &mut places);
    }
    for (path, text) in repository.rust(&["tests/"]) {
        find(path, &parse_file(path, text)?.items, &mut places);
    }
    Ok(places)
}

fn find(file: &str, items: &[Item], places: &mut Vec<Location>) {
    let mut finder = Finder { file, places, is_in_loop: false };
    for item in items {
        finder.visit_item(item);
    }
}

struct Finder<'a> {
    file: &'a str,
    places: &'a mut Vec<Location>,
    is_in_loop: bool,
}

impl Finder<'_> {
    fn with(&mut self, is_in_loop: bool, visit: impl FnOnce(&mut Self)) {
        let before = std::mem::replace(&mut self.is_in_loop, is_in_loop);
        visit(self);
        self.is_in_loop = before;
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        self.with(false, |finder| visit::visit_item(finder, item));
    }

    fn visit_expr_loop(&mut self, item: &'ast ExprLoop) {
        self.with(true, |finder| finder.visit_block(&item.body));
    }

    fn visit_expr_while(&mut self, item: &'ast ExprWhile) {
        self.visit_expr(&item.cond);
        self.with(true, |finder| finder.visit_block(&item.body));
    }

    fn visit_expr_for_loop(&mut self, item: &'ast ExprForLoop) {
        self.visit_expr(&item.expr);
        self.with(true, |finder| finder.visit_block(&item.body));
    }

    fn visit_expr_call(&mut self, call: &'ast ExprCall) {
        if let Expr::Path(function) = &*call.func
            && let Some(last) = function.path.segments.last().filter(|segment| segment.ident == "sleep")
            && !self.is_in_loop
            && call.args.iter().all(is_fixed)
        {
            self.places.push(Location::new(self.file, last.ident.span().start().line));
        }
        visit::visit_expr_call(self, call);
    }
}

/// Whether an expression consists of literals and constants, and calls on these.
fn is_fixed(expression: &Expr) -> bool {
    match expression {
        Expr::Lit(_) => true,
        Expr::Path(path) => path.path.segments.last().is_some_and(|last| is_constant(&last.ident.to_string())),
        Expr::Call(call) => matches!(*call.func, Expr::Path(_)) && call.args.iter().all(is_fixed),
        Expr::MethodCall(call) => is_fixed(&call.receiver) && call.args.iter().all(is_fixed),
        Expr::Binary(binary) => is_fixed(&binary.left) && is_fixed(&binary.right),
        Expr::Unary(unary) => is_fixed(&unary.expr),
        Expr::Paren(inner) => is_fixed(&inner.expr),
        _ => false,
    }
}

fn is_constant(name: &str) -> bool {
    !name.contains(char::is_lowercase)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

    use super::*;
    use crate::parse;

    fn lines(text: &str) -> Vec<usize> {
        let repository = Repository::from_texts([("tests/it/main.rs", text), ("src/lib.rs", "fn f() { sleep(1) }")]);
        let sources = parse(&repository, &["src/"]).unwrap();
        fixed_sleeps(&repository, &sources).unwrap().iter().map(|place| place.line).collect()
    }

    #[test]
    fn literals_and_constants_are_fixed() {
        let text = "fn f() {\nsleep(Duration::from_millis(5));\ntokio::time::sleep(2 * WAIT);\nsleep(left);\n}";
        assert_eq!(lines(text), [2, 3]);
    }

    #[test]
    fn sleep_in_loop_is_not_counted() {
        let text = "fn f() {\nwhile sleep(A) { sleep(A); }\nloop { if x { sleep(A) } }\nfor _ in 0..3 { sleep(A) }\n}";
        assert_eq!(lines(text), [2]);
        assert_eq!(lines("fn f() {\nloop {\nfn g() { sleep(A) }\n} }"), [3]);
    }

    #[test]
    fn test_code_in_src_is_searched() {
        let text = "#[cfg(test)]\nmod tests {\n#[test]\nfn f() { sleep(A) } }\nfn g() { sleep(A) }";
        let repository = Repository::from_texts([("src/lib.rs", text)]);
        let sources = parse(&repository, &["src/"]).unwrap();
        assert_eq!(fixed_sleeps(&repository, &sources).unwrap(), [Location::new("src/lib.rs", 4)]);
    }
}
