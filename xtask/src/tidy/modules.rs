//! Which files of a crate refer to which: from their `use` declarations and from the paths in their code.
//!
//! A name that a module re-exports leads to the file that defines it. A `mod` declaration refers to nothing; a path that starts
//! with the module's name does. What a macro makes of its arguments is not seen.

use std::collections::{BTreeSet, HashMap};

/// The path of a module within its crate, without `crate`.
type Path = Vec<String>;

/// One name that a `use` declaration binds.
struct Use {
    path: Path,
    name: String,
    public: bool,
}

/// A file as a module.
struct Module {
    path: Path,
    uses: Vec<Use>,
    /// The text without comments, literals and `use` declarations.
    code: String,
}

/// The files of one crate and the references between them, by number.
pub struct Graph {
    edges: Vec<BTreeSet<usize>>,
}

impl Graph {
    /// The graph of a crate's files: names relative to its `src`, and texts without comments and literals.
    pub fn new(files: &[(String, String)]) -> Graph {
        let modules: Vec<Module> = files.iter().map(|(file, text)| Module::read(file, text)).collect();
        let names = Names::new(&modules);
        let edges = modules.iter().enumerate().map(|(number, module)| names.references(number, module)).collect();
        Graph { edges }
    }

    /// The circles: all sets of more than one file in which each leads to every other.
    pub fn circles(&self) -> Vec<Vec<usize>> {
        let reached: Vec<BTreeSet<usize>> = (0..self.edges.len()).map(|from| self.reached(from)).collect();
        let mut circles = Vec::new();
        let mut seen = BTreeSet::new();
        for from in 0..self.edges.len() {
            if !seen.insert(from) {
                continue;
            }
            let circle: Vec<usize> =
                reached[from].iter().copied().filter(|&to| to != from && reached[to].contains(&from)).collect();
            if !circle.is_empty() {
                seen.extend(&circle);
                circles.push([vec![from], circle].concat());
            }
        }
        circles
    }

    fn reached(&self, from: usize) -> BTreeSet<usize> {
        let mut reached = BTreeSet::new();
        let mut pending = vec![from];
        while let Some(at) = pending.pop() {
            pending.extend(self.edges[at].iter().filter(|&&to| reached.insert(to)));
        }
        reached
    }
}

impl Module {
    fn read(file: &str, text: &str) -> Module {
        let mut path: Path = file.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
        if path.last().is_some_and(|last| last == "mod") || matches!(file, "lib.rs" | "main.rs") {
            path.pop();
        }
        let (mut uses, mut code) = (Vec::new(), String::new());
        let mut rest = text;
        while let Some((before, tree, after)) = split_use(rest) {
            code.push_str(before);
            let public =
                before.trim_end().ends_with("pub") || before.trim_end().ends_with(')') && ends_with_pub(before);
            read_tree(tree, &[], public, &mut uses);
            rest = after;
        }
        code.push_str(rest);
        Module { path, uses, code }
    }
}

/// `pub(…)` at the end of what stands before a `use`.
fn ends_with_pub(before: &str) -> bool {
    before.rsplit_once('(').is_some_and(|(head, _)| head.ends_with("pub"))
}

/// The text before the next `use` declaration, its tree, and the text behind it.
fn split_use(text: &str) -> Option<(&str, &str, &str)> {
    let at = crate::rust_source::words(text, "use").find(|&at| !text[at + 3..].trim_start().starts_with('<'))?;
    let (tree, rest) = text[at + 3..].split_once(';')?;
    Some((&text[..at], tree.trim(), rest))
}

/// Notes the names that a tree binds: `a::{b, c::{self, d as e}}`.
fn read_tree(tree: &str, prefix: &[String], public: bool, uses: &mut Vec<Use>) {
    if let Some((head, list)) = tree.split_once('{') {
        let head = [prefix, &segments(head)].concat();
        for part in split_list(list.trim_end().strip_suffix('}').unwrap_or(list)) {
            read_tree(part, &head, public, uses);
        }
        return;
    }
    let (path, alias) = match tree.split_once(" as ") {
        Some((path, alias)) => (path, Some(alias.trim().to_owned())),
        None => (tree, None),
    };
    let mut path = [prefix, &segments(path)].concat();
    if path.len() > 1 && path.last().is_some_and(|last| last == "self") {
        path.pop();
    }
    let Some(name) = alias.or_else(|| path.last().cloned()) else { return };
    uses.push(Use { path, name, public });
}

