//! What `rb_debug_inspector_open` shows of the frames under way.

use std::ffi::c_int;

use asterism_core::exception::backtraces::locations;
use asterism_core::proc::binding::of_frame;
use asterism_object::Value;
use asterism_object::data;
use asterism_object::space::WellKnown;
use asterism_vm::backtrace::{Backtrace, collect_frames};
use asterism_vm::frame::Frame;
use asterism_vm::method::Method;
use asterism_vm::{Ec, Res};

use crate::part::part;

/// `[self, class, binding, iseq]` of a frame; of native code and of the core library's the last two are nil.
fn shown(ec: &mut Ec, frame: *mut Frame, method: Value) -> Res {
    let class = Method::from_value(method).map_or(Value::NIL, |method| method.owner().0);
    // SAFETY: the frame is active as long as the function in C that asks.
    let Some(at) = (unsafe { frame.as_ref() }) else {
        return ec.array(&[Value::NIL, class, Value::NIL, Value::NIL]);
    };
    let this = at.self_val;
    // SAFETY: a frame keeps its code alive.
    let code = unsafe { at.iseq.as_ref() }.map(|iseq| iseq.code.clone()).filter(|code| !code.internal);
    let Some(code) = code else { return ec.array(&[this, class, Value::NIL, Value::NIL]) };
    // SAFETY: as above.
    let binding = unsafe { of_frame(ec, frame) }?;
    let iseq = (ec.vm().hooks.code_object)(ec, code)?;
    ec.array(&[this, class, binding, iseq])
}

api! {
    /// The frames, the innermost first, and their locations: two Arrays of one length.
    fn rb_asterism_frames(ec) -> Value {
        let (list, frames) = collect_frames(ec);
        let count = list.len();
        let methods: Vec<Value> = list.iter().map(|location| location.method).collect();
        let object = ec.class(WellKnown::Object);
        // The methods stay as long as this has them.
        let held = data::new(ec, object, Backtrace { locations: list });
        let held = ec.check(Value::NIL, held)?;
        let places = locations(ec, held, 0, count)?;
        let all = ec.array(&[])?;
        for (frame, method) in frames.into_iter().zip(methods) {
            let one = shown(ec, frame, method)?;
            ec.array_push(all, one)?;
        }
        ec.array(&[all, places])
    }

    /// How many frames there are.
    fn rb_asterism_depth(ec) -> Value {
        Ok(Value::fixnum(collect_frames(ec).0.len() as i64))
    }

    /// Keeps an object alive once more, or once less, while memory of it is shown.
    fn rb_asterism_keep_shown(ec, v: Value, change: c_int) {
        if v.is_heap() {
            let mut shown = part(ec).shown.lock();
            let count = shown.entry(v.bits()).or_insert(0);
            *count = count.saturating_add_signed(change as isize);
            if *count == 0 {
                shown.remove(&v.bits());
            }
        }
        Ok(())
    }
}
