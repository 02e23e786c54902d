//! Arrays: against a model, under collections, and from several threads.

use asterism_heap::{Config, Mutator, Reason};

use crate::array;
use crate::error::ObjError;
use crate::ownership;
use crate::space::{WellKnown, class};
use crate::string;
use crate::test_vm::{busy, on_threads, start, stress};
use crate::value::Value;

fn int(n: usize) -> Value {
    Value::fixnum(n as i64)
}

/// The number of an element, -1 for nil.
fn number(x: Value) -> i64 {
    x.fixnum_value().unwrap_or(-1)
}

fn contents(m: &mut Mutator, v: Value) -> Vec<i64> {
    array::with_slice(m, v, |s| s.iter().map(|x| number(*x)).collect())
}

/// A small generator, so that runs repeat.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % n.max(1)
    }
}

fn model(config: Config, steps: usize) {
    let (_vm, heap) = start(config);
    let mut m = heap.attach(std::ptr::null());
    let mut random = Random(42);
    let mut v = array::new(&mut m).unwrap();
    let mut expected: Vec<i64> = Vec::new();
    for step in 0..steps {
        let x = step as i64;
        let n = expected.len();
        match random.below(20) {
            0..4 => {
                array::push(&mut m, v, int(step)).unwrap();
                expected.push(x);
            }
            4 => {
                let got = array::pop(&mut m, v).unwrap().map(number);
                assert_eq!(got, expected.pop());
            }
            5 => {
                let got = array::shift(&mut m, v).unwrap().map(number);
                assert_eq!(got, if n > 0 { Some(expected.remove(0)) } else { None });
            }
            6 => {
                array::unshift(&mut m, v, int(step)).unwrap();
                expected.insert(0, x);
            }
            7 => {
                let i = random.below(n + 5);
                array::set(&mut m, v, i, int(step)).unwrap();
                if i >= n {
                    expected.resize(i + 1, -1);
                }
                expected[i] = x;
            }
            8 => {
                let i = random.below(n + 4);
                array::insert(&mut m, v, i, &[int(step), int(step + 1)]).unwrap();
                if i > n {
                    expected.resize(i, -1);
                }
                expected.splice(i..i, [x, x + 1]);
            }
            9 => {
                let i = random.below(n + 1);
                let got = array::delete_at(&mut m, v, i as i64).unwrap().map(number);
                assert_eq!(got, expected.get(i).copied());
                if i < n {
                    expected.remove(i);
                }
            }
            10 => {
                let (i, len) = (random.below(n + 3), random.below(6));
                let new: Vec<i64> = (0..random.below(6) as i64).collect();
                let values: [Value; 6] = std::array::from_fn(int);
                array::splice(&mut m, v, i, len, &values[..new.len()]).unwrap();
                if i > expected.len() {
                    expected.resize(i, -1);
                }
                let end = (i + len).min(expected.len());
                expected.splice(i..end, new);
            }
            11 => {
                array::reverse(&mut m, v).unwrap();
                expected.reverse();
            }
            12 => {
                let by = random.below(9) as i64 - 4;
                array::rotate(&mut m, v, by).unwrap();
                if n > 0 {
                    expected.rotate_left(by.rem_euclid(n as i64) as usize);
                }
            }
            13 => {
                let (i, len) = (random.below(n + 2), random.below(5));
                array::fill(&mut m, v, i, len, int(step)).unwrap();
                if len > 0 {
                    expected.resize(n.max(i + len), -1);
                    expected[i..i + len].fill(x);
                }
            }
            14 => {
                let (i, len) = (random.below(n + 2), random.below(9));
                let part = array::sub(&mut m, v, i, len).unwrap();
                let wanted: Vec<i64> = expected.iter().skip(i).take(len).copied().collect();
                assert_eq!(contents(&mut m, part), wanted);
                array::concat(&mut m, v, part).unwrap();
                expected.extend(wanted);
            }
            15 => {
                let by = random.below(4);
                let taken = array::shift_n(&mut m, v, by).unwrap();
                let wanted: Vec<i64> = expected.drain(..by.min(n)).collect();
                assert_eq!(contents(&mut m, taken), wanted);
            }
            16 if n > 400 => {
                array::truncate(&mut m, v, 3).unwrap();
                expected.truncate(3);
            }
            17 | 18 => {
                // Only integers are in it: it can always be sent. Either array is as good as the other, and independent of it.
                let parcel = array::Parcel::of(&mut m, v).unwrap().unwrap();
                let class = class(&m, WellKnown::Array);
                let other = parcel.open(&mut m, class).unwrap();
                assert_eq!(contents(&mut m, other), expected);
                let (kept, gone) = if step % 2 == 0 { (other, v) } else { (v, other) };
                array::fill(&mut m, gone, 0, n.min(2), int(7)).unwrap();
                v = kept;
            }
            _ => {
                v = array::dup(&mut m, v).unwrap();
            }
        }
        assert_eq!(array::len(v), expected.len());
        if step % 7 == 0 {
            assert_eq!(contents(&mut m, v), expected);
        }
        let i = random.below(expected.len() + 1);
        let wanted = expected.get(i).map(|&x| if x < 0 { Value::NIL } else { Value::fixnum(x) });
        assert_eq!(array::at(v, i), wanted);
    }
}

