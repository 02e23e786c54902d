//! What can go wrong in compiling, and how syntax errors are shown.

use ruby_prism::ParseResult;

/// Why source could not be compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CompileError {
    /// The source is not Ruby. `line` is that of the first error; `message` is what follows
    /// `FILE:LINE: ` in CRuby's exception: a headline, a newline, the excerpt.
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
    /// The source says something of itself that cannot be (an ArgumentError for Ruby).
    Argument {
        /// What is wrong.
        message: String,
        /// Where.
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
            | CompileError::Argument { line, .. }
            | CompileError::Limit { line, .. } => *line,
        }
    }

    /// The message for the Ruby exception.
    pub fn message(&self) -> String {
        match self {
            CompileError::Syntax { message, .. }
            | CompileError::Limit { message, .. }
            | CompileError::Argument { message, .. } => message.clone(),
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
            Warning { line: w.location().start_line(), message, verbose_only }
        })
        .collect()
}

/// A regexp that a source writes, for who checks it before the source runs.
#[derive(Debug)]
pub struct RegexpText {
    /// What stands between the slashes.
    pub source: Box<[u8]>,
    /// Option bits of `Regexp#options`.
    pub options: u32,
    /// Index of the encoding of `source`.
    pub encoding: u8,
    /// Where it is written.
    pub line: i32,
    /// It is not only what stands beside interpolations.
    pub whole: bool,
}
