//! `Pattern`: a source with its options, compiled for each encoding it meets; and the Regexp object that holds one.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use asterism_heap::{Marker, Stores};
use asterism_lock::Mutex;
use asterism_object::class::Class;
use asterism_object::data::{self, DataObject, Shared};
use asterism_object::space::WellKnown;
use asterism_object::string::CodeRange;
use asterism_object::{Sym, Value, string};
use asterism_regexp::{Bounds, Error, Flags, Warning};
use asterism_support::encoding::Encoding;
use asterism_vm::thread::check_interrupts;
use asterism_vm::{Ec, Exc, Keep, Place, Raised, Res};

use super::engine::Engine;
use super::shared;
use crate::string::util::outcall;

/// `Regexp::IGNORECASE`
pub const IGNORECASE: u32 = 1;
/// `Regexp::EXTENDED`
pub const EXTENDED: u32 = 2;
/// `Regexp::MULTILINE`
pub const MULTILINE: u32 = 4;
/// `Regexp::FIXEDENCODING`
pub const FIXEDENCODING: u32 = 16;
/// `Regexp::NOENCODING`
pub const NOENCODING: u32 = 32;

/// Patterns a VM remembers; with more it forgets all.
const REMEMBERED: usize = 1000;

/// Sources with more bytes are compiled as a blocking region.
const LONG_SOURCE: usize = 200;

/// Bytes that compiling one of those may take at first, at least.
const LEAST_ROOM: usize = 1 << 20;

/// A named group.
pub struct Name {
    /// Its name.
    pub name: Box<[u8]>,
    /// The same, as a Symbol.
    pub sym: Sym,
    /// The groups that have it, ascending.
    pub groups: Box<[usize]>,
}

/// A source with its options. Immutable but for the engines, each of which is made once.
pub struct Pattern {
    /// `Regexp#source`
    pub source: Arc<[u8]>,
    /// `Regexp#options`
    pub options: u32,
    /// `Regexp#encoding`
    pub encoding: Encoding,
    /// Groups, not counting the whole match.
    pub groups: usize,
    /// The named ones.
    pub names: Box<[Name]>,
    /// What `Regexp.linear_time?` answers.
    pub linear: bool,
    /// What is to be warned of when it is made.
    pub warnings: Box<[Warning]>,
    /// The source with its escapes resolved.
    resolved: Arc<[u8]>,
    /// The encoding of its bytes.
    resolved_encoding: Encoding,
    /// `main` is for all subjects in UTF-8 that are not broken.
    for_utf8: bool,
    /// For ASCII subjects.
    ascii: OnceLock<Box<Engine>>,
    /// For subjects in `encoding` (UTF-8, if the pattern is not bound to one).
    main: OnceLock<Box<Engine>>,
    /// For other encodings.
    others: OnceLock<Box<Other>>,
    /// Bytes that it takes with its first engine.
    size: usize,
}

/// An engine for an encoding out of the ordinary, and the next one: a list that only grows, so that no search locks it.
struct Other {
    encoding: Encoding,
    engine: Engine,
    next: OnceLock<Box<Other>>,
}

/// The encoding of a Regexp; `None` if `v` is none.
pub fn encoding_of(v: Value) -> Option<Encoding> {
    let found = data::get::<RegexpObject>(&v).and_then(|r| r.pattern.get().map(|p| p.encoding));
    asterism_heap::keep_alive(v.bits());
    found
}

/// A Regexp.
#[derive(Default)]
pub struct RegexpObject {
    pattern: OnceLock<Arc<Pattern>>,
    /// Bytes of the pattern that are counted as this object's.
    counted: AtomicUsize,
    /// `Regexp#timeout` in seconds as the bits of an `f64`; 0: none of its own.
    pub timeout: AtomicU64,
    /// Of a pattern without an encoding: that of the last text that was not ASCII, plus one.
    met: AtomicUsize,
}

