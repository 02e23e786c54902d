//! UnboundMethod: what is its own beside what Method shares with it.

use asterism_object::Value;
use asterism_object::space::WellKnown;
use asterism_vm::{ANY, Args, Ec, NativeDef, Res};

use super::method_object::{check_bind, invoke, new, parts};
use crate::object::forward;

static UNBOUND: &[NativeDef] = &[NativeDef::new("bind", bind, 1, 1), NativeDef::new("bind_call", bind_call, 1, ANY)];

pub fn init(ec: &mut Ec) -> Res<()> {
    let class = ec.known(WellKnown::UnboundMethod);
    ec.define_natives(class, UNBOUND)
}

fn bind(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let method = parts(ec, this)?;
    check_bind(ec, method, args[0])?;
    let class = ec.class_of(args[0]);
    new(ec, args[0], method, class)
}

fn bind_call(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let method = parts(ec, this)?;
    check_bind(ec, method, args[0])?;
    invoke(ec, args[0], Some(method), method.name(), &forward(args, 1))
}
