//! Numbers.

use std::ffi::{c_double, c_int, c_long, c_uint};

use asterism_core::numeric::{make, operand};
use asterism_object::types::Type;
use asterism_object::{Value, bigint, float, numeric, string};
use asterism_support::float_fmt::{parse_float_prefix, parse_float_strict};
use asterism_vm::{Ec, Exc, Res};
use num_bigint::{BigInt, Sign};

use crate::call::named;
use crate::lock::in_ruby;
use crate::types::{Id, Text};

mod pack;

/// The Integer of anything that converts to one without being asked to.
fn integer(ec: &mut Ec, v: Value) -> Res<BigInt> {
    if let Some(n) = v.fixnum_value() {
        return Ok(BigInt::from(n));
    }
    if v.is_type(Type::BigInt) {
        return Ok(bigint::get(&v).clone());
    }
    if let Some(f) = float::to_f64(v) {
        let n = if f.abs() < 9.0e18 { Some(BigInt::from(f as i64)) } else { None };
        return match n {
            Some(n) => Ok(n),
            None if f.is_finite() => {
                let made = ec.float_to_integer(f)?;
                integer(ec, made)
            }
            None => Err(ec.raise(
                Exc::FloatDomainError,
                if f.is_nan() {
                    "NaN"
                } else if f > 0.0 {
                    "Infinity"
                } else {
                    "-Infinity"
                },
            )),
        };
    }
    if v.is_nil() {
        return Err(ec.type_error("no implicit conversion from nil to integer"));
    }
    if v == Value::TRUE || v == Value::FALSE {
        return Err(ec.type_error(
            "no implicit conversion of ".to_owned() + if v == Value::TRUE { "true" } else { "false" } + " into Integer",
        ));
    }
    let made = crate::lock::in_ruby(ec, |ec| ec.to_integer(v))?;
    integer(ec, made)
}

/// A signed number of C of so many bits.
fn signed(ec: &mut Ec, v: Value, bits: u32, name: &str) -> Res<i64> {
    if let Some(f) = float::to_f64(v)
        && !(f < 9_223_372_036_854_775_808.0 && f > -9_223_372_036_854_775_809.0)
    {
        return Err(out_of_float_range(ec, f, name));
    }
    let n = integer(ec, v)?;
    let Ok(word) = i64::try_from(&n) else {
        return Err(ec.range_error(format!("bignum too big to convert into '{name}'")));
    };
    if bits < 64 && (word >> (bits - 1) != 0 && word >> (bits - 1) != -1) {
        let how = if word < 0 { "small" } else { "big" };
        return Err(ec.range_error(format!("integer {word} too {how} to convert to '{name}'")));
    }
    Ok(word)
}

fn out_of_float_range(ec: &mut Ec, f: f64, name: &str) -> asterism_vm::Raised {
    let shown = if f.is_nan() { "NaN".to_owned() } else { format!("{f}") };
    let shown = if f.is_finite() { asterism_support::float_fmt::float_to_s(f) } else { shown.replace("inf", "Inf") };
    ec.range_error(format!("float {shown} out of range of {name}"))
}

/// An unsigned number of C; a negative one is taken modulo, as far as a signed one of the size could be it.
fn unsigned(ec: &mut Ec, v: Value, name: &str) -> Res<u64> {
    if let Some(f) = float::to_f64(v)
        && !(f < 18_446_744_073_709_551_616.0 && f > -9_223_372_036_854_775_809.0)
    {
        return Err(out_of_float_range(ec, f, name));
    }
    let n = integer(ec, v)?;
    if let Ok(word) = u64::try_from(&n) {
        return Ok(word);
    }
    let digits = n.iter_u64_digits().len();
    match digits {
        0 | 1 if n.sign() == Sign::Minus => Ok(n.iter_u64_digits().next().unwrap_or(0).wrapping_neg()),
        _ => Err(ec.range_error(format!("bignum too big to convert into '{name}'"))),
    }
}

