//! Strings: against a model, sharing, coderanges, and from several threads.

use asterism_heap::{Config, Mutator};
use asterism_support::encoding::Encoding;

use crate::error::ObjError;
use crate::string::{self, CodeRange};
use crate::test_vm::{TestVm, busy, cell_of, on_threads, start, stress};
use crate::value::Value;
use crate::{builtin, ownership};

fn text(m: &mut Mutator, v: Value) -> Vec<u8> {
    string::to_vec(m, v)
}

fn model(config: Config, steps: usize) {
    let (_vm, heap) = start(config);
    let mut m = heap.attach(std::ptr::null());
    let mut state = 11u64;
    let mut random = |n: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % n.max(1)
    };
    let mut strings: [Value; 4] = std::array::from_fn(|_| string::with_capacity(&mut m, 0, 1).unwrap());
    let mut expected: [Vec<u8>; 4] = Default::default();
    for step in 0..steps {
        let (i, j) = (random(4), random(4));
        let v = strings[i];
        let n = expected[i].len();
        match random(12) {
            0..3 => {
                let bytes = vec![b'a' + (step % 26) as u8; random(40)];
                string::append(&mut m, v, &bytes).unwrap();
                expected[i].extend(bytes);
            }
            3 if n + expected[j].len() < 20_000 => {
                string::append_str(&mut m, v, strings[j]).unwrap();
                let other = expected[j].clone();
                expected[i].extend(other);
            }
            4 => {
                strings[j] = string::dup(&mut m, v).unwrap();
                expected[j] = expected[i].clone();
            }
            5 => {
                let (start, len) = (random(n + 2), random(600));
                strings[j] = string::substr(&mut m, v, start, len).unwrap();
                expected[j] = expected[i].iter().skip(start).take(len).copied().collect();
            }
            6 => {
                let (start, len) = (random(n + 1), random(30));
                let bytes = "äö".repeat(random(20));
                string::splice(&mut m, v, start, len, bytes.as_bytes()).unwrap();
                let end = (start + len).min(n);
                expected[i].splice(start..end, bytes.bytes());
            }
            7 if n > 0 => {
                let at = random(n);
                string::set_byte(&mut m, v, at, b'!').unwrap();
                expected[i][at] = b'!';
            }
            8 => {
                let to = random(n + 1);
                string::truncate(&mut m, v, to).unwrap();
                expected[i].truncate(to);
            }
            9 => {
                string::replace(&mut m, v, strings[j]).unwrap();
                expected[i] = expected[j].clone();
            }
            10 => {
                // What was read stays, whatever happens to the string.
                let held = string::read(&mut m, v);
                string::append(&mut m, v, b"more").unwrap();
                string::splice(&mut m, v, 0, 3, b"less").unwrap();
                assert_eq!(held.as_bytes(), expected[i]);
                expected[i].extend(b"more");
                let end = expected[i].len().min(3);
                expected[i].splice(0..end, *b"less");
            }
            _ => {
                let same = expected[i] == expected[j];
                assert_eq!(string::eq(&mut m, strings[i], strings[j]), same);
                let order = expected[i].cmp(&expected[j]);
                assert_eq!(string::cmp(&mut m, strings[i], strings[j]), order);
                let hashes = [strings[i], strings[j]].map(|s| string::hash(&mut m, s));
                assert_eq!(hashes[0] == hashes[1], same);
            }
        }
        for (v, wanted) in strings.iter().zip(&expected) {
            assert_eq!(string::len(*v), wanted.len());
        }
        assert_eq!(text(&mut m, strings[i]), expected[i], "step {step}");
        assert_eq!(text(&mut m, strings[j]), expected[j], "step {step}");
        let known = string::known_coderange(strings[i]);
        if known != CodeRange::Unknown {
            assert_eq!(known, string::scan(1, &expected[i]), "step {step}");
        }
    }
}

#[test]
fn behaves_like_bytes() {
    model(Config::default(), 30_000);
}

#[test]
fn behaves_like_bytes_under_gc_stress() {
    model(stress(), 1500);
}

