//! What the checks found.

/// The faults, each with its place.
#[derive(Default)]
pub struct Report {
    /// What must be put right.
    pub faults: Vec<String>,
}

impl Report {
    /// Notes something that must be put right.
    pub fn fault(&mut self, file: &str, line: usize, message: &str) {
        self.faults.push(place(file, line, message));
    }
}

fn place(file: &str, line: usize, message: &str) -> String {
    if line == 0 { format!("{file}: {message}") } else { format!("{file}:{line}: {message}") }
}

/// Whether a file holds tests only.
pub fn is_test(file: &str) -> bool {
    file.ends_with("tests.rs") || file.split('/').any(|part| part == "tests" || part == "benches" || part == "fuzz")
}
