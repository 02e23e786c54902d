//! The base of String: making, comparing, joining, copying, its encoding and its bytes.

use asterism_object::class::Class;
use asterism_object::error::ObjError;
use asterism_object::space::WellKnown;
use asterism_object::string::CodeRange;
use asterism_object::types::Type;
use asterism_object::{Value, builtin, ivars, ownership, string};
use asterism_support::encoding::{chars, scan};
use asterism_support::{Encoding, inspect as text, strutil};
use asterism_symbol::sym;
use asterism_vm::memory::Buffer;
use asterism_vm::native::Intrinsic;
use asterism_vm::{ANY, Args, Arguments, Ec, NativeDef, Res};

use super::{update, util};
use crate::support_error;
use asterism_vm::recursion::{self, Tag};

/// Methods.
pub static METHODS: &[NativeDef] = &[
    NativeDef::new("initialize", initialize, 0, 1).keywords(&["encoding", "capacity"]).private(),
    NativeDef::new("initialize_copy", replace, 1, 1).leaf().private(),
    NativeDef::new("==", eq, 1, 1).leaf(),
    NativeDef::new("===", eq, 1, 1).leaf(),
    NativeDef::new("eql?", eql, 1, 1).leaf(),
    NativeDef::new("hash", hash, 0, 0).leaf(),
    NativeDef::new("<=>", cmp, 1, 1).leaf(),
    NativeDef::new("+", plus, 1, 1).leaf(),
    NativeDef::new("*", times, 1, 1).leaf(),
    NativeDef::new("<<", append, 1, 1).leaf(),
    NativeDef::new("concat", concat, 0, ANY).leaf(),
    NativeDef::new("append_as_bytes", append_as_bytes, 0, ANY).leaf(),
    NativeDef::new("prepend", prepend, 0, ANY).leaf(),
    NativeDef::new("replace", replace, 1, 1).leaf(),
    NativeDef::new("clear", clear, 0, 0).leaf(),
    NativeDef::new("dup", dup, 0, 0).leaf(),
    NativeDef::new("freeze", freeze, 0, 0).leaf(),
    NativeDef::new("+@", unary_plus, 0, 0).leaf(),
    NativeDef::new("-@", dedup, 0, 0).leaf(),
    NativeDef::new("dedup", dedup, 0, 0).leaf(),
    NativeDef::new("to_s", to_s, 0, 0).leaf(),
    NativeDef::new("to_str", to_s, 0, 0).leaf(),
    NativeDef::new("to_sym", to_sym, 0, 0).leaf(),
    NativeDef::new("intern", to_sym, 0, 0).leaf(),
    NativeDef::new("inspect", inspect, 0, 0).leaf(),
    NativeDef::new("dump", dump, 0, 0).leaf(),
    NativeDef::new("undump", undump, 0, 0).leaf(),
    NativeDef::new("length", length, 0, 0).leaf(),
    NativeDef::new("size", length, 0, 0).leaf(),
    NativeDef::new("bytesize", bytesize, 0, 0).leaf(),
    NativeDef::new("empty?", empty, 0, 0).leaf(),
    NativeDef::new("encoding", encoding, 0, 0).leaf(),
    NativeDef::new("force_encoding", force_encoding, 1, 1).leaf(),
    NativeDef::new("valid_encoding?", valid_encoding, 0, 0).leaf(),
    NativeDef::new("ascii_only?", ascii_only, 0, 0).leaf(),
    NativeDef::new("b", binary, 0, 0).leaf(),
    NativeDef::new("getbyte", getbyte, 1, 1).leaf().intrinsic(Intrinsic::GetByte),
    NativeDef::new("setbyte", setbyte, 2, 2).leaf(),
    NativeDef::new("ord", ord, 0, 0).leaf(),
    NativeDef::new("chr", chr, 0, 0).leaf(),
    NativeDef::new("sum", sum, 0, 1).leaf(),
];

/// Methods of the class itself.
pub static SINGLETON: &[NativeDef] = &[NativeDef::new("try_convert", try_convert, 1, 1)];

