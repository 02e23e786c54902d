//! Arrays, Hashes and Ranges: made by the code, and looked into.

use std::cmp::Ordering;

use asterism_compiler::ops;
use asterism_object::space::WellKnown;
use asterism_object::types::Type;
use asterism_object::{Value, array, float, hash};
use asterism_symbol::sym;

use super::quick::quick_hash_aref;
use super::state::{Execute, Interp, Next, Slow};
use crate::basic_ops::{BasicOp, Classes};
use crate::call::Invoked;
use crate::ec::{Ec, Res};
use crate::frame::{Cont, state};

impl<'i> Execute<'i> for ops::NewArray<'i> {
    #[inline(always)]
    fn execute(self, mut at: Interp<'i>) -> Res<Next> {
        at.save();
        // SAFETY: the registers are the instruction's operands; the result is stored after they were read.
        let values = unsafe { at.values(self.values(), self.count()) };
        let made = at.ec.array(values)?;
        at.store(self.dst(), made)
    }
}

/// What the core's `max` (`min`, if it is less that is wanted) answers for an Array of these values, if they are Integers or
/// Floats; else undef.
pub(crate) fn extreme(ec: &Ec, values: &[Value], wanted: Ordering) -> Value {
    let op = if wanted == Ordering::Greater { BasicOp::MAX } else { BasicOp::MIN };
    let known = &ec.vm().basic_ops;
    let Some((&first, rest)) = values.split_first() else { return Value::UNDEF };
    if !known.intact(op, Classes::ARRAY) || !known.intact(BasicOp::CMP, Classes::NUMBER) {
        return Value::UNDEF;
    }
    let mut best = first;
    for &v in rest {
        let order = match (v.fixnum_value(), best.fixnum_value()) {
            (Some(x), Some(y)) => x.cmp(&y),
            (None, None) if float::is_float(v) && float::is_float(best) => {
                match float::get(v).partial_cmp(&float::get(best)) {
                    Some(order) => order,
                    None => return Value::UNDEF,
                }
            }
            _ => return Value::UNDEF,
        };
        if order == wanted {
            best = v;
        }
    }
    best
}

impl<'i> Execute<'i> for ops::MaxOf<'i> {
    #[inline(always)]
    fn execute(self, at: Interp<'i>) -> Res<Next> {
        // SAFETY: the registers are the instruction's operands; the result is stored after they were read.
        let best = extreme(at.ec, unsafe { at.values(self.values(), self.count()) }, Ordering::Greater);
        at.store(self.dst(), best)
    }
}

impl<'i> Execute<'i> for ops::MinOf<'i> {
    #[inline(always)]
    fn execute(self, at: Interp<'i>) -> Res<Next> {
        // SAFETY: as above.
        let best = extreme(at.ec, unsafe { at.values(self.values(), self.count()) }, Ordering::Less);
        at.store(self.dst(), best)
    }
}

impl<'i> Execute<'i> for ops::ArrayAppend<'i> {
    const RETURNS: bool = true;

    #[inline(always)]
    fn execute(self, mut at: Interp<'i>) -> Res<Next> {
        at.save();
        let array = at.get(self.array());
        // SAFETY: the registers are the instruction's operands, and not set meanwhile.
        for v in unsafe { at.values(self.values(), self.count()) } {
            at.ec.array_push(array, *v)?;
        }
        at.next()
    }
}

impl<'i> Execute<'i> for ops::ArrayAppendHash<'i> {
    const RETURNS: bool = true;

    #[inline(always)]
    fn execute(self, mut at: Interp<'i>) -> Res<Next> {
        at.save();
        let (array, hash) = (at.get(self.array()), at.get(self.hash()));
        if hash::len(hash) > 0 {
            at.ec.array_push(array, hash)?;
        }
        at.next()
    }
}

