//! Backtraces: collected as code, line and method when something is raised, turned into text when asked for. And where objects were
//! made, for programs that want to know.

use std::collections::HashMap;
use std::sync::Arc;

use asterism_compiler::code::Code;
use asterism_heap::{Liveness, Marker};
use asterism_lock::Mutex;
use asterism_object::class::Class;
use asterism_object::data::{self, DataObject, Shared};
use asterism_object::space::WellKnown;
use asterism_object::{Value, ivars};
use asterism_symbol::{Sym, sym};

use crate::ec::{Ec, Res};
use crate::frame::{self, Frame};
use crate::keep::{Keep, Place};
use crate::method::Method;

/// One line of a backtrace.
#[derive(Clone)]
pub struct Location {
    /// The code whose file and line count: for native methods and the prelude that of the caller. `None`
    /// when there is no Ruby code below.
    pub code: Option<Arc<Code>>,
    /// The line.
    pub line: u32,
    /// The method cell, or nil.
    pub method: Value,
    /// The frame's own code, for the label; `None` for a native method.
    pub own: Option<Arc<Code>>,
}

/// A collected backtrace.
pub struct Backtrace {
    /// Innermost first.
    pub locations: Vec<Location>,
}

impl DataObject for Backtrace {
    const NAME: &'static str = "backtrace";
    const SHARED: Shared = Shared::Always;

    fn trace(&self, marker: &mut Marker) {
        for location in &self.locations {
            marker.mark(location.method.bits());
        }
    }

    fn size(&self) -> usize {
        self.locations.len() * size_of::<Location>()
    }
}

/// Collects the frames from the current one, leaving out the `skip` innermost lines.
pub fn collect(ec: &Ec, skip: usize) -> Vec<Location> {
    // SAFETY: the Ec's frames are active.
    let mut list = unsafe { collect_from(ec.fiber.frame, ec.fiber.leaf) };
    list.drain(..skip.min(list.len()));
    list
}

/// Collects the frames from `frame` on; `leaf` is the leaf native under way.
///
/// # Safety
/// The frames down from `frame` are active, and stay so meanwhile: they are the caller's own, or their thread is stopped.
pub unsafe fn collect_from(frame: *const Frame, leaf: Value) -> Vec<Location> {
    // SAFETY: the caller's contract.
    unsafe { collect_with(frame, leaf, None) }
}

/// Collects the frames from the current one, with where each is; null: a leaf native has none. They are active while the caller's
/// function has not returned.
pub fn collect_frames(ec: &Ec) -> (Vec<Location>, Vec<*mut Frame>) {
    let mut frames = Vec::new();
    // SAFETY: the Ec's frames are active.
    let list = unsafe { collect_with(ec.fiber.frame, ec.fiber.leaf, Some(&mut frames)) };
    (list, frames)
}

/// # Safety
/// As for `collect_from`.
unsafe fn collect_with(frame: *const Frame, leaf: Value, mut frames: Option<&mut Vec<*mut Frame>>) -> Vec<Location> {
    let mut note = |length: usize, frame: *const Frame| {
        if let Some(frames) = &mut frames {
            frames.truncate(length);
            frames.push(frame.cast_mut());
        }
    };
    let mut list: Vec<Location> = Vec::new();
    // How many entries at the end still wait for the location of the Ruby code that called them.
    let mut waiting = 0;
    if Method::from_value(leaf).is_some() {
        note(0, std::ptr::null());
        list.push(Location { code: None, line: 0, method: leaf, own: None });
        waiting = 1;
    }
    let mut at: *const Frame = frame;
    // SAFETY: frames from the current one to the bottom are active, and so is their code.
    unsafe {
        while let Some(frame) = at.as_ref() {
            at = frame.prev;
            let own = frame.iseq.as_ref().map(|iseq| iseq.code.clone());
            match own {
                Some(code) if !code.is_hidden() => {
                    let line = frame.line();
                    let from = list.len() - waiting;
                    for entry in &mut list[from..] {
                        entry.code = Some(code.clone());
                        entry.line = line;
                    }
                    waiting = 0;
                    note(list.len(), frame);
                    list.push(Location { code: Some(code.clone()), line, method: frame.method, own: Some(code) });
                }
                Some(code) => {
                    // Prelude code: its outermost method stands for all it does.
                    if waiting > 0 && list.last().is_some_and(|l| l.own.as_ref().is_none_or(|c| c.is_hidden())) {
                        list.truncate(list.len() - waiting);
                        waiting = 0;
                    }
                    if !frame.has(frame::BLOCK) {
                        // What switches fibers for native callers stands for the method called.
                        let own = if &*code.label == "__switch" { None } else { Some(code) };
                        note(list.len(), frame);
                        list.push(Location { code: None, line: 0, method: frame.method, own });
                        waiting += 1;
                    }
                }
                None if !frame.method.is_nil() => {
                    note(list.len(), frame);
                    list.push(Location { code: None, line: 0, method: frame.method, own: None });
                    waiting += 1;
                }
                None => {}
            }
        }
    }
    list
}

