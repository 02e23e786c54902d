//! How code gets hot: calls are counted by a one-word code in the place of its beginning, backward jumps by samples. What has got
//! warm is looked at for a few hundred instructions, by the loop that takes one instruction at a time, which notes what kinds of
//! operands it meets; then it is compiled. So code that is not looked at pays nothing for it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use asterism_compiler::opcode::Op;
use asterism_object::Value;
use asterism_object::types::Type;
use asterism_object::value::{FIXNUM_MAX, FIXNUM_MIN};

use super::of_ec::{DICE_FACTOR, DICE_STEP, OfEc};
use super::switch::{counting, entering};
use super::{Jit, Met, Other, Part, Request, Target, Unit};
use crate::cache::{Entry, InlineCache};
use crate::ec::Ec;
use crate::frame::{self, Frame};
use crate::interp::calls::plain;
use crate::interp::end::End;
use crate::iseq::Iseq;
use crate::vm::Vm;

/// Operand kinds, a bit each: of the first operand in the low half of a byte, of the second one in the high half.
pub mod kind {
    /// An Integer without a cell.
    pub const FIXNUM: u8 = 1;
    /// A Float.
    pub const FLOAT: u8 = 2;
    /// An Array.
    pub const ARRAY: u8 = 4;
    /// Something else.
    pub const OTHER: u8 = 8;
    /// Any of these.
    pub const ALL: u8 = FIXNUM | FLOAT | ARRAY | OTHER;
}

/// What `self` may be, a bit each.
pub mod of_self {
    /// An object with slots for its variables.
    pub const OBJECT: u8 = 1;
    /// An Array.
    pub const ARRAY: u8 = 2;
    /// Another cell.
    pub const CELL: u8 = 4;
    /// No cell.
    pub const OTHER: u8 = 8;
}

/// Calls after which operands are looked at, for so many calls; instructions looked at each time.
///
/// To compile code takes as long as some ten thousand calls of a small method. Code that will not be called as often is left out by
/// the compiler, which takes the hottest first and has a share of the time that passes; what is asked for early can be taken early.
const WARM_CALLS: u32 = 200;
const LOOKS: u32 = 8;
const LOOK: u32 = 400;
/// What a call counts by compiled code, which has to be left for it.
const WAITED_FOR: u32 = 8;
/// Samples after which operands are looked at in a loop, and after which it is compiled.
const WARM_TICKS: u32 = 6;
pub(super) const HOT_TICKS: u32 = 10;
/// Backward jumps from sample to sample.
const PERIOD: u32 = 200;
/// Returns that found no place to go on in compiled code, before there is to be one.
const MISSES: u32 = 1000;

/// Unexpected operands before code is compiled again, and how often that is done.
const LEFT_OFTEN: u16 = 20;
const AGAIN: u16 = 3;
/// What each counts as heat, in calls: to leave the code and to find the way back takes as long.
const LEAVING: u32 = 16;
/// Instructions that are looked at behind an operand that was not expected: what comes of it is none that was met before either.
const LOOK_BEHIND: u32 = 100;

/// Calls where nothing had been called when the code was compiled, before it is compiled again; and how often that is done, each time
/// after eight times as many.
const LATE: u32 = 1000;
const LATE_AGAIN: u32 = 3;

/// Compiled code that is left for the interpreter so many times in less than so many nanoseconds is given up.
const WAITS: u32 = 1024;
const SHORT: u64 = WAITS as u64 * 300;

pub(super) const ASKED_ENTRY: u8 = 1;
pub(super) const ASKED_RESUME: u8 = 2;
/// It was given up, for good.
pub(super) const GIVEN_UP: u8 = 4;
/// What it calls is not to be made part of its machine code any more.
const ALONE: u8 = 8;
/// What its loops look at is not to be looked at in front of them any more.
const NOT_AHEAD: u8 = 16;

