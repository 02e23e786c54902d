//! External iteration: what `Enumerator#next` takes the next value from ([`Walk`]), and the block that hands one over.
//!
//! Either a *cursor* goes over an object whose iteration runs no code of the program but the block (an Array, Integers one
//! after the other), or a fiber runs `each`. The block that `each` gets is a Proc that suspends the fiber where it is called
//! from: nothing lies between the frame that yields a value and the one that asked for it. The values go by these ways:
//!
//! ```text
//!  next ── Primitive.walk_next ──► resume ──► yield in each ──► block ──► Fiber.yield ──► the register of walk_next
//! ```
//!
//! A walk may be used by several threads at once, which then get elements twice or miss some, but no more than they ask for:
//! what was looked at is taken once, and a cursor goes on by one for what is handed over or kept. Each word is an atomic.

use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

use asterism_compiler::code::{Code, CodeKind, Literal};
use asterism_heap::Marker;
use asterism_object::data::{self, DataObject};
use asterism_object::space::WellKnown;
use asterism_object::types::Type;
use asterism_object::{AtomicValue, Value, array};

use super::control::prims::{arrived, destination};
use super::{Status, of_object};
use crate::args::{CallArgs, Keywords};
use crate::block::Proc;
use crate::call::Invoked;
use crate::ec::{Ec, Res};
use crate::frame::Cont;
use crate::method::Method;
use crate::native::{PrimFn, Switch};
use crate::vm::Root;

/// Where an external iteration is.
pub struct Walk {
    /// An Array; the fiber that runs `each`; true: Integers; nil: it has not begun, or has ended.
    source: AtomicValue,
    /// The index of the next element, or the next Integer.
    at: AtomicI64,
    /// The last Integer.
    last: AtomicI64,
    /// A value that was taken for `peek`, else undef.
    ahead: AtomicValue,
    /// What the block returns next (`Enumerator#feed`), undef for nothing in particular.
    fed: AtomicValue,
    /// What the block's call under way returns if nothing was fed.
    answer: AtomicValue,
    /// The values that were yielded last, an Array, if they were several or none. Says nothing if they were one: who wants to
    /// know sets it to nil before.
    many: AtomicValue,
    /// What `at` began with.
    begin: AtomicI64,
    /// The number that goes with the first element, `NO_INDEX` if none does.
    index: AtomicI64,
    /// The value that comes next is to be kept for `ahead`.
    peeking: AtomicBool,
}

const NO_INDEX: i64 = i64::MIN;

impl Walk {
    fn new() -> Walk {
        Walk {
            source: AtomicValue::new(Value::NIL),
            at: AtomicI64::new(0),
            last: AtomicI64::new(0),
            ahead: AtomicValue::new(Value::UNDEF),
            fed: AtomicValue::new(Value::UNDEF),
            answer: AtomicValue::new(Value::NIL),
            many: AtomicValue::new(Value::NIL),
            begin: AtomicI64::new(0),
            index: AtomicI64::new(NO_INDEX),
            peeking: AtomicBool::new(false),
        }
    }

    /// Is the value, the latest one, an Array of several?
    #[inline]
    fn are_several(&self, value: Value) -> bool {
        value.is_type(Type::Array) && value == load(&self.many)
    }

    /// Says whether the value that comes next is to be kept.
    #[inline(always)]
    fn expect(&self, peeking: bool) {
        self.peeking.store(peeking, Ordering::Relaxed);
        if peeking {
            store(&self.many, Value::NIL);
        }
    }
}

impl DataObject for Walk {
    const NAME: &'static str = "walk";

    fn trace(&self, marker: &mut Marker) {
        for word in [&self.source, &self.ahead, &self.fed, &self.answer, &self.many] {
            word.mark(marker);
        }
    }
}

fn load(word: &AtomicValue) -> Value {
    word.load(Ordering::Acquire)
}

fn store(word: &AtomicValue, value: Value) {
    word.store(value, Ordering::Release);
}

/// Makes the word hold `new` if it holds `old`.
fn replace(word: &AtomicValue, old: Value, new: Value) -> bool {
    word.compare_exchange(old, new, Ordering::AcqRel, Ordering::Relaxed).is_ok()
}

/// What the word holds; undef from then on.
#[inline(always)]
fn take(word: &AtomicValue) -> Value {
    let value = load(word);
    if !value.is_undef() {
        store(word, Value::UNDEF);
    }
    value
}

/// What came of taking the next value.
pub(crate) enum Step {
    /// This one.
    Value(Value),
    /// The fiber goes on: the register has the value when it hands one over.
    Switched,
    /// Nothing was done: it has to be got in another way, or there is none.
    Later,
}

