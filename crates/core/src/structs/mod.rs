//! Struct and Data: what their Ruby part builds on.
//!
//! A class made by `Struct.new` or `Data.define` keeps its members (a frozen Array of Symbols) in a hidden instance
//! variable; instances have one slot a member.

use asterism_object::class::{Alloc, Class};
use asterism_object::space::WellKnown;
use asterism_object::types::Type;
use asterism_object::{Sym, Value, array, hash, structs, symbol_table};
use asterism_support::Encoding;
use asterism_support::inspect::symbol_is_simple;
use asterism_symbol::sym;
use asterism_vm::args::{CallArgs, Keywords};
use asterism_vm::call::CallKind;
use asterism_vm::method::{Body, Method, Visibility};
use asterism_vm::native::{Intrinsic, PrimFn, Special};
use asterism_vm::{ANY, Args, Ec, NativeDef, Res};

/// How many members have accessors that know their slot; those behind look it up by name.
const DIRECT: usize = 10;

macro_rules! accessors {
    ($function:ident, $max:expr, $intrinsic:ident) => {
        [
            NativeDef::new("member", $function::<0>, $max, $max).leaf().intrinsic(Intrinsic::$intrinsic(0)),
            NativeDef::new("member", $function::<1>, $max, $max).leaf().intrinsic(Intrinsic::$intrinsic(1)),
            NativeDef::new("member", $function::<2>, $max, $max).leaf().intrinsic(Intrinsic::$intrinsic(2)),
            NativeDef::new("member", $function::<3>, $max, $max).leaf().intrinsic(Intrinsic::$intrinsic(3)),
            NativeDef::new("member", $function::<4>, $max, $max).leaf().intrinsic(Intrinsic::$intrinsic(4)),
            NativeDef::new("member", $function::<5>, $max, $max).leaf().intrinsic(Intrinsic::$intrinsic(5)),
            NativeDef::new("member", $function::<6>, $max, $max).leaf().intrinsic(Intrinsic::$intrinsic(6)),
            NativeDef::new("member", $function::<7>, $max, $max).leaf().intrinsic(Intrinsic::$intrinsic(7)),
            NativeDef::new("member", $function::<8>, $max, $max).leaf().intrinsic(Intrinsic::$intrinsic(8)),
            NativeDef::new("member", $function::<9>, $max, $max).leaf().intrinsic(Intrinsic::$intrinsic(9)),
        ]
    };
}

static READERS: [NativeDef; DIRECT] = accessors!(read, 0, StructGet);
static WRITERS: [NativeDef; DIRECT] = accessors!(write, 1, StructSet);
static READER: NativeDef = NativeDef::new("member", read_named, 0, 0).leaf();
static WRITER: NativeDef = NativeDef::new("member", write_named, 1, 1).leaf();

/// Does it set a member of a Struct?
pub(crate) fn is_writer(def: &NativeDef) -> bool {
    std::ptr::eq(def, &WRITER) || WRITERS.iter().any(|writer| std::ptr::eq(def, writer))
}

static STRUCT: &[NativeDef] =
    &[NativeDef::new("initialize", struct_initialize, 0, ANY).private().special(Special::StructInitialize)];

static DATA: &[NativeDef] = &[NativeDef::new("initialize", data_initialize, 0, ANY).private()];

/// Singleton methods of a class made by `Struct.new`: `Struct.new` itself makes classes, these make instances.
static STRUCT_CLASS: &[NativeDef] = &[
    NativeDef::new("new", make, 0, ANY).special(Special::New),
    NativeDef::new("[]", make, 0, ANY).special(Special::New),
];

static DATA_CLASS: &[NativeDef] = &[NativeDef::new("new", data_new, 0, ANY), NativeDef::new("[]", data_new, 0, ANY)];

