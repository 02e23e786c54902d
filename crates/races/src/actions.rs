//! What calls do to their receivers, as far as a thread has found out.

use std::collections::HashMap;

use asterism_object::Sym;
use asterism_object::address_hash::ByAddress;

/// What a call does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// Nothing that is noted.
    Nothing,
    /// Reads an instance variable.
    ReadIvar(Sym),
    /// Writes one.
    WriteIvar(Sym),
    /// Reads the instance variable that the first argument names.
    GetIvar,
    /// Writes it.
    SetIvar,
    /// Reads the member of a Struct that the first argument names.
    GetMember,
    /// Writes it.
    SetMember,
    /// Reads all of the receiver.
    Read,
    /// Asks for its length.
    Length,
    /// Reads the element or key that the first argument says.
    ReadElement,
    /// Writes it.
    WriteElement,
    /// Reads and writes it in one step.
    UpdateElement,
    /// Adds elements behind the last one, in one step.
    Append,
    /// Changes all of it in one step.
    Update,
    /// Reads the first element.
    First,
}

/// So many calls are found without a search.
const LAST: usize = 1024;
/// So many are remembered.
const MOST: usize = 1 << 14;

/// What calls do, of which a thread has found out.
pub struct Actions {
    /// Those that were looked for last, each in the place that its class and name lead to.
    last: Box<[(u64, u64, Action); LAST]>,
    /// All, by the serial of the receiver's class and the name.
    all: HashMap<(u64, u64), Action, ByAddress>,
}

impl Default for Actions {
    fn default() -> Actions {
        Actions { last: Box::new([(0, 0, Action::Nothing); LAST]), all: HashMap::default() }
    }
}

impl Actions {
    fn key(name: Sym, argc: usize) -> u64 {
        u64::from(name.0) << 8 | argc.min(3) as u64
    }

    #[inline]
    fn place(serial: u64, key: u64) -> usize {
        (serial.wrapping_mul(0x9e37_79b9) ^ key >> 8 ^ key << 4) as usize % LAST
    }

    /// What a call with so many arguments does of a class that has the serial.
    #[inline]
    pub fn get(&mut self, serial: u64, name: Sym, argc: usize) -> Option<Action> {
        let key = Actions::key(name, argc);
        let last = &mut self.last[Actions::place(serial, key)];
        if last.0 != serial || last.1 != key {
            *last = (serial, key, *self.all.get(&(serial, key))?);
        }
        // 0 is no serial.
        (serial != 0).then_some(last.2)
    }

    /// Remembers what it does.
    pub fn insert(&mut self, serial: u64, name: Sym, argc: usize, action: Action) {
        if serial == 0 {
            return;
        }
        if self.all.len() >= MOST {
            self.all.clear();
        }
        self.all.insert((serial, Actions::key(name, argc)), action);
    }
}
