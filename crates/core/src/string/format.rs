//! `format`: `Kernel#format`, `Kernel#sprintf` and `String#%`.

use asterism_object::space::WellKnown;
use asterism_object::types::Type;
use asterism_object::{Value, bigint, float, hash, numeric, string};
use asterism_support::encoding::chars;
use asterism_support::sprintf::{self, Amount, ArgRef, Conv, Directive, Piece, Spec};
use asterism_support::{Encoding, Int, int_parse};
use asterism_symbol::{intern, sym};
use asterism_vm::memory::Buffer;
use asterism_vm::{ANY, Args, Ec, NativeDef, Res};
use num_bigint::BigInt;
use num_traits::Signed;

use super::util;
use crate::numeric::long;
use crate::support_error;

/// Methods of String.
pub static METHODS: &[NativeDef] = &[NativeDef::new("%", percent, 1, 1)];

/// Functions of Kernel.
pub static KERNEL: &[NativeDef] =
    &[NativeDef::new("format", kernel_format, 1, ANY), NativeDef::new("sprintf", kernel_format, 1, ANY)];

fn percent(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    match ec.check_array(args[0])? {
        Some(list) => {
            // A copy of its own: formatting calls Ruby, which may change the Array.
            let made = asterism_object::array::snapshot(ec, list);
            let copy = ec.check(list, made)?;
            let result = format(ec, this, asterism_object::array::private_slice(&copy));
            asterism_heap::keep_alive(copy.bits());
            result
        }
        None => format(ec, this, args.slice()),
    }
}

fn kernel_format(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let template = ec.to_str(args[0])?;
    format(ec, template, args.slice().get(1..).unwrap_or(&[]))
}

/// Most characters of a Float without a precision, and of what stands before and behind the digits of a number.
const MOST_DIGITS: usize = 400;

/// The result so far.
struct Output {
    bytes: Buffer,
    encoding: Encoding,
}

/// `format(template, *args)`.
///
/// # Errors
/// ArgumentError for a bad template or missing arguments; what the conversions raise.
pub fn format(ec: &mut Ec, template: Value, args: &[Value]) -> Res {
    let own = util::encoding(template);
    if !own.is_ascii_compatible() {
        let message = format!("ASCII incompatible encoding: {}", own.name());
        return Err(crate::encoding::errors::raise_nested(ec, "CompatibilityError", &message));
    }
    let source = string::read(ec, template);
    let mut out = Output { bytes: Buffer::new(ec), encoding: util::of_index(source.encoding()) };
    // Each directive is a piece, and so may be the text before it.
    let directives = source.as_bytes().iter().filter(|&&b| b == b'%').count();
    let _pieces = ec.charge(source.len() + 3 * directives * size_of::<Piece>())?;
    let parsed = sprintf::parse(&source);
    out.bytes.reserve(ec, source.len() + 16)?;
    for piece in &parsed.pieces {
        match piece {
            Piece::Literal(text) => out.bytes.append(ec, text)?,
            Piece::Directive(directive) => format_one(ec, directive, args, &mut out)?,
            Piece::Fail(error) => return Err(support_error::raise_in(ec, error, out.encoding)),
        }
    }
    // Keywords alone may go unused.
    let keywords = parsed.consumed == Some(0) && args.len() == 1 && args[0].is_type(Type::Hash);
    if !keywords && parsed.consumed.is_some_and(|n| n < args.len()) {
        if ec.vm().debug.load(std::sync::atomic::Ordering::Relaxed) {
            return Err(ec.arg_error("too many arguments for format string"));
        }
        if ec.gvar_get(intern("$VERBOSE"))? == Value::TRUE {
            let text = ec.str("warning: too many arguments for format string")?;
            let kernel = ec.known(WellKnown::Kernel);
            ec.call(kernel.0, intern("warn"), &[text])?;
        }
    }
    util::make(ec, &out.bytes, out.encoding)
}

fn argument(ec: &mut Ec, args: &[Value], i: usize) -> Res {
    match args.get(i) {
        Some(v) => Ok(*v),
        None => Err(support_error::raise(ec, &sprintf::too_few_arguments())),
    }
}

fn amount(ec: &mut Ec, args: &[Value], amount: Amount) -> Res<Option<i32>> {
    let Amount::Arg(i) = amount else {
        return Ok(None);
    };
    let v = argument(ec, args, i)?;
    ec.to_i32(v).map(Some)
}

