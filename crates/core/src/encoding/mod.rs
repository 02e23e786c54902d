//! Encoding: its objects, the default encodings, and the errors of conversions.

use std::sync::atomic::Ordering;

use asterism_heap::{Marker, Stores, keep_alive};
use asterism_object::class::Class;
use asterism_object::data::{self, DataObject, Shared};
use asterism_object::space::WellKnown;
use asterism_object::types::Type;
use asterism_object::{Value, string};
use asterism_support::Encoding;
use asterism_support::encoding::ENCODINGS;
use asterism_vm::{Args, Ec, NativeDef, Res};

use crate::string::util;
use defaults::NONE;
pub use defaults::{Encodings, external, internal};

mod converter;
pub mod defaults;
pub mod errors;
pub mod options;

static METHODS: &[NativeDef] = &[
    NativeDef::new("name", name, 0, 0).leaf(),
    NativeDef::new("to_s", name, 0, 0).leaf(),
    NativeDef::new("inspect", inspect, 0, 0).leaf(),
    NativeDef::new("names", names, 0, 0).leaf(),
    NativeDef::new("dummy?", dummy, 0, 0).leaf(),
    NativeDef::new("ascii_compatible?", ascii_compatible, 0, 0).leaf(),
    NativeDef::new("_dump", name, 0, 1).leaf(),
];

static SINGLETON: &[NativeDef] = &[
    NativeDef::new("list", list, 0, 0).leaf(),
    NativeDef::new("name_list", name_list, 0, 0).leaf(),
    NativeDef::new("aliases", aliases, 0, 0).leaf(),
    NativeDef::new("find", find, 1, 1),
    NativeDef::new("_load", find, 1, 1),
    NativeDef::new("compatible?", compatible, 2, 2).leaf(),
    NativeDef::new("default_external", default_external, 0, 0).leaf(),
    NativeDef::new("default_external=", set_default_external, 1, 1),
    NativeDef::new("default_internal", default_internal, 0, 0).leaf(),
    NativeDef::new("default_internal=", set_default_internal, 1, 1),
    NativeDef::new("locale_charmap", locale_charmap, 0, 0).leaf(),
];

/// An Encoding object's payload: its index.
struct EncodingObject(u8);

impl DataObject for EncodingObject {
    const NAME: &'static str = "encoding";
    const SHARED: Shared = Shared::Always;
    const STORES: Stores = Stores::None;

    fn trace(&self, _marker: &mut Marker) {}

    fn replica(&self) -> Option<EncodingObject> {
        Some(EncodingObject(self.0))
    }
}

/// The Encoding object.
pub fn object(ec: &Ec, encoding: Encoding) -> Value {
    match ec.vm().part::<Encodings>().object(encoding) {
        Some(word) => word.load(Ordering::Acquire),
        None => Value::NIL,
    }
}

/// The encoding that `v` is the object of.
pub fn of_object(v: Value) -> Option<Encoding> {
    let found = data::get::<EncodingObject>(&v).and_then(|o| Encoding::from_index(usize::from(o.0)));
    keep_alive(v.bits());
    found
}

/// The encoding of a name, `None` if there is none. `internal` without a default is binary's absence: `None` too.
pub fn find_name(ec: &Ec, name: &[u8]) -> Option<Encoding> {
    match name.to_ascii_lowercase().as_slice() {
        b"external" | b"locale" | b"filesystem" => Some(external(ec)),
        b"internal" => internal(ec),
        _ => Encoding::find(name),
    }
}

/// The encoding that an argument (an Encoding or a name) says.
///
/// # Errors
/// ArgumentError for an unknown name, TypeError for anything else.
pub fn from_value(ec: &mut Ec, v: Value) -> Res<Encoding> {
    if let Some(encoding) = of_object(v) {
        return Ok(encoding);
    }
    let given = util::to_str(ec, v)?;
    if !util::encoding(given).is_ascii_compatible() {
        return Err(ec.arg_error("invalid encoding name (non ASCII)"));
    }
    let name = string::to_vec(ec, given);
    match find_name(ec, &name) {
        Some(encoding) => Ok(encoding),
        None => {
            let message = [b"unknown encoding name - ", &name[..]].concat();
            Err(ec.arg_error(message))
        }
    }
}