/// Backward jumps from sample to sample.
fn period(jit: Option<&Jit>) -> u32 {
    match jit {
        None => u32::MAX,
        Some(jit) if jit.always => 4,
        Some(_) => PERIOD,
    }
}

impl OfEc {
    /// That of a thread of `vm`.
    pub(crate) fn new(vm: &Vm) -> OfEc {
        OfEc {
            gate: &raw const vm.gate,
            basic_ops: &raw const vm.basic_ops,
            const_serial: &raw const vm.const_serial,
            classes: vm.space.classes.as_ptr(),
            loops: period(vm.options.jit.as_ref()),
            profile: 0,
            switches: 0,
            entered: 0,
            counts: vm.options.jit.is_some_and(|jit| jit.counts),
            counted: false,
            dice: 1,
            left: End::Again,
            panic: None,
        }
    }
}

/// The kind of an operand.
fn kind_of(v: Value) -> u8 {
    if v.is_fixnum() {
        kind::FIXNUM
    } else if v.is_flonum() || v.is_type(Type::Float) {
        kind::FLOAT
    } else if v.is_type(Type::Array) {
        kind::ARRAY
    } else {
        kind::OTHER
    }
}

/// What a `self` is.
fn self_of(v: Value) -> u8 {
    match v.cell() {
        Some(_) if v.is_type(Type::Object) => of_self::OBJECT,
        Some(_) if v.is_type(Type::Array) => of_self::ARRAY,
        Some(_) => of_self::CELL,
        None => of_self::OTHER,
    }
}

/// The operand registers of an instruction whose operands are looked at.
fn operands(op: Op, word: u64) -> Option<(usize, Option<usize>)> {
    let (a, b, c) = ((word >> 16) as u16 as usize, (word >> 32) as u16 as usize, (word >> 48) as usize);
    match op {
        Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Mod | Op::And | Op::Or | Op::Xor | Op::Shl | Op::Shr => {
            Some((b, Some(c)))
        }
        Op::Lt | Op::Le | Op::Gt | Op::Ge | Op::Eq | Op::Ne | Op::Aref => Some((b, Some(c))),
        Op::JmpLt | Op::JmpLe | Op::JmpGt | Op::JmpGe | Op::JmpEq | Op::JmpNe | Op::Aset => Some((a, Some(b))),
        Op::AddI | Op::SubI | Op::Neg | Op::ArefI | Op::Size | Op::EmptyP => Some((b, None)),
        Op::JmpLtI | Op::JmpLeI | Op::JmpGtI | Op::JmpGeI | Op::JmpEqI | Op::JmpNeI => Some((a, None)),
        _ => None,
    }
}

/// Looks at the operands of the instruction that comes next.
///
/// # Safety
/// The current frame is a Ruby frame with its pc saved, where an instruction begins.
#[cold]
pub(crate) unsafe fn look(ec: &mut Ec) {
    ec.worker.jit.profile -= 1;
    // SAFETY: the caller's contract; the frame keeps its code alive.
    unsafe {
        let (frame, pc) = (ec.fiber.frame, (*ec.fiber.frame).pc);
        let iseq: &Iseq = &*(*frame).iseq;
        // What is called by the code that is looked at is looked at too: it may become a part of that.
        let kinds = kinds_of(iseq);
        iseq.jit.of_self.fetch_or(self_of((*frame).self_val), Ordering::Relaxed);
        let word = *pc;
        let at = iseq.at(pc);
        if let (Some(known), Some(seen)) = (kinds.get(at), operand_kinds(frame, word)) {
            known.fetch_or(seen, Ordering::Relaxed);
        }
    }
}