impl<'i> Execute<'i> for ops::ArraySplat<'i> {
    const RETURNS: bool = true;

    #[inline(always)]
    fn execute(self, mut at: Interp<'i>) -> Res<Next> {
        at.save();
        let (array, v) = (at.get(self.array()), at.get(self.value()));
        array_splat(at.ec, array, v)?;
        at.next()
    }
}

impl<'i> Execute<'i> for ops::SplatArray<'i> {
    const RETURNS: bool = true;

    #[inline(always)]
    fn execute(self, mut at: Interp<'i>) -> Res<Next> {
        at.save();
        let v = at.get(self.value());
        let made = splat(at.ec, v)?;
        at.store(self.dst(), made)
    }
}

impl<'i> Execute<'i> for ops::NewHash<'i> {
    #[inline(always)]
    fn execute(self, mut at: Interp<'i>) -> Res<Next> {
        at.save();
        // SAFETY: the registers are the instruction's operands; the result is stored after they were read.
        let made = new_hash(at.ec, unsafe { at.values(self.pairs(), self.count()) })?;
        at.store(self.dst(), made)
    }
}

impl<'i> Execute<'i> for ops::HashAppend<'i> {
    const RETURNS: bool = true;

    #[inline(always)]
    fn execute(self, mut at: Interp<'i>) -> Res<Next> {
        at.save();
        let hash = at.get(self.hash());
        // SAFETY: the registers are the instruction's operands, and not set meanwhile.
        hash_append(at.ec, hash, unsafe { at.values(self.pairs(), self.count()) })?;
        at.next()
    }
}

impl<'i> Execute<'i> for ops::HashMerge<'i> {
    const RETURNS: bool = true;

    #[inline(always)]
    fn execute(self, mut at: Interp<'i>) -> Res<Next> {
        at.save();
        let (hash, v) = (at.get(self.hash()), at.get(self.value()));
        hash_merge(at.ec, hash, v)?;
        at.next()
    }
}

impl<'i> Execute<'i> for ops::NewRange<'i> {
    const RETURNS: bool = true;

    #[inline(always)]
    fn execute(self, mut at: Interp<'i>) -> Res<Next> {
        at.save();
        let (low, high) = (at.get(self.low()), at.get(self.high()));
        let made = new_range(at.ec, low, high, self.exclusive())?;
        at.store(self.dst(), made)
    }
}

impl<'i> Execute<'i> for ops::Aref<'i> {
    #[inline(always)]
    fn execute(self, at: Interp<'i>) -> Res<Next> {
        let (recv, key) = (at.get(self.left()), at.get(self.right()));
        if recv.is_heap()
            && key.is_fixnum()
            && at.fast(BasicOp::AREF, Classes::ARRAY)
            && at.ec.class_of(recv).0 == at.ec.class(WellKnown::Array)
        {
            let v = array::get(recv, key.as_fixnum());
            return at.store(self.dst(), v);
        }
        at.slowly::<Self>()
    }
}

impl<'i> Slow<'i> for ops::Aref<'i> {
    #[inline(always)]
    fn slow(self, at: Interp<'i>) -> Res<Next> {
        let (recv, key) = (at.get(self.left()), at.get(self.right()));
        if recv.is_heap()
            && at.fast(BasicOp::AREF, Classes::HASH)
            && at.ec.class_of(recv).0 == at.ec.class(WellKnown::Hash)
            && let Some(v) = quick_hash_aref(at.ec, recv, key)
        {
            return at.store(self.dst(), v);
        }
        at.send1(self.site(), recv, key, self.dst())
    }
}

impl<'i> Execute<'i> for ops::ArefI<'i> {
    #[inline(always)]
    fn execute(self, at: Interp<'i>) -> Res<Next> {
        let recv = at.get(self.left());
        if recv.is_heap()
            && at.fast(BasicOp::AREF, Classes::ARRAY)
            && at.ec.class_of(recv).0 == at.ec.class(WellKnown::Array)
        {
            let v = array::get(recv, self.imm());
            return at.store(self.dst(), v);
        }
        at.slowly::<Self>()
    }
}

