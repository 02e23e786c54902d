//! Interning is idempotent, also from many threads, and numbers lead back to names.
use super::{Sym, intern, lookup, sym, try_intern};

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
