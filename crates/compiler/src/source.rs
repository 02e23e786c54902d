//! The way in: options, parsing, and the compilation of a whole source.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use asterism_symbol::{Sym, UTF_8, intern, sym};
use ruby_prism::{CommandLineFlag, Scope, ScopeForwardingFlag, Version, parse_with_options};

use crate::analysis::{Analysis, ScopeKind, analyse, key};
use crate::builder::Func;
use crate::code::{Code, CodeKind};
use crate::coverage::{Measured, Session};
use crate::errors::{CompileError, R, RegexpText, Warning, warnings};
use crate::excerpt::syntax_error;
use crate::opcode::Op;
use crate::own_stack::on_own_stack;
use crate::symbols::symbol;

/// Command-line switches that change what a main script means.
#[derive(Clone, Copy, Default, Debug)]
pub struct CommandLine {
    /// `-n`: `while gets … end` around the script.
    pub n: bool,
    /// `-p`: likewise, and `$_` is printed at the end of each round.
    pub p: bool,
    /// `-l`: lines are chomped.
    pub l: bool,
    /// `-a`: `$F = $_.split` in each round.
    pub a: bool,
}

/// How a source is to be compiled.
#[derive(Clone, Debug)]
pub struct Options<'a> {
    /// Path as it appears in backtraces and `__FILE__`.
    pub file: &'a str,
    /// Number of the first line.
    pub line: i32,
    /// `Main`, `File` or `Eval`.
    pub kind: CodeKind,
    /// For `Eval`: the names of the locals of the binding's scopes in slot order, innermost last.
    pub scopes: &'a [Vec<Sym>],
    /// For `Eval`: which of `scopes` is the method's, and its parameters.
    pub method: Option<(usize, &'a crate::code::Params)>,
    /// For `Eval`: name of the method around, or empty.
    pub name: Sym,
    /// For `Eval`: the label of its frame; empty stands for `<main>`.
    pub label: &'a str,
    /// `--enable=frozen-string-literal` and its opposite; the magic comment counts first.
    pub frozen_string_literal: Option<bool>,
    /// Part of the implementation: `Primitive.…` may be used, and frames are hidden.
    pub internal: bool,
    /// Switches of the command line.
    pub command_line: CommandLine,
    /// Bytes of machine stack that the caller is sure to have left; a source that cannot need more is
    /// compiled right there, which saves starting a thread.
    pub stack_left: usize,
    /// The locals of the source itself can be reached from elsewhere (TOPLEVEL_BINDING).
    pub keeps_locals: bool,
    /// The source's encoding where no magic comment says another; UTF-8 if `None`.
    pub encoding: Option<&'a str>,
    /// What the code is measured in, if it is measured.
    pub coverage: Option<&'a Arc<Session>>,
    /// A `File` that is not loaded: it is measured only with a file of its name.
    pub is_detached: bool,
    /// Finds an encoding by a name: its index, its proper name, whether ASCII stands for itself in it.
    pub find_encoding: fn(&str) -> Option<(u8, &'static str, bool)>,
    /// Set when nobody wants the result any more.
    pub abandoned: Option<&'a AtomicBool>,
}

/// The encodings that are known without being told.
fn known_encoding(name: &str) -> Option<(u8, &'static str, bool)> {
    match name.to_ascii_lowercase().as_str() {
        "utf-8" | "utf8" | "utf-8-unix" | "utf-8-dos" | "utf-8-mac" | "utf8-mac" | "utf8-unix" => {
            Some((UTF_8, "UTF-8", true))
        }
        "us-ascii" | "ascii" => Some((asterism_symbol::US_ASCII, "US-ASCII", true)),
        "ascii-8bit" | "binary" => Some((0, "ASCII-8BIT", true)),
        _ => None,
    }
}

impl<'a> Options<'a> {
    /// Options for a source of its own.
    pub fn new(file: &'a str, kind: CodeKind) -> Options<'a> {
        Options {
            file,
            line: 1,
            kind,
            scopes: &[],
            method: None,
            name: sym::EMPTY,
            label: "",
            frozen_string_literal: None,
            internal: false,
            command_line: CommandLine::default(),
            stack_left: 0,
            keeps_locals: false,
            encoding: None,
            coverage: None,
            is_detached: false,
            find_encoding: known_encoding,
            abandoned: None,
        }
    }

    /// Is the result wanted no more?
    #[inline]
    pub(crate) fn is_abandoned(&self) -> bool {
        self.abandoned.is_some_and(|abandoned| abandoned.load(Ordering::Relaxed))
    }

    /// What a compilation ends with whose result nobody wants.
    #[cold]
    pub(crate) fn given_up(&self) -> CompileError {
        CompileError::Limit { message: "given up".into(), line: self.line }
    }
}

/// What came out.
#[derive(Debug)]
pub struct Compiled {
    /// The code of the whole source.
    pub code: Arc<Code>,
    /// Warnings to be shown.
    pub warnings: Vec<Warning>,
    /// The regexps it writes, in their order, without those in which nothing can be wrong.
    pub regexps: Vec<RegexpText>,
}

/// Compiles `source`.
pub fn compile(source: &[u8], options: &Options<'_>) -> Result<Compiled, CompileError> {
    if stack_needed(source) <= options.stack_left {
        return compile_here(source, options);
    }
    on_own_stack(|| compile_here(source, options))
}

/// Most machine stack that parsing and compiling take for one token that nests: measured at 8 KiB and
/// 25 KiB on the worst sources of `crates/compiler/src/tests/limits.rs`.
const STACK_PER_TOKEN: usize = if cfg!(debug_assertions) { 40 << 10 } else { 12 << 10 };

/// An upper bound of the stack that a source needs: as if every token nested.
fn stack_needed(source: &[u8]) -> usize {
    let mut tokens = 0usize;
    let mut in_word = false;
    for &b in source {
        let word = b.is_ascii_alphanumeric() || b == b'_' || b >= 0x80;
        tokens += usize::from(!(b.is_ascii_whitespace() || word && in_word));
        in_word = word;
    }
    tokens.saturating_mul(STACK_PER_TOKEN).saturating_add(128 << 10)
}

/// prism's options for ours.
pub(crate) fn parse_options(options: &Options<'_>) -> ruby_prism::ParseOptions {
    let mut parse = ruby_prism::Options::default()
        .filepath(&options.file.replace('\0', ""))
        .line(options.line)
        .version(Version::CRuby4_0)
        .main_script(options.kind == CodeKind::Main)
        .frozen_string_literal(options.frozen_string_literal);
    if let Some(name) = options.encoding {
        parse = parse.encoding(name);
    }
    let mut flags = Vec::new();
    let switches = options.command_line;
    for (on, flag) in [
        (switches.n, CommandLineFlag::N),
        (switches.p, CommandLineFlag::P),
        (switches.l, CommandLineFlag::L),
        (switches.a, CommandLineFlag::A),
        (options.kind == CodeKind::Main && options.file == "-e", CommandLineFlag::E),
    ] {
        if on {
            flags.push(flag);
        }
    }
    parse = parse.command_line(flags);
    if options.kind == CodeKind::Eval {
        for names in options.scopes {
            let mut scope = Scope::default();
            let mut forwarding = Vec::new();
            for (name, flag) in [
                ("*", ScopeForwardingFlag::Positionals),
                ("**", ScopeForwardingFlag::Keywords),
                ("&", ScopeForwardingFlag::Block),
            ] {
                if names.contains(&intern(name)) {
                    forwarding.push(flag);
                }
            }
            if forwarding.len() == 3 {
                forwarding.push(ScopeForwardingFlag::All);
            }
            let locals = names.iter().filter(|n| is_identifier(n.bytes())).map(|n| n.bytes().to_vec());
            scope = scope.locals(locals.collect()).forwarding(forwarding);
            parse = parse.scope(scope);
        }
        parse = parse.scope(Scope::default());
    }
    parse.build()
}

fn is_identifier(name: &[u8]) -> bool {
    name.first().is_some_and(|&b| b == b'_' || b.is_ascii_alphabetic() || b >= 0x80)
}

pub(crate) fn compile_here(source: &[u8], options: &Options<'_>) -> R<Compiled> {
    if u32::try_from(source.len()).is_err() {
        return Err(CompileError::Limit { message: "source too large".into(), line: options.line });
    }
    let parse = parse_options(options);
    let result = parse_with_options(source, &parse);
    if options.is_abandoned() {
        return Err(options.given_up());
    }
    let (encoding, encoding_name) = source_encoding(source, options)?;
    if let Some(error) = syntax_error(&result, source, options.line) {
        return Err(error);
    }
    let root = result.node();
    let Some(program) = root.as_program_node() else {
        return Err(CompileError::NotSupported { node: "source without a program".into(), line: options.line });
    };
    let all = options.kind == CodeKind::Eval || options.keeps_locals;
    let analysis = analyse(&program, all, options.kind == CodeKind::Eval && options.name != sym::EMPTY);
    if let Some(line) = analysis.stray_yield {
        return Err(CompileError::Syntax { line, message: "Invalid yield".into() });
    }
    if let Some(line) = analysis.too_deep {
        return Err(CompileError::Limit { message: "nesting too deep".into(), line });
    }
    let measured = measured(options, result.line_offsets().len().saturating_sub(1));
    let mut compiler = Compiler {
        options,
        measured,
        file: Arc::from(options.file),
        analysis,
        encoding,
        encoding_name,
        shareable: None,
        warnings: Vec::new(),
        regexps: BTreeMap::new(),
        funcs: Vec::new(),
        depth: 0,
        why: None,
    };
    let mut func = compiler.program(&program)?;
    if options.kind == CodeKind::Main {
        func.data_offset = result.data_loc().map(|at| data_start(source, at.start() as usize));
    }
    let code = compiler.finish(func)?;
    if let Some(measured) = compiler.measured.take() {
        measured.finish();
    }
    let mut warnings = warnings(&result);
    warnings.append(&mut compiler.warnings);
    let regexps = compiler.regexps.into_values().collect();
    Ok(Compiled { code, warnings, regexps })
}

/// What a source of `lines` lines is measured in, if it is.
fn measured(options: &Options<'_>, lines: usize) -> Option<Measured> {
    let session = options.coverage.filter(|_| !options.internal)?;
    let is_eval = options.kind == CodeKind::Eval;
    let lines = usize::try_from(lines as i64 + i64::from(options.line) - 1).unwrap_or(0);
    session.source(options.file, !is_eval && !options.is_detached, is_eval, lines).map(Measured::new)
}

/// Where the line behind `__END__` begins.
fn data_start(source: &[u8], marker: usize) -> usize {
    let rest = source.get(marker..).unwrap_or_default();
    marker + rest.iter().position(|&b| b == b'\n').map_or(rest.len(), |n| n + 1)
}

/// Index of the source's encoding.
fn source_encoding(source: &[u8], options: &Options<'_>) -> R<(u8, &'static str)> {
    let unknown =
        |name: &str| CompileError::Argument { message: format!("unknown encoding name: {name}"), line: options.line };
    if let Some(name) = encoding_comment(source) {
        let found = known_encoding(&name).or_else(|| (options.find_encoding)(&name));
        return match found {
            Some((index, name, true)) => Ok((index, name)),
            Some((_, name, false)) => {
                Err(CompileError::Argument { message: format!("{name} is not ASCII compatible"), line: options.line })
            }
            None => Err(unknown(&name)),
        };
    }
    match options.encoding {
        Some(name) => {
            let found = known_encoding(name).or_else(|| (options.find_encoding)(name));
            found.map(|(index, name, _)| (index, name)).ok_or_else(|| unknown(name))
        }
        None => Ok((UTF_8, "UTF-8")),
    }
}

/// The name in a comment like `# encoding: utf-8`, which must be the first line, or the second behind `#!`.
fn encoding_comment(source: &[u8]) -> Option<String> {
    let source = source.strip_prefix(b"\xef\xbb\xbf").unwrap_or(source);
    let mut lines = source.split(|&b| b == b'\n');
    let mut line = lines.next()?;
    if line.starts_with(b"#!") {
        line = lines.next()?;
    }
    let start = line.iter().position(|b| !b.is_ascii_whitespace())?;
    let text = String::from_utf8_lossy(line.get(start..)?).to_ascii_lowercase();
    if !text.starts_with('#') {
        return None;
    }
    text.match_indices("coding").find_map(|(at, key)| {
        let value = text[at + key.len()..].trim_start().strip_prefix([':', '='])?.trim_start();
        let value = value.strip_prefix(['"', '\'']).unwrap_or(value);
        let name: String =
            value.chars().take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.')).collect();
        (!name.is_empty()).then_some(name)
    })
}

/// The state of a compilation.
pub(crate) struct Compiler<'o, 'pr> {
    pub(crate) options: &'o Options<'o>,
    /// What is noted for coverage, if the source is measured.
    pub(crate) measured: Option<Measured>,
    pub(crate) file: Arc<str>,
    pub(crate) analysis: Analysis,
    /// Encoding index of the source.
    pub(crate) encoding: u8,
    /// `shareable_constant_value`, while a constant is assigned under it.
    pub(crate) shareable: Option<&'static str>,
    /// Warnings that the parser does not give.
    pub(crate) warnings: Vec<Warning>,
    /// Regexps, by where they begin.
    pub(crate) regexps: BTreeMap<usize, RegexpText>,
    /// Its name.
    pub(crate) encoding_name: &'static str,
    /// The code in the making, outermost first.
    pub(crate) funcs: Vec<Func<'pr>>,
    /// Depth of the present expression.
    pub(crate) depth: usize,
    /// While a pattern is compiled whose failure an error tells: where to note the `Mismatch`.
    pub(crate) why: Option<u16>,
}

impl<'pr> Compiler<'_, 'pr> {
    fn program(&mut self, program: &ruby_prism::ProgramNode<'pr>) -> R<Func<'pr>> {
        let options = self.options;
        let label = match options.kind {
            CodeKind::Main => "<main>",
            CodeKind::Eval if !options.label.is_empty() => options.label,
            CodeKind::Eval => "<main>",
            _ => "<top (required)>",
        };
        let line = u32::try_from(options.line).unwrap_or(0);
        let mut func = Func::new(options.kind, ScopeKind::Program, options.name, label.to_string(), line);
        let info = self.analysis.scopes.get(&key(&program.location(), ScopeKind::Program));
        for name in &program.locals() {
            let name = symbol(name.as_slice(), UTF_8)?;
            let captured = info.is_some_and(|i| i.all || i.captured.contains(&name));
            func.add_local(name, captured)?;
        }
        self.funcs.push(func);
        self.declare_hidden(key(&program.location(), ScopeKind::Program))?;
        let statements = program.statements();
        self.pre_execution(&statements)?;
        let result = self.temp()?;
        self.statements(&statements, Some(result))?;
        self.emit(Op::Return, result, 0, 0)?;
        self.pop_func()
    }

    pub(crate) fn pop_func(&mut self) -> R<Func<'pr>> {
        match self.funcs.pop() {
            Some(func) => Ok(func),
            None => Err(CompileError::Limit { message: "unbalanced scopes".into(), line: 0 }),
        }
    }

    pub(crate) fn finish(&mut self, mut func: Func<'pr>) -> R<Arc<Code>> {
        if let Some(measured) = &mut self.measured {
            func.counted.get_or_insert_with(|| measured.counted(None));
            self.has_counted_lines(&func.counted_lines);
        }
        let code = func.finish(self.file.clone(), self.options.internal)?;
        #[cfg(debug_assertions)]
        if let Err(defect) = crate::verify::verify_one(&code) {
            return Err(CompileError::Limit {
                message: format!("defect of the compiler: {defect}"),
                line: code.line as i32,
            });
        }
        Ok(Arc::new(code))
    }

    // ---- short names for what the innermost function offers -----------------------------------

    pub(crate) fn f(&mut self) -> &mut Func<'pr> {
        // A function is pushed before anything is compiled and popped when it is done.
        let last = self.funcs.len() - 1;
        &mut self.funcs[last]
    }

    pub(crate) fn temp(&mut self) -> R<u16> {
        self.f().temp()
    }

    pub(crate) fn mark(&mut self) -> u32 {
        self.f().mark()
    }

    pub(crate) fn release(&mut self, mark: u32) {
        self.f().release(mark);
    }

    pub(crate) fn emit(&mut self, op: Op, a: u16, b: u16, c: u16) -> R {
        self.f().emit(op, a, b, c)
    }

    pub(crate) fn not_supported<T>(&mut self, what: &str) -> R<T> {
        let line = self.f().line as i32;
        Err(CompileError::NotSupported { node: what.to_string(), line })
    }
}