impl<'i> Slow<'i> for ops::ArefI<'i> {
    #[inline(always)]
    fn slow(self, at: Interp<'i>) -> Res<Next> {
        let (recv, key) = (at.get(self.left()), Value::fixnum(self.imm()));
        if recv.is_heap()
            && at.fast(BasicOp::AREF, Classes::HASH)
            && at.ec.class_of(recv).0 == at.ec.class(WellKnown::Hash)
            && let Some(v) = quick_hash_aref(at.ec, recv, key)
        {
            return at.store(self.dst(), v);
        }
        at.send1(self.site(), recv, key, self.dst())
    }
}

/// Which element `[]=` sets, if `recv` is an Array whose `[]=` is the core's and `key` an Integer that counts from its beginning.
#[inline(always)]
fn element_to_set(at: &Interp<'_>, recv: Value, key: Value) -> Option<usize> {
    if !recv.is_heap() {
        return None;
    }
    let i = usize::try_from(key.fixnum_value()?).ok()?;
    let plain = i < array::MAX_LEN
        && at.fast(BasicOp::ASET, Classes::ARRAY)
        && at.ec.class_of(recv).0 == at.ec.class(WellKnown::Array);
    plain.then_some(i)
}

impl<'i> Execute<'i> for ops::Aset<'i> {
    #[inline(always)]
    fn execute(self, mut at: Interp<'i>) -> Res<Next> {
        at.save();
        let (recv, key, v) = (at.get(self.recv()), at.get(self.key()), at.get(self.value()));
        if let Some(i) = element_to_set(&at, recv, key)
            && array::set_quickly(at.ec, recv, i, v)
        {
            return at.next();
        }
        at.slowly::<Self>()
    }
}

impl<'i> Slow<'i> for ops::Aset<'i> {
    #[inline(always)]
    fn slow(self, mut at: Interp<'i>) -> Res<Next> {
        at.save();
        let (recv, key, v) = (at.get(self.recv()), at.get(self.key()), at.get(self.value()));
        if recv.is_heap()
            && at.fast(BasicOp::ASET, Classes::HASH)
            && at.ec.class_of(recv).0 == at.ec.class(WellKnown::Hash)
            && hash_set(at.ec, recv, key, v)?
        {
            return at.next();
        }
        if let Some(i) = element_to_set(&at, recv, key) {
            array_set(at.ec, recv, i, v)?;
            return at.next();
        }
        let st = state(0, Cont::Discard, 0);
        // SAFETY: the current frame is a Ruby frame, whose pc is saved; the site is one of its code.
        match unsafe { at.ec.send_operator2(at.frame(), self.site().index(), recv, key, v, st)? } {
            Invoked::Done(_) => at.next(),
            Invoked::Pushed => at.reload(),
        }
    }
}

/// `array[i] = v` where more has to be done than to store.
#[inline(never)]
fn array_set(ec: &mut Ec, recv: Value, i: usize, v: Value) -> Res<()> {
    let done = array::set(ec, recv, i, v);
    ec.check(recv, done)
}

/// `hash[key] = v` where the key needs no call; false: nothing was done.
#[inline(never)]
pub(crate) fn hash_set(ec: &mut Ec, h: Value, key: Value, v: Value) -> Res<bool> {
    let stored = hash::set(ec, h, key, v);
    Ok(matches!(ec.check(h, stored)?, hash::Stored::Done))
}