fn float_of(ec: &mut Ec, v: Value) -> Res<f64> {
    if let Some(f) = float::to_f64(v) {
        return Ok(f);
    }
    if v.is_type(Type::String) {
        return Err(ec.type_error("no implicit conversion to float from string"));
    }
    let numeric = ec.class(asterism_object::space::WellKnown::Numeric);
    if v.cell().is_none() || ec.is_kind_of(v, numeric) {
        return crate::lock::in_ruby(ec, |ec| operand::to_f64(ec, v));
    }
    let to_f = asterism_symbol::intern("to_f");
    if !crate::lock::in_ruby(ec, |ec| ec.respond_to(v, to_f, true))? {
        let class = ec.class_name_of(v);
        return Err(ec.type_error(format!("can't convert {class} into Float")));
    }
    let made = named(ec, v, "to_f", &[])?;
    let is_float = made.is_flonum() || made.is_type(Type::Float);
    if let Some(f) = float::to_f64(made).filter(|_| is_float) {
        return Ok(f);
    }
    let (class, got) = (ec.class_name_of(v), ec.class_name_of(made));
    Err(ec.type_error(format!("can't convert {class} to Float ({class}#to_f gives {got})")))
}

/// The Integer that a text begins with, or all of it.
fn parse(ec: &mut Ec, text: Value, base: c_int, strict: bool) -> Res {
    if strict {
        let main = ec.vm().root(asterism_vm::vm::Root::MainObject);
        let base = ec.int(i64::from(base))?;
        return named(ec, main, "Integer", &[text, base]);
    }
    let base = ec.int(i64::from(base))?;
    named(ec, text, "to_i", &[base])
}

fn big(ec: &mut Ec, n: BigInt) -> Res {
    ec.bigint(n)
}

