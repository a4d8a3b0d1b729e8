//! Files that import each other.

use crate::imports::Import;
use std::collections::BTreeMap;

/// The groups of files that reach each other by imports (strongly connected components), largest first.
pub fn circles(imports: &[Import]) -> Vec<Vec<String>> {
    let mut search = Search::new(imports);
    for file in 0..search.next.len() {
        search.visit(file);
    }
    let named = |circle: Vec<usize>| circle.iter().map(|&file| search.names[file].to_owned()).collect();
    let mut circles: Vec<Vec<String>> = search.circles.into_iter().map(named).collect();
    for circle in &mut circles {
        circle.sort();
    }
    circles.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
    circles
}

/// Tarjan's algorithm.
struct Search<'a> {
    names: Vec<&'a str>,
    /// The files that each file imports.
    next: Vec<Vec<usize>>,
    /// When each file was first visited, from 1; 0 before that.
    visited: Vec<usize>,
    count: usize,
    stack: Vec<usize>,
    circles: Vec<Vec<usize>>,
}

impl<'a> Search<'a> {
    fn new(imports: &'a [Import]) -> Self {
        let files = imports.iter().flat_map(|import| [import.at.file.as_str(), import.target.as_str()]);
        let mut indices: BTreeMap<&str, usize> = files.map(|file| (file, 0)).collect();
        indices.values_mut().enumerate().for_each(|(index, value)| *value = index);
        let mut next = vec![Vec::new(); indices.len()];
        for import in imports {
            next[indices[import.at.file.as_str()]].push(indices[import.target.as_str()]);
        }
        let visited = vec![0; next.len()];
        Self { names: indices.into_keys().collect(), next, visited, count: 0, stack: Vec::new(), circles: Vec::new() }
    }

    /// Visits a file and what it reaches. Returns the earliest visit among the files on the stack that it reaches.
    fn visit(&mut self, file: usize) -> usize {
        if self.visited[file] > 0 {
            return if self.stack.contains(&file) { self.visited[file] } else { usize::MAX };
        }
        self.count += 1;
        self.visited[file] = self.count;
        let start = self.stack.len();
        self.stack.push(file);
        let targets = self.next[file].clone();
        let earliest = targets.into_iter().map(|target| self.visit(target)).min().unwrap_or(usize::MAX);
        if earliest >= self.visited[file] {
            let circle = self.stack.split_off(start);
            self.circles.extend((circle.len() > 1).then_some(circle));
            return usize::MAX;
        }
        earliest
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Location;

    fn of(imports: &[(&str, &str)]) -> Vec<Vec<String>> {
        let import = |(file, target): &(&str, &str)| Import {
            at: Location::new(*file, 1),
            target: (*target).to_owned(),
            symbol: String::new(),
        };
        circles(&imports.iter().map(import).collect::<Vec<_>>())
    }

    #[test]
    fn separate_circles_are_found() {
        let imports = [("a", "b"), ("b", "c"), ("c", "a"), ("c", "d"), ("d", "e"), ("e", "d"), ("e", "f")];
        assert_eq!(of(&imports), [vec!["a", "b", "c"], vec!["d", "e"]]);
    }

    #[test]
    fn two_paths_to_one_file_are_not_a_circle() {
        assert!(of(&[("a", "b"), ("a", "c"), ("b", "d"), ("c", "d")]).is_empty());
    }

    #[test]
    fn circles_that_share_a_file_are_one() {
        assert_eq!(of(&[("a", "b"), ("b", "a"), ("b", "c"), ("c", "b")]), [["a", "b", "c"]]);
    }
}
