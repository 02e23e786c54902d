//! Objects and their instance variables, tables, numbers, ranges, structs, native objects.

use std::sync::atomic::{AtomicUsize, Ordering};

use asterism_heap::{Config, Marker, Mutator, Reason};
use asterism_symbol::{Sym, intern};
use num_bigint::BigInt;

use crate::data::DataObject;
use crate::error::ObjError;
use crate::test_vm::{busy, on_threads, start, stress};
use crate::value::{AtomicValue, Value};
use crate::{array, bigint, data, float, ivars, object, ownership, range, shape, string, structs, symbol_table};

fn int(n: usize) -> Value {
    Value::fixnum(n as i64)
}

fn name(n: usize) -> Sym {
    intern(&format!("@v{n}"))
}

#[test]
fn ivars_of_objects() {
    for (config, rounds) in [(Config::default(), 40), (stress(), 4)] {
        let (_vm, heap) = start(config);
        let mut m = heap.attach(std::ptr::null());
        for round in 0..rounds {
            let v = object::new(&mut m, Value::NIL, round % 14).unwrap();
            let count = round * 5;
            for i in 0..count {
                ivars::set(&mut m, v, name(i), int(i)).unwrap();
            }
            for i in 0..count {
                assert_eq!(ivars::get(&m, v, name(i)), Some(int(i)));
            }
            assert_eq!(ivars::get(&m, v, name(count)), None);
            for i in (0..count).step_by(2) {
                assert_eq!(ivars::remove(&mut m, v, name(i)), Ok(Some(int(i))));
                assert_eq!(ivars::remove(&mut m, v, name(i)), Ok(None));
            }
            let wanted: Vec<Sym> = (0..count).filter(|i| i % 2 == 1).map(name).collect();
            assert_eq!(ivars::names(&mut m, v), wanted);
            let copy = object::new(&mut m, Value::NIL, 0).unwrap();
            ivars::copy(&mut m, v, copy).unwrap();
            assert_eq!(ivars::names(&mut m, copy), wanted);
        }
    }
}

#[test]
fn an_ivar_set_and_removed_for_ever() {
    let (_vm, heap) = start(Config::default());
    let mut m = heap.attach(std::ptr::null());
    let v = object::new(&mut m, Value::NIL, 1).unwrap();
    for i in 0..2000 {
        ivars::set(&mut m, v, name(0), int(i)).unwrap();
        ivars::set(&mut m, v, name(1), int(i)).unwrap();
        assert_eq!(ivars::remove(&mut m, v, name(0)), Ok(Some(int(i))));
        assert_eq!(ivars::names(&mut m, v), [name(1)]);
    }
    assert_eq!(object::shape_of(v.cell().unwrap().header()), shape::COMPLEX);
    ownership::freeze(&mut m, v);
    assert_eq!(ivars::set(&mut m, v, name(5), Value::NIL), Err(ObjError::Frozen));
    assert_eq!(ivars::remove(&mut m, v, name(1)), Err(ObjError::Frozen));
}

#[test]
fn ivars_of_other_types() {
    let (vm, heap) = start(stress());
    let mut m = heap.attach(std::ptr::null());
    let list = array::new(&mut m).unwrap();
    let class = vm.space.classes.get(crate::WellKnown::String);
    vm.keep(0, list);
    for v in [list, class] {
        for i in 0..40 {
            let s = string::from_str(&mut m, &format!("value {i}")).unwrap();
            ivars::set(&mut m, v, name(i), s).unwrap();
        }
        for i in 0..40 {
            let s = ivars::get(&m, v, name(i)).unwrap();
            assert_eq!(string::to_string_lossy(&mut m, s), format!("value {i}"));
        }
        assert_eq!(ivars::count(&mut m, v), 40);
        ivars::remove(&mut m, v, name(3)).unwrap();
        assert!(!ivars::defined(&m, v, name(3)));
    }
    // Whatever comes to lie where dead arrays with ivars were has none.
    for _ in 0..50 {
        let v = array::new(&mut m).unwrap();
        assert_eq!(ivars::get(&m, v, name(1)), None);
        ivars::set(&mut m, v, name(1), Value::TRUE).unwrap();
    }
}

