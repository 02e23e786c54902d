//! All operations at once from several threads on the same few objects, with collections all the
//! time: whatever is read must be something that was put in.

use std::sync::atomic::{AtomicU64, Ordering};

use asterism_heap::{Config, Mutator};
use asterism_symbol::intern;

use crate::test_vm::{TestVm, busy, on_threads, start, stress};
use crate::value::Value;
use crate::{array, hash, ivars, ownership, string};

/// Rounds for each thread; `ASTERISM_STRESS` multiplies them.
fn rounds(n: usize) -> usize {
    let factor = std::env::var("ASTERISM_STRESS").ok().and_then(|s| s.parse::<usize>().ok());
    n * factor.unwrap_or(1)
}

fn next(state: &mut u64, n: usize) -> usize {
    *state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    (*state >> 33) as usize % n.max(1)
}

/// A fixnum, or a string of letters: all that is ever put anywhere.
fn check(m: &mut Mutator, v: Value) {
    if v.is_nil() || v.is_fixnum() {
        return;
    }
    assert!(v.is_type(crate::Type::String), "{v:?}");
    string::with_bytes(m, v, |b, _| assert!(b.iter().all(u8::is_ascii_lowercase), "{b:?}"));
}

fn thing(m: &mut Mutator, state: &mut u64) -> Value {
    match next(state, 3) {
        0 => Value::fixnum(next(state, 1000) as i64),
        n => {
            let len = next(state, if n == 1 { 20 } else { 400 });
            string::new(m, &vec![b'q'; len], 1).unwrap()
        }
    }
}

fn one_array(m: &mut Mutator, v: Value, state: &mut u64) {
    let i = next(state, 40);
    let x = thing(m, state);
    match next(state, 20) {
        0..4 => array::push(m, v, x).unwrap(),
        4 => array::unshift(m, v, x).unwrap(),
        5 => {
            let x = array::pop(m, v).unwrap();
            check(m, x.unwrap_or(Value::NIL));
        }
        6 => {
            let x = array::shift(m, v).unwrap();
            check(m, x.unwrap_or(Value::NIL));
        }
        7 => array::set(m, v, i, x).unwrap(),
        8 => array::insert(m, v, i, &[x, x]).unwrap(),
        9 => {
            let x = array::delete_at(m, v, i as i64).unwrap();
            check(m, x.unwrap_or(Value::NIL));
        }
        10 => array::splice(m, v, i, 5, &[x]).unwrap(),
        11 => array::reverse(m, v).unwrap(),
        12 => array::rotate(m, v, 3).unwrap(),
        13 => array::fill(m, v, i, 3, x).unwrap(),
        14 => {
            let seen = array::dup(m, v).unwrap();
            let copy = array::dup(m, seen).unwrap();
            array::reverse(m, copy).unwrap();
            array::commit(m, v, seen, copy, array::Unless::Changed).unwrap();
        }
        15 => {
            let taken = array::pop_n(m, v, 3).unwrap();
            array::concat(m, v, taken).unwrap();
        }
        16 if array::len(v) > 200 => array::truncate(m, v, 10).unwrap(),
        17 => {
            let part = array::sub(m, v, i, 10).unwrap();
            for j in 0..array::len(part) {
                check(m, array::get(part, j as i64));
            }
        }
        _ => check(m, array::at(v, i).unwrap_or(Value::NIL)),
    }
}

fn one_hash(m: &mut Mutator, h: Value, other: Value, state: &mut u64) {
    let key = match next(state, 2) {
        0 => Value::fixnum(next(state, 60) as i64),
        _ => {
            let len = next(state, 100);
            string::new(m, &vec![b'k'; len], 1).unwrap()
        }
    };
    let x = thing(m, state);
    match next(state, 14) {
        0..5 => match hash::set(m, h, key, x) {
            Ok(hash::Stored::Done) | Err(crate::ObjError::Iterating) => {}
            refused => panic!("{refused:?}"),
        },
        5 | 6 => {
            if let hash::Lookup::Found(x) = hash::delete(m, h, key).unwrap() {
                check(m, x);
            }
        }
        7 => {
            let table = hash::walk_begin(m, h);
            let walk = hash::Walk::over(h, table);
            let mut pos = 0;
            while let Some((next, key, x)) = walk.next(pos) {
                check(m, key);
                check(m, x);
                m.safepoint();
                pos = next;
            }
            hash::walk_end(m, h);
        }
        8 => {
            if let Some((key, x)) = hash::shift(m, h).unwrap() {
                check(m, key);
                check(m, x);
            }
        }
        9 => {
            let pairs = hash::to_pairs(m, h).unwrap();
            for i in 0..array::len(pairs) {
                check(m, array::get(pairs, i as i64));
            }
        }
        10 if next(state, 10) == 0 => hash::clear(m, h).unwrap(),
        11 if next(state, 10) == 0 => hash::replace(m, h, other).unwrap(),
        _ => {
            if let hash::Lookup::Found(x) = hash::get(m, h, key) {
                check(m, x);
            }
        }
    }
}

