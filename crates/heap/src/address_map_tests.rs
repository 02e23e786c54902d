//! Tests of the map of addresses, beside `HashMap`.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::address_map::{AddressMap, choose};

/// Addresses as blocks of cells have them, in an order that looks random.
fn addresses(count: u64) -> impl Iterator<Item = u64> {
    (0..count).map(move |i| 0x7f00_0000_0000 + (i * 7919 % count) * 48)
}

#[test]
fn what_was_put_is_found_and_what_is_not_kept_is_gone() {
    let map = AddressMap::default();
    let mut model = HashMap::new();
    assert_eq!(map.get(48), None);
    for round in 1..20u64 {
        for address in addresses(500 * round) {
            map.put(address, address + round);
            model.insert(address, address + round);
        }
        let keep = |address: u64| (address / 48).is_multiple_of(round + 1);
        // SAFETY: no other thread has the map.
        unsafe { map.retain(keep) };
        model.retain(|&address, _| keep(address));
        for address in addresses(500 * round) {
            assert_eq!(map.get(address), model.get(&address).copied());
        }
        let mut entries = map.entries();
        entries.sort_unstable();
        let mut expected: Vec<_> = model.iter().map(|(&address, &word)| (address, word)).collect();
        expected.sort_unstable();
        assert_eq!(entries, expected);
    }
}

#[test]
fn a_reader_sees_every_entry_that_was_there_when_it_began() {
    let map = AddressMap::default();
    let done = AtomicBool::new(false);
    let half: Vec<u64> = addresses(20_000).collect();
    half[..10_000].iter().for_each(|&address| map.put(address, address));
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    half[..10_000].iter().for_each(|&address| assert_eq!(map.get(address), Some(address)));
                    half[10_000..]
                        .iter()
                        .for_each(|&address| assert!(map.get(address).is_none_or(|word| word == address)));
                }
            });
        }
        half[10_000..].iter().for_each(|&address| map.put(address, address));
        done.store(true, Ordering::Relaxed);
    });
    assert_eq!(map.entries().len(), 20_000);
}

#[test]
fn cells_that_begin_blocks_are_spread_over_the_maps() {
    let mut counts = [0; 16];
    (0..1600u64).for_each(|block| counts[choose(0x7f00_0000_0000 + block * 32_768 + 64, 4)] += 1);
    assert!(counts.iter().all(|&count| (50..150).contains(&count)), "{counts:?}");
}
