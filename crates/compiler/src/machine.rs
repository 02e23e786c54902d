//! Where machine code that was made of a [`Code`](crate::Code) hangs: beside the bytecode, since all VMs share both.

use std::any::Any;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use asterism_lock::Mutex;

/// What a compiler to machine code has made of a piece of code, oldest first. Nothing is ever taken away while the code lives: a
/// thread may be inside an old version.
#[derive(Default)]
pub struct Machine {
    units: Mutex<Vec<Arc<dyn Any + Send + Sync>>>,
    /// How many there are; written under the lock, behind the push.
    count: AtomicU32,
    /// How much it has run in the interpreter, in calls and backward jumps, since somebody counts. Any thread adds to it; what is
    /// lost when several do at once does not matter.
    heat: AtomicU32,
}

impl Machine {
    /// How many units were published.
    #[inline]
    pub fn count(&self) -> u32 {
        self.count.load(Ordering::Acquire)
    }

    /// How much the code has run without being compiled.
    pub fn heat(&self) -> u32 {
        self.heat.load(Ordering::Relaxed)
    }

    /// It has run so much more.
    #[inline]
    pub fn add_heat(&self, n: u32) {
        self.heat.store(self.heat.load(Ordering::Relaxed).saturating_add(n), Ordering::Relaxed);
    }

    /// Publishes another one.
    pub fn publish(&self, unit: Arc<dyn Any + Send + Sync>) {
        let mut units = self.units.lock();
        units.push(unit);
        self.count.store(units.len() as u32, Ordering::Release);
    }

    /// Those from number `from` on.
    pub fn from(&self, from: u32) -> Vec<Arc<dyn Any + Send + Sync>> {
        let units = self.units.lock();
        units.get(from as usize..).unwrap_or_default().to_vec()
    }
}

impl fmt::Debug for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Machine({})", self.count())
    }
}
