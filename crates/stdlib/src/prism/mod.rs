//! prism's native part: the parser that this runtime has anyway, and its serialized form of a source, of which Ruby
//! (`reader.rb`) makes the objects of the installed library, whatever version of it there is.

use std::ffi::{CString, c_char, c_void};

use asterism_object::{Value, string};
use asterism_vm::native::PrimFn;
use asterism_vm::{Ec, Exc, Res};

// Links prism.
use ruby_prism_sys as sys;

type Serialize = unsafe extern "C" fn(*mut c_void, *const u8, usize, *const c_char);

unsafe extern "C" {
    fn pm_buffer_new() -> *mut c_void;
    fn pm_buffer_free(buffer: *mut c_void);
    fn pm_buffer_value(buffer: *const c_void) -> *const u8;
    fn pm_buffer_length(buffer: *const c_void) -> usize;
    fn pm_serialize_lex(buffer: *mut c_void, source: *const u8, size: usize, options: *const c_char);
    fn pm_serialize_parse(buffer: *mut c_void, source: *const u8, size: usize, options: *const c_char);
    fn pm_serialize_parse_comments(buffer: *mut c_void, source: *const u8, size: usize, options: *const c_char);
    fn pm_serialize_parse_lex(buffer: *mut c_void, source: *const u8, size: usize, options: *const c_char);
    fn pm_serialize_parse_success_p(source: *const u8, size: usize, options: *const c_char) -> bool;
}

/// The Ruby part.
pub static SOURCES: &[(&str, &str)] = &[
    ("<internal:prism>", include_str!("prism.rb")),
    ("<internal:prism/options>", include_str!("options.rb")),
    ("<internal:prism/reader>", include_str!("reader.rb")),
    ("<internal:prism/nodes>", include_str!("nodes.rb")),
    ("<internal:prism/names>", include_str!("names.rb")),
];

static PRIMITIVES: &[(&str, PrimFn)] = &[
    ("prism_comments", |ec, args| form(ec, args, pm_serialize_parse_comments)),
    ("prism_lex", |ec, args| form(ec, args, pm_serialize_lex)),
    ("prism_parse", |ec, args| form(ec, args, pm_serialize_parse)),
    ("prism_parse_lex", |ec, args| form(ec, args, pm_serialize_parse_lex)),
    ("prism_query", query),
    ("prism_success", success),
];

/// Registers the primitives.
///
/// # Errors
/// None: the signature is that of what loads a feature.
pub fn init(ec: &mut Ec) -> Res<()> {
    ec.vm().add_primitives(PRIMITIVES);
    Ok(())
}

/// So much memory is taken for a byte of the source: the tree, its serialized form and what is made of that.
const MEMORY_PER_BYTE: usize = 256;

/// The machine stack for parsing, which recurses over the source's nesting: prism ends at a depth of its own.
const STACK: usize = if cfg!(debug_assertions) { 640 << 20 } else { 256 << 20 };

/// Does `work` on a machine stack of its own, since the caller may be on a fiber's.
///
/// # Errors
/// The `std::io::Error` of starting a thread: EAGAIN, ENOMEM.
pub fn apart<T: Send>(work: impl FnOnce() -> T + Send) -> std::io::Result<T> {
    let starting = asterism_lock::gate::starting();
    std::thread::scope(|scope| {
        let thread =
            std::thread::Builder::new().name("prism".into()).stack_size(STACK).spawn_scoped(scope, move || {
                let _running = starting.begin();
                work()
            })?;
        Ok(thread.join().unwrap_or_else(|payload| std::panic::resume_unwind(payload)))
    })
}

/// The tokens of a source in prism's serialized form.
///
/// # Safety
/// The options have the layout that `pm_options_read` reads.
pub unsafe fn serialized_tokens<T>(source: &[u8], options: &[u8], read: impl FnOnce(&[u8]) -> T) -> T {
    // SAFETY: the caller's promise.
    unsafe { serialized(pm_serialize_lex, source, options, read) }
}

