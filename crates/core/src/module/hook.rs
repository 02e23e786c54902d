//! Hook methods: `included`, `method_added` and their like.

use asterism_object::{Sym, Value};
use asterism_vm::{Args, Ec, Res};

/// Calls a hook method unless it is the core's, which does nothing.
///
/// # Errors
/// What a hook of the program's raises.
pub fn hook(ec: &mut Ec, recv: Value, name: Sym, args: &[Value]) -> Res<()> {
    let class = ec.class_of(recv);
    if let (_, Some(found)) = ec.find_method(class, name)
        && !found.method.is_native_of_core()
    {
        ec.call(recv, name, args)?;
    }
    Ok(())
}

/// A hook that does nothing.
pub fn no_op(_ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    Ok(Value::NIL)
}
