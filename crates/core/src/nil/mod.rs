//! nil, true and false.

use asterism_object::class::Class;
use asterism_object::space::WellKnown;
use asterism_object::{Value, string};
use asterism_vm::{Args, Ec, NativeDef, Res};

static NIL: &[NativeDef] = &[
    NativeDef::new("to_s", nil_to_s, 0, 0).leaf(),
    NativeDef::new("inspect", nil_inspect, 0, 0).leaf(),
    NativeDef::new("to_a", nil_to_a, 0, 0).leaf(),
    NativeDef::new("to_h", nil_to_h, 0, 0).leaf(),
    NativeDef::new("to_i", nil_to_i, 0, 0).leaf(),
    NativeDef::new("to_f", nil_to_f, 0, 0).leaf(),
    NativeDef::new("to_r", nil_to_r, 0, 0),
    NativeDef::new("rationalize", nil_to_r, 0, 1),
    NativeDef::new("to_c", nil_to_c, 0, 0),
    NativeDef::new("nil?", yes, 0, 0).leaf(),
    NativeDef::new("=~", nil_match, 1, 1).leaf(),
    NativeDef::new("&", no, 1, 1).leaf(),
    NativeDef::new("|", truth, 1, 1).leaf(),
    NativeDef::new("^", truth, 1, 1).leaf(),
    NativeDef::new("===", same, 1, 1).leaf(),
];

static TRUE: &[NativeDef] = &[
    NativeDef::new("to_s", true_to_s, 0, 0).leaf(),
    NativeDef::new("inspect", true_to_s, 0, 0).leaf(),
    NativeDef::new("&", truth, 1, 1).leaf(),
    NativeDef::new("|", yes, 1, 1).leaf(),
    NativeDef::new("^", falsehood, 1, 1).leaf(),
    NativeDef::new("!", no, 0, 0).leaf(),
    NativeDef::new("===", same, 1, 1).leaf(),
];

static FALSE: &[NativeDef] = &[
    NativeDef::new("to_s", false_to_s, 0, 0).leaf(),
    NativeDef::new("inspect", false_to_s, 0, 0).leaf(),
    NativeDef::new("&", no, 1, 1).leaf(),
    NativeDef::new("|", truth, 1, 1).leaf(),
    NativeDef::new("^", truth, 1, 1).leaf(),
    NativeDef::new("===", same, 1, 1).leaf(),
];

/// Defines the classes' methods.
///
/// # Errors
/// NoMemoryError.
pub fn init(ec: &mut Ec) -> Res<()> {
    for (class, list) in [(WellKnown::NilClass, NIL), (WellKnown::TrueClass, TRUE), (WellKnown::FalseClass, FALSE)] {
        let class = ec.known(class);
        ec.define_natives(class, list)?;
        undef_new(ec, class)?;
    }
    Ok(())
}

/// Takes `new` away from a class whose instances are not made by it.
///
/// # Errors
/// NoMemoryError.
pub fn undef_new(ec: &mut Ec, class: Class) -> Res<()> {
    let meta = ec.singleton_class(class.0)?;
    ec.undef_method(meta, asterism_symbol::sym::new)
}

fn frozen(ec: &mut Ec, text: &str) -> Res {
    let made = string::frozen(ec, text.as_bytes(), asterism_symbol::US_ASCII);
    let made = ec.check(Value::NIL, made)?;
    // Always the same String.
    crate::string::dedup::dedup(ec, made)
}

fn nil_to_s(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    frozen(ec, "")
}

fn nil_inspect(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    ec.str_enc(b"nil", asterism_symbol::US_ASCII)
}

fn nil_to_a(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    ec.array(&[])
}

fn nil_to_h(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    ec.new_hash()
}

fn nil_to_i(_ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    Ok(Value::fixnum(0))
}

fn nil_to_f(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    ec.float(0.0)
}

fn nil_to_r(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    (ec.vm().hooks.new_rational)(ec, Value::fixnum(0), Value::fixnum(1))
}

fn nil_to_c(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    (ec.vm().hooks.new_complex)(ec, Value::fixnum(0), Value::fixnum(0))
}

fn nil_match(_ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    Ok(Value::NIL)
}

fn yes(_ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    Ok(Value::TRUE)
}

fn no(_ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    Ok(Value::FALSE)
}

fn truth(_ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    Ok(Value::bool(args[0].truthy()))
}

fn falsehood(_ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    Ok(Value::bool(!args[0].truthy()))
}

fn same(_ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    Ok(Value::bool(this == args[0]))
}

fn true_to_s(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    frozen(ec, "true")
}

fn false_to_s(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    frozen(ec, "false")
}