/// Registered with the other primitives.
pub(crate) static PRIMITIVES: &[(&str, PrimFn)] = &[
    ("struct_define", define),
    ("struct_members", members),
    ("struct_keyword_init", keyword_init),
    ("struct_get", get),
    ("struct_place", place),
    ("struct_set", set),
    ("struct_size", size),
    ("struct_label", label),
];

/// Defines the classes' methods.
///
/// # Errors
/// NoMemoryError.
pub fn init(ec: &mut Ec) -> Res<()> {
    let class = ec.known(WellKnown::Struct);
    ec.define_natives(class, STRUCT)?;
    let class = ec.known(WellKnown::Data);
    ec.define_natives(class, DATA)
}

/// The `allocate` of these classes.
///
/// # Errors
/// TypeError for Struct and Data themselves; NoMemoryError.
pub fn allocate(ec: &mut Ec, class: Class) -> Res {
    match members_of(class) {
        Some(list) => {
            let made = structs::new_in(ec, class.0, array::len(list));
            ec.check(Value::NIL, made)
        }
        None => {
            let name = ec.class_name(class);
            Err(ec.type_error(format!("allocator undefined for {name}")))
        }
    }
}

/// A hidden instance variable of a class or of its nearest ancestor that has it.
fn hidden(class: Class, name: Sym) -> Option<Value> {
    class.chain().find_map(|c| if c.is_include() { None } else { symbol_table::get(c.ivars(), name) })
}

/// The members of a class or of the nearest ancestor that has any.
fn members_of(class: Class) -> Option<Value> {
    hidden(class, sym::members_ivar)
}

/// The members of an instance's class.
pub fn members_of_instance(ec: &mut Ec, v: Value) -> Res {
    let class = ec.real_class_of(v);
    match members_of(class) {
        Some(list) if v.is_type(Type::Struct) => Ok(list),
        _ => Err(ec.type_error("uninitialized struct")),
    }
}

fn set_slot(ec: &mut Ec, v: Value, i: usize, x: Value) -> Res<()> {
    let done = structs::set(ec, v, i, x);
    ec.check(v, done)
}

fn position(list: Value, name: Sym) -> Option<usize> {
    let wanted = Value::sym(name);
    (0..array::len(list)).find(|&i| array::at(list, i) == Some(wanted))
}

fn read<const N: usize>(_ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(if this.is_type(Type::Struct) { structs::get(this, N).unwrap_or(Value::NIL) } else { Value::NIL })
}

fn write<const N: usize>(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    set_slot(ec, this, N, args[0])?;
    Ok(args[0])
}

/// The slot of the accessor under way, from the name it was defined with.
fn slot_of_accessor(ec: &mut Ec, this: Value) -> Res<usize> {
    let name = match Method::from_value(ec.fiber.leaf) {
        Some(method) => method.original_name(),
        None => return Err(ec.fatal("a struct accessor without a method")),
    };
    let list = members_of_instance(ec, this)?;
    if let Some(i) = position(list, name) {
        return Ok(i);
    }
    let bytes = name.bytes();
    let plain = bytes.strip_suffix(b"=").and_then(|b| asterism_symbol::lookup(b, name.name().encoding));
    match plain.and_then(|n| position(list, n)) {
        Some(i) => Ok(i),
        None => Err(ec.fatal("a struct accessor without a member")),
    }
}

fn read_named(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let i = slot_of_accessor(ec, this)?;
    Ok(structs::get(this, i).unwrap_or(Value::NIL))
}

fn write_named(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let i = slot_of_accessor(ec, this)?;
    set_slot(ec, this, i, args[0])?;
    Ok(args[0])
}