api! {
    fn rb_num2long(ec, v: Value) -> c_long {
        signed(ec, v, 64, "long")
    }

    fn rb_num2ulong(ec, v: Value) -> u64 {
        unsigned(ec, v, "unsigned long")
    }

    fn rb_num2int(ec, v: Value) -> c_long {
        signed(ec, v, 64, "long").and_then(|n| fit(ec, n, 32, "int"))
    }

    fn rb_fix2int(ec, v: Value) -> c_long {
        signed(ec, v, 64, "long").and_then(|n| fit(ec, n, 32, "int"))
    }

    fn rb_num2uint(ec, v: Value) -> u64 {
        let n = unsigned(ec, v, "unsigned long")?;
        unsigned_fit(ec, n)
    }

    fn rb_fix2uint(ec, v: Value) -> u64 {
        let n = unsigned(ec, v, "unsigned long")?;
        unsigned_fit(ec, n)
    }

    fn rb_num2short(ec, v: Value) -> i16 {
        let n = signed(ec, v, 64, "long")?;
        Ok(fit(ec, n, 16, "short")? as i16)
    }

    fn rb_fix2short(ec, v: Value) -> i16 {
        let n = signed(ec, v, 64, "long")?;
        Ok(fit(ec, n, 16, "short")? as i16)
    }

    fn rb_num2ushort(ec, v: Value) -> u16 {
        let n = signed(ec, v, 64, "long")?;
        if !(-32768..=65535).contains(&n) {
            let how = if n < 0 { "small" } else { "big" };
            return Err(ec.range_error(format!("integer {n} too {how} to convert to 'unsigned short'")));
        }
        Ok(n as u16)
    }

    fn rb_num2ll(ec, v: Value) -> i64 {
        if v.is_type(Type::String) {
            return Err(ec.type_error("no implicit conversion from string"));
        }
        signed(ec, v, 64, "long long")
    }

    fn rb_num2ull(ec, v: Value) -> u64 {
        if v.is_type(Type::String) {
            return Err(ec.type_error("no implicit conversion from string"));
        }
        unsigned(ec, v, "unsigned long long")
    }

    fn rb_num2dbl(ec, v: Value) -> c_double {
        float_of(ec, v)
    }

    fn rb_float_value(_ec, v: Value) -> c_double {
        Ok(float::to_f64(v).unwrap_or(0.0))
    }

    fn rb_float_new(ec, f: c_double) -> Value {
        ec.float(f)
    }

    fn rb_float_new_in_heap(ec, f: c_double) -> Value {
        ec.float(f)
    }

    fn rb_int2inum(ec, n: i64) -> Value {
        ec.int(n)
    }

    fn rb_int2big(ec, n: i64) -> Value {
        ec.int(n)
    }

    fn rb_ll2inum(ec, n: i64) -> Value {
        ec.int(n)
    }

    fn rb_uint2inum(ec, n: u64) -> Value {
        let made = bigint::from_u64(ec, n);
        ec.check(Value::NIL, made)
    }

    fn rb_uint2big(ec, n: u64) -> Value {
        let made = bigint::from_u64(ec, n);
        ec.check(Value::NIL, made)
    }

    fn rb_ull2inum(ec, n: u64) -> Value {
        let made = bigint::from_u64(ec, n);
        ec.check(Value::NIL, made)
    }

    fn rb_out_of_int(ec, n: c_long) {
        fit(ec, n, 32, "int")?;
        Ok(())
    }

    fn rb_big2long(ec, v: Value) -> c_long {
        signed(ec, v, 64, "long")
    }

    fn rb_big2ulong(ec, v: Value) -> u64 {
        unsigned(ec, v, "unsigned long")
    }

    fn rb_big2ll(ec, v: Value) -> i64 {
        signed(ec, v, 64, "long long")
    }

    fn rb_big2ull(ec, v: Value) -> u64 {
        unsigned(ec, v, "unsigned long long")
    }

    fn rb_big2dbl(ec, v: Value) -> c_double {
        let f = float_of(ec, v)?;
        if f.is_infinite() {
            asterism_vm::load::warn(ec, "out of Float range")?;
        }
        Ok(f)
    }

    fn rb_dbl2big(ec, f: c_double) -> Value {
        if !f.is_finite() {
            return Err(ec.raise(Exc::FloatDomainError, if f.is_nan() { "NaN" } else if f > 0.0 { "Infinity" } else { "-Infinity" }));
        }
        ec.float_to_integer(f)
    }

    fn rb_dbl2ival(ec, f: c_double) -> Value {
        ec.float_to_integer(f)
    }

    fn rb_big2str(ec, v: Value, base: c_int) -> Value {
        let base = ec.int(i64::from(base))?;
        named(ec, v, "to_s", &[base])
    }

    fn rb_fix2str(ec, v: Value, base: c_int) -> Value {
        let base = ec.int(i64::from(base))?;
        named(ec, v, "to_s", &[base])
    }

    fn rb_big_cmp(ec, a: Value, b: Value) -> Value {
        named(ec, a, "<=>", &[b])
    }

    fn rb_big_sign(ec, v: Value) -> c_int {
        Ok(c_int::from(integer(ec, v)?.sign() != Sign::Minus))
    }

    fn rb_big_norm(_ec, v: Value) -> Value {
        Ok(v)
    }

    fn rb_cstr_to_inum(ec, text: Text, base: c_int, strict: c_int) -> Value {
        let text = ec.str(text.bytes())?;
        parse(ec, text, base, strict != 0)
    }

    fn rb_cstr2inum(ec, text: Text, base: c_int) -> Value {
        let text = ec.str(text.bytes())?;
        parse(ec, text, base, base == 2)
    }

    fn rb_str_to_inum(ec, text: Value, base: c_int, strict: c_int) -> Value {
        parse(ec, text, base, strict != 0)
    }

    fn rb_str2inum(ec, text: Value, base: c_int) -> Value {
        parse(ec, text, base, base == 2)
    }

    fn rb_cstr_to_dbl(ec, text: Text, strict: c_int) -> c_double {
        text_to_dbl(ec, text.bytes(), strict)
    }

    fn rb_str_to_dbl(ec, text: Value, strict: c_int) -> c_double {
        let text = in_ruby(ec, |ec| ec.to_str(text))?;
        let bytes = string::read(ec, text);
        text_to_dbl(ec, &bytes, strict)
    }

    fn rb_Integer(ec, v: Value) -> Value {
        let main = ec.vm().root(asterism_vm::vm::Root::MainObject);
        named(ec, main, "Integer", &[v])
    }

    fn rb_Float(ec, v: Value) -> Value {
        let main = ec.vm().root(asterism_vm::vm::Root::MainObject);
        named(ec, main, "Float", &[v])
    }

    fn rb_to_float(ec, v: Value) -> Value {
        let f = operand::to_float_strict(ec, v)?;
        ec.float(f)
    }

    fn rb_to_int(ec, v: Value) -> Value {
        crate::lock::in_ruby(ec, |ec| ec.to_integer(v))
    }

    fn rb_check_to_int(ec, v: Value) -> Value {
        check_to(ec, v, "to_int")
    }

    fn rb_check_to_integer(ec, v: Value, method: Text) -> Value {
        if bigint::is_integer(v) {
            return Ok(v);
        }
        let name = method.sym();
        if !crate::lock::in_ruby(ec, |ec| ec.respond_to(v, name, true))? {
            return Ok(Value::NIL);
        }
        let made = crate::call::method(ec, v, name, &[])?;
        Ok(if bigint::is_integer(made) { made } else { Value::NIL })
    }

    fn rb_check_to_float(ec, v: Value) -> Value {
        if float::is_float(v) {
            return Ok(v);
        }
        if !ec.is_kind_of(v, ec.class(asterism_object::space::WellKnown::Numeric)) {
            return Ok(Value::NIL);
        }
        let f = operand::to_f64(ec, v)?;
        ec.float(f)
    }

    fn rb_num_coerce_bin(ec, a: Value, b: Value, op: Id) -> Value {
        crate::lock::in_ruby(ec, |ec| operand::coerce_bin(ec, a, b, op.sym()))
    }

    fn rb_num_coerce_cmp(ec, a: Value, b: Value, op: Id) -> Value {
        crate::lock::in_ruby(ec, |ec| operand::coerce_cmp(ec, a, b, op.sym()))
    }

    fn rb_num_coerce_relop(ec, a: Value, b: Value, op: Id) -> Value {
        crate::lock::in_ruby(ec, |ec| operand::coerce_relop(ec, a, b, op.sym()))
    }

    fn rb_num_coerce_bit(ec, a: Value, b: Value, op: Id) -> Value {
        crate::lock::in_ruby(ec, |ec| operand::coerce_bin(ec, a, b, op.sym()))
    }

    fn rb_num_zerodiv(ec) {
        Err(ec.zero_div())
    }

    fn rb_cmpint(ec, order: Value, a: Value, b: Value) -> c_int {
        Ok(ec.compare_result(order, a, b)? as c_int)
    }

    /// C: NORETURN(void rb_cmperr(VALUE a, VALUE b));
    fn rb_cmperr(ec, a: Value, b: Value) {
        Err(ec.compare_error(a, b))
    }

    fn rb_int_positive_pow(ec, n: c_long, exponent: u64) -> Value {
        let (n, exponent) = (ec.int(n)?, ec.size(exponent as usize)?);
        named(ec, n, "**", &[exponent])
    }

    fn rb_int_pair_to_real(_ec, a: c_uint, b: c_uint, _excl: c_int) -> c_double {
        Ok((f64::from(a >> 5) * 67_108_864.0 + f64::from(b >> 6)) / 9_007_199_254_740_992.0)
    }

    fn rb_rational_new(ec, a: Value, b: Value) -> Value {
        make::new_rational(ec, a, b)
    }

    fn rb_rational_raw(ec, a: Value, b: Value) -> Value {
        let made = numeric::rational(ec, a, b);
        ec.check(Value::NIL, made)
    }

    fn rb_Rational(ec, a: Value, b: Value) -> Value {
        let main = ec.vm().root(asterism_vm::vm::Root::MainObject);
        named(ec, main, "Rational", &[a, b])
    }

    fn rb_complex_new(ec, a: Value, b: Value) -> Value {
        make::new_complex(ec, a, b)
    }

    fn rb_complex_raw(ec, a: Value, b: Value) -> Value {
        let made = numeric::complex(ec, a, b);
        ec.check(Value::NIL, made)
    }

    fn rb_Complex(ec, a: Value, b: Value) -> Value {
        let main = ec.vm().root(asterism_vm::vm::Root::MainObject);
        named(ec, main, "Complex", &[a, b])
    }

    fn rb_complex_new_polar(ec, a: Value, b: Value) -> Value {
        let class = ec.class(asterism_object::space::WellKnown::Complex);
        named(ec, class, "polar", &[a, b])
    }

    fn rb_dbl_complex_new(ec, a: c_double, b: c_double) -> Value {
        let (a, b) = (ec.float(a)?, ec.float(b)?);
        make::new_complex(ec, a, b)
    }

    fn rb_flt_rationalize(ec, v: Value) -> Value {
        named(ec, v, "rationalize", &[])
    }

    fn rb_flt_rationalize_with_prec(ec, v: Value, precision: Value) -> Value {
        named(ec, v, "rationalize", &[precision])
    }


    fn rb_random_real(ec, generator: Value) -> c_double {
        let v = named(ec, generator, "rand", &[])?;
        float_of(ec, v)
    }

    fn rb_genrand_real(ec) -> c_double {
        let v = named(ec, Value::NIL, "rand", &[])?;
        float_of(ec, v)
    }

    fn rb_genrand_int32(ec) -> c_uint {
        let limit = ec.int(1 << 32)?;
        let v = named(ec, Value::NIL, "rand", &[limit])?;
        Ok(v.as_fixnum() as c_uint)
    }

    fn rb_random_int32(ec, generator: Value) -> c_uint {
        let limit = ec.int(1 << 32)?;
        let v = named(ec, generator, "rand", &[limit])?;
        Ok(v.as_fixnum() as c_uint)
    }

    fn rb_genrand_ulong_limited(ec, limit: u64) -> u64 {
        let limit = BigInt::from(limit) + 1;
        let limit = ec.bigint(limit)?;
        let v = named(ec, Value::NIL, "rand", &[limit])?;
        unsigned(ec, v, "unsigned long")
    }

    fn rb_random_ulong_limited(ec, generator: Value, limit: u64) -> u64 {
        let limit = BigInt::from(limit) + 1;
        let limit = ec.bigint(limit)?;
        let v = named(ec, generator, "rand", &[limit])?;
        unsigned(ec, v, "unsigned long")
    }

    fn rb_random_bytes(ec, generator: Value, n: c_long) -> Value {
        let n = ec.int(n)?;
        named(ec, generator, "bytes", &[n])
    }
}

