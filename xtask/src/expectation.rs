//! The inline expectations of the Ruby tests.
//!
//! A test is a Ruby file whose comments say what the program does:
//!
//! - `puts 1 + 2 # => 3`: the program prints this line next on stdout. Expectations are in the order of
//!   the output, one a line; a line of its own (`# => 4`) adds another one.
//! - `# error: Class: message`: the program ends by this uncaught exception (and with exit status 1).
//! - `# exit: N`: it exits with N (default 0).
//! - `# stderr: text`: some line of stderr contains the text.
//! - `# args: …`: options of the command, before the file; `# argv: …`: arguments after it.
//! - `# stdin: text`: a line of standard input.
//! - `# parallel: no, REASON`: several threads of one process cannot run it at once.

/// What a test file says about its run.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Expectation {
    /// Expected stdout lines with the source line of each.
    pub stdout: Vec<(usize, String)>,
    /// Class and message of the uncaught exception.
    pub error: Option<(String, String)>,
    /// Expected exit status.
    pub exit: Option<i32>,
    /// Texts that lines of stderr must contain.
    pub stderr: Vec<String>,
    /// Options before the file.
    pub args: Vec<String>,
    /// Arguments after the file.
    pub argv: Vec<String>,
    /// Standard input.
    pub stdin: String,
    /// Why several threads of one process cannot run it at once.
    pub not_parallel: Option<String>,
}

impl Expectation {
    /// Reads the expectations of a source text.
    pub fn parse(source: &str) -> Result<Self, String> {
        let mut expectation = Self::default();
        for (index, line) in source.lines().enumerate() {
            if line == "__END__" {
                break;
            }
            if let Some(text) = after(line, "# =>") {
                let text = text.strip_prefix(' ').unwrap_or(text);
                expectation.stdout.push((index + 1, text.to_owned()));
            } else if let Some(text) = after(line, "# error: ") {
                let (class, message) = split_error(text);
                expectation.error = Some((class.to_owned(), message.to_owned()));
            } else if let Some(text) = directive(line, "# exit: ") {
                let code = text.trim().parse().map_err(|_| format!("line {}: not a status: {text}", index + 1))?;
                expectation.exit = Some(code);
            } else if let Some(text) = directive(line, "# stderr: ") {
                expectation.stderr.push(text.to_owned());
            } else if let Some(text) = directive(line, "# args: ") {
                expectation.args.extend(text.split_whitespace().map(str::to_owned));
            } else if let Some(text) = directive(line, "# argv: ") {
                expectation.argv.extend(text.split_whitespace().map(str::to_owned));
            } else if let Some(reason) = directive(line, "# parallel: no, ") {
                expectation.not_parallel = Some(reason.to_owned());
            } else if let Some(text) = directive(line, "# stdin: ") {
                expectation.stdin.push_str(text);
                expectation.stdin.push('\n');
            }
        }
        Ok(expectation)
    }

    /// The exit status the program must have.
    pub fn exit_status(&self) -> i32 {
        self.exit.unwrap_or(i32::from(self.error.is_some()))
    }

    /// What differs between the expectation and a run; empty when nothing does.
    pub fn compare(&self, stdout: &str, stderr: &str, exit: Option<i32>) -> Vec<String> {
        let mut faults = self.compare_stdout(stdout);
        match exit {
            Some(code) if code == self.exit_status() => {}
            Some(code) => faults.push(format!("exit status {code} instead of {}", self.exit_status())),
            None => faults.push("killed by a signal".to_owned()),
        }
        if let Some((class, message)) = &self.error {
            let plain = format!(": {message} ({class})");
            let long = format!(": {message} ({class}");
            if !stderr.lines().any(|line| line.ends_with(&plain) || line.contains(&long)) {
                faults.push(format!("expected the uncaught {class}: {message}"));
            }
        }
        for text in &self.stderr {
            if !stderr.lines().any(|line| line.contains(text)) {
                faults.push(format!("no line of stderr contains: {text}"));
            }
        }
        let checked = self.error.is_some() || !self.stderr.is_empty();
        if !stderr.is_empty() && (!checked || !faults.is_empty()) {
            let shown: Vec<&str> = stderr.lines().take(8).collect();
            let label = if faults.is_empty() { "unexpected stderr" } else { "stderr" };
            faults.push(format!("{label}:\n        {}", shown.join("\n        ")));
        }
        faults
    }

    fn compare_stdout(&self, stdout: &str) -> Vec<String> {
        let mut actual = stdout.split('\n').collect::<Vec<_>>();
        if actual.last() == Some(&"") {
            actual.pop();
        }
        for (i, (line, expected)) in self.stdout.iter().enumerate() {
            match actual.get(i) {
                Some(got) if got == expected => {}
                Some(got) => {
                    return vec![format!("line {line}: expected {expected:?}, got {got:?}")];
                }
                None => {
                    return vec![format!("line {line}: expected {expected:?}, got the end of the output")];
                }
            }
        }
        match actual.get(self.stdout.len()) {
            Some(extra) => vec![format!("output goes on after the last expectation: {extra:?}")],
            None => Vec::new(),
        }
    }
}

/// The text after the last `marker` in the line.
fn after<'a>(line: &'a str, marker: &str) -> Option<&'a str> {
    line.rfind(marker).map(|at| &line[at + marker.len()..])
}

/// The text of a line that is nothing but this directive.
fn directive<'a>(line: &'a str, marker: &str) -> Option<&'a str> {
    line.trim_start().strip_prefix(marker)
}

/// Splits `Some::Class: message` at the first colon followed by a blank.
fn split_error(text: &str) -> (&str, &str) {
    text.split_once(": ").unwrap_or((text, ""))
}

#[cfg(test)]
#[path = "expectation_tests.rs"]
mod tests;
