//! How the VM's part of code is made, when it is first needed.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicU64, Ordering};

use asterism_compiler::code::{Changes, Code, KeywordRest, Literal, Packing};
use asterism_heap::Cell;
use asterism_object::types::Type;
use asterism_object::{AtomicValue, Sym, Value, array, string};
use asterism_symbol::sym;

use super::words::{Room, Words};
use super::{EMPTY_IVAR, Iseq, NOT_PLAINLY};
use crate::cache::Site;
use crate::ec::{Ec, Res};
use crate::frame::{Frame, SPARE};
use crate::jit::{OfIseq, switch};
use crate::method::Body;
use crate::native::PrimFn;

/// `Iseq::taken` of a block of that code.
fn taken(code: &Code) -> [u8; SPARE + 2] {
    let (params, mut taken) = (&code.params, [NOT_PLAINLY; SPARE + 2]);
    match code.packing() {
        Packing::None => {}
        Packing::Packed => (taken[1], taken[2]) = (0, 1),
        Packing::Passed => taken[2] = 1,
    }
    if params.is_simple() {
        for (given, taken) in taken[1..].iter_mut().enumerate() {
            // One value may be an Array to take apart.
            if given != 1 || !params.auto_splat {
                *taken = given.min(usize::from(params.required)) as u8;
            }
        }
    }
    taken
}

impl Iseq {
    /// Makes the VM's part for `code`.
    ///
    /// # Errors
    /// NoMemoryError; RegexpError for a regexp literal the engine refuses.
    pub fn instantiate(ec: &mut Ec, code: &Arc<Code>) -> Res {
        let cell = ec.alloc_cell(Type::Iseq, 1, Value::NULL, true)?;
        Iseq::fill(ec, cell, code)?;
        Ok(cell)
    }

    /// Gives an Iseq cell that has none yet the VM's part for `code`.
    ///
    /// # Errors
    /// NoMemoryError; RegexpError for a regexp literal the engine refuses.
    pub(crate) fn fill(ec: &mut Ec, cell: Value, code: &Arc<Code>) -> Res<()> {
        let has_prims = code.internal;
        let mut prims: Box<[Option<PrimFn>]> =
            if has_prims { code.literals.iter().map(|_| None).collect() } else { Box::default() };
        if has_prims {
            for (i, literal) in code.literals.iter().enumerate() {
                if let Literal::Sym(s) = literal {
                    prims[i] = ec.vm().primitive(*s);
                }
            }
        }
        let simple = code.params.is_simple();
        let start = code.words.as_ptr();
        let entry = if ec.vm().options.jit.is_some() { switch::counting() } else { start };
        let mut room = Room::default();
        let sites = room.take(code.call_sites.len(), 0);
        let ivars = room.take(code.ivar_sites.len() * 2, EMPTY_IVAR);
        let consts = room.take(code.const_sites.len(), Value::NULL.bits());
        let literals = room.take(code.literals.len(), Value::NIL.bits());
        let children = room.take(code.children.len(), Value::NULL.bits());
        let attrs = room.take(code.call_sites.len(), EMPTY_IVAR);
        let once = room.take(usize::from(code.once_cells), Value::UNDEF.bits());
        let words = room.0.into_boxed_slice();
        // SAFETY: the box lies beside them, is never replaced, and each of them has room of its own that was filled for it.
        let (sites, ivars, consts, literals, children, attrs, once) = unsafe {
            (
                Words::<Site>::new(&words, sites),
                Words::<AtomicU64>::new(&words, ivars),
                Words::<AtomicValue>::new(&words, consts),
                Words::<AtomicValue>::new(&words, literals),
                Words::<AtomicValue>::new(&words, children),
                Words::<AtomicU64>::new(&words, attrs),
                Words::<AtomicValue>::new(&words, once),
            )
        };
        let iseq = Box::new(Iseq {
            start,
            entry: AtomicPtr::new(entry.cast_mut()),
            jit: OfIseq::default(),
            code_at: Arc::as_ptr(code),
            sites_at: sites.as_ptr(),
            ivars_at: ivars.as_ptr(),
            literals_at: literals.as_ptr(),
            consts_at: consts.as_ptr(),
            children_at: children.as_ptr(),
            registers: u32::from(code.registers),
            simple: if simple { u32::from(code.params.required) } else { u32::MAX },
            plain: match code.packing() {
                Packing::None if simple => u32::from(code.params.required),
                Packing::None => u32::MAX,
                Packing::Packed | Packing::Passed => 1,
            },
            frame_bytes: (size_of::<Frame>() + 8 * usize::from(code.registers)) as u32,
            taken: taken(code),
            auto_splat: code.params.auto_splat,
            spreads: simple && code.params.auto_splat,
            rest_only: code.params.rest && code.params.slots() == 1 && code.params.keyword_rest == KeywordRest::None,
            packing: code.packing(),
            code: code.clone(),
            cell: AtomicValue::new(Value::NULL),
            words,
            literals,
            call_caches: sites,
            ivar_caches: ivars,
            attr_caches: attrs,
            attr_names: code.call_sites.iter().map(|_| AtomicU32::new(0)).collect(),
            const_caches: consts,
            once,
            children,
            prims,
            warned_of_block: AtomicBool::new(false),
        });
        ec.account_malloc(iseq.weight().cast_signed());
        let raw = Box::into_raw(iseq);
        // SAFETY: an Iseq cell has one payload word; the box is owned by the cell from now on.
        unsafe {
            (*cell.ptr::<Cell>()).word(0).store(raw as u64, Ordering::Release);
            (*raw).cell.store(cell, Ordering::Release);
        }
        let outer = ec.thread.making_literals_of.replace(code.clone());
        for i in 0..code.literals.len() {
            let made = make_literal(ec, &code.literals[i], code.internal);
            if made.is_err() {
                ec.thread.making_literals_of = outer;
                return made.map(|_| ());
            }
            let value = made?;
            // SAFETY: `cell` is on this machine stack, so the box it owns is alive.
            unsafe { (&(*raw).literals)[i].store(value, Ordering::Release) };
            ec.remember_target(value.bits());
        }
        ec.thread.making_literals_of = outer;
        asterism_heap::keep_alive(cell.bits());
        Ok(())
    }