fn segments(path: &str) -> Path {
    path.split("::").map(str::trim).filter(|segment| !segment.is_empty()).map(str::to_owned).collect()
}

/// The parts of a list that stand between commas outside of braces.
fn split_list(list: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0_usize, 0);
    for (at, byte) in list.bytes().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' => depth = depth.saturating_sub(1),
            b',' if depth == 0 => {
                parts.push(list[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(list[start..].trim());
    parts.retain(|part| !part.is_empty());
    parts
}

/// What names mean in each module.
struct Names {
    modules: HashMap<Path, usize>,
    /// What each module's `use` declarations bind to something of the crate: its path from the root.
    bound: Vec<HashMap<String, Path>>,
    /// Those of them that are re-exported.
    public: Vec<HashMap<String, Path>>,
}

impl Names {
    fn new(modules: &[Module]) -> Names {
        let numbers = modules.iter().enumerate().map(|(number, module)| (module.path.clone(), number)).collect();
        let mut names = Names { modules: numbers, bound: Vec::new(), public: Vec::new() };
        for module in modules {
            let (mut bound, mut public) = (HashMap::new(), HashMap::new());
            // A declaration may begin with a name that another one binds.
            for _ in 0..2 {
                for one in &module.uses {
                    let Some(path) = names.rooted(&module.path, &one.path, &bound) else { continue };
                    if one.public {
                        public.insert(one.name.clone(), path.clone());
                    }
                    bound.insert(one.name.clone(), path);
                }
            }
            names.bound.push(bound);
            names.public.push(public);
        }
        names
    }

    /// A path that is written in the module `at`, from the root; `None` if it leads out of the crate.
    fn rooted(&self, at: &Path, path: &[String], bound: &HashMap<String, Path>) -> Option<Path> {
        let (first, rest) = path.split_first()?;
        match first.as_str() {
            "crate" => Some(rest.to_vec()),
            "self" => Some([at, rest].concat()),
            "super" => {
                let up = path.iter().take_while(|segment| *segment == "super").count();
                Some([&at[..at.len().saturating_sub(up)], &path[up..]].concat())
            }
            _ => {
                let child = [at.as_slice(), std::slice::from_ref(first)].concat();
                if self.modules.contains_key(&child) {
                    return Some([&child, rest].concat());
                }
                let path = bound.get(first).filter(|_| !rest.is_empty())?;
                Some([path, rest].concat())
            }
        }
    }

    /// The file that a path from the root leads to.
    fn file_of(&self, path: &[String], depth: usize) -> Option<usize> {
        let length = (0..=path.len()).rev().find(|&length| self.modules.contains_key(&path[..length]))?;
        let number = self.modules[&path[..length]];
        if let Some(name) = path.get(length)
            && let Some(other) = self.public[number].get(name)
            && depth > 0
            && other.as_slice() != &path[..=length]
        {
            return self.file_of(&[other, &path[length + 1..]].concat(), depth - 1);
        }
        Some(number)
    }

    /// The files that a module refers to.
    fn references(&self, number: usize, module: &Module) -> BTreeSet<usize> {
        const REEXPORTS: usize = 8;
        let mut found = BTreeSet::new();
        // Who imports a module refers to what it takes from it.
        for path in self.bound[number].values().filter(|path| !self.modules.contains_key(*path)) {
            found.extend(self.file_of(path, REEXPORTS));
        }
        for path in paths(&module.code) {
            if let Some(path) = self.rooted(&module.path, &path, &self.bound[number]) {
                found.extend(self.file_of(&path, REEXPORTS));
            }
        }
        found.remove(&number);
        found
    }
}

/// The paths of more than one segment in a text without literals.
fn paths(code: &str) -> Vec<Path> {
    let word = |c: char| c.is_alphanumeric() || c == '_';
    let mut found = Vec::new();
    let mut rest = code;
    while let Some(at) = rest.find("::") {
        let start =
            rest[..at].rfind(|c| !word(c)).map_or(0, |i| i + rest[i..].chars().next().map_or(1, char::len_utf8));
        let end = rest[at..].find(|c| !word(c) && c != ':').map_or(rest.len(), |i| at + i);
        let path = segments(&rest[start..end]);
        if start < at && path.len() > 1 {
            found.push(path);
        }
        rest = &rest[end.max(at + 2)..];
    }
    found
}

#[cfg(test)]
#[path = "modules_tests.rs"]
mod tests;