#[test]
fn behaves_like_a_vec() {
    model(Config::default(), 20_000);
}

#[test]
fn behaves_like_a_vec_under_gc_stress() {
    model(stress(), 1500);
}

#[test]
fn keeps_references_alive() {
    let (vm, heap) = start(stress());
    let mut m = heap.attach(std::ptr::null());
    let v = array::new(&mut m).unwrap();
    vm.keep(0, v);
    for i in 0..300 {
        let s = string::from_str(&mut m, &format!("element {i}")).unwrap();
        if i % 3 == 0 {
            array::unshift(&mut m, v, s).unwrap();
        } else {
            array::push(&mut m, v, s).unwrap();
        }
    }
    heap.collect(&mut m, Reason::Explicit);
    let mut seen = 0;
    for i in 0..300 {
        let s = array::at(v, i).unwrap();
        seen += string::with_bytes(&mut m, s, |b, _| usize::from(b.starts_with(b"element ")));
    }
    assert_eq!(seen, 300);
}

#[test]
fn frozen_and_absurd() {
    let (_vm, heap) = start(Config::default());
    let mut m = heap.attach(std::ptr::null());
    let v = array::from_slice(&mut m, &[int(1), int(2)]).unwrap();
    assert_eq!(array::set(&mut m, v, usize::MAX, int(1)), Err(ObjError::TooBig("array size too big")));
    assert!(array::filled(&mut m, usize::MAX, Value::NIL).is_err());
    assert_eq!(array::get(v, -1), int(2));
    assert_eq!(array::get(v, -3), Value::NIL);
    assert_eq!(array::get(v, i64::MIN), Value::NIL);
    ownership::freeze(&mut m, v);
    assert!(ownership::is_frozen(v));
    assert_eq!(array::push(&mut m, v, int(3)), Err(ObjError::Frozen));
    assert_eq!(array::pop(&mut m, v), Err(ObjError::Frozen));
    assert_eq!(array::set(&mut m, v, 0, int(3)), Err(ObjError::Frozen));
    assert_eq!(array::clear(&mut m, v), Err(ObjError::Frozen));
    assert_eq!(array::fill(&mut m, v, 0, 0, int(1)), Err(ObjError::Frozen));
    assert_eq!(contents(&mut m, v), [1, 2]);
}

#[test]
fn threads_lose_no_push() {
    const THREADS: usize = 4;
    const EACH: usize = 20_000;
    let (vm, heap) = start(busy());
    {
        let mut m = heap.attach(std::ptr::null());
        let v = array::new(&mut m).unwrap();
        vm.keep(0, v);
        // The maker lives on as the owner for a while: the others have to claim.
        on_threads(&heap, 0, |_, _| {});
    }
    on_threads(&heap, THREADS, |m, thread| {
        let v = vm.root(0);
        for i in 0..EACH {
            let x = if i % 16 == 0 {
                string::from_str(m, &format!("{thread} {i}")).unwrap()
            } else {
                int(thread * EACH + i)
            };
            array::push(m, v, x).unwrap();
            if i % 32 == 0 {
                array::at(v, i / 2);
            }
        }
    });
    let mut m = heap.attach(std::ptr::null());
    let v = vm.root(0);
    assert_eq!(array::len(v), THREADS * EACH);
    let mut sum = 0;
    let mut strings = 0;
    for i in 0..array::len(v) {
        match array::at(v, i).and_then(Value::fixnum_value) {
            Some(n) => sum += n as usize,
            None => strings += 1,
        }
    }
    let all: usize = (0..THREADS * EACH).filter(|n| !(n % EACH).is_multiple_of(16)).sum();
    assert_eq!(sum, all);
    assert_eq!(strings, THREADS * EACH / 16);
    array::clear(&mut m, v).unwrap();
}