/// Takes the next value, for the register `dst` of the current frame; `method` is what is shown of the call meanwhile.
///
/// # Safety
/// The caller is the interpreter's loop, or called by it with nothing in between that counts on the current frame. Its pc is
/// saved.
#[inline(always)]
pub(crate) unsafe fn step(ec: &mut Ec, walk: Value, peeking: bool, dst: u16, method: Value) -> Res<Step> {
    let Some(walk) = data::get::<Walk>(&walk) else { return Ok(Step::Later) };
    let ahead = load(&walk.ahead);
    if !ahead.is_undef() {
        if peeking {
            return Ok(if walk.are_several(ahead) { Step::Later } else { Step::Value(ahead) });
        }
        if replace(&walk.ahead, ahead, Value::UNDEF) {
            return Ok(Step::Value(ahead));
        }
    }
    // SAFETY: the caller's contract.
    unsafe { advance(ec, walk, peeking, dst, method) }
}

/// As `step`, if no value is kept.
///
/// # Safety
/// As `step`.
#[inline(always)]
unsafe fn advance(ec: &mut Ec, walk: &Walk, peeking: bool, dst: u16, method: Value) -> Res<Step> {
    let source = load(&walk.source);
    let at = walk.at.load(Ordering::Relaxed);
    let value = if source == Value::TRUE {
        if at > walk.last.load(Ordering::Relaxed) {
            return Ok(Step::Later);
        }
        ec.int(at)?
    } else if source.is_type(Type::Array) {
        let Some(element) = array::at(source, at as usize) else { return Ok(Step::Later) };
        element
    } else {
        walk.expect(peeking);
        let (fed, answer) = (load(&walk.fed), load(&walk.answer));
        let value = if fed.is_undef() || !answer.is_nil() { answer } else { fed };
        // SAFETY: the caller's contract.
        if unsafe { !ec.resume_quickly(source, value, dst, method) } {
            return Ok(Step::Later);
        }
        if !fed.is_undef() {
            store(&walk.fed, Value::UNDEF);
        }
        return Ok(Step::Switched);
    };
    take(&walk.fed);
    let index = walk.index.load(Ordering::Relaxed);
    if index != NO_INDEX {
        let number = index.wrapping_add(at.wrapping_sub(walk.begin.load(Ordering::Relaxed)));
        return numbered(ec, walk, (at, value), number, peeking).map(Step::Value);
    }
    if peeking {
        walk.expect(true);
        if !replace(&walk.ahead, Value::UNDEF, value) {
            return Ok(Step::Value(value));
        }
    }
    walk.at.store(at + 1, Ordering::Relaxed);
    Ok(Step::Value(value))
}

/// The element of a cursor, at `at`, and its number, which are two values.
fn numbered(ec: &mut Ec, walk: &Walk, (at, element): (i64, Value), number: i64, peeking: bool) -> Res {
    let number = ec.int(number)?;
    let pair = ec.array(&[element, number])?;
    walk.expect(peeking);
    store(&walk.many, pair);
    if !peeking || replace(&walk.ahead, Value::UNDEF, pair) {
        walk.at.store(at + 1, Ordering::Relaxed);
    }
    if !peeking {
        return Ok(pair);
    }
    let copy = array::dup(ec, pair);
    ec.check(pair, copy)
}

/// A method of the prelude whose commonest step the interpreter does itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Part {
    /// `Enumerator#next`
    Next,
    /// `Enumerator#peek`
    Peek,
    /// `Enumerator::Yielder#yield` or `<<`
    Give,
}

/// Which step the interpreter may do itself of what this method of the prelude does, if it may: the first literal of its code says so.
pub(crate) fn part_of(code: &Code) -> Option<Part> {
    let first = code.literals.first().filter(|_| code.internal && code.kind == CodeKind::Method)?;
    let Literal::Sym(first) = first else { return None };
    match &*first.text() {
        "walk_next" => Some(Part::Next),
        "walk_peek" => Some(Part::Peek),
        "walk_give" => Some(Part::Give),
        _ => None,
    }
}