/// Questions that Arrays and Hashes answer by their length.
macro_rules! by_length {
    ($($op:ident, $basic:ident: $answer:expr;)*) => {$(
        impl<'i> Execute<'i> for ops::$op<'i> {
            #[inline(always)]
            fn execute(self, at: Interp<'i>) -> Res<Next> {
                let recv = at.get(self.recv());
                if recv.is_heap() && at.fast(BasicOp::$basic, Classes::ARRAY.and(Classes::HASH)) {
                    let class = at.ec.class_of(recv).0;
                    if class == at.ec.class(WellKnown::Array) {
                        return at.store(self.dst(), $answer(array::len(recv)));
                    }
                    if class == at.ec.class(WellKnown::Hash) {
                        return at.store(self.dst(), $answer(hash::len(recv)));
                    }
                }
                at.slowly::<Self>()
            }
        }

        impl<'i> Slow<'i> for ops::$op<'i> {
            #[inline(always)]
            fn slow(self, at: Interp<'i>) -> Res<Next> {
                let recv = at.get(self.recv());
                at.send0(self.site(), recv, self.dst())
            }
        }
    )*};
}

by_length! {
    Size, SIZE: |n| Value::fixnum(n as i64);
    EmptyP, EMPTY_P: |n| Value::bool(n == 0);
}

/// Appends what `*v` stands for.
fn array_splat(ec: &mut Ec, target: Value, v: Value) -> Res<()> {
    let items = if v.is_type(Type::Array) {
        v
    } else {
        if v.is_nil() {
            return Ok(());
        }
        match ec.try_convert(v, sym::to_a, "Array", |x| x.is_type(Type::Array))? {
            Some(a) => a,
            None => return ec.array_push(target, v),
        }
    };
    let done = array::concat(ec, target, items);
    ec.check(target, done)
}

/// `[*v]`
#[inline(never)]
fn splat(ec: &mut Ec, v: Value) -> Res {
    if v.is_type(Type::Array) {
        let copy = array::snapshot(ec, v);
        return ec.check(v, copy);
    }
    let made = ec.array(&[])?;
    array_splat(ec, made, v)?;
    Ok(made)
}

/// A Hash of keys and values in turn.
#[inline(never)]
fn new_hash(ec: &mut Ec, pairs: &[Value]) -> Res {
    if hash::are_distinct_immediates(pairs) {
        let made = hash::of_distinct_immediates(ec, pairs);
        return ec.check(Value::NIL, made);
    }
    let class = ec.class(WellKnown::Hash);
    let made = hash::new_in(ec, class, pairs.len() / 2);
    let made = ec.check(Value::NIL, made)?;
    hash_append(ec, made, pairs)?;
    Ok(made)
}

/// Adds keys and values, in turn, to a Hash the compiler made.
#[inline(never)]
fn hash_append(ec: &mut Ec, h: Value, pairs: &[Value]) -> Res<()> {
    for pair in pairs.chunks_exact(2) {
        ec.hash_set(h, pair[0], pair[1])?;
    }
    Ok(())
}

/// Merges `**v`.
fn hash_merge(ec: &mut Ec, h: Value, v: Value) -> Res<()> {
    if v.is_nil() {
        return Ok(());
    }
    let other = ec.to_hash(v)?;
    let mut at = 0;
    let walk = hash::Walk::new(other);
    while let Some((next, key, value)) = walk.next(at) {
        at = next;
        ec.hash_set(h, key, value)?;
    }
    Ok(())
}

/// `low..high`
fn new_range(ec: &mut Ec, low: Value, high: Value, exclusive: bool) -> Res {
    if !are_comparable(ec, low, high) && ec.call(low, sym::CMP, &[high])?.is_nil() {
        return Err(ec.arg_error("bad value for range"));
    }
    ec.range(low, high, exclusive)
}

/// Are these ends of a Range for certain, without a call of `<=>`? Two Strings always have an order.
pub(crate) fn are_comparable(ec: &mut Ec, low: Value, high: Value) -> bool {
    if low.is_nil() || high.is_nil() || low.is_fixnum() && high.is_fixnum() {
        return true;
    }
    low.is_type(Type::String) && high.is_type(Type::String) && {
        let class = ec.class_of(low);
        ec.find_method(class, sym::CMP).1.is_some_and(|found| found.method.is_native_of_core())
    }
}