/// The first line that `collect` would give, at the cost of that line.
pub(crate) fn innermost(ec: &Ec) -> Option<Location> {
    // A method that is not Ruby code of the program: a native one, or the outermost of the prelude.
    let mut method = Method::from_value(ec.fiber.leaf).map(|_| ec.fiber.leaf);
    let mut at: *const Frame = ec.fiber.frame;
    // SAFETY: as in `collect_from`, for the calling thread's own frames.
    unsafe {
        while let Some(frame) = at.as_ref() {
            at = frame.prev;
            match frame.iseq.as_ref().map(|iseq| &iseq.code) {
                Some(code) if !code.is_hidden() => {
                    return Some(Location {
                        code: Some(code.clone()),
                        line: frame.line(),
                        method: method.unwrap_or(frame.method),
                        own: method.is_none().then(|| code.clone()),
                    });
                }
                Some(_) if !frame.has(frame::BLOCK) => method = Some(frame.method),
                None if method.is_none() && !frame.method.is_nil() => method = Some(frame.method),
                _ => {}
            }
        }
    }
    None
}

/// The file and line that a caller's caller, so many `level`s out of the method of the library's that runs, is in. Frames that
/// backtraces leave out count, as in CRuby, but the answer is where the program is that called them.
pub fn at_level(ec: &Ec, level: usize) -> Option<(Arc<str>, u32)> {
    let mut at: *const Frame = ec.fiber.frame;
    // How many levels were passed: the method itself is the first, which does not count.
    let (mut passed, wanted) = (0, level.saturating_add(1));
    // Methods that are no Ruby code of the program's since the last frame that is. The library's own are what they do for the
    // outermost of them.
    let mut others = 0;
    // SAFETY: as in `collect_from`, for the calling thread's own frames.
    unsafe {
        while let Some(frame) = at.as_ref() {
            at = frame.prev;
            match frame.iseq.as_ref().map(|iseq| &iseq.code) {
                Some(code) if !code.internal => {
                    passed += others;
                    if passed >= wanted && !code.is_hidden() {
                        return Some((code.file.clone(), frame.line()));
                    }
                    passed += 1;
                    others = 0;
                }
                Some(_) => others = 1,
                None if !frame.method.is_nil() => others += 1,
                None => {}
            }
        }
    }
    None
}

/// Gives `exception` a backtrace unless it has one.
pub fn attach(ec: &mut Ec, exception: Value) {
    if ivars::get(ec, exception, sym::backtrace_ivar).is_some_and(Value::truthy) {
        return;
    }
    if asterism_object::ownership::is_frozen(exception) {
        return;
    }
    let locations = collect(ec, 0);
    let class = ec.class(WellKnown::Object);
    // Without memory for a backtrace the exception goes without.
    if let Ok(backtrace) = data::new(ec, class, Backtrace { locations }) {
        let _ = ivars::set(ec, exception, sym::backtrace_ivar, backtrace);
        if ivars::get(ec, exception, sym::cause_ivar).is_none()
            && ec.fiber.errinfo != exception
            && !ec.fiber.errinfo.is_nil()
        {
            let cause = ec.fiber.errinfo;
            let _ = ivars::set(ec, exception, sym::cause_ivar, cause);
        }
    }
}

/// A line's label: `Foo#bar`, `block in Foo.bar`, `<main>`…
pub fn label(ec: &mut Ec, location: &Location) -> String {
    let method = Method::from_value(location.method);
    let text = match &location.own {
        Some(code) if !code.is_hidden() || method.is_none() => code.label.to_string(),
        _ => match method {
            Some(m) => m.original_name().text().into_owned(),
            None => String::new(),
        },
    };
    let Some(method) = method else { return text };
    let Some(qualified) = qualified_name(ec, method) else { return text };
    let name = method.original_name().text();
    match text.strip_suffix(name.as_ref()) {
        Some(front) if front.is_empty() || front.ends_with("in ") => format!("{front}{qualified}"),
        _ => text,
    }
}

/// `Foo#bar` or `Foo.bar`; None if the class has no name.
pub fn qualified_name(ec: &mut Ec, method: Method) -> Option<String> {
    let owner = method.owner();
    let name = method.original_name().text();
    let (prefix, separator) = if owner.is_singleton() {
        match Class::from_value(owner.module()) {
            Some(c) => (class_path(ec, c), "."),
            None => (None, ""),
        }
    } else {
        (class_path(ec, owner), "#")
    };
    prefix.map(|prefix| format!("{prefix}{separator}{name}"))
}

fn class_path(ec: &mut Ec, class: Class) -> Option<String> {
    // What is named by a place in something without a name has no name either.
    (!class.name().is_nil()).then(|| ec.class_name(class)).filter(|path| !path.starts_with("#<"))
}