fn fit(ec: &mut Ec, n: i64, bits: u32, name: &str) -> Res<i64> {
    let top = n >> (bits - 1);
    if top == 0 || top == -1 {
        return Ok(n);
    }
    let how = if n < 0 { "small" } else { "big" };
    Err(ec.range_error(format!("integer {n} too {how} to convert to '{name}'")))
}

fn unsigned_fit(ec: &mut Ec, n: u64) -> Res<u64> {
    let signed = n as i64;
    if n <= u64::from(u32::MAX) || (signed < 0 && signed >= i64::from(i32::MIN)) {
        return Ok(n);
    }
    let how = if signed < 0 { "small" } else { "big" };
    Err(ec.range_error(format!("integer {signed} too {how} to convert to 'unsigned int'")))
}

/// What `String#to_f` says of the text, or `Kernel#Float` if it is to be a number whole.
fn text_to_dbl(ec: &mut Ec, text: &[u8], strict: c_int) -> Res<f64> {
    if strict == 0 {
        return Ok(parse_float_prefix(text));
    }
    parse_float_strict(text).map_err(|e| ec.arg_error(e.message))
}

fn check_to(ec: &mut Ec, v: Value, name: &'static str) -> Res {
    if bigint::is_integer(v) {
        return Ok(v);
    }
    let sym = asterism_symbol::intern_static(name);
    if !crate::lock::in_ruby(ec, |ec| ec.respond_to(v, sym, true))? {
        return Ok(Value::NIL);
    }
    let made = named(ec, v, name, &[])?;
    Ok(if bigint::is_integer(made) { made } else { Value::NIL })
}

