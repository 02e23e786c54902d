//! Guards against endless recursion through objects that contain themselves (`inspect`, `==`, `hash` …).
//!
//! Each fiber keeps the list of what it is working on, as flat `[tag, a, b]` triples in an Array of its own. They are
//! few: a look-up walks the list.

use asterism_object::{Value, array};

use crate::ec::{Ec, Res};

/// What is being done with an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(i64)]
pub enum Tag {
    /// `inspect`
    Inspect,
    /// `==`
    Equal,
    /// `eql?`
    Eql,
    /// `hash`
    Hash,
    /// `<=>`
    Compare,
    /// `join`
    Join,
}

/// Runs `body` unless the same is under way for `object` already; then `None`.
///
/// # Errors
/// What `body` raises; NoMemoryError.
pub fn guard<R>(ec: &mut Ec, tag: Tag, object: Value, body: impl FnOnce(&mut Ec) -> Res<R>) -> Res<Option<R>> {
    guard_pair(ec, tag, object, Value::NIL, body)
}

/// As [`guard`], for a pair of objects.
///
/// # Errors
/// What `body` raises; NoMemoryError.
pub fn guard_pair<R>(
    ec: &mut Ec,
    tag: Tag,
    a: Value,
    b: Value,
    body: impl FnOnce(&mut Ec) -> Res<R>,
) -> Res<Option<R>> {
    let tag = Value::fixnum(tag as i64);
    let Some(depth) = enter(ec, tag, a, b)? else {
        return Ok(None);
    };
    let result = body(ec);
    leave(ec, depth)?;
    result.map(Some)
}

/// Runs `body`, which asks an object for its `hash`. When it is asked again meanwhile, all that is asked gives `None`, and the outermost too: so
/// an object that contains itself has one hash, wherever one begins, as in CRuby.
///
/// # Errors
/// What `body` raises; NoMemoryError.
pub fn guard_hash<R>(ec: &mut Ec, object: Value, body: impl FnOnce(&mut Ec) -> Res<R>) -> Res<Option<R>> {
    let tag = Value::fixnum(Tag::Hash as i64);
    let list = ec.fiber.recursion;
    let depth = if list.is_nil() { 0 } else { array::len(list) };
    // The third word says whether it was asked again.
    let outermost = (0..depth).step_by(3).find(|&i| array::at(list, i) == Some(tag));
    if outermost.is_some_and(|i| array::at(list, i + 2) == Some(Value::TRUE)) {
        return Ok(None);
    }
    let Some(depth) = enter(ec, tag, object, Value::NIL)? else {
        let done = outermost.map_or(Ok(()), |i| array::set(ec, list, i + 2, Value::TRUE));
        ec.check(list, done)?;
        return Ok(None);
    };
    let result = body(ec);
    let recursive = array::at(ec.fiber.recursion, outermost.unwrap_or(depth) + 2) == Some(Value::TRUE);
    leave(ec, depth)?;
    result.map(|found| (!recursive).then_some(found))
}

/// Notes that `tag` is under way for the pair; the depth to hand to [`leave`], or `None` if it is already.
///
/// # Errors
/// NoMemoryError.
pub fn enter(ec: &mut Ec, tag: Value, a: Value, b: Value) -> Res<Option<usize>> {
    if ec.fiber.recursion.is_nil() {
        ec.fiber.recursion = ec.array_with_capacity(30)?;
    }
    let list = ec.fiber.recursion;
    let depth = array::len(list);
    let mut i = 0;
    while i + 2 < depth {
        if array::at(list, i + 1) == Some(a) && array::at(list, i) == Some(tag) && array::at(list, i + 2) == Some(b) {
            return Ok(None);
        }
        i += 3;
    }
    let done = array::extend(ec, list, &[tag, a, b]);
    ec.check(list, done)?;
    Ok(Some(depth))
}

/// Ends what [`enter`] began at `depth`.
///
/// # Errors
/// None in practice: the list is the fiber's own, so that it is neither frozen nor shared.
pub fn leave(ec: &mut Ec, depth: usize) -> Res<()> {
    let list = ec.fiber.recursion;
    if list.is_nil() {
        return Ok(());
    }
    let done = array::truncate(ec, list, depth);
    ec.check(list, done)
}
