//! `Ractor::Port`.

use std::sync::{Arc, OnceLock};

use asterism_core::allocators::set_allocator;
use asterism_object::class::Class;
use asterism_object::data;
use asterism_object::space::WellKnown;
use asterism_object::{Sym, Value, array, hash};
use asterism_symbol::sym;
use asterism_vm::ractor::Part;
use asterism_vm::ractor::port::{Port, PortObject};
use asterism_vm::{ANY, Args, Ec, NativeDef, Res};

use super::{copy, default_port, moving};
use crate::thread::time;

static PORT: &[NativeDef] = &[
    NativeDef::new("initialize", initialize, 0, 0).private(),
    NativeDef::new("initialize_copy", initialize_copy, 1, 1).private(),
    NativeDef::new("send", send, 0, ANY),
    NativeDef::new("<<", send, 0, ANY),
    NativeDef::new("receive", receive, 0, 1),
    NativeDef::new("close", close, 0, 0),
    NativeDef::new("closed?", is_closed, 0, 0),
    NativeDef::new("inspect", inspect, 0, 0),
];

/// Of Ractor, what goes to its default port.
static DEFAULT: &[NativeDef] = &[
    NativeDef::new("send", send_to_default, 0, ANY),
    NativeDef::new("<<", send_to_default, 0, ANY),
    NativeDef::new("receive", receive_from_default, 0, 1).private(),
    NativeDef::new("recv", receive_from_default, 0, 1).private(),
];

/// Of Ractor itself, what comes from the default port of the one that runs.
static CURRENT: &[NativeDef] =
    &[NativeDef::new("receive", receive_from_own, 0, 1), NativeDef::new("recv", receive_from_own, 0, 1)];

pub(super) fn init(ec: &mut Ec, ractor: Class) -> Res<()> {
    let object = ec.known(WellKnown::Object);
    let class = ec.define_class(ractor, "Port", object)?;
    set_allocator(ec, class, allocate);
    ec.vm().add_primitives(&[("ractor_select", select)]);
    ec.define_natives(class, PORT)?;
    ec.define_natives(ractor, DEFAULT)?;
    ec.define_singleton_natives(ractor, CURRENT)
}

fn allocate(ec: &mut Ec, class: Class) -> Res {
    let made = data::new(ec, class.0, PortObject(OnceLock::new()));
    ec.check(Value::NIL, made)
}

/// The port of an argument.
///
/// # Errors
/// TypeError for something else, and for a port that is not initialised.
pub(super) fn port_of<'a>(ec: &mut Ec, object: &'a Value) -> Res<&'a Arc<Port>> {
    match data::get::<PortObject>(object) {
        Some(port) => match port.0.get() {
            Some(port) => Ok(port),
            None => {
                let class = ec.class_name_of(*object);
                Err(ec.type_error(format!("uninitialized {class}")))
            }
        },
        None => {
            let class = ec.class_name_of(*object);
            Err(ec.type_error(format!("wrong argument type {class} (expected Ractor::Port)")))
        }
    }
}

fn initialize(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let ractor = ec.current_ractor()?;
    let port = Port::new(ec.new_charge(), &ractor);
    if let Some(object) = data::get::<PortObject>(&this) {
        // A second `initialize` changes nothing.
        let _ = object.0.set(port);
    }
    ec.freeze(this)?;
    Ok(Value::NIL)
}

fn initialize_copy(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let original = port_of(ec, &args[0])?.clone();
    if let Some(object) = data::get::<PortObject>(&this) {
        let _ = object.0.set(original);
    }
    ec.freeze(this)?;
    Ok(this)
}

fn send(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let port = port_of(ec, &this)?;
    let (argv, keywords) = args.split_keywords();
    let [message] = *argv else { return Err(ec.arity_error(argv.len(), 1, Some(1))) };
    let moves = match keywords {
        None => false,
        Some(options) => option(ec, options, sym::r#move)?.truthy(),
    };
    // Refused before it is moved, which cannot be undone.
    if port.is_closed() {
        return Err(ec.ractor_error("ClosedError", "The port was already closed"));
    }
    let message = if moves { moving::for_message(ec, message)? } else { copy::for_message(ec, message)? };
    ec.port_send(port, message)?;
    asterism_heap::keep_alive(this.bits());
    Ok(this)
}

/// The value of the one option there may be; nil without.
pub(super) fn option(ec: &mut Ec, options: Value, name: Sym) -> Res {
    // A Hash made for the call: nobody else has it.
    let mut found = Value::NIL;
    let mut at = 0;
    while let Some((next, key, value)) = hash::iter_next(options, at) {
        if key != Value::sym(name) {
            let shown = ec.inspect_for_error(key)?;
            return Err(ec.arg_error([b"unknown keyword: ".as_slice(), &shown].concat()));
        }
        found = value;
        at = next;
    }
    Ok(found)
}

fn send_to_default(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let port = default_port(ec, this, args)?;
    send(ec, port, args)?;
    Ok(this)
}

fn receive_from_default(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let port = default_port(ec, this, args)?;
    receive(ec, port, args)
}

fn receive_from_own(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let port = match &ec.thread.ractor {
        Some(ractor) => ractor.get(Part::DefaultPort),
        None => ec.main_ractor()?.get(Part::DefaultPort),
    };
    receive(ec, port, args)
}

fn receive(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let port = port_of(ec, &this)?;
    if port.ractor.id != ec.ractor_id() {
        return Err(ec.ractor_error("Error", "only allowed from the creator Ractor of this port"));
    }
    let mut timeout = Value::NIL;
    if let (argv, Some(options)) = args.split_keywords() {
        if !argv.is_empty() {
            return Err(ec.arity_error(argv.len(), 0, Some(0)));
        }
        timeout = option(ec, options, sym::timeout)?;
    } else if !args.is_empty() {
        return Err(ec.arity_error(args.len(), 0, Some(0)));
    }
    let deadline = time::deadline(ec, timeout)?;
    let received = ec.port_receive(this, &[port], deadline)?;
    ec.race_acquire_at(&**port);
    asterism_heap::keep_alive(this.bits());
    Ok(received.map_or(Value::NIL, |(_, message)| message))
}

/// The first message of several ports of this Ractor: the port and the message; nil when the time is over.
fn select(ec: &mut Ec, args: &[Value]) -> Res {
    let (list, timeout) = (args[0], args[1]);
    let mut ports = Vec::new();
    for i in 0..array::len(list) {
        let port = port_of(ec, &array::get(list, i as i64))?.clone();
        if port.ractor.id != ec.ractor_id() {
            return Err(ec.ractor_error("Error", "only allowed from the creator Ractor of this port"));
        }
        ports.push(port);
    }
    let deadline = time::deadline(ec, timeout)?;
    let asked: Vec<&Port> = ports.iter().map(|port| &**port).collect();
    match ec.port_receive(list, &asked, deadline)? {
        Some((i, message)) => ec.array(&[array::get(list, i as i64), message]),
        None => Ok(Value::NIL),
    }
}

fn close(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let port = port_of(ec, &this)?;
    if port.ractor.id != ec.ractor_id() {
        return Err(ec.ractor_error("Error", "closing port by other ractors is not allowed"));
    }
    port.close();
    ec.wake_fibers()?;
    Ok(this)
}

fn is_closed(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(Value::bool(port_of(ec, &this)?.is_closed()))
}

fn inspect(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let port = port_of(ec, &this)?;
    ec.str(format!("#<Ractor::Port to:#{} id:{}>", port.ractor.id, port.id))
}
