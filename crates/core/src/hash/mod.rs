//! Hash: the methods without blocks.

use asterism_object::class::Class;
use asterism_object::space::WellKnown;
use asterism_object::types::Type;
use asterism_object::{Value, array, hash};
use asterism_symbol::sym;
use asterism_vm::args::CallArgs;
use asterism_vm::block::Proc;
use asterism_vm::method::Body;
use asterism_vm::{ANY, Args, Arguments, Ec, NativeDef, Res};

mod compare;
pub(crate) mod iter;
mod show;

static HASH: &[NativeDef] = &[
    NativeDef::new("initialize", initialize, 0, 1).keywords(&["capacity"]).private(),
    NativeDef::new("[]", aref, 1, 1).leaf(),
    NativeDef::new("[]=", aset, 2, 2).leaf(),
    NativeDef::new("store", aset, 2, 2).leaf(),
    NativeDef::new("key?", has_key, 1, 1).leaf(),
    NativeDef::new("has_key?", has_key, 1, 1).leaf(),
    NativeDef::new("include?", has_key, 1, 1).leaf(),
    NativeDef::new("member?", has_key, 1, 1).leaf(),
    NativeDef::new("value?", has_value, 1, 1),
    NativeDef::new("has_value?", has_value, 1, 1),
    NativeDef::new("key", key, 1, 1),
    NativeDef::new("keys", keys, 0, 0).leaf(),
    NativeDef::new("values", values, 0, 0).leaf(),
    NativeDef::new("values_at", values_at, 0, ANY),
    NativeDef::new("length", length, 0, 0).leaf(),
    NativeDef::new("size", length, 0, 0).leaf(),
    NativeDef::new("empty?", empty, 0, 0).leaf(),
    NativeDef::new("delete", delete, 1, 1),
    NativeDef::new("clear", clear, 0, 0).leaf(),
    NativeDef::new("shift", shift, 0, 0).leaf(),
    NativeDef::new("to_a", to_a, 0, 0).leaf(),
    NativeDef::new("to_hash", this_itself, 0, 0).leaf(),
    NativeDef::new("deconstruct_keys", this_itself, 1, 1).leaf(),
    NativeDef::new("to_proc", to_proc, 0, 0),
    NativeDef::new("default", default, 0, 1),
    NativeDef::new("default=", set_default, 1, 1).leaf(),
    NativeDef::new("default_proc", default_proc, 0, 0).leaf(),
    NativeDef::new("default_proc=", set_default_proc, 1, 1),
    NativeDef::new("compare_by_identity", compare_by_identity, 0, 0).leaf(),
    NativeDef::new("compare_by_identity?", is_identity, 0, 0).leaf(),
    NativeDef::new("replace", replace, 1, 1),
    NativeDef::new("initialize_copy", replace, 1, 1).private(),
    NativeDef::new("rehash", rehash, 0, 0),
    NativeDef::new("assoc", assoc, 1, 1),
    NativeDef::new("rassoc", rassoc, 1, 1),
    NativeDef::new("compact", compact, 0, 0).leaf(),
    NativeDef::new("compact!", compact_bang, 0, 0),
    NativeDef::new("slice", slice, 0, ANY),
    NativeDef::new("except", except, 0, ANY),
    NativeDef::new("flatten", flatten, 0, 1),
];

static SINGLETON: &[NativeDef] = &[
    NativeDef::new("[]", from_pairs, 0, ANY),
    NativeDef::new("try_convert", try_convert, 1, 1),
    NativeDef::new("ruby2_keywords_hash?", is_keywords, 1, 1),
    NativeDef::new("ruby2_keywords_hash", keywords_hash, 1, 1),
];

/// Defines the classes' methods.
///
/// # Errors
/// NoMemoryError.
pub fn init(ec: &mut Ec) -> Res<()> {
    let class = ec.known(WellKnown::Hash);
    for list in [HASH, compare::LIST, show::LIST] {
        ec.define_natives(class, list)?;
    }
    ec.define_singleton_natives(class, SINGLETON)
}

fn initialize(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let (rest, keywords) = args.split_keywords();
    if let Some(given) = keywords
        && let Some(n) = ec.hash_get(given, Value::sym(asterism_symbol::intern("capacity")))?
    {
        ec.to_i64(n)?;
    }
    ec.check_frozen(this)?;
    if let Some(block) = args.block() {
        if !rest.is_empty() {
            return Err(ec.arity_error(rest.len(), 0, Some(0)));
        }
        let proc = ec.block_to_proc(block)?;
        check_default_proc(ec, proc)?;
        let done = hash::set_default(ec, this, proc, true);
        ec.check(this, done)?;
    } else if let Some(v) = rest.first() {
        let done = hash::set_default(ec, this, *v, false);
        ec.check(this, done)?;
    } else {
        let done = hash::set_default(ec, this, Value::NIL, false);
        ec.check(this, done)?;
    }
    Ok(this)
}

