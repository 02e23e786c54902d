//! Hashes: against a model, under collections, and from several threads.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use asterism_heap::{Config, Mutator, Reason};

use crate::error::ObjError;
use crate::hash::{self, Cursor, Lookup, Stored};
use crate::test_vm::{busy, on_threads, start, stress};
use crate::value::Value;
use crate::{array, bigint, float, ownership, string};

fn int(n: usize) -> Value {
    Value::fixnum(n as i64)
}

fn model(config: Config, steps: usize) {
    let (_vm, heap) = start(config);
    let mut m = heap.attach(std::ptr::null());
    let mut h = hash::new(&mut m).unwrap();
    let mut expected: Vec<(usize, usize)> = Vec::new();
    let mut state = 7u64;
    let mut random = |n: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % n
    };
    for step in 0..steps {
        let k = random(200);
        let key = string::from_str(&mut m, &format!("the key {k}")).unwrap();
        let key = if k % 2 == 0 { int(k) } else { key };
        match random(10) {
            0..6 => {
                assert_eq!(hash::set(&mut m, h, key, int(step)), Ok(Stored::Done));
                match expected.iter_mut().find(|e| e.0 == k) {
                    Some(e) => e.1 = step,
                    None => expected.push((k, step)),
                }
            }
            6 | 7 => {
                let got = hash::delete(&mut m, h, key).unwrap();
                match expected.iter().position(|e| e.0 == k) {
                    Some(i) => assert_eq!(got, Lookup::Found(int(expected.remove(i).1))),
                    None => assert_eq!(got, Lookup::Missing),
                }
            }
            8 if step % 50 == 0 => {
                let got = hash::shift(&mut m, h).unwrap().map(|(_, v)| v);
                let wanted = (!expected.is_empty()).then(|| int(expected.remove(0).1));
                assert_eq!(got, wanted);
            }
            8 if step % 97 == 0 => {
                let class = Value::NIL;
                h = hash::dup_in(&mut m, class, h).unwrap();
            }
            _ => {
                let wanted = expected.iter().find(|e| e.0 == k);
                let wanted = wanted.map_or(Lookup::Missing, |e| Lookup::Found(int(e.1)));
                assert_eq!(hash::get(&mut m, h, key), wanted);
            }
        }
        assert_eq!(hash::len(h), expected.len());
        if step % 31 == 0 {
            let values = hash::values(&mut m, h).unwrap();
            let got: Vec<Option<i64>> =
                (0..array::len(values)).map(|i| array::get(values, i as i64).fixnum_value()).collect();
            let wanted: Vec<Option<i64>> = expected.iter().map(|e| Some(e.1 as i64)).collect();
            assert_eq!(got, wanted);
            let mut pos = 0;
            let mut n = 0;
            while let Some((next, _, value)) = hash::iter_next(h, pos) {
                assert_eq!(value, int(expected[n].1));
                pos = next;
                n += 1;
            }
            assert_eq!(n, expected.len());
        }
    }
}

#[test]
fn behaves_like_a_map() {
    model(Config::default(), 30_000);
}

#[test]
fn behaves_like_a_map_under_gc_stress() {
    model(stress(), 1500);
}

#[test]
fn keys_of_all_kinds() {
    let (_vm, heap) = start(Config::default());
    let mut m = heap.attach(std::ptr::null());
    let h = hash::new(&mut m).unwrap();
    let big = |m: &mut asterism_heap::Mutator| bigint::from_i128(m, 1 << 100).unwrap();
    let f = float::new(&mut m, 1e300).unwrap();
    let g = float::new(&mut m, 1e300).unwrap();
    assert_ne!(f, g);
    let b = big(&mut m);
    for (i, key) in [Value::NIL, Value::TRUE, int(1), f, b].into_iter().enumerate() {
        assert_eq!(hash::set(&mut m, h, key, int(i)), Ok(Stored::Done));
    }
    let other = big(&mut m);
    assert_eq!(hash::get(&mut m, h, other), Lookup::Found(int(4)));
    assert_eq!(hash::get(&mut m, h, g), Lookup::Found(int(3)));
    let one = float::new(&mut m, 1.0).unwrap();
    assert_eq!(hash::get(&mut m, h, one), Lookup::Missing);
    let (zero, minus) = (float::new(&mut m, 0.0).unwrap(), float::new(&mut m, -0.0).unwrap());
    hash::set(&mut m, h, zero, int(9)).unwrap();
    assert_eq!(hash::get(&mut m, h, minus), Lookup::Found(int(9)));
    let list = array::new(&mut m).unwrap();
    assert_eq!(hash::get(&mut m, h, list), Lookup::NeedsRuby);
    // A string key is copied; the same bytes in another encoding are another key unless ASCII.
    let key = string::from_str(&mut m, "é").unwrap();
    hash::set(&mut m, h, key, int(10)).unwrap();
    string::append(&mut m, key, b"x").unwrap();
    assert_eq!(hash::get(&mut m, h, key), Lookup::Missing);
    let same = string::from_str(&mut m, "é").unwrap();
    assert_eq!(hash::get(&mut m, h, same), Lookup::Found(int(10)));
    let binary = string::new(&mut m, "é".as_bytes(), 0).unwrap();
    assert_eq!(hash::get(&mut m, h, binary), Lookup::Missing);
    hash::compare_by_identity(&mut m, h).unwrap();
    assert_eq!(hash::get(&mut m, h, same), Lookup::Missing);
    assert_eq!(hash::get(&mut m, h, f), Lookup::Found(int(3)));
    assert_eq!(hash::get(&mut m, h, g), Lookup::Missing);
}