/// The kinds of the operands of the instruction that begins with `word`, if they are looked at. Arithmetic of fixnums that gives none is
/// noted as one with another operand.
///
/// # Safety
/// The frame is a Ruby frame where that instruction comes next.
unsafe fn operand_kinds(frame: *mut Frame, word: u64) -> Option<u8> {
    let op = Op::from_u8(word as u8)?;
    let (first, second) = operands(op, word)?;
    // SAFETY: the caller's contract.
    let read = |r: usize| unsafe { *Frame::regs(frame).add(r) };
    let (a, b) = (read(first), second.map(read));
    let seen = kind_of(a) | b.map_or(0, kind_of) << 4;
    let immediate = i64::from((word >> 48) as u16 as i16);
    let (Some(a), Some(b)) = (a.fixnum_value(), b.map_or(Some(immediate), Value::fixnum_value)) else {
        return Some(seen);
    };
    let result = match op {
        Op::Add | Op::AddI => a.checked_add(b),
        Op::Sub | Op::SubI => a.checked_sub(b),
        Op::Mul => a.checked_mul(b),
        Op::Div | Op::Mod if b == 0 || b == -1 => None,
        Op::Shr if !(0..63).contains(&b) => None,
        Op::Neg => a.checked_neg(),
        _ => Some(0),
    };
    let fits = result.is_some_and(|n| (FIXNUM_MIN..=FIXNUM_MAX).contains(&n));
    Some(if fits { seen } else { seen | kind::OTHER })
}

/// The operand kinds of the code's words, which are known from now on.
fn kinds_of(iseq: &Iseq) -> &[AtomicU8] {
    iseq.jit.kinds.get_or_init(|| iseq.code.words.iter().map(|_| AtomicU8::new(0)).collect())
}

/// The code's operands are to be looked at, the next `n` instructions long.
fn begin_look(ec: &mut Ec, iseq: &Iseq, n: u32) {
    kinds_of(iseq);
    ec.worker.jit.profile = ec.worker.jit.profile.max(n);
}

/// A call of code that is counted: where it begins.
#[cold]
#[inline(never)]
pub(crate) fn called(ec: &mut Ec, iseq: &Iseq) -> *const u64 {
    let Some(jit) = ec.vm().options.jit else { return iseq.start };
    link(ec, iseq);
    if iseq.jit.native.load(Ordering::Relaxed) != 0 {
        return iseq.entry();
    }
    let gate = &ec.vm().gate;
    if !gate.is_open() {
        if gate.is_closed() {
            iseq.set_entry(iseq.start);
        }
        return iseq.start;
    }
    iseq.code.machine.add_heat(1);
    if iseq.jit.asked.load(Ordering::Relaxed) & ASKED_ENTRY != 0 {
        // It is compiled as soon as there is time for it.
        return iseq.start;
    }
    let calls = iseq.jit.calls.load(Ordering::Relaxed).saturating_add(1);
    iseq.jit.calls.store(calls, Ordering::Relaxed);
    let (warm, looks) = if jit.always { (0, 2) } else { (WARM_CALLS, LOOKS) };
    if calls > warm + looks {
        ask(ec, &jit, iseq, Part::Entry);
        link(ec, iseq);
        return if iseq.jit.native.load(Ordering::Relaxed) != 0 { iseq.entry() } else { iseq.start };
    }
    if calls > warm {
        begin_look(ec, iseq, LOOK);
    }
    iseq.start
}

/// A sample of the backward jumps of a frame.
pub(crate) fn ticked(ec: &mut Ec, iseq: &Iseq) {
    let Some(jit) = ec.vm().options.jit else {
        ec.worker.jit.loops = u32::MAX;
        return;
    };
    ec.worker.jit.loops = period(Some(&jit));
    let gate = &ec.vm().gate;
    if !gate.is_open() {
        if gate.is_closed() {
            ec.worker.jit.loops = u32::MAX;
        }
        return;
    }
    link(ec, iseq);
    iseq.code.machine.add_heat(PERIOD);
    let ticks = iseq.jit.ticks.load(Ordering::Relaxed).saturating_add(1);
    iseq.jit.ticks.store(ticks, Ordering::Relaxed);
    match ticks {
        WARM_TICKS => begin_look(ec, iseq, LOOK),
        HOT_TICKS => {
            ask(ec, &jit, iseq, Part::Resume);
            link(ec, iseq);
        }
        _ => {}
    }
}

