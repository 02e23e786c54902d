//! Objects that a Rust program holds: roots of its VM, by number.

use std::sync::Arc;

use asterism_heap::Marker;
use asterism_lock::Mutex;
use asterism_object::Value;
use asterism_vm::{Keep, Place};

/// The objects that are held, and the numbers that are free.
#[derive(Default)]
struct Table {
    slots: Vec<Value>,
    free: Vec<u32>,
}

/// The handles of a VM. Protected by the lock; no safepoint while it is held.
#[derive(Default)]
pub struct Handles(Mutex<Table>);

impl Handles {
    /// Holds an object; its number. The caller's thread is in the VM, so the object is alive until it is held.
    pub fn hold(&self, object: Value) -> u32 {
        let mut table = self.0.lock();
        match table.free.pop() {
            Some(n) => {
                table.slots[n as usize] = object;
                n
            }
            None => {
                table.slots.push(object);
                (table.slots.len() - 1) as u32
            }
        }
    }

    /// The object with this number; nil if none is held.
    pub fn get(&self, number: u32) -> Value {
        self.0.lock().slots.get(number as usize).copied().unwrap_or(Value::NIL)
    }

    /// Lets an object go.
    pub fn release(&self, number: u32) {
        let mut table = self.0.lock();
        if let Some(slot) = table.slots.get_mut(number as usize) {
            *slot = Value::NIL;
            table.free.push(number);
        }
    }
}

/// The handles as the VM keeps them; who holds an object may outlive it.
#[derive(Default)]
pub struct Held(pub Arc<Handles>);

impl Keep for Held {
    const PLACE: Place = Place::Handles;

    fn trace(&self, marker: &mut Marker) {
        for object in &self.0.0.lock().slots {
            marker.mark(object.bits());
        }
    }
}
