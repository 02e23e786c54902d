//! Symbol. What it shares with String it does through a String of its name.

use asterism_object::space::WellKnown;
use asterism_object::{Sym, Value, string};
use asterism_support::{Encoding, inspect as text};
use asterism_symbol::{AnySym, US_ASCII};
use asterism_vm::block::Proc;
use asterism_vm::{ANY, Args, Ec, NativeDef, Res};

pub mod names;

pub use names::{is_identifier, symbol_array};

use crate::regexp::hooks;
use crate::string::util;

static METHODS: &[NativeDef] = &[
    NativeDef::new("to_s", to_s, 0, 0).leaf(),
    NativeDef::new("id2name", to_s, 0, 0).leaf(),
    NativeDef::new("name", name, 0, 0).leaf(),
    NativeDef::new("to_sym", to_sym, 0, 0).leaf(),
    NativeDef::new("intern", to_sym, 0, 0).leaf(),
    NativeDef::new("to_proc", to_proc, 0, 0).leaf(),
    NativeDef::new("inspect", inspect, 0, 0).leaf(),
    NativeDef::new("==", same, 1, 1).leaf(),
    NativeDef::new("===", same, 1, 1).leaf(),
    NativeDef::new("<=>", cmp, 1, 1).leaf(),
    NativeDef::new("casecmp", casecmp, 1, 1),
    NativeDef::new("casecmp?", casecmp_p, 1, 1),
    NativeDef::new("[]", aref, 1, 2),
    NativeDef::new("slice", aref, 1, 2),
    NativeDef::new("length", length, 0, 0).leaf(),
    NativeDef::new("size", length, 0, 0).leaf(),
    NativeDef::new("empty?", empty, 0, 0).leaf(),
    NativeDef::new("encoding", encoding, 0, 0).leaf(),
    NativeDef::new("upcase", upcase, 0, ANY),
    NativeDef::new("downcase", downcase, 0, ANY),
    NativeDef::new("swapcase", swapcase, 0, ANY),
    NativeDef::new("capitalize", capitalize, 0, ANY),
    NativeDef::new("succ", succ, 0, 0),
    NativeDef::new("next", succ, 0, 0),
    NativeDef::new("start_with?", start_with, 0, ANY),
    NativeDef::new("end_with?", end_with, 0, ANY),
    NativeDef::new("=~", match_op, 1, 1).leaf(),
    NativeDef::new("match", match_method, 1, ANY),
    NativeDef::new("match?", match_p, 1, 2).leaf(),
];

static SINGLETON: &[NativeDef] = &[NativeDef::new("all_symbols", all_symbols, 0, 0).leaf()];

/// Defines the classes' methods.
///
/// # Errors
/// NoMemoryError.
pub fn init(ec: &mut Ec) -> Res<()> {
    let class = ec.known(WellKnown::Symbol);
    let comparable = ec.known(WellKnown::Comparable);
    ec.include_module(class, comparable, false)?;
    ec.define_natives(class, METHODS)?;
    ec.define_singleton_natives(class, SINGLETON)?;
    // Symbols are not made with `new`.
    let single = ec.singleton_class(class.0)?;
    ec.undef_method(single, asterism_symbol::sym::new)
}

/// The receiver: methods of Symbol are only ever called on Symbols.
fn symbol_of(ec: &mut Ec, this: Value) -> Res<AnySym> {
    match this.as_symbol() {
        Some(s) => Ok(s),
        None => Err(ec.type_error("wrong argument type (expected Symbol)")),
    }
}

/// The name as a new String.
fn text_of(ec: &mut Ec, this: Value) -> Res {
    let s = symbol_of(ec, this)?;
    ec.symbol_name(this, s)
}

fn to_s(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let text = text_of(ec, this)?;
    string::chill(ec, text, string::Chilled::Name);
    Ok(text)
}

fn name(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let symbol = symbol_of(ec, this)?;
    if symbol.is_dynamic() {
        let made = ec.symbol_name(this, symbol)?;
        return crate::string::dedup::dedup(ec, made);
    }
    crate::string::dedup::name_of(ec, symbol.pin())
}

