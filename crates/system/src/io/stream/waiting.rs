//! Waiting for a stream's descriptor: by the thread, or by the running fiber's scheduler.

use std::sync::Arc;
use std::time::Duration;

use asterism_object::space::WellKnown;
use asterism_object::{Value, data};
use asterism_symbol::intern;
use asterism_vm::ec::Raised;
use asterism_vm::error::Exc;
use asterism_vm::{Ec, Res};
use rustix::event::PollFlags;

use super::StreamRef;
use crate::fiber::poller::{self, Awaited, Came, Poller};
use crate::fiber::scheduler::wait_io;
use crate::io::fd::{Fd, Waited, ready_now, wait_any};
use crate::io::object::Streams;
use asterism_core::errno;

impl StreamRef {
    /// Waits until an operation on the descriptor can go on, for `IO#timeout` at most.
    ///
    /// # Errors
    /// IO::TimeoutError; IOError if the stream is closed meanwhile; what is raised into the thread.
    pub fn wait_ready(&self, ec: &mut Ec, fd: &Arc<Fd>, flags: PollFlags) -> Res<()> {
        let timeout = self.lock().timeout;
        self.wait_ready_within(ec, fd, flags, timeout)
    }

    /// As `wait_ready`, for this time.
    ///
    /// # Errors
    /// IO::TimeoutError; IOError if the stream is closed meanwhile; what is raised into the thread, or by a scheduler.
    pub fn wait_ready_within(&self, ec: &mut Ec, fd: &Arc<Fd>, flags: PollFlags, timeout: Option<Duration>) -> Res<()> {
        let ready =
            (!fd.socket && (fd.regular || ready_now(fd, flags))) || self.wait_blocked(ec, fd, flags, timeout)?;
        if ready { Ok(()) } else { Err(Self::timed_out(ec)) }
    }

    /// A fiber of the built-in scheduler waits until there may be something to read.
    ///
    /// # Errors
    /// IO::TimeoutError; IOError if the stream is closed meanwhile; else as [`poller::wait`].
    pub(super) fn wait_input(&self, ec: &mut Ec, scheduler: Value, fd: &Arc<Fd>, timeout: Option<Duration>) -> Res<()> {
        let on = Awaited { fd, flags: PollFlags::IN, closed: Some(self.stream.closed_flag()), reads: true };
        match poller::wait(ec, scheduler, Some(on), timeout)? {
            Came::Closed if self.was_closed() => Err(ec.raise(Exc::IOError, "stream closed in another thread")),
            Came::Events(0) => Err(Self::timed_out(ec)),
            Came::Closed | Came::Events(_) => Ok(()),
        }
    }

    #[cold]
    fn timed_out(ec: &mut Ec) -> Raised {
        let io = ec.known(WellKnown::IO);
        let class = ec.own_constant(io, intern("TimeoutError")).unwrap_or_else(|| ec.exc_class(Exc::IOError));
        ec.raise_class(class, b"Blocking operation timed out!")
    }

    /// Waits until the descriptor is ready; `false` when the time is over. A scheduler that is written in Ruby is asked also when
    /// the descriptor is ready: it may look after the other end meanwhile.
    ///
    /// # Errors
    /// IOError if the stream is closed meanwhile; what is raised into the thread.
    pub fn wait_fd(&self, ec: &mut Ec, fd: &Arc<Fd>, flags: PollFlags, timeout: Option<Duration>) -> Res<bool> {
        let asks = ec.scheduler().is_some_and(|s| !data::is::<Poller>(s));
        if fd.regular || (!asks && ready_now(fd, flags)) {
            return Ok(true);
        }
        self.wait_blocked(ec, fd, flags, timeout)
    }

    /// As `wait_fd`, for a descriptor that has just said that it is not ready.
    fn wait_blocked(&self, ec: &mut Ec, fd: &Arc<Fd>, flags: PollFlags, timeout: Option<Duration>) -> Res<bool> {
        if let Some(scheduler) = ec.scheduler()
            && let Some(ready) = self.wait_scheduled(ec, scheduler, fd, flags, timeout)?
        {
            return Ok(ready);
        }
        let own = ec.vm().part::<Streams>().wakes.take().map_err(|e| errno::raise(ec, e, ""))?;
        self.lock().waits.push(own.wake().clone());
        let mut revents = [PollFlags::empty()];
        let waited = if self.is_closed() {
            Ok(Waited::Woken)
        } else {
            wait_any(ec, &[(fd.clone(), flags)], &mut revents, timeout, own.wake())
        };
        self.lock().waits.retain(|w| !Arc::ptr_eq(w, own.wake()));
        ec.vm().part::<Streams>().wakes.give(own);
        match waited? {
            // A scheduler's `io_close` may have closed the descriptor that was waited for.
            Waited::Ready if !self.was_closed() => Ok(true),
            Waited::TimedOut => Ok(false),
            Waited::Ready | Waited::Woken => Err(ec.raise(Exc::IOError, "stream closed in another thread")),
        }
    }

    /// The running fiber's scheduler waits. Closing the stream ends that as well.
    fn wait_scheduled(
        &self,
        ec: &mut Ec,
        scheduler: Value,
        fd: &Arc<Fd>,
        flags: PollFlags,
        timeout: Option<Duration>,
    ) -> Res<Option<bool>> {
        if data::is::<Poller>(scheduler) {
            let on = Awaited { fd, flags, closed: Some(self.stream.closed_flag()), reads: false };
            return match poller::wait(ec, scheduler, Some(on), timeout)? {
                // Another stream over the same descriptor may have been closed: then the caller tries again.
                Came::Closed if !self.was_closed() => Ok(Some(true)),
                Came::Closed => Err(ec.raise(Exc::IOError, "stream closed in another thread")),
                Came::Events(came) => Ok(Some(came != 0)),
            };
        }
        let message = ec.str("stream closed in another thread")?;
        let wait = ec.begin_fiber_wait_with(scheduler, self.io, message)?;
        self.lock().fiber_waits.push(Arc::clone(&wait));
        let closed = self.is_closed();
        let waited = if closed { Ok(None) } else { wait_io(ec, scheduler, Some(self.io), fd, flags, timeout) };
        self.lock().fiber_waits.retain(|w| !Arc::ptr_eq(w, &wait));
        if (closed || wait.is_woken()) && waited.is_ok() {
            return Err(ec.raise(Exc::IOError, "stream closed in another thread"));
        }
        waited
    }
}
