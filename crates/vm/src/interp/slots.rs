//! Instance variables and attributes at their sites: each remembers one shape and the slot.

use std::sync::atomic::{AtomicU64, Ordering};

use asterism_heap::header;
use asterism_object::space::space;
use asterism_object::types::{Type, type_of};
use asterism_object::{Sym, Value, ivars, object, shape};

use crate::ec::{Ec, Res};
use crate::frame::Frame;
use crate::iseq::{ADDS, EMPTY_IVAR, Iseq};
use crate::jit::site_words::Shapes;

/// The code and self of a frame. What is off the fast path asks for them again, so that the loop need not keep them for it.
///
/// # Safety
/// `frame` is an active Ruby frame, and stays one as long as the code is used.
unsafe fn code_and_self<'a>(frame: *const Frame) -> (&'a Iseq, Value) {
    // SAFETY: an active Ruby frame keeps its code alive.
    unsafe { (&*(*frame).iseq, (*frame).self_val) }
}

/// `@x` off the fast path, in the current frame; fills the site's cache.
///
/// # Errors
/// Ractor::IsolationError.
///
/// # Safety
/// `frame` is the current frame, a Ruby one.
#[inline(never)]
pub unsafe fn get_ivar(ec: &mut Ec, frame: *const Frame, site: usize) -> Res {
    // SAFETY: as demanded; nothing is called here that leaves the frame.
    let (iseq, this) = unsafe { code_and_self(frame) };
    let name = iseq.code.ivar_sites[site].name;
    if let Some(cell) = this.cell()
        && type_of(cell) == Type::Object
    {
        let id = header::shape_of(cell.header.load(Ordering::Acquire));
        if id != shape::COMPLEX {
            return Ok(match space(ec).shapes.lookup(id, name) {
                Some(slot) => {
                    let sites = (&iseq.jit.ivars, site, iseq.code.ivar_sites.len());
                    learn(ec, &iseq.ivar_caches[site * 2], u64::from(id) << 32 | u64::from(slot.0), sites);
                    object::read_slot(cell, slot)
                }
                None => Value::NIL,
            });
        }
    }
    let value = ivars::get(ec, this, name);
    ec.check_ivar(this, name, value)?;
    Ok(value.unwrap_or(Value::NIL))
}

/// Shall a site that missed forget what `word` remembers? One that remembers something already sees several shapes,
/// or its program has gone on to another phase: it changes at every 16th miss of this thread only, so that a site
/// that keeps missing does not keep writing what other threads read.
fn may_learn(ec: &mut Ec, word: &AtomicU64) -> bool {
    if word.load(Ordering::Relaxed) == EMPTY_IVAR {
        return true;
    }
    ec.worker.slot_misses = ec.worker.slot_misses.wrapping_add(1);
    ec.worker.slot_misses.is_multiple_of(16)
}

/// Remembers `known` in `word`, if that is to forget what it remembers.
fn learn(ec: &mut Ec, word: &AtomicU64, known: u64, (shapes, site, sites): (&Shapes, usize, usize)) {
    if may_learn(ec, word) {
        remember(ec, word, known, (shapes, site, sites));
    }
}

/// Remembers `known` in `word`. What a site has met one after the other, compiled code remembers together: at site `site` of so many.
fn remember(ec: &mut Ec, word: &AtomicU64, known: u64, (shapes, site, sites): (&Shapes, usize, usize)) {
    let before = word.swap(known, Ordering::Relaxed);
    if before != EMPTY_IVAR && before & ADDS == 0 && before != known && ec.vm().options.jit.is_some() {
        shapes.note(ec, (site, sites), before);
        shapes.note(ec, (site, sites), known);
    }
}

/// Whether two words, headers or caches, name the same shape in their upper halves.
#[inline(always)]
pub fn same_shape(a: u64, b: u64) -> bool {
    (a ^ b) >> header::SHAPE_SHIFT == 0
}

/// Reads an attribute through call site `site`'s cache of its slot.
///
/// # Errors
/// Ractor::IsolationError.
#[inline(always)]
pub fn read_attr(ec: &mut Ec, iseq: &Iseq, site: usize, this: Value, name: Sym) -> Res {
    if let Some(cell) = this.cell() {
        let head = cell.header.load(Ordering::Acquire);
        let cached = iseq.attr_caches[site].load(Ordering::Relaxed);
        if same_shape(head, cached) && head as u8 == Type::Object as u8 {
            return Ok(object::read_slot(cell, shape::Slot(cached as u32)));
        }
    }
    read_attr_miss(ec, iseq, site, this, name)
}