#[test]
fn caches_of_the_interpreter() {
    let (vm, heap) = start(Config::default());
    let mut m = heap.attach(std::ptr::null());
    let v = object::new(&mut m, Value::NIL, 0).unwrap();
    let cell = v.cell().unwrap();
    let before = cell.header();
    let (next, slot) = vm.space.shapes.transition(object::shape_of(before), name(0)).unwrap();
    assert!(object::add_slot_owned(cell, before, next, slot, int(1)));
    assert_eq!(ivars::get(&m, v, name(0)), Some(int(1)));
    let before = cell.header();
    let (next, slot) = vm.space.shapes.transition(object::shape_of(before), name(1)).unwrap();
    assert!(!slot.is_inline());
    assert!(!object::add_slot_owned(cell, before, next, slot, int(2)));
    ivars::set(&mut m, v, name(1), int(2)).unwrap();
    assert_eq!(object::shape_of(cell.header()), next);
    assert_eq!(object::read_slot(cell, slot), int(2));
    object::write_slot(cell, slot, int(3));
    assert_eq!(ivars::get(&m, v, name(1)), Some(int(3)));
}

#[test]
fn classes_learn_how_many_slots_to_give() {
    let (vm, heap) = start(Config::default());
    let mut m = heap.attach(std::ptr::null());
    let class = vm.space.classes.get(crate::WellKnown::Range);
    let learned = || crate::class::Class(class).instance_slots();
    let unsettled = crate::class::UNSETTLED;
    // An object with a store, an exact one, one that outgrows an exact cell, one with a store again.
    for (wanted, known) in [(5, 5), (5, 5), (12, unsettled | 6), (12, unsettled | 12)] {
        let v = object::new(&mut m, class, learned() as usize).unwrap();
        for i in 0..wanted {
            ivars::set(&mut m, v, name(i), int(i)).unwrap();
        }
        assert_eq!(learned(), known);
        for i in 0..wanted {
            assert_eq!(ivars::get(&m, v, name(i)), Some(int(i)));
        }
        assert_eq!(ivars::names(&mut m, v).len(), wanted);
        assert_eq!(ivars::remove(&mut m, v, name(0)).unwrap(), Some(int(0)));
        assert_eq!(ivars::get(&m, v, name(0)), None);
    }
}

#[test]
fn threads_add_and_remove_ivars() {
    let (vm, heap) = start(busy());
    {
        let mut m = heap.attach(std::ptr::null());
        vm.keep(0, object::new(&mut m, Value::NIL, 2).unwrap());
        vm.keep(1, array::new(&mut m).unwrap());
    }
    on_threads(&heap, 4, |m, thread| {
        for round in 0..400 {
            for root in 0..2 {
                let v = vm.root(root);
                for i in 0..8 {
                    let sym = name(thread * 8 + i);
                    let s = string::from_str(m, &format!("{thread} {round} {i}")).unwrap();
                    ivars::set(m, v, sym, s).unwrap();
                    assert_eq!(ivars::get(m, v, sym), Some(s));
                    let other = ivars::get(m, v, name((thread * 8 + i + 8) % 32));
                    assert!(other.is_none_or(|x| x.is_nil() || x.is_heap()));
                    if (round + i) % 3 == 0 {
                        assert_eq!(ivars::remove(m, v, sym), Ok(Some(s)));
                        assert_eq!(ivars::get(m, v, sym), None);
                    }
                }
            }
            if round % 100 == 99 && thread == 0 {
                vm.keep(0, object::new(m, Value::NIL, 2).unwrap());
            }
            if round % 100 == 99 {
                // The others may still be at the old object; only look.
                ivars::names(m, vm.root(0));
            }
        }
    });
}

#[test]
fn tables_keep_their_order() {
    let (_vm, heap) = start(stress());
    let mut m = heap.attach(std::ptr::null());
    let mut table = symbol_table::new(&mut m, 0).unwrap();
    for i in 0..100 {
        if !symbol_table::put(table, name(i), int(i)) {
            table = symbol_table::grown(&mut m, table, 1).unwrap();
            assert!(symbol_table::put(table, name(i), int(i)));
        }
    }
    for i in (0..100).step_by(3) {
        assert_eq!(symbol_table::remove(table, name(i)), Some(int(i)));
        assert_eq!(symbol_table::remove(table, name(i)), None);
    }
    let copy = symbol_table::copy(&mut m, table).unwrap();
    for table in [table, copy] {
        let mut order = Vec::new();
        symbol_table::for_each(table, |_, x| order.push(x.as_fixnum()));
        assert_eq!(order, (0..100).filter(|i| i % 3 != 0).collect::<Vec<i64>>());
        assert_eq!(symbol_table::get(table, name(50)), Some(int(50)));
        assert_eq!(symbol_table::get(table, name(51)), None);
        assert_eq!(symbol_table::get(table, name(1000)), None);
    }
    assert_eq!(symbol_table::get(Value::NULL, name(1)), None);
}