fn named(ec: &mut Ec, args: &[Value], reference: &ArgRef, name: &[u8], encoding: Encoding) -> Res {
    let table = match args {
        [one] => ec.check_hash(*one)?,
        _ => None,
    };
    let Some(table) = table else {
        return Err(support_error::raise(ec, &sprintf::one_hash_required()));
    };
    let Some(key) = asterism_symbol::try_intern(name, encoding.index()) else {
        return Err(ec.raise(asterism_vm::Exc::RuntimeError, "symbol table overflow"));
    };
    let key = Value::sym(key);
    if let Some(v) = ec.hash_get(table, key)? {
        return Ok(v);
    }
    if hash::has_default_proc(table) || !hash::default_value(table).is_nil() {
        let v = ec.call(table, sym::default, &[key])?;
        if !v.is_nil() {
            return Ok(v);
        }
    }
    let error = sprintf::key_not_found(reference);
    let raised = ec.key_error(&error.message, table, key);
    if let Some(exception) = ec.pending_exception() {
        let message = ec.str_enc(&error.message, encoding.index())?;
        ec.ivar_put(exception, sym::message_ivar, message)?;
    }
    Err(raised)
}

fn format_one(ec: &mut Ec, directive: &Directive, args: &[Value], out: &mut Output) -> Res<()> {
    let width = amount(ec, args, directive.width)?;
    let precision = amount(ec, args, directive.precision)?;
    if width == Some(i32::MIN) {
        return Err(ec.arg_error("width too big"));
    }
    let spec = directive.resolve(width, precision);
    // The text that is made, and what it is padded to.
    let size = spec.width.unwrap_or(0).max(spec.precision.unwrap_or(0));
    let _text = ec.charge(size.saturating_mul(2))?;
    out.bytes.reserve(ec, size.saturating_add(MOST_DIGITS))?;
    let value = match &directive.arg {
        ArgRef::Index(i) => argument(ec, args, *i)?,
        reference @ (ArgRef::Name(name) | ArgRef::Brace(name)) => named(ec, args, reference, name, out.encoding)?,
    };
    match spec.conv {
        Conv::Str => {
            let s = ec.to_s(value)?;
            format_text(ec, &spec, s, out)
        }
        Conv::Inspect => {
            let s = ec.inspect(value)?;
            format_text(ec, &spec, s, out)
        }
        Conv::Char => format_char(ec, &spec, value, out),
        Conv::Decimal | Conv::Binary(_) | Conv::Octal | Conv::Hex(_) => {
            let n = integer(ec, value)?;
            // A digit is a bit at least.
            let digits = usize::try_from(n.bit_length()).unwrap_or(usize::MAX);
            let _digits = ec.charge(digits.saturating_mul(2))?;
            out.bytes.reserve(ec, size.saturating_add(digits).saturating_add(MOST_DIGITS))?;
            let decimal = match &n {
                Int::Big(n) if n.bits() > LONG_BITS => Some(long::to_text(ec, &n.abs(), 10)?),
                _ => None,
            };
            let done = sprintf::format_int_as(&spec, &n, decimal, &mut out.bytes);
            support_error::check(ec, done)
        }
        Conv::Fixed => format_fixed(ec, &spec, value, out),
        Conv::Exp(_) | Conv::General(_) | Conv::HexFloat(_) => {
            let f = to_float(ec, value)?;
            let done = sprintf::format_float(&spec, f, &mut out.bytes);
            support_error::check(ec, done)
        }
    }
}

/// The encoding of the result when the text of `s` goes in.
fn admit(ec: &mut Ec, s: Value, out: &mut Output) -> Res<()> {
    let encoding = util::encoding(s);
    if encoding == out.encoding || string::is_ascii_only(ec, s) && out.encoding.is_ascii_compatible() {
        return Ok(());
    }
    if encoding.is_ascii_compatible() && out.bytes.is_ascii() || out.bytes.is_empty() {
        out.encoding = encoding;
        return Ok(());
    }
    Err(util::incompatible(ec, out.encoding, encoding))
}

fn format_text(ec: &mut Ec, spec: &Spec, s: Value, out: &mut Output) -> Res<()> {
    admit(ec, s, out)?;
    let encoding = util::encoding(s);
    out.bytes.reserve(ec, spec.width.unwrap_or(0).saturating_add(string::len(s)))?;
    let bytes = &mut out.bytes;
    let done = string::with_bytes(ec, s, |text, _| sprintf::format_str(spec, encoding, text, bytes));
    support_error::check(ec, done)
}

