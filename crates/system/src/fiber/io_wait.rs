//! `Fiber::Scheduler::Default#io_wait`: waiting for a stream.

use asterism_object::Value;
use asterism_vm::{Args, Ec, Exc, NativeDef, Res};
use rustix::event::PollFlags;

use super::poller::{Awaited, Came, wait};

/// Instance methods of the class.
pub static POLLER: &[NativeDef] = &[NativeDef::new("io_wait", io_wait, 3, 3)];

fn io_wait(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let stream = crate::io::object::stream(ec, args[0])?;
    let fd = stream.fd(ec)?;
    let events = ec.to_i64(args[1])?;
    let timeout = match args[2] {
        Value::NIL => None,
        v => Some(crate::thread::time::interval(ec, v)?),
    };
    let mut flags = PollFlags::empty();
    for (bit, flag) in [(1, PollFlags::IN), (2, PollFlags::PRI), (4, PollFlags::OUT)] {
        flags.set(flag, events & bit != 0);
    }
    if crate::io::fd::ready_now(&fd, flags) {
        return Ok(Value::fixnum(events));
    }
    match wait(ec, this, Some(Awaited { fd: &fd, flags, closed: Some(stream.closed_flag()), reads: false }), timeout)? {
        Came::Events(0) => Ok(Value::FALSE),
        Came::Events(came) => Ok(Value::fixnum(came)),
        Came::Closed => Err(ec.raise(Exc::IOError, "stream closed in another thread")),
    }
}
