//! Encodings: `rb_encoding` and what asks about bytes in one.

use std::ffi::{CString, c_char, c_int, c_long, c_uint};
use std::sync::OnceLock;

use asterism_core::encoding as encodings;
use asterism_object::Value;
use asterism_object::string::{self, CodeRange};
use asterism_object::types::Type;
use asterism_support::Encoding;
use asterism_support::encoding::chars::{self, CharLen};
use asterism_support::encoding::scan;
use asterism_vm::{Ec, Exc, Res};

use crate::call::named;
use crate::lock::in_ruby;
use crate::types::{Id, In, Out, Text};

/// `OnigEncodingType`: what the header's macros look at.
#[repr(C)]
pub struct EncodingStruct {
    index: c_int,
    min_len: c_int,
    max_len: c_int,
    flags: c_int,
    name: *const c_char,
}

// SAFETY: never changes.
unsafe impl Send for EncodingStruct {}
// SAFETY: as above.
unsafe impl Sync for EncodingStruct {}

/// `rb_encoding *`
pub type Enc = In<EncodingStruct>;

/// The structs of all encodings, by number.
static STRUCTS: OnceLock<Vec<EncodingStruct>> = OnceLock::new();

/// The same, made if they are not there yet.
fn structs() -> &'static [EncodingStruct] {
    asterism_lock::once::get_or_init::<Vec<_>>(&STRUCTS, || {
        let make = |e: Encoding| EncodingStruct {
            index: c_int::from(e.index()),
            min_len: e.min_len() as c_int,
            max_len: e.max_len() as c_int,
            flags: c_int::from(e.is_unicode())
                | c_int::from(e.is_ascii_compatible()) << 1
                | c_int::from(e.is_dummy()) << 2,
            name: CString::new(e.name()).unwrap_or_default().into_raw(),
        };
        Encoding::all().map(make).collect()
    })
}

/// The encoding's struct.
pub fn to_c(e: Encoding) -> Enc {
    In(&raw const structs()[usize::from(e.index())])
}

/// The struct of the encoding with that number, for functions that need no `Ec`: nothing is locked when they are there already.
fn known(index: c_int) -> Enc {
    let Some(all) = STRUCTS.get() else {
        // SAFETY: called by a function in C.
        return unsafe { crate::entry::enter(move |_| Ok(of_number(index).map_or(In(std::ptr::null()), to_c))) };
    };
    In(usize::try_from(index & 0xff_ffff).ok().and_then(|i| all.get(i)).map_or(std::ptr::null(), std::ptr::from_ref))
}

/// The encoding of a number, or null.
///
/// # Safety
/// Called by a function in C.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rb_enc_from_index(index: c_int) -> Enc {
    known(index)
}

/// UTF-8.
///
/// # Safety
/// Called by a function in C.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rb_utf8_encoding() -> Enc {
    known(c_int::from(asterism_symbol::UTF_8))
}

/// Binary.
///
/// # Safety
/// Called by a function in C.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rb_ascii8bit_encoding() -> Enc {
    known(c_int::from(asterism_symbol::BINARY))
}

/// US-ASCII.
///
/// # Safety
/// Called by a function in C.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rb_usascii_encoding() -> Enc {
    known(c_int::from(asterism_symbol::US_ASCII))
}

/// The encoding; `None` of a null pointer.
pub fn of(enc: Enc) -> Option<Encoding> {
    if enc.is_null() { None } else { Encoding::from_index(enc.get().index as usize) }
}

/// The encoding's number; binary for a null pointer.
pub fn index_of(enc: Enc) -> u8 {
    of(enc).unwrap_or(Encoding::BINARY).index()
}

fn of_number(index: c_int) -> Option<Encoding> {
    usize::try_from(index & 0xff_ffff).ok().and_then(Encoding::from_index)
}

fn find(ec: &Ec, name: &[u8]) -> Option<Encoding> {
    encodings::find_name(ec, name)
}