fn initialize(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let (argv, keywords) = args.split_keywords();
    let [encoding, capacity] = ec.keyword_values(keywords, ["encoding", "capacity"])?;
    if let Some(&source) = argv.first() {
        let source = util::to_str(ec, source)?;
        let done = string::replace(ec, this, source);
        ec.check(this, done)?;
    }
    if !encoding.is_nil() {
        let encoding = crate::encoding::from_value(ec, encoding)?;
        let done = string::force_encoding(ec, this, encoding.index());
        ec.check(this, done)?;
    }
    if !capacity.is_nil() {
        let wanted = ec.to_i64(capacity)?;
        let len = string::len(this) as i64;
        // Room beforehand is a promise about speed: more than this gains nothing.
        let extra = usize::try_from(wanted.saturating_sub(len)).unwrap_or(0).min(1 << 30);
        if extra > 0 {
            let room = string::modify(ec, &this, extra).map(|_| ());
            ec.check(this, room)?;
        }
    }
    Ok(this)
}

fn try_convert(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    Ok(ec.check_string(args[0])?.unwrap_or(Value::NIL))
}

fn eq(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let other = args[0];
    if this == other {
        return Ok(Value::TRUE);
    }
    if other.is_type(Type::String) {
        return Ok(Value::bool(string::eq(ec, this, other)));
    }
    if !other.is_heap() {
        return Ok(Value::FALSE);
    }
    util::outcall(ec, |ec| {
        if !ec.respond_to(other, sym::to_str, false)? {
            return Ok(Value::FALSE);
        }
        Ok(Value::bool(ec.call(other, sym::EQ, &[this])?.truthy()))
    })
}

fn eql(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    Ok(Value::bool(this == args[0] || args[0].is_type(Type::String) && string::eq(ec, this, args[0])))
}

fn hash(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let h = string::hash(ec, this);
    Ok(builtin::number(ec, h))
}

fn cmp(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let other = args[0];
    if other.is_type(Type::String) {
        return Ok(Value::fixnum(string::cmp(ec, this, other) as i64));
    }
    if !other.is_heap() {
        return Ok(Value::NIL);
    }
    util::outcall(ec, |ec| {
        if let Some(text) = ec.check_string(other)? {
            return Ok(Value::fixnum(string::cmp(ec, this, text) as i64));
        }
        // It may ask back.
        let asked =
            recursion::guard_pair(ec, Tag::Compare, this, other, |ec| ec.call_if_known(other, sym::CMP, &[this]))?;
        let Some(answer) = asked.flatten().filter(|a| !a.is_nil()) else {
            return Ok(Value::NIL);
        };
        let order = ec.compare_result(answer, other, this)?;
        Ok(Value::fixnum(order.reverse() as i64))
    })
}

fn plus(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let other = util::to_str(ec, args[0])?;
    let encoding = util::check_compatible(ec, this, other)?;
    let total = string::len(this).saturating_add(string::len(other));
    let made = string::with_capacity(ec, total, encoding.index());
    let made = ec.check(this, made)?;
    let done = string::append_str(ec, made, this);
    ec.check(made, done)?;
    let done = string::append_str(ec, made, other);
    ec.check(made, done)?;
    Ok(made)
}

fn times(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let n = util::to_i64(ec, args[0])?;
    let Ok(n) = usize::try_from(n) else {
        return Err(ec.arg_error("negative argument"));
    };
    let range = string::coderange(ec, this);
    let source = string::read(ec, this);
    let total = match source.len().checked_mul(n) {
        Some(total) if total <= string::MAX_LEN => total,
        _ => return Err(ec.arg_error("argument too big")),
    };
    let made = string::with_capacity(ec, total, source.encoding());
    let made = ec.check(this, made)?;
    let filled = fill(ec, made, &source, total, range);
    ec.check(made, filled)?;
    Ok(made)
}

/// Fills `made` with `total` bytes of `unit` over and over.
fn fill(
    ec: &mut Ec,
    made: Value,
    unit: &[u8],
    total: usize,
    range: CodeRange,
) -> Result<(), asterism_object::error::ObjError> {
    if total == 0 {
        return Ok(());
    }
    let mut target = string::modify(ec, &made, total)?;
    target.set_len(total);
    let bytes = target.as_mut_slice();
    if let [byte] = unit {
        bytes.fill(*byte);
    } else {
        let mut done = unit.len().min(bytes.len());
        bytes[..done].copy_from_slice(&unit[..done]);
        while done < bytes.len() {
            let n = done.min(bytes.len() - done);
            bytes.copy_within(..n, done);
            done += n;
        }
    }
    // What is broken may make characters with what follows.
    target.set_coderange(if range == CodeRange::Broken { CodeRange::Unknown } else { range });
    Ok(())
}

