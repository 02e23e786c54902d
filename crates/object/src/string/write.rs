//! Changing strings: allocate room first, then take the string exclusively, look again, write.
//!
//! What changes a String by what was read of it, as one step, has two ways. A String that is this thread's own from the
//! reading to the last store was nobody else's in between, since who loses an object does not get it back: `replace_own` and
//! `splice_own` refuse when it is not any more. One that several threads have is held, its lock kept while a copy of it is
//! worked on, and gets the copy's text; no Ruby code may run meanwhile. Where some has to, `replace_seen` decides.

use std::sync::atomic::Ordering;

use asterism_heap::{Cell, Exclusive, Kept, Mutator, header};
use asterism_support::encoding::Encoding;

use super::buffer::Body;
use super::coderange::{in_encoding, range_of_part, range_of_splice};
use super::layout::{BODY, CodeRange, KIND_BUFFER, LENT, MAX_LEN, Meta, Str, in_a_row, scan};
use super::make::LONG;
use super::read::{StrRef, read};
use crate::cells::Obj;
use crate::error::{ObjError, Result};
use crate::ownership;
use crate::types::Type;
use crate::value::Value;

const TOO_BIG: ObjError = ObjError::TooBig("string sizes too big");

/// A string that this thread may change: exclusive, with a body of its own.
pub struct StrMut<'a> {
    string: Str,
    guard: Exclusive<'a>,
}

impl StrMut<'_> {
    /// Is the String this thread's own?
    fn is_owner(&self) -> bool {
        self.guard.is_owner()
    }

    /// The bytes.
    pub fn as_slice(&self) -> &[u8] {
        // SAFETY: the guard holds the string while `self` is borrowed.
        unsafe { self.string.bytes(self.string.meta()) }
    }

    /// The bytes, to be changed. The coderange is forgotten.
    pub fn as_mut_slice(&mut self) -> &mut [u8] {
        let meta = self.string.meta().with_range(CodeRange::Unknown);
        self.string.set_meta(meta);
        let (pointer, _) = self.string.place(meta);
        // SAFETY: the guard holds the string exclusively while `self` is borrowed, `modify` made
        // sure that nobody shares its body, and `len` bytes are initialised.
        unsafe { std::slice::from_raw_parts_mut(pointer, meta.len()) }
    }

    /// How many bytes there is room for.
    pub fn capacity(&self) -> usize {
        self.string.place(self.string.meta()).1
    }

    /// Sets the length, at most the capacity. New bytes are zero.
    pub fn set_len(&mut self, len: usize) {
        let meta = self.string.meta();
        let (pointer, capacity) = self.string.place(meta);
        let len = len.min(capacity);
        if len > meta.len() {
            // SAFETY: the range lies within the capacity of a body that is ours.
            unsafe { pointer.add(meta.len()).write_bytes(0, len - meta.len()) };
        }
        let range = match meta.range() {
            CodeRange::SevenBit => CodeRange::SevenBit,
            _ if len <= meta.len() => range_of_part(meta, self.as_slice(), 0, len),
            _ => CodeRange::Unknown,
        };
        self.string.set_meta(meta.with_len(len).with_range(range));
    }

    /// The encoding's index.
    pub fn encoding(&self) -> u8 {
        self.string.meta().encoding()
    }

    /// Sets the encoding.
    pub fn set_encoding(&mut self, encoding: u8) {
        let meta = self.string.meta();
        let range = in_encoding(meta.range(), meta.encoding(), encoding);
        self.string.set_meta(meta.with_encoding(encoding).with_range(range));
    }

    /// Records the coderange.
    pub fn set_coderange(&mut self, range: CodeRange) {
        self.string.set_meta(self.string.meta().with_range(range));
    }

    /// Appends bytes whose coderange is `range`; `false` if there is no room.
    pub fn push_bytes(&mut self, bytes: &[u8], range: CodeRange) -> bool {
        let meta = self.string.meta();
        push(self.string, meta, bytes, range)
    }

    /// Replaces all bytes; `false` if there is no room.
    fn assign(&mut self, bytes: &[u8], encoding: u8, range: CodeRange) -> bool {
        let meta = self.string.meta();
        let (pointer, capacity) = self.string.place(meta);
        if bytes.len() > capacity {
            return false;
        }
        // SAFETY: there is room, as just checked; the body is ours alone, so `bytes`, which is borrowed, is not part of it.
        unsafe { pointer.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
        self.string.set_meta(meta.with_len(bytes.len()).with_encoding(encoding).with_range(range));
        true
    }

    /// Replaces `len` bytes from `start` on by `bytes`; `false` if there is no room. Both must lie
    /// within the string.
    fn splice(&mut self, start: usize, len: usize, bytes: &[u8]) -> bool {
        let meta = self.string.meta();
        let (pointer, capacity) = self.string.place(meta);
        let old = meta.len();
        let total = old - len + bytes.len();
        if total > capacity {
            return false;
        }
        let range = range_of_splice(meta, self.as_slice(), start, start + len, bytes);
        // SAFETY: all ranges lie within the capacity, as just checked; the body is ours alone, so
        // `bytes`, which is borrowed, is not part of it.
        unsafe {
            let tail = pointer.add(start + len);
            tail.copy_to(pointer.add(start + bytes.len()), old - start - len);
            pointer.add(start).copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
        }
        self.string.set_meta(meta.with_len(total).with_range(range));
        true
    }
}

