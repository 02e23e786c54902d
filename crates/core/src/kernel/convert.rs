//! Conversion functions: Integer(), Float(), String(), Array(), Hash(). Rational() and Complex() are with their classes.

use asterism_object::types::Type;
use asterism_object::{Value, bigint, float, string};
use asterism_support::float_fmt::{parse_float_opt, parse_float_strict};
use asterism_support::int::Int;
use asterism_support::int_parse::{read_int_opt, read_int_strict};
use asterism_symbol::{UTF_8, sym};
use asterism_vm::{Args, Ec, Exc, NativeDef, Raised, Res};

pub static KERNEL: &[NativeDef] = &[
    NativeDef::new("Integer", integer, 1, 2).keywords(&["exception"]),
    NativeDef::new("Float", to_float, 1, 1).keywords(&["exception"]),
    NativeDef::new("String", to_string, 1, 1),
    NativeDef::new("Array", to_array, 1, 1),
    NativeDef::new("Hash", to_hash, 1, 1),
];

/// The `exception:` keyword: false means nil in place of an error.
fn raises(ec: &mut Ec, keywords: Option<Value>) -> Res<bool> {
    let Some(h) = keywords else { return Ok(true) };
    match ec.hash_get(h, Value::sym(sym::exception))? {
        None | Some(Value::TRUE) => Ok(true),
        Some(Value::FALSE) => Ok(false),
        Some(v) => {
            let shown = ec.inspect_for_error(v)?;
            Err(ec.arg_error([b"expected true or false as exception: ", &shown[..]].concat()))
        }
    }
}

fn support_error(ec: &mut Ec, error: &asterism_support::error::Error) -> Raised {
    use asterism_support::error::ErrorKind;
    let class = match error.kind {
        ErrorKind::Type => Exc::TypeError,
        ErrorKind::Range => Exc::RangeError,
        ErrorKind::FloatDomain => Exc::FloatDomainError,
        ErrorKind::ZeroDivision => Exc::ZeroDivisionError,
        _ => Exc::ArgumentError,
    };
    ec.raise(class, &error.message)
}

fn cannot_convert(ec: &mut Ec, v: Value, target: &str) -> Raised {
    let name = ec.describe_for_conversion(v);
    ec.type_error(format!("can't convert {name} into {target}"))
}

fn make_integer(ec: &mut Ec, n: Int) -> Res {
    match n {
        Int::Small(n) => ec.int(n),
        Int::Big(n) => ec.bigint(n),
    }
}

/// Runs `body`; without `raises` errors of conversion become nil.
fn guarded(ec: &mut Ec, raises: bool, body: impl FnOnce(&mut Ec) -> Res) -> Res {
    if raises {
        return body(ec);
    }
    let standard = ec.exc_class(Exc::StandardError);
    match ec.rescue(standard, body)? {
        Ok(v) => Ok(v),
        Err(_) => Ok(Value::NIL),
    }
}

fn integer(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let (positional, keywords) = args.split_keywords();
    let raises = raises(ec, keywords)?;
    let v = positional[0];
    let base = match positional.get(1) {
        Some(b) if !b.is_nil() => Some(ec.to_i32(*b)?.into()),
        _ => None,
    };
    // What has no digits at all is told whatever is asked for.
    if v.is_type(Type::String) {
        crate::string::util::check_ascii_compatible(ec, v)?;
    }
    // A number or a text of digits raises nothing.
    if let Some(n) = quick_integer(ec, v, base) {
        return Ok(n);
    }
    guarded(ec, raises, |ec| convert_integer(ec, v, base, raises))
}

/// An Integer as it is, or what up to 18 decimal digits say.
fn quick_integer(ec: &mut Ec, v: Value, base: Option<i64>) -> Option<Value> {
    if base.is_none() && v.is_fixnum() {
        return Some(v);
    }
    if !v.is_type(Type::String) || !matches!(base, None | Some(10)) || string::encoding(v) != UTF_8 {
        return None;
    }
    string::with_bytes(ec, v, |bytes, _| {
        let plain = match bytes {
            // Without a base, a leading zero says which.
            [b'0', _, ..] => base.is_some(),
            _ => !bytes.is_empty(),
        };
        let digits = plain && bytes.len() <= 18 && bytes.iter().all(u8::is_ascii_digit);
        let read = || bytes.iter().fold(0i64, |n, &b| n * 10 + i64::from(b - b'0'));
        digits.then(|| Value::try_fixnum(read())).flatten()
    })
}