/// Appends a String; the encodings must fit.
///
/// # Errors
/// FrozenError, Encoding::CompatibilityError, NoMemoryError.
#[inline]
pub fn append_string(ec: &mut Ec, this: Value, other: Value) -> Res<()> {
    ec.check_frozen(this)?;
    if string::appends_as_is(this, other) {
        let done = string::append_str(ec, this, other);
        return ec.check(this, done);
    }
    update::change(ec, this, &Arguments::new(&[other]), |ec, this, args| {
        let encoding = util::check_compatible(ec, this, args[0])?;
        let bytes = string::read(ec, args[0]);
        update::splice_own(ec, this, (string::len(this), 0), &bytes, encoding, this)
    })?;
    Ok(())
}

fn append(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    append_value(ec, this, args[0])?;
    Ok(this)
}

/// `<<`: a String, or the character of an Integer.
fn append_value(ec: &mut Ec, this: Value, v: Value) -> Res<()> {
    if v.is_type(Type::String) {
        return append_string(ec, this, v);
    }
    if v.is_fixnum() || v.is_type(Type::BigInt) {
        ec.check_frozen(this)?;
        return append_code(ec, this, v);
    }
    let v = util::to_str(ec, v)?;
    append_string(ec, this, v)
}

fn append_code(ec: &mut Ec, this: Value, v: Value) -> Res<()> {
    let code = match v.fixnum_value().and_then(|n| u32::try_from(n).ok()) {
        Some(code) => code,
        None => {
            let message = match v.fixnum_value() {
                Some(n) => format!("{n} out of char range"),
                None => "bignum out of char range".to_string(),
            };
            return Err(ec.range_error(message));
        }
    };
    if util::encoding(this) != Encoding::US_ASCII || code <= 0x7f {
        let mut bytes = Vec::with_capacity(4);
        let pushed = chars::push_code_point(util::encoding(this), code, &mut bytes);
        support_error::check(ec, pushed)?;
        let done = string::append(ec, this, &bytes);
        return ec.check(this, done);
    }
    let Ok(byte) = u8::try_from(code) else {
        return Err(ec.range_error(format!("{code} out of char range")));
    };
    // A high byte makes the string binary.
    update::change(ec, this, &Arguments::new(&[]), |ec, this, _| {
        update::splice_own(ec, this, (string::len(this), 0), &[byte], Encoding::BINARY, this)
    })?;
    Ok(())
}

fn concat(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    ec.check_frozen(this)?;
    match args.slice() {
        [] => {}
        [one] => append_value(ec, this, *one)?,
        many => {
            // The arguments as they were before: the receiver may be among them.
            let joined = string::with_capacity(ec, 0, string::encoding(this));
            let joined = ec.check(this, joined)?;
            for v in many {
                append_value(ec, joined, *v)?;
            }
            append_string(ec, this, joined)?;
        }
    }
    Ok(this)
}

fn append_as_bytes(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    ec.check_frozen(this)?;
    // A String of the heap, which counts what it takes.
    let made = string::with_capacity(ec, 0, string::encoding(this));
    let end = ec.check(this, made)?;
    for &v in args.slice() {
        let done = if v.is_type(Type::String) {
            let bytes = string::read(ec, v);
            string::append(ec, end, &bytes)
        } else if let Some(n) = v.fixnum_value() {
            string::append(ec, end, &[n as u8])
        } else if v.is_type(Type::BigInt) {
            string::append(ec, end, &[low_byte(v)])
        } else {
            let name = ec.describe_for_conversion(v);
            return Err(ec.type_error(format!("wrong argument type {name} (expected String or Integer)")));
        };
        ec.check(end, done)?;
    }
    let bytes = string::read(ec, end);
    let done = string::append(ec, this, &bytes);
    ec.check(this, done)?;
    Ok(this)
}

fn prepend(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    ec.check_frozen(this)?;
    let front = string::with_capacity(ec, 0, string::encoding(this));
    let front = ec.check(this, front)?;
    for &v in args.slice() {
        let v = util::to_str(ec, v)?;
        append_string(ec, front, v)?;
    }
    update::change(ec, this, &Arguments::new(&[front]), |ec, this, args| {
        let encoding = util::check_compatible(ec, this, args[0])?;
        let bytes = string::read(ec, args[0]);
        update::splice_own(ec, this, (0, 0), &bytes, encoding, this)
    })
}

fn replace(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    ec.check_frozen(this)?;
    let other = util::to_str(ec, args[0])?;
    let done = string::replace(ec, this, other);
    ec.check(this, done)?;
    Ok(this)
}

fn clear(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    ec.check_frozen(this)?;
    let done = string::clear(ec, this);
    ec.check(this, done)?;
    Ok(this)
}

