//! What can go wrong in compiling, and how syntax errors are shown.

use ruby_prism::ParseResult;

/// Why source could not be compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CompileError {
    /// The source is not Ruby. `line` is that of the first error; `message` is the whole text that
    /// follows `FILE:LINE: ` in CRuby's output, the excerpt included.
    Syntax {
        /// Line of the first error.
        line: i32,
        /// Headline and excerpt.
        message: String,
    },
    /// The source is Ruby, but uses something this implementation lacks (a NotImplementedError).
    NotSupported {
        /// What it is.
        node: String,
        /// Where it is.
        line: i32,
    },
    /// The source goes past a limit of the bytecode or of the machine (a SyntaxError for Ruby).
    Limit {
        /// What there is too much of.
        message: String,
        /// Where.
        line: i32,
    },
}

impl CompileError {
    /// The line it is about.
    pub fn line(&self) -> i32 {
        match self {
            CompileError::Syntax { line, .. }
            | CompileError::NotSupported { line, .. }
            | CompileError::Limit { line, .. } => *line,
        }
    }

    /// The message for the Ruby exception.
    pub fn message(&self) -> String {
        match self {
            CompileError::Syntax { message, .. } | CompileError::Limit { message, .. } => {
                message.clone()
            }
            CompileError::NotSupported { node, .. } => format!("{node} is not supported"),
        }
    }
}

impl std::fmt::Display for CompileError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message())
    }
}

impl std::error::Error for CompileError {}

/// The result of a step of the compiler.
pub(crate) type R<T = ()> = Result<T, CompileError>;

/// A warning of the parser.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// Where.
    pub line: i32,
    /// What, without the `FILE:LINE: warning: ` in front.
    pub message: String,
    /// Given with `-w` only.
    pub verbose_only: bool,
}

/// Beginnings and middles of the messages that prism marks as for `-w` only; its Rust binding does not
/// tell the level.
const VERBOSE: &[&str] = &[
    "after local variable or literal is interpreted as",
    "ambiguous ",
    "after comparison",
    " duplicates 'when' clause",
    " out of range",
    "is ignored after any tokens",
    "mismatched indentations",
    "invalid value for ",
    "at the end of line without an expression",
    "'shareable_constant_value' is ignored",
    "statement not reached",
    "assigned but unused variable",
    "possibly useless use",
];

pub(crate) fn warnings(result: &ParseResult<'_>) -> Vec<Warning> {
    result
        .warnings()
        .map(|w| {
            let message = String::from_utf8_lossy(w.message()).into_owned();
            let verbose_only = VERBOSE.iter().any(|v| message.contains(v));
            Warning {
                line: w.location().start_line(),
                message,
                verbose_only,
            }
        })
        .collect()
}

struct Shown {
    line: i32,
    column: u32,
    end: u32,
    message: String,
}

/// The error for a source with syntax errors: a headline and, around each line with errors, an
/// excerpt with the errors marked.
pub(crate) fn syntax_error(
    result: &ParseResult<'_>,
    source: &[u8],
    first_line: i32,
) -> Option<CompileError> {
    let mut errors: Vec<Shown> = result
        .errors()
        .map(|e| {
            let at = e.location();
            let end = if at.end_line() == at.start_line() {
                at.end_column()
            } else {
                u32::MAX
            };
            Shown {
                line: at.start_line(),
                column: at.start_column(),
                end,
                message: String::from_utf8_lossy(e.message()).into_owned(),
            }
        })
        .collect();
    errors.sort_by_key(|e| (e.line, e.column));
    let line = errors.first()?.line;
    let plural = if errors.len() == 1 { "" } else { "s" };
    let mut message = format!("syntax error{plural} found (SyntaxError)\n");
    let lines: Vec<&[u8]> = source.split(|&b| b == b'\n').collect();
    excerpt(&mut message, &lines, &errors, first_line);
    Some(CompileError::Syntax { line, message })
}

fn excerpt(out: &mut String, lines: &[&[u8]], errors: &[Shown], first_line: i32) {
    let index = |line: i32| usize::try_from(line.saturating_sub(first_line)).unwrap_or(0);
    // A source that ends in a newline has an empty last piece, which is a line only if an error is on it.
    let top = errors.iter().map(|e| index(e.line)).max().unwrap_or(0);
    let count = if lines.last().is_some_and(|l| l.is_empty()) {
        lines.len() - 1
    } else {
        lines.len()
    };
    let count = count.max(top + 1);
    let widest = errors
        .iter()
        .map(|e| e.line.saturating_add(2))
        .max()
        .unwrap_or(1);
    let width = widest.to_string().len().max(first_line.to_string().len());
    let plain = |out: &mut String, n: usize| {
        let number = i64::from(first_line) + n as i64;
        let text = String::from_utf8_lossy(lines.get(n).copied().unwrap_or_default());
        out.push_str(&format!(
            "  {number:>width$} | {}\n",
            text.trim_end_matches('\r')
        ));
    };
    let mut next = 0;
    let mut at = 0;
    while at < errors.len() {
        let n = index(errors[at].line);
        if n > next + 2 && !(next == 0 && n <= 2) {
            if next > 0 {
                // Two lines of context behind the last error, two before this one.
                let mut shown = next;
                while shown < next + 2 && shown + 2 < n {
                    plain(out, shown);
                    shown += 1;
                }
                if shown + 2 < n {
                    out.push_str(&format!("  {} ...\n", " ".repeat(width)).replace(
                        &format!("{} ...", " ".repeat(width)),
                        &format!("{} ...", "~".repeat(width + 1)),
                    ));
                    next = n - 2;
                } else {
                    next = shown;
                }
            } else {
                next = n - 2;
            }
        }
        for before in next..n {
            plain(out, before);
        }
        let text = String::from_utf8_lossy(lines.get(n).copied().unwrap_or_default()).into_owned();
        let number = i64::from(first_line) + n as i64;
        out.push_str(&format!(
            "> {number:>width$} | {}\n",
            text.trim_end_matches('\r')
        ));
        while at < errors.len() && index(errors[at].line) == n {
            let e = &errors[at];
            let raw = lines.get(n).copied().unwrap_or_default();
            let column = (e.column as usize).min(raw.len());
            let end = (e.end as usize).min(raw.len()).max(column);
            let chars = |bytes: &[u8]| String::from_utf8_lossy(bytes).chars().count();
            let before: String = String::from_utf8_lossy(&raw[..column])
                .chars()
                .map(|c| if c == '\t' { '\t' } else { ' ' })
                .collect();
            let tail = chars(&raw[column..end]).saturating_sub(1);
            out.push_str(&format!(
                "  {} | {before}^{} {}\n",
                " ".repeat(width),
                "~".repeat(tail),
                e.message
            ));
            at += 1;
        }
        next = n + 1;
    }
    for after in next..(next + 2).min(count) {
        plain(out, after);
    }
}