/// `struct_define(class, members, keyword_init)`: makes `class` a Struct class, or (keyword_init undef) a Data class.
fn define(ec: &mut Ec, args: &[Value]) -> Res {
    let [class, list, by_keyword] = args else {
        return Err(ec.fatal("struct_define takes three arguments"));
    };
    let Some(class) = Class::from_value(*class) else {
        return Err(ec.fatal("struct_define without a class"));
    };
    let is_data = by_keyword.is_undef();
    let list = array::snapshot(ec, *list).map_err(|e| ec.object_error(*list, e))?;
    ec.freeze(list)?;
    class.set_alloc(Alloc::Struct);
    ec.ivar_put(class.0, sym::members_ivar, list)?;
    if !is_data {
        ec.ivar_put(class.0, sym::keyword_init_ivar, *by_keyword)?;
    }
    let mut i = 0;
    while let Some(member) = array::at(list, i) {
        let Some(name) = member.as_sym() else {
            return Err(ec.fatal("a struct member that is no Symbol"));
        };
        let reader = Body::Native(READERS.get(i).unwrap_or(&READER));
        add(ec, class, name, reader)?;
        if !is_data {
            let setter = [name.bytes(), b"="].concat();
            let Some(setter) = asterism_symbol::try_intern(&setter, name.name().encoding) else {
                return Err(ec.raise(asterism_vm::Exc::RuntimeError, "symbol table overflow"));
            };
            add(ec, class, setter, Body::Native(WRITERS.get(i).unwrap_or(&WRITER)))?;
        }
        i += 1;
    }
    ec.define_singleton_natives(class, if is_data { DATA_CLASS } else { STRUCT_CLASS })?;
    Ok(class.0)
}

fn add(ec: &mut Ec, class: Class, name: Sym, body: Body) -> Res<()> {
    let method = Method::new(ec, class.0, name, Visibility::Public, body, Value::NIL)?;
    ec.add_method(class, name, method)
}

fn members(ec: &mut Ec, args: &[Value]) -> Res {
    match args.first().and_then(|c| Class::from_value(*c)).and_then(members_of) {
        Some(list) => Ok(list),
        None => Err(ec.type_error("uninitialized struct")),
    }
}

fn keyword_init(_ec: &mut Ec, args: &[Value]) -> Res {
    let class = args.first().and_then(|c| Class::from_value(*c));
    Ok(class.and_then(|c| hidden(c, sym::keyword_init_ivar)).unwrap_or(Value::NIL))
}

fn need_struct(ec: &mut Ec, args: &[Value]) -> Res {
    match args.first() {
        Some(&v) if v.is_type(Type::Struct) => Ok(v),
        _ => Err(ec.type_error("uninitialized struct")),
    }
}

fn get(ec: &mut Ec, args: &[Value]) -> Res {
    let v = need_struct(ec, args)?;
    let i = usize::try_from(args[1].as_fixnum()).unwrap_or(usize::MAX);
    Ok(structs::get(v, i).unwrap_or(Value::NIL))
}

/// `struct_place(struct, key)`: where the member with that Symbol or index from the front lies, nil if there is none.
fn place(ec: &mut Ec, args: &[Value]) -> Res {
    let v = need_struct(ec, args)?;
    let place = match (args[1].fixnum_value(), args[1].as_sym()) {
        (Some(n), _) => usize::try_from(n).ok(),
        (_, Some(name)) => members_of(ec.real_class_of(v)).and_then(|members| position(members, name)),
        _ => None,
    };
    let place = place.filter(|&i| i < structs::len(v));
    Ok(place.map_or(Value::NIL, |i| Value::fixnum(i as i64)))
}

fn set(ec: &mut Ec, args: &[Value]) -> Res {
    let v = need_struct(ec, args)?;
    let i = usize::try_from(args[1].as_fixnum()).unwrap_or(usize::MAX);
    set_slot(ec, v, i, args[2])?;
    Ok(args[2])
}

fn size(ec: &mut Ec, args: &[Value]) -> Res {
    let v = need_struct(ec, args)?;
    Ok(Value::fixnum(structs::len(v) as i64))
}

