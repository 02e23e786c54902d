//! Core methods of a VM that was made from an image: tables that all VMs share and nobody changes.
//!
//! A class from an image has such a table and an empty one of its own. A lookup that finds a name only in the shared table
//! makes the method and puts it into the class's own; whatever changes or lists the methods of a class makes all of
//! them first ([`Ec::settle`]), after which the class is like any other. Both happen under the class lock; readers take
//! none: they look whether there is a shared table *before* they look into the class's own, so that who finds none has a
//! complete one before him.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use asterism_compiler::Code;
use asterism_object::class::Class;
use asterism_object::{Sym, Value, symbol_table};

use crate::ec::{Ec, Res};
use crate::image::{CoreIseqs, Word};
use crate::iseq::Iseq;
use crate::method::{Method, RawMethod};

/// A method as all VMs have it.
pub(crate) struct CoreMethod {
    pub(crate) name: Sym,
    /// The words of its cell.
    pub(crate) words: [Word; RawMethod::WORDS],
    /// What its body word becomes: the VM's part of this code (an index into the image's codes).
    pub(crate) code: Option<usize>,
}

/// The methods of a class, in the order of their definition.
pub(crate) struct CoreMethods {
    list: Box<[CoreMethod]>,
    /// Open addressing by symbol: positions in `list` + 1.
    index: Box<[u32]>,
}

impl CoreMethods {
    pub(crate) fn new(list: Vec<CoreMethod>) -> CoreMethods {
        let size = (list.len() * 2).next_power_of_two().max(2);
        let mut index = vec![0_u32; size];
        for (i, method) in list.iter().enumerate() {
            let mut at = slot(method.name, size);
            while index[at] != 0 {
                at = (at + 1) & (size - 1);
            }
            index[at] = i as u32 + 1;
        }
        CoreMethods { list: list.into_boxed_slice(), index: index.into_boxed_slice() }
    }

    /// The table of a class, unless it has all its methods.
    #[inline]
    fn of(class: Class) -> Option<&'static CoreMethods> {
        // SAFETY: the word is 0 or the address of a table of the process's image, which is never freed.
        unsafe { (class.core_methods() as *const CoreMethods).as_ref() }
    }

    fn find(&self, name: Sym) -> Option<&CoreMethod> {
        let size = self.index.len();
        let mut at = slot(name, size);
        loop {
            let method = &self.list[(self.index[at] as usize).checked_sub(1)?];
            if method.name == name {
                return Some(method);
            }
            at = (at + 1) & (size - 1);
        }
    }
}

fn slot(name: Sym, size: usize) -> usize {
    (name.0.wrapping_mul(0x9e37_79b1) >> 12) as usize & (size - 1)
}

impl CoreIseqs {
    /// The VM's part of code `i`, made on first use. Two threads may both make one; the first one stays.
    fn get(&self, ec: &mut Ec, i: usize, code: &Arc<Code>) -> Res {
        match self.0[i].load(Ordering::Acquire) {
            Value::NULL => {
                let made = Iseq::instantiate(ec, code)?;
                match self.0[i].compare_exchange(Value::NULL, made, Ordering::AcqRel, Ordering::Acquire) {
                    Ok(_) => Ok(made),
                    Err(other) => Ok(other),
                }
            }
            made => Ok(made),
        }
    }
}

impl Ec {
    /// The entry for `name` in the table that `link` of an ancestor chain stands for.
    #[inline]
    pub fn own_method(&mut self, link: Class, name: Sym) -> Option<Method> {
        let class = link.lookup_class()?;
        let core = CoreMethods::of(class);
        if let Some(method) = symbol_table::get(class.methods(), name) {
            return Some(Method(method));
        }
        core?.find(name).and_then(|method| self.make_core_method(class, method))
    }

    /// `None`: no memory at all.
    #[cold]
    fn make_core_method(&mut self, class: Class, core: &'static CoreMethod) -> Option<Method> {
        let made = self.beyond_limit(|ec| {
            let code = ec.core_code(core)?;
            ec.with_class_lock(|ec| match symbol_table::get(class.methods(), core.name) {
                Some(method) => Ok(Some(Method(method))),
                // It was removed meanwhile.
                None if class.core_methods() == 0 => Ok(None),
                None => {
                    let method = ec.core_method(core, code)?;
                    if let Some(table) = ec.put_symbol(class.methods(), core.name, method.0)? {
                        class.set_methods(table);
                    }
                    Ok(Some(method))
                }
            })
        });
        made.flatten()
    }

    /// Makes all methods of a class that are not made yet, so that its own table is complete.
    #[inline]
    pub fn settle(&mut self, class: Class) {
        if let Some(core) = CoreMethods::of(class) {
            self.make_core_methods(class, core);
        }
    }

    /// The complete method table that `link` of an ancestor chain stands for, or 0.
    pub fn lookup_table(&mut self, link: Class) -> Value {
        match link.lookup_class() {
            Some(class) => {
                self.settle(class);
                class.methods()
            }
            None => Value::NULL,
        }
    }

    #[cold]
    fn make_core_methods(&mut self, class: Class, core: &'static CoreMethods) {
        self.beyond_limit(|ec| {
            // Made before the lock is taken; the VM keeps them.
            for method in &core.list {
                ec.core_code(method)?;
            }
            ec.with_class_lock(|ec| {
                if class.core_methods() == 0 {
                    return Ok(());
                }
                let table = symbol_table::new(ec, core.list.len());
                let table = ec.check(Value::NIL, table)?;
                for method in &core.list {
                    let made = match symbol_table::get(class.methods(), method.name) {
                        Some(made) => made,
                        None => {
                            let code = ec.core_code(method)?;
                            ec.core_method(method, code)?.0
                        }
                    };
                    if !symbol_table::put(table, method.name, made) {
                        return Err(ec.fatal("a method table is full"));
                    }
                }
                class.set_methods(table);
                class.forget_core_methods();
                Ok(())
            })
        });
    }

    fn core_code(&mut self, core: &CoreMethod) -> Res {
        let vm = self.vm_arc();
        let (Some(code), Some(from)) = (core.code, vm.from_image.get()) else { return Ok(Value::NULL) };
        from.iseqs.get(self, code, &from.cells.codes[code])
    }

    fn core_method(&mut self, core: &CoreMethod, code: Value) -> Res<Method> {
        let vm = self.vm_arc();
        let Some(from) = vm.from_image.get() else {
            return Err(self.fatal("core methods without an image"));
        };
        let mut words = [0; RawMethod::WORDS];
        for (to, word) in words.iter_mut().zip(core.words) {
            *to = self.image_word(from, word)?;
        }
        if core.code.is_some() {
            words[RawMethod::BODY] = code.bits();
        }
        Method::from_raw(self, words)
    }

    /// Core methods and classes are made even where the memory limit is reached: a lookup has no way to say that.
    pub(crate) fn beyond_limit<R>(&mut self, body: impl FnOnce(&mut Ec) -> Res<R>) -> Option<R> {
        let pending = std::mem::take(&mut self.thread.pending);
        self.suspend_limit();
        let done = body(self);
        self.resume_limit();
        self.thread.pending = pending;
        done.ok()
    }
}