    /// What its rest parameter becomes, which is given these values.
    ///
    /// # Errors
    /// NoMemoryError.
    #[inline]
    pub(crate) fn rest_of(&self, ec: &mut Ec, values: &[Value]) -> Res {
        match (self.packing, values) {
            (Packing::None, _) => ec.array(values),
            (_, &[one]) => Ok(one),
            (Packing::Packed, []) => Ok(Value::NIL),
            (Packing::Packed, _) => ec.array(values),
            (Packing::Passed, _) => {
                let made = array::new_in(ec, Value::NULL, values.len());
                let several = ec.check(Value::NIL, made)?;
                for v in values {
                    ec.array_push(several, *v)?;
                }
                Ok(several)
            }
        }
    }

    /// What a method called `name` with child `i` as its body does. Most methods of a library are never called: the VM's part of
    /// their code is made when they are. That of `initialize` is made at once, since `new` wants to find it in the method.
    ///
    /// # Errors
    /// As [`Iseq::child`], for an `initialize`.
    pub fn method_body(&self, ec: &mut Ec, i: usize, name: Sym) -> Res<Body> {
        if (self.code.internal || name != sym::initialize) && self.made_child(i).is_none() {
            return Ok(Body::Unread(self, i));
        }
        self.child(ec, i).map(Body::Ruby)
    }

    /// Child `i`, made on first use. Two threads may both make one; the first one stays.
    ///
    /// # Errors
    /// NoMemoryError; RegexpError for a regexp literal the engine refuses.
    #[inline(always)]
    pub fn child(&self, ec: &mut Ec, i: usize) -> Res<*const Iseq> {
        match self.children[i].load(Ordering::Acquire) {
            Value::NULL => self.make_child(ec, i),
            // SAFETY: `children` holds Iseq cells.
            made => Ok(unsafe { Iseq::of_cell(made) }),
        }
    }

    #[cold]
    fn make_child(&self, ec: &mut Ec, i: usize) -> Res<*const Iseq> {
        let made = Iseq::instantiate(ec, &self.code.children[i])?;
        let slot = &self.children[i];
        let value = match slot.compare_exchange(Value::NULL, made, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => {
                ec.remember_target(made.bits());
                made
            }
            Err(other) => other,
        };
        Iseq::from_value(value).ok_or_else(|| ec.fatal("iseq child is no iseq"))
    }
}

/// The object a literal stands for.
fn make_literal(ec: &mut Ec, literal: &Literal, internal: bool) -> Res {
    Ok(match literal {
        Literal::Nil => Value::NIL,
        Literal::True => Value::TRUE,
        Literal::False => Value::FALSE,
        Literal::Int(n) => ec.int(*n)?,
        Literal::Big(n) => ec.bigint((**n).clone())?,
        Literal::Float(f) => ec.float(*f)?,
        Literal::Sym(s) => Value::sym(*s),
        Literal::Str(bytes, encoding, changes) => {
            let s = ec.str_enc(bytes, *encoding)?;
            if *changes == Changes::Warned && !internal {
                string::chill(ec, s, string::Chilled::Literal);
            }
            let s = ec.freeze(s)?;
            // Frozen literals with the same content are one object.
            if *changes == Changes::Frozen && !internal { (ec.vm().hooks.intern_string)(ec, s)? } else { s }
        }
        Literal::Rational(both) => {
            let n = ec.bigint(both.0.clone())?;
            let d = ec.bigint(both.1.clone())?;
            (ec.vm().hooks.new_rational)(ec, n, d)?
        }
        Literal::Imaginary(part) => {
            let part = make_literal(ec, part, internal)?;
            (ec.vm().hooks.new_complex)(ec, Value::fixnum(0), part)?
        }
        Literal::Regexp(source, options, encoding) => {
            let source = ec.str_enc(source, *encoding)?;
            let rescued = ec.vm().exception_class(crate::error::Exc::RegexpError);
            let regexp = match ec.rescue(rescued, |ec| (ec.vm().hooks.new_regexp)(ec, source, *options))? {
                Ok(regexp) => regexp,
                Err(e) => {
                    let message = ec.to_s(e)?;
                    let message = asterism_object::string::to_vec(ec, message);
                    return Err(ec.raise(crate::error::Exc::SyntaxError, message));
                }
            };
            ec.freeze(regexp)?
        }
        Literal::Range(low, high, exclusive) => {
            let low = make_literal(ec, low, internal)?;
            let high = make_literal(ec, high, internal)?;
            ec.range(low, high, *exclusive)?
        }
        Literal::Array(items) => {
            let array = ec.array_with_capacity(items.len())?;
            for item in items {
                let value = make_literal(ec, item, internal)?;
                ec.array_push(array, value)?;
            }
            array
        }
    })
}
