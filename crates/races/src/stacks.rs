//! Where accesses were: stacks of Ruby code, each kept once.

use std::sync::Arc;

use asterism_compiler::Code;
use asterism_lock::Mutex;

use crate::shadow::WordMap;

/// From so many stacks on only the innermost frame counts, of which there are as many as the program has places.
pub const MANY: usize = 1 << 16;
/// So many there are at most.
const MOST: usize = 1 << 18;

/// Where an access was.
#[derive(Debug)]
pub struct Stack {
    /// Lines as of a backtrace, innermost first.
    pub lines: Vec<String>,
    /// The innermost line's file and line.
    pub place: String,
    /// What the addresses belong to that it is known by: no other code comes to lie there.
    pub _codes: Vec<Arc<Code>>,
}

/// The stacks of a report.
#[derive(Default)]
pub struct Stacks {
    /// Protected by the lock; no safepoint under it.
    table: Mutex<Table>,
}

#[derive(Default)]
struct Table {
    /// Numbers by what stacks are known by.
    numbers: WordMap<u64, u32>,
    stacks: Vec<Arc<Stack>>,
}

impl Stacks {
    /// The stack with a number.
    pub fn get(&self, number: u32) -> Option<Arc<Stack>> {
        self.table.lock().stacks.get(number as usize).cloned()
    }

    /// The number of the stack with this key.
    pub fn find(&self, key: u64) -> Option<u32> {
        self.table.lock().numbers.get(&key).copied()
    }

    /// The number of a stack, which gets one if its key has none.
    pub fn add(&self, key: u64, stack: Stack) -> u32 {
        let mut table = self.table.lock();
        let table = &mut *table;
        *table.numbers.entry(key).or_insert_with(|| {
            // What is too much is told without its place.
            if table.stacks.len() < MOST {
                table.stacks.push(Arc::new(stack));
            }
            table.stacks.len() as u32 - 1
        })
    }

    /// Are there many?
    pub fn is_crowded(&self) -> bool {
        self.table.lock().stacks.len() >= MANY
    }
}
