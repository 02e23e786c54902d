//! Tests of `Account` and `Charge`.

use super::{Account, Charge};

#[test]
fn without_a_limit_there_is_no_account() {
    assert!(Account::new(None, None).is_none());
    let mut charge = Charge::new(None);
    assert!(charge.set(usize::MAX));
}

#[test]
fn what_a_vm_takes_counts_against_the_limits_above() {
    let above = Account::new(Some(100), None).unwrap();
    let mine = Account::new(None, Some(&above)).unwrap();
    let other = Account::new(Some(1000), Some(&above)).unwrap();
    let mut charge = Charge::new(Some(&mine));
    assert!(charge.set(60));
    assert_eq!((above.used(), mine.used(), other.used()), (60, 60, 0));
    assert!(other.has_room(40) && !other.has_room(41));
    let mut second = Charge::new(Some(&other));
    assert!(!second.set(41));
    assert!(second.set(40));
    assert!(!charge.set(61));
    assert!(charge.set(10));
    drop(second);
    assert_eq!((above.used(), mine.used(), other.used()), (10, 10, 0));
    drop(charge);
    assert_eq!(above.used(), 0);
}

#[test]
fn what_is_refused_above_is_not_counted_below() {
    let above = Account::new(Some(100), None).unwrap();
    let mine = Account::new(Some(1000), Some(&above)).unwrap();
    assert!(!mine.take(101));
    assert_eq!((above.used(), mine.used()), (0, 0));
}

#[test]
fn what_is_handed_over_stays_counted() {
    let account = Account::new(Some(100), None).unwrap();
    let mut charge = Charge::new(Some(&account));
    assert!(charge.set(60));
    assert!(charge.hand_over());
    assert_eq!(account.used(), 60);
    assert!(!Charge::default().hand_over());
}

#[test]
fn sizes_beyond_all_memory_are_refused() {
    let account = Account::new(Some(100), None).unwrap();
    assert!(!account.has_room(usize::MAX));
    let mut charge = Charge::new(Some(&account));
    assert!(charge.set(50));
    assert!(!charge.set(usize::MAX));
    assert_eq!((charge.bytes(), account.used()), (50, 50));
}

#[test]
fn threads_never_take_more_than_the_limit() {
    let account = Account::new(Some(1000), None).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..1000 {
                    let mut charge = Charge::new(Some(&account));
                    // Three of four fit.
                    let held = charge.set(300);
                    assert!(account.used() <= 900 && (!held || account.used() >= 300));
                }
            });
        }
    });
    assert_eq!(account.used(), 0);
}
