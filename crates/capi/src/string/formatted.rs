//! Formats with arguments of Ruby, as `sprintf` has them.

use std::ffi::c_int;

use asterism_object::Value;

use super::to_str;
use crate::demand::a_string;
use crate::types::In;

api! {
    fn rb_str_format(ec, argc: c_int, argv: In<Value>, template: Value) -> Value {
        a_string(ec, template)?;
        asterism_core::string::format::format(ec, template, argv.slice(i64::from(argc)))
    }

    fn rb_f_sprintf(ec, argc: c_int, argv: In<Value>) -> Value {
        match argv.slice(i64::from(argc)).split_first() {
            Some((&template, rest)) => {
                let template = to_str(ec, template)?;
                crate::lock::in_ruby(ec, |ec| asterism_core::string::format::format(ec, template, rest))
            }
            None => Err(ec.arg_error("too few arguments")),
        }
    }
}