/// A line as `Exception#backtrace` gives it.
pub fn line_text(ec: &mut Ec, location: &Location) -> String {
    let label = label(ec, location);
    match &location.code {
        Some(code) => format!("{}:{}:in '{label}'", code.file, location.line),
        None => format!("<internal:main>:0:in '{label}'"),
    }
}

impl Ec {
    /// The lines of a collected backtrace as an Array of Strings.
    ///
    /// # Errors
    /// NoMemoryError.
    pub fn backtrace_strings(&mut self, locations: &[Location]) -> Res {
        let list = self.array_with_capacity(locations.len())?;
        for location in locations {
            let text = line_text(self, location);
            let s = self.str(text)?;
            self.array_push(list, s)?;
        }
        Ok(list)
    }

    /// `file:line` of the Ruby code that runs or called the running native method.
    pub fn caller_location(&self) -> Option<(Arc<str>, u32)> {
        let frame = self.caller_frame()?;
        // SAFETY: an active Ruby frame keeps its code alive.
        unsafe { frame.iseq.as_ref() }.map(|iseq| (iseq.code.file.clone(), frame.line()))
    }

    /// The frame of that code.
    pub(crate) fn caller_frame(&self) -> Option<&Frame> {
        let mut at: *const Frame = self.fiber.frame;
        // SAFETY: as in `collect`.
        unsafe {
            while let Some(frame) = at.as_ref() {
                if let Some(iseq) = frame.iseq.as_ref()
                    && !iseq.code.internal
                {
                    return Some(frame);
                }
                at = frame.prev;
            }
        }
        None
    }
}

/// The lines of an exception's backtrace.
pub fn of(ec: &mut Ec, exception: Value) -> Vec<String> {
    let Some(held) = ivars::get(ec, exception, sym::backtrace_ivar) else { return Vec::new() };
    match data::get::<Backtrace>(&held) {
        Some(backtrace) => {
            let locations = backtrace.locations.clone();
            locations.iter().map(|l| line_text(ec, l)).collect()
        }
        None => Vec::new(),
    }
}

/// Where an object was made, for programs that asked to be told (`ObjectSpace.trace_object_allocations`).
#[derive(Clone, Debug)]
pub struct Made {
    /// The file of the Ruby code that made it, or called what did.
    pub file: Arc<str>,
    /// The line in it; 0 for a literal, which is made when its file is loaded.
    pub line: u32,
    /// The method that did, which may be a native one.
    pub method: Option<Sym>,
    /// That method's class, as long as it lives.
    pub class: Option<Value>,
    /// How many collections had been before.
    pub generation: u64,
}

/// What is known of the objects of a VM. The lock is never held where its holder can be stopped.
#[derive(Default)]
pub struct Allocations {
    /// By the addresses of the objects.
    made: Mutex<HashMap<u64, Made>>,
    /// How many want to know.
    wanted: Mutex<usize>,
}

impl Keep for Allocations {
    const PLACE: Place = Place::Allocations;

    fn clear_weak(&self, liveness: &Liveness) {
        let mut made = self.made.lock();
        made.retain(|address, _| liveness.is_live_word(*address));
        for one in made.values_mut() {
            one.class = one.class.filter(|class| liveness.is_live_word(class.bits()));
        }
    }
}

impl Allocations {
    /// The thread of `ec` is making the object at this address.
    pub(crate) fn note(&self, ec: &Ec, address: u64) {
        let generation = ec.vm().heap().epoch();
        let literal = ec.thread.making_literals_of.as_ref().filter(|code| !code.internal);
        let made = if let Some(code) = literal {
            Made { file: code.file.clone(), line: 0, method: None, class: None, generation }
        } else {
            let Some(location) = innermost(ec) else { return };
            let Some(code) = location.code else { return };
            let method = Method::from_value(location.method);
            Made {
                file: code.file.clone(),
                line: location.line,
                method: method.map(|method| method.original_name()),
                class: method.map(|method| method.owner().0),
                generation,
            }
        };
        self.made.lock().insert(address, made);
    }

    /// Where an object was made, if that is known.
    pub fn of(&self, object: Value) -> Option<Made> {
        self.made.lock().get(&object.bits()).cloned()
    }

    /// One more wants to know, or one less. Does that begin or end it? Threads tell from the next collection on.
    pub fn trace(ec: &Ec, on: bool) -> bool {
        let vm = ec.vm();
        let mut wanted = vm.part::<Allocations>().wanted.lock();
        let before = *wanted;
        *wanted = if on { before + 1 } else { before.saturating_sub(1) };
        let changed = (before == 0) != (*wanted == 0);
        if changed {
            vm.heap().tell_allocations(on);
        }
        changed
    }

    /// Forgets all.
    pub fn clear(&self) {
        *self.made.lock() = HashMap::new();
    }
}
