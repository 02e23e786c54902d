//! Module and Class.

mod ancestors;
mod attributes;
pub mod check;
mod constants;
mod define;
pub mod hook;
mod methods;
pub mod names;
mod naming;
mod refine;
mod visibility;

use asterism_object::Value;
use asterism_object::class::{Class, UNINITIALIZED};
use asterism_object::space::WellKnown;
use asterism_vm::consts::Cref;
use asterism_vm::{ANY, Args, Ec, NativeDef, Res, Root};

use crate::proc::eval;
use check::this_module;
use hook::no_op;
use naming::{name, set_temporary_name, to_s};

pub use check::{described, is_module};
pub use define::define_from;
pub use visibility::default_visibility;

static MODULE: &[NativeDef] = &[
    NativeDef::new("initialize", module_initialize, 0, 0).private(),
    NativeDef::new("name", name, 0, 0).leaf(),
    NativeDef::new("to_s", to_s, 0, 0).leaf(),
    NativeDef::new("inspect", to_s, 0, 0).leaf(),
    NativeDef::new("set_temporary_name", set_temporary_name, 1, 1),
    NativeDef::new("===", case_equal, 1, 1).leaf(),
    NativeDef::new("==", same, 1, 1).leaf(),
    NativeDef::new("hash", hash, 0, 0).leaf(),
    NativeDef::new("class_eval", class_eval, 0, 3),
    NativeDef::new("module_eval", class_eval, 0, 3),
    NativeDef::new("class_exec", class_exec, 0, ANY),
    NativeDef::new("module_exec", class_exec, 0, ANY),
    NativeDef::new("singleton_class?", singleton_class_p, 0, 0).leaf(),
    NativeDef::new("undefined_instance_methods", undefined_instance_methods, 0, 0),
    NativeDef::new("included", no_op, 1, 1).private().leaf(),
    NativeDef::new("extended", no_op, 1, 1).private().leaf(),
    NativeDef::new("prepended", no_op, 1, 1).private().leaf(),
    NativeDef::new("method_added", no_op, 1, 1).private().leaf(),
    NativeDef::new("method_removed", no_op, 1, 1).private().leaf(),
    NativeDef::new("method_undefined", no_op, 1, 1).private().leaf(),
    NativeDef::new("const_added", no_op, 1, 1).private().leaf(),
];

static MODULE_SINGLETON: &[NativeDef] = &[NativeDef::new("nesting", nesting, 0, 0)];

static CLASS: &[NativeDef] = &[
    NativeDef::new("allocate", allocate, 0, 0),
    NativeDef::new("initialize", class_initialize, 0, 1).private(),
    NativeDef::new("superclass", superclass, 0, 0).leaf(),
    NativeDef::new("subclasses", subclasses, 0, 0),
    NativeDef::new("attached_object", attached_object, 0, 0),
    NativeDef::new("inherited", no_op, 1, 1).private().leaf(),
];

static CLASS_SINGLETON: &[NativeDef] = &[NativeDef::new("new", new_class, 0, 1)];

static MAIN: &[NativeDef] = &[
    NativeDef::new("include", main_include, 0, ANY).private(),
    NativeDef::new("define_method", main_define_method, 1, 2).private(),
    NativeDef::new("ruby2_keywords", methods::main_ruby2_keywords, 0, ANY).private(),
    NativeDef::new("public", visibility::main_public, 0, ANY).private(),
    NativeDef::new("private", visibility::main_private, 0, ANY).private(),
];

/// Defines the classes' methods.
///
/// # Errors
/// NoMemoryError.
pub fn init(ec: &mut Ec) -> Res<()> {
    let module = ec.known(WellKnown::Module);
    for list in [MODULE, ancestors::MODULE, attributes::MODULE, constants::MODULE, methods::MODULE, visibility::MODULE]
    {
        ec.define_natives(module, list)?;
    }
    ec.define_singleton_natives(module, MODULE_SINGLETON)?;
    refine::init(ec)?;
    let class = ec.known(WellKnown::Class);
    ec.define_natives(class, CLASS)?;
    ec.define_singleton_natives(class, CLASS_SINGLETON)?;
    for name in ["module_function", "append_features", "prepend_features", "extend_object", "refine"] {
        ec.undef_method(class, asterism_symbol::intern(name))?;
    }
    let main = ec.vm().root(Root::MainObject);
    let single = ec.singleton_class(main)?;
    ec.define_natives(single, MAIN)
}