#[test]
fn cursor_protocol() {
    let (_vm, heap) = start(Config::default());
    let mut m = heap.attach(std::ptr::null());
    let h = hash::new(&mut m).unwrap();
    // All keys collide; equality is "same first element".
    let walk = |c: &mut Cursor, key: Value| {
        while let Some(candidate) = c.next_candidate() {
            if array::first(candidate) == array::first(key) {
                c.accept();
                break;
            }
        }
    };
    for i in 0..50 {
        let key = array::from_slice(&mut m, &[int(i)]).unwrap();
        let mut c = Cursor::new(h, crate::builtin::mix(1));
        walk(&mut c, key);
        assert_eq!(c.found(), None);
        assert_eq!(c.commit_set(&mut m, key, int(i)), Ok(true));
    }
    let key = array::from_slice(&mut m, &[int(30)]).unwrap();
    let mut c = Cursor::new(h, crate::builtin::mix(1));
    walk(&mut c, key);
    assert_eq!(c.found(), Some(int(30)));
    assert_eq!(c.commit_set(&mut m, key, int(300)), Ok(true));
    assert_eq!(c.found(), Some(int(300)));
    assert_eq!(c.commit_delete(&mut m), Ok(Some(Some(int(300)))));
    // It is gone: the cursor has to start over.
    assert_eq!(c.commit_set(&mut m, key, int(1)), Ok(false));
    c.restart();
    walk(&mut c, key);
    assert_eq!(c.found(), None);
    // Another key comes in between.
    hash::set(&mut m, h, int(5), int(5)).unwrap();
    assert_eq!(c.commit_set(&mut m, key, int(1)), Ok(false));
    c.restart();
    walk(&mut c, key);
    assert_eq!(c.commit_set(&mut m, key, int(1)), Ok(true));
    assert_eq!(hash::len(h), 51);
}

#[test]
fn iteration_refuses_new_keys() {
    let (_vm, heap) = start(Config::default());
    let mut m = heap.attach(std::ptr::null());
    let h = hash::new(&mut m).unwrap();
    hash::set(&mut m, h, int(1), int(1)).unwrap();
    let table = hash::walk_begin(&mut m, h);
    assert!(hash::is_walked(&m, h) && !table.is_nil());
    assert_eq!(hash::set(&mut m, h, int(2), int(2)), Err(ObjError::Iterating));
    assert_eq!(hash::set(&mut m, h, int(1), int(3)), Ok(Stored::Done));
    hash::delete(&mut m, h, int(1)).unwrap();
    hash::walk_end(&mut m, h);
    assert_eq!(hash::set(&mut m, h, int(2), int(2)), Ok(Stored::Done));
    ownership::freeze(&mut m, h);
    assert_eq!(hash::set(&mut m, h, int(2), int(2)), Err(ObjError::Frozen));
    assert_eq!(hash::delete(&mut m, h, int(9)), Err(ObjError::Frozen));
}

