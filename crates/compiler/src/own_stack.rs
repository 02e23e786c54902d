//! The machine stack that parsing and compiling get.

use crate::errors::{CompileError, R};

/// The machine stack that parsing and compiling gets: both recurse over the source's nesting, and the
/// caller may be on the small stack of a fiber.
pub(crate) const STACK: usize = if cfg!(debug_assertions) { 640 << 20 } else { 256 << 20 };

/// Does the work on a thread that has such a stack.
pub(crate) fn on_own_stack<T: Send>(work: impl FnOnce() -> R<T> + Send) -> R<T> {
    let limit = |what: &str| CompileError::Limit { message: what.to_string(), line: 0 };
    let starting = asterism_lock::gate::starting();
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new()
            .name("compile".into())
            .stack_size(STACK)
            .spawn_scoped(scope, move || {
                let _running = starting.begin();
                work()
            })
            .map_err(|e| limit(&format!("no memory to compile: {e}")))?;
        match thread.join() {
            Ok(result) => result,
            Err(payload) => std::panic::resume_unwind(payload),
        }
    })
}
