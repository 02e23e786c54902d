//! The loop. Fast paths stand here; whatever can be called out of line is in `send` and `ops`.

use std::sync::atomic::{AtomicU32, Ordering};

use asterism_compiler::opcode::Op;
use asterism_heap::{Cell, header};
use asterism_object::class::Class;
use asterism_object::space::WellKnown;
use asterism_object::types::Type;
use asterism_object::{Value, array, hash, object, shape};

use super::define;
use super::invoke;
use super::operands::Operands;
use super::ops;
use super::quick::{
    both_floats, float_mod, floor_div, floor_mod, mixed_floats, quick_case_equal, quick_equal, quick_hash_aref,
};
use super::scope::{load_slot, outer_slots, scope_slots, store_slot};
use super::send;
use super::slots;
use crate::block::Block;
use crate::call::Invoked;
use crate::consts;
use crate::ec::{Ec, Res};
use crate::frame::{Cont, Frame, state};
use crate::iseq::{ADDS, Iseq};

/// Runs the current frame until it returns to native code.
///
/// # Errors
/// Whatever is raised; the current frame is then the one it was raised in, its pc saved.
#[allow(clippy::cognitive_complexity)]
pub fn dispatch(ec: &mut Ec) -> Res {
    let vm = ec.vm();
    let mut frame: *mut Frame = ec.frame;
    // SAFETY: for the whole loop: `frame` is the current frame, an active Ruby frame; its code is kept alive by it; `pc`
    // points into the code's words; register operands are below `registers` (the compiler's verifier checks every code
    // in debug builds). `frame` and `pc` are reloaded whenever the current frame changes. The loop keeps nothing else:
    // code and registers are found from the frame, so that the machine's registers suffice.
    unsafe {
        let mut pc: *const u64 = (*frame).pc;
        // At the same address as long as the thread lives.
        let poll_word: *const AtomicU32 = ec.poll_word();

        macro_rules! reload {
            () => {{
                frame = ec.frame;
                pc = (*frame).pc;
            }};
        }
        macro_rules! r {
            ($i:expr) => {
                *Frame::regs(frame).add($i)
            };
        }
        macro_rules! code {
            () => {
                &*(*frame).iseq
            };
        }
        macro_rules! save {
            () => {
                (*frame).pc = pc
            };
        }
        // An invocation's outcome: the value, or another frame to run.
        macro_rules! settle {
            ($invoked:expr, $dst:expr) => {
                match $invoked {
                    Invoked::Done(v) => r!($dst) = v,
                    Invoked::Pushed => reload!(),
                }
            };
        }
        macro_rules! operator {
            ($site:expr, $recv:expr, $args:expr, $dst:expr) => {{
                save!();
                let st = state($dst as u16, Cont::Store, 0);
                settle!(send::send_operator(ec, frame, $site as u32 as usize, $recv, $args, st)?, $dst)
            }};
        }
        // Fast paths stand for core methods; they are off once one of those is redefined.
        macro_rules! fast {
            () => {
                !vm.redefined.load(Ordering::Relaxed)
            };
        }
        macro_rules! second {
            () => {{
                let w = *pc;
                pc = pc.add(1);
                w
            }};
        }
        macro_rules! float_result {
            ($f:expr, $dst:expr) => {{
                let f: f64 = $f;
                r!($dst) = match Value::try_flonum(f) {
                    Some(v) => v,
                    None => {
                        save!();
                        ec.float(f)?
                    }
                };
            }};
        }
        // `$body` with both operands as floats, and on with the next instruction. Flonums have a copy of it of their own, which
        // the machine's registers suffice for.
        macro_rules! with_floats {
            ($b:expr, $c:expr, |$x:ident, $y:ident| $body:expr) => {
                if $b.is_flonum() && $c.is_flonum() {
                    let ($x, $y) = ($b.as_flonum(), $c.as_flonum());
                    $body;
                    continue;
                } else if let Some(($x, $y)) = mixed_floats($b, $c) {
                    $body;
                    continue;
                }
            };
        }
        macro_rules! arith {
            ($w:expr, $b:ident, $c:ident, $int:expr, $flo:tt) => {{
                let s = second!();
                let (a, $b, $c) = (usize::from($w.a()), r!(usize::from($w.b())), r!(usize::from($w.c())));
                if fast!() {
                    if $b.is_fixnum() && $c.is_fixnum() {
                        if let Some(v) = $int {
                            r!(a) = v;
                            continue;
                        }
                    } else {
                        with_floats!($b, $c, |x, y| float_result!(x $flo y, a));
                    }
                }
                operator!(s, $b, &[$c], a)
            }};
        }
        macro_rules! compare {
            ($w:expr, $op:tt) => {{
                let s = second!();
                let (a, b, c) = (usize::from($w.a()), r!(usize::from($w.b())), r!(usize::from($w.c())));
                if fast!() {
                    if b.is_fixnum() && c.is_fixnum() {
                        r!(a) = Value::bool((b.bits() as i64) $op (c.bits() as i64));
                        continue;
                    }
                    with_floats!(b, c, |x, y| r!(a) = Value::bool(x $op y));
                }
                operator!(s, b, &[c], a)
            }};
        }
        macro_rules! polled {
            () => {
                (*poll_word).load(Ordering::Relaxed) != 0
            };
        }
        macro_rules! jump_to {
            ($offset:expr) => {{
                let offset = $offset as i32;
                pc = pc.offset(offset as isize);
                if offset < 0 && polled!() {
                    save!();
                    super::poll(ec)?;
                }
            }};
        }
        macro_rules! jump_when {
            ($w:expr, $met:expr) => {
                if $met {
                    jump_to!($w.wide());
                }
            };
        }
        macro_rules! compare_jump {
            ($w:expr, $op:tt, $b:expr) => {{
                let s = Operands::at(pc);
                pc = pc.add(1);
                let (a, b): (Value, Value) = (r!(usize::from($w.a())), $b);
                let sense = $w.x();
                if fast!() {
                    if a.is_fixnum() && b.is_fixnum() {
                        if u8::from((a.bits() as i64) $op (b.bits() as i64)) == sense {
                            jump_to!(s.wide());
                        }
                        continue;
                    }
                    with_floats!(a, b, |x, y| if u8::from(x $op y) == sense {
                        jump_to!(s.wide());
                    });
                }
                save!();
                let cont = if sense != 0 { Cont::JumpIf } else { Cont::JumpUnless };
                match send::send_operator(ec, frame, s.low() as usize, a, &[b], state(0, cont, 0))? {
                    Invoked::Done(v) => {
                        if u8::from(v.truthy()) == sense {
                            jump_to!(s.wide());
                        }
                    }
                    Invoked::Pushed => reload!(),
                }
            }};
        }
        // A loop's end behind what counts: the comparison of integers needs no step of the interpreter's own.
        macro_rules! then_compare {
            () => {{
                let w = Operands::at(pc);
                if matches!(w.op(), Op::JmpLt | Op::JmpLe) {
                    let (a, b) = (r!(usize::from(w.a())), r!(usize::from(w.b())));
                    if a.is_fixnum() && b.is_fixnum() {
                        let met = if w.op() == Op::JmpLt {
                            (a.bits() as i64) < b.bits() as i64
                        } else {
                            a.bits() as i64 <= b.bits() as i64
                        };
                        let s = Operands::at(pc.add(1));
                        pc = pc.add(2);
                        if u8::from(met) == w.x() {
                            jump_to!(s.wide());
                        }
                    }
                }
                continue;
            }};
        }
        // Equality: everything whose `==` is identity or a number's.
        macro_rules! equal_jump {
            ($w:expr, $b:expr, $negate:expr) => {{
                let s = second!();
                let (a, b): (Value, Value) = (r!(usize::from($w.a())), $b);
                let sense = ($w.x() != 0) != $negate;
                if fast!()
                    && let Some(equal) = quick_equal(ec, a, b)
                {
                    if equal == sense {
                        jump_to!((s >> 32) as u32);
                    }
                    continue;
                }
                save!();
                let sense = $w.x() != 0;
                let cont = if sense { Cont::JumpIf } else { Cont::JumpUnless };
                match send::send_operator(ec, frame, s as u32 as usize, a, &[b], state(0, cont, 0))? {
                    Invoked::Done(v) => {
                        if v.truthy() == sense {
                            jump_to!((s >> 32) as u32);
                        }
                    }
                    Invoked::Pushed => reload!(),
                }
            }};
        }
        macro_rules! imm {
            ($w:expr) => {
                Value::fixnum(i64::from($w.b() as i16))
            };
        }

        loop {
            let w = Operands::at(pc);
            pc = pc.add(1);
            let a = usize::from(w.a());
            let op = w.op();
            match op {
                Op::Nop => {}
                Op::Move => r!(a) = r!(usize::from(w.b())),
                Op::LoadNil => r!(a) = Value::NIL,
                Op::LoadTrue => r!(a) = Value::TRUE,
                Op::LoadFalse => r!(a) = Value::FALSE,
                Op::LoadUndef => r!(a) = Value::UNDEF,
                Op::LoadSelf => r!(a) = (*frame).self_val,
                Op::LoadInt => r!(a) = Value::fixnum(i64::from(w.wide() as i32)),
                Op::LoadLit => {
                    let iseq: &Iseq = code!();
                    r!(a) = iseq.literals.get_unchecked(w.wide() as usize).load(Ordering::Relaxed);
                }
                Op::NewStr => {
                    let iseq: &Iseq = code!();
                    save!();
                    let literal = iseq.literals.get_unchecked(w.wide() as usize).load(Ordering::Relaxed);
                    r!(a) = ec.dup_literal(literal)?;
                }
                Op::GetUp => {
                    let depth = usize::from(w.c());
                    let slots = if depth == 1 { outer_slots(frame) } else { scope_slots(frame, depth) };
                    r!(a) = load_slot(slots, usize::from(w.b()));
                }
                Op::SetUp => {
                    let slots = scope_slots(frame, usize::from(w.c()));
                    store_slot(slots, usize::from(w.b()), r!(a));
                }

                Op::GetIvar => {
                    let iseq: &Iseq = code!();
                    let site = usize::from(w.b());
                    let this = (*frame).self_val;
                    if this.is_heap() {
                        let cell = &*this.ptr::<Cell>();
                        let head = cell.header.load(Ordering::Acquire);
                        let cached = iseq.ivar_caches.get_unchecked(site * 2).load(Ordering::Relaxed);
                        if slots::same_shape(head, cached) && head as u8 == Type::Object as u8 {
                            r!(a) = object::read_slot(cell, shape::Slot(cached as u32));
                            continue;
                        }
                    }
                    r!(a) = slots::get_ivar(ec, frame, site);
                }
                Op::SetIvar => {
                    let iseq: &Iseq = code!();
                    let site = usize::from(w.b());
                    let this = (*frame).self_val;
                    if this.is_heap() {
                        let cell = &*this.ptr::<Cell>();
                        let head = cell.header.load(Ordering::Acquire);
                        let cached = iseq.ivar_caches.get_unchecked(site * 2).load(Ordering::Relaxed);
                        if ec.owned_with_shape(head, cached, Type::Object as u8) {
                            if cached & ADDS == 0 {
                                object::write_slot(cell, shape::Slot(cached as u32), r!(a));
                                continue;
                            }
                            let add = iseq.ivar_caches.get_unchecked(site * 2 + 1).load(Ordering::Relaxed);
                            let slot = shape::Slot((cached & !ADDS) as u32);
                            if slots::same_shape(add, cached)
                                && object::add_slot_owned(cell, head, add as u32, slot, r!(a))
                            {
                                continue;
                            }
                        }
                    }
                    save!();
                    slots::set_ivar(ec, frame, site, r!(a))?;
                }
                Op::GetConst => {
                    let iseq: &Iseq = code!();
                    save!();
                    let cache = iseq.const_caches.get_unchecked(w.wide() as usize);
                    r!(a) = match consts::remembered(vm, cache, (*frame).cref) {
                        Some(v) => v,
                        None => ec.constant_site(iseq, w.wide() as usize, (*frame).cref)?,
                    };
                }
                Op::NewArray => {
                    save!();
                    let values =
                        std::slice::from_raw_parts(Frame::regs(frame).add(usize::from(w.b())), usize::from(w.c()));
                    r!(a) = ec.array(values)?;
                }
                Op::NewHash => {
                    save!();
                    let h = ec.new_hash()?;
                    // The registers may be overwritten by the result only after they were read.
                    ops::hash_append(ec, h, frame, usize::from(w.b()), usize::from(w.c()))?;
                    r!(a) = h;
                }
                Op::ToS => {
                    let s = second!();
                    let v = r!(usize::from(w.b()));
                    save!();
                    if v.is_type(Type::String) {
                        r!(a) = v;
                    } else if let Some(text) = ops::quick_to_s(ec, v)? {
                        r!(a) = text;
                    } else {
                        let st = state(a as u16, Cont::StoreString, 0);
                        match send::send_operator(ec, frame, s as u32 as usize, v, &[], st)? {
                            Invoked::Done(text) if text.is_type(Type::String) => r!(a) = text,
                            Invoked::Done(_) => {
                                let plain = ec.any_to_s(v);
                                r!(a) = ec.str(plain)?;
                            }
                            Invoked::Pushed => reload!(),
                        }
                    }
                }
                Op::Once => {
                    let iseq: &Iseq = code!();
                    let v = iseq.once[usize::from(w.b())].load(Ordering::Acquire);
                    if !v.is_undef() {
                        r!(a) = v;
                        pc = pc.offset(w.c() as i16 as isize);
                    }
                }

                Op::Add => arith!(
                    w,
                    b,
                    c,
                    (b.bits() as i64).checked_add((c.bits() - 1) as i64).map(|n| Value::from_bits(n as u64)),
                    +
                ),
                Op::Sub => arith!(
                    w,
                    b,
                    c,
                    (b.bits() as i64).checked_sub((c.bits() - 1) as i64).map(|n| Value::from_bits(n as u64)),
                    -
                ),
                Op::Mul => arith!(
                    w,
                    b,
                    c,
                    ((b.bits() - 1) as i64).checked_mul(c.as_fixnum()).map(|n| Value::from_bits(n as u64 | 1)),
                    *
                ),
                Op::Div => arith!(w, b, c, floor_div(b.as_fixnum(), c.as_fixnum()), /),
                Op::Mod => {
                    let s = second!();
                    let (a, b, c) = (usize::from(w.a()), r!(usize::from(w.b())), r!(usize::from(w.c())));
                    if fast!() {
                        if b.is_fixnum() && c.is_fixnum() {
                            if let Some(v) = floor_mod(b.as_fixnum(), c.as_fixnum()) {
                                r!(a) = v;
                                continue;
                            }
                        } else if let Some((x, y)) = both_floats(b, c)
                            && y != 0.0
                        {
                            float_result!(float_mod(x, y), a);
                            continue;
                        }
                    }
                    operator!(s, b, &[c], a)
                }
                Op::AddI => {
                    let s = second!();
                    let b = r!(usize::from(w.b()));
                    let imm = i64::from(w.c() as i16);
                    if fast!() {
                        if b.is_fixnum() {
                            if let Some(n) = (b.bits() as i64).checked_add(imm << 1) {
                                r!(a) = Value::from_bits(n as u64);
                                then_compare!();
                            }
                        } else if b.is_flonum() {
                            float_result!(b.as_flonum() + imm as f64, a);
                            continue;
                        }
                    }
                    operator!(s, b, &[Value::fixnum(imm)], a)
                }
                Op::SubI => {
                    let s = second!();
                    let b = r!(usize::from(w.b()));
                    let imm = i64::from(w.c() as i16);
                    if fast!() {
                        if b.is_fixnum() {
                            if let Some(n) = (b.bits() as i64).checked_sub(imm << 1) {
                                r!(a) = Value::from_bits(n as u64);
                                continue;
                            }
                        } else if b.is_flonum() {
                            float_result!(b.as_flonum() - imm as f64, a);
                            continue;
                        }
                    }
                    operator!(s, b, &[Value::fixnum(imm)], a)
                }
                Op::And | Op::Or | Op::Xor => {
                    let s = second!();
                    let (b, c) = (r!(usize::from(w.b())), r!(usize::from(w.c())));
                    if b.is_fixnum() && c.is_fixnum() && fast!() {
                        r!(a) = match op {
                            Op::And => Value::from_bits(b.bits() & c.bits()),
                            Op::Or => Value::from_bits(b.bits() | c.bits()),
                            _ => Value::from_bits((b.bits() ^ c.bits()) | 1),
                        };
                        continue;
                    }
                    operator!(s, b, &[c], a)
                }
                Op::Shl => {
                    let s = second!();
                    let (b, c) = (r!(usize::from(w.b())), r!(usize::from(w.c())));
                    if fast!() {
                        if b.is_fixnum() && c.is_fixnum() {
                            let (n, by) = (b.as_fixnum(), c.as_fixnum());
                            if (0..62).contains(&by)
                                && n << by >> by == n
                                && let Some(v) = Value::try_fixnum(n << by)
                            {
                                r!(a) = v;
                                continue;
                            }
                        } else if b.is_heap() {
                            let class = ec.class_of(b).0;
                            if class == ec.class(WellKnown::Array) {
                                save!();
                                ec.array_push(b, c)?;
                                r!(a) = b;
                                continue;
                            }
                            if class == ec.class(WellKnown::String) {
                                save!();
                                if ops::quick_append(ec, b, c)? {
                                    r!(a) = b;
                                    continue;
                                }
                            }
                        }
                    }
                    operator!(s, b, &[c], a)
                }
                Op::Shr => {
                    let s = second!();
                    let (b, c) = (r!(usize::from(w.b())), r!(usize::from(w.c())));
                    if b.is_fixnum() && c.is_fixnum() && fast!() {
                        let by = c.as_fixnum();
                        if by >= 0 {
                            r!(a) = Value::fixnum(b.as_fixnum() >> by.min(63));
                            continue;
                        }
                    }
                    operator!(s, b, &[c], a)
                }
                Op::Lt => compare!(w, <),
                Op::Le => compare!(w, <=),
                Op::Gt => compare!(w, >),
                Op::Ge => compare!(w, >=),
                Op::Eq => {
                    let s = second!();
                    let (b, c) = (r!(usize::from(w.b())), r!(usize::from(w.c())));
                    if fast!()
                        && let Some(equal) = quick_equal(ec, b, c)
                    {
                        r!(a) = Value::bool(equal);
                        continue;
                    }
                    operator!(s, b, &[c], a)
                }
                Op::Ne => {
                    let s = second!();
                    let (b, c) = (r!(usize::from(w.b())), r!(usize::from(w.c())));
                    if fast!()
                        && let Some(equal) = quick_equal(ec, b, c)
                    {
                        r!(a) = Value::bool(!equal);
                        continue;
                    }
                    operator!(s, b, &[c], a)
                }
                Op::CaseEq => {
                    let s = second!();
                    let (b, c) = (r!(usize::from(w.b())), r!(usize::from(w.c())));
                    if fast!()
                        && let Some(equal) = quick_case_equal(ec, b, c)
                    {
                        r!(a) = Value::bool(equal);
                        continue;
                    }
                    operator!(s, b, &[c], a)
                }
                Op::Not => {
                    let s = second!();
                    let b = r!(usize::from(w.b()));
                    if !b.is_heap() && fast!() {
                        r!(a) = Value::bool(!b.truthy());
                        continue;
                    }
                    operator!(s, b, &[], a)
                }
                Op::Neg => {
                    let s = second!();
                    let b = r!(usize::from(w.b()));
                    if fast!() {
                        if let Some(n) = b.fixnum_value()
                            && let Some(v) = Value::try_fixnum(-n)
                        {
                            r!(a) = v;
                            continue;
                        }
                        if b.is_flonum() {
                            float_result!(-b.as_flonum(), a);
                            continue;
                        }
                    }
                    operator!(s, b, &[], a)
                }
                Op::Aref => {
                    let s = second!();
                    let (b, c) = (r!(usize::from(w.b())), r!(usize::from(w.c())));
                    if b.is_heap() && fast!() {
                        let class = ec.class_of(b).0;
                        if class == ec.class(WellKnown::Array) {
                            if c.is_fixnum() {
                                r!(a) = array::get(b, c.as_fixnum());
                                continue;
                            }
                        } else if class == ec.class(WellKnown::Hash)
                            && let Some(v) = quick_hash_aref(ec, b, c)
                        {
                            r!(a) = v;
                            continue;
                        }
                    }
                    operator!(s, b, &[c], a)
                }
                Op::ArefI => {
                    let s = second!();
                    let b = r!(usize::from(w.b()));
                    let i = i64::from(w.c() as i16);
                    if b.is_heap() && fast!() {
                        let class = ec.class_of(b).0;
                        if class == ec.class(WellKnown::Array) {
                            r!(a) = array::get(b, i);
                            continue;
                        }
                        if class == ec.class(WellKnown::Hash)
                            && let Some(v) = quick_hash_aref(ec, b, Value::fixnum(i))
                        {
                            r!(a) = v;
                            continue;
                        }
                    }
                    operator!(s, b, &[Value::fixnum(i)], a)
                }
                Op::Aset => {
                    let s = second!();
                    let (recv, key, v) = (r!(a), r!(usize::from(w.b())), r!(usize::from(w.c())));
                    save!();
                    if recv.is_heap() && fast!() {
                        let class = ec.class_of(recv).0;
                        if class == ec.class(WellKnown::Array) {
                            if let Some(i) = key.fixnum_value()
                                && let Ok(i) = usize::try_from(i)
                            {
                                let done = array::set(ec, recv, i, v);
                                ec.check(recv, done)?;
                                continue;
                            }
                        } else if class == ec.class(WellKnown::Hash) {
                            let stored = hash::set(ec, recv, key, v);
                            if let hash::Stored::Done = ec.check(recv, stored)? {
                                continue;
                            }
                        }
                    }
                    let st = state(0, Cont::Discard, 0);
                    if let Invoked::Pushed = send::send_operator(ec, frame, s as u32 as usize, recv, &[key, v], st)? {
                        reload!();
                    }
                }
                Op::Size => {
                    let s = second!();
                    let b = r!(usize::from(w.b()));
                    if b.is_heap() && fast!() {
                        let class = ec.class_of(b).0;
                        if class == ec.class(WellKnown::Array) {
                            r!(a) = Value::fixnum(array::len(b) as i64);
                            continue;
                        }
                        if class == ec.class(WellKnown::Hash) {
                            r!(a) = Value::fixnum(hash::len(b) as i64);
                            continue;
                        }
                    }
                    operator!(s, b, &[], a)
                }
                Op::EmptyP => {
                    let s = second!();
                    let b = r!(usize::from(w.b()));
                    if b.is_heap() && fast!() {
                        let class = ec.class_of(b).0;
                        if class == ec.class(WellKnown::Array) {
                            r!(a) = Value::bool(array::len(b) == 0);
                            continue;
                        }
                        if class == ec.class(WellKnown::Hash) {
                            r!(a) = Value::bool(hash::len(b) == 0);
                            continue;
                        }
                    }
                    operator!(s, b, &[], a)
                }
                Op::NilP => {
                    let s = second!();
                    let b = r!(usize::from(w.b()));
                    if !b.is_heap() && fast!() {
                        r!(a) = Value::bool(b.is_nil());
                        continue;
                    }
                    operator!(s, b, &[], a)
                }

                Op::Jmp => pc = pc.offset(w.wide() as i32 as isize),
                Op::Loop => {
                    pc = pc.offset(w.wide() as i32 as isize);
                    if polled!() {
                        save!();
                        super::poll(ec)?;
                    }
                }
                Op::JmpIf => jump_when!(w, r!(a).truthy()),
                Op::JmpUnless => jump_when!(w, !r!(a).truthy()),
                Op::JmpNil => jump_when!(w, r!(a).is_nil()),
                Op::JmpNotNil => jump_when!(w, !r!(a).is_nil()),
                Op::JmpDef => jump_when!(w, !r!(a).is_undef()),
                Op::JmpLt => compare_jump!(w, <, r!(usize::from(w.b()))),
                Op::JmpLe => compare_jump!(w, <=, r!(usize::from(w.b()))),
                Op::JmpGt => compare_jump!(w, >, r!(usize::from(w.b()))),
                Op::JmpGe => compare_jump!(w, >=, r!(usize::from(w.b()))),
                Op::JmpEq => equal_jump!(w, r!(usize::from(w.b())), false),
                Op::JmpNe => equal_jump!(w, r!(usize::from(w.b())), true),
                Op::JmpLtI => compare_jump!(w, <, imm!(w)),
                Op::JmpLeI => compare_jump!(w, <=, imm!(w)),
                Op::JmpGtI => compare_jump!(w, >, imm!(w)),
                Op::JmpGeI => compare_jump!(w, >=, imm!(w)),
                Op::JmpEqI => equal_jump!(w, imm!(w), false),
                Op::JmpNeI => equal_jump!(w, imm!(w), true),

                // Switches of fibers with nothing in the way; else they are calls like others.
                Op::Resume if ec.resume_at(frame, pc, w) => reload!(),
                Op::FiberYield if ec.yield_at(frame, pc, w) => reload!(),
                Op::Call | Op::CallSelf | Op::Resume | Op::FiberYield => {
                    invoke::call(ec, &mut frame, &mut pc, poll_word, w)?;
                }
                Op::Super => {
                    save!();
                    let dst = w.b();
                    settle!(send::send_super(ec, frame, a, usize::from(w.c()), dst)?, usize::from(dst))
                }
                Op::Yield => invoke::yield_to_block(ec, &mut frame, &mut pc, w)?,
                Op::Prim => {
                    let iseq: &Iseq = code!();
                    save!();
                    let argc = usize::from(w.x());
                    let args = std::slice::from_raw_parts(Frame::regs(frame).add(a), argc);
                    let literal = usize::from(w.c());
                    let v = match iseq.prims[literal] {
                        Some(prim) => prim(ec, args)?,
                        None => return Err(ops::unknown_primitive(ec, iseq.sym(literal))),
                    };
                    if ec.frame == frame {
                        r!(usize::from(w.b())) = v;
                    } else {
                        // It switched to another fiber, whose frame has its value already.
                        reload!();
                    }
                }
                Op::BlockGiven => r!(a) = Value::bool(!Block((*frame).block).is_none()),
                Op::Return => {
                    let v = r!(a);
                    if let Some(v) = invoke::return_value(ec, &mut frame, &mut pc, v)? {
                        return Ok(v);
                    }
                }
                Op::Break => {
                    save!();
                    if let Some(v) = ops::break_from(ec, frame, r!(a))? {
                        return Ok(v);
                    }
                    reload!();
                }
                Op::ReturnFar => {
                    save!();
                    return Err(ops::return_far(ec, frame, r!(a)));
                }

                Op::Rethrow => {
                    save!();
                    return Err(ec.rethrow(r!(a)));
                }

                Op::DefClass | Op::DefModule | Op::OpenSingleton => {
                    if op != Op::OpenSingleton {
                        pc = pc.add(1);
                    }
                    save!();
                    define::open_body(ec, frame, op, w)?;
                    reload!();
                }

                Op::Destructure => {
                    let s = second!();
                    save!();
                    ops::destructure(
                        ec,
                        frame,
                        r!(a),
                        usize::from(w.b()),
                        usize::from(w.c()),
                        w.x() != 0,
                        s as u32 as usize,
                    )?;
                }
                Op::LoadCref
                | Op::BlockParam
                | Op::GetGlobal
                | Op::SetGlobal
                | Op::AliasGlobal
                | Op::GetCvar
                | Op::SetCvar
                | Op::GetConstFrom
                | Op::SetConst
                | Op::GetBackref
                | Op::ArrayAppend
                | Op::ArrayAppendHash
                | Op::ArraySplat
                | Op::SplatArray
                | Op::HashAppend
                | Op::HashMerge
                | Op::NewRange
                | Op::Intern
                | Op::NewRegexp
                | Op::OnceSet
                | Op::MakeLambda
                | Op::Defined
                | Op::RescueMatch
                | Op::DefMethod
                | Op::DefSingleton
                | Op::AliasMethod
                | Op::UndefMethod
                | Op::PostExe
                | Op::Deconstruct
                | Op::DeconstructKeys
                | Op::HashHasKey
                | Op::HashExcept
                | Op::ArraySlice
                | Op::GetErrInfo
                | Op::SetErrInfo
                | Op::Concat
                | Op::DupArray => {
                    let iseq: &Iseq = code!();
                    save!();
                    super::rare::execute(ec, frame, iseq, op, w.word())?;
                }
                Op::RaiseNoMatch => {
                    save!();
                    return Err(ops::no_match(ec, r!(a), w.b() != 0, r!(usize::from(w.c()))));
                }
            }
        }
    }
}

// What the loop relies on, checked where it is cheapest.
const _: () = {
    assert!(header::SHAPE_SHIFT == 32);
    assert!(size_of::<Class>() == 8);
};
