//! The protocol of symbols that are collected, as shipped: VMs that get, drop and release symbols in every order.
use std::sync::Arc;

use loom::model::Builder;

use crate::{Holder, Table, UTF_8};

/// A table and the symbols of two VMs.
struct World {
    table: Table,
    vms: [Holder; 2],
}

fn world() -> Arc<World> {
    Arc::new(World { table: Table::new(), vms: [Holder::default(), Holder::default()] })
}

fn model(f: impl Fn() + Sync + Send + 'static) {
    let mut builder = Builder::new();
    builder.preemption_bound = Some(3);
    builder.check(f);
}

impl World {
    /// VM `vm` gets the symbol of a name, which is what it says; its number.
    fn get(&self, vm: usize, name: &str) -> u32 {
        let held = self.vms[vm].intern_in(&self.table, name.as_bytes(), UTF_8).expect("there are numbers left");
        self.check(held.symbol.number(), name);
        held.symbol.number()
    }

    fn check(&self, number: u32, name: &str) {
        // SAFETY: the caller's VM holds it, or it is pinned.
        let found = unsafe { self.table.dynamic.name(number) }.expect("a symbol that is held is there");
        assert_eq!(found.bytes, name.as_bytes());
    }

    /// A collection of VM `vm` that meets the symbols of these numbers.
    fn collect(&self, vm: usize, met: &[u32]) {
        self.vms[vm].begin_marking();
        met.iter().for_each(|&number| self.vms[vm].mark(number));
        self.vms[vm].sweep();
    }

    fn release(&self, vm: usize) {
        let _ = self.vms[vm].release_in(&self.table);
    }

    /// At the end: the VMs end, and nothing is left but what was pinned.
    fn end(&self, pinned: usize) {
        self.vms.iter().for_each(|vm| vm.release_all(&self.table));
        assert_eq!(self.table.shards[0].read().used, pinned);
        // The holders were given back to this table, and not to the process's.
        self.vms.iter().for_each(Holder::forget);
    }
}

#[test]
fn loom_one_vm_drops_what_another_gets() {
    model(|| {
        let world = world();
        world.get(0, "x");
        let other = Arc::clone(&world);
        let thread = loom::thread::spawn(move || {
            let x = other.get(1, "x");
            other.collect(1, &[x]);
            other.release(1);
            other.check(x, "x");
        });
        world.collect(0, &[]);
        world.release(0);
        // It may get the number that was x's if that has been freed.
        let y = world.get(0, "y");
        thread.join().expect("the other VM is well");
        world.check(y, "y");
        world.end(0);
    });
}

#[test]
fn loom_threads_of_a_vm_get_what_is_released() {
    model(|| {
        let world = world();
        world.get(0, "x");
        world.collect(0, &[]);
        let [first, second] = [0, 1].map(|_| {
            let world = Arc::clone(&world);
            loom::thread::spawn(move || world.get(0, "x"))
        });
        world.release(0);
        let (a, b) = (first.join().expect("well"), second.join().expect("well"));
        assert_eq!(a, b, "a VM that holds a symbol has one number for it");
        world.check(a, "x");
        world.collect(0, &[]);
        world.release(0);
        world.end(0);
    });
}

#[test]
fn loom_a_pinned_symbol_stays() {
    model(|| {
        let world = world();
        let x = world.get(0, "x");
        world.get(1, "x");
        let other = Arc::clone(&world);
        let thread = loom::thread::spawn(move || {
            other.collect(1, &[]);
            other.release(1);
        });
        assert_eq!(world.table.pin(x).0, x);
        world.collect(0, &[]);
        world.release(0);
        thread.join().expect("the other VM is well");
        world.check(x, "x");
        assert_eq!(world.table.find(b"x", UTF_8).map(|sym| sym.0), Some(x));
        world.end(1);
    });
}

#[test]
fn loom_a_name_is_interned_while_it_is_dropped() {
    model(|| {
        let world = world();
        world.get(0, "x");
        let other = Arc::clone(&world);
        let thread = loom::thread::spawn(move || other.table.intern(b"x", UTF_8).expect("there are numbers left"));
        world.collect(0, &[]);
        world.release(0);
        let sym = thread.join().expect("interning does not panic");
        assert_eq!(world.table.name(sym).bytes, b"x");
        assert_eq!(world.table.find(b"x", UTF_8), Some(sym));
        world.end(1);
    });
}