impl Ec {
    /// The block of an external iteration was called: suspends the running fiber with what it was given. The call returns
    /// `answer`, or if that is nil what was fed.
    ///
    /// # Errors
    /// NoMemoryError; FiberError, later, if nobody has resumed the fiber.
    pub(crate) fn hand_over(&mut self, block: Proc, args: &CallArgs<'_>, st: u64, answer: Value) -> Res<Invoked> {
        let env = block.env();
        // SAFETY: the environment of such a block is a Walk; the Proc lies in the caller's frame.
        let walk = unsafe { data::get_unchecked::<Walk>(env) };
        let mut value = match (args.argv, &args.keywords) {
            ([value], Keywords::None | Keywords::Never) => *value,
            _ => self.several(walk, args)?,
        };
        store(&walk.answer, answer);
        if walk.peeking.load(Ordering::Relaxed) {
            store(&walk.ahead, value);
            if walk.are_several(value) {
                let copy = array::dup(self, value);
                value = self.check(value, copy)?;
            }
        }
        if st >> 16 == Cont::Store as u64 {
            // SAFETY: a frame that is to store the value, and at depth 0: the loop called this, and takes what is done for a
            // frame that was pushed.
            let switched = unsafe { self.yield_quickly(value, st as u16, Value::NULL) };
            if switched {
                return Ok(Invoked::Pushed);
            }
        }
        let Some(method) = Method::from_value(self.vm().root(Root::FiberSwitch)) else {
            return Err(self.fatal("no fiber switch"));
        };
        let class = self.class(WellKnown::Fiber);
        self.push_switch(Switch::Yield, class, method, &CallArgs::plain(&[value]), st)
    }

    /// Several values, or none, as one; the walk knows them apart.
    fn several(&mut self, walk: &Walk, args: &CallArgs<'_>) -> Res {
        let all = self.array(args.argv)?;
        if !args.keywords.is_empty() {
            let h = args.keywords.to_hash(self)?;
            self.array_push(all, h)?;
        }
        let n = array::len(all);
        if n == 1 {
            return Ok(array::get(all, 0));
        }
        store(&walk.many, all);
        Ok(if n == 0 { Value::NIL } else { all })
    }
}

/// The primitives of the prelude's part. They take the Walk first.
pub static PRIMITIVES: &[(&str, PrimFn)] = &[
    ("walk_new", new),
    ("walk_next", next),
    ("walk_peek", peek),
    ("walk_go_on", go_on),
    ("walk_array", over_array),
    ("walk_integers", over_integers),
    ("walk_number", number_from),
    ("walk_fiber", in_fiber),
    ("walk_give", give),
    ("walk_block", block),
    ("walk_end", end),
    ("walk_stop", stop),
    ("walk_under_way", is_under_way),
    ("walk_feed", feed),
    ("walk_many", many),
    ("walk_expect", expect),
];

/// `walk_new()`
fn new(ec: &mut Ec, _args: &[Value]) -> Res {
    let class = ec.class(WellKnown::Object);
    let made = data::new(ec, class, Walk::new());
    ec.check(Value::NIL, made)
}

fn walk<'a>(ec: &mut Ec, args: &'a [Value]) -> Res<&'a Walk> {
    match data::get::<Walk>(&args[0]) {
        Some(walk) => Ok(walk),
        None => Err(ec.fatal("not a walk")),
    }
}

/// `walk_next(walk or nil)`: the next value as one; undef if it has to be got in another way.
fn next(ec: &mut Ec, args: &[Value]) -> Res {
    take_step(ec, args[0], false)
}

/// `walk_peek(walk or nil)`: the next value as one, which is kept; undef if it has to be got in another way.
fn peek(ec: &mut Ec, args: &[Value]) -> Res {
    if let Some(walk) = data::get::<Walk>(&args[0]) {
        let ahead = load(&walk.ahead);
        if walk.are_several(ahead) {
            let copy = array::dup(ec, ahead);
            return ec.check(args[0], copy);
        }
    }
    take_step(ec, args[0], true)
}

fn take_step(ec: &mut Ec, walk: Value, peeking: bool) -> Res {
    let dst = destination(ec);
    // SAFETY: primitives are called by the loop, with the pc saved.
    Ok(match unsafe { step(ec, walk, peeking, dst, Value::NULL) }? {
        Step::Value(value) => value,
        // The register has its value when this fiber goes on.
        Step::Switched => Value::NIL,
        Step::Later => Value::UNDEF,
    })
}

/// `walk_go_on(walk, peeking)`: as `walk_next` or `walk_peek` without a value that was kept, on any machine stack; undef: there
/// is none.
fn go_on(ec: &mut Ec, args: &[Value]) -> Res {
    let walk = walk(ec, args)?;
    let peeking = args[1].truthy();
    let source = load(&walk.source);
    let (frame, dst) = (ec.fiber.frame, destination(ec));
    let Some(fiber) = of_object(&source) else {
        // SAFETY: primitives are called by the loop, with the pc saved.
        return Ok(match unsafe { advance(ec, walk, peeking, dst, Value::NULL) }? {
            Step::Value(value) => value,
            _ => Value::UNDEF,
        });
    };
    walk.expect(peeking);
    let begins = fiber.status() == Status::Created;
    let (fed, answer) = if begins { (Value::UNDEF, Value::NIL) } else { (take(&walk.fed), load(&walk.answer)) };
    let argv = [if fed.is_undef() || !answer.is_nil() { answer } else { fed }];
    let argv = if begins { &[] } else { &argv[..] };
    // SAFETY: primitives are called by the loop, with the pc saved. What begins gets no arguments.
    unsafe { ec.switch_fiber(Switch::Resume, source, argv, dst)? };
    Ok(arrived(ec, frame, dst))
}

