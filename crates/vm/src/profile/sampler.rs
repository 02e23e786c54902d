//! One thread's samples: a timer of its processor time, whose signal handler notes the frames of the thread that it interrupts.
//!
//! The handler runs at any instruction of its thread. It reads `ec.fiber.frame`, the headers of that frame and its callers', and the code of the
//! topmost one; it takes no lock, allocates nothing and writes to the thread's `Ring` only. That is right at every instruction because
//! **`ec.fiber.frame` names a frame whose header is complete, and so are its callers' always**:
//!
//! - A frame is pushed by writing its header and then `ec.fiber.frame`, with a fence for the compiler between ([`RunningFiber::enter_frame`]); compiled code
//!   stores in the same order, if it tells its frames. Between the two stores the caller is the current frame.
//! - A frame that has returned stays in memory as it is until another one is pushed in its place, when `ec.fiber.frame` names an older one.
//! - A switch of fibers stores one word, which names the topmost frame of one fiber or of the other; the chunk of a fiber that has ended is
//!   given back after `ec.fiber.frame` was led away from it ([`RunningFiber::leave_frames`]).
//! - A frame keeps its code alive, so what the sample names is alive when it is taken. From then on the collector finds it in the samples.
//!
//! Plain compiled code does not keep to that: `ec.fiber.frame` may name a frame of its that has ended, over which others are written. So code of
//! the VM is exchanged for code that tells its frames while there are samplers ([`crate::jit::Gate`]), and the handler takes no sample where
//! plain code may be under way. It asks `OfEc::entered` ([`OfEc::tells_frame`]): 0 in a loop of the interpreter and in what native code
//! does there; in compiled code, and in the helpers that it calls, the gate's epoch when that was entered, odd if that was code that tells.
//! Both ends of a loop of the interpreter, and of a call of compiled code from Rust, set the word and put it back; each machine stack has its
//! own (`Machine::entered`). A sample is taken if it is 0, or is odd and the epoch still. Then plain code is not under way:
//!
//! - Compiled code calls what an `Iseq` names as its machine code, of its callee's. All that is named so in an epoch is of one kind: it is
//!   taken from units of that kind only (`heat::link`), and a new epoch begins while the world is stopped, with nothing named
//!   (`jit::run::forget`). From the look at the name to the call there may be a safepoint (an Array of rest arguments is made), but then the
//!   epoch is another one.
//! - So what was entered in this epoch, if that is odd, has called only code that tells. What was entered in an earlier one is not sampled,
//!   whatever it calls, also if the epoch after the next one is of its own kind: an epoch does not come again.
//! - Suspended code stays what it was: when a loop of the interpreter that a helper of it has begun ends, or somebody switches back to its
//!   machine stack, the word is again what it was, of the old epoch. (Fibers without a machine stack of their own are gone on with by the
//!   loop of the interpreter; compiled code under way gives itself up when such a switch was made, and writes no frame by then.)
//! - Code that tells sets the word itself where it is called (`Emitter::beginning`), for it may be called by code of an old epoch, which can
//!   reach no look at the gate as long as its callee runs. That is right in the callee, by the same argument. When it returns, the caller
//!   looks at the gate before it writes any frame, and is left if it is plain code; if it is code that tells, it is like one that is entered
//!   now.
//!
//! What plain code is under way when samples begin is left at its next look at the gate (loop heads, returns) or by the next helper that
//! asks. Up to then its samples are lost: those of a native method that it has called, if that takes long.
//!
//! The pc of a frame that calls lies in it. That of the topmost one is in a register, most often; which one is up to the optimiser, so the
//! handler looks for a register that holds an address in the code of that frame, first in the one that handlers are passed it in. Compiled code
//! has no such register: then the line is that of what the frame last saved, its last call.

use std::sync::atomic::Ordering;
use std::time::Duration;

use asterism_object::Value;

use super::ring::Room;
use super::samples::{Sampler, Timer};
use crate::ec::Ec;
use crate::frame::Frame;
use crate::iseq::Iseq;
use crate::jit::OfEc;