/// The encoding of a String, Symbol, Regexp, Encoding or IO.
fn encoding_of(ec: &mut Ec, v: Value) -> Res<Option<Encoding>> {
    if v.is_type(Type::String) {
        return Ok(Encoding::from_index(usize::from(string::encoding(v))));
    }
    if let Some(sym) = v.as_sym() {
        return Ok(Encoding::from_index(usize::from(sym.name().encoding)));
    }
    if let Some(e) = encodings::of_object(v) {
        return Ok(Some(e));
    }
    if asterism_core::regexp::hooks::is_regexp(ec, v) {
        let e = named(ec, v, "encoding", &[])?;
        return Ok(encodings::of_object(e));
    }
    if ec.is_kind_of(v, ec.class(asterism_object::space::WellKnown::IO)) {
        let e = named(ec, v, "external_encoding", &[])?;
        return Ok(encodings::of_object(e));
    }
    Ok(None)
}

fn set(ec: &mut Ec, v: Value, to: Option<Encoding>) -> Res {
    let Some(to) = to else {
        return Err(ec.raise(Exc::IndexError, "encoding index out of bound"));
    };
    if v.is_type(Type::String) {
        ec.check_frozen(v)?;
        let done = string::force_encoding(ec, v, to.index());
        ec.check(v, done)?;
        return Ok(v);
    }
    ec.check_frozen(v)?;
    if encoding_of(ec, v)?.is_none() {
        return Err(ec.arg_error("cannot set encoding on non-encoding capable object"));
    }
    Ok(v)
}

/// `rb_str_encode`: the options are flags and a Hash of replacements.
///
/// # Errors
/// What a Ruby-level `encode` raises; of String's, Encoding::UndefinedConversionError,
/// Encoding::InvalidByteSequenceError, Encoding::ConverterNotFoundError; NoMemoryError.
pub fn encode(ec: &mut Ec, v: Value, to: Value, flags: c_int, options: Value) -> Res {
    let hash = ec.new_hash()?;
    let put =
        |ec: &mut Ec, name: &str, value: Value| ec.hash_set(hash, Value::sym(asterism_symbol::intern(name)), value);
    let replace = Value::sym(asterism_symbol::intern("replace"));
    if flags & 0x0f == 0x02 {
        put(ec, "invalid", replace)?;
    }
    if flags & 0xf0 == 0x20 {
        put(ec, "undef", replace)?;
    }
    if flags & 0x100 != 0 {
        put(ec, "universal_newline", Value::TRUE)?;
    }
    if flags & 0x1000 != 0 {
        put(ec, "crlf_newline", Value::TRUE)?;
    }
    if flags & 0x4000 != 0 {
        put(ec, "xml", Value::sym(asterism_symbol::intern("text")))?;
    }
    if options.is_type(Type::Hash) {
        named(ec, hash, "update", &[options])?;
    }
    let call = asterism_vm::args::CallArgs {
        argv: &[to],
        keywords: asterism_vm::args::Keywords::Hash(hash),
        block: asterism_vm::Block::NONE,
    };
    let name = asterism_symbol::intern_static("encode");
    in_ruby(ec, |ec| ec.call_with(v, name, &call, asterism_vm::call::CallKind::Private))
}

fn between<'a>(from: In<u8>, to: In<u8>) -> &'a [u8] {
    from.slice((to.0 as i64).wrapping_sub(from.0 as i64))
}

/// What `rb_enc_precise_mbclen` says of the first character.
fn precise(enc: Enc, bytes: &[u8]) -> c_int {
    if bytes.is_empty() {
        return -2;
    }
    match chars::char_len(of(enc).unwrap_or(Encoding::BINARY), bytes) {
        CharLen::Valid(n) => n as c_int,
        CharLen::Invalid => -1,
        CharLen::NeedMore(n) => -1 - n.max(1) as c_int,
    }
}

fn length(enc: Enc, bytes: &[u8]) -> c_int {
    let e = of(enc).unwrap_or(Encoding::BINARY);
    match precise(enc, bytes) {
        n if n > 0 => n,
        _ => (e.min_len().min(bytes.len())).max(1) as c_int,
    }
}

fn code_point(ec: &mut Ec, bytes: &[u8], enc: Enc) -> Res<(u32, usize)> {
    let e = of(enc).unwrap_or(Encoding::BINARY);
    if bytes.is_empty() {
        return Err(ec.arg_error("empty string"));
    }
    match chars::code_point(e, bytes) {
        Some(found) => Ok(found),
        None => Err(ec.arg_error(format!("invalid byte sequence in {}", e.name()))),
    }
}