/// Defines the classes' methods.
///
/// # Errors
/// NoMemoryError.
pub fn init(ec: &mut Ec) -> Res<()> {
    let class = ec.known(WellKnown::Encoding);
    ec.define_natives(class, METHODS)?;
    ec.define_singleton_natives(class, SINGLETON)?;
    crate::nil::undef_new(ec, class)?;
    for encoding in Encoding::all() {
        let made = data::new(ec, class.0, EncodingObject(encoding.index()));
        let made = ec.check(Value::NIL, made)?;
        let made = ec.freeze(made)?;
        if let Some(word) = ec.vm().part::<Encodings>().object(encoding) {
            word.store(made, Ordering::Release);
        }
        for name in std::iter::once(&encoding.name()).chain(encoding.aliases()) {
            define_names(ec, class, name, made)?;
        }
    }
    let version = ec.str("17.0.0")?;
    let version = ec.freeze(version)?;
    ec.set_constant(class, asterism_symbol::intern("UNICODE_VERSION"), version)?;
    errors::init(ec, class)?;
    converter::init(ec, class)
}

/// Defines the constants of a name: as it is, if it can be a constant, with a capital at the front, and in
/// capitals.
fn define_names(ec: &mut Ec, class: Class, name: &str, value: Value) -> Res<()> {
    let constant: String = name.chars().map(|c| if c == '-' { '_' } else { c }).collect();
    let upper = constant.to_ascii_uppercase();
    let mut spellings = Vec::new();
    if constant.starts_with(|c: char| c.is_ascii_alphabetic()) {
        let mut capital = constant.clone();
        if let Some(first) = capital.get_mut(0..1) {
            first.make_ascii_uppercase();
        }
        spellings.push(capital);
        spellings.push(upper);
    }
    for spelling in spellings {
        let sym = asterism_symbol::intern(&spelling);
        if ec.own_constant(class, sym).is_none() {
            ec.set_constant(class, sym, value)?;
        }
    }
    Ok(())
}

fn this_encoding(ec: &mut Ec, this: Value) -> Res<Encoding> {
    match of_object(this) {
        Some(encoding) => Ok(encoding),
        None => Err(ec.type_error("wrong argument type (expected encoding)")),
    }
}

fn name(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let encoding = this_encoding(ec, this)?;
    ec.str_enc(encoding.name().as_bytes(), asterism_symbol::US_ASCII)
}

fn inspect(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let encoding = this_encoding(ec, this)?;
    ec.str_enc(encoding.inspect().as_bytes(), asterism_symbol::US_ASCII)
}

/// The special names that stand for `encoding` at the moment.
fn special_names(ec: &Ec, encoding: Encoding) -> Vec<&'static str> {
    let mut names = Vec::new();
    if external(ec) == encoding {
        names.extend(["locale", "external", "filesystem"]);
    }
    if internal(ec) == Some(encoding) {
        names.push("internal");
    }
    names
}

fn names(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let encoding = this_encoding(ec, this)?;
    let list = ec.array_with_capacity(2)?;
    let special = special_names(ec, encoding);
    for name in std::iter::once(&encoding.name()).chain(encoding.aliases()).chain(&special) {
        let s = ec.str_enc(name.as_bytes(), asterism_symbol::US_ASCII)?;
        ec.array_push(list, s)?;
    }
    Ok(list)
}

fn dummy(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(Value::bool(this_encoding(ec, this)?.is_dummy()))
}

fn ascii_compatible(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(Value::bool(this_encoding(ec, this)?.is_ascii_compatible()))
}

fn list(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    let list = ec.array_with_capacity(ENCODINGS.len())?;
    for encoding in Encoding::all() {
        let v = object(ec, encoding);
        ec.array_push(list, v)?;
    }
    Ok(list)
}