#[test]
fn threads_lose_no_entry() {
    const THREADS: usize = 4;
    const EACH: usize = 8_000;
    let (vm, heap) = start(busy());
    {
        let mut m = heap.attach(std::ptr::null());
        vm.keep(0, hash::new(&mut m).unwrap());
    }
    let deleted = AtomicUsize::new(0);
    on_threads(&heap, THREADS, |m, thread| {
        let h = vm.root(0);
        for i in 0..EACH {
            let n = thread * EACH + i;
            if i % 3 == 0 {
                let key = string::from_str(m, &format!("key {n}")).unwrap();
                hash::set(m, h, key, int(n)).unwrap();
                assert_eq!(hash::get(m, h, key), Lookup::Found(int(n)));
            } else {
                hash::set(m, h, int(n), int(n)).unwrap();
                assert_eq!(hash::get(m, h, int(n)), Lookup::Found(int(n)));
            }
            if i % 5 == 4 && (i - 1) % 3 != 0 {
                assert_eq!(hash::delete(m, h, int(n - 1)), Ok(Lookup::Found(int(n - 1))));
                deleted.fetch_add(1, Ordering::Relaxed);
            }
            // Another thread's entry has its own value, or is not there.
            let other = (n * 7919) % (THREADS * EACH);
            if let Lookup::Found(x) = hash::get(m, h, int(other)) {
                assert_eq!(x, int(other));
            }
        }
    });
    let deleted = deleted.load(Ordering::Relaxed);
    let h = vm.root(0);
    assert_eq!(hash::len(h), THREADS * EACH - deleted);
    let mut seen = HashMap::new();
    let mut pos = 0;
    while let Some((next, _, x)) = hash::iter_next(h, pos) {
        pos = next;
        *seen.entry(x.bits()).or_insert(0) += 1;
    }
    assert_eq!(seen.len(), THREADS * EACH - deleted);
    assert!(seen.values().all(|&n| n == 1));
}

/// A value whose address the machine stack does not mention from then on, in an entry of `h`.
#[inline(never)]
fn put(m: &mut Mutator, h: Value, n: usize) {
    let value = string::from_str(m, "a value that dies").unwrap();
    hash::set(m, h, int(n), value).unwrap();
}

/// The address of the table that `h` has now, hidden from whoever looks at the stack.
#[inline(never)]
fn hidden_table(m: &mut Mutator, h: Value) -> u64 {
    let table = hash::walk_begin(m, h);
    hash::walk_end(m, h);
    !table.bits()
}

/// Overwrites what calls before have left on the stack below.
#[inline(never)]
fn wipe() {
    std::hint::black_box([0_u64; 4096]);
}

/// A table that is part of no Hash any more is found again by a word on the stack when what it refers to has died.
#[test]
fn a_table_outlives_its_entries() {
    let (vm, heap) = start(Config::default());
    let mut m = heap.attach(std::ptr::null());
    for major in [false, true] {
        vm.keep(0, hash::new(&mut m).unwrap());
        for n in 0..4 {
            put(&mut m, vm.root(0), n);
        }
        let table = hidden_table(&mut m, vm.root(0));
        wipe();
        heap.collect(&mut m, Reason::Explicit);
        // The table is old. Now it gets young values, then the Hash another table, and that other values.
        for n in (0..40).chain(0..4) {
            put(&mut m, vm.root(0), n);
        }
        // They die where the old table is not found.
        wipe();
        heap.collect(&mut m, Reason::ExplicitMinor);
        // The places of the dead are swept, and one is used again.
        string::from_str(&mut m, "a value that dies").unwrap();
        let found = std::hint::black_box(!table);
        heap.collect(&mut m, if major { Reason::Explicit } else { Reason::ExplicitMinor });
        asterism_heap::keep_alive(found);
    }
}

/// Entries of an old table that are new, or have got another value, are found by minor collections: `start` verifies each of them.
#[test]
fn what_an_old_table_gets_survives_minor_collections() {
    let (vm, heap) = start(Config::default());
    let mut m = heap.attach(std::ptr::null());
    vm.keep(0, hash::new(&mut m).unwrap());
    let mut expected = Vec::new();
    for round in 0..40_usize {
        // It grows, its values change, the first entries go: by turns and together.
        if round % 3 != 1 {
            for n in 0..7 {
                put(&mut m, vm.root(0), round * 7 + n);
                expected.push(round * 7 + n);
            }
        }
        if round % 3 != 0 {
            for &n in expected.iter().step_by(5) {
                put(&mut m, vm.root(0), n);
            }
        }
        if round % 4 == 3 {
            let gone = expected.remove(0);
            hash::delete(&mut m, vm.root(0), int(gone)).unwrap();
        }
        wipe();
        heap.collect(&mut m, if round == 20 { Reason::Explicit } else { Reason::ExplicitMinor });
    }
    assert_eq!(hash::len(vm.root(0)), expected.len());
    for n in expected {
        let Lookup::Found(value) = hash::get(&mut m, vm.root(0), int(n)) else { panic!("{n} is missing") };
        assert_eq!(string::to_vec(&mut m, value), b"a value that dies");
    }
}