fn dup(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let class = ec.real_class_of(this);
    let made = string::dup_in(ec, class.0, this);
    let made = ec.check(this, made)?;
    if ivars::count(ec, this) > 0 {
        let done = ivars::copy(ec, this, made);
        ec.check(made, done)?;
    }
    if class != ec.known(WellKnown::String) {
        let name = asterism_symbol::intern("initialize_dup");
        util::outcall(ec, |ec| ec.call(made, name, &[this]))?;
    }
    Ok(made)
}

fn freeze(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    ec.freeze(this)
}

fn unary_plus(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    if !ownership::is_frozen(this) && string::chilled(this).is_none() {
        return Ok(this);
    }
    let class = ec.real_class_of(this);
    let made = string::dup_in(ec, class.0, this);
    ec.check(this, made)
}

fn dedup(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let plain = ec.known(WellKnown::String);
    if ec.class_of(this).0 == plain.0 && asterism_object::ivars::count(ec, this) == 0 {
        return super::dedup::dedup(ec, this);
    }
    // One that is more than its bytes has no equal: it stays itself.
    if asterism_object::ownership::is_frozen(this) {
        return Ok(this);
    }
    let class = ec.real_class_of(this);
    let made = string::dup_in(ec, class.0, this);
    let made = ec.check(this, made)?;
    ec.freeze(made)
}

fn to_s(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let plain = ec.known(WellKnown::String);
    if Class(ec.class_of(this).0) == plain || ec.real_class_of(this) == plain {
        return Ok(this);
    }
    let made = string::dup(ec, this);
    ec.check(this, made)
}

fn to_sym(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let encoding = util::encoding(this);
    // In the others a symbol may be any bytes, as in CRuby.
    if encoding.is_ascii_compatible() && string::coderange(ec, this) == CodeRange::Broken {
        let mut message = format!("invalid symbol in encoding {} :", encoding.name()).into_bytes();
        let bytes = string::to_vec(ec, this);
        message.extend_from_slice(&text::inspect(encoding, &bytes));
        return Err(ec.raise(asterism_vm::Exc::EncodingError, message));
    }
    ec.intern(this)
}

/// What writes a part of a text in another form: from an offset to about another one; where it ends.
type Writes = fn(Encoding, &[u8], usize, usize, &mut Vec<u8>) -> usize;

/// A text in quotes, written part by part: between two parts the thread looks for what asks for its attention.
fn quoted(ec: &mut Ec, this: Value, writes: Writes) -> Res<Buffer> {
    const PART: usize = 64 << 10;
    let source = string::read(ec, this);
    let encoding = util::of_index(source.encoding());
    let mut out = Buffer::new(ec);
    out.append(ec, b"\"")?;
    let mut at = 0;
    while at < source.len() {
        let until = source.len().min(at + PART);
        out.reserve(ec, (until - at) * text::WIDEST + 16)?;
        at = writes(encoding, &source, at, until, &mut out);
        util::outcall(ec, Ec::poll)?;
    }
    Ok(out)
}

/// Texts that are longer are written part by part.
const LONG: usize = 4 << 10;

fn inspect(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    if string::len(this) > LONG {
        let mut shown = quoted(ec, this, text::inspect_part)?;
        shown.append(ec, b"\"")?;
        return ec.str(&shown[..]);
    }
    let shown = string::with_bytes(ec, this, |s, e| text::inspect(util::of_index(e), s));
    ec.str(shown)
}

fn dump(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let encoding = util::encoding(this);
    let result = if encoding.is_ascii_compatible() { encoding } else { Encoding::BINARY };
    if string::len(this) > LONG {
        let mut shown = quoted(ec, this, text::dump_part)?;
        let mut end = Vec::new();
        text::end_dump(encoding, &mut end);
        shown.append(ec, &end)?;
        return util::make(ec, &shown, result);
    }
    let shown = string::with_bytes(ec, this, |s, e| text::dump(util::of_index(e), s));
    util::make(ec, &shown, result)
}

fn undump(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    util::check_ascii_compatible(ec, this)?;
    let _read = ec.charge(string::len(this))?;
    let read = string::with_bytes(ec, this, |s, e| text::undump(util::of_index(e), s));
    let (bytes, encoding) = support_error::check(ec, read)?;
    util::make(ec, &bytes, encoding)
}

fn length(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let n = util::char_len(ec, this);
    ec.size(n)
}

fn bytesize(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    ec.size(string::len(this))
}

fn empty(_ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(Value::bool(string::is_empty(this)))
}

fn encoding(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(crate::encoding::object(ec, util::encoding(this)))
}

