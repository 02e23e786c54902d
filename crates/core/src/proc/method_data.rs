//! What a Method or UnboundMethod holds.

use std::sync::atomic::Ordering;

use asterism_heap::Marker;
use asterism_object::data::{self, DataObject, Shared};
use asterism_object::{AtomicValue, Sym, Value};
use asterism_symbol::sym;
use asterism_vm::method::Method;

/// What a Method or UnboundMethod refers to. Set when it is made, never changed.
pub struct MethodObject {
    /// The receiver; undef if unbound.
    pub(super) receiver: AtomicValue,
    /// The method cell, or for one that `respond_to_missing?` promises its name.
    pub(super) method: AtomicValue,
    /// The class it was looked up in.
    pub(super) class: AtomicValue,
}

impl DataObject for MethodObject {
    const NAME: &'static str = "method";
    const SHARED: Shared = Shared::Frozen;

    fn trace(&self, marker: &mut Marker) {
        for word in [&self.receiver, &self.method, &self.class] {
            word.mark(marker);
        }
    }

    fn each_part(&self, f: &mut dyn FnMut(Value)) {
        f(self.receiver());
    }

    fn replica(&self) -> Option<MethodObject> {
        let word = || AtomicValue::new(Value::NIL);
        Some(MethodObject { receiver: word(), method: word(), class: word() })
    }

    fn words(&self) -> Vec<&AtomicValue> {
        vec![&self.receiver, &self.method, &self.class]
    }
}

impl MethodObject {
    /// The receiver; undef if unbound.
    pub fn receiver(&self) -> Value {
        self.receiver.load(Ordering::Acquire)
    }

    /// The method, unless only `respond_to_missing?` promises it.
    pub fn method(&self) -> Option<Method> {
        Method::from_value(self.method.load(Ordering::Acquire))
    }

    /// The class it was looked up in.
    pub fn class(&self) -> Value {
        self.class.load(Ordering::Acquire)
    }

    /// The name it was asked for by.
    pub fn name(&self) -> Sym {
        match self.method() {
            Some(m) => m.name(),
            None => self.method.load(Ordering::Acquire).as_sym().unwrap_or(sym::EMPTY),
        }
    }
}

/// The method cell in a Method or UnboundMethod, if `v` is one.
pub fn method_in(v: Value) -> Option<Method> {
    data::get::<MethodObject>(&v)?.method()
}
