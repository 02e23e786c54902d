//! Who is told of what a thread does, and what happens there.

use std::sync::Arc;

use asterism_heap::Marker;
use asterism_object::{Sym, Value};
use asterism_symbol::sym;

use crate::ec::{Ec, Res};
use crate::frame::Frame;
use crate::method::Method;
use crate::vm::Vm;

/// What happens in a traced thread. Methods of the core that are written in Ruby count as native unless they are so in CRuby too, and
/// their blocks not at all.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Event {
    /// A statement begins on this line.
    Line(u32),
    /// A method begins.
    Call(Sym),
    /// A method ends: with a value, or nil if something unwinds it.
    Return(Sym, Value),
    /// A block begins.
    BlockCall,
    /// A block ends.
    BlockReturn(Value),
    /// The body of a class or module begins.
    Class,
    /// It ends.
    End,
    /// A native method is called.
    NativeCall(NativeMethod),
    /// It has ended.
    NativeReturn(NativeMethod, Value),
    /// An exception unwinds: once for each, however far it comes.
    Raise(Value),
    /// The body of a `rescue` clause begins, for this exception.
    Rescue(Value),
    /// The thread begins.
    ThreadBegin,
    /// The thread ends.
    ThreadEnd,
    /// Another fiber has begun to run.
    FiberSwitch,
    /// Code was compiled: its source if it was given to `eval` and its like, else nil, and its Iseq.
    ScriptCompiled(Value, Value),
}

/// A native method, or one of the core that is written in Ruby, and what it is called with.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct NativeMethod {
    /// The method cell.
    pub method: Value,
    /// The receiver.
    pub recv: Value,
}

impl NativeMethod {
    /// The name that it was defined with.
    pub(super) fn original_name(self) -> Sym {
        Method::from_value(self.method).map_or(sym::EMPTY, |method| method.original_name())
    }

    /// The method's name.
    pub fn name(self) -> Sym {
        Method::from_value(self.method).map_or(sym::EMPTY, |method| method.name())
    }
}

impl Event {
    /// Marks the values in it.
    fn trace(&self, marker: &mut Marker) {
        let values = match *self {
            Event::Return(_, v) | Event::BlockReturn(v) | Event::Raise(v) | Event::Rescue(v) => {
                [v, Value::NIL, Value::NIL]
            }
            Event::NativeCall(native) => [native.method, native.recv, Value::NIL],
            Event::NativeReturn(native, v) => [native.method, native.recv, v],
            Event::ScriptCompiled(source, iseq) => [source, iseq, Value::NIL],
            _ => return,
        };
        for v in values {
            marker.mark(v.bits());
        }
    }
}

/// Who is told.
pub trait Tracer: std::fmt::Debug + Send + Sync {
    /// Called in the traced thread, with the frame that it happens in as the current one. The thread is not traced meanwhile.
    ///
    /// # Errors
    /// What is to be raised where the event happened: what the block of a TracePoint raises, say.
    fn event(&self, ec: &mut Ec, event: Event) -> Res<()>;
}

/// What a tracer is being told.
#[derive(Clone, Copy)]
pub struct Moment {
    /// What happens.
    pub event: Event,
    /// The frame that it happens in. It is active as long as the tracer is told.
    pub frame: *mut Frame,
}

/// Keeps the VM from running compiled code, which tells nothing.
pub(super) struct Untold(Arc<Vm>);

impl Untold {
    pub(super) fn new(vm: Arc<Vm>) -> Untold {
        vm.gate.shut();
        Untold(vm)
    }
}

impl Drop for Untold {
    fn drop(&mut self) {
        self.0.gate.open_again();
    }
}

/// What a traced thread keeps.
pub(crate) struct Tracing {
    /// `None`: nobody is told any more, but somebody is still being told of something.
    pub(super) tracer: Option<Arc<dyn Tracer>>,
    /// What is being told.
    pub(super) moment: Option<Moment>,
    /// What is told now may be interrupted by what happens while it is told (`TracePoint.allow_reentry`).
    pub(super) reentered: bool,
    /// The exception that was told of last; an address only.
    pub(super) raised: u64,
    /// The fiber that ran when something was told last (`RunningFiber::id`).
    pub(super) fiber: u64,
    /// Held as long as it is traced.
    pub(super) _untold: Untold,
}

impl Tracing {
    /// Marks what is being told (world stopped).
    pub(crate) fn trace(&self, marker: &mut Marker) {
        if let Some(moment) = &self.moment {
            moment.event.trace(marker);
        }
    }

    /// Is somebody to be told of what happens?
    pub(super) fn is_on(&self) -> bool {
        self.tracer.is_some() && (self.moment.is_none() || self.reentered)
    }
}