methods! {
    fn rb_big_plus(a, b) = "+";
    fn rb_big_minus(a, b) = "-";
    fn rb_big_mul(a, b) = "*";
    fn rb_big_div(a, b) = "/";
    fn rb_big_idiv(a, b) = "div";
    fn rb_big_modulo(a, b) = "%";
    fn rb_big_divmod(a, b) = "divmod";
    fn rb_big_pow(a, b) = "**";
    fn rb_big_and(a, b) = "&";
    fn rb_big_or(a, b) = "|";
    fn rb_big_xor(a, b) = "^";
    fn rb_big_lshift(a, b) = "<<";
    fn rb_big_eq(a, b) = "==";
    fn rb_big_eql(a, b) = "eql?";
    fn rb_big_hash(a) = "hash";
    fn rb_rational_num(v) = "numerator";
    fn rb_rational_den(v) = "denominator";
    fn rb_complex_real(v) = "real";
    fn rb_complex_imag(v) = "imaginary";
    fn rb_complex_plus(a, b) = "+";
    fn rb_complex_minus(a, b) = "-";
    fn rb_complex_mul(a, b) = "*";
    fn rb_complex_div(a, b) = "/";
    fn rb_complex_pow(a, b) = "**";
    fn rb_complex_uminus(v) = "-@";
    fn rb_complex_conjugate(v) = "conjugate";
    fn rb_complex_abs(v) = "abs";
    fn rb_complex_arg(v) = "arg";
}