fn compatible(ec: &mut Ec, a: Value, b: Value) -> Res<Option<Encoding>> {
    if a.is_type(Type::String) && b.is_type(Type::String) {
        return Ok(asterism_core::string::util::compatible(ec, a, b));
    }
    let class = ec.class(asterism_object::space::WellKnown::Encoding);
    let e = named(ec, class, "compatible?", &[a, b])?;
    Ok(encodings::of_object(e))
}

fn to_encoding(ec: &mut Ec, v: Value) -> Res<Encoding> {
    encodings::from_value(ec, v)
}

api! {
    fn rb_enc_to_index(_ec, enc: Enc) -> c_int {
        Ok(if enc.is_null() { 0 } else { enc.get().index })
    }

    fn rb_enc_find(ec, name: Text) -> Enc {
        Ok(find(ec, name.bytes()).map_or(In(std::ptr::null()), to_c))
    }

    fn rb_enc_find_index(ec, name: Text) -> c_int {
        Ok(find(ec, name.bytes()).map_or(-1, |e| c_int::from(e.index())))
    }

    fn rb_utf8_encindex(_ec) -> c_int {
        Ok(c_int::from(asterism_symbol::UTF_8))
    }

    fn rb_ascii8bit_encindex(_ec) -> c_int {
        Ok(c_int::from(asterism_symbol::BINARY))
    }

    fn rb_usascii_encindex(_ec) -> c_int {
        Ok(c_int::from(asterism_symbol::US_ASCII))
    }

    fn rb_locale_encoding(ec) -> Enc {
        Ok(to_c(find(ec, b"locale").unwrap_or(Encoding::UTF_8)))
    }

    fn rb_locale_encindex(ec) -> c_int {
        Ok(c_int::from(find(ec, b"locale").unwrap_or(Encoding::UTF_8).index()))
    }

    fn rb_filesystem_encoding(ec) -> Enc {
        Ok(to_c(find(ec, b"filesystem").unwrap_or(Encoding::UTF_8)))
    }

    fn rb_filesystem_encindex(ec) -> c_int {
        Ok(c_int::from(find(ec, b"filesystem").unwrap_or(Encoding::UTF_8).index()))
    }

    fn rb_default_external_encoding(ec) -> Enc {
        Ok(to_c(encodings::external(ec)))
    }

    fn rb_default_internal_encoding(ec) -> Enc {
        Ok(encodings::internal(ec).map_or(In(std::ptr::null()), to_c))
    }

    fn rb_enc_default_external(ec) -> Value {
        let e = encodings::external(ec);
        Ok(encodings::object(ec, e))
    }

    fn rb_enc_default_internal(ec) -> Value {
        Ok(encodings::internal(ec).map_or(Value::NIL, |e| encodings::object(ec, e)))
    }

    fn rb_enc_set_default_external(ec, v: Value) {
        let class = ec.class(asterism_object::space::WellKnown::Encoding);
        named(ec, class, "default_external=", &[v])?;
        Ok(())
    }

    fn rb_enc_set_default_internal(ec, v: Value) {
        let class = ec.class(asterism_object::space::WellKnown::Encoding);
        named(ec, class, "default_internal=", &[v])?;
        Ok(())
    }

    fn rb_enc_from_encoding(ec, enc: Enc) -> Value {
        Ok(of(enc).map_or(Value::NIL, |e| encodings::object(ec, e)))
    }

    fn rb_to_encoding(ec, v: Value) -> Enc {
        Ok(to_c(to_encoding(ec, v)?))
    }

    /// As `rb_to_encoding`, null where the name is of none.
    fn rb_find_encoding(ec, v: Value) -> Enc {
        if let Some(e) = encodings::of_object(v) {
            return Ok(to_c(e));
        }
        let name = in_ruby(ec, |ec| ec.to_str(v))?;
        let name = string::read(ec, name);
        Ok(find(ec, &name).map_or(In(std::ptr::null()), to_c))
    }

    fn rb_to_encoding_index(ec, v: Value) -> c_int {
        if let Some(e) = encodings::of_object(v) {
            return Ok(c_int::from(e.index()));
        }
        let name = ec.to_str(v)?;
        let name = string::read(ec, name);
        Ok(find(ec, &name).map_or(-1, |e| c_int::from(e.index())))
    }

    fn rb_enc_get(ec, v: Value) -> Enc {
        Ok(encoding_of(ec, v)?.map_or(In(std::ptr::null()), to_c))
    }

    fn rb_enc_get_index(ec, v: Value) -> c_int {
        Ok(encoding_of(ec, v)?.map_or(-1, |e| c_int::from(e.index())))
    }

    fn rb_enc_set_index(ec, v: Value, index: c_int) {
        set(ec, v, of_number(index))?;
        Ok(())
    }

    fn rb_enc_associate(ec, v: Value, enc: Enc) -> Value {
        set(ec, v, of(enc))
    }

    fn rb_enc_associate_index(ec, v: Value, index: c_int) -> Value {
        set(ec, v, of_number(index))
    }

    fn rb_enc_capable(ec, v: Value) -> c_int {
        Ok(c_int::from(encoding_of(ec, v)?.is_some()))
    }

    fn rb_enc_copy(ec, to: Value, from: Value) {
        let e = encoding_of(ec, from)?;
        set(ec, to, e)?;
        Ok(())
    }

    fn rb_obj_encoding(ec, v: Value) -> Value {
        Ok(encoding_of(ec, v)?.map_or(Value::NIL, |e| encodings::object(ec, e)))
    }

    fn rb_enc_compatible(ec, a: Value, b: Value) -> Enc {
        Ok(compatible(ec, a, b)?.map_or(In(std::ptr::null()), to_c))
    }

    fn rb_enc_check(ec, a: Value, b: Value) -> Enc {
        match compatible(ec, a, b)? {
            Some(e) => Ok(to_c(e)),
            None => {
                let a = encoding_of(ec, a)?.unwrap_or(Encoding::BINARY);
                let b = encoding_of(ec, b)?.unwrap_or(Encoding::BINARY);
                Err(asterism_core::string::util::incompatible(ec, a, b))
            }
        }
    }

    fn rb_enc_dummy_p(_ec, enc: Enc) -> c_int {
        Ok(c_int::from(of(enc).is_some_and(Encoding::is_dummy)))
    }

    fn rb_enc_mbclen(_ec, from: In<u8>, to: In<u8>, enc: Enc) -> c_int {
        Ok(length(enc, between(from, to)))
    }

    fn rb_enc_fast_mbclen(_ec, from: In<u8>, to: In<u8>, enc: Enc) -> c_int {
        Ok(length(enc, between(from, to)))
    }

    fn rb_enc_precise_mbclen(_ec, from: In<u8>, to: In<u8>, enc: Enc) -> c_int {
        Ok(precise(enc, between(from, to)))
    }

    fn rb_enc_ascget(_ec, from: In<u8>, to: In<u8>, len: Out<c_int>, enc: Enc) -> c_int {
        let bytes = between(from, to);
        match chars::code_point(of(enc).unwrap_or(Encoding::BINARY), bytes) {
            Some((code, n)) if code < 128 => {
                len.set(n as c_int);
                Ok(code as c_int)
            }
            _ => Ok(-1),
        }
    }

    fn rb_enc_codepoint_len(ec, from: In<u8>, to: In<u8>, len: Out<c_int>, enc: Enc) -> c_uint {
        let (code, n) = code_point(ec, between(from, to), enc)?;
        len.set(n as c_int);
        Ok(code)
    }

    fn rb_enc_codepoint(ec, from: In<u8>, to: In<u8>, enc: Enc) -> c_uint {
        Ok(code_point(ec, between(from, to), enc)?.0)
    }

    fn rb_enc_mbc_to_codepoint(_ec, from: In<u8>, to: In<u8>, enc: Enc) -> c_uint {
        Ok(chars::code_point(of(enc).unwrap_or(Encoding::BINARY), between(from, to)).map_or(0, |(code, _)| code))
    }

    fn rb_enc_codelen(ec, code: c_int, enc: Enc) -> c_int {
        let mut out = Vec::new();
        let e = of(enc).unwrap_or(Encoding::BINARY);
        match chars::push_code_point(e, code as u32, &mut out) {
            Ok(()) => Ok(out.len() as c_int),
            Err(_) => Err(ec.arg_error(format!("invalid codepoint 0x{code:x} in {}", e.name()))),
        }
    }

    fn rb_enc_code_to_mbclen(_ec, code: c_int, enc: Enc) -> c_int {
        let mut out = Vec::new();
        let e = of(enc).unwrap_or(Encoding::BINARY);
        Ok(chars::push_code_point(e, code as u32, &mut out).map_or(-400, |()| out.len() as c_int))
    }

    fn rb_enc_mbcput(_ec, code: c_uint, to: Out<u8>, enc: Enc) -> c_int {
        let mut out = Vec::new();
        let e = of(enc).unwrap_or(Encoding::BINARY);
        if chars::push_code_point(e, code, &mut out).is_err() {
            return Ok(-400);
        }
        for (i, b) in out.iter().enumerate() {
            to.set_at(i, *b);
        }
        Ok(out.len() as c_int)
    }

    fn rb_enc_uint_chr(ec, code: c_uint, enc: Enc) -> Value {
        let mut out = Vec::new();
        let e = of(enc).unwrap_or(Encoding::BINARY);
        match chars::push_code_point(e, code, &mut out) {
            Ok(()) => crate::string::new(ec, &out, e.index()),
            Err(_) => Err(ec.range_error(format!("{code} out of char range"))),
        }
    }

    fn rb_enc_left_char_head(_ec, from: In<u8>, at: In<u8>, to: In<u8>, enc: Enc) -> In<u8> {
        let at = at.0 as usize - from.0 as usize;
        let start = scan::char_start(of(enc).unwrap_or(Encoding::BINARY), between(from, to), at);
        Ok(In(from.0.wrapping_add(start)))
    }

    fn rb_enc_right_char_head(_ec, from: In<u8>, at: In<u8>, to: In<u8>, enc: Enc) -> In<u8> {
        let (e, bytes, at) = (of(enc).unwrap_or(Encoding::BINARY), between(from, to), at.0 as usize - from.0 as usize);
        let start = scan::char_start(e, bytes, at);
        let head = if start < at { start + length(enc, &bytes[start..]) as usize } else { start };
        Ok(In(from.0.wrapping_add(head)))
    }

    fn rb_enc_prev_char(_ec, from: In<u8>, at: In<u8>, to: In<u8>, enc: Enc) -> In<u8> {
        if at.0 <= from.0 {
            return Ok(In(std::ptr::null()));
        }
        let at = at.0 as usize - from.0 as usize - 1;
        let start = scan::char_start(of(enc).unwrap_or(Encoding::BINARY), between(from, to), at);
        Ok(In(from.0.wrapping_add(start)))
    }

    fn rb_enc_strlen(_ec, from: In<u8>, to: In<u8>, enc: Enc) -> c_long {
        Ok(scan::char_count(of(enc).unwrap_or(Encoding::BINARY), between(from, to), None) as c_long)
    }

    fn rb_enc_nth(_ec, from: In<u8>, to: In<u8>, n: c_long, enc: Enc) -> In<u8> {
        let bytes = between(from, to);
        let at = scan::char_offset(of(enc).unwrap_or(Encoding::BINARY), bytes, n.max(0) as usize, None).unwrap_or(bytes.len());
        Ok(In(from.0.wrapping_add(at)))
    }

    fn rb_enc_str_coderange(ec, v: Value) -> c_int {
        crate::demand::a_string(ec, v)?;
        Ok(match string::coderange(ec, v) {
            CodeRange::Unknown => 0,
            CodeRange::SevenBit => 1 << 20,
            CodeRange::Valid => 2 << 20,
            CodeRange::Broken => 3 << 20,
        })
    }

    /// What is known of the characters, without looking at them.
    fn rb_asterism_known_coderange(_ec, v: Value) -> c_int {
        Ok((string::known_coderange(v) as c_int) << 20)
    }

    fn rb_asterism_coderange_clear(ec, v: Value) {
        string::set_coderange(ec, v, CodeRange::Unknown);
        Ok(())
    }

    fn rb_asterism_coderange_set(ec, v: Value, range: c_int) {
        let range = match range >> 20 & 3 {
            1 => CodeRange::SevenBit,
            2 => CodeRange::Valid,
            3 => CodeRange::Broken,
            _ => CodeRange::Unknown,
        };
        string::set_coderange(ec, v, range);
        Ok(())
    }

    fn rb_enc_str_asciionly_p(ec, v: Value) -> c_int {
        crate::demand::a_string(ec, v)?;
        Ok(c_int::from(string::is_ascii_only(ec, v)))
    }

    fn rb_enc_unicode_p(_ec, enc: Enc) -> c_int {
        Ok(c_int::from(of(enc).is_some_and(Encoding::is_unicode)))
    }

    fn rb_enc_symname2_p(_ec, name: In<u8>, len: c_long, _enc: Enc) -> c_int {
        Ok(c_int::from(asterism_core::symbol::names::is_identifier(name.slice(len))))
    }

    fn rb_enc_symname_p(_ec, name: Text, _enc: Enc) -> c_int {
        Ok(c_int::from(asterism_core::symbol::names::is_identifier(name.bytes())))
    }

    fn rb_enc_toupper(_ec, c: c_int, _enc: Enc) -> c_int {
        Ok(u8::try_from(c).map_or(c, |b| c_int::from(b.to_ascii_uppercase())))
    }

    fn rb_enc_tolower(_ec, c: c_int, _enc: Enc) -> c_int {
        Ok(u8::try_from(c).map_or(c, |b| c_int::from(b.to_ascii_lowercase())))
    }

    /// Is the character of the class of that number (Onigmo's)?
    fn rb_asterism_enc_isctype(ec, code: c_uint, class: c_int, enc: Enc) -> c_int {
        let name = match class {
            0 => return Ok(c_int::from(code == 10)),
            1 => "alpha",
            2 => "blank",
            3 => "cntrl",
            4 => "digit",
            5 => "graph",
            6 => "lower",
            7 => "print",
            8 => "punct",
            9 => "space",
            10 => "upper",
            11 => "xdigit",
            12 => "word",
            13 => "alnum",
            _ => return Ok(c_int::from(code < 128)),
        };
        let e = of(enc).unwrap_or(Encoding::BINARY);
        let mut out = Vec::new();
        if chars::push_code_point(e, code, &mut out).is_err() {
            return Ok(0);
        }
        let c = crate::string::new(ec, &out, e.index())?;
        let source = ec.str(format!("[[:{name}:]]"))?;
        let regexp = (ec.vm().hooks.new_regexp)(ec, source, 0)?;
        Ok(c_int::from(named(ec, regexp, "match?", &[c])?.truthy()))
    }

    fn rb_enc_reg_new(ec, source: In<u8>, len: c_long, enc: Enc, options: c_int) -> Value {
        let source = crate::string::new(ec, source.slice(len), index_of(enc))?;
        (ec.vm().hooks.new_regexp)(ec, source, options as u32)
    }

    fn rb_intern3(_ec, name: In<u8>, len: c_long, enc: Enc) -> Id {
        let bytes = name.slice(len);
        let sym = asterism_symbol::try_intern(bytes, if bytes.is_ascii() { asterism_symbol::US_ASCII } else { index_of(enc) });
        Ok(sym.map_or(Id::NONE, Id::of))
    }

    fn rb_check_id_cstr(_ec, name: In<u8>, len: c_long, enc: Enc) -> Id {
        let bytes = name.slice(len);
        Ok(lookup(bytes, index_of(enc)).map_or(Id::NONE, Id::of))
    }

    fn rb_check_symbol_cstr(_ec, name: In<u8>, len: c_long, enc: Enc) -> Value {
        let bytes = name.slice(len);
        Ok(lookup(bytes, index_of(enc)).map_or(Value::NIL, Value::sym))
    }

    fn rb_econv_has_convpath_p(ec, from: Text, to: Text) -> c_int {
        let (from, to) = (find(ec, from.bytes()), find(ec, to.bytes()));
        let (Some(from), Some(to)) = (from, to) else { return Ok(0) };
        let none = asterism_support::encoding::convert::Decorators::default();
        Ok(c_int::from(asterism_support::encoding::convert::Converter::new(from, to, none).is_some()))
    }

    fn rb_econv_str_convert_to(ec, v: Value, to: Value, flags: c_int) -> Value {
        encode(ec, v, to, flags, Value::NIL)
    }
}

fn lookup(bytes: &[u8], encoding: u8) -> Option<asterism_symbol::Sym> {
    asterism_symbol::lookup(bytes, if bytes.is_ascii() { asterism_symbol::US_ASCII } else { encoding })
}