/// Appends in place if there is room and the body is the string's own. The caller has it exclusively.
#[inline(always)]
fn push(string: Str, meta: Meta, bytes: &[u8], range: CodeRange) -> bool {
    let (pointer, capacity) = string.place(meta);
    let len = meta.len();
    if meta.is_shared() || capacity - len < bytes.len() {
        return false;
    }
    // SAFETY: the room behind `len` is within the capacity of a body that this thread has
    // exclusively; `bytes` may be a part of the same body, but only of what lies before `len`.
    unsafe { pointer.add(len).copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
    let range = if len == 0 { range } else { in_a_row(meta.range(), range) };
    string.set_meta(meta.with_len(len + bytes.len()).with_range(range));
    true
}

/// The capacity to ask for when a string of `len` bytes needs `extra` more.
fn grown(len: usize, extra: usize) -> Result<usize> {
    let need = len.checked_add(extra).filter(|&n| n <= MAX_LEN).ok_or(TOO_BIG)?;
    if extra == 0 {
        return Ok(need);
    }
    let more = if len < 1 << 20 { len } else { len / 2 };
    Ok(need.max(len + more).min(MAX_LEN))
}

/// Exclusive access to a String that may be changed.
#[inline(always)]
fn exclusive<'a>(m: &'a mut Mutator, v: &'a Value) -> Result<Exclusive<'a>> {
    let guard = ownership::modify(m, v)?;
    if guard.header() & LENT != 0 { Err(ObjError::Lent) } else { Ok(guard) }
}

/// May this thread change the String right now?
#[inline(always)]
fn is_mine(m: &Mutator, string: Str) -> bool {
    let header = string.0.header();
    m.owned_and_unfrozen(header) && header & LENT == 0
}

/// Lends the bytes of `v` out: until `give_back` they change by [`modify_lent`] only. `false`: they were already.
pub fn lend(m: &mut Mutator, v: Value) -> Result<bool> {
    let guard = ownership::modify(m, &v)?;
    let is_new = guard.header() & LENT == 0;
    guard.set_header_bits(LENT);
    Ok(is_new)
}

/// Ends `lend`.
pub fn give_back(m: &mut Mutator, v: Value) {
    // Who has been frozen meanwhile stays as it is.
    if let Ok(guard) = ownership::modify(m, &v) {
        guard.clear_header_bits(LENT);
    }
}

/// As [`modify`], for whom the bytes were lent to.
pub fn modify_lent<'a>(m: &'a mut Mutator, v: &'a Value) -> Result<StrMut<'a>> {
    modify_by(m, v, 0, ownership::modify)
}

/// Exclusive access to `v`, with a body of its own and room for `extra` more bytes.
pub fn modify<'a>(m: &'a mut Mutator, v: &'a Value, extra: usize) -> Result<StrMut<'a>> {
    modify_by(m, v, extra, exclusive)
}

#[inline(always)]
fn modify_by<'a>(
    m: &'a mut Mutator,
    v: &'a Value,
    extra: usize,
    take: impl Fn(&'a mut Mutator, &'a Value) -> Result<Exclusive<'a>>,
) -> Result<StrMut<'a>> {
    let string = Str::of(*v);
    let mut spare: Option<Body> = None;
    let m: *mut Mutator = m;
    loop {
        // SAFETY: `m` came from the one exclusive borrow, and no earlier reborrow is alive: the
        // guard below is dropped before the next turn. (The borrow checker cannot see that a guard
        // which is returned on one path is dropped on the other.)
        let guard = take(unsafe { &mut *m }, v)?;
        match prepare(&guard, string, extra, spare.take())? {
            None => {
                return Ok(StrMut { string, guard });
            }
            Some(capacity) => {
                drop(guard);
                // SAFETY: as above.
                spare = Some(Body::new(unsafe { &mut *m }, capacity)?);
            }
        }
    }
}