/// Words of a sample in front of its frames: number of frames and weight, the interrupted instruction.
pub(super) const HEAD: usize = 2;
/// Words of a frame: code or 0, pc, method.
pub(super) const FRAME: usize = 3;
/// Frames that a sample has at most, the innermost ones.
const MOST: usize = 256;

impl Sampler {
    /// Starts to take samples of the thread with this number of the kernel's; `false` if the system refuses.
    pub(super) fn start(&self, thread: u32, period: Duration) -> bool {
        let mut timer = self.timer.lock();
        if timer.is_none() {
            *timer = Timer::start(self, thread, period);
        }
        timer.is_some()
    }

    /// Notes where the calling thread is, which is the sampler's; `registers` has the value of each register that was interrupted.
    fn note(&self, instruction: u64, registers: &[u64], weight: u64) {
        let ec = self.ec.load(Ordering::Acquire).cast::<Ec>();
        if ec.is_null() {
            return;
        }
        // SAFETY: the address is an Ec's, which lives until `end`, which this thread calls; nobody but this thread writes the fields, and
        // they are whole words.
        let (tells, frame, leaf) = unsafe {
            let tells = OfEc::tells_frame(&raw const (*ec).worker.jit);
            (tells, (&raw const (*ec).fiber.frame).read_volatile(), (&raw const (*ec).fiber.leaf).read_volatile())
        };
        let noted = tells
            && self.ring.write(HEAD + 2 * FRAME, |room| {
                let head = room.push(0);
                room.push(instruction);
                // SAFETY: the module says why the frames can be read.
                let frames = unsafe { note_frames(room, frame, leaf, registers) };
                room.set(head, frames | weight << 32);
            });
        if !noted {
            self.lost.fetch_add(weight, Ordering::Relaxed);
        }
    }
}

/// Notes the frames from the topmost one on; how many.
///
/// # Safety
/// The frames are the calling thread's, their headers complete.
unsafe fn note_frames(room: &mut Room<'_>, top: *const Frame, leaf: Value, registers: &[u64]) -> u64 {
    let mut count = 0;
    if leaf.is_heap() {
        room.frame([0, 0, leaf.bits()]);
        count += 1;
    }
    let mut at = top;
    // SAFETY: the caller's contract; a frame keeps its code alive.
    unsafe {
        while let Some(frame) = at.as_ref()
            && count < MOST as u64
            && room.left() >= FRAME
        {
            let mut pc = frame.pc as u64;
            if at == top
                && let Some(iseq) = frame.iseq.as_ref()
                && let Some(found) = pc_in(iseq, registers)
            {
                pc = found;
            }
            room.frame([frame.iseq as u64, pc, frame.method.bits()]);
            count += 1;
            at = frame.prev;
        }
    }
    count
}

/// The first register that leads into the code.
fn pc_in(iseq: &Iseq, registers: &[u64]) -> Option<u64> {
    let words = iseq.code.words.as_ptr_range();
    let words = words.start as u64 + 1..words.end as u64 + 1;
    registers.iter().copied().find(|register| words.contains(register) && register % 8 == 0)
}

#[cfg(target_os = "linux")]
mod signal {
    use std::ffi::{c_int, c_void};
    use std::sync::Once;
    use std::time::Duration;

    use super::{Sampler, Timer};

    /// The handler is there.
    static INSTALLED: Once = Once::new();

    /// The signal. Programs hardly use real-time signals, and Ruby has no names for them.
    fn number() -> c_int {
        libc::SIGRTMIN() + 7
    }

