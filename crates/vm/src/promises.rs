//! What a VM knows of the constants that `autoload` promised; what is done with it is `autoload.rs`.

use std::collections::HashMap;
use std::sync::Arc;

use asterism_heap::Charge;
use asterism_object::Sym;

/// What a promise takes beside the feature's name.
pub(crate) const PROMISE: usize = 128;

/// A VM's promises.
#[derive(Debug, Default)]
pub struct Autoloads {
    /// Features of constants, by class address and name.
    pub promised: HashMap<(u64, Sym), Promise>,
    /// Features that fibers (`RunningFiber::id`) load for a constant.
    pub(crate) loading: Vec<(Arc<str>, u64)>,
}

/// What a constant stands for.
#[derive(Debug)]
pub struct Promise {
    /// The feature.
    pub feature: Arc<str>,
    /// What it takes.
    _charge: Charge,
}

impl Promise {
    /// One that takes so much memory.
    pub(crate) fn new(feature: Arc<str>, charge: Charge) -> Promise {
        Promise { feature, _charge: charge }
    }

    /// One that is not counted: those of the core.
    pub(crate) fn of_core(feature: Arc<str>) -> Promise {
        Promise { feature, _charge: Charge::default() }
    }
}

impl Autoloads {
    /// Forgets what others than this fiber load: they are not there in a new process.
    pub(crate) fn retain_loading_by(&mut self, fiber: u64) {
        self.loading.retain(|(_, loader)| *loader == fiber);
    }
}

/// Who loads a feature for a constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LoadedBy {
    /// Nobody.
    Nobody,
    /// The running fiber.
    This,
    /// Another fiber.
    Another,
}