/// A return into compiled code that found no place to go on there.
pub(crate) fn missed(ec: &mut Ec, iseq: &Iseq) {
    let Some(jit) = ec.vm().options.jit else { return };
    let missed = iseq.jit.missed.load(Ordering::Relaxed).saturating_add(1);
    iseq.jit.missed.store(missed, Ordering::Relaxed);
    iseq.code.machine.add_heat(1);
    if missed >= MISSES || jit.always {
        ask(ec, &jit, iseq, Part::Resume);
    }
    link(ec, iseq);
}

/// Compiled code has called code that is not compiled.
pub(crate) fn waited_for(ec: &Ec, iseq: &Iseq) {
    // In tests it is hot soon enough, and is to be looked at before.
    if ec.vm().options.jit.is_none_or(|jit| jit.always) {
        return;
    }
    let calls = iseq.jit.calls.load(Ordering::Relaxed);
    if calls < WARM_CALLS {
        iseq.jit.calls.store((calls + WAITED_FOR).min(WARM_CALLS), Ordering::Relaxed);
    }
}

/// Compiled code of `frame` was left for what the interpreter has to do. Where it does hardly anything else, the interpreter keeps it.
///
/// # Safety
/// It is an active Ruby frame.
#[cold]
pub(crate) unsafe fn left_for_interpreter(ec: &Ec, frame: *mut Frame) {
    // SAFETY: the caller's contract.
    let (iseq, is_part) = unsafe { (root(frame), (*frame).has(frame::IN_PLACE)) };
    let waits = iseq.jit.waits.load(Ordering::Relaxed).wrapping_add(1);
    iseq.jit.waits.store(waits, Ordering::Relaxed);
    if !waits.is_multiple_of(WAITS) {
        return;
    }
    let now = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
    let now = now.tv_sec as u64 * 1_000_000_000 + now.tv_nsec as u64;
    let before = iseq.jit.waited.swap(now, Ordering::Relaxed);
    if before != 0 && now.saturating_sub(before) < SHORT {
        if is_part {
            // What is left is a part of it: that becomes a unit of its own again.
            iseq.jit.asked.fetch_or(ALONE, Ordering::Relaxed);
            if let Some(jit) = ec.vm().options.jit {
                ask_again(ec, &jit, iseq);
            }
        } else {
            give_up(iseq);
        }
    }
}

/// The code whose machine code executes `frame`: its own, or that of a caller that has it as a part.
///
/// # Safety
/// It is an active Ruby frame.
pub(crate) unsafe fn root<'f>(mut frame: *mut Frame) -> &'f Iseq {
    // SAFETY: the caller's contract; such a frame has a Ruby frame below it, and frames keep their code alive.
    unsafe {
        while (*frame).has(frame::IN_PLACE) {
            frame = (*frame).prev;
        }
        &*(*frame).iseq
    }
}

/// The interpreter executes the code from now on.
fn give_up(iseq: &Iseq) {
    iseq.jit.asked.fetch_or(ASKED_ENTRY | ASKED_RESUME | GIVEN_UP, Ordering::Relaxed);
    iseq.jit.native.store(0, Ordering::Release);
    iseq.jit.resume.store(std::ptr::null_mut(), Ordering::Release);
    iseq.set_entry(iseq.start);
}

/// Most units of a piece of code that tests make one after the other.
const MOST_UNITS: u32 = 24;
/// Of so many times that code is left in tests, it is thrown away once.
const THROWN_AWAY: u32 = 64;