    impl Timer {
        /// Signals to the thread with this number, which is `sampler`'s, after each period of its processor time.
        pub(super) fn start(sampler: &Sampler, thread: u32, period: Duration) -> Option<Timer> {
            asterism_lock::once::call(&INSTALLED, install);
            // The clock of a thread's processor time, as the kernel makes one of its number.
            let clock = (!(thread as libc::clockid_t)) << 3 | 6;
            let every =
                libc::timespec { tv_sec: period.as_secs() as libc::time_t, tv_nsec: period.subsec_nanos().into() };
            // SAFETY: the structures are plain data, filled in as timer_create(2) wants them.
            unsafe {
                let mut event: libc::sigevent = std::mem::zeroed();
                event.sigev_notify = libc::SIGEV_THREAD_ID;
                event.sigev_signo = number();
                event.sigev_notify_thread_id = thread as c_int;
                event.sigev_value = libc::sigval { sival_ptr: std::ptr::from_ref(sampler).cast_mut().cast() };
                let mut timer: libc::timer_t = std::mem::zeroed();
                if libc::timer_create(clock, &raw mut event, &raw mut timer) != 0 {
                    return None;
                }
                let timer = Timer(timer);
                let times = libc::itimerspec { it_interval: every, it_value: every };
                (libc::timer_settime(timer.0, 0, &raw const times, std::ptr::null_mut()) == 0).then_some(timer)
            }
        }
    }

    fn install() {
        // SAFETY: the structure is plain data, filled in as sigaction(2) wants it; the handler does what a signal handler
        // may. It fails only for a signal that is none.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            let handler: extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void) = handle;
            action.sa_sigaction = handler as libc::sighandler_t;
            action.sa_flags = libc::SA_RESTART | libc::SA_ONSTACK | libc::SA_SIGINFO;
            libc::sigaction(number(), &raw const action, std::ptr::null_mut());
        }
    }

    extern "C" fn handle(_: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
        // SAFETY: the kernel's structures. A signal of a timer was made by `start`, and its sampler stays while the thread lives.
        unsafe {
            if (*info).si_code != libc::SI_TIMER {
                return;
            }
            let sampler = (*info).si_value().sival_ptr.cast::<Sampler>();
            // Periods that have gone by without a signal: the kernel looks at its ticks only.
            let weight = 1 + u64::from((*info).si_overrun().max(0) as u32);
            let context = &(*context.cast::<libc::ucontext_t>()).uc_mcontext;
            let (instruction, registers) = registers(context);
            (*sampler).note(instruction, &registers, weight);
        }
    }

    /// The interrupted instruction, and the registers, that of a handler's third argument first.
    #[cfg(target_arch = "x86_64")]
    fn registers(context: &libc::mcontext_t) -> (u64, [u64; 16]) {
        use libc::{
            REG_R8, REG_R9, REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15, REG_RAX, REG_RBP, REG_RBX, REG_RCX,
            REG_RDI, REG_RDX, REG_RIP, REG_RSI,
        };
        let order = [
            REG_RDX, REG_RCX, REG_R14, REG_R15, REG_RBX, REG_RBP, REG_R12, REG_R13, REG_RAX, REG_RSI, REG_RDI, REG_R8,
            REG_R9, REG_R10, REG_R11, REG_RDX,
        ];
        (context.gregs[REG_RIP as usize] as u64, order.map(|register| context.gregs[register as usize] as u64))
    }

    /// The same.
    #[cfg(target_arch = "aarch64")]
    fn registers(context: &libc::mcontext_t) -> (u64, [u64; 32]) {
        let mut registers = [0; 32];
        registers[0] = context.regs[2];
        registers[1..].copy_from_slice(&context.regs);
        (context.pc, registers)
    }

    /// Elsewhere nothing is known of them.
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    fn registers(_: &libc::mcontext_t) -> (u64, [u64; 0]) {
        (0, [])
    }
}

/// Where there are no timers of a thread's processor time.
#[cfg(not(target_os = "linux"))]
mod signal {
    use std::time::Duration;

    use super::Timer;

    impl Timer {
        pub(super) fn start(sampler: &super::Sampler, _thread: u32, _period: Duration) -> Option<Timer> {
            let _ = super::Sampler::note;
            let _ = sampler;
            None
        }
    }
}