/// `struct_label(member)`: a member as `inspect` names it.
fn label(ec: &mut Ec, args: &[Value]) -> Res {
    let member = args.first().copied().unwrap_or(Value::NIL);
    if let Some(name) = member.as_sym() {
        let bytes = name.bytes();
        let encoding = Encoding::from_index(usize::from(name.name().encoding)).unwrap_or(Encoding::UTF_8);
        let plain = bytes.first().is_some_and(|b| b.is_ascii_alphabetic() || *b == b'_' || *b >= 0x80)
            && !matches!(bytes.last(), Some(b'?' | b'!' | b'='))
            && symbol_is_simple(encoding, bytes);
        if plain {
            return ec.str_enc(bytes, name.name().encoding);
        }
    }
    ec.inspect(member)
}

fn make(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    ec.new_instance(Class(this), args)
}

fn struct_initialize(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let list = members_of_instance(ec, this)?;
    let class = ec.real_class_of(this);
    let by_keyword = hidden(class, sym::keyword_init_ivar).unwrap_or(Value::NIL);
    let (positional, keywords) = args.split_keywords();
    let n = array::len(list);
    // A class that wants keywords takes them as one Hash too.
    let only = (positional.len() == 1 && keywords.is_none()).then(|| positional[0]).filter(|v| v.is_type(Type::Hash));
    if by_keyword.truthy() && !positional.is_empty() && only.is_none() {
        return Err(ec.arity_error(positional.len(), 0, Some(0)));
    }
    if let Some(given) = keywords.or(only.filter(|_| by_keyword.truthy()))
        && (by_keyword.truthy() || by_keyword.is_nil() && positional.is_empty())
    {
        let mut known = 0;
        for i in 0..n {
            let member = array::at(list, i).unwrap_or(Value::NIL);
            match ec.hash_get(given, member)? {
                Some(v) => {
                    set_slot(ec, this, i, v)?;
                    known += 1;
                }
                None => clear_slot(ec, this, i)?,
            }
        }
        if known < hash::len(given) {
            let unknown = unknown_keys(ec, given, list)?;
            let between = ec.str(", ")?;
            let names = crate::array::show::join_with(ec, unknown, between)?;
            let names = asterism_object::string::to_vec(ec, names);
            return Err(ec.arg_error([b"unknown keywords: ", &names[..]].concat()));
        }
        return Ok(Value::NIL);
    }
    // Keywords next to positional values are one more value, a Hash: `slice` has it at the end.
    let values = args.slice();
    if values.len() > n {
        return Err(ec.arg_error("struct size differs"));
    }
    for (i, v) in values.iter().enumerate() {
        set_slot(ec, this, i, *v)?;
    }
    for i in values.len()..n {
        clear_slot(ec, this, i)?;
    }
    Ok(Value::NIL)
}

/// A member that `initialize` is not given: it is nil already, unless `initialize` was called before.
fn clear_slot(ec: &mut Ec, this: Value, i: usize) -> Res<()> {
    if structs::get(this, i).is_none_or(Value::is_nil) { Ok(()) } else { set_slot(ec, this, i, Value::NIL) }
}

/// The keys that are no members, in a new Array.
fn unknown_keys(ec: &mut Ec, given: Value, list: Value) -> Res {
    let out = ec.array_with_capacity(0)?;
    let keys = hash::keys(ec, given);
    let keys = ec.check(given, keys)?;
    let mut i = 0;
    while let Some(k) = array::at(keys, i) {
        if k.as_sym().and_then(|s| position(list, s)).is_none() {
            ec.array_push(out, k)?;
        }
        i += 1;
    }
    Ok(out)
}

/// Is `initialize` of the class the one that Data itself has?
fn plain_initialize(ec: &mut Ec, object: Value) -> bool {
    let class = ec.class_of(object);
    ec.find_method(class, sym::initialize)
        .1
        .is_some_and(|f| matches!(f.method.body(), Body::Native(def) if std::ptr::eq(def, &DATA[0])))
}