/// Is the body unshared, with room for `extra` more?
#[inline(always)]
fn ready(string: Str, extra: usize) -> bool {
    let meta = string.meta();
    !meta.is_shared() && string.place(meta).1 - meta.len() >= extra
}

/// Makes the string ready, using `spare` if it needs a new body and that is big enough. `Some(n)`: a
/// body of that capacity is needed.
#[inline(never)]
fn prepare(guard: &Exclusive<'_>, string: Str, extra: usize, spare: Option<Body>) -> Result<Option<usize>> {
    if ready(string, extra) {
        return Ok(None);
    }
    let meta = string.meta();
    let capacity = grown(meta.len(), extra)?;
    if meta.kind() == KIND_BUFFER && !meta.is_shared() {
        let body = Body::grow(guard.mutator(), string.0.value(BODY), capacity);
        if let Some(body) = body {
            string.install(body, meta);
            return Ok(None);
        }
    }
    match spare.filter(|body| body.capacity >= meta.len() + extra) {
        Some(body) => {
            let (pointer, _) = string.place(meta);
            // SAFETY: the new body has room for the old bytes, is fresh, and the string's bytes
            // cannot change: the guard holds it.
            unsafe { body.pointer.copy_from_nonoverlapping(pointer, meta.len()) };
            string.install(body, meta);
            Ok(None)
        }
        None => Ok(Some(capacity)),
    }
}

/// Appends bytes that are compatible with the string's encoding.
pub fn append(m: &mut Mutator, v: Value, bytes: &[u8]) -> Result<()> {
    let range = scan(super::layout::encoding(v), bytes);
    append_cr(m, v, bytes, range)
}

/// Appends bytes whose coderange in the string's encoding is known.
#[inline]
pub fn append_cr(m: &mut Mutator, v: Value, bytes: &[u8], range: CodeRange) -> Result<()> {
    let string = Str::of(v);
    if is_mine(m, string) && push(string, string.meta(), bytes, range) {
        return Ok(());
    }
    append_slow(m, v, bytes, range)
}

#[inline(never)]
fn append_slow(m: &mut Mutator, v: Value, bytes: &[u8], range: CodeRange) -> Result<()> {
    let string = Str::of(v);
    let mut spare: Option<Body> = None;
    loop {
        let guard = exclusive(m, &v)?;
        match prepare(&guard, string, bytes.len(), spare.take())? {
            None => {
                let done = push(string, string.meta(), bytes, range);
                debug_assert!(done, "a string that was made ready has no room");
                return Ok(());
            }
            Some(capacity) => {
                drop(guard);
                spare = Some(Body::new(m, capacity)?);
            }
        }
    }
}

/// Appends one byte.
pub fn append_byte(m: &mut Mutator, v: Value, byte: u8) -> Result<()> {
    append(m, v, &[byte])
}