/// Compiled code is left: in tests it is thrown away now and then, to be compiled again.
pub(crate) fn perhaps_throw_away(ec: &mut Ec, iseq: &Iseq) {
    if !ec.vm().options.jit.is_some_and(|jit| jit.stress) {
        return;
    }
    ec.worker.jit.dice = ec.worker.jit.dice.wrapping_mul(DICE_FACTOR).wrapping_add(DICE_STEP);
    if (ec.worker.jit.dice >> 16).is_multiple_of(THROWN_AWAY) && iseq.code.machine.count() < MOST_UNITS {
        link(ec, iseq);
        give_up(iseq);
        iseq.jit.asked.store(0, Ordering::Relaxed);
        iseq.jit.calls.store(0, Ordering::Relaxed);
        iseq.jit.ticks.store(0, Ordering::Relaxed);
        iseq.set_entry(counting());
    }
}

/// Is code that is not compiled going to be?
pub(crate) fn may_be_compiled(iseq: &Iseq) -> bool {
    iseq.entry() != iseq.start
}

/// Asks for a part of the code, once.
fn ask(ec: &Ec, jit: &Jit, iseq: &Iseq, part: Part) {
    let bit = asked_for(part);
    if iseq.jit.asked.fetch_or(bit, Ordering::Relaxed) & bit != 0 {
        return;
    }
    let deep = if iseq.jit.asked.load(Ordering::Relaxed) & ALONE == 0 { DEEPEST } else { 1 };
    let (of, urgent, stress) = (target(iseq, deep, &mut 0), jit.always, jit.stress);
    let tells = ec.vm().gate.tells();
    jit.compiler.compile(Request { of, part, urgent, stress, tells });
}

/// The bit that says that this part was asked for.
fn asked_for(part: Part) -> u8 {
    if part == Part::Entry { ASKED_ENTRY } else { ASKED_RESUME }
}

/// How many calls within calls the compiler is told of, and how many words of code in all.
const DEEPEST: u32 = 4;
const MOST_WORDS: usize = 6000;
/// Most words of code that is called with a literal block, for both to become parts of the caller.
pub const MOST_CALLEE_WORDS: usize = 160;
/// Most words of that block.
pub const MOST_BLOCK_WORDS: usize = 400;
/// Most words of code that becomes part of its callers without a block.
pub const MOST_SMALL_WORDS: usize = 32;
/// Of code that its callers execute only the beginning of in place: how many words that may take.
pub const BEGINNING: usize = 128;

/// The code and what is known of how it runs, with what it calls `deep` calls deep. `words` are those that there were before.
/// Most of what waits to be compiled does so for long: what the compiler cannot use is not told.
fn target(iseq: &Iseq, deep: u32, words: &mut usize) -> Target {
    let mut this = Target {
        kinds: kinds(iseq, usize::MAX),
        adds: (0..iseq.call_caches.len()).map(|site| iseq.jit.additions.are_at(site)).collect(),
        receivers: iseq.call_caches.iter().map(|site| InlineCache::at(site).map_or(0, |cache| cache.count())).collect(),
        ..beginning(iseq)
    };
    this.shapes[1] = (0..iseq.call_caches.len()).map(|site| iseq.jit.attrs.are_several(site)).collect();
    *words += iseq.code.words.len();
    if deep == 0 || *words > MOST_WORDS {
        return this;
    }
    let sites = iseq.call_caches.len();
    this.calls.reserve_exact(sites);
    this.targets.reserve_exact(sites);
    this.others.reserve_exact(sites);
    this.blocks.reserve_exact(sites);
    for (n, site) in iseq.call_caches.iter().enumerate() {
        let (met, callee) = InlineCache::at(site).map_or((Met::Other, None), met);
        // SAFETY: an entry's method keeps the code; there was no safepoint since the cache was read.
        let callee = callee.map(|callee| unsafe { &*callee });
        // SAFETY: the Iseq keeps the code of its blocks.
        let block = iseq.made_block(n).map(|block| unsafe { &*block });
        let block = block.filter(|block| deep > 1 && block.jit.kinds.get().is_some() && may_be_parts(callee, block));
        this.calls.push(met);
        this.others.push(InlineCache::at(site).map_or_else(Vec::new, others));
        let symbol = deep > 1 && iseq.code.call_sites[n].symbol.is_some();
        let with_symbol = |callee: &Iseq| symbol && callee.code.words.len() <= MOST_CALLEE_WORDS;
        let whole = |callee| block.is_some() || with_symbol(callee) || deep > 1 && may_be_small_part(callee);
        let told = |callee| if whole(callee) { target(callee, deep - 1, words) } else { beginning(callee) };
        this.targets.push(callee.map(told).map(Box::new));
        this.blocks.push(block.map(|block| Box::new(target(block, deep - 1, words))));
    }
    this
}