impl RegexpObject {
    /// Its pattern, once it is initialised.
    pub fn pattern(&self) -> Option<&Arc<Pattern>> {
        self.pattern.get()
    }
}

impl DataObject for RegexpObject {
    const NAME: &'static str = "Regexp";
    const SHARED: Shared = Shared::Frozen;
    const STORES: Stores = Stores::None;

    fn trace(&self, _marker: &mut Marker<'_>) {}

    fn size(&self) -> usize {
        self.counted.load(Ordering::Relaxed)
    }
}

/// What a pattern is made of.
#[derive(Clone, PartialEq, Eq)]
pub struct Key {
    /// What tables find it by.
    pub hash: u64,
    /// Its source.
    pub source: Arc<[u8]>,
    /// Its options, as they were given.
    pub options: u32,
    /// The encoding of the source.
    pub encoding: u8,
}

impl Key {
    fn new(source: &[u8], options: u32, encoding: u8) -> Key {
        let mut hasher = DefaultHasher::new();
        (source, options, encoding).hash(&mut hasher);
        Key { hash: hasher.finish(), source: source.into(), options, encoding }
    }
}

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.hash);
    }
}

/// Tables of keys take the hash that each one has.
#[derive(Default)]
pub struct Hashed(u64);

impl Hasher for Hashed {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// What a VM remembers of regexps.
#[derive(Default)]
pub struct Regexps {
    patterns: Mutex<HashMap<Key, Arc<Pattern>, BuildHasherDefault<Hashed>>>,
    /// `Regexp.timeout`, likewise.
    pub timeout: AtomicU64,
}

impl Keep for Regexps {
    const PLACE: Place = Place::Regexps;
}

fn flags(options: u32) -> Flags {
    Flags {
        ignore_case: options & IGNORECASE != 0,
        extended: options & EXTENDED != 0,
        multiline: options & MULTILINE != 0,
    }
}

/// Why there is no pattern.
pub enum PatternError {
    /// RegexpError: the message, without the source.
    Syntax(String),
    /// NoMemoryError
    Memory,
    /// Something asks for the thread's attention: to be tried again.
    Ended,
    /// The encoding cannot be searched.
    Encoding(Encoding),
}

impl From<Error> for PatternError {
    fn from(error: Error) -> PatternError {
        match error {
            Error::Syntax(message) => PatternError::Syntax(message),
            Error::Memory => PatternError::Memory,
            Error::Ended => PatternError::Ended,
            Error::Encoding => PatternError::Encoding(Encoding::BINARY),
        }
    }
}

/// A source whose escapes have been resolved, and what that says of its pattern.
struct Resolved {
    bytes: Vec<u8>,
    /// The encoding of `bytes`.
    encoding: Encoding,
    /// `Regexp#encoding`
    actual: Encoding,
    /// `Regexp#options`
    options: u32,
}

impl Resolved {
    fn new(source: &[u8], options: u32, mut encoding: Encoding) -> Result<Resolved, PatternError> {
        if options & NOENCODING != 0 && encoding != Encoding::BINARY {
            if !source.is_ascii() {
                let message = "/.../n has a non escaped non ASCII character in non ASCII-8BIT script";
                return Err(PatternError::Syntax(message.into()));
            }
            encoding = Encoding::BINARY;
        }
        if encoding.is_dummy() {
            return Err(PatternError::Syntax("can't make regexp with dummy encoding".into()));
        }
        let mut options = options & (IGNORECASE | EXTENDED | MULTILINE | FIXEDENCODING | NOENCODING);
        let resolved = asterism_regexp::resolve(source, encoding, options & EXTENDED != 0)?;
        // What the source says, what the options say: they must agree.
        let mut actual = encoding;
        match resolved.fixed {
            Some(fixed) => {
                if options & FIXEDENCODING != 0 && fixed != encoding
                    || options & NOENCODING != 0 && fixed != Encoding::BINARY
                {
                    return Err(PatternError::Syntax("incompatible character encoding".into()));
                }
                actual = fixed;
                options |= FIXEDENCODING;
            }
            None if options & FIXEDENCODING == 0 => actual = Encoding::US_ASCII,
            None => {}
        }
        Ok(Resolved { bytes: resolved.bytes, encoding: resolved.fixed.unwrap_or(encoding), actual, options })
    }
}

impl Pattern {
    /// Compiles a source whose bytes are in `encoding`.
    ///
    /// # Errors
    /// `PatternError::Syntax` if it is wrong, `Encoding` for an encoding that cannot be searched, `Memory` and `Ended`
    /// by the bounds.
    pub fn new(
        source: &Arc<[u8]>,
        options: u32,
        encoding: Encoding,
        bounds: Bounds<'_>,
    ) -> Result<Pattern, PatternError> {
        let resolved = Resolved::new(source, options, encoding)?;
        let actual = resolved.actual;
        let source = source.clone();
        let same = *resolved.bytes == *source;
        let (options, fixed) = (resolved.options, resolved.options & FIXEDENCODING != 0);
        let mut pattern = Pattern {
            resolved: if same { source.clone() } else { resolved.bytes.into() },
            source,
            options,
            encoding: actual,
            groups: 0,
            names: Box::default(),
            linear: false,
            warnings: Box::default(),
            resolved_encoding: resolved.encoding,
            for_utf8: actual == Encoding::UTF_8 || actual == Encoding::US_ASCII && !fixed && options & NOENCODING == 0,
            ascii: OnceLock::new(),
            main: OnceLock::new(),
            others: OnceLock::new(),
            size: 0,
        };
        let ascii = actual == Encoding::US_ASCII;
        let engine = pattern.compile(actual, ascii, bounds)?;
        pattern.size = size_of::<Pattern>() + pattern.source.len() * 2 + engine.size();
        pattern.groups = engine.groups();
        pattern.linear = engine.is_linear();
        pattern.warnings = engine.warnings().iter().map(|w| pattern.warning(w)).collect();
        let mut names = Vec::new();
        for (name, groups) in engine.names() {
            let Some(sym) = asterism_symbol::try_intern(name, actual.index()) else {
                return Err(PatternError::Memory);
            };
            names.push(Name { name: name.as_slice().into(), sym, groups: groups.as_slice().into() });
        }
        pattern.names = names.into();
        let engine = Box::new(engine);
        let _ = if ascii { pattern.ascii.set(engine) } else { pattern.main.set(engine) };
        Ok(pattern)
    }