fn format_char(ec: &mut Ec, spec: &Spec, value: Value, out: &mut Output) -> Res<()> {
    let (text, encoding) = match ec.check_string(value)? {
        Some(s) => {
            admit(ec, s, out)?;
            (string::to_vec(ec, s), util::encoding(s))
        }
        None => {
            if value.is_nil() {
                return Err(ec.no_conversion(value, "Integer"));
            }
            let code = ec.to_i64(value)?;
            let mut text = Vec::new();
            let Ok(code) = u32::try_from(code) else {
                return Err(ec.arg_error("invalid character"));
            };
            // Bytes are no text, but they may stand where ASCII text did.
            if out.encoding == Encoding::US_ASCII && matches!(code, 0x80..=0xff) {
                out.encoding = Encoding::BINARY;
            }
            if chars::push_code_point(out.encoding, code, &mut text).is_err() {
                if !out.encoding.is_single_byte() {
                    return Err(ec.arg_error("invalid character"));
                }
                return Err(ec.range_error(format!("{code} out of char range")));
            }
            (text, out.encoding)
        }
    };
    let done = sprintf::format_char(spec, encoding, &text, &mut out.bytes);
    support_error::check(ec, done)
}

/// The Integer that `Kernel#Integer` makes of a value.
fn integer(ec: &mut Ec, v: Value) -> Res<Int> {
    if let Some(n) = bigint::to_int(v) {
        return Ok(n);
    }
    if float::is_float(v) {
        let n = ec.float_to_integer(float::get(v))?;
        return Ok(bigint::to_int(n).unwrap_or(Int::Small(0)));
    }
    if v.is_nil() {
        return Err(ec.type_error("can't convert nil into Integer"));
    }
    if v.is_type(Type::String) {
        let parsed = string::with_bytes(ec, v, |s, _| int_parse::parse_int_strict(s, 0));
        return support_error::check(ec, parsed);
    }
    for name in [sym::to_int, sym::to_i] {
        if ec.respond_to(v, name, true)? {
            let n = ec.call(v, name, &[])?;
            if let Some(n) = bigint::to_int(n) {
                return Ok(n);
            }
            if name == sym::to_i {
                let got = ec.describe_for_conversion(n);
                return Err(ec.conversion_mismatch(v, "Integer", name, &got));
            }
        }
    }
    let name = ec.describe_for_conversion(v);
    Err(ec.type_error(format!("can't convert {name} into Integer")))
}

/// The Float that `Kernel#Float` makes of a value.
fn to_float(ec: &mut Ec, v: Value) -> Res<f64> {
    crate::numeric::operand::to_float_strict(ec, v)
}

/// Numbers of more bits are worked out in steps.
const LONG_BITS: u64 = 1 << 16;

fn is_long(spec: &Spec, top: &BigInt, bottom: &BigInt) -> bool {
    let bits = sprintf::ratio_digits(spec, bottom) as u64 * 4;
    bits.saturating_add(top.bits()).max(bottom.bits()) > LONG_BITS
}

fn format_fixed(ec: &mut Ec, spec: &Spec, value: Value, out: &mut Output) -> Res<()> {
    let ratio = if let Some(n) = bigint::to_int(value) {
        Some((n.into_big(), BigInt::from(1)))
    } else if value.is_type(Type::Rational) {
        let (top, bottom) = numeric::parts(value);
        match (bigint::to_int(top), bigint::to_int(bottom)) {
            (Some(top), Some(bottom)) => Some((top.into_big(), bottom.into_big())),
            _ => None,
        }
    } else {
        None
    };
    let done = match ratio {
        Some((top, bottom)) if is_long(spec, &top, &bottom) => {
            let scaled_digits = sprintf::ratio_digits(spec, &bottom);
            let power = long::power(ec, &Int::Small(10), &Int::from(scaled_digits as u64))?.to_big();
            let scaled = long::product(ec, &top.abs(), &power)?;
            let (mut whole, rest) = long::divmod(ec, &scaled, &bottom)?;
            if rest * 2 >= bottom {
                whole += 1;
            }
            let digits = long::to_text(ec, &whole, 10)?;
            sprintf::format_ratio_as(spec, top.is_negative(), scaled_digits, digits, &mut out.bytes)
        }
        Some((top, bottom)) => sprintf::format_ratio(spec, &top, &bottom, &mut out.bytes),
        None => {
            let f = to_float(ec, value)?;
            sprintf::format_float(spec, f, &mut out.bytes)
        }
    };
    support_error::check(ec, done)
}