/// Are code that is called with a literal block, and the block, small enough to become parts of the caller?
fn may_be_parts(callee: Option<&Iseq>, block: &Iseq) -> bool {
    callee.is_some_and(|callee| callee.code.words.len() <= MOST_CALLEE_WORDS)
        && block.code.words.len() <= MOST_BLOCK_WORDS
}

/// May code become part of its callers without a block of theirs? It has none itself.
fn may_be_small_part(callee: &Iseq) -> bool {
    let code = &callee.code;
    let plain = code.children.is_empty() && code.handlers.is_empty() && !code.params.rest && !code.params.block;
    plain && code.words.len() <= MOST_SMALL_WORDS && callee.jit.kinds.get().is_some()
}

/// The code and what is known of how its beginning runs.
fn beginning(iseq: &Iseq) -> Target {
    let variables = (0..iseq.code.ivar_sites.len()).map(|site| iseq.jit.ivars.are_several(site)).collect();
    Target {
        code: iseq.code.clone(),
        kinds: kinds(iseq, BEGINNING),
        calls: Vec::new(),
        targets: Vec::new(),
        others: Vec::new(),
        blocks: Vec::new(),
        shapes: [variables, Vec::new()],
        adds: Vec::new(),
        receivers: Vec::new(),
        looks_ahead: iseq.jit.asked.load(Ordering::Relaxed) & NOT_AHEAD == 0,
        of_self: iseq.jit.of_self.load(Ordering::Relaxed),
    }
}

/// The operand kinds that were met at each of the first words, if they were looked at.
fn kinds(iseq: &Iseq, words: usize) -> Vec<u8> {
    let load = |k: &AtomicU8| k.load(Ordering::Relaxed);
    iseq.jit.kinds.get().map_or_else(Vec::new, |k| k.iter().take(words).map(load).collect())
}

/// Operands of the instruction at word `at`, or what came of them, were of another kind than compiled code expects. When that has happened
/// often enough, the code is compiled again, which is that of `root` or part of it.
///
/// # Safety
/// It is the instruction that comes next in that Ruby frame.
#[cold]
pub(crate) unsafe fn unexpected(ec: &mut Ec, frame: *mut Frame, at: usize, root: &Iseq) {
    // SAFETY: the caller's contract; the frame keeps its code.
    let (iseq, seen) = unsafe {
        let iseq: &Iseq = &*(*frame).iseq;
        (iseq, operand_kinds(frame, iseq.code.words[at]))
    };
    // In tests the operands are seldom to blame.
    if ec.vm().options.jit.is_none_or(|jit| jit.stress) {
        return;
    }
    if let Some(known) = kinds_of(iseq).get(at) {
        let seen = seen.unwrap_or(0);
        let before = known.fetch_or(seen, Ordering::Relaxed);
        if before | seen == before {
            known.fetch_or(kind::OTHER | kind::OTHER << 4, Ordering::Relaxed);
        }
    }
    left_again(ec, iseq, at, root);
}

