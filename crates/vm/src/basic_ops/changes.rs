//! Which changes of classes redefine a basic operator.

use std::sync::atomic::Ordering;

use asterism_object::Sym;
use asterism_object::class::Class;
use asterism_object::space::WellKnown;
use asterism_symbol::sym;

use super::{BasicOp, Classes, NAMED, WATCHED};
use crate::ec::Ec;
use crate::method::lookup_from;

impl Ec {
    /// Takes `op` for redefined in `classes`. Compiled code that takes it for the core's there does not run from here on.
    fn note_redefined(&self, op: BasicOp, classes: Classes) {
        let vm = self.vm();
        vm.basic_ops.note(op, classes);
        if op.assumed().meets(classes) {
            vm.gate.close();
        }
    }

    /// The program makes a subclass of BasicObject, or an instance, which has no method `nil?`. From here on `nil?` looks at its
    /// receiver's class; for the library's own subclasses, as Delegator, which have the method, it need not.
    #[cold]
    pub(crate) fn note_blank(&self) {
        // SAFETY: the frame is active; a Ruby frame keeps its code alive.
        let internal = unsafe { (*self.program_frame()).iseq.as_ref().is_some_and(|iseq| iseq.code.internal) };
        if !internal && !self.vm().booting.load(Ordering::Relaxed) {
            self.vm().basic_ops.note(BasicOp::NIL_P, Classes::BLANK);
        }
    }

    /// Some class has got or lost a method of the name of `op`, which compiled code asks about where it matters to it.
    fn note_of_any(&self, op: BasicOp) {
        if op == BasicOp::NOT || op == BasicOp::NIL_P {
            self.vm().basic_ops.note(op, Classes::OTHER);
        }
    }

    /// The watched classes that are `class` or have it among their ancestors.
    fn watched_below(&self, class: Class) -> Vec<(Class, Classes)> {
        let watched = WATCHED.into_iter().map(|(which, bit)| (self.known(which), bit));
        watched.filter(|(watched, _)| *watched == class || watched.inherits_from(class)).collect()
    }

    /// Looks whether a change of the methods called `name` in `class`, which is done, redefines a basic operator.
    /// `removed`: the core's own was taken away, so that the core's method which a lookup may find now is another one.
    pub(crate) fn note_redefinition(&mut self, class: Class, name: Sym, removed: bool) {
        if self.vm().booting.load(Ordering::Relaxed) {
            return;
        }
        let Some(op) = BasicOp::of(name) else { return };
        self.note_of_any(op);
        for (watched, bit) in self.watched_below(class) {
            let core = !removed && lookup_from(self, Some(watched), name).is_some_and(|found| found.method.is_core());
            if !core {
                self.note_redefined(op, bit);
            }
        }
    }

    /// A refinement of `refined` has got a method called `name`: fast paths do not look for refinements.
    pub(crate) fn note_refinement(&mut self, refined: Class, name: Sym) {
        // What `&:name` becomes is not refined.
        let Some(op) = BasicOp::of(name).filter(|op| *op != BasicOp::TO_PROC) else { return };
        self.note_of_any(op);
        if op == BasicOp::CASE_EQ {
            // What a pattern's class is refined with is not asked by the paths for `case`.
            self.note_redefined(op, Classes::ALL);
        }
        for (_, bit) in self.watched_below(refined) {
            self.note_redefined(op, bit);
        }
    }

    /// Looks whether a module that has come into chains brings basic operators in front of the core's.
    pub(crate) fn note_module_methods(&mut self, module: Class) {
        if self.vm().booting.load(Ordering::Relaxed) || self.watched_below(module).is_empty() {
            return;
        }
        let operators = (sym::PLUS.0..=sym::NMATCH.0).map(Sym);
        for name in operators.chain(NAMED.into_iter().flatten().copied()) {
            if lookup_from(self, Some(module), name).is_some_and(|found| !found.method.is_core()) {
                self.note_redefinition(module, name, false);
            }
        }
    }
}

/// Names of methods that CRuby's interpreter takes for known, with the classes that it does so for.
const OPTIMIZED: [(&[&str], &[WellKnown]); 16] = [
    (&["+"], &[WellKnown::Integer, WellKnown::Float, WellKnown::String, WellKnown::Array]),
    (&["-", "*", "/", "%", "<", "<=", ">", ">="], &[WellKnown::Integer, WellKnown::Float]),
    (&["-"], &[WellKnown::Array]),
    (&["%"], &[WellKnown::String]),
    (&["=="], &[WellKnown::Integer, WellKnown::Float, WellKnown::String, WellKnown::Symbol]),
    (
        &["==="],
        &[
            WellKnown::Integer,
            WellKnown::Float,
            WellKnown::Symbol,
            WellKnown::String,
            WellKnown::NilClass,
            WellKnown::TrueClass,
            WellKnown::FalseClass,
        ],
    ),
    (&["<=>"], &[WellKnown::Integer, WellKnown::Float, WellKnown::String]),
    (&["<<"], &[WellKnown::String, WellKnown::Array]),
    (&["[]"], &[WellKnown::Array, WellKnown::Hash, WellKnown::Integer]),
    (&["[]="], &[WellKnown::Array, WellKnown::Hash]),
    (&["length", "size", "empty?", "freeze"], &[WellKnown::Array, WellKnown::String, WellKnown::Hash]),
    (&["succ"], &[WellKnown::Integer, WellKnown::String]),
    (&["=~"], &[WellKnown::Regexp, WellKnown::String]),
    (&["min", "max", "hash", "include?"], &[WellKnown::Array]),
    (&[">>", "&", "|"], &[WellKnown::Integer]),
    (&["nil?"], &[WellKnown::NilClass]),
];

/// Does a new method of that name in `class` take the place of one that CRuby's interpreter takes for known?
pub(crate) fn is_optimized(ec: &Ec, class: Class, name: Sym) -> bool {
    let of = |known: &WellKnown| ec.known(*known) == class;
    // Nearly all classes are none of these.
    if !WATCHED.iter().any(|(known, _)| of(known)) && !of(&WellKnown::Proc) && !of(&WellKnown::Regexp) {
        return false;
    }
    let text = name.text();
    if class == ec.known(WellKnown::Proc) {
        return matches!(&*text, "call" | "yield");
    }
    if class == ec.known(WellKnown::String) && &*text == "-@"
        || class == ec.known(WellKnown::Hash) && &*text == "default"
    {
        return true;
    }
    OPTIMIZED.iter().any(|(names, classes)| names.contains(&&*text) && classes.iter().any(of))
}
