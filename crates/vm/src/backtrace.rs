//! Backtraces: collected as code, line and method when something is raised, turned into text when asked for.

use std::sync::Arc;

use asterism_compiler::code::Code;
use asterism_heap::Marker;
use asterism_object::class::Class;
use asterism_object::data::{self, DataObject, Shared};
use asterism_object::space::WellKnown;
use asterism_object::{Value, ivars};
use asterism_symbol::sym;

use crate::ec::{Ec, Res};
use crate::frame::{self, Frame};
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
    let mut list = unsafe { collect_from(ec.frame, ec.leaf) };
    list.drain(..skip.min(list.len()));
    list
}

/// Collects the frames from `frame` on; `leaf` is the leaf native under way.
///
/// # Safety
/// The frames down from `frame` are active, and stay so meanwhile: they are the caller's own, or their thread is stopped.
pub unsafe fn collect_from(frame: *const Frame, leaf: Value) -> Vec<Location> {
    let mut list: Vec<Location> = Vec::new();
    // How many entries at the end still wait for the location of the Ruby code that called them.
    let mut waiting = 0;
    if Method::from_value(leaf).is_some() {
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
                Some(code) if !code.internal => {
                    let line = frame.line();
                    let from = list.len() - waiting;
                    for entry in &mut list[from..] {
                        entry.code = Some(code.clone());
                        entry.line = line;
                    }
                    waiting = 0;
                    list.push(Location { code: Some(code.clone()), line, method: frame.method, own: Some(code) });
                }
                Some(code) => {
                    // Prelude code: its outermost method stands for all it does.
                    if waiting > 0 && list.last().is_some_and(|l| l.own.as_ref().is_none_or(|c| c.internal)) {
                        list.truncate(list.len() - waiting);
                        waiting = 0;
                    }
                    if !frame.has(frame::BLOCK) {
                        // What switches fibers for native callers stands for the method called.
                        let own = if &*code.label == "__switch" { None } else { Some(code) };
                        list.push(Location { code: None, line: 0, method: frame.method, own });
                        waiting += 1;
                    }
                }
                None if !frame.method.is_nil() => {
                    list.push(Location { code: None, line: 0, method: frame.method, own: None });
                    waiting += 1;
                }
                None => {}
            }
        }
    }
    list
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
        if ivars::get(ec, exception, sym::cause_ivar).is_none() && ec.errinfo != exception && !ec.errinfo.is_nil() {
            let cause = ec.errinfo;
            let _ = ivars::set(ec, exception, sym::cause_ivar, cause);
        }
    }
}

/// A line's label: `Foo#bar`, `block in Foo.bar`, `<main>`…
pub fn label(ec: &mut Ec, location: &Location) -> String {
    let method = Method::from_value(location.method);
    let text = match &location.own {
        Some(code) if !code.internal => code.label.to_string(),
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
        let mut at: *const Frame = self.frame;
        // SAFETY: as in `collect`.
        unsafe {
            while let Some(frame) = at.as_ref() {
                if let Some(iseq) = frame.iseq.as_ref()
                    && !iseq.code.internal
                {
                    return Some((iseq.code.file.clone(), frame.line()));
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