fn one_string(m: &mut Mutator, v: Value, other: Value, state: &mut u64) {
    let (i, n) = (next(state, 300), next(state, 60));
    let piece = vec![b'a' + n as u8 % 26; n];
    match next(state, 16) {
        0..3 => string::append(m, v, &piece).unwrap(),
        3 if string::len(v) + string::len(other) < 5000 => string::append_str(m, v, other).unwrap(),
        4 => string::splice(m, v, i, n, &piece).unwrap(),
        5 => match string::set_byte(m, v, i, b'z') {
            Ok(()) | Err(crate::ObjError::Index) => {}
            refused => panic!("{refused:?}"),
        },
        6 => string::truncate(m, v, i).unwrap(),
        7 => {
            let copy = string::dup(m, v).unwrap();
            string::append(m, copy, b"end").unwrap();
            check(m, copy);
        }
        8 => {
            let held = string::read(m, v);
            let before = held.to_vec();
            string::splice(m, v, 0, n, b"xyz").unwrap();
            m.safepoint();
            assert_eq!(held.as_bytes(), before);
        }
        9 => {
            let part = string::substr(m, v, i, 300).unwrap();
            check(m, part);
            string::replace(m, other, part).unwrap();
        }
        10 => assert_eq!(string::coderange(m, v), string::CodeRange::SevenBit),
        11 => {
            string::eq(m, v, other);
            string::hash(m, v);
        }
        12 => {
            let copy = string::frozen_copy(m, v).unwrap();
            assert!(ownership::is_frozen(copy));
            check(m, copy);
        }
        13 => {
            let mut string = string::modify(m, &v, 8).unwrap();
            for byte in string.as_mut_slice() {
                *byte = if *byte == b'z' { b'a' } else { *byte + 1 };
            }
            assert!(string.push_bytes(b"x", string::CodeRange::SevenBit));
        }
        _ => check(m, v),
    }
}

fn run(config: Config, n: usize) {
    let (vm, heap) = start(config);
    let make = |m: &mut Mutator, vm: &TestVm, i: usize| {
        let v = match i {
            0 | 1 => array::new(m),
            2 | 3 => hash::new(m),
            _ => string::with_capacity(m, 0, 1),
        };
        vm.keep(i, v.unwrap());
    };
    {
        let mut m = heap.attach(std::ptr::null());
        for i in 0..6 {
            make(&mut m, vm, i);
        }
    }
    let sum = AtomicU64::new(0);
    on_threads(&heap, 4, |m, thread| {
        let mut state = thread as u64 + 99;
        for round in 0..rounds(n) {
            let which = next(&mut state, 2);
            one_array(m, vm.root(which), &mut state);
            one_hash(m, vm.root(2 + which), vm.root(3 - which), &mut state);
            one_string(m, vm.root(4 + which), vm.root(5 - which), &mut state);
            let sym = intern(["@a", "@b", "@c", "@d"][next(&mut state, 4)]);
            let x = thing(m, &mut state);
            ivars::set(m, vm.root(which), sym, x).unwrap();
            if let Some(x) = ivars::get(m, vm.root(1 - which), sym) {
                check(m, x);
            }
            if round % 50 == thread {
                // A new one, owned by this thread: the others have to claim it.
                make(m, vm, next(&mut state, 6));
            }
            sum.fetch_add(1, Ordering::Relaxed);
        }
    });
    assert_eq!(sum.load(Ordering::Relaxed), 4 * rounds(n) as u64);
}

#[test]
fn everything_at_once() {
    run(busy(), 20_000);
}

#[test]
fn everything_at_once_under_gc_stress() {
    run(stress(), 150);
}
