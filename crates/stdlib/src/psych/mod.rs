//! The native part of the library `psych` (YAML), whose Ruby part is a file of the library: [`libyaml`] as
//! `Psych::Parser` and `Psych::Emitter`, and what making Ruby objects needs.

mod emitter;
mod libyaml;
#[cfg(test)]
mod libyaml_tests;
mod parser;

use asterism_object::class::Class;
use asterism_object::space::WellKnown;
use asterism_object::{Value, string};
use asterism_support::Encoding;
use asterism_support::encoding::convert::{Converter, Decorators};
use asterism_symbol::{intern, sym};
use asterism_vm::args::{CallArgs, Keywords};
use asterism_vm::call::CallKind;
use asterism_vm::{Args, Ec, Exc, NativeDef, Res};

use asterism_core::encoding::options::{Options, drive};
use asterism_core::string::util;
use asterism_marshal::classes;

static PSYCH: &[NativeDef] = &[NativeDef::new("libyaml_version", libyaml_version, 0, 0)];

static CLASS_LOADER: &[NativeDef] = &[NativeDef::new("path2class", path2class, 1, 1).private()];

static TO_RUBY: &[NativeDef] = &[
    NativeDef::new("build_exception", build_exception, 2, 2).private(),
    NativeDef::new("init_struct", init_struct, 2, 2).private(),
];

/// Defines the natives, and the classes they are in.
///
/// # Errors
/// NoMemoryError, and what requiring `psych/syntax_error` raises.
pub fn define(ec: &mut Ec) -> Res<()> {
    let object = ec.known(WellKnown::Object);
    let psych = ec.define_module(object, "Psych")?;
    ec.define_module_functions(psych, PSYCH)?;
    // Which of the two libraries newer versions can be built with.
    let backend = ec.str("libyaml")?;
    let backend = ec.freeze(backend)?;
    ec.set_constant(psych, intern("BACKEND"), backend)?;
    parser::define(ec, psych)?;
    emitter::define(ec, psych)?;
    let loader = ec.define_class(psych, "ClassLoader", object)?;
    ec.define_natives(loader, CLASS_LOADER)?;
    let visitors = ec.define_module(psych, "Visitors")?;
    let visitor = ec.define_class(visitors, "Visitor", object)?;
    let to_ruby = ec.define_class(visitors, "ToRuby", visitor)?;
    ec.define_natives(to_ruby, TO_RUBY)?;
    ec.define_class(visitors, "YAMLTree", visitor)?;
    Ok(())
}

/// The version of libyaml that `unsafe-libyaml` is made from.
fn libyaml_version(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    ec.array(&[Value::fixnum(0), Value::fixnum(2), Value::fixnum(5)])
}

/// `path2class(path)`
fn path2class(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let path = ec.to_str(args[0])?;
    let path = string::to_vec(ec, path);
    Ok(class_at(ec, &path)?.0)
}

/// The class or module of a path from Object.
fn class_at(ec: &mut Ec, path: &[u8]) -> Res<Class> {
    if path.first() == Some(&b'#') {
        return Err(ec.arg_error([b"can't retrieve anonymous class ", path].concat()));
    }
    match classes::look_up(ec, path)? {
        Ok(found) => match Class::from_value(found) {
            Some(class) => Ok(class),
            None => Err(ec.type_error([path, b" does not refer to class/module"].concat())),
        },
        Err(length) => Err(classes::undefined(ec, path, length)),
    }
}

/// `build_exception(class, message)`: no `initialize` is called.
fn build_exception(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let Some(class) = Class::from_value(args[0]) else {
        return Err(ec.no_conversion(args[0], "Class"));
    };
    let made = ec.allocate(class)?;
    let exception = ec.exc_class(Exc::Exception);
    if ec.is_kind_of(made, exception) {
        ec.ivar_put(made, sym::message_ivar, args[1])?;
    }
    Ok(made)
}

/// `init_struct(data, members)`: fills a Data from a Hash, whatever `initialize` its class has.
fn init_struct(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let members = ec.to_hash(args[1])?;
    let object = ec.known(WellKnown::Object);
    if let Some(data) = ec.constant_in(object, intern("Data"), true)? {
        let initialize = ec.call(data, intern("instance_method"), &[Value::sym(sym::initialize)])?;
        let argv = [args[0]];
        let call = CallArgs { keywords: Keywords::Hash(members), ..CallArgs::plain(&argv) };
        ec.call_with(initialize, intern("bind_call"), &call, CallKind::Public)?;
    }
    Ok(args[0])
}

/// A String's bytes in `to`; as they are if they cannot be converted.
fn export(ec: &mut Ec, s: Value, to: Encoding) -> Res<Vec<u8>> {
    let from = util::encoding(s);
    let bytes = string::to_vec(ec, s);
    Ok(convert(ec, &bytes, from, to)?.unwrap_or(bytes))
}

/// `None` if it is the same, or cannot be converted.
fn convert(ec: &mut Ec, bytes: &[u8], from: Encoding, to: Encoding) -> Res<Option<Vec<u8>>> {
    if from == to || bytes.is_ascii() && from.is_ascii_compatible() && to.is_ascii_compatible() {
        return Ok(None);
    }
    let Some(mut converter) = Converter::new(from, to, Decorators::default()) else {
        return Ok(None);
    };
    let error = ec.exc_class(Exc::EncodingError);
    let converted = ec.rescue(error, |ec| drive(ec, &mut converter, to, bytes, false, &Options::default()))?;
    Ok(converted.ok().map(|made| made.into_parts().0))
}
