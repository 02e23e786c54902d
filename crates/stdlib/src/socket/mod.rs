//! `require "socket"`: primitives in Rust (`basic`, `resolve`), the classes in Ruby on top of them.

mod basic;
mod constants;
mod resolve;
mod sys;

use asterism_object::Value;
use asterism_object::space::WellKnown;
use asterism_symbol::intern;
use asterism_vm::{Ec, Exc, Res};

use asterism_object::class::Class;

/// The Ruby part, in the order in which it is run.
pub const SOURCES: &[(&str, &str)] = &[
    ("<internal:socket/basic>", include_str!("basic.rb")),
    ("<internal:socket/names>", include_str!("names.rb")),
    ("<internal:socket/addrinfo>", include_str!("addrinfo.rb")),
    ("<internal:socket/option>", include_str!("option.rb")),
    ("<internal:socket/ancillary>", include_str!("ancillary.rb")),
    ("<internal:socket/socket>", include_str!("socket.rb")),
    ("<internal:socket/servers>", include_str!("servers.rb")),
    ("<internal:socket/ip>", include_str!("ip.rb")),
    ("<internal:socket/unix>", include_str!("unix.rb")),
];

/// Defines the classes, their primitives and the constants.
///
/// # Errors
/// NoMemoryError.
pub fn define(ec: &mut Ec) -> Res<()> {
    let object = ec.known(WellKnown::Object);
    let io = ec.known(WellKnown::IO);
    let basic = ec.define_class(object, "BasicSocket", io)?;
    ec.define_natives(basic, basic::BASIC)?;
    ec.define_singleton_natives(basic, basic::BASIC_SINGLETON)?;
    let socket = ec.define_class(object, "Socket", basic)?;
    ec.define_singleton_natives(socket, resolve::SOCKET_SINGLETON)?;
    let standard = Class(ec.exc_class(Exc::StandardError));
    let error = ec.define_class(object, "SocketError", standard)?;
    ec.define_class(socket, "ResolutionError", error)?;
    let module = ec.define_module(socket, "Constants")?;
    for (name, number) in constants::CONSTANTS {
        ec.set_constant(module, intern(name), Value::fixnum(*number))?;
        ec.set_constant(socket, intern(name), Value::fixnum(*number))?;
    }
    Ok(())
}