    fn warning(&self, warning: &Warning) -> Warning {
        Warning {
            message: warning_text(&warning.message, &self.resolved, self.resolved_encoding),
            verbose: warning.verbose,
        }
    }

    /// Reads a pattern without compiling it: what is to be warned of, even if it is wrong further on.
    ///
    /// # Errors
    /// `PatternError::Syntax` if it is wrong, `Encoding` for an encoding that cannot be searched, `Memory`.
    pub fn check(
        source: &[u8],
        options: u32,
        encoding: Encoding,
        warnings: &mut Vec<Warning>,
    ) -> Result<(), PatternError> {
        let resolved = Resolved::new(source, options, encoding)?;
        let (actual, flags) = (resolved.actual, flags(resolved.options));
        let ascii = actual == Encoding::US_ASCII;
        let (bytes, encoding) = (&resolved.bytes, resolved.encoding);
        let checked = asterism_regexp::Engine::check(bytes, encoding, flags, actual, ascii, warnings);
        for warning in warnings {
            warning.message = warning_text(&warning.message, bytes, encoding);
        }
        checked.map_err(PatternError::from)
    }

    fn compile(&self, target: Encoding, ascii: bool, bounds: Bounds<'_>) -> Result<Engine, PatternError> {
        let (source, flags) = (self.resolved.clone(), flags(self.options));
        let made = Engine::compile_within(source, self.resolved_encoding, flags, target, ascii, bounds);
        made.map_err(|e| match e {
            Error::Encoding => PatternError::Encoding(target),
            other => other.into(),
        })
    }

