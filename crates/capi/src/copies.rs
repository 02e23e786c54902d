//! Copies of objects.

use asterism_core::object::copy;
use asterism_object::Value;
use asterism_object::types::Type;

use crate::call::named;
use crate::lock::in_ruby;

/// Whether `dup` and `clone` of Kernel copy it, whatever its class makes of them: some native types of the core have their own.
fn is_copied_by_kernel(v: Value) -> bool {
    matches!(
        v.heap_type(),
        Some(
            Type::Object
                | Type::String
                | Type::Array
                | Type::Hash
                | Type::Struct
                | Type::Range
                | Type::Class
                | Type::Module
        )
    )
}

api! {
    fn rb_obj_dup(ec, v: Value) -> Value {
        if !is_copied_by_kernel(v) {
            return named(ec, v, "dup", &[]);
        }
        in_ruby(ec, |ec| copy::dup_of(ec, v))
    }

    fn rb_obj_clone(ec, v: Value) -> Value {
        if !is_copied_by_kernel(v) {
            return named(ec, v, "clone", &[]);
        }
        in_ruby(ec, |ec| copy::clone_of(ec, v, Value::NIL))
    }
}