/// The coderange of `bytes`, whose String has `meta`, behind `string`. What is appended to a String of a known coderange is
/// scanned at once, so that the whole String need not be.
#[inline(always)]
fn appended_range(string: Str, meta: Meta, bytes: &[u8]) -> CodeRange {
    let target = string.meta();
    if meta.range() == CodeRange::Unknown
        && target.range().is_text()
        && meta.encoding() == target.encoding()
        && bytes.len() < LONG
    {
        scan(meta.encoding(), bytes)
    } else {
        meta.range()
    }
}

/// The common case of appending `source`, a heap value of any type, to the String `v`: both are Strings of this thread's
/// own, their encodings go together, and there is room. `false`: it is another case, and nothing has been done.
#[inline(always)]
pub fn append_own(m: &Mutator, v: Value, source: &Cell) -> bool {
    const STRING: u8 = Type::String as u8;
    let string = Str::of(v);
    if !m.owned_and_plain(string.0.header(), STRING)
        || !m.readable_and_plain(source.header.load(Ordering::Relaxed) & !super::layout::CHILLED, STRING)
    {
        return false;
    }
    let from = Str(Obj(Value::from_cell(source)));
    let (meta, added) = (string.meta(), from.meta());
    // SAFETY: both are owned, and `m` is borrowed: no safepoint. `push` writes only behind the bytes that a string has, so
    // that this holds for `source == v` too.
    let bytes = unsafe { from.bytes(added) };
    goes_with(meta, added) && push(string, meta, bytes, appended_range(string, added, bytes))
}

/// May text like `from` be appended to text like `to` without a look at the bytes, and without another encoding?
#[inline(always)]
fn goes_with(to: Meta, from: Meta) -> bool {
    // What is known to be ASCII goes with binary, UTF-8 and US-ASCII, the first encodings.
    to.encoding() == from.encoding()
        || from.range() == CodeRange::SevenBit && to.encoding() <= Encoding::US_ASCII.index()
}

/// May the String `source` be appended to `v` with no other check of their encodings?
#[inline]
pub fn appends_as_is(v: Value, source: Value) -> bool {
    goes_with(Str::of(v).meta(), Str::of(source).meta())
}

/// Appends the bytes of `source`; that the encodings fit is the caller's business.
#[inline]
pub fn append_str(m: &mut Mutator, v: Value, source: Value) -> Result<()> {
    let (string, from) = (Str::of(v), Str::of(source));
    if is_mine(m, string) && ownership::readable(m, from.cell().header()) {
        let meta = from.meta();
        // SAFETY: frozen or owned; `push` writes only behind the bytes a string has, so that this
        // holds for `source == v` too.
        let bytes = unsafe { from.bytes(meta) };
        if push(string, string.meta(), bytes, appended_range(string, meta, bytes)) {
            return Ok(());
        }
    }
    append_str_slow(m, v, source)
}

#[inline(never)]
fn append_str_slow(m: &mut Mutator, v: Value, source: Value) -> Result<()> {
    if v != source {
        let (string, from) = (Str::of(v), Str::of(source));
        let guard = exclusive(m, &v)?;
        // Taking the target may have been a safepoint, at which the source went to another thread.
        if ownership::readable(guard.mutator(), from.cell().header()) {
            let meta = from.meta();
            // SAFETY: frozen or owned, and no safepoint while the guard lives.
            let bytes = unsafe { from.bytes(meta) };
            if push(string, string.meta(), bytes, appended_range(string, meta, bytes)) {
                return Ok(());
            }
        }
    }
    if v != source && header::is_frozen(Str::of(source).cell().header())
        || super::layout::len(source) <= super::layout::MAX_INLINE
    {
        let bytes: StrRef = read(m, source);
        return append_slow(m, v, &bytes, bytes.meta_range());
    }
    // Without marking the source shared, which would make its own next append copy it: room first,
    // then a copy from string to string if both are ours; else by way of a stable reference.
    drop(modify(m, &v, super::layout::len(source))?);
    let (string, from) = (Str::of(v), Str::of(source));
    if is_mine(m, string) && ownership::readable(m, from.cell().header()) {
        let meta = from.meta();
        // SAFETY: as in `append_str`.
        let bytes = unsafe { from.bytes(meta) };
        if push(string, string.meta(), bytes, appended_range(string, meta, bytes)) {
            return Ok(());
        }
    }
    let bytes = read(m, source);
    append_slow(m, v, &bytes, bytes.meta_range())
}

