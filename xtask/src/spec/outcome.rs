//! What running a spec file came to, read from the report that `driver.rb` wrote.

use std::collections::HashMap;

/// How an example ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// Every expectation was met.
    Passed,
    /// An expectation was not met.
    Failed,
    /// Something was raised that the example did not expect.
    Errored,
    /// The process died during the example.
    Crashed,
    /// The process was killed at the time limit during the example.
    Hung,
}

impl Status {
    /// The word for reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::Errored => "errored",
            Self::Crashed => "crashed",
            Self::Hung => "hung",
        }
    }

    /// The status a word stands for.
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Passed, Self::Failed, Self::Errored, Self::Crashed, Self::Hung]
            .into_iter()
            .find(|status| status.word() == word)
    }
}

/// One example.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// The descriptions of its groups and its own, on one line; unique in the file.
    pub description: String,
    /// How it ended.
    pub status: Status,
    /// What was said about its failures; several lines.
    pub message: String,
}

/// One spec file.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// The file, relative to the suite.
    pub file: String,
    /// The examples that were started, in order, and exceptions outside all of them.
    pub examples: Vec<Example>,
    /// Whether the process came to the end of the file.
    pub complete: bool,
    /// How the process ended when it did not come to the end of the file.
    pub ending: Option<Status>,
}

impl Outcome {
    /// How many examples ended so.
    pub fn count(&self, status: Status) -> usize {
        self.examples.iter().filter(|example| example.status == status).count()
    }

    /// Reads a report. `ending` says how the process ended should the report not come to its end.
    pub fn parse(file: &str, report: &str, ending: Status, stderr: &str) -> Self {
        let mut outcome = Self { file: file.to_owned(), ..Self::default() };
        let mut seen: HashMap<String, usize> = HashMap::new();
        let mut current: Option<Example> = None;
        let mut outside: Option<Example> = None;
        let mut skipped = false;
        let mut unique = |text: &str| {
            let count = seen.entry(text.to_owned()).or_insert(0);
            *count += 1;
            if *count == 1 { text.to_owned() } else { format!("{text} #{count}") }
        };
        for line in report.lines() {
            let (word, text) = line.split_once('\t').unwrap_or((line, ""));
            match word {
                "begin" => {
                    skipped = false;
                    let description = unique(&one_line(&unescape(text)));
                    current = Some(Example { description, status: Status::Passed, message: String::new() });
                }
                "outside" => {
                    let description = unique(&format!("(outside) {}", location(&one_line(&unescape(text)))));
                    outside = Some(Example { description, status: Status::Errored, message: String::new() });
                }
                "failure" | "error" => {
                    let status = if word == "failure" { Status::Failed } else { Status::Errored };
                    if let Some(mut example) = outside.take() {
                        example.message = unescape(text);
                        outcome.examples.push(example);
                    } else if let Some(example) = &mut current {
                        example.status = example.status.max(status);
                        example.message.push_str(&unescape(text));
                        example.message.push('\n');
                    }
                }
                "skip" => skipped = true,
                "end" => {
                    if let Some(example) = current.take()
                        && !(skipped && example.status == Status::Passed)
                    {
                        outcome.examples.push(example);
                    }
                }
                "done" => outcome.complete = true,
                _ => {}
            }
        }
        if !outcome.complete {
            outcome.ending = Some(ending);
            let mut example = current.unwrap_or_else(|| Example {
                description: "(outside) between examples".to_owned(),
                status: ending,
                message: String::new(),
            });
            example.status = ending;
            example.message.push_str(stderr);
            outcome.examples.push(example);
        }
        outcome
    }
}

/// Paths of the checkout have no place in a description.
fn location(text: &str) -> String {
    text.split(' ').map(|word| word.rsplit('/').next().unwrap_or(word)).collect::<Vec<_>>().join(" ")
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn unescape(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            plain.push(c);
            continue;
        }
        match chars.next() {
            Some('n') => plain.push('\n'),
            Some('t') => plain.push('\t'),
            Some(other) => plain.push(other),
            None => {}
        }
    }
    plain
}

#[cfg(test)]
#[path = "outcome_tests.rs"]
mod tests;