#[test]
fn threads_push_pop_and_shift() {
    let (vm, heap) = start(busy());
    {
        let mut m = heap.attach(std::ptr::null());
        vm.keep(0, array::new(&mut m).unwrap());
    }
    let taken = std::sync::atomic::AtomicUsize::new(0);
    on_threads(&heap, 4, |m, thread| {
        let v = vm.root(0);
        for i in 0..20_000 {
            match (thread, i % 4) {
                (0 | 1, _) => array::push(m, v, int(i)).unwrap(),
                (2, 0) => {
                    let copy = array::dup(m, v).unwrap();
                    assert!(contents(m, copy).iter().all(|&n| (0..20_000).contains(&n)));
                }
                (2, _) => {
                    if array::pop(m, v).unwrap().is_some() {
                        taken.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                    }
                }
                _ => {
                    if array::shift(m, v).unwrap().is_some() {
                        taken.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                    }
                    if let Some(x) = array::at(v, i % 100) {
                        assert!(x.fixnum_value().is_some_and(|n| (0..20_000).contains(&n)));
                    }
                }
            }
        }
    });
    let taken = taken.load(std::sync::atomic::Ordering::Relaxed);
    assert_eq!(array::len(vm.root(0)) + taken, 40_000);
}

#[test]
fn owner_and_strangers() {
    // The owner keeps pushing without a lock while others claim, again and again, new arrays.
    let (vm, heap) = start(busy());
    {
        let mut m = heap.attach(std::ptr::null());
        vm.keep(0, array::new(&mut m).unwrap());
    }
    let counted = std::sync::atomic::AtomicUsize::new(0);
    on_threads(&heap, 3, |m, thread| {
        for round in 0..300 {
            if thread == 0 {
                let v = array::new(m).unwrap();
                vm.keep(0, v);
                for i in 0..200 {
                    array::push(m, v, int(i)).unwrap();
                    m.safepoint();
                }
                counted.fetch_add(array::len(v), std::sync::atomic::Ordering::Relaxed);
            } else {
                let v = vm.root(0);
                for i in 0..20 {
                    array::push(m, v, int(round + i)).unwrap();
                    array::pop(m, v).unwrap();
                }
            }
        }
    });
    // Strangers put as many in as they take out, but may take after the owner has counted.
    let counted = counted.load(std::sync::atomic::Ordering::Relaxed);
    assert!((300 * 200 - 600..=300 * 200 + 600).contains(&counted), "{counted}");
}

#[test]
fn shared_elements_outlive_their_heap() {
    let parcel = {
        let (_vm, heap) = start(stress());
        let mut m = heap.attach(std::ptr::null());
        let v = array::filled(&mut m, 1000, int(3)).unwrap();
        let parcel = array::Parcel::of(&mut m, v).unwrap().unwrap();
        array::set(&mut m, v, 0, int(4)).unwrap();
        heap.collect(&mut m, Reason::Explicit);
        parcel
    };
    let (vm, heap) = start(stress());
    let mut m = heap.attach(std::ptr::null());
    let class = class(&m, WellKnown::Array);
    let first = parcel.open(&mut m, class).unwrap();
    vm.keep(0, first);
    let bytes = heap.stats().malloc_bytes;
    let second = parcel.open(&mut m, class).unwrap();
    // A heap has one share of a block, however many arrays it makes of it.
    assert_eq!(heap.stats().malloc_bytes, bytes);
    let s = string::from_str(&mut m, "a reference").unwrap();
    array::set(&mut m, second, 1, s).unwrap();
    heap.collect(&mut m, Reason::Explicit);
    assert_eq!(contents(&mut m, first), [3; 1000]);
    assert!(array::Parcel::of(&mut m, second).unwrap().is_none());
    assert_eq!(array::at(second, 1), Some(s));
    drop(parcel);
    vm.keep(0, Value::NIL);
}

#[test]
fn threads_change_and_share() {
    let (vm, heap) = start(busy());
    {
        let mut m = heap.attach(std::ptr::null());
        vm.keep(0, array::filled(&mut m, 300, int(0)).unwrap());
    }
    on_threads(&heap, 4, |m, thread| {
        let v = vm.root(0);
        let class = class(m, WellKnown::Array);
        for i in 0..3000 {
            // Nobody takes more than was put in: behind an end that has come nearer, `set` would leave nils.
            match (thread, i % 2) {
                (0, _) => array::set(m, v, i % 250, int(i)).unwrap(),
                (1, 0) => array::push(m, v, int(i)).unwrap(),
                (1, _) => drop(array::pop(m, v).unwrap()),
                _ => {
                    let parcel = array::Parcel::of(m, v).unwrap().unwrap();
                    let copy = parcel.open(m, class).unwrap();
                    let before = contents(m, copy);
                    assert!(before.iter().all(|n| (0..3000).contains(n)));
                    array::push(m, v, int(i)).unwrap();
                    assert_eq!(contents(m, copy), before);
                    array::pop(m, v).unwrap();
                }
            }
            if let Some(x) = array::at(v, i % 400) {
                assert!(x.fixnum_value().is_some_and(|n| (0..3000).contains(&n)));
            }
        }
    });
}
