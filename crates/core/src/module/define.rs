//! Methods of Procs, Methods and blocks.

use asterism_object::class::Class;
use asterism_object::types::Type;
use asterism_object::{Sym, Value};
use asterism_vm::block::Proc;
use asterism_vm::method::{Body, Method, Visibility};
use asterism_vm::redefined::warn_redefined;
use asterism_vm::{Block, Ec, Res};

use crate::proc::method_object;

/// Defines `name` from a Proc, Method, UnboundMethod or block.
///
/// # Errors
/// TypeError for anything else; ArgumentError for nothing; NoMemoryError.
pub fn define_from(
    ec: &mut Ec,
    class: Class,
    name: Sym,
    body: Option<Value>,
    block: Option<Block>,
    visibility: Visibility,
) -> Res<()> {
    let method = match (body, block) {
        (Some(v), _) if v.is_type(Type::Proc) => {
            Method::new(ec, class.0, name, visibility, Body::Block(v), Value::NIL)?
        }
        (Some(v), _) => match method_object::method_of(ec, v, class)? {
            Some(method) => method.copy(ec, class.0, name, visibility)?,
            None => {
                let got = ec.class_name_of(v);
                return Err(ec.type_error(format!("wrong argument type {got} (expected Proc/Method/UnboundMethod)")));
            }
        },
        (None, Some(block)) => {
            let proc = ec.block_to_proc(block)?;
            if Proc::from_value(proc).is_none() {
                return Err(ec.type_error("wrong argument type (expected Proc)"));
            }
            Method::new(ec, class.0, name, visibility, Body::Block(proc), Value::NIL)?
        }
        (None, None) => return Err(ec.arg_error("tried to create Proc object without a block")),
    };
    warn_redefined(ec, class, name, method)?;
    ec.add_method(class, name, method)
}
