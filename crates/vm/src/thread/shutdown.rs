//! How a VM ends its threads when the main thread ends, and what runs then.

use std::sync::Arc;
use std::time::{Duration, Instant};

use asterism_object::Value;

use super::handle::RubyThread;
use super::wait::Sleep;
use crate::ec::{Ec, Res};
use crate::fiber::scheduler::Parked;
use crate::vm::Root;

/// How long the main thread waits for a thread that does not end, although it was killed.
const PATIENCE: Duration = Duration::from_secs(30);

/// Kills all other threads and waits until they have ended; their ensure clauses run. For the main thread, after the
/// `at_exit` blocks. Says whether all ended; a thread that does not within half a minute is left behind.
pub fn shutdown(ec: &mut Ec) -> bool {
    let me = ec.thread.handle.clone();
    let give_up = Instant::now() + PATIENCE;
    loop {
        let others: Vec<Arc<RubyThread>> =
            ec.vm().threads.living().into_iter().filter(|t| !Arc::ptr_eq(t, &me)).collect();
        if others.is_empty() {
            super::spawn::release_locks(ec);
            ec.vm().threads.pool.close();
            return true;
        }
        // Again each time: an ensure clause may have swallowed the first one.
        for thread in &others {
            if !thread.is_interrupted() {
                thread.kill();
            }
        }
        for thread in &others {
            if Instant::now() >= give_up {
                return false;
            }
            let until = Instant::now() + Duration::from_secs(1);
            {
                let mut joiners = thread.joiners.lock();
                if joiners.ended {
                    continue;
                }
                me.prepare_wait(false);
                joiners.waiting.push(Parked::Thread(me.clone()));
            }
            ec.park(Sleep::Until(until));
            thread.joiners.lock().waiting.retain(|other| !other.is(&Parked::Thread(me.clone())));
            // A second Ctrl-C while threads end changes nothing: the process is ending already.
            ec.state().interrupts().take(!0);
        }
    }
}

/// Registers `proc` to run when the VM ends.
///
/// # Errors
/// NoMemoryError.
pub fn at_exit(ec: &mut Ec, proc: Value) -> Res<()> {
    let mut list = ec.vm().root(Root::AtExit);
    if list.is_nil() {
        list = ec.array(&[])?;
        ec.vm().set_root(Root::AtExit, list);
    }
    ec.array_push(list, proc)
}
