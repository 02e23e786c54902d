//! What makes instances of classes with native layouts.

use std::sync::OnceLock;

use asterism_heap::Marker;
use asterism_lock::RwLock;
use asterism_object::Value;
use asterism_object::class::{Alloc, Class};
use asterism_object::space::WellKnown;
use asterism_vm::image::{Recording, Word};
use asterism_vm::keep::Recorded;
use asterism_vm::{Ec, Keep, Place, Res, Vm};

/// Makes an uninitialised instance of a class or of a class that inherits from it.
pub type Allocator = fn(&mut Ec, Class) -> Res;

/// The allocators of a VM.
#[derive(Default)]
pub struct Allocators {
    /// What makes instances of classes whose `Alloc` is `Native`. Written at boot.
    list: RwLock<Vec<(Class, Allocator)>>,
    /// The same for Fiber, whose objects are made by the million: found without a search.
    fiber: OnceLock<Allocator>,
}

/// What an image has of them.
struct Pattern {
    list: Vec<(Word, Allocator)>,
    fiber: Option<Allocator>,
}

impl Keep for Allocators {
    const PLACE: Place = Place::Allocators;

    fn trace(&self, marker: &mut Marker) {
        for (class, _) in self.list.read().iter() {
            marker.mark(class.0.bits());
        }
    }

    fn record(&self, _vm: &Vm, recording: &mut Recording<'_>) -> Option<Box<Recorded>> {
        let list = self.list.read();
        let list = list.iter().map(|(class, make)| (recording.word(class.0.bits()), *make)).collect();
        Some(Box::new(Pattern { list, fiber: self.fiber.get().copied() }))
    }

    fn replay(&self, ec: &mut Ec, recorded: &Recorded, word: &dyn Fn(Word) -> Value) -> Res<()> {
        let Some(recorded) = recorded.downcast_ref::<Pattern>() else {
            return Err(ec.fatal("an image of something else"));
        };
        *self.list.write() = recorded.list.iter().map(|(class, make)| (Class(word(*class)), *make)).collect();
        if let Some(make) = recorded.fiber {
            // The VM is being made: nobody set it before.
            let _ = self.fiber.set(make);
        }
        Ok(())
    }
}

/// Says how instances of `class` and of what inherits from it are made; at boot, before classes inherit from it.
pub fn set_allocator(ec: &Ec, class: Class, make: Allocator) {
    class.set_alloc(Alloc::Native);
    let allocators = ec.vm().part::<Allocators>();
    if class == ec.known(WellKnown::Fiber) {
        // At boot, once.
        let _ = allocators.fiber.set(make);
    }
    allocators.list.write().push((class, make));
}

/// Instances of `copy`, which has no part in the inheritance of `class`, are made as those of `class` itself are.
pub(crate) fn share_allocator(ec: &Ec, class: Class, copy: Class) {
    let allocators = ec.vm().part::<Allocators>();
    let found = allocators.list.read().iter().find(|(known, _)| *known == class).map(|(_, make)| *make);
    if let Some(make) = found {
        allocators.list.write().push((copy, make));
    }
}

/// Allocates instances of classes with native layouts.
///
/// # Errors
/// TypeError if the class cannot be instantiated; NoMemoryError.
pub fn allocate(ec: &mut Ec, class: Class) -> Res {
    if class.alloc() == Alloc::Struct {
        return crate::structs::allocate(ec, class);
    }
    let allocators = ec.vm().part::<Allocators>();
    if class == ec.known(WellKnown::Fiber)
        && let Some(make) = allocators.fiber.get()
    {
        return make(ec, class);
    }
    allocate_from(ec, class, class)
}

/// The same with what makes instances of `from`, which `class` inherits from.
///
/// # Errors
/// TypeError if `from` and its superclasses have none; NoMemoryError.
pub fn allocate_from(ec: &mut Ec, class: Class, from: Class) -> Res {
    let allocators = ec.vm().part::<Allocators>();
    let mut at = Some(from);
    while let Some(c) = at {
        let found = allocators.list.read().iter().find(|(known, _)| *known == c).map(|(_, make)| *make);
        if let Some(make) = found {
            return make(ec, class);
        }
        at = c.superclass();
    }
    let name = ec.class_name(class);
    Err(ec.type_error(format!("allocator undefined for {name}")))
}
