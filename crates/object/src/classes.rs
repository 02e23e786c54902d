//! The classes of a VM, held weakly, and who inherits from whom.

use std::collections::{HashMap, HashSet};

use crate::class::Class;
use crate::value::Value;
use asterism_heap::Liveness;

/// Classes, modules and include classes, in the order of their making. Protected by the lock they lie under.
#[derive(Default)]
pub struct Classes {
    list: Vec<Value>,
    /// So many of them, the first ones, have survived a collection: a minor one ends none of those.
    old: usize,
    /// For each class what lies directly below it, once somebody has asked for that.
    below: Option<Below>,
}

impl Classes {
    /// All of them.
    pub fn all(&self) -> &[Value] {
        &self.list
    }

    /// Adds one; `false` if there is no memory for it.
    #[must_use]
    pub fn add(&mut self, class: Value) -> bool {
        let room = self.list.try_reserve(1).is_ok();
        if room {
            self.list.push(class);
            self.note(|below| below.add_to_superclass(Class(class)));
        }
        room
    }

    /// Adds those that an image had.
    pub fn extend(&mut self, classes: impl Iterator<Item = Value>) {
        self.list.extend(classes);
        self.below = None;
    }

    /// Replaces them by others.
    pub fn replace(&mut self, list: Vec<Value>) {
        *self = Classes { list, old: 0, below: None };
    }

    /// Sets the next one in the chain of `class`. Class lock held.
    pub fn set_superclass(&mut self, class: Class, superclass: Value) {
        if let (Some(below), Some(before)) = (&mut self.below, class.superclass()) {
            below.remove(before.0, class.0);
        }
        class.set_superclass(superclass);
        self.note(|below| below.add(superclass, class.0));
    }

    /// Makes the new include class `link` stand for `module`. Class lock held.
    pub fn set_module(&mut self, link: Class, module: Value) {
        link.set_module(module);
        if !link.is_origin() {
            self.note(|below| below.add(module, link.0));
        }
    }

    /// Calls `visit` with everything that inherits from `class` or includes it, and with itself.
    pub fn each_descendant(&mut self, class: Class, mut visit: impl FnMut(Class)) {
        if self.below.is_none() {
            self.below = Below::of(&self.list);
        }
        let found = self.below.as_ref().and_then(|below| below.descendants(class.0));
        debug_assert!(found.as_ref().is_none_or(|found| self.agrees(class, found)), "not who inherits from it");
        match found {
            Some(found) => found.into_iter().for_each(|c| visit(Class(c))),
            None => self.list.iter().map(|c| Class(*c)).filter(|c| c.inherits_from(class)).for_each(visit),
        }
    }

    /// Are these the classes and modules among whose ancestors `class` is?
    fn agrees(&self, class: Class, found: &[Value]) -> bool {
        let found: HashSet<Value> = found.iter().copied().collect();
        let others = self.list.iter().filter(|c| !Class(**c).is_include());
        others.into_iter().all(|c| Class(*c).inherits_from(class) == found.contains(c))
    }

    /// Changes what is known of who inherits from whom, or forgets it for want of memory.
    fn note(&mut self, change: impl FnOnce(&mut Below) -> Option<()>) {
        if self.below.as_mut().is_some_and(|below| change(below).is_none()) {
            self.below = None;
        }
    }

    /// Forgets the dead, in the pause; whether there were any.
    pub fn clear_dead(&mut self, liveness: &Liveness) -> bool {
        let before = self.list.len();
        let known = if liveness.is_minor() { self.old } else { 0 };
        let mut i = 0;
        self.list.retain(|class| {
            i += 1;
            i <= known || liveness.is_live_word(class.bits())
        });
        self.old = self.list.len();
        let died = self.old < before;
        if died && let Some(below) = &mut self.below {
            below.retain(|class| liveness.is_live_word(class.bits()));
        }
        died
    }
}

/// The chains of ancestors the other way round: under each class those whose superclass word leads to it, under each
/// module the links that stand for it.
#[derive(Default)]
struct Below(HashMap<Value, Vec<Value>>);

impl Below {
    /// That of `classes`; none if there is no memory for it.
    fn of(classes: &[Value]) -> Option<Below> {
        let mut below = Below::default();
        for class in classes.iter().map(|class| Class(*class)) {
            below.add_to_superclass(class)?;
            if class.is_include() && !class.is_origin() {
                below.add(class.module(), class.0)?;
            }
        }
        Some(below)
    }

    /// `None` if there is no memory for it, as of all that follow.
    fn add_to_superclass(&mut self, class: Class) -> Option<()> {
        class.superclass().map_or(Some(()), |superclass| self.add(superclass.0, class.0))
    }

    fn add(&mut self, to: Value, class: Value) -> Option<()> {
        self.0.try_reserve(1).ok()?;
        let list = self.0.entry(to).or_default();
        list.try_reserve(1).ok()?;
        list.push(class);
        Some(())
    }

    fn remove(&mut self, from: Value, class: Value) {
        let Some(list) = self.0.get_mut(&from) else { return };
        // What changes is mostly new.
        if let Some(at) = list.iter().rposition(|c| *c == class) {
            list.swap_remove(at);
        }
        if list.is_empty() {
            self.0.remove(&from);
        }
    }

    /// `class` and all below it. A module may come in twice over, through two links of one chain.
    fn descendants(&self, class: Value) -> Option<Vec<Value>> {
        let mut found = Vec::new();
        found.try_reserve(1).ok()?;
        found.push(class);
        let mut i = 0;
        while let Some(next) = found.get(i) {
            let directly = self.0.get(next).map_or(&[][..], Vec::as_slice);
            found.try_reserve(directly.len()).ok()?;
            found.extend_from_slice(directly);
            i += 1;
        }
        Some(found)
    }

    /// Forgets all but the living, in the pause.
    fn retain(&mut self, is_live: impl Fn(&Value) -> bool) {
        self.0.retain(|class, list| {
            list.retain(&is_live);
            is_live(class) && !list.is_empty()
        });
    }
}