fn name_list(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    let list = ec.array_with_capacity(ENCODINGS.len() * 2)?;
    for encoding in Encoding::all() {
        for name in std::iter::once(&encoding.name()).chain(encoding.aliases()) {
            let s = ec.str_enc(name.as_bytes(), asterism_symbol::US_ASCII)?;
            ec.array_push(list, s)?;
        }
    }
    for name in ["locale", "external", "filesystem", "internal"] {
        let s = ec.str_enc(name.as_bytes(), asterism_symbol::US_ASCII)?;
        ec.array_push(list, s)?;
    }
    Ok(list)
}

fn aliases(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    let table = ec.new_hash()?;
    let put = |ec: &mut Ec, alias: &str, name: &str| {
        let key = ec.str_enc(alias.as_bytes(), asterism_symbol::US_ASCII)?;
        let value = ec.str_enc(name.as_bytes(), asterism_symbol::US_ASCII)?;
        ec.hash_set(table, key, value)
    };
    for encoding in Encoding::all() {
        for alias in encoding.aliases() {
            put(ec, alias, encoding.name())?;
        }
    }
    let (outer, inner) = (external(ec), internal(ec));
    for alias in ["locale", "external", "filesystem"] {
        put(ec, alias, outer.name())?;
    }
    if let Some(inner) = inner {
        put(ec, "internal", inner.name())?;
    }
    Ok(table)
}

fn find(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let v = args[0];
    if v.is_type(Type::String) {
        let name = string::to_vec(ec, v);
        if name.eq_ignore_ascii_case(b"internal") && internal(ec).is_none() {
            return Ok(Value::NIL);
        }
    }
    let encoding = from_value(ec, v)?;
    Ok(object(ec, encoding))
}

/// What `Encoding.compatible?` looks at: a string with contents, or only an encoding.
fn encoding_of(v: Value) -> Option<Encoding> {
    if v.is_type(Type::String) {
        return Some(util::encoding(v));
    }
    if let Some(s) = v.as_symbol() {
        return Encoding::from_index(usize::from(s.with_name(|_, encoding| encoding)));
    }
    crate::regexp::pattern::encoding_of(v).or_else(|| of_object(v))
}

fn compatible(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let (mut a, mut b) = (args[0], args[1]);
    let (Some(mut left), Some(mut right)) = (encoding_of(a), encoding_of(b)) else {
        return Ok(Value::NIL);
    };
    if a.is_type(Type::String) && b.is_type(Type::String) {
        return Ok(match util::compatible(ec, a, b) {
            Some(encoding) => object(ec, encoding),
            None => Value::NIL,
        });
    }
    if left == right {
        return Ok(object(ec, left));
    }
    if b.is_type(Type::String) && string::is_empty(b) {
        return Ok(object(ec, left));
    }
    if !left.is_ascii_compatible() || !right.is_ascii_compatible() {
        return Ok(Value::NIL);
    }
    if !b.is_type(Type::String) && right == Encoding::US_ASCII {
        return Ok(object(ec, left));
    }
    if !a.is_type(Type::String) && left == Encoding::US_ASCII {
        return Ok(object(ec, right));
    }
    if !a.is_type(Type::String) {
        std::mem::swap(&mut a, &mut b);
        std::mem::swap(&mut left, &mut right);
    }
    if a.is_type(Type::String) && string::is_ascii_only(ec, a) {
        return Ok(object(ec, right));
    }
    Ok(Value::NIL)
}

fn default_external(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    Ok(object(ec, external(ec)))
}

fn set_default_external(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    if args[0].is_nil() {
        return Err(ec.arg_error("default external can not be nil"));
    }
    let encoding = from_value(ec, args[0])?;
    ec.vm().part::<Encodings>().external.store(encoding.index(), Ordering::Relaxed);
    Ok(args[0])
}

fn default_internal(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    Ok(match internal(ec) {
        Some(encoding) => object(ec, encoding),
        None => Value::NIL,
    })
}

fn set_default_internal(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let index = if args[0].is_nil() { NONE } else { from_value(ec, args[0])?.index() };
    ec.vm().part::<Encodings>().internal.store(index, Ordering::Relaxed);
    Ok(args[0])
}

fn locale_charmap(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    ec.str_enc(b"UTF-8", asterism_symbol::US_ASCII)
}