/// `walk_array(walk, array)`: it goes over the elements.
fn over_array(ec: &mut Ec, args: &[Value]) -> Res {
    let walk = walk(ec, args)?;
    walk.at.store(0, Ordering::Relaxed);
    walk.begin.store(0, Ordering::Relaxed);
    store(&walk.source, args[1]);
    Ok(args[0])
}

/// `walk_integers(walk, first, end or nil, without its end?)`: it goes over the Integers of a Range; nil if it cannot.
fn over_integers(ec: &mut Ec, args: &[Value]) -> Res {
    let walk = walk(ec, args)?;
    let last = match (args[2], args[2].fixnum_value()) {
        (Value::NIL, _) => i64::MAX, // Nobody comes that far.
        (_, Some(end)) => end - i64::from(args[3].truthy()),
        _ => return Ok(Value::NIL),
    };
    let Some(first) = args[1].fixnum_value() else { return Ok(Value::NIL) };
    walk.at.store(first, Ordering::Relaxed);
    walk.begin.store(first, Ordering::Relaxed);
    walk.last.store(last, Ordering::Relaxed);
    store(&walk.source, Value::TRUE);
    Ok(args[0])
}

/// `walk_number(walk, first)`: its elements are numbered; nil if they cannot be.
fn number_from(ec: &mut Ec, args: &[Value]) -> Res {
    let walk = walk(ec, args)?;
    let Some(first) = args[1].fixnum_value() else { return Ok(Value::NIL) };
    walk.index.store(first, Ordering::Relaxed);
    Ok(args[0])
}

/// `walk_fiber(walk, fiber)`: the fiber, which has not begun, runs `each`.
fn in_fiber(ec: &mut Ec, args: &[Value]) -> Res {
    let walk = walk(ec, args)?;
    walk.index.store(NO_INDEX, Ordering::Relaxed);
    store(&walk.answer, Value::NIL);
    store(&walk.source, args[1]);
    Ok(args[0])
}

/// `walk_block(walk)`: the block for `each`.
fn block(ec: &mut Ec, args: &[Value]) -> Res {
    walk(ec, args)?;
    Ok(Proc::handing_over(ec, args[0])?.0)
}

/// `walk_give`: says that the loop itself may do what the method does.
fn give(_ec: &mut Ec, _args: &[Value]) -> Res {
    Ok(Value::NIL)
}

/// `walk_end(walk)`: it has ended.
fn end(ec: &mut Ec, args: &[Value]) -> Res {
    let walk = walk(ec, args)?;
    store(&walk.source, Value::NIL);
    store(&walk.ahead, Value::UNDEF);
    store(&walk.fed, Value::UNDEF);
    Ok(Value::NIL)
}

/// `walk_stop(exception)`: the running fiber's end raises this in who waits for the next value.
fn stop(ec: &mut Ec, args: &[Value]) -> Res {
    ec.end_of_fiber_raises()?;
    Ok(args[0])
}

/// `walk_under_way(walk)`: has it begun, and not ended?
fn is_under_way(ec: &mut Ec, args: &[Value]) -> Res {
    Ok(Value::bool(!load(&walk(ec, args)?.source).is_nil()))
}

/// `walk_feed(walk, value)`: what the block returns next. `false` if that was said already.
fn feed(ec: &mut Ec, args: &[Value]) -> Res {
    let walk = walk(ec, args)?;
    let free = load(&walk.fed).is_undef();
    if free {
        store(&walk.fed, args[1]);
    }
    Ok(Value::bool(free))
}

/// `walk_expect(walk)`: before a value is taken of which `walk_many` is to say how many it is.
fn expect(ec: &mut Ec, args: &[Value]) -> Res {
    let walk = walk(ec, args)?;
    if load(&walk.ahead).is_undef() {
        store(&walk.many, Value::NIL);
    }
    Ok(Value::NIL)
}

/// `walk_many(walk)`: the values yielded last, an Array, if they were not one; else nil.
fn many(ec: &mut Ec, args: &[Value]) -> Res {
    Ok(load(&walk(ec, args)?.many))
}