/// Replaces `len` bytes from `start` on (both clipped to the string) by `bytes`.
pub fn splice(m: &mut Mutator, v: Value, start: usize, len: usize, bytes: &[u8]) -> Result<()> {
    loop {
        let mut string = modify(m, &v, bytes.len())?;
        let old = string.as_slice().len();
        let start = start.min(old);
        if string.splice(start, len.min(old - start), bytes) {
            return Ok(());
        }
    }
}

/// Makes the bytes and the encoding of `other` those of `v`.
pub fn replace(m: &mut Mutator, v: Value, other: Value) -> Result<()> {
    if v == other {
        return exclusive(m, &v).map(drop);
    }
    replace_when(m, v, other, |_| true).map(drop)
}

/// The same if `may` says so, which is asked whether this thread owns `v`; else `false`.
fn replace_when(m: &mut Mutator, v: Value, other: Value, may: impl Fn(bool) -> bool) -> Result<bool> {
    // A copy that shares a long body; its parts are then taken over.
    let copy = Str::of(super::read::dup(m, other)?);
    let string = Str::of(v);
    let meta = copy.meta();
    if meta.kind() == super::layout::KIND_INLINE || meta.len() <= super::layout::MAX_INLINE {
        let bytes = read(m, copy.0.0);
        return replace_with(m, v, &bytes, meta.encoding(), bytes.meta_range(), may);
    }
    let guard = exclusive(m, &v)?;
    if !may(guard.is_owner()) {
        return Ok(false);
    }
    let (pointer, capacity) = copy.place(meta);
    let body = Body { object: copy.0.value(BODY), pointer, capacity, kind: meta.kind() };
    let step = string.meta().0 & super::layout::STEP_MASK;
    string.install(body, Meta(meta.0 & !super::layout::STEP_MASK | step));
    if meta.is_shared() {
        string.set_meta(Meta(string.meta().0 | super::layout::SHARED));
    }
    Ok(true)
}

/// Makes these bytes in this encoding the string's.
pub fn replace_bytes(m: &mut Mutator, v: Value, bytes: &[u8], encoding: u8) -> Result<()> {
    replace_with(m, v, bytes, encoding, scan(encoding, bytes), |_| true).map(drop)
}

fn replace_with(
    m: &mut Mutator,
    v: Value,
    bytes: &[u8],
    encoding: u8,
    range: CodeRange,
    may: impl Fn(bool) -> bool,
) -> Result<bool> {
    loop {
        let mut string = modify(m, &v, bytes.len())?;
        if !may(string.is_owner()) {
            return Ok(false);
        }
        if string.assign(bytes, encoding, range) {
            return Ok(true);
        }
    }
}

/// Changes the encoding and not the bytes.
pub fn force_encoding(m: &mut Mutator, v: Value, encoding: u8) -> Result<()> {
    let string = Str::of(v);
    let _guard = exclusive(m, &v)?;
    let meta = string.meta();
    let range = in_encoding(meta.range(), meta.encoding(), encoding);
    string.set_meta(meta.with_encoding(encoding).with_range(range));
    Ok(())
}

/// Records a coderange that the caller has found, unless the string is frozen (then it is found
/// again when needed).
pub fn set_coderange(m: &mut Mutator, v: Value, range: CodeRange) {
    if let Ok(_guard) = ownership::modify(m, &v) {
        let string = Str::of(v);
        string.set_meta(string.meta().with_range(range));
    }
}