/// As `unexpected`, of what code that comes at word `at` looks at, or of `self`. It is looked at where it is needed from now on.
///
/// # Safety
/// It is an active Ruby frame.
#[cold]
pub(crate) unsafe fn unexpected_ahead(ec: &mut Ec, frame: *mut Frame, at: usize, root: &Iseq) {
    // SAFETY: the caller's contract; the frame keeps its code.
    let (iseq, this): (&Iseq, Value) = unsafe { (&*(*frame).iseq, (*frame).self_val) };
    if ec.vm().options.jit.is_some_and(|jit| !jit.stress) {
        let seen = self_of(this);
        if iseq.jit.of_self.fetch_or(seen, Ordering::Relaxed) & seen != 0 {
            iseq.jit.asked.fetch_or(NOT_AHEAD, Ordering::Relaxed);
        }
        left_again(ec, iseq, at, root);
    }
}

/// Compiled code was left at word `at` for what was not expected.
fn left_again(ec: &mut Ec, iseq: &Iseq, at: usize, root: &Iseq) {
    let Some(jit) = ec.vm().options.jit else { return };
    jit.compiler.note_left(&iseq.code, at);
    let all_kinds = |kinds: &[AtomicU8]| {
        for known in kinds {
            known.fetch_or(kind::ALL | kind::ALL << 4, Ordering::Relaxed);
        }
    };
    let is_part = !std::ptr::eq(iseq, root);
    let iseq = root;
    iseq.code.machine.add_heat(LEAVING);
    link(ec, iseq);
    // Until it has been compiled again it is left for what is known already.
    let units = iseq.code.machine.count() as u16 + 1;
    if iseq.jit.awaited.load(Ordering::Relaxed) == units {
        return;
    }
    ec.worker.jit.profile = ec.worker.jit.profile.max(LOOK_BEHIND);
    let left = iseq.jit.left.load(Ordering::Relaxed).saturating_add(1);
    iseq.jit.left.store(left, Ordering::Relaxed);
    // What takes no operand for anything, and has no parts that do, is not left for one.
    let last = left == LEFT_OFTEN * (AGAIN + 1);
    if left == LEFT_OFTEN * AGAIN || last {
        if is_part || last {
            iseq.jit.asked.fetch_or(ALONE, Ordering::Relaxed);
        }
        if !is_part || last {
            all_kinds(kinds_of(iseq));
        }
        iseq.jit.asked.fetch_or(NOT_AHEAD, Ordering::Relaxed);
        iseq.jit.of_self.store(of_self::OTHER, Ordering::Relaxed);
    }
    if left.is_multiple_of(LEFT_OFTEN) && left <= LEFT_OFTEN * (AGAIN + 1) {
        iseq.jit.awaited.store(units, Ordering::Relaxed);
        ask_again(ec, &jit, iseq);
        link(ec, iseq);
    }
}

/// The code, or part of it, makes a call where nothing had been called when it was compiled. Where that is done often after all, the
/// code is compiled again. `true`: it may have been, and is to be entered anew.
pub(super) fn called_late(ec: &mut Ec, iseq: &Iseq) -> bool {
    let late = iseq.jit.late.load(Ordering::Relaxed).saturating_add(1);
    iseq.jit.late.store(late, Ordering::Relaxed);
    iseq.code.machine.add_heat(1);
    if !late.is_multiple_of(LATE) {
        return false;
    }
    if let Some(jit) = ec.vm().options.jit
        && (0..LATE_AGAIN).any(|n| late == LATE << (3 * n))
    {
        ask_again(ec, &jit, iseq);
    }
    link(ec, iseq);
    true
}

/// Asks again for what was asked for before.
fn ask_again(ec: &Ec, jit: &Jit, iseq: &Iseq) {
    for (bit, part) in [(ASKED_ENTRY, Part::Entry), (ASKED_RESUME, Part::Resume)] {
        if iseq.jit.asked.load(Ordering::Relaxed) & bit != 0 {
            iseq.jit.asked.fetch_and(!bit, Ordering::Relaxed);
            ask(ec, jit, iseq, part);
        }
    }
}