fn module_initialize(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    if let Some(block) = args.block() {
        return eval_block(ec, Class(this), block);
    }
    Ok(Value::NIL)
}

/// A class is made whole by `Class.new`: there is none that has not been initialized.
fn class_initialize(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    Err(ec.type_error("already initialized class"))
}

fn eval_block(ec: &mut Ec, class: Class, block: asterism_vm::Block) -> Res {
    let outer = ec.cref_of_block(block);
    let cref = ec.block_cref(class, outer)?;
    ec.yield_as(block, class.0, cref, &[class.0])
}

fn new_class(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let parent = match args.get(0) {
        None => ec.known(WellKnown::Object),
        Some(v) => match Class::from_value(v).filter(Class::is_class) {
            Some(c) => c,
            None => {
                let got = ec.class_name_of(v);
                return Err(
                    ec.type_error(format!("superclass must be an instance of Class (given an instance of {got})"))
                );
            }
        },
    };
    let class = ec.subclass(parent)?;
    ec.class_inherited(parent, class)?;
    if let Some(block) = args.block() {
        eval_block(ec, class, block)?;
    }
    Ok(class.0)
}

fn case_equal(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    Ok(Value::bool(ec.is_kind_of(args[0], this)))
}

fn same(_ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    Ok(Value::bool(this == args[0]))
}

fn hash(_ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(Value::fixnum((asterism_object::builtin::mix(this.bits()) >> 2) as i64))
}

fn class_eval(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let class = this_module(this);
    if let Some(block) = args.block() {
        if !args.is_empty() {
            return Err(ec.arity_error(args.len(), 0, Some(0)));
        }
        return eval_block(ec, class, block);
    }
    if args.is_empty() {
        return Err(ec.arg_error("wrong number of arguments (given 0, expected 1..3)"));
    }
    let outer = ec.cref();
    let cref = ec.new_cref(class, outer.0)?;
    eval::eval_as(ec, args, this, cref)
}

fn class_exec(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let Some(block) = args.block() else {
        return Err(ec.local_jump_error("no block given", "noreason", Value::NIL));
    };
    let outer = ec.cref_of_block(block);
    let cref = ec.block_cref(this_module(this), outer)?;
    let (argv, keywords) = args.split_keywords();
    eval::yield_as(ec, block, this, cref, argv, keywords)
}

fn singleton_class_p(_ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(Value::bool(this_module(this).is_singleton()))
}

fn undefined_instance_methods(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let names = names::method_names(ec, this_module(this), names::Which::Undefined, false);
    crate::symbol::symbol_array(ec, &names)
}

fn nesting(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    let list = ec.array(&[])?;
    // SAFETY: that frame is active.
    let mut at: Option<Cref> = Some(unsafe { ec.cref_of(ec.program_frame()) });
    while let Some(cref) = at {
        at = cref.outer();
        if at.is_some() && !cref.of_block() {
            ec.array_push(list, cref.class().0)?;
        }
    }
    Ok(list)
}

fn allocate(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let class = Class(this);
    if !class.is_class() {
        return Err(ec.type_error("allocator undefined for a module"));
    }
    ec.allocate(class)
}

/// The superclass as Ruby sees it: include classes are skipped.
pub fn superclass_of(class: Class) -> Option<Class> {
    class.chain().skip(1).find(|c| !c.is_include())
}

fn superclass(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    if Class(this).flags() & UNINITIALIZED != 0 {
        return Err(ec.type_error("uninitialized class"));
    }
    Ok(superclass_of(Class(this)).map_or(Value::NIL, |c| c.0))
}

fn subclasses(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let class = Class(this);
    ec.collect_classes(|c| c.is_class() && !c.is_singleton() && superclass_of(c) == Some(class))
}

fn attached_object(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let class = Class(this);
    if class.is_singleton() {
        return Ok(class.module());
    }
    let name = ec.class_name(class);
    Err(ec.type_error(format!("'{name}' is not a singleton class")))
}

fn main_include(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let object = ec.class(WellKnown::Object);
    ancestors::include(ec, object, args)
}

fn main_define_method(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let object = ec.known(WellKnown::Object);
    let name = ec.to_sym(args[0])?;
    define_from(ec, object, name, args.get(1), args.block(), asterism_vm::method::Visibility::Public)?;
    ec.method_added(object, name)?;
    Ok(Value::sym(name))
}
