//! What a VM does before and after its program.

use std::os::fd::IntoRawFd;

use asterism_object::Value;
use asterism_symbol::intern;
use asterism_system::io::directory;
use asterism_system::process::signals;
use asterism_vm::{Ec, Exc, Res};

use super::child::Outcome;
use super::family::{Launch, Vms, rubyvm};
use super::{pack, unpack};

/// Makes the calling VM the one that `child` stands for, before its program runs.
///
/// # Errors
/// As [`unpack::unpack`], of its arguments and its environment; the class of Errno of chdir(2), NotImplementedError if
/// the VM has no directory of its own; TypeError for what does not belong into `ENV`; NoMemoryError.
pub fn enter(ec: &mut Ec, launch: &mut Launch) -> Res<()> {
    let vms = ec.vm().part::<Vms>();
    // The VM was made a moment ago: nobody set them before.
    let _ = vms.family.set(launch.family.clone());
    signals::share_relay(ec, launch.family.relay.clone());
    let _ = vms.me.set(launch.child.clone());
    launch.child.running(ec);
    let arguments = unpack::unpack(ec, &launch.arguments)?;
    let class = rubyvm(ec);
    ec.set_constant(class, intern("ARGV"), arguments)?;
    directory::separate(ec);
    if let Some(dir) = &launch.spec.directory {
        directory::change(ec, dir)?;
    }
    let changes = unpack::unpack(ec, &launch.spec.environment)?;
    furnish(ec, changes, std::mem::take(&mut launch.spec.streams))
}

/// Gives the calling VM changes of its `ENV`, a Hash or nil, and standard streams of its own.
///
/// # Errors
/// TypeError for what does not belong into `ENV`; SystemCallError.
pub fn furnish(ec: &mut Ec, changes: Value, streams: [Option<std::os::fd::OwnedFd>; 3]) -> Res<()> {
    let fds = streams.map(|given| given.map_or(Value::NIL, |fd| Value::fixnum(i64::from(fd.into_raw_fd()))));
    let class = rubyvm(ec);
    ec.call(class.0, intern("__enter"), &[changes, fds[0], fds[1], fds[2]])?;
    Ok(())
}

/// What `start` was given, an Array.
pub fn arguments(ec: &mut Ec) -> Value {
    let rubyvm = rubyvm(ec);
    ec.own_constant(rubyvm, intern("ARGV")).unwrap_or(Value::NIL)
}

/// How the program of a VM ended, as its family sees it. Called when its value or exception is known.
pub fn outcome(ec: &mut Ec, result: Result<Value, Option<Value>>) -> Outcome {
    // What ended it may be that it has no memory left.
    ec.suspend_limit();
    let outcome = told(ec, result);
    ec.resume_limit();
    outcome
}

fn told(ec: &mut Ec, result: Result<Value, Option<Value>>) -> Outcome {
    match result {
        Ok(value) => match pack::pack(ec, value) {
            Ok(message) => Outcome::Value(message),
            Err(_) => match ec.take_pending() {
                // Who only waits for its end does not need the value.
                asterism_vm::error::Pending::Exception(e) => Outcome::NoValue(pack::pack_error(ec, e)),
                _ => Outcome::Killed,
            },
        },
        Err(None) => Outcome::Killed,
        Err(Some(e)) if ec.is_kind_of(e, ec.exc_class(Exc::SystemExit)) => {
            let status = ec.call(e, intern("status"), &[]).ok().and_then(|v| v.fixnum_value());
            Outcome::Exit(status.and_then(|n| i32::try_from(n).ok()).unwrap_or(1))
        }
        Err(Some(e)) => Outcome::Error(pack::pack_error(ec, e)),
    }
}