    /// The engine for a subject that fits any pattern it can be made for, if it has been made: one in ASCII, of an encoding
    /// that knows ASCII, or one in UTF-8.
    #[inline(always)]
    pub fn ready(&self, encoding: u8, range: CodeRange) -> Option<&Engine> {
        match range {
            CodeRange::SevenBit if encoding <= Encoding::US_ASCII.index() => self.ascii.get().map(|engine| &**engine),
            CodeRange::Valid if self.for_utf8 && encoding == Encoding::UTF_8.index() => {
                self.main.get().map(|engine| &**engine)
            }
            _ => None,
        }
    }

    /// The engine for a subject in `encoding`, that fits the pattern.
    ///
    /// # Errors
    /// `PatternError::Syntax` if the pattern makes no sense in that encoding, `Encoding` if that cannot be searched,
    /// `Memory`.
    #[inline]
    pub fn engine(&self, encoding: Encoding, seven_bit: bool) -> Result<&Engine, PatternError> {
        // A binary pattern with bytes beyond ASCII fits no other encoding but is not fixed.
        let bound = self.encoding != Encoding::US_ASCII;
        let (slot, target) = if seven_bit {
            (&self.ascii, self.encoding)
        } else if bound || encoding == Encoding::UTF_8 {
            (&self.main, if bound { self.encoding } else { Encoding::UTF_8 })
        } else {
            return self.other(encoding);
        };
        match slot.get() {
            Some(engine) => Ok(engine),
            None => {
                let engine = self.compile(target, seven_bit, Bounds::NONE)?;
                Ok(slot.get_or_init(|| Box::new(engine)))
            }
        }
    }

    fn other(&self, encoding: Encoding) -> Result<&Engine, PatternError> {
        let mut place = &self.others;
        let mut made = None;
        loop {
            match place.get() {
                Some(other) if other.encoding == encoding => return Ok(&other.engine),
                Some(other) => place = &other.next,
                None => {
                    let other = match made.take() {
                        Some(other) => other,
                        None => {
                            let engine = self.compile(encoding, false, Bounds::NONE)?;
                            Box::new(Other { encoding, engine, next: OnceLock::new() })
                        }
                    };
                    // Another thread may have been faster, with an engine for the same or another encoding.
                    made = place.set(other).err();
                }
            }
        }
    }

    /// `Regexp#fixed_encoding?`
    pub fn is_fixed(&self) -> bool {
        self.options & FIXEDENCODING != 0
    }

    /// The groups of a name.
    pub fn named(&self, name: &[u8]) -> Option<&[usize]> {
        self.names.iter().find(|n| &*n.name == name).map(|n| &*n.groups)
    }
}

/// Is it a Regexp (perhaps uninitialised)?
#[inline]
pub fn is_regexp(v: Value) -> bool {
    data::is::<RegexpObject>(v)
}

/// Notes that a pattern without an encoding meets text in this one; false if the last one that it met was too.
pub fn meets(v: Value, encoding: Encoding) -> bool {
    let now = usize::from(encoding.index()) + 1;
    data::get::<RegexpObject>(&v).is_none_or(|object| object.met.swap(now, Ordering::Relaxed) != now)
}

/// The Regexp's pattern.
///
/// # Errors
/// TypeError if it is uninitialised or no Regexp.
#[inline]
pub fn of<'a>(ec: &mut Ec, v: &'a Value) -> Res<&'a Arc<Pattern>> {
    match data::get::<RegexpObject>(v) {
        Some(object) => match object.pattern.get() {
            Some(pattern) => Ok(pattern),
            None => Err(ec.type_error("uninitialized Regexp")),
        },
        None => {
            let name = ec.describe_for_conversion(*v);
            Err(ec.type_error(format!("wrong argument type {name} (expected Regexp)")))
        }
    }
}