fn to_sym(_ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(this)
}

fn to_proc(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let s = symbol_of(ec, this)?.pin();
    Ok(Proc::of_symbol(ec, s)?.0)
}

fn inspect(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let s = symbol_of(ec, this)?;
    let (shown, is_ascii) = s.with_name(|bytes, encoding| {
        let encoding = Encoding::from_index(usize::from(encoding)).unwrap_or(Encoding::BINARY);
        (text::inspect_symbol(encoding, bytes), bytes.is_ascii() && text::symbol_is_simple(encoding, bytes))
    });
    // What needs no quotes is the name as it is.
    if is_ascii { ec.str_enc(&shown, US_ASCII) } else { ec.str(shown) }
}

fn same(_ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    Ok(Value::bool(this == args[0]))
}

fn cmp(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    if !args[0].is_sym() {
        return Ok(Value::NIL);
    }
    if this == args[0] {
        return Ok(Value::fixnum(0));
    }
    let (a, b) = (text_of(ec, this)?, text_of(ec, args[0])?);
    Ok(Value::fixnum(string::cmp(ec, a, b) as i64))
}

/// The String method `method` on the name and the other's name; nil if the other is no Symbol.
fn with_symbol(ec: &mut Ec, this: Value, other: Value, method: &str) -> Res {
    if !other.is_sym() {
        return Ok(Value::NIL);
    }
    let (a, b) = (text_of(ec, this)?, text_of(ec, other)?);
    ec.call(a, asterism_symbol::intern(method), &[b])
}

fn casecmp(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    with_symbol(ec, this, args[0], "casecmp")
}

fn casecmp_p(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    with_symbol(ec, this, args[0], "casecmp?")
}

/// The String method of the same name on the name.
fn as_string(ec: &mut Ec, this: Value, method: &str, args: Args<'_>) -> Res {
    let s = text_of(ec, this)?;
    ec.call(s, asterism_symbol::intern(method), args.slice())
}

/// Likewise, and the result as a Symbol.
fn as_symbol(ec: &mut Ec, this: Value, method: &str, args: Args<'_>) -> Res {
    let s = as_string(ec, this, method, args)?;
    ec.intern(s)
}

fn aref(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    as_string(ec, this, "[]", args)
}

fn length(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let s = text_of(ec, this)?;
    let n = util::char_len(ec, s);
    ec.size(n)
}

fn empty(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(Value::bool(symbol_of(ec, this)?.with_name(|bytes, _| bytes.is_empty())))
}

fn encoding(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let index = symbol_of(ec, this)?.with_name(|_, encoding| encoding);
    Ok(crate::encoding::object(ec, util::of_index(index)))
}

fn upcase(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    as_symbol(ec, this, "upcase", args)
}

fn downcase(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    as_symbol(ec, this, "downcase", args)
}

fn swapcase(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    as_symbol(ec, this, "swapcase", args)
}

fn capitalize(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    as_symbol(ec, this, "capitalize", args)
}

fn succ(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    as_symbol(ec, this, "succ", args)
}

fn start_with(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    as_string(ec, this, "start_with?", args)
}

fn end_with(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    as_string(ec, this, "end_with?", args)
}

fn match_op(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    as_string(ec, this, "=~", args)
}

fn match_method(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let s = text_of(ec, this)?;
    hooks::string_match(ec, s, args)
}

fn match_p(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let s = text_of(ec, this)?;
    hooks::string_match_p(ec, s, args)
}

fn all_symbols(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    let list = ec.array_with_capacity(asterism_symbol::count() as usize)?;
    for number in 0..asterism_symbol::count() {
        ec.array_push(list, Value::sym(Sym(number)))?;
    }
    for number in ec.heap().symbols().numbers() {
        // A collection may have taken it meanwhile.
        if ec.heap().symbols().holds(number) {
            ec.array_push(list, Value::symbol(AnySym::from_number(number)))?;
        }
    }
    Ok(list)
}
