//! Tests of `Patience`.

use crate::patience::Patience;

/// The waits without spinning until it tries again.
fn rest(patience: &Patience) -> usize {
    let mut passed = 0;
    while !patience.may_spin() {
        passed += 1;
    }
    passed
}

#[test]
fn rests_grow_while_spinning_is_in_vain() {
    let patience = Patience::new();
    let mut rests = Vec::new();
    for _ in 0..9 {
        rests.push(rest(&patience));
        patience.has_spun(false);
    }
    assert_eq!(rests, [0, 0, 2, 4, 8, 16, 32, 32, 32]);
}

#[test]
fn one_success_ends_a_rest_for_long() {
    let patience = Patience::new();
    for _ in 0..9 {
        rest(&patience);
        patience.has_spun(false);
    }
    rest(&patience);
    patience.has_spun(true);
    assert_eq!(rest(&patience), 0);
    patience.has_spun(false);
    assert_eq!(rest(&patience), 0);
    patience.has_spun(false);
    // It begins anew with the shortest.
    assert_eq!(rest(&patience), 2);
}

#[test]
fn a_failure_now_and_then_does_not_matter() {
    let patience = Patience::new();
    for n in 0..1000 {
        assert!(patience.may_spin());
        patience.has_spun(n % 3 != 0);
    }
}