#[test]
fn coderanges() {
    let (_vm, heap) = start(Config::default());
    let mut m = heap.attach(std::ptr::null());
    let v = string::from_str(&mut m, "abc").unwrap();
    assert_eq!(string::known_coderange(v), CodeRange::SevenBit);
    string::append(&mut m, v, "é".as_bytes()).unwrap();
    assert_eq!(string::coderange(&mut m, v), CodeRange::Valid);
    string::append(&mut m, v, &[0xc3]).unwrap();
    assert_eq!(string::coderange(&mut m, v), CodeRange::Broken);
    string::append(&mut m, v, &[0xa9]).unwrap();
    assert_eq!(string::coderange(&mut m, v), CodeRange::Valid);
    string::force_encoding(&mut m, v, 2).unwrap();
    assert_eq!(string::coderange(&mut m, v), CodeRange::Broken);
    let long = string::new(&mut m, &[b'x'; 500], 1).unwrap();
    ownership::freeze(&mut m, long);
    assert_eq!(string::known_coderange(long), CodeRange::Unknown);
    assert!(string::is_ascii_only(&mut m, long));
    assert_eq!(string::known_coderange(long), CodeRange::SevenBit);
    assert_eq!(string::append(&mut m, long, b"x"), Err(ObjError::Frozen));
    assert_eq!(string::set_byte(&mut m, long, 0, 0), Err(ObjError::Frozen));
    let copy = string::dup(&mut m, long).unwrap();
    string::set_byte(&mut m, copy, 0, b'y').unwrap();
    assert_eq!(string::get_byte(&mut m, long, 0), Some(b'x'));
    assert_eq!(string::set_byte(&mut m, copy, 500, 0), Err(ObjError::Index));
    assert!(string::with_capacity(&mut m, usize::MAX, 1).is_err());
}

#[test]
fn hashes_spread() {
    let mut low = std::collections::HashSet::new();
    for n in 0..4096u64 {
        low.insert(builtin::mix(Value::fixnum(n as i64).bits()) & 0xffff);
    }
    assert!(low.len() > 3800, "{}", low.len());
    let mut all = std::collections::HashSet::new();
    for len in 0..64 {
        for byte in 0..=255 {
            let mut bytes = vec![7; len + 1];
            bytes[len / 2] = byte;
            all.insert(builtin::hash_bytes(1, &bytes));
        }
    }
    assert_eq!(all.len(), 64 * 256);
}

#[test]
fn big_bodies_are_given_back() {
    let (_vm, heap) = start(busy());
    let mut m = heap.attach(std::ptr::null());
    for i in 0..2000 {
        let v = string::new(&mut m, &[b'z'; 40_000], 0).unwrap();
        string::append(&mut m, v, &[b'y'; 50_000]).unwrap();
        assert_eq!(string::len(v), 90_000, "{i}");
    }
    assert!(heap.stats().malloc_bytes < 40 << 20, "{:?}", heap.stats());
}

#[test]
fn threads_lose_no_append() {
    const THREADS: usize = 4;
    const EACH: usize = 20_000;
    let (vm, heap) = start(busy());
    {
        let mut m = heap.attach(std::ptr::null());
        vm.keep(0, string::with_capacity(&mut m, 0, 1).unwrap());
    }
    on_threads(&heap, THREADS, |m, thread| {
        let v = vm.root(0);
        let piece = string::from_str(m, &"abcd"[thread..=thread]).unwrap();
        for i in 0..EACH {
            string::append_str(m, v, piece).unwrap();
            match i % 64 {
                0 => {
                    let copy = string::dup(m, v).unwrap();
                    assert!(string::with_bytes(m, copy, |b, _| b.iter().all(|c| (b'a'..=b'd').contains(c))));
                }
                32 => {
                    let held = string::read(m, v);
                    let n = held.len();
                    m.safepoint();
                    assert!(held[n / 2..].iter().all(|c| (b'a'..=b'd').contains(c)));
                }
                _ => {}
            }
        }
    });
    let mut m = heap.attach(std::ptr::null());
    let v = vm.root(0);
    assert_eq!(string::len(v), THREADS * EACH);
    for c in *b"abcd" {
        let n = string::with_bytes(&mut m, v, |b, _| b.iter().filter(|&&x| x == c).count());
        assert_eq!(n, EACH);
    }
    assert_eq!(cell_of(&v).address(), v.bits());
}

