//! Model: the map of addresses. Who reads beside one that adds and outgrows the array finds what was there before, and
//! with a new entry what was written before it.
#![cfg(loom)]

use std::sync::Arc;

use asterism_heap::address_map::AddressMap;
use loom::sync::atomic::{AtomicU64, Ordering};
use loom::thread;

#[test]
fn readers_beside_one_that_adds() {
    loom::model(|| {
        let map = Arc::new(AddressMap::default());
        let table = Arc::new(AtomicU64::new(0));
        (1..=6).for_each(|n| map.put(n * 64, n));
        let writer = {
            let (map, table) = (map.clone(), table.clone());
            thread::spawn(move || {
                table.store(1, Ordering::Relaxed);
                // The seventh entry outgrows the first array.
                map.put(7 * 64, 7);
            })
        };
        assert_eq!(map.get(64), Some(1));
        if map.get(7 * 64) == Some(7) {
            assert_eq!(table.load(Ordering::Relaxed), 1);
        }
        writer.join().unwrap();
        assert_eq!(map.get(7 * 64), Some(7));
        assert_eq!(map.entries().len(), 7);
    });
}

#[test]
fn two_that_add() {
    loom::model(|| {
        let map = Arc::new(AddressMap::default());
        let writer = {
            let map = map.clone();
            thread::spawn(move || map.put(64, 1))
        };
        map.put(128, 2);
        writer.join().unwrap();
        assert_eq!((map.get(64), map.get(128)), (Some(1), Some(2)));
    });
}