/// An uninitialised Regexp of `class`.
///
/// # Errors
/// NoMemoryError.
pub fn allocate(ec: &mut Ec, class: Class) -> Res {
    let made = data::new(ec, class.0, RegexpObject::default());
    ec.check(Value::NIL, made)
}

/// Initialises `object`; false if that has been done before.
pub fn set(ec: &Ec, object: Value, pattern: Arc<Pattern>) -> bool {
    // What the VM remembers, too, is counted with the first object that has it.
    let size = if Arc::strong_count(&pattern) <= 2 { pattern.size } else { 0 };
    data::get::<RegexpObject>(&object).is_some_and(|o| {
        let is_first = o.pattern.set(pattern).is_ok();
        if is_first {
            o.counted.store(size, Ordering::Relaxed);
            ec.account_malloc(size.cast_signed());
        }
        is_first
    })
}

/// Compiles a pattern that may take long: it can be interrupted, and what it takes is counted before.
fn compile_long(
    ec: &mut Ec,
    source: &Arc<[u8]>,
    options: u32,
    encoding: Encoding,
) -> Res<Result<Pattern, PatternError>> {
    let mut charge = ec.new_charge();
    // How much it takes only trying tells.
    let mut most = source.len().saturating_mul(64).max(LEAST_ROOM);
    let mut undisturbed = Duration::ZERO;
    loop {
        if charge.counts() {
            ec.recharge(&mut charge, most)?;
        } else {
            most = usize::MAX;
        }
        let begun = Instant::now();
        let state = ec.state().clone();
        let ended = || state.interrupts().pending() != 0 && begun.elapsed() >= undisturbed;
        let made = ec.computing(|| Pattern::new(source, options, encoding, Bounds { most, ended: &ended }));
        outcall(ec, check_interrupts)?;
        match made {
            // An interrupt that raises nothing lets it begin again; it may go on longer undisturbed each time.
            Err(PatternError::Ended) => undisturbed = (begun.elapsed() * 2).max(Duration::from_micros(500)),
            Err(PatternError::Memory) if charge.counts() => most = most.saturating_mul(2),
            made => return Ok(made),
        }
    }
}

/// The pattern for a source, out of what the VM remembers, or compiled.
///
/// # Errors
/// RegexpError, NoMemoryError.
pub fn get(ec: &mut Ec, source: Value, options: u32) -> Res<Arc<Pattern>> {
    if string::coderange(ec, source) == CodeRange::Broken && options & NOENCODING == 0 {
        return Err(syntax_error(ec, b"invalid multibyte character", source, options));
    }
    let bytes = string::read(ec, source);
    let vm = ec.vm_arc();
    let regexps = vm.part::<Regexps>();
    let key = Key::new(bytes.as_bytes(), options, bytes.encoding());
    if let Some(known) = regexps.patterns.lock().get(&key) {
        return Ok(known.clone());
    }
    let pattern = match shared::find(&key) {
        Some(pattern) => pattern,
        None => {
            let encoding = Encoding::from_index(usize::from(bytes.encoding())).unwrap_or(Encoding::BINARY);
            // Some patterns take long to compile; a collection need not wait for that.
            let made = if bytes.as_bytes().len() > LONG_SOURCE {
                compile_long(ec, &key.source, options, encoding)?
            } else {
                Pattern::new(&key.source, options, encoding, Bounds::NONE)
            };
            let pattern = match made {
                Ok(pattern) => Arc::new(pattern),
                Err(error) => {
                    let mut warnings = Vec::new();
                    let _ = Pattern::check(&bytes, options, encoding, &mut warnings);
                    show_warnings(ec, &warnings)?;
                    return Err(raise(ec, error, source, options));
                }
            };
            shared::remember(&key, &pattern);
            pattern
        }
    };
    let mut patterns = regexps.patterns.lock();
    if patterns.len() >= REMEMBERED {
        patterns.clear();
    }
    patterns.insert(key, pattern.clone());
    Ok(pattern)
}

