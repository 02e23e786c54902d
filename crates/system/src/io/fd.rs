//! File descriptors and waiting for them: closed when the last user is done, and waits that `Thread#raise` and
//! friends can end.

use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd, RawFd};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use asterism_lock::Mutex;
use asterism_vm::{Ec, Res};
use rustix::buffer::spare_capacity;
use rustix::event::{EventfdFlags, PollFd, PollFlags, Timespec, eventfd, poll};
use rustix::fs::FileType;
use rustix::io::Errno;
use rustix::net::{RecvFlags, SendFlags};
use rustix::termios::{LocalModes, SpecialCodeIndex};

use super::left_open::{self, LeftOpen};
use asterism_core::errno;

/// Who has to know when a descriptor is closed.
pub trait Watcher: Send + Sync + std::fmt::Debug {
    /// This descriptor is: who waits for it goes on. No safepoint is reached.
    fn closed(&self, number: RawFd);
}

/// What a descriptor is open for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A regular file or a directory.
    Regular,
    Socket,
    /// A character device.
    Device,
    Other,
}

/// A descriptor shared by the operations that use it; closed with the last of them.
#[derive(Debug)]
pub struct Fd {
    raw: RawFd,
    /// Regular files and directories never keep a caller waiting.
    pub regular: bool,
    /// Sockets are read and written without waiting, whatever their flags say.
    pub socket: bool,
    /// A character device, as a terminal is.
    device: bool,
    /// The number of the fiber scheduler it is registered with; 0: none.
    pub poller: AtomicU64,
    /// The schedulers that have to know when it is closed.
    watchers: Mutex<Vec<Weak<dyn Watcher>>>,
    /// Whether the end of its last user closes it (`IO#autoclose?`).
    autoclose: AtomicBool,
    /// A VM has opened it, which closes it at its end if nobody has.
    opened: AtomicBool,
}

impl Fd {
    /// Takes an open descriptor over.
    pub fn new(fd: OwnedFd) -> Fd {
        use std::os::fd::IntoRawFd;
        let kind = kind(&fd);
        Fd::over(fd.into_raw_fd(), kind, true)
    }

    /// What a number names (`IO.new(3)`). It is not closed unless it is taken over.
    ///
    /// # Errors
    /// EBADF if it is not open.
    pub fn from_number(raw: RawFd) -> Result<Fd, Errno> {
        if raw < 0 {
            return Err(Errno::BADF);
        }
        // SAFETY: the number is only lent to fcntl, which answers EBADF if it is not open.
        let lent = unsafe { BorrowedFd::borrow_raw(raw) };
        rustix::io::fcntl_getfd(lent)?;
        Ok(Fd::over(raw, kind(&lent), false))
    }

    /// A socket that was just made.
    pub fn of_socket(fd: OwnedFd) -> Fd {
        use std::os::fd::IntoRawFd;
        Fd::over(fd.into_raw_fd(), Kind::Socket, true)
    }

    fn over(raw: RawFd, kind: Kind, opened: bool) -> Fd {
        let (poller, watchers) = (AtomicU64::new(0), Mutex::new(Vec::new()));
        let (autoclose, opened) = (AtomicBool::new(opened), AtomicBool::new(opened));
        let (regular, socket, device) = (kind == Kind::Regular, kind == Kind::Socket, kind == Kind::Device);
        Fd { raw, regular, socket, device, poller, watchers, autoclose, opened }
    }

    /// How long a read waits for the first byte at most, where the mode of a terminal says that it need not come (`VMIN` is 0).
    pub fn read_limit(&self) -> Option<Duration> {
        if !self.device {
            return None;
        }
        let mode = rustix::termios::tcgetattr(self).ok()?;
        let codes = &mode.special_codes;
        let may_be_empty = !mode.local_modes.contains(LocalModes::ICANON) && codes[SpecialCodeIndex::VMIN] == 0;
        may_be_empty.then(|| Duration::from_millis(100 * u64::from(codes[SpecialCodeIndex::VTIME])))
    }

    /// `IO#autoclose?`
    pub fn closes_itself(&self) -> bool {
        self.autoclose.load(Ordering::Relaxed)
    }

    /// The end of its last user closes it.
    pub fn take_over(&self) {
        if !self.autoclose.swap(true, Ordering::Relaxed) && left_open::take_over(self.raw) {
            self.opened.store(true, Ordering::Relaxed);
        }
    }

    /// The end of its last user does not close it. If a VM has opened it, that of this one does.
    pub fn leave_open(&self, vm: &LeftOpen) {
        if self.autoclose.swap(false, Ordering::Relaxed) && self.opened.load(Ordering::Relaxed) {
            vm.add(self.raw);
        }
    }