fn convert_integer(ec: &mut Ec, v: Value, base: Option<i64>, raises: bool) -> Res {
    // Base 0 says what none says: a prefix decides.
    if let Some(base) = base
        && base != 0
        && !v.is_type(Type::String)
    {
        return match ec.check_string(v)? {
            Some(s) => integer_of_text(ec, s, base, raises),
            None => Err(ec.arg_error("base specified for non string value")),
        };
    }
    if bigint::is_integer(v) {
        return Ok(v);
    }
    if float::is_float(v) {
        return ec.float_to_integer(float::get(v));
    }
    if v.is_type(Type::String) {
        return integer_of_text(ec, v, base.unwrap_or(0), raises);
    }
    if v.is_nil() {
        return Err(ec.type_error("can't convert nil into Integer"));
    }
    for name in [sym::to_int, sym::to_i] {
        if name == sym::to_i
            && let Some(s) = ec.check_string(v)?
        {
            return integer_of_text(ec, s, 0, raises);
        }
        if let Some(made) = ec.call_if_known(v, name, &[])? {
            if bigint::is_integer(made) {
                return Ok(made);
            }
            if name == sym::to_i {
                let got = ec.describe_for_conversion(made);
                return Err(ec.conversion_mismatch(v, "Integer", name, &got));
            }
        }
    }
    Err(cannot_convert(ec, v, "Integer"))
}

fn integer_of_text(ec: &mut Ec, s: Value, base: i64, raises: bool) -> Res {
    crate::string::util::check_ascii_compatible(ec, s)?;
    let _digits = ec.charge(2 * string::len(s))?;
    let bytes = string::to_vec(ec, s);
    let read = if raises { read_int_strict(&bytes, base).map(Some) } else { read_int_opt(&bytes, base) };
    match read {
        Ok(Some(read)) => {
            let n = crate::numeric::long::of_text(ec, read)?;
            make_integer(ec, n)
        }
        Ok(None) => Ok(Value::NIL),
        Err(e) => Err(support_error(ec, &e)),
    }
}

/// Texts of numbers up to this long are read in place.
const SHORT_TEXT: usize = 64;

fn to_float(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let (positional, keywords) = args.split_keywords();
    let raises = raises(ec, keywords)?;
    let v = positional[0];
    guarded(ec, raises, |ec| {
        if float::is_float(v) {
            return Ok(v);
        }
        if v.is_type(Type::String) {
            let parse = |bytes: &[u8]| match raises {
                true => parse_float_strict(bytes).map(Some),
                false => Ok(parse_float_opt(bytes)),
            };
            // Nobody waits for a String because of a long text.
            let read = match string::len(v) <= SHORT_TEXT {
                true => string::with_bytes(ec, v, |bytes, _| parse(bytes)),
                false => parse(&ec.bytes_of(v)?),
            };
            return match read {
                Ok(Some(f)) => ec.float(f),
                Ok(None) => Ok(Value::NIL),
                Err(e) => Err(support_error(ec, &e)),
            };
        }
        if !v.is_heap() && !v.is_fixnum() {
            return Err(cannot_convert(ec, v, "Float"));
        }
        if bigint::is_integer(v) {
            return ec.float(crate::numeric::operand::integer_to_f64(v));
        }
        if let Some(made) = ec.call_if_known(v, sym::to_f, &[])? {
            if float::is_float(made) {
                return Ok(made);
            }
            let got = ec.class_name_of(made);
            return Err(ec.conversion_mismatch(v, "Float", sym::to_f, &got));
        }
        Err(cannot_convert(ec, v, "Float"))
    })
}

fn to_string(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let v = args[0];
    if let Some(s) = ec.check_string(v)? {
        return Ok(s);
    }
    if !ec.respond_to(v, sym::to_s, true)? {
        return Err(cannot_convert(ec, v, "String"));
    }
    let made = ec.call(v, sym::to_s, &[])?;
    if made.is_type(Type::String) {
        return Ok(made);
    }
    let got = ec.class_name_of(made);
    Err(ec.conversion_mismatch(v, "String", sym::to_s, &got))
}

fn to_array(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let v = args[0];
    if v.is_nil() {
        return ec.array(&[]);
    }
    if let Some(a) = ec.check_array(v)? {
        return Ok(a);
    }
    match ec.try_convert(v, sym::to_a, "Array", |x| x.is_type(Type::Array))? {
        Some(a) => Ok(a),
        None => ec.array(&[v]),
    }
}

fn to_hash(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let v = args[0];
    if v.is_nil() || v.is_type(Type::Array) && asterism_object::array::is_empty(v) {
        return ec.new_hash();
    }
    match ec.check_hash(v)? {
        Some(h) => Ok(h),
        None => Err(cannot_convert(ec, v, "Hash")),
    }
}