/// Sets byte `i`.
pub fn set_byte(m: &mut Mutator, v: Value, i: usize, byte: u8) -> Result<()> {
    let mut string = modify(m, &v, 0)?;
    let known = string.string.meta().range();
    let slot = string.as_mut_slice().get_mut(i).ok_or(ObjError::Index)?;
    let old = std::mem::replace(slot, byte);
    let range = match known {
        CodeRange::SevenBit if byte < 0x80 => CodeRange::SevenBit,
        // One ASCII character for another in a text that has others.
        CodeRange::Valid if old < 0x80 && byte < 0x80 && string.encoding() <= Encoding::US_ASCII.index() => known,
        _ => CodeRange::Unknown,
    };
    string.set_coderange(range);
    Ok(())
}

/// Removes all bytes but the first `n`.
pub fn truncate(m: &mut Mutator, v: Value, n: usize) -> Result<()> {
    let string = Str::of(v);
    let _guard = exclusive(m, &v)?;
    let meta = string.meta();
    if n < meta.len() {
        // SAFETY: the guard holds the string.
        let range = range_of_part(meta, unsafe { string.bytes(meta) }, 0, n);
        // The body may be shared: its bytes stay.
        string.set_meta(meta.with_len(n).with_range(range));
    }
    Ok(())
}

/// Removes all bytes.
pub fn clear(m: &mut Mutator, v: Value) -> Result<()> {
    truncate(m, v, 0)
}

/// Is the String this thread's own, so that it can be changed without keeping others away?
pub fn is_own(m: &Mutator, v: Value) -> bool {
    let header = Str::of(v).0.header();
    ownership::is_own(m, header) && header & LENT == 0
}

/// Makes these bytes in this encoding those of a String of this thread's own; `false` if it is not any more.
pub fn replace_own(m: &mut Mutator, v: Value, bytes: &[u8], encoding: u8) -> Result<bool> {
    replace_with(m, v, bytes, encoding, scan(encoding, bytes), |own| own)
}

/// Makes the text of `other` that of a String of this thread's own; `false` if it is not any more.
pub fn replace_if_own(m: &mut Mutator, v: Value, other: Value) -> Result<bool> {
    replace_when(m, v, other, |own| own)
}

/// Replaces `len` bytes from `start` on (both clipped) in a String of this thread's own by bytes of this encoding, which
/// becomes the String's; `false` if it is not any more.
pub fn splice_own(m: &mut Mutator, v: Value, start: usize, len: usize, bytes: &[u8], encoding: u8) -> Result<bool> {
    loop {
        let mut string = modify(m, &v, bytes.len())?;
        if !string.is_owner() {
            return Ok(false);
        }
        let old = string.as_slice().len();
        let start = start.min(old);
        if string.splice(start, len.min(old - start), bytes) {
            if string.encoding() != encoding {
                string.set_encoding(encoding);
            }
            return Ok(true);
        }
    }
}

/// Leaves `len` bytes from `start` on in a String of this thread's own; `false` if it is not any more.
pub fn crop_own(m: &mut Mutator, v: Value, start: usize, len: usize) -> Result<bool> {
    let string = Str::of(v);
    if start > 0 {
        let mut string = modify(m, &v, 0)?;
        if !string.is_owner() {
            return Ok(false);
        }
        let end = string.as_slice().len().min(start.saturating_add(len));
        string.set_len(end);
        string.splice(0, start.min(end), b"");
        return Ok(true);
    }
    let guard = exclusive(m, &v)?;
    let meta = string.meta();
    if guard.is_owner() && len < meta.len() {
        // SAFETY: the guard holds the string.
        let range = range_of_part(meta, unsafe { string.bytes(meta) }, 0, len);
        string.set_meta(meta.with_len(len).with_range(range));
    }
    Ok(guard.is_owner())
}

/// A String that others wait for.
pub struct Held<'a> {
    string: &'a Value,
    lock: Kept<'a>,
}