    /// Somebody else has closed it, or will.
    pub fn forget(&self) {
        self.autoclose.store(false, Ordering::Relaxed);
    }

    /// A scheduler is to know when it is closed.
    pub fn note_watcher(&self, watcher: Weak<dyn Watcher>) {
        let mut list = self.watchers.lock();
        list.retain(|other| other.strong_count() > 0 && !std::ptr::addr_eq(other.as_ptr(), watcher.as_ptr()));
        list.push(watcher);
    }

    /// A stream gives it up: the fibers that wait for it go on.
    pub fn tell_closed(&self) {
        let list = self.watchers.lock().clone();
        for watcher in list.iter().filter_map(Weak::upgrade) {
            watcher.closed(self.raw);
        }
    }

    /// It goes to another VM, whose schedulers have numbers of their own.
    pub fn forget_pollers(&self) {
        self.watchers.lock().clear();
        self.poller.store(0, Ordering::Relaxed);
    }

    /// Its number.
    pub fn number(&self) -> RawFd {
        self.raw
    }

    /// Appends up to `room` bytes read to `buffer`, which must have room for them. A socket does not wait.
    ///
    /// # Errors
    /// The errno of read(2) or recv(2): EAGAIN if there is nothing yet, EINTR, EIO, EISDIR, ECONNRESET.
    pub fn read(&self, buffer: &mut Vec<u8>, room: usize) -> Result<usize, Errno> {
        let len = buffer.len();
        if buffer.capacity() - len > room {
            // The caller wants no more than this.
            buffer.resize(len + room, 0);
            let result = if self.socket {
                rustix::net::recv(self, &mut buffer[len..], RecvFlags::DONTWAIT).map(|(n, _)| n)
            } else {
                rustix::io::read(self, &mut buffer[len..])
            };
            buffer.truncate(len + result.unwrap_or(0));
            return result;
        }
        let spare = spare_capacity(buffer);
        if self.socket {
            rustix::net::recv(self, spare, RecvFlags::DONTWAIT).map(|(n, _)| n)
        } else {
            rustix::io::read(self, spare)
        }
    }

    /// Writes bytes; how many went out. A socket does not wait.
    ///
    /// # Errors
    /// The errno of write(2) or send(2): EAGAIN if there is no room, EINTR, EPIPE, ENOSPC, EIO, ECONNRESET.
    pub fn write(&self, bytes: &[u8]) -> Result<usize, Errno> {
        if self.socket {
            rustix::net::send(self, bytes, SendFlags::DONTWAIT | SendFlags::NOSIGNAL)
        } else {
            rustix::io::write(self, bytes)
        }
    }
}

/// What the thread has done comes before what others do after they have read what it is about to write.
#[inline]
pub fn order_write(ec: &mut Ec, fd: &Fd) {
    if ec.vm().races.is_on() && !fd.regular {
        ec.race_release_stream(pipe(fd));
    }
}

/// The thread has read something: what it does now comes behind what was done before that was written.
#[inline]
pub fn order_read(ec: &mut Ec, fd: &Fd) {
    if ec.vm().races.is_on() && !fd.regular {
        ec.race_acquire_stream(pipe(fd));
    }
}

/// The number of the inode that both ends of a pipe have.
fn pipe(fd: &Fd) -> Option<u64> {
    if fd.socket { None } else { rustix::fs::fstat(fd).ok().map(|s| s.st_ino) }
}

fn kind(fd: &impl AsFd) -> Kind {
    rustix::fs::fstat(fd).map_or(Kind::Other, |s| match FileType::from_raw_mode(s.st_mode) {
        FileType::RegularFile | FileType::Directory => Kind::Regular,
        FileType::Socket => Kind::Socket,
        FileType::CharacterDevice => Kind::Device,
        _ => Kind::Other,
    })
}

impl AsFd for Fd {
    fn as_fd(&self) -> BorrowedFd<'_> {
        // SAFETY: the descriptor stays open as long as `self` lives; see `drop`.
        unsafe { BorrowedFd::borrow_raw(self.raw) }
    }
}

impl AsRawFd for Fd {
    fn as_raw_fd(&self) -> RawFd {
        self.raw
    }
}

impl Drop for Fd {
    fn drop(&mut self) {
        // The standard streams belong to the process.
        if self.raw > 2 && self.autoclose.load(Ordering::Relaxed) {
            // SAFETY: nobody else has this `Fd`, which owned the descriptor. A program may have closed the number through
            // another object (`IO.for_fd`): that is EBADF here, where the destructor of an `OwnedFd` may abort.
            unsafe { libc::close(self.raw) };
        }
    }
}

