//! What prism's lexer makes of a source, through its serialized form: that has the lexer's state, which the bindings do not show.

use std::ffi::{c_char, c_void};

// Links prism.
use ruby_prism_sys as _;

unsafe extern "C" {
    fn pm_buffer_new() -> *mut c_void;
    fn pm_buffer_free(buffer: *mut c_void);
    fn pm_buffer_value(buffer: *const c_void) -> *const u8;
    fn pm_buffer_length(buffer: *const c_void) -> usize;
    fn pm_serialize_lex(buffer: *mut c_void, source: *const u8, size: usize, options: *const c_char);
}

/// A token, in the order of parsing: the body of a heredoc stands behind its beginning.
#[derive(Debug)]
pub struct Token {
    /// prism's number of its type.
    pub kind: u32,
    /// Where it begins, in bytes.
    pub start: u32,
    /// How many bytes it has.
    pub length: u32,
    /// The lexer's state behind it.
    pub state: u32,
}

/// A syntax error.
#[derive(Debug)]
pub struct SyntaxError {
    /// What prism says.
    pub message: String,
    /// Where it begins, in bytes.
    pub start: u32,
    /// How many bytes it concerns.
    pub length: u32,
}

/// What came out.
#[derive(Debug, Default)]
pub struct Lexed {
    /// The tokens.
    pub tokens: Vec<Token>,
    /// The errors.
    pub errors: Vec<SyntaxError>,
    /// The encoding, which a magic comment may have changed.
    pub encoding: String,
}

/// The machine stack for parsing, which recurses over the source's nesting: prism ends at a depth of its own.
const STACK: usize = if cfg!(debug_assertions) { 640 << 20 } else { 256 << 20 };

/// Lexes on a machine stack of its own, since the caller may be on a fiber's.
///
/// # Errors
/// If there is no memory for the stack.
pub fn lex(source: &[u8], encoding: &[u8]) -> std::io::Result<Lexed> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new()
            .name("ripper".into())
            .stack_size(STACK)
            .spawn_scoped(scope, || lex_here(source, encoding))?;
        Ok(thread.join().unwrap_or_else(|payload| std::panic::resume_unwind(payload)))
    })
}

fn lex_here(source: &[u8], encoding: &[u8]) -> Lexed {
    let options = options(encoding);
    // SAFETY: the buffer is prism's own from `pm_buffer_new` until it is freed below; source and options outlive the call,
    // and the options have prism's layout. The value and length of the buffer are those of one memory that nobody
    // changes before it is freed.
    unsafe {
        let buffer = pm_buffer_new();
        assert!(!buffer.is_null(), "prism has no memory for a buffer");
        pm_serialize_lex(buffer, source.as_ptr(), source.len(), options.as_ptr().cast());
        let bytes = std::slice::from_raw_parts(pm_buffer_value(buffer), pm_buffer_length(buffer));
        let lexed = Reader { bytes }.lexed();
        pm_buffer_free(buffer);
        lexed
    }
}

/// prism's options in the layout of `pm_options_read`: no path, line 1, the encoding, eight flags, no scopes.
fn options(encoding: &[u8]) -> Vec<u8> {
    let mut options = Vec::with_capacity(32 + encoding.len());
    options.extend_from_slice(&0u32.to_ne_bytes());
    options.extend_from_slice(&1i32.to_ne_bytes());
    options.extend_from_slice(&(encoding.len() as u32).to_ne_bytes());
    options.extend_from_slice(encoding);
    options.extend_from_slice(&[0; 8]);
    options.extend_from_slice(&0u32.to_ne_bytes());
    options
}

/// Reads what `pm_serialize_lex` writes.
struct Reader<'a> {
    bytes: &'a [u8],
}

impl<'a> Reader<'a> {
    fn take(&mut self, n: usize) -> &'a [u8] {
        let (taken, rest) = self.bytes.split_at(n);
        self.bytes = rest;
        taken
    }

    /// A number of seven bits a byte, the least first.
    fn number(&mut self) -> u32 {
        let mut n = 0;
        for shift in (0..32).step_by(7) {
            let byte = self.take(1)[0];
            n |= u32::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                break;
            }
        }
        n
    }

    fn skip_numbers(&mut self, n: u32) {
        for _ in 0..n {
            self.number();
        }
    }

    fn text(&mut self) -> String {
        let n = self.number() as usize;
        String::from_utf8_lossy(self.take(n)).into_owned()
    }

    fn lexed(mut self) -> Lexed {
        let mut lexed = Lexed::default();
        loop {
            let kind = self.number();
            if kind == 0 {
                break;
            }
            let (start, length, state) = (self.number(), self.number(), self.number());
            lexed.tokens.push(Token { kind, start, length, state });
        }
        lexed.encoding = self.text();
        self.skip_numbers(1); // the line
        self.take(8); // the checksum
        let lines = self.number();
        self.skip_numbers(lines);
        for _ in 0..self.number() {
            self.take(1);
            self.skip_numbers(2); // a comment's place
        }
        for _ in 0..self.number() {
            self.skip_numbers(1);
            let n = self.number();
            self.skip_numbers(n); // comments of a node
        }
        let magic = self.number();
        self.skip_numbers(magic.saturating_mul(4));
        if self.take(1)[0] != 0 {
            self.skip_numbers(2); // where the data begin
        }
        for _ in 0..self.number() {
            self.skip_numbers(1);
            let message = self.text();
            let (start, length) = (self.number(), self.number());
            self.take(1);
            lexed.errors.push(SyntaxError { message, start, length });
        }
        lexed
    }
}