/// A lambda as default proc has to take two arguments.
fn check_default_proc(ec: &mut Ec, proc: Value) -> Res<()> {
    let Some(view) = Proc::from_value(proc) else {
        return Ok(());
    };
    if !view.is_lambda() {
        return Ok(());
    }
    let arity = crate::proc::parameters::proc_arity(ec, view);
    if arity != 2 && !(-3..0).contains(&arity) {
        let n = if arity < 0 { -arity - 1 } else { arity };
        return Err(ec.type_error(format!("default_proc takes two arguments (2 for {n})")));
    }
    Ok(())
}

/// The value for a key that is not there.
fn missing(ec: &mut Ec, this: Value, key: Value) -> Res {
    if has_own_default(ec, this) { default_for(ec, this, key) } else { ec.call(this, sym::default, &[key]) }
}

/// Is the Hash's `default` the core's?
pub fn has_own_default(ec: &mut Ec, this: Value) -> bool {
    let class = ec.class_of(this);
    match ec.find_method(class, sym::default).1 {
        Some(found) => {
            matches!(found.method.body(), Body::Native(def) if std::ptr::fn_addr_eq(def.func, default as fn(&mut Ec, Value, Args<'_>) -> Res))
        }
        None => true,
    }
}

fn default_for(ec: &mut Ec, this: Value, key: Value) -> Res {
    let (v, is_proc) = hash::default_of(this);
    if is_proc { ec.call_proc(v, &CallArgs::plain(&[this, key])) } else { Ok(v) }
}

fn aref(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    match ec.hash_get(this, args[0])? {
        Some(v) => Ok(v),
        None => missing(ec, this, args[0]),
    }
}

fn aset(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    ec.hash_set(this, args[0], args[1])?;
    Ok(args[1])
}

fn has_key(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    Ok(Value::bool(ec.hash_get(this, args[0])?.is_some()))
}

/// Keys and values as they are now.
fn pairs(ec: &mut Ec, this: Value) -> Res {
    let list = hash::to_pairs(ec, this);
    ec.check(this, list)
}

/// The first entry whose value is `==` to `value`.
fn find_value(ec: &mut Ec, this: Value, value: Value) -> Res<Option<(Value, Value)>> {
    let list = pairs(ec, this)?;
    let mut i = 0;
    while let (Some(k), Some(v)) = (array::at(list, i), array::at(list, i + 1)) {
        if ec.eq(v, value)? {
            return Ok(Some((k, v)));
        }
        i += 2;
    }
    Ok(None)
}

fn has_value(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    Ok(Value::bool(find_value(ec, this, args[0])?.is_some()))
}

fn key(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    Ok(find_value(ec, this, args[0])?.map_or(Value::NIL, |(k, _)| k))
}

fn rassoc(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    match find_value(ec, this, args[0])? {
        Some((k, v)) => ec.array(&[k, v]),
        None => Ok(Value::NIL),
    }
}

fn assoc(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let wanted = args[0];
    let list = pairs(ec, this)?;
    let mut i = 0;
    while let (Some(k), Some(v)) = (array::at(list, i), array::at(list, i + 1)) {
        if ec.eq(k, wanted)? {
            return ec.array(&[k, v]);
        }
        i += 2;
    }
    Ok(Value::NIL)
}

fn keys(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let list = hash::keys(ec, this);
    ec.check(this, list)
}

fn values(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let list = hash::values(ec, this);
    ec.check(this, list)
}

fn values_at(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let out = ec.array_with_capacity(args.len())?;
    for key in args.slice() {
        let v = aref(ec, this, &Arguments::new(&[*key]))?;
        ec.array_push(out, v)?;
    }
    Ok(out)
}

fn length(_ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(Value::fixnum(hash::len(this) as i64))
}

fn empty(_ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(Value::bool(hash::is_empty(this)))
}

fn delete(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    ec.check_frozen(this)?;
    match (ec.hash_delete(this, args[0])?, args.block()) {
        (Some(v), _) => Ok(v),
        (None, Some(block)) => ec.yield1(block, args[0]),
        (None, None) => Ok(Value::NIL),
    }
}

fn clear(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    ec.check_frozen(this)?;
    if hash::is_walked(ec, this) {
        // A walk keeps its place in the table: entries go one by one.
        let list = hash::keys(ec, this);
        let list = ec.check(this, list)?;
        let mut i = 0;
        while let Some(k) = array::at(list, i) {
            ec.hash_delete(this, k)?;
            i += 1;
        }
        return Ok(this);
    }
    let done = hash::clear(ec, this);
    ec.check(this, done)?;
    Ok(this)
}

fn shift(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let taken = hash::shift(ec, this);
    match ec.check(this, taken)? {
        Some((k, v)) => ec.array(&[k, v]),
        None => Ok(Value::NIL),
    }
}

fn to_a(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let list = pairs(ec, this)?;
    let out = ec.array_with_capacity(array::len(list) / 2)?;
    let mut i = 0;
    while let (Some(k), Some(v)) = (array::at(list, i), array::at(list, i + 1)) {
        let pair = ec.array(&[k, v])?;
        ec.array_push(out, pair)?;
        i += 2;
    }
    Ok(out)
}

fn flatten(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let depth = match args.get(0) {
        Some(v) => ec.to_i64(v)?,
        None => 1,
    };
    if depth == 0 {
        return to_a(ec, this, &Arguments::new(&[]));
    }
    let list = pairs(ec, this)?;
    if depth == 1 {
        return Ok(list);
    }
    let deeper = Value::fixnum(if depth < 0 { depth } else { depth - 1 });
    ec.call(list, asterism_symbol::intern("flatten"), &[deeper])
}

fn this_itself(_ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(this)
}

fn to_proc(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    fn body(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
        if args.len() != 1 {
            return Err(ec.arity_error(args.len(), 1, Some(1)));
        }
        ec.call(this, sym::AREF, args.slice())
    }
    Ok(Proc::native(ec, body, this, true)?.0)
}

fn default(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let (v, is_proc) = hash::default_of(this);
    if !is_proc {
        return Ok(v);
    }
    match args.get(0) {
        Some(key) => ec.call_proc(v, &CallArgs::plain(&[this, key])),
        None => Ok(Value::NIL),
    }
}

fn set_default(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let done = hash::set_default(ec, this, args[0], false);
    ec.check(this, done)?;
    Ok(args[0])
}

fn default_proc(_ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let (v, is_proc) = hash::default_of(this);
    Ok(if is_proc { v } else { Value::NIL })
}

fn set_default_proc(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    ec.check_frozen(this)?;
    if args[0].is_nil() {
        let done = hash::set_default(ec, this, Value::NIL, false);
        ec.check(this, done)?;
        return Ok(Value::NIL);
    }
    let proc = if args[0].is_type(Type::Proc) {
        args[0]
    } else {
        match ec.try_convert(args[0], sym::to_proc, "Proc", |v| v.is_type(Type::Proc))? {
            Some(proc) => proc,
            None => {
                let name = ec.class_name_of(args[0]);
                return Err(ec.type_error(format!("wrong default_proc type {name} (expected Proc)")));
            }
        }
    };
    check_default_proc(ec, proc)?;
    let done = hash::set_default(ec, this, proc, true);
    ec.check(this, done)?;
    Ok(args[0])
}

fn compare_by_identity(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    if hash::is_identity(this) {
        return Ok(this);
    }
    ec.check_frozen(this)?;
    if hash::is_walked(ec, this) {
        return Err(ec.raise(asterism_vm::Exc::RuntimeError, "compare_by_identity during iteration"));
    }
    let done = hash::compare_by_identity(ec, this);
    ec.check(this, done)?;
    Ok(this)
}

fn is_identity(_ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(Value::bool(hash::is_identity(this)))
}

fn replace(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    ec.check_frozen(this)?;
    if args[0] == this {
        return Ok(this);
    }
    if hash::is_walked(ec, this) {
        return Err(ec.raise(asterism_vm::Exc::RuntimeError, "can't replace hash during iteration"));
    }
    let other = ec.to_hash(args[0])?;
    let done = hash::replace(ec, this, other);
    ec.check(this, done)?;
    Ok(this)
}

fn rehash(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    if hash::is_walked(ec, this) {
        return Err(ec.raise(asterism_vm::Exc::RuntimeError, "rehash during iteration"));
    }
    ec.check_frozen(this)?;
    if hash::is_identity(this) {
        return Ok(this);
    }
    loop {
        let plan = hash::Rehash::new(this);
        let seen = ec.new_hash()?;
        let mut hashes: Vec<Option<u64>> = Vec::new();
        if hashes.try_reserve_exact(plan.places()).is_err() {
            return Err(ec.no_memory());
        }
        for place in 0..plan.places() {
            // Of keys that have become equal the first one stays.
            let kept = match plan.key(place) {
                Some(key) if ec.hash_get(seen, key)?.is_none() => {
                    ec.hash_set(seen, key, Value::TRUE)?;
                    Some(match hash::key_hash(ec, this, key) {
                        Some(builtin) => builtin,
                        None => ec.hash_of(key)?,
                    })
                }
                _ => None,
            };
            hashes.push(kept);
        }
        let done = plan.commit(ec, &hashes);
        if ec.check(this, done)? {
            return Ok(this);
        }
    }
}

/// An empty Hash that compares keys as `this` does.
fn alike(ec: &mut Ec, this: Value) -> Res {
    let out = ec.new_hash()?;
    if hash::is_identity(this) {
        let done = hash::compare_by_identity(ec, out);
        ec.check(out, done)?;
    }
    Ok(out)
}

fn compact(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let out = alike(ec, this)?;
    let (default, is_proc) = hash::default_of(this);
    let kept = hash::set_default(ec, out, default, is_proc);
    ec.check(out, kept)?;
    let list = pairs(ec, this)?;
    let mut i = 0;
    while let (Some(k), Some(v)) = (array::at(list, i), array::at(list, i + 1)) {
        if !v.is_nil() {
            ec.hash_set(out, k, v)?;
        }
        i += 2;
    }
    Ok(out)
}

fn compact_bang(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let deleted = hash::compact(ec, this);
    Ok(if ec.check(this, deleted)? == 0 { Value::NIL } else { this })
}

fn slice(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let out = alike(ec, this)?;
    for key in args.slice() {
        if let Some(v) = ec.hash_get(this, *key)? {
            ec.hash_set(out, *key, v)?;
        }
    }
    Ok(out)
}

fn except(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let out = ec.hash_dup(this)?;
    for key in args.slice() {
        ec.hash_delete(out, *key)?;
    }
    Ok(out)
}

fn from_pairs(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let out = ec.allocate(Class(this))?;
    if !out.is_type(Type::Hash) {
        return Ok(out);
    }
    if let [one] = args.slice() {
        if let Some(other) = ec.check_hash(*one)? {
            // The entries only: neither the default nor identity comes along.
            let list = pairs(ec, other)?;
            let mut i = 0;
            while let (Some(k), Some(v)) = (array::at(list, i), array::at(list, i + 1)) {
                ec.hash_set(out, k, v)?;
                i += 2;
            }
            return Ok(out);
        }
        if let Some(list) = ec.check_array(*one)? {
            let mut i = 0;
            while let Some(v) = array::at(list, i) {
                let Some(pair) = ec.check_array(v)? else {
                    let name = ec.describe_for_conversion(v);
                    return Err(ec.arg_error(format!("wrong element type {name} at {i} (expected array)")));
                };
                match array::len(pair) {
                    1 | 2 => ec.hash_set(out, array::get(pair, 0), array::get(pair, 1))?,
                    n => {
                        return Err(ec.arg_error(format!("invalid number of elements ({n} for 1..2)")));
                    }
                }
                i += 1;
            }
            return Ok(out);
        }
    }
    if !args.len().is_multiple_of(2) {
        return Err(ec.arg_error("odd number of arguments for Hash"));
    }
    for pair in args.slice().chunks_exact(2) {
        ec.hash_set(out, pair[0], pair[1])?;
    }
    Ok(out)
}

fn try_convert(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    Ok(ec.check_hash(args[0])?.unwrap_or(Value::NIL))
}

/// The Hash argument of the `ruby2_keywords_hash` methods.
fn need_hash(ec: &mut Ec, v: Value) -> Res<()> {
    if v.is_type(Type::Hash) {
        return Ok(());
    }
    let name = ec.class_name_of(v);
    Err(ec.type_error(format!("wrong argument type {name} (expected Hash)")))
}

fn is_keywords(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    need_hash(ec, args[0])?;
    Ok(Value::bool(hash::is_kw(args[0])))
}

fn keywords_hash(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    need_hash(ec, args[0])?;
    let copy = ec.call(args[0], sym::dup, &[])?;
    need_hash(ec, copy)?;
    hash::set_kw(copy, true);
    Ok(copy)
}