#[inline(never)]
fn read_attr_miss(ec: &mut Ec, iseq: &Iseq, site: usize, this: Value, name: Sym) -> Res {
    match (this.cell(), remember_attr(ec, iseq, site, this, name)) {
        (Some(cell), Some(slot)) => Ok(object::read_slot(cell, slot)),
        _ => {
            let value = ivars::get(ec, this, name);
            ec.check_ivar(this, name, value)?;
            Ok(value.unwrap_or(Value::NIL))
        }
    }
}

/// Where objects of this one's shape have `name`, if they have it in a slot; `site` may remember it.
fn remember_attr(ec: &mut Ec, iseq: &Iseq, site: usize, this: Value, name: Sym) -> Option<shape::Slot> {
    let cell = this.cell().filter(|cell| type_of(cell) == Type::Object)?;
    let id = header::shape_of(cell.header.load(Ordering::Acquire));
    if id == shape::COMPLEX {
        return None;
    }
    let slot = space(ec).shapes.lookup(id, name)?;
    let sites = (&iseq.jit.attrs, site, iseq.call_caches.len());
    learn(ec, &iseq.attr_caches[site], u64::from(id) << 32 | u64::from(slot.0), sites);
    Some(slot)
}

/// Writes an attribute through call site `site`'s cache of its slot.
///
/// # Errors
/// FrozenError, NoMemoryError.
#[inline]
pub fn write_attr(ec: &mut Ec, iseq: &Iseq, site: usize, this: Value, name: Sym, v: Value) -> Res<()> {
    if let Some(cell) = this.cell() {
        let head = cell.header.load(Ordering::Acquire);
        let cached = iseq.attr_caches[site].load(Ordering::Relaxed);
        if ec.owned_with_shape(head, cached, Type::Object as u8) {
            object::write_slot(cell, shape::Slot(cached as u32), v);
            return Ok(());
        }
    }
    write_attr_miss(ec, iseq, site, this, name, v)
}

#[inline(never)]
fn write_attr_miss(ec: &mut Ec, iseq: &Iseq, site: usize, this: Value, name: Sym, v: Value) -> Res<()> {
    let Some(cell) = this.cell() else { return Err(ec.frozen_error(this)) };
    let before = header::shape_of(cell.header.load(Ordering::Acquire));
    ec.ivar_put(this, name, v)?;
    remember_attr(ec, iseq, site, this, name);
    if ec.vm().options.jit.is_some() {
        iseq.jit.additions.note(ec, (site, iseq.call_caches.len()), this, before, name);
    }
    Ok(())
}

/// `@x = v` off the fast path, in the current frame; fills the site's cache.
///
/// # Errors
/// FrozenError, NoMemoryError.
///
/// # Safety
/// `frame` is the current frame, a Ruby one.
#[inline(never)]
pub unsafe fn set_ivar(ec: &mut Ec, frame: *const Frame, site: usize, v: Value) -> Res<()> {
    // SAFETY: as demanded; nothing is called here that leaves the frame.
    let (iseq, this) = unsafe { code_and_self(frame) };
    let name = iseq.code.ivar_sites[site].name;
    let before = match this.cell() {
        Some(cell) if type_of(cell) == Type::Object => Some(header::shape_of(cell.header.load(Ordering::Acquire))),
        Some(_) => None,
        None => return Err(ec.frozen_error(this)),
    };
    ec.ivar_put(this, name, v)?;
    let (Some(before), Some(cell)) = (before, this.cell()) else {
        return Ok(());
    };
    let after = header::shape_of(cell.header.load(Ordering::Acquire));
    if before == shape::COMPLEX || after == shape::COMPLEX {
        return Ok(());
    }
    if !may_learn(ec, &iseq.ivar_caches[site * 2]) {
        return Ok(());
    }
    let tag = u64::from(before) << 32;
    if let Some(slot) = space(ec).shapes.lookup(before, name) {
        let sites = (&iseq.jit.ivars, site, iseq.code.ivar_sites.len());
        remember(ec, &iseq.ivar_caches[site * 2], tag | u64::from(slot.0), sites);
    } else if let Some((new_shape, slot)) = space(ec).shapes.transition(before, name)
        && new_shape == after
    {
        iseq.ivar_caches[site * 2 + 1].store(tag | u64::from(new_shape), Ordering::Relaxed);
        iseq.ivar_caches[site * 2].store(tag | ADDS | u64::from(slot.0), Ordering::Relaxed);
    }
    Ok(())
}
