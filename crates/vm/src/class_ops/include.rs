//! `include` and `prepend`: links in the chains of ancestors.

use std::sync::atomic::Ordering;

use asterism_object::Value;
use asterism_object::class::{Class, IS_ORIGIN};
use asterism_object::types::Type;

use super::INHERITED;
use crate::ec::{Ec, Res};

impl Ec {
    /// Inserts `module` (and what it includes) into the chain of `class` behind it, or in front of it (`prepend`).
    ///
    /// # Errors
    /// ArgumentError for a cycle; NoMemoryError.
    pub fn include_module(&mut self, class: Class, module: Class, prepend: bool) -> Res<()> {
        if module.inherits_from(class) && class.is_module() {
            return Err(self.arg_error(if prepend { "cyclic prepend detected" } else { "cyclic include detected" }));
        }
        let spreads = class.is_module() && class.flags() & INHERITED != 0 && !self.vm().booting.load(Ordering::Relaxed);
        if spreads {
            self.make_all_classes()?;
        }
        self.with_class_lock(|ec| {
            if prepend && class.origin().is_none() {
                let origin = ec.alloc_class(Type::IncludeClass, Value::NULL, Value::NULL, IS_ORIGIN)?;
                origin.set_module(class.0);
                ec.put_behind(class, origin);
                // Last, so that who looks up methods meanwhile finds those of the class at one of both places.
                class.set_origin(origin.0);
            }
            let base = if prepend { class } else { class.origin().unwrap_or(class) };
            let mut at = base;
            // Where the part of the chain that belongs to this class ends.
            let stop = if prepend { class.origin() } else { None };
            for part in parts(module) {
                if part == class {
                    continue;
                }
                let mut there = None;
                let mut inherited = false;
                // What is prepended already is not included again.
                for c in class.superclass().into_iter().flat_map(Class::chain) {
                    if Some(c) == stop || (c.is_class() && prepend) {
                        break;
                    }
                    inherited |= c.is_class();
                    if c.is_include() && !c.is_origin() && c.module() == part.0 {
                        there = Some(c);
                        break;
                    }
                }
                if let Some(found) = there {
                    if !inherited && found.chain().all(|c| c != at) {
                        at = found;
                    }
                    continue;
                }
                at = ec.insert_link(at, part)?;
            }
            if spreads {
                ec.spread(class, module, prepend)?;
            }
            ec.note_module(class, module);
            ec.vm().const_serial.fetch_add(1, Ordering::Release);
            Ok(())
        })?;
        self.note_module_methods(module);
        Ok(())
    }

    /// What `holder` has to know when `module` has come into its chain. Class lock held.
    fn note_module(&mut self, holder: Class, module: Class) {
        if module.ivar_names() != 0 {
            for (name, _) in self.vm().space.shapes.ivars(module.ivar_names()) {
                self.learn_ivar(holder, name);
            }
        }
        self.invalidate_class(holder);
    }

    /// Puts a link that stands for `part` behind `at`. Class lock held.
    fn insert_link(&mut self, at: Class, part: Class) -> Res<Class> {
        let link = self.alloc_class(Type::IncludeClass, Value::NULL, Value::NULL, 0)?;
        self.vm().classes.lock().set_module(link, part.0);
        part.add_flags(INHERITED);
        self.put_behind(at, link);
        Ok(link)
    }

    /// Makes `link` the next one in the chain behind `at`. Class lock held.
    fn put_behind(&self, at: Class, link: Class) {
        let mut classes = self.vm().classes.lock();
        classes.set_superclass(link, at.superclass().map_or(Value::NULL, |c| c.0));
        classes.set_superclass(at, link.0);
    }

    /// What was included into `class` (or prepended to it) also comes into the chains of those that included it before.
    /// Class lock held, and all classes are made.
    fn spread(&mut self, class: Class, module: Class, prepend: bool) -> Res<()> {
        // The links of a class itself lie before its superclass.
        let own = |holder: Class| holder.chain().skip(1).take_while(Class::is_include);
        let stands_for = |link: &Class, part: Class| !link.is_origin() && link.module() == part.0;
        let holders = self.collect_classes(|c| own(c).any(|link| stands_for(&link, class)))?;
        let mut i = 0;
        while let Some(holder) = asterism_object::array::at(holders, i).map(Class) {
            i += 1;
            let Some(link) = own(holder).find(|link| stands_for(link, class)) else { continue };
            // The newest of what is prepended comes first.
            let in_front =
                |link: &Class| own(class).take_while(|c| !c.is_origin()).any(|c| c.delegate() == link.delegate());
            let before = own(holder).take_while(|c| *c != link).filter(|c| !in_front(c)).last().unwrap_or(holder);
            let mut at = if prepend { before } else { link };
            for part in parts(module) {
                let there = if prepend {
                    own(holder).find(|link| stands_for(link, part))
                } else {
                    holder.chain().find(|link| link.is_include() && stands_for(link, part))
                };
                match there {
                    Some(found) if found.chain().all(|c| c != at) => at = found,
                    Some(_) => {}
                    None if part == holder => {}
                    None => at = self.insert_link(at, part)?,
                }
            }
            self.note_module(holder, module);
        }
        asterism_heap::keep_alive(holders.bits());
        Ok(())
    }
}

/// What `module` brings into a chain, in order: what is prepended to it, itself, what it includes.
fn parts(module: Class) -> impl Iterator<Item = Class> {
    module.chain().filter(|link| link.is_include() || link.origin().is_none()).map(|link| link.delegate())
}