/// `new` of a class made by `Data.define`: positional arguments reach `initialize` as keywords, so that one
/// override sees both forms.
fn data_new(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let object = ec.allocate(Class(this))?;
    let list = members_of_instance(ec, object)?;
    let n = array::len(list);
    let values = args.slice();
    if values.is_empty() || args.has_keywords() && values.len() == 1 {
        let keywords = values.first().map_or(Keywords::None, |h| Keywords::Hash(*h));
        let call = CallArgs { argv: &[], keywords, block: args.block().unwrap_or(asterism_vm::Block::NONE) };
        ec.call_with(object, sym::initialize, &call, CallKind::Private)?;
        return ec.freeze(object);
    }
    if args.has_keywords() {
        return Err(ec.arity_error(values.len(), 0, Some(0)));
    }
    if values.len() > n {
        return Err(ec.arity_error(values.len(), 0, Some(n)));
    }
    if values.len() == n && plain_initialize(ec, object) {
        for (i, v) in values.iter().enumerate() {
            set_slot(ec, object, i, *v)?;
        }
        return ec.freeze(object);
    }
    let given = ec.new_hash()?;
    for (i, v) in values.iter().enumerate() {
        ec.hash_set(given, array::at(list, i).unwrap_or(Value::NIL), *v)?;
    }
    let call = CallArgs {
        argv: &[],
        keywords: Keywords::Hash(given),
        block: args.block().unwrap_or(asterism_vm::Block::NONE),
    };
    ec.call_with(object, sym::initialize, &call, CallKind::Private)?;
    ec.freeze(object)
}

fn data_initialize(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let list = members_of_instance(ec, this)?;
    let n = array::len(list);
    let (positional, keywords) = args.split_keywords();
    if !positional.is_empty() {
        return Err(ec.arity_error(positional.len(), 0, Some(0)));
    }
    let mut seen = vec![false; n];
    let unknown = ec.array_with_capacity(0)?;
    if let Some(given) = keywords {
        let pairs = hash::to_pairs(ec, given);
        let pairs = ec.check(given, pairs)?;
        let mut at = 0;
        while let (Some(key), Some(value)) = (array::at(pairs, at), array::at(pairs, at + 1)) {
            let name = ec.to_sym(key)?;
            match position(list, name) {
                Some(i) => {
                    set_slot(ec, this, i, value)?;
                    seen[i] = true;
                }
                None if key.as_sym().is_some() || key.is_type(Type::String) => ec.array_push(unknown, key)?,
                None => {
                    let text = ec.str_enc(name.bytes(), name.name().encoding)?;
                    ec.array_push(unknown, text)?;
                }
            }
            at += 2;
        }
    }
    if seen.contains(&false) && (array::is_empty(unknown) || keywords.map_or(0, hash::len) < n) {
        let missing = ec.array_with_capacity(0)?;
        for (i, _) in seen.iter().enumerate().filter(|(_, seen)| !**seen) {
            ec.array_push(missing, array::at(list, i).unwrap_or(Value::NIL))?;
        }
        return Err(keyword_error(ec, "missing", missing)?);
    }
    if !array::is_empty(unknown) {
        ec.freeze(this)?;
        return Err(keyword_error(ec, "unknown", unknown)?);
    }
    ec.freeze(this)
}

/// `missing keywords: :a, :b`
fn keyword_error(ec: &mut Ec, what: &str, keys: Value) -> Res<asterism_vm::Raised> {
    let plural = if array::len(keys) > 1 { "s" } else { "" };
    let mut message = format!("{what} keyword{plural}: ").into_bytes();
    let mut i = 0;
    while let Some(k) = array::at(keys, i) {
        if i > 0 {
            message.extend_from_slice(b", ");
        }
        message.extend(ec.inspect_for_error(k)?);
        i += 1;
    }
    Ok(ec.arg_error(message))
}