#[test]
fn numbers_ranges_structs() {
    let (_vm, heap) = start(stress());
    let mut m = heap.attach(std::ptr::null());
    for f in [0.0, -0.0, 1.5, -2.25, 1e300, 5e-324, f64::INFINITY, f64::MAX, 1.7e-77] {
        let v = float::new(&mut m, f).unwrap();
        assert_eq!(float::get(v).to_bits(), f.to_bits());
        assert!(ownership::is_frozen(v));
    }
    let mut n = BigInt::from(1);
    let mut all = Vec::new();
    let kept = array::new(&mut m).unwrap();
    for _ in 0..40 {
        n = &n * 1_000_003 - 5;
        let v = bigint::new(&mut m, n.clone()).unwrap();
        array::push(&mut m, kept, v).unwrap();
        all.push(n.clone());
    }
    for (i, n) in all.iter().enumerate() {
        let v = array::get(kept, i as i64);
        match v.fixnum_value() {
            Some(small) => assert_eq!(BigInt::from(small), *n),
            None => assert_eq!(bigint::get(&v), n),
        }
    }
    let max = bigint::from_i64(&mut m, i64::MAX).unwrap();
    assert!(!max.is_fixnum() && bigint::is_integer(max));
    let r = range::new(&mut m, int(1), max, true).unwrap();
    assert_eq!((range::begin(r), range::end(r), range::exclude_end(r)), (int(1), max, true));
    let s = structs::new_in(&mut m, Value::NIL, 3).unwrap();
    structs::set(&mut m, s, 2, r).unwrap();
    assert_eq!(structs::set(&mut m, s, 3, r), Err(ObjError::Index));
    let t = structs::dup_in(&mut m, Value::NIL, s).unwrap();
    assert_eq!((structs::len(t), structs::get(t, 2), structs::get(t, 3)), (3, Some(r), None));
    ownership::freeze(&mut m, t);
    assert_eq!(structs::replace(&mut m, t, s), Err(ObjError::Frozen));
}

static DROPPED: AtomicUsize = AtomicUsize::new(0);

struct Holder(AtomicValue);

impl DataObject for Holder {
    const NAME: &'static str = "Holder";

    fn trace(&self, marker: &mut Marker<'_>) {
        marker.mark(self.0.load(Ordering::Relaxed).bits());
    }
}

impl Drop for Holder {
    fn drop(&mut self) {
        DROPPED.fetch_add(1, Ordering::Relaxed);
    }
}

struct Other;

impl DataObject for Other {
    const NAME: &'static str = "Other";

    fn trace(&self, _: &mut Marker<'_>) {}
}

fn make_holder(m: &mut Mutator, n: usize) -> Value {
    let v = data::new(m, Value::NIL, Holder(AtomicValue::new(Value::NIL))).unwrap();
    let held = string::from_str(m, &format!("held by {n}")).unwrap();
    let holder = data::get::<Holder>(&v).unwrap();
    crate::store(v.cell().unwrap(), &holder.0, held);
    v
}

#[test]
fn native_objects() {
    let (vm, heap) = start(stress());
    {
        let mut m = heap.attach(std::ptr::null());
        let v = make_holder(&mut m, 0);
        vm.keep(0, v);
        for n in 0..200 {
            make_holder(&mut m, n);
        }
        let holder = data::get::<Holder>(&v).unwrap();
        let held = holder.0.load(Ordering::Relaxed);
        assert_eq!(string::to_string_lossy(&mut m, held), "held by 0");
        assert!(data::get::<Other>(&v).is_none());
        assert!(data::get::<Holder>(&held).is_none());
        assert_eq!(data::type_name(v), Some("Holder"));
        heap.collect(&mut m, Reason::Explicit);
    }
    assert!(DROPPED.load(Ordering::Relaxed) > 150);
}

#[test]
fn remembered_slots_are_those_of_the_shape_asked_for() {
    let (vm, _heap) = start(Config::default());
    let shapes = &vm.space.shapes;
    // More pairs of shape and name than answers are remembered; each is asked for twice, among all the others.
    let mut chain = vec![shape::root(3).0];
    let mut slots = Vec::new();
    for i in 0..40 {
        let (next, slot) = shapes.transition(chain[i], name(i)).unwrap();
        chain.push(next);
        slots.push(slot);
    }
    assert!(slots[0].is_inline() && !slots[39].is_inline());
    for _ in 0..2 {
        for (set, &id) in chain.iter().enumerate() {
            for (i, &slot) in slots.iter().enumerate() {
                assert_eq!(shapes.lookup(id, name(i)), (i < set).then_some(slot));
            }
        }
    }
}
