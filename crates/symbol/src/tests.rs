//! Interning is idempotent, also from many threads, and numbers lead back to names. What nobody holds is collected.
use super::{Holder, Kept, Sym, UTF_8, intern, lookup, sym, try_intern};

#[test]
fn known_names_have_their_numbers() {
    assert_eq!(intern("+"), sym::PLUS);
    assert_eq!(intern("initialize"), sym::initialize);
    assert_eq!(sym::_load.text(), "_load");
    assert_eq!(Sym(0).bytes(), b"");
}

#[test]
fn threads_agree() {
    let of = |t: usize| (0..5000).map(move |i| intern(&format!("n{}", (i * (t + 1)) % 5000)));
    let all: Vec<Vec<Sym>> = std::thread::scope(|s| {
        let handles: Vec<_> = (0..4).map(|t| s.spawn(move || of(t).collect())).collect();
        handles.into_iter().map(|h| h.join().expect("interning does not panic")).collect()
    });
    for (t, syms) in all.iter().enumerate() {
        for (i, s) in syms.iter().enumerate() {
            assert_eq!(s.text(), format!("n{}", (i * (t + 1)) % 5000));
        }
    }
}

#[test]
fn encodings_tell_names_apart() {
    let a = try_intern("é".as_bytes(), 1);
    let b = try_intern("é".as_bytes(), 0);
    assert_ne!(a, b);
    assert_eq!(lookup("é".as_bytes(), 1), a);
    assert_eq!(lookup(b"never interned anywhere", 1), None);
}

/// A collection that meets the symbols with these numbers.
fn collect(vm: &Holder, met: &[u32]) -> usize {
    vm.begin_marking();
    met.iter().for_each(|&number| vm.mark(number));
    vm.sweep();
    vm.release()
}

#[test]
fn numbers_are_used_again() {
    let vm = Holder::default();
    let mut highest = 0;
    for round in 0..200 {
        let made: Vec<u32> = (0..500)
            .map(|i| {
                let name = format!("dropped {round} {i}");
                let held = vm.intern(name.as_bytes(), UTF_8).expect("there are numbers left");
                assert!(held.bytes > name.len());
                held.symbol.with_name(|bytes, encoding| assert_eq!((bytes, encoding), (name.as_bytes(), 2)));
                held.symbol.number()
            })
            .collect();
        highest = made.into_iter().max().unwrap_or(0).max(highest);
        assert_ne!(vm.bytes(), 0);
        assert_ne!(collect(&vm, &[]), 0);
        assert_eq!(vm.bytes(), 0);
    }
    // Other tests make some too.
    assert!(highest & 0x7fff_ffff < 10_000, "{highest:x}");
}

#[test]
fn what_a_collection_meets_stays() {
    let (one, other) = (Holder::default(), Holder::default());
    let intern = |vm: &Holder, name: &str| vm.intern(name.as_bytes(), UTF_8).expect("there are numbers left").symbol;
    let [met, lost] = ["held: met", "held: lost"].map(|name| intern(&one, name));
    assert_eq!(intern(&other, "held: met"), met);
    collect(&one, &[met.number()]);
    assert!(one.holds(met.number()) && !one.holds(lost.number()));
    assert_eq!(one.numbers(), [met.number()]);
    // Somebody else may have got its number meanwhile, but nothing has its name.
    assert_eq!(lookup(b"held: lost", UTF_8), None);
    // Dropped by one VM, held by the other, then by a message alone.
    collect(&one, &[]);
    assert_eq!(intern(&other, "held: met"), met);
    let kept = Kept::new(met);
    collect(&other, &[]);
    kept.symbol().with_name(|bytes, _| assert_eq!(bytes, b"held: met"));
    assert_eq!(one.adopt(kept.symbol()).symbol, met);
    drop(kept);
    met.with_name(|bytes, _| assert_eq!(bytes, b"held: met"));
}

#[test]
fn a_symbol_that_is_used_as_one_for_ever_stays() {
    let vm = Holder::default();
    let held = vm.intern(b"pinned later", UTF_8).expect("there are numbers left");
    assert_eq!(lookup(b"pinned later", UTF_8), None);
    let sym = held.symbol.pin();
    assert_eq!(lookup(b"pinned later", UTF_8), Some(sym));
    collect(&vm, &[]);
    assert_eq!((sym.text().as_ref(), try_intern(b"pinned later", UTF_8)), ("pinned later", Some(sym)));
    let again = vm.intern(b"pinned later", UTF_8).expect("it is there");
    assert_eq!(again.symbol, sym.into());
    drop(vm);
    assert_eq!(sym.text(), "pinned later");
    // What is interned while a VM holds it becomes permanent under the number that it has.
    let vm = Holder::default();
    let held = vm.intern(b"interned later", UTF_8).expect("there are numbers left");
    assert_eq!(super::AnySym::from(intern("interned later")), held.symbol);
}

#[test]
fn vms_in_parallel_agree_on_names() {
    std::thread::scope(|scope| {
        for seed in 0..4_usize {
            scope.spawn(move || {
                let vm = Holder::default();
                for round in 0..400 {
                    let name = |i: usize| format!("shared {}", (i * 7 + round * 3 + seed) % 60);
                    let got: Vec<_> =
                        (0..40).map(|i| vm.intern(name(i).as_bytes(), UTF_8).expect("room").symbol).collect();
                    for (i, symbol) in got.iter().enumerate() {
                        symbol.with_name(|bytes, _| assert_eq!(bytes, name(i).as_bytes()));
                    }
                    let met: Vec<u32> = got.iter().step_by(3).map(|symbol| symbol.number()).collect();
                    collect(&vm, &met);
                    for (i, symbol) in got.iter().enumerate().step_by(3) {
                        symbol.with_name(|bytes, _| assert_eq!(bytes, name(i).as_bytes()));
                    }
                }
            });
        }
    });
}
