//! The patterns of the process: a program that several VMs write the same pattern in is compiled once, and its memory is
//! that of one. A pattern never changes, but for engines that are added; it lives as long as a VM has it.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::sync::{Arc, Weak};

use asterism_lock::Mutex;

use super::pattern::{Hashed, Key, Pattern};

/// Tables, each with a lock of its own.
const TABLES: usize = 16;

/// Patterns in a table, those that have ended counted: if dropping those frees too little, all are forgotten.
const REMEMBERED: usize = 1024;

/// Sources with more bytes are not remembered.
const LONGEST: usize = 4 << 10;

/// Those that have ended are dropped when there are twice as many as were left the last time, and at least so many: each
/// takes memory that is near no other.
const LEAST: usize = 32;

type Patterns = HashMap<Key, Weak<Pattern>, BuildHasherDefault<Hashed>>;

struct Table {
    patterns: Patterns,
    /// With so many, those that have ended are dropped.
    full: usize,
}

/// The patterns of all VMs.
static PATTERNS: [Mutex<Table>; TABLES] =
    [const { Mutex::new(Table { patterns: HashMap::with_hasher(BuildHasherDefault::new()), full: LEAST }) }; TABLES];

fn table(key: &Key) -> &'static Mutex<Table> {
    &PATTERNS[(key.hash >> 32) as usize % TABLES]
}

/// The pattern that some VM has.
pub fn find(key: &Key) -> Option<Arc<Pattern>> {
    if key.source.len() > LONGEST {
        return None;
    }
    table(key).lock().patterns.get(key).and_then(Weak::upgrade)
}

/// Remembers a pattern that a VM has made.
pub fn remember(key: &Key, pattern: &Arc<Pattern>) {
    if key.source.len() > LONGEST {
        return;
    }
    let mut table = table(key).lock();
    if table.patterns.len() >= table.full {
        table.patterns.retain(|_, pattern| pattern.strong_count() > 0);
        if table.patterns.len() > REMEMBERED / 2 {
            table.patterns.clear();
        }
        table.full = (table.patterns.len() * 2).max(LEAST);
    }
    table.patterns.insert(key.clone(), Arc::downgrade(pattern));
}
