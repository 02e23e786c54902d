//! Marshal: objects to bytes and back, format 4.8. [`write`] dumps, [`read`] loads; what classes do for themselves
//! (Time, Encoding, Set …) is in `marshal.rb`.

pub mod classes;
mod read;
mod write;

use asterism_object::class::Class;
use asterism_object::space::WellKnown;
use asterism_object::types::Type;
use asterism_object::{Value, ivars, string, symbol_table};
use asterism_symbol::{BINARY, intern};
use asterism_vm::native::PrimFn;
use asterism_vm::{Args, Ec, NativeDef, Res};

/// The version of the format.
const MAJOR: u8 = 4;
const MINOR: u8 = 8;

const LOAD: NativeDef = NativeDef::new("load", load, 1, 2).keywords(&["freeze"]);

static FUNCTIONS: &[NativeDef] = &[NativeDef::new("dump", dump, 1, 3), LOAD, NativeDef { name: "restore", ..LOAD }];

static PRIMITIVES: &[(&str, PrimFn)] = &[("attribute_get", attribute_get), ("attribute_set", attribute_set)];

/// Defines the module's functions.
///
/// # Errors
/// NoMemoryError.
pub fn init(ec: &mut Ec) -> Res<()> {
    let module = ec.known(WellKnown::Marshal);
    ec.define_module_functions(module, FUNCTIONS)?;
    for (name, n) in [("MAJOR_VERSION", MAJOR), ("MINOR_VERSION", MINOR)] {
        ec.set_constant(module, intern(name), Value::fixnum(i64::from(n)))?;
    }
    ec.vm().add_primitives(PRIMITIVES);
    Ok(())
}

/// `Primitive.attribute_get(object, :name)`: an instance variable whose name Ruby code cannot write.
fn attribute_get(ec: &mut Ec, args: &[Value]) -> Res {
    match args {
        [object, name] => Ok(name.as_sym().and_then(|n| ivars::get(ec, *object, n)).unwrap_or(Value::NIL)),
        _ => Err(ec.fatal("attribute_get takes two arguments")),
    }
}

/// `Primitive.attribute_set(object, :name, value)`
fn attribute_set(ec: &mut Ec, args: &[Value]) -> Res {
    let &[object, name, value] = args else {
        return Err(ec.fatal("attribute_set takes three arguments"));
    };
    if let Some(name) = name.as_sym() {
        ec.ivar_put(object, name, value)?;
    }
    Ok(value)
}

fn dump(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let (mut io, mut limit) = (Value::NIL, -1);
    match (args.get(1), args.get(2)) {
        (Some(target), Some(n)) => {
            if !n.is_nil() {
                limit = ec.to_i64(n)?;
            }
            if target.is_nil() {
                return Err(ec.type_error("instance of IO needed"));
            }
            io = target;
        }
        (Some(n), None) if n.is_fixnum() => limit = n.as_fixnum(),
        (Some(target), None) => {
            if target.is_nil() {
                return Err(ec.type_error("instance of IO needed"));
            }
            io = target;
        }
        _ => {}
    }
    if !io.is_nil() && !ec.respond_to(io, intern("write"), false)? {
        return Err(ec.type_error("instance of IO needed"));
    }
    if !io.is_nil() && ec.respond_to(io, intern("binmode"), false)? {
        ec.call(io, intern("binmode"), &[])?;
    }
    let bytes = write::dump(ec, args[0], limit)?;
    let bytes = ec.str_enc(&bytes, BINARY)?;
    if io.is_nil() {
        return Ok(bytes);
    }
    ec.call(io, intern("write"), &[bytes])?;
    Ok(io)
}

fn load(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let (plain, keywords) = args.split_keywords();
    let [freeze] = ec.keyword_values(keywords, ["freeze"])?;
    let (source, freeze) = (plain[0], freeze.truthy());
    let proc = plain.get(1).copied().unwrap_or(Value::NIL);
    if let Some(text) = ec.check_string(source)? {
        let bytes = string::read(ec, text);
        return read::load(ec, read::Source::Bytes(bytes.as_bytes()), proc, freeze);
    }
    if !ec.respond_to(source, intern("getbyte"), false)? || !ec.respond_to(source, intern("read"), false)? {
        return Err(ec.type_error("instance of IO needed"));
    }
    if ec.respond_to(source, intern("binmode"), false)? {
        ec.call(source, intern("binmode"), &[])?;
    }
    read::load(ec, read::Source::Io(source), proc, freeze)
}

/// Where a Set has its Hash: no program sees it, but the format has it as the variable `@hash`.
const SET_TABLE: &str = "__hash";

/// The Hash of a Set.
fn set_table(ec: &Ec, v: Value) -> Option<Value> {
    if !v.is_type(Type::Object) || !ec.is_kind_of(v, ec.known(WellKnown::Set).0) {
        return None;
    }
    ivars::get(ec, v, intern(SET_TABLE)).filter(|table| table.is_type(Type::Hash))
}

/// Does a singleton class hold anything but modules that its object was extended with? `extend` can't bring that back.
pub fn has_contents(ec: &mut Ec, class: Class) -> bool {
    let plain = |table: Value| table.is_nil() || table.bits() == 0 || symbol_table::len(table) == 0;
    ec.settle(class);
    // With something prepended the methods are its origin's.
    let methods = class.origin().unwrap_or(class);
    !plain(methods.methods())
        || !plain(class.methods())
        || !ec.constants(class).is_none_or(plain)
        || !plain(class.ivars())
}

/// Is it an exception?
fn is_exception(ec: &Ec, v: Value) -> bool {
    v.is_type(Type::Object) && ec.is_kind_of(v, ec.known(WellKnown::Exception).0)
}