/// What ends another thread's wait for a descriptor: sticky until it is reset.
#[derive(Debug)]
pub struct Wake {
    event: OwnedFd,
    /// Somebody has notified it; in front of that.
    notified: AtomicBool,
}

impl Wake {
    /// A new one.
    ///
    /// # Errors
    /// EMFILE, ENFILE or ENOMEM.
    pub fn new() -> Result<Wake, Errno> {
        let event = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?;
        Ok(Wake { event, notified: AtomicBool::new(false) })
    }

    /// Ends the wait.
    pub fn notify(&self) {
        self.notified.store(true, Ordering::Relaxed);
        // It can only fail when the counter is full: then the wait ends anyway.
        let _ = rustix::io::write(&self.event, &1u64.to_ne_bytes());
    }

    /// Makes it ready for the next wait.
    pub fn reset(&self) {
        let mut count = [0u8; 8];
        // It fails when nobody notified.
        let _ = rustix::io::read(&self.event, &mut count);
    }

    /// Was it ever notified? To be asked when nobody can do so any more.
    pub fn was_notified(&self) -> bool {
        self.notified.load(Ordering::Relaxed)
    }
}

impl AsFd for Wake {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.event.as_fd()
    }
}

/// What happened to the awaited descriptors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Waited {
    /// At least one is ready.
    Ready,
    /// The time is over.
    TimedOut,
    /// `wake` was notified by somebody other than an interrupter.
    Woken,
}

/// Is one descriptor ready now?
pub fn ready_now(fd: &impl AsFd, flags: PollFlags) -> bool {
    let mut list = [PollFd::new(fd, flags)];
    matches!(poll(&mut list, Some(&Timespec { tv_sec: 0, tv_nsec: 0 })), Ok(n) if n > 0)
}

/// Waits for any of the descriptors; `revents` says which are ready then. Interrupts of the thread are handled.
///
/// # Errors
/// What was raised into the thread, see `Ec::check_blocking`; the class of Errno of poll(2): Errno::ENOMEM,
/// Errno::EINVAL for too many.
pub fn wait_any(
    ec: &mut Ec,
    fds: &[(Arc<Fd>, PollFlags)],
    revents: &mut [PollFlags],
    timeout: Option<Duration>,
    wake: &Wake,
) -> Res<Waited> {
    let deadline = timeout.and_then(|t| Instant::now().checked_add(t));
    loop {
        let result = ec.wait_outside(&|| wake.notify(), || {
            let mut list: Vec<PollFd<'_>> = fds.iter().map(|(fd, flags)| PollFd::new(fd.as_ref(), *flags)).collect();
            list.push(PollFd::new(wake, PollFlags::IN));
            let left = deadline.map(|d| timespec(d.saturating_duration_since(Instant::now())));
            let done = poll(&mut list, left.as_ref());
            for (slot, polled) in revents.iter_mut().zip(&list) {
                *slot = polled.revents();
            }
            let woken = list.last().is_some_and(|w| !w.revents().is_empty());
            done.map(|_| woken)
        });
        let interrupted = match &result {
            None | Some(Err(Errno::INTR)) => true,
            Some(_) => ec.state().interrupts().pending() != 0,
        };
        if interrupted {
            wake.reset();
        }
        ec.check_blocking()?;
        match result {
            Some(Ok(woken)) => {
                if revents.iter().any(|r| !r.is_empty()) {
                    return Ok(Waited::Ready);
                }
                if woken && !interrupted {
                    return Ok(Waited::Woken);
                }
            }
            Some(Err(Errno::INTR)) | None => {}
            Some(Err(e)) => return Err(errno::raise(ec, e, "")),
        }
        if deadline.is_some_and(|d| Instant::now() >= d) {
            return Ok(Waited::TimedOut);
        }
    }
}

/// Waits a while; interrupts of the thread end it.
///
/// # Errors
/// What is raised into the thread, see `Ec::check_blocking`; what a scheduler's `kernel_sleep` raises; NoMemoryError.
pub fn pause(ec: &mut Ec, time: Duration) -> Res<()> {
    if let Some(scheduler) = ec.scheduler() {
        let time = ec.seconds(Some(time))?;
        ec.call(scheduler, asterism_symbol::intern("kernel_sleep"), &[time])?;
        return Ok(());
    }
    let waiter = asterism_heap::Waiter::new();
    ec.wait_outside(&|| waiter.notify(), || waiter.wait(Some(time)));
    ec.check_blocking()
}

fn timespec(d: Duration) -> Timespec {
    Timespec { tv_sec: i64::try_from(d.as_secs()).unwrap_or(i64::MAX), tv_nsec: i64::from(d.subsec_nanos()) }
}