/// Takes the lock of a String and keeps it; with a copy of the String, which is this thread's own.
pub fn hold<'a>(m: &mut Mutator, v: &'a Value) -> Result<(Held<'a>, Value)> {
    ownership::check_unfrozen(*v)?;
    let string = Str::of(*v);
    let Some(cell) = v.cell() else {
        return Err(ObjError::Frozen);
    };
    let lock = m.keep(cell);
    ownership::check_unfrozen(*v)?;
    if cell.header() & LENT != 0 {
        return Err(ObjError::Lent);
    }
    let meta = string.meta();
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(meta.len()).map_err(|_| ObjError::NoMemory)?;
    // SAFETY: this thread holds the String's lock.
    bytes.extend_from_slice(unsafe { string.bytes(meta) });
    let copy = super::make::new_cr(m, &bytes, meta.encoding(), meta.range())?;
    Ok((Held { string: v, lock }, copy))
}

impl Held<'_> {
    /// Gives the String the text of `copy`, a String of this thread's own, and lets it go.
    pub fn take_over(self, m: &mut Mutator, copy: Value) -> Result<()> {
        let (string, from) = (Str::of(*self.string), Str::of(copy));
        let (text, meta) = (from.meta(), string.meta());
        let fits = !meta.is_shared() && string.place(meta).1 >= text.len();
        let spare = if fits { None } else { Some(Body::new(m, text.len())?) };
        let _guard = self.lock.resume(m);
        let pointer = spare.as_ref().map_or_else(|| string.place(meta).0, |body| body.pointer);
        // SAFETY: there is room for the text, in a fresh body or in one that nobody else has, of a String whose lock this thread
        // holds. The copy is this thread's own, and there has been no safepoint since the lock was taken over.
        unsafe { pointer.copy_from_nonoverlapping(from.bytes(text).as_ptr(), text.len()) };
        // The one store that others see without the lock.
        let made = meta.with_len(text.len()).with_encoding(text.encoding()).with_range(text.range());
        match spare {
            Some(body) => string.install(body, made),
            None => string.set_meta(made),
        }
        asterism_heap::keep_alive(copy.bits());
        Ok(())
    }
}

/// Puts the text of `made` in the place of that of `seen`, a copy of `v`, if `v` still has that. If it has not, `joined` says that
/// what others have changed in other places than those in which `made` differs is to be kept; else `false`.
pub fn replace_seen(m: &mut Mutator, v: Value, seen: Value, made: Value, joined: bool) -> Result<bool> {
    let (seen, bytes) = (read(m, seen), read(m, made));
    let (old_encoding, encoding) = (seen.encoding(), bytes.encoding());
    let range = bytes.coderange();
    loop {
        let extra = bytes.len().max(seen.len());
        let mut string = modify(m, &v, extra)?;
        let now = string.as_slice();
        if string.encoding() != old_encoding {
            return Ok(false);
        }
        let total = now.len();
        if now == &*seen {
            if string.splice(0, total, &bytes) {
                string.set_encoding(encoding);
                string.set_coderange(range);
                return Ok(true);
            }
            continue;
        }
        if !joined || encoding != old_encoding {
            return Ok(false);
        }
        let Some((start, len, part)) = apart(&seen, &bytes, now) else {
            return Ok(false);
        };
        if string.splice(start, len, part) {
            return Ok(true);
        }
    }
}

/// Length of the common beginning, and of the common end behind it.
fn common(a: &[u8], b: &[u8]) -> (usize, usize) {
    let front = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let back = a[front..].iter().rev().zip(b[front..].iter().rev()).take_while(|(x, y)| x == y).count();
    (front, back)
}

/// Where `old` was made into `new` by one and into `now` by others, in places apart: which part of `now` is to be replaced, start
/// and length, and by what.
fn apart<'a>(old: &[u8], new: &'a [u8], now: &[u8]) -> Option<(usize, usize, &'a [u8])> {
    let (front, back) = common(old, new);
    let (their_front, their_back) = common(old, now);
    let (end, their_end) = (old.len() - back, old.len() - their_back);
    let part = &new[front..new.len() - back];
    if end <= their_front {
        Some((front, end - front, part))
    } else if front >= their_end {
        // Counted from the end, before which they changed something.
        Some((now.len() - (old.len() - front), end - front, part))
    } else {
        None
    }
}