/// A warning with its pattern, if that is short enough: CRuby has a buffer of 256 bytes for both.
fn warning_text(message: &str, resolved: &[u8], encoding: Encoding) -> String {
    if message.len() + resolved.len() * 4 + 4 >= 256 {
        return message.into();
    }
    if !encoding.is_ascii_compatible() {
        let shown: String = resolved.iter().map(|byte| format!("\\x{byte:02x}")).collect();
        return format!("{message}: /{shown}/");
    }
    let mut shown = String::new();
    let mut escaped = false;
    for c in String::from_utf8_lossy(resolved).chars() {
        match c {
            '/' if !escaped => shown.push_str("\\/"),
            '\0'..='\x1f' | '\x7f' if !escaped => shown.push_str(&format!("\\x{:02x}", c as u32)),
            c => shown.push(c),
        }
        escaped = c == '\\' && !escaped;
    }
    format!("{message}: /{shown}/")
}

/// Raises a pattern's error.
pub fn raise(ec: &mut Ec, error: PatternError, source: Value, options: u32) -> Raised {
    match error {
        PatternError::Syntax(message) => syntax_error(ec, message.as_bytes(), source, options),
        PatternError::Memory | PatternError::Ended => ec.no_memory(),
        PatternError::Encoding(encoding) => ec.not_implemented(format!("regexp in encoding {}", encoding.name())),
    }
}

/// Raises a RegexpError that shows the source it is about, in the source's encoding.
pub fn syntax_error(ec: &mut Ec, message: &[u8], source: Value, options: u32) -> Raised {
    let bytes = string::to_vec(ec, source);
    let index = string::encoding(source);
    let encoding = super::search::encoding_of(index);
    let text = super::show::described(message, &bytes, encoding, options, super::show::shown_in(ec));
    let class = ec.exc_class(Exc::RegexpError);
    match ec.str_enc(&text, index).and_then(|message| ec.new_exception_value(class, message)) {
        Ok(exception) => ec.raise_exception(exception),
        Err(raised) => raised,
    }
}

/// A new Regexp of class Regexp.
///
/// # Errors
/// RegexpError; NotImplementedError for an encoding that cannot be searched; NoMemoryError.
pub fn make(ec: &mut Ec, source: Value, options: u32) -> Res {
    let pattern = get(ec, source, options)?;
    let class = ec.known(WellKnown::Regexp);
    let regexp = allocate(ec, class)?;
    set(ec, regexp, pattern);
    ec.freeze(regexp)
}

/// As `make`, and warns of what the pattern is to be warned of.
///
/// # Errors
/// As [`make`]; what `Warning.warn` raises.
pub fn make_warning(ec: &mut Ec, source: Value, options: u32) -> Res {
    let regexp = make(ec, source, options)?;
    let pattern = of(ec, &regexp)?.clone();
    warn(ec, &pattern)?;
    Ok(regexp)
}

/// Warns of what a pattern is to be warned of.
///
/// # Errors
/// What `Warning.warn` raises; NoMemoryError.
pub fn warn(ec: &mut Ec, pattern: &Pattern) -> Res<()> {
    show_warnings(ec, &pattern.warnings)
}

fn show_warnings(ec: &mut Ec, warnings: &[Warning]) -> Res<()> {
    for warning in warnings {
        if !warning.verbose || ec.vm().verbose.load(Ordering::Relaxed) == 2 {
            asterism_vm::load::warn(ec, &warning.message)?;
        }
    }
    Ok(())
}

/// The time a search with `regexp` may take.
pub fn time_limit(ec: &Ec, regexp: Value) -> Option<std::time::Duration> {
    let own = data::get::<RegexpObject>(&regexp).map_or(0, |o| o.timeout.load(Ordering::Relaxed));
    let bits = if own != 0 { own } else { ec.vm().part::<Regexps>().timeout.load(Ordering::Relaxed) };
    if bits == 0 { None } else { std::time::Duration::try_from_secs_f64(f64::from_bits(bits)).ok() }
}
