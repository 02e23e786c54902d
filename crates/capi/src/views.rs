//! What C looks at directly: the bodies of Strings and Arrays that it was given pointers into. Another thread may give the
//! object another body meanwhile; the old one stays as long as C could use the pointer, which is until the thread goes back to
//! Ruby.

use asterism_object::types::Type;
use asterism_object::{Value, array, ownership};
use asterism_vm::Ec;

/// Most bodies that are held; then the oldest one has to give way.
const MOST: usize = 4096;

/// Keeps `body` (nil: nothing) while C may look at it.
pub fn hold(ec: &mut Ec, body: Value) {
    if body.is_nil() {
        return;
    }
    let views = &mut ec.thread.foreign.views;
    if views.last() == Some(&body) {
        return;
    }
    if views.len() < MOST {
        views.push(body);
    } else {
        let at = ec.thread.foreign.next_view % MOST;
        ec.thread.foreign.views[at] = body;
        ec.thread.foreign.next_view = at + 1;
    }
}

/// C looks at nothing any more.
#[inline]
pub fn release(ec: &mut Ec) {
    if !ec.thread.foreign.views.is_empty() {
        release_all(ec);
    }
}

#[inline(never)]
fn release_all(ec: &mut Ec) {
    ec.thread.foreign.next_view = 0;
    for i in 0..ec.thread.foreign.views.len() {
        let body = ec.thread.foreign.views[i];
        if body.is_type(Type::Array) && !ownership::is_frozen(body) {
            array::foreign::remember(ec, body);
        }
    }
    ec.thread.foreign.views.clear();
}