/// # Safety
/// The options have the layout that `pm_options_read` reads, and `function` is one of prism's.
unsafe fn serialized<T>(function: Serialize, source: &[u8], options: &[u8], read: impl FnOnce(&[u8]) -> T) -> T {
    // SAFETY: the buffer is prism's own from `pm_buffer_new` until it is freed below; source and options outlive the call,
    // and the options have prism's layout. The value and length of the buffer are those of one memory that nobody
    // changes before it is freed.
    unsafe {
        let buffer = pm_buffer_new();
        assert!(!buffer.is_null(), "prism has no memory for a buffer");
        function(buffer, source.as_ptr(), source.len(), options.as_ptr().cast());
        let result = read(std::slice::from_raw_parts(pm_buffer_value(buffer), pm_buffer_length(buffer)));
        pm_buffer_free(buffer);
        result
    }
}

/// The source and the options, both copies; room for what comes of them is to be charged.
fn given(ec: &mut Ec, args: &[Value]) -> Res<(Vec<u8>, Vec<u8>)> {
    let &[source, options] = args else {
        return Err(ec.fatal("an argument is missing"));
    };
    let source = string::read(ec, source).as_bytes().to_vec();
    if u32::try_from(source.len()).is_err() {
        return Err(ec.raise(Exc::ArgumentError, "source is too long"));
    }
    Ok((source, string::read(ec, options).as_bytes().to_vec()))
}

fn done<T>(ec: &mut Ec, result: std::io::Result<T>) -> Res<T> {
    result.map_err(|e| ec.raise(Exc::NoMemoryError, format!("no memory to parse: {e}")))
}

/// `Primitive.prism_parse(source, options)` and others: the serialized form, in binary.
fn form(ec: &mut Ec, args: &[Value], function: Serialize) -> Res {
    let (source, options) = given(ec, args)?;
    let _charge = ec.charge(source.len().saturating_mul(MEMORY_PER_BYTE))?;
    // SAFETY: `function` is one of prism's, and `options.rb` lays out the options.
    let bytes = ec.blocking(|| apart(|| unsafe { serialized(function, &source, &options, <[u8]>::to_vec) }));
    let bytes = done(ec, bytes)?;
    ec.str_enc(&bytes, asterism_symbol::BINARY)
}

/// `Primitive.prism_success(source, options)`: is the source without errors?
fn success(ec: &mut Ec, args: &[Value]) -> Res {
    let (source, options) = given(ec, args)?;
    let _charge = ec.charge(source.len().saturating_mul(MEMORY_PER_BYTE))?;
    let parsed = ec.blocking(|| {
        // SAFETY: source and options outlive the call, and `options.rb` lays out the options.
        apart(|| unsafe { pm_serialize_parse_success_p(source.as_ptr(), source.len(), options.as_ptr().cast()) })
    });
    Ok(Value::bool(done(ec, parsed)?))
}

/// `Primitive.prism_query(kind, text, encoding_name)`: could the text be a name of this kind? Nil for an encoding that is
/// unknown or not like ASCII.
fn query(ec: &mut Ec, args: &[Value]) -> Res {
    let &[kind, text, encoding] = args else {
        return Err(ec.fatal("an argument is missing"));
    };
    let text = string::read(ec, text).as_bytes().to_vec();
    let encoding = string::read(ec, encoding).as_bytes().to_vec();
    let Ok(encoding) = CString::new(encoding) else { return Ok(Value::NIL) };
    let function = match kind.as_fixnum() {
        0 => sys::pm_string_query_local,
        1 => sys::pm_string_query_constant,
        _ => sys::pm_string_query_method_name,
    };
    // SAFETY: text and name outlive the call, and the name ends with a NUL.
    let answer = unsafe { function(text.as_ptr(), text.len(), encoding.as_ptr()) };
    Ok(match answer {
        ..0 => Value::NIL,
        answer => Value::bool(answer > 0),
    })
}