fn force_encoding(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    ec.check_frozen(this)?;
    // The name of a default that is not set stands for no encoding.
    let unset = args[0].is_type(Type::String)
        && crate::encoding::internal(ec).is_none()
        && string::with_bytes(ec, args[0], |s, _| s.eq_ignore_ascii_case(b"internal"));
    let encoding = if unset { Encoding::BINARY } else { crate::encoding::from_value(ec, args[0])? };
    if string::encoding(this) != encoding.index() {
        let done = string::force_encoding(ec, this, encoding.index());
        ec.check(this, done)?;
    }
    Ok(this)
}

fn valid_encoding(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(Value::bool(string::coderange(ec, this) != CodeRange::Broken))
}

fn ascii_only(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(Value::bool(string::is_ascii_only(ec, this)))
}

fn binary(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let made = string::dup(ec, this);
    let made = ec.check(this, made)?;
    let done = string::force_encoding(ec, made, Encoding::BINARY.index());
    ec.check(made, done)?;
    Ok(made)
}

fn getbyte(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let i = util::to_i64(ec, args[0])?;
    let found = string::with_bytes(ec, this, |s, _| {
        let i = if i < 0 { i.saturating_add(s.len() as i64) } else { i };
        s.get(usize::try_from(i).ok()?).copied()
    });
    Ok(found.map_or(Value::NIL, |byte| Value::fixnum(i64::from(byte))))
}

fn setbyte(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let given = util::to_i64(ec, args[0])?;
    let len = string::len(this) as i64;
    if given < -len || given >= len {
        ec.check_frozen(this)?;
        return Err(ec.index_error(format!("index {given} out of string")));
    }
    let byte = match args[1].fixnum_value() {
        Some(n) => n as u8,
        None => {
            let n = util::outcall(ec, |ec| ec.to_integer(args[1]))?;
            n.fixnum_value().map_or_else(|| low_byte(n), |n| n as u8)
        }
    };
    if given < 0 {
        update::change(ec, this, &Arguments::new(&[]), |ec, this, _| {
            match usize::try_from(given + string::len(this) as i64) {
                Ok(at) => update::splice_own(ec, this, (at, 1), &[byte], util::encoding(this), this),
                Err(_) => Err(ec.index_error(format!("index {given} out of string"))),
            }
        })?;
        return Ok(args[1]);
    }
    ec.check_frozen(this)?;
    match string::set_byte(ec, this, given as usize, byte) {
        Err(ObjError::Index) => Err(ec.index_error(format!("index {given} out of string"))),
        done => ec.check(this, done).map(|()| args[1]),
    }
}

/// The low byte of a big Integer.
fn low_byte(v: Value) -> u8 {
    let n = asterism_object::bigint::get(&v);
    n.to_signed_bytes_le().first().copied().unwrap_or(0)
}

fn ord(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let found = string::with_bytes(ec, this, |s, e| match s.first() {
        None => None,
        Some(&b) if b < 0x80 && e <= asterism_symbol::US_ASCII => Some(Some(u32::from(b))),
        Some(_) => Some(chars::code_point(util::of_index(e), s).map(|c| c.0)),
    });
    match found {
        None => Err(ec.arg_error("empty string")),
        Some(Some(code)) => Ok(Value::fixnum(i64::from(code))),
        Some(None) => Err(broken(ec, this)),
    }
}

/// `Encoding::CompatibilityError: invalid byte sequence in UTF-8`
#[cold]
pub(super) fn incompatible_bytes(ec: &mut Ec, this: Value) -> asterism_vm::Raised {
    let message = format!("invalid byte sequence in {}", util::encoding(this).name());
    crate::encoding::errors::raise_nested(ec, "CompatibilityError", &message)
}

/// `invalid byte sequence in UTF-8`
#[cold]
pub fn broken(ec: &mut Ec, this: Value) -> asterism_vm::Raised {
    ec.arg_error(format!("invalid byte sequence in {}", util::encoding(this).name()))
}

fn chr(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let n = string::with_bytes(ec, this, |s, e| scan::chars(util::of_index(e), s).next().map_or(0, <[u8]>::len));
    let made = string::substr(ec, this, 0, n);
    ec.check(this, made)
}

fn sum(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let bits = match args.get(0) {
        Some(v) => util::to_i64(ec, v)?,
        None => 16,
    };
    let total = string::with_bytes(ec, this, |s, _| strutil::sum(s, bits));
    let made = asterism_object::bigint::from_int(ec, total);
    ec.check(this, made)
}