#[test]
fn the_symbol_table_knows_which_encodings_are_not_ascii_compatible() {
    for index in 0..Encoding::COUNT {
        let compatible = Encoding::from_index(index).is_some_and(Encoding::is_ascii_compatible);
        assert_eq!(asterism_symbol::ASCII_INCOMPATIBLE >> index & 1 == 0, compatible, "encoding {index}");
    }
}

/// A String goes from heap to heap and back, each of which changes it: nobody sees the other's changes, and neither accounts
/// anything for its blocks in the end, but for one that a stale word of the stack may lead to.
#[test]
fn parcels_go_to_and_fro() {
    for size in [0, 1, 46, 47, 256, 257, 1000, 4096, 4097, 100_000] {
        let (vms, heaps) = [start(stress()), start(stress())].into_iter().unzip::<_, _, Vec<_>, Vec<_>>();
        let before: Vec<_> = heaps.iter().map(|heap| heap.stats().malloc_bytes).collect();
        let mut mutators: Vec<_> = heaps.iter().map(|heap| heap.attach(std::ptr::null())).collect();
        go_to_and_fro(&vms, &mut mutators, size);
        for (heap, m) in heaps.iter().zip(&mut mutators) {
            heap.collect(m, asterism_heap::Reason::Explicit);
        }
        drop(mutators);
        for (heap, before) in heaps.iter().zip(before) {
            let left = heap.stats().malloc_bytes - before;
            assert!(left < 2 * (size as u64 + 300), "{left} bytes are left of Strings of {size}");
        }
    }
}

/// Seven times, growing twice.
#[inline(never)]
fn go_to_and_fro(vms: &[&TestVm], mutators: &mut [Box<Mutator>], size: usize) {
    let mut expected = vec![b'x'; size];
    let first = string::new(&mut mutators[0], &expected, 1).unwrap();
    vms[0].keep(0, first);
    for round in 0..7 {
        let (from, to) = (round % 2, 1 - round % 2);
        let parcel = string::Parcel::of(&mut mutators[from], vms[from].root(0)).unwrap();
        assert_eq!(parcel.size(), expected.len());
        let class = crate::space::class(&mutators[to], crate::space::WellKnown::String);
        // Once as it is, and once more in a way that leaves it for others.
        let copy = parcel.open(&mut mutators[to], class).unwrap();
        let made = parcel.hand_over(&mut mutators[to], class).unwrap();
        vms[to].keep(0, made);
        vms[to].keep(1, copy);
        if round % 3 == 1 {
            // The sender's own changes stay with it.
            let kept = vms[from].root(0);
            string::append(&mut mutators[from], kept, b"not sent").unwrap();
        }
        assert_eq!(text(&mut mutators[to], made), expected, "{size} {round}");
        if round % 3 == 2 {
            expected.extend(b"changed");
            string::append(&mut mutators[to], made, b"changed").unwrap();
            assert_eq!(text(&mut mutators[to], copy), expected[..expected.len() - 7]);
        }
    }
    for vm in vms {
        vm.keep(0, Value::NIL);
        vm.keep(1, Value::NIL);
    }
}

/// What a fresh String holds for the message that it may become does not hinder it from growing in place.
#[test]
fn fresh_bodies_grow_in_place() {
    let (_vm, heap) = start(busy());
    let mut m = heap.attach(std::ptr::null());
    let v = string::with_capacity(&mut m, 300, 1).unwrap();
    let body = || string::layout::Str::of(v).0.value(string::layout::BODY);
    let first = body();
    let mut expected = Vec::new();
    for n in 0..6000_u32 {
        string::append(&mut m, v, &n.to_le_bytes()).unwrap();
        expected.extend(n.to_le_bytes());
        assert_eq!(body(), first);
    }
    assert_eq!(text(&mut m, v), expected);
}
