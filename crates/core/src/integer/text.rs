//! Integer conversions: text, characters, other numbers, rounding to digits.

use asterism_object::{Value, numeric, string};
use asterism_support::Encoding;
use asterism_support::encoding::chars;
use asterism_support::int::{Rounding, big_to_f64, check_radix, decimal, in_radix};
use asterism_symbol::sym;
use asterism_vm::native::Intrinsic;
use asterism_vm::{Args, Ec, NativeDef, Res};

use crate::numeric::long;
use crate::numeric::operand::{
    Num, bad_receiver, check, int_of, integer_to_f64, make_int, round_args, to_float_strict,
};

pub(super) static METHODS: &[NativeDef] = &[
    NativeDef::new("to_s", to_s, 0, 1),
    NativeDef::new("inspect", to_s, 0, 1),
    NativeDef::new("chr", chr, 0, 1),
    NativeDef::new("ord", itself, 0, 0).leaf(),
    NativeDef::new("to_i", itself, 0, 0).leaf(),
    NativeDef::new("to_int", itself, 0, 0).leaf(),
    NativeDef::new("numerator", itself, 0, 0).leaf(),
    NativeDef::new("denominator", one, 0, 0).leaf(),
    NativeDef::new("to_f", to_f, 0, 0).leaf().intrinsic(Intrinsic::ToF),
    NativeDef::new("to_r", to_r, 0, 0).leaf(),
    NativeDef::new("rationalize", to_r, 0, 1).leaf(),
    NativeDef::new("to_c", to_c, 0, 0).leaf(),
    NativeDef::new("coerce", coerce, 1, 1),
    NativeDef::new("round", round, 0, 1).keywords(&["half"]),
    NativeDef::new("floor", floor, 0, 1),
    NativeDef::new("ceil", ceil, 0, 1),
    NativeDef::new("truncate", truncate, 0, 1),
];

fn itself(_ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(this)
}

fn one(_ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    Ok(Value::fixnum(1))
}

fn to_s(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let radix = match args.get(0) {
        None => 10,
        Some(base) => {
            let base = ec.to_i32(base)?.into();
            check(ec, check_radix(base))?
        }
    };
    let made = match Num::of(&this) {
        Num::Fix(n) if radix == 10 => {
            let mut buffer = [0; 20];
            let text = decimal(n, &mut buffer);
            string::new(ec, text, asterism_symbol::US_ASCII)
        }
        Num::Fix(n) => {
            let mut buffer = [0; 65];
            let text = in_radix(n, radix, &mut buffer);
            string::new(ec, text, asterism_symbol::US_ASCII)
        }
        Num::Big(n) => {
            let text = long::to_text(ec, n, radix)?;
            string::from_vec(ec, text.into_bytes(), asterism_symbol::US_ASCII)
        }
        _ => return Err(bad_receiver(ec, this)),
    };
    ec.check(this, made)
}

fn chr(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let code = this.fixnum_value().and_then(|n| u32::try_from(n).ok());
    let Some(code) = code else {
        let shown = match this.fixnum_value() {
            Some(n) => n.to_string(),
            None => return Err(ec.range_error("bignum out of char range")),
        };
        return Err(ec.range_error(format!("{shown} out of char range")));
    };
    let enc = match args.get(0) {
        Some(given) => encoding_of(ec, given)?,
        None if code < 0x80 => Encoding::US_ASCII,
        None if code < 0x100 => Encoding::BINARY,
        None => return Err(ec.range_error(format!("{code} out of char range"))),
    };
    let mut bytes = Vec::with_capacity(4);
    let pushed = chars::push_code_point(enc, code, &mut bytes);
    check(ec, pushed)?;
    ec.str_enc(&bytes, enc.index())
}

/// The encoding that an argument names, an Encoding or a String.
fn encoding_of(ec: &mut Ec, v: Value) -> Res<Encoding> {
    let class = ec.class(asterism_object::space::WellKnown::Encoding);
    let name = if ec.is_kind_of(v, class) { ec.call(v, sym::to_s, &[])? } else { ec.to_str(v)? };
    let name = ec.to_str(name)?;
    let name = string::to_vec(ec, name);
    match Encoding::find(&name) {
        Some(enc) => Ok(enc),
        None => Err(ec.arg_error([b"unknown encoding name - ", &name[..]].concat())),
    }
}

fn to_f(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    match Num::of(&this) {
        Num::Fix(n) => ec.float(n as f64),
        Num::Big(n) => ec.float(big_to_f64(n)),
        _ => Err(bad_receiver(ec, this)),
    }
}

fn to_r(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let made = numeric::rational(ec, this, Value::fixnum(1));
    ec.check(this, made)
}

fn to_c(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let made = numeric::complex(ec, this, Value::fixnum(0));
    ec.check(this, made)
}

fn coerce(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let other = args[0];
    if asterism_object::bigint::is_integer(other) {
        return ec.array(&[other, this]);
    }
    let f = to_float_strict(ec, other)?;
    let f = ec.float(f)?;
    let own = ec.float(integer_to_f64(this))?;
    ec.array(&[f, own])
}

/// Rounds to `digits` places before the point; nonnegative `digits` change nothing.
pub(crate) fn round_to(ec: &mut Ec, this: Value, digits: Option<Value>, mode: Rounding) -> Res {
    let Some(digits) = digits else {
        return Ok(this);
    };
    let digits = ec.to_i64(digits)?;
    if digits >= 0 {
        return Ok(this);
    }
    let n = int_of(ec, this)?;
    // What is rounded up to a power of ten beyond the number may be far larger than the number.
    let places = digits.unsigned_abs();
    if places > n.bit_length() / 3 + 2 && places > 1 << 29 {
        let up = matches!(mode, Rounding::Floor if n.is_negative())
            || matches!(mode, Rounding::Ceil if !n.is_negative() && !n.is_zero());
        if up {
            return Err(ec.arg_error("exponent is too large"));
        }
        return Ok(Value::fixnum(0));
    }
    make_int(ec, n.round_digits(digits, mode))
}

fn round(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let (digits, half) = round_args(ec, args)?;
    round_to(ec, this, digits.copied(), half.into())
}

fn floor(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    round_to(ec, this, args.get(0), Rounding::Floor)
}

fn ceil(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    round_to(ec, this, args.get(0), Rounding::Ceil)
}

fn truncate(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    round_to(ec, this, args.get(0), Rounding::Truncate)
}