/// The Ruby code in the entries behind the first one, where that is Ruby code too, as far as it is not called as that is: any that
/// takes as many required arguments as there are is.
fn others(cache: InlineCache) -> Vec<Other> {
    let called = |entry: Entry| {
        let met = if entry.kind.is(plain::BOUND) { Met::Bound } else { Met::Ruby };
        let is_ruby = [plain::RUBY, plain::RUBY_BLOCK, plain::BOUND].iter().any(|kind| entry.kind.is(kind));
        // SAFETY: the target of these kinds is code that the entry's method keeps; there was no safepoint since the cache was read.
        is_ruby.then(|| Other { met, code: unsafe { (*(entry.target as *const Iseq)).code_arc() } })
    };
    let Some(first) = called(cache.entry(0)) else { return Vec::new() };
    let mut others: Vec<Other> = Vec::new();
    for other in (1..cache.count()).filter_map(|i| called(cache.entry(i))) {
        let same =
            |known: &Other| known.met == other.met && (other.met == Met::Ruby || Arc::ptr_eq(&known.code, &other.code));
        if !same(&first) && !others.iter().any(same) {
            others.push(other);
        }
    }
    others
}

/// What a call site has met, and the code if that is Ruby code.
fn met(cache: InlineCache) -> (Met, Option<*const Iseq>) {
    let met = Met::of(cache);
    let callee = match met {
        Met::Ruby | Met::Bound | Met::Spread | Met::BlockMethod => Some(cache.first_target() as *const Iseq),
        // SAFETY: the entry's method is `initialize`.
        Met::New | Met::NewBound => unsafe { cache.first_method().ruby_code() },
        _ => None,
    };
    (met, callee)
}

/// Takes what has been compiled of the code since, as far as it is of the kind that the VM's gate is open for.
fn link(ec: &Ec, iseq: &Iseq) {
    let (count, linked) = (iseq.code.machine.count(), iseq.jit.linked.load(Ordering::Relaxed));
    if count == linked {
        return;
    }
    let given_up = iseq.jit.asked.load(Ordering::Relaxed) & GIVEN_UP != 0;
    let tells = ec.vm().gate.tells();
    for unit in iseq.code.machine.from(linked).iter().filter(|_| !given_up) {
        let Some(unit) = unit.downcast_ref::<Unit>().filter(|unit| unit.tells == tells) else { continue };
        // Whoever has asked for it.
        iseq.jit.asked.fetch_or(asked_for(unit.part), Ordering::Relaxed);
        match unit.part {
            // What was compiled before stays.
            _ if unit.address == 0 && iseq.jit.native.load(Ordering::Relaxed) != 0 => {}
            Part::Entry if unit.address == 0 => iseq.set_entry(iseq.start),
            Part::Resume if unit.address == 0 => {}
            Part::Entry => {
                iseq.jit.native.store(unit.address, Ordering::Release);
                iseq.set_entry(entering());
            }
            Part::Resume => iseq.jit.resume.store(std::ptr::from_ref(unit).cast_mut(), Ordering::Release),
        }
    }
    iseq.jit.linked.store(count, Ordering::Relaxed);
}

/// Where compiled code of `iseq` goes on at `pc`: the function and the number of the entry.
#[inline]
pub(crate) fn resumption(iseq: &Iseq, pc: *const u64) -> Option<(usize, u64)> {
    let unit = iseq.jit.resume.load(Ordering::Acquire);
    if unit.is_null() {
        return None;
    }
    // SAFETY: the code, which the Iseq keeps, keeps its units.
    let unit = unsafe { &*unit };
    let entry = *unit.entries.get(iseq.at(pc))?;
    (entry != 0).then_some((unit.address, u64::from(entry)))
}

/// The address of the part `Entry`, or 0.
pub(crate) fn native(iseq: &Iseq) -> usize {
    iseq.jit.native.load(Ordering::Acquire)
}
