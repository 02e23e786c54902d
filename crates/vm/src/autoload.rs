//! What `autoload` promised: which file each such constant stands for, and what the fiber that loads one has set so far.
//!
//! A constant that a file sets while `autoload` loads it for that constant stands under a name that no program can write, so
//! that only the loading fiber sees it. When the file has ended, all that it set takes its place at once.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use asterism_object::class::Class;
use asterism_object::{Sym, Value, symbol_table};

use crate::consts::{hidden_key, hidden_name, is_autoload};
use crate::ec::{Ec, Res};
use crate::promises::{LoadedBy, PROMISE, Promise};
use crate::vm::Vm;

/// Marks the name under which a constant stands that is being loaded.
const MARK: &str = "autoload";

/// The running fiber loads a feature for a constant, until this is dropped.
pub struct Autoloading {
    vm: Arc<Vm>,
    entry: (Arc<str>, u64),
}

impl Drop for Autoloading {
    fn drop(&mut self) {
        let mut autoloads = self.vm.autoloads.lock();
        if let Some(at) = autoloads.loading.iter().rposition(|other| *other == self.entry) {
            autoloads.loading.remove(at);
        }
    }
}

impl Ec {
    /// The feature that a constant stands for.
    pub fn promised_feature(&self, class: Class, name: Sym) -> Option<Arc<str>> {
        self.vm().autoloads.lock().promised.get(&(class.0.bits(), name)).map(|promise| promise.feature.clone())
    }

    /// What a constant is whose mark was seen, and whose promise was gone just after: both change together, under the class lock.
    pub fn constant_kept_promise(&mut self, class: Class, name: Sym) -> Option<Value> {
        self.with_class_lock(|_| ());
        self.own_constant(class, name).filter(|found| !is_autoload(*found))
    }

    /// Lets a constant stand for a feature. The constant is `AUTOLOAD` then.
    ///
    /// # Errors
    /// NoMemoryError.
    pub fn promise_constant(&mut self, class: Class, name: Sym, feature: &str) -> Res<()> {
        let mut charge = self.new_charge();
        self.recharge(&mut charge, feature.len() + PROMISE)?;
        let promise = Promise::new(feature.into(), charge);
        self.vm().autoloads.lock().promised.insert((class.0.bits(), name), promise);
        self.set_constant(class, name, crate::consts::AUTOLOAD)
    }

    /// Forgets what a constant stood for, and what was set of it. Under the class lock.
    pub fn forget_promise(&mut self, class: Class, name: Sym) {
        self.vm().autoloads.lock().promised.remove(&(class.0.bits(), name));
        if let Some(hidden) = hidden_key(MARK, name)
            && class.constants().is_heap()
        {
            symbol_table::remove(class.constants(), hidden);
        }
    }

    /// Removes a constant that its file did not define.
    pub fn remove_promised(&mut self, class: Class, name: Sym) {
        self.with_class_lock(|ec| {
            let table = class.constants();
            if table.is_heap() && symbol_table::get(table, name).is_some_and(is_autoload) {
                symbol_table::remove(table, name);
                ec.forget_promise(class, name);
                ec.vm().const_serial.fetch_add(1, Ordering::Release);
            }
        });
    }

    /// Who loads `feature` for a constant?
    pub fn autoloaded_by(&self, feature: &str) -> LoadedBy {
        let mut found = LoadedBy::Nobody;
        for (loading, fiber) in &self.vm().autoloads.lock().loading {
            if **loading == *feature {
                if *fiber == self.fiber.id {
                    return LoadedBy::This;
                }
                found = LoadedBy::Another;
            }
        }
        found
    }

    /// From here on, what the running fiber sets of the constants that stand for `feature` is seen by no other one.
    pub fn begin_autoload(&self, feature: &Arc<str>) -> Autoloading {
        let vm = self.vm_arc();
        let entry = (Arc::clone(feature), self.fiber.id);
        vm.autoloads.lock().loading.push(entry.clone());
        Autoloading { vm, entry }
    }

    /// What the fiber that loads a constant has set so far. It is not to be remembered where the constant is used.
    pub fn constant_being_loaded(&mut self, class: Class, name: Sym) -> Option<Value> {
        let hidden = hidden_key(MARK, name)?;
        let table = self.constants(class)?;
        let found = symbol_table::get(table, hidden)?;
        self.thread.uncached_constants += 1;
        Some(found)
    }

    /// The name under which a constant is to be set while it is `AUTOLOAD`, if the running fiber loads it.
    pub(crate) fn name_while_loading(&mut self, class: Class, name: Sym) -> Res<Option<Sym>> {
        if !self.own_constant(class, name).is_some_and(is_autoload) {
            return Ok(None);
        }
        let feature = self.promised_feature(class, name);
        match feature {
            Some(feature) if self.autoloaded_by(&feature) == LoadedBy::This => hidden_name(self, MARK, name).map(Some),
            _ => Ok(None),
        }
    }

    /// Everybody sees what was set of the constants that stand for `feature`.
    ///
    /// # Errors
    /// NoMemoryError.
    pub fn show_autoloaded(&mut self, feature: &str) -> Res<()> {
        let (mut classes, mut names) = (Vec::new(), Vec::new());
        for (&(class, name), promised) in &self.vm().autoloads.lock().promised {
            if *promised.feature == *feature {
                // SAFETY: the entries of classes that die are dropped in the pause of the collection that finds them.
                classes.push(unsafe { Value::from_bits(class) });
                names.push(name);
            }
        }
        self.fiber.root_vecs.push(&raw const classes);
        let shown = classes.iter().zip(names).try_for_each(|(&class, name)| self.show_constant(Class(class), name));
        self.fiber.root_vecs.pop();
        shown
    }

    fn show_constant(&mut self, class: Class, name: Sym) -> Res<()> {
        let Some(hidden) = hidden_key(MARK, name) else { return Ok(()) };
        self.with_class_lock(|ec| {
            let table = class.constants();
            if !table.is_heap() || !symbol_table::get(table, name).is_some_and(is_autoload) {
                return Ok(());
            }
            if let Some(value) = symbol_table::get(table, hidden) {
                if let Some(table) = ec.put_symbol(table, name, value)? {
                    class.set_constants(table);
                }
                symbol_table::remove(class.constants(), hidden);
                ec.vm().autoloads.lock().promised.remove(&(class.0.bits(), name));
                ec.vm().const_serial.fetch_add(1, Ordering::Release);
            }
            Ok(())
        })
    }

    /// Is what a constant table holds a constant for `defined?` and its like? They load nothing: what `autoload` promised
    /// counts unless its file is loaded, or this fiber loads it and it is not set yet.
    pub(crate) fn counts(&mut self, class: Class, name: Sym, value: Value) -> Res<bool> {
        if !is_autoload(value) {
            return Ok(true);
        }
        let Some(feature) = self.promised_feature(class, name) else {
            return Ok(self.constant_kept_promise(class, name).is_some());
        };
        match self.autoloaded_by(&feature) {
            LoadedBy::This => Ok(self.constant_being_loaded(class, name).is_some()),
            LoadedBy::Another => Ok(true),
            LoadedBy::Nobody => (self.vm().hooks.can_load)(self, feature.as_bytes()),
        }
    }
}
