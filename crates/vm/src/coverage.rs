//! Coverage in a VM: the measurement under way, and what methods are counted that share a body.
//!
//! What is counted lies with the code (`asterism_compiler::coverage`). The counting instructions come here.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

pub use asterism_compiler::coverage::{Called, Condition, Counted, File, Place, Session, Spot, Targets};
use asterism_compiler::{CodeKind, Options};
use asterism_heap::Marker;
use asterism_lock::Mutex;
use asterism_object::class::Class;
use asterism_object::{Sym, Value, array, symbol_table};

use crate::ec::{Ec, Res};
use crate::frame::{self, Frame};
use crate::iseq::Iseq;
use crate::keep::{self, Keep};
use crate::method::Method;
use crate::redefined;

/// What a VM keeps for coverage.
#[derive(Default)]
struct Coverage {
    /// Is there a measurement? Read without the lock by who compiles.
    on: AtomicBool,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    session: Option<Arc<Session>>,
    /// The methods that have a counter with their code, by their addresses.
    methods: Vec<u64>,
    /// Those whose body has another method's counter, and how often they were called.
    others: HashMap<u64, u64>,
}

impl Keep for Coverage {
    const PLACE: keep::Place = keep::Place::Coverage;

    /// Methods that were counted stay alive as long as the measurement: their counters know them by address.
    fn trace(&self, marker: &mut Marker) {
        let state = self.state.lock();
        state.methods.iter().chain(state.others.keys()).for_each(|&method| marker.mark(method));
    }
}

/// The measurement under way.
pub fn session(ec: &Ec) -> Option<Arc<Session>> {
    let coverage = ec.vm().part_if_made::<Coverage>()?;
    if !coverage.on.load(Ordering::Acquire) {
        return None;
    }
    coverage.state.lock().session.clone()
}

/// Begins a measurement, or ends the one under way.
pub fn set_session(ec: &Ec, session: Option<Arc<Session>>) {
    let coverage = ec.vm().part::<Coverage>();
    let mut state = coverage.state.lock();
    if let Some(old) = &state.session {
        old.run(false);
    }
    coverage.on.store(session.is_some(), Ordering::Release);
    *state = State { session, ..State::default() };
}

/// A line of `iseq` begins.
#[inline(never)]
pub(crate) fn count_line(iseq: &Iseq, line: u32) {
    if let Some(counted) = &iseq.code.counted {
        counted.line(line);
    }
}

/// A way of a condition in `iseq` is taken.
#[inline(never)]
pub(crate) fn count_way(iseq: &Iseq, counter: u32) {
    if let Some(counted) = &iseq.code.counted {
        counted.way(counter);
    }
}

/// `frame` begins, which runs `iseq`: a method is called, if the code is the body of one.
///
/// # Safety
/// The frame is active, a Ruby frame.
#[inline(never)]
pub(crate) unsafe fn count_call(ec: &Ec, iseq: &Iseq, frame: *mut Frame) {
    let Some(counted) = &iseq.code.counted else { return };
    // SAFETY: the caller's contract.
    let method = unsafe {
        if iseq.code.kind != CodeKind::Method && !(*frame).has(frame::BMETHOD) {
            return;
        }
        (*frame).method
    };
    let Some(method) = Method::from_value(method) else { return };
    let address = method.0.bits();
    match counted.method(address) {
        Called::Counted => {}
        Called::First => ec.vm().part::<Coverage>().state.lock().methods.push(address),
        Called::Other => *ec.vm().part::<Coverage>().state.lock().others.entry(address).or_default() += 1,
    }
}

/// What is measured of a method.
pub struct Calls {
    /// The name it was defined with.
    pub name: Sym,
    /// Its file.
    pub path: Box<str>,
    /// Where its body is.
    pub place: Place,
    /// How often it was called.
    pub count: u64,
}

impl Ec {
    /// The methods that are measured, and how often each was called, with an Array of the classes that they belong to. `clear`: they
    /// count from 0 again.
    ///
    /// # Errors
    /// NoMemoryError.
    pub fn measured_calls(&mut self, session: &Session, clear: bool) -> Res<(Vec<Calls>, Value)> {
        // Those of the core library are not measured, so it does not matter which classes have not been made yet.
        let classes = self.collect_classes(|_| true)?;
        let mut list: Vec<Calls> = Vec::new();
        let owners = self.array(&[])?;
        for i in 0..array::len(classes) {
            let Some(class) = array::at(classes, i).and_then(Class::from_value) else { continue };
            let table = class.lookup_class().map_or(Value::NULL, |c| c.methods());
            if table == Value::NULL {
                continue;
            }
            // Entry by entry: another thread may change the table, and what it had is kept by this stack alone.
            for entry in (0..).map_while(|n| symbol_table::nth(table, n)) {
                let Some(method) = entry.and_then(|(_, method)| Method::from_value(method)) else { continue };
                let Some(counted) = counted_of(method).filter(|c| c.is_of(session)) else { continue };
                let Some(place) = counted.place() else { continue };
                let address = method.0.bits();
                let coverage = self.vm().part::<Coverage>();
                let mut count = counted.calls(address, clear);
                if let Some(other) = coverage.state.lock().others.get_mut(&address) {
                    count += if clear { std::mem::take(other) } else { *other };
                }
                let owner = self.defining_class(method);
                self.array_push(owners, owner.0)?;
                list.push(Calls { name: method.original_name(), path: counted.path().into(), place, count });
            }
        }
        Ok((list, owners))
    }

    /// The class in which a method was defined that may be an alias of it.
    fn defining_class(&mut self, method: Method) -> Class {
        let name = method.original_name();
        if method.name() != name {
            for link in method.owner().chain() {
                let own = self.own_method(link, name);
                if own.is_some_and(|own| redefined::same_body(own.body(), method.body())) {
                    return own.map_or_else(|| method.owner(), |own| own.owner());
                }
            }
        }
        method.owner()
    }

    /// The lines of a source on which statements begin.
    ///
    /// # Errors
    /// SyntaxError.
    pub fn lines_of(&mut self, source: &[u8], file: &str) -> Res<Vec<Option<i64>>> {
        // The last line counts also if nothing ends it.
        let mut text = source.to_vec();
        text.push(b'\n');
        let session = Arc::new(Session::new(Targets { lines: true, ..Targets::default() }));
        let options = Options { coverage: Some(&session), ..Options::new(file, CodeKind::File) };
        self.compile_with(&text, &options)?;
        Ok(session.files().first().map(|file| file.lines(false)).unwrap_or_default())
    }
}

/// What the code of a method counts in.
fn counted_of(method: Method) -> Option<Box<Counted>> {
    method.code()?.counted.clone()
}
