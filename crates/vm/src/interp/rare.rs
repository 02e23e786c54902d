//! Instructions that are not worth a place in the loop: they push no frame, and what they do costs more than the
//! call that gets here.

use std::sync::atomic::Ordering;

use asterism_compiler::opcode::Op;
use asterism_object::{Value, array, hash};

use super::define;
use super::ops;
use crate::ec::{Ec, Res};
use crate::frame::Frame;
use crate::iseq::Iseq;

/// Executes instruction `w` of `frame`.
///
/// # Errors
/// What it raises.
///
/// # Safety
/// `frame` is the current Ruby frame, its pc saved, `iseq` its code and `w` the first word of one of its
/// instructions, with the opcode `op`.
#[inline(never)]
pub unsafe fn execute(ec: &mut Ec, frame: *mut Frame, iseq: &Iseq, op: Op, w: u64) -> Res<()> {
    let vm = ec.vm();
    let a = (w >> 16) as u16 as usize;
    // SAFETY: see the function's contract: register operands are registers of the frame.
    unsafe {
        let regs = Frame::regs(frame);
        macro_rules! r {
            ($i:expr) => {
                *regs.add($i)
            };
        }
        match op {
            Op::LoadCref => r!(a) = ec.constant_base().0,
            Op::BlockParam => {
                r!(a) = ops::block_param(ec, frame)?;
            }
            Op::GetGlobal => {
                r!(a) = ec.gvar_get(iseq.sym((w >> 32) as usize))?;
            }
            Op::SetGlobal => {
                ec.gvar_set(iseq.sym((w >> 32) as usize), r!(a))?;
            }
            Op::AliasGlobal => {
                let (new, old) = (iseq.sym(a), iseq.sym((w >> 32) as u16 as usize));
                vm.gvars.alias(new, old);
                vm.gvar_aliases.fetch_add(1, Ordering::Release);
            }
            Op::GetCvar => {
                r!(a) = ops::get_cvar(ec, iseq.sym((w >> 32) as usize))?;
            }
            Op::SetCvar => {
                ops::set_cvar(ec, iseq.sym((w >> 32) as usize), r!(a))?;
            }
            Op::GetConstFrom => {
                let scope = ec.scope_of_constant(r!((w >> 32) as u16 as usize))?;
                r!(a) = ec.constant_from(scope, iseq.sym((w >> 48) as usize))?;
            }
            Op::SetConst => {
                ops::set_const(ec, r!((w >> 32) as u16 as usize), iseq.sym((w >> 48) as usize), r!(a))?;
            }
            Op::GetBackref => {
                r!(a) = ops::backref_part(ec, (w >> 32) as u16 as u32)?;
            }
            Op::ArrayAppend => {
                for i in 0..(w >> 48) as usize {
                    ec.array_push(r!(a), r!((w >> 32) as u16 as usize + i))?;
                }
            }
            Op::ArrayAppendHash => {
                let h = r!((w >> 32) as u16 as usize);
                if hash::len(h) > 0 {
                    ec.array_push(r!(a), h)?;
                }
            }
            Op::ArraySplat => {
                ops::array_splat(ec, r!(a), r!((w >> 32) as u16 as usize))?;
            }
            Op::SplatArray => {
                let made = ec.array(&[])?;
                ops::array_splat(ec, made, r!((w >> 32) as u16 as usize))?;
                r!(a) = made;
            }
            Op::HashAppend => {
                ops::hash_append(ec, r!(a), frame, (w >> 32) as u16 as usize, (w >> 48) as usize)?;
            }
            Op::HashMerge => {
                ops::hash_merge(ec, r!(a), r!((w >> 32) as u16 as usize))?;
            }
            Op::NewRange => {
                let (low, high) = (r!((w >> 32) as u16 as usize), r!((w >> 48) as usize));
                r!(a) = ops::new_range(ec, low, high, (w >> 8) as u8 != 0)?;
            }
            Op::Intern => {
                let sym = ec.to_sym(r!((w >> 32) as u16 as usize))?;
                r!(a) = Value::sym(sym);
            }
            Op::NewRegexp => {
                let source = ops::concat(ec, frame, (w >> 32) as u16 as usize, (w >> 48) as usize)?;
                r!(a) = (vm.hooks.new_regexp)(ec, source, (w >> 8) as u8 as u32)?;
            }
            Op::OnceSet => {
                iseq.once[(w >> 32) as u16 as usize].store(r!(a), Ordering::Release);
            }
            Op::MakeLambda => {
                let child = iseq.child(ec, (w >> 32) as u16 as usize)?;
                r!(a) = ec.make_proc(frame, child, true)?;
            }
            Op::Defined => {
                let (kind, b, c) = ((w >> 8) as u8, (w >> 32) as u16 as usize, (w >> 48) as usize);
                let recv = if b < iseq.registers as usize { r!(b) } else { Value::NIL };
                r!(a) = ops::defined(ec, frame, kind, recv, c)?;
            }
            Op::RescueMatch => {
                let (e, class) = (r!((w >> 32) as u16 as usize), r!((w >> 48) as usize));
                r!(a) = Value::bool(ops::rescue_match(ec, e, class, (w >> 8) as u8 != 0)?);
            }
            Op::DefMethod => {
                let body = iseq.method_body(ec, (w >> 48) as usize)?;
                r!(a) = define::def_method(ec, frame, iseq.sym((w >> 32) as u16 as usize), body)?;
            }
            Op::DefSingleton => {
                let body = iseq.method_body(ec, (w >> 48) as usize)?;
                r!(a) = define::def_singleton(ec, frame, r!(a), iseq.sym((w >> 32) as u16 as usize), body)?;
            }
            Op::AliasMethod => {
                define::alias_method(ec, r!(a), r!((w >> 32) as u16 as usize))?;
            }
            Op::UndefMethod => {
                define::undef_method(ec, r!(a))?;
            }
            Op::PostExe => {
                let cell = &iseq.once[(w >> 32) as u16 as usize];
                if cell.swap(Value::TRUE, Ordering::AcqRel).is_undef() {
                    let child = iseq.child(ec, a)?;
                    let proc = ec.make_proc(frame, child, false)?;
                    crate::load::at_exit(ec, proc)?;
                }
            }
            Op::Deconstruct => {
                r!(a) = ops::deconstruct(ec, r!((w >> 32) as u16 as usize))?;
            }
            Op::DeconstructKeys => {
                r!(a) = ops::deconstruct_keys(ec, r!((w >> 32) as u16 as usize), r!((w >> 48) as usize))?;
            }
            Op::HashHasKey => {
                let found = ec.hash_get(r!((w >> 32) as u16 as usize), r!((w >> 48) as usize))?;
                r!(a) = Value::bool(found.is_some());
            }
            Op::HashExcept => {
                r!(a) = ops::hash_except(ec, r!((w >> 32) as u16 as usize), r!((w >> 48) as usize))?;
            }
            Op::ArraySlice => {
                let from = i64::from((w >> 48) as u16 as i16);
                r!(a) = ops::array_slice(ec, r!((w >> 32) as u16 as usize), from, (w >> 8) as u8 as usize)?;
            }
            Op::GetErrInfo => r!(a) = ec.errinfo,
            Op::SetErrInfo => ec.errinfo = r!(a),
            Op::Concat => {
                r!(a) = ops::concat(ec, frame, (w >> 32) as u16 as usize, (w >> 48) as usize)?;
            }
            Op::DupArray => {
                let literal = iseq.literals.get_unchecked((w >> 32) as usize).load(Ordering::Relaxed);
                let copy = array::dup(ec, literal);
                r!(a) = ec.check(literal, copy)?;
            }

            _ => return Err(ec.fatal("an instruction of the loop came to the rare ones")),
        }
    }
    Ok(())
}
