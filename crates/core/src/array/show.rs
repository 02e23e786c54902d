//! Array: `inspect`, `join`, `flatten`, `*`.

use asterism_object::string::CodeRange;
use asterism_object::types::Type;
use asterism_object::{Value, array, string};
use asterism_support::Encoding;
use asterism_symbol::US_ASCII;
use asterism_vm::basic_ops::{BasicOp, Classes};
use asterism_vm::memory::Buffer;
use asterism_vm::{Args, Ec, Exc, NativeDef, Raised, Res};

use super::compare::redefined;
use super::update::replace_by;
use asterism_vm::recursion::{Tag, guard};

pub(super) static LIST: &[NativeDef] = &[
    NativeDef::new("inspect", inspect, 0, 0),
    NativeDef::new("to_s", inspect, 0, 0),
    NativeDef::new("join", join, 0, 1),
    NativeDef::new("*", times, 1, 1),
    NativeDef::new("+", plus, 1, 1).leaf(),
    NativeDef::new("flatten", flatten, 0, 1),
    NativeDef::new("flatten!", flatten_bang, 0, 1),
];

/// Text made of pieces in several encodings.
pub(crate) struct Builder {
    bytes: Buffer,
    encoding: u8,
    ascii: bool,
    /// Is it known that each piece is text, and whether it is ASCII?
    known: bool,
}

impl Builder {
    /// Empty, in `encoding` until a piece says otherwise.
    pub(crate) fn new(ec: &Ec, encoding: u8) -> Builder {
        Builder { bytes: Buffer::new(ec), encoding, ascii: true, known: true }
    }

    /// Appends ASCII text.
    ///
    /// # Errors
    /// NoMemoryError.
    pub(crate) fn ascii(&mut self, ec: &mut Ec, text: &[u8]) -> Res<()> {
        self.bytes.append(ec, text)
    }

    /// What is there is text in the encoding of `s`, if that has ASCII.
    pub(crate) fn begin_as(&mut self, s: Value) {
        let encoding = string::encoding(s);
        if Encoding::from_index(usize::from(encoding)).is_some_and(|e| e.is_ascii_compatible()) {
            self.encoding = encoding;
        }
    }

    /// Appends a String; the encodings have to be compatible.
    pub(crate) fn string(&mut self, ec: &mut Ec, s: Value) -> Res<()> {
        let encoding = string::encoding(s);
        // Text in UTF-16 or UTF-32 is never ASCII for its neighbours: what is there must be in the same encoding.
        let plain = |e: u8| Encoding::from_index(usize::from(e)).is_none_or(|e| e.is_ascii_compatible());
        let range = string::coderange(ec, s);
        // Of a String that other threads may change at any time it is not.
        let own = s.cell().is_some_and(|cell| asterism_object::ownership::readable(ec, cell.header()));
        self.known &= own && range != CodeRange::Broken;
        let ascii = range == CodeRange::SevenBit && plain(encoding);
        let own_is_plain = encoding == self.encoding || plain(self.encoding);
        if encoding != self.encoding && string::len(s) > 0 && (!ascii || !own_is_plain) {
            if !self.bytes.is_empty() && (!self.ascii || !own_is_plain || !plain(encoding)) {
                let name = |e: u8| Encoding::from_index(usize::from(e)).map_or("", |e| e.name()).to_string();
                let (a, b) = (name(self.encoding), name(encoding));
                let shown = |n: String| {
                    if n == "ASCII-8BIT" { "BINARY (ASCII-8BIT)".to_string() } else { n }
                };
                let message = format!("incompatible character encodings: {} and {}", shown(a), shown(b));
                return Err(incompatible(ec, &message));
            }
            self.encoding = encoding;
        }
        self.ascii &= ascii;
        self.bytes.reserve(ec, string::len(s))?;
        string::with_bytes(ec, s, |bytes, _| self.bytes.extend_from_slice(bytes));
        Ok(())
    }

    /// The String.
    pub(crate) fn finish(self, ec: &mut Ec) -> Res {
        let plain = Encoding::from_index(usize::from(self.encoding)).is_some_and(|e| e.is_ascii_compatible());
        let ascii = plain && self.known && self.ascii;
        let range = if ascii { CodeRange::SevenBit } else { CodeRange::Unknown };
        let made = string::new_cr(ec, &self.bytes, self.encoding, range);
        let made = ec.check(Value::NIL, made)?;
        if plain && self.known {
            string::set_valid(ec, made);
        }
        Ok(made)
    }
}

#[cold]
fn incompatible(ec: &mut Ec, message: &str) -> asterism_vm::Raised {
    let scope = ec.known(asterism_object::space::WellKnown::Encoding);
    let name = asterism_symbol::intern("CompatibilityError");
    match ec.own_constant(scope, name) {
        Some(class) if class.is_heap() => ec.raise_class(class, message.as_bytes()),
        _ => ec.raise(Exc::EncodingError, message),
    }
}

fn inspect(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    if array::is_empty(this) {
        return ec.str_enc(b"[]", US_ASCII);
    }
    let shown = guard(ec, Tag::Inspect, this, |ec| {
        let mut text = Builder::new(ec, US_ASCII);
        text.ascii(ec, b"[")?;
        let mut i = 0;
        while let Some(v) = array::at(this, i) {
            if i > 0 {
                text.ascii(ec, b", ")?;
            }
            match v.fixnum_value() {
                Some(n) if !redefined(ec, BasicOp::INSPECT, Classes::INTEGER) => {
                    text.ascii(ec, n.to_string().as_bytes())?
                }
                _ => {
                    let s = ec.inspect(v)?;
                    // The first element decides about the encoding.
                    if i == 0 {
                        text.begin_as(s);
                    }
                    text.string(ec, s)?;
                }
            }
            i += 1;
            ec.poll()?;
        }
        text.ascii(ec, b"]")?;
        text.finish(ec)
    })?;
    match shown {
        Some(s) => Ok(s),
        None => ec.str("[...]"),
    }
}

fn join(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let mut separator = args.or_nil(0);
    if separator.is_nil() {
        separator = ec.gvar_get(asterism_symbol::intern("$,"))?;
        if !separator.is_nil() {
            asterism_vm::load::warn_deprecated(ec, "$, is set to non-nil value")?;
        }
    }
    // There is nothing to put it between.
    if array::is_empty(this) {
        return ec.str_enc(b"", US_ASCII);
    }
    if !separator.is_nil() {
        separator = ec.to_str(separator)?;
    }
    join_with(ec, this, separator)
}

/// `join` with a String or nil between.
pub(crate) fn join_with(ec: &mut Ec, this: Value, separator: Value) -> Res {
    if array::is_empty(this) {
        return ec.str_enc(b"", US_ASCII);
    }
    if let Some(joined) = join_strings(ec, this, separator)? {
        return Ok(joined);
    }
    let mut text = Builder::new(ec, US_ASCII);
    let mut first = true;
    join_into(ec, this, separator, &mut text, &mut first)?;
    text.finish(ec)
}

/// What the Array joins as if all its elements are Strings: nothing can be in itself then.
fn join_strings(ec: &mut Ec, list: Value, separator: Value) -> Res<Option<Value>> {
    let between = if separator.is_nil() { 0 } else { string::len(separator) };
    let (mut i, mut bytes) = (0, 0_usize);
    while let Some(v) = array::at(list, i) {
        if !v.is_type(Type::String) {
            // The first element that is no String is asked for one before anything is joined, as CRuby does to know the size: what
            // that changes in the Array counts.
            if v.is_heap() && !v.is_type(Type::Array) {
                ec.check_string(v)?;
            }
            return Ok(None);
        }
        bytes = bytes.saturating_add(string::len(v)).saturating_add(between);
        i += 1;
    }
    let mut text = Builder::new(ec, US_ASCII);
    text.bytes.reserve(ec, bytes)?;
    let (mut i, mut first) = (0, true);
    while let Some(v) = array::at(list, i) {
        // Another thread may have stored it just now.
        if !v.is_type(Type::String) {
            return Ok(None);
        }
        put(ec, v, separator, &mut text, &mut first)?;
        i += 1;
        ec.poll()?;
    }
    Ok(Some(text.finish(ec)?))
}

fn join_into(ec: &mut Ec, list: Value, separator: Value, text: &mut Builder, first: &mut bool) -> Res<()> {
    ec.check_stack()?;
    let done = guard(ec, Tag::Join, list, |ec| {
        let mut i = 0;
        while let Some(v) = array::at(list, i) {
            i += 1;
            ec.poll()?;
            if v.is_type(Type::Array) {
                if array::is_empty(v) {
                    put_between(ec, separator, text, first)?;
                    continue;
                }
                join_into(ec, v, separator, text, first)?;
                continue;
            }
            let s = match piece(ec, v)? {
                Piece::Text(s) => s,
                Piece::List(inner) => {
                    // What it converts to may be another Array each time: the object itself is what comes back.
                    match guard(ec, Tag::Join, v, |ec| join_into(ec, inner, separator, text, first))? {
                        Some(()) => continue,
                        None => return Err(recursive_join(ec)),
                    }
                }
            };
            put(ec, s, separator, text, first)?;
        }
        Ok(())
    })?;
    match done {
        Some(()) => Ok(()),
        None => Err(recursive_join(ec)),
    }
}

#[cold]
fn recursive_join(ec: &mut Ec) -> Raised {
    ec.arg_error("recursive array join")
}

/// Appends a piece, and before it what comes between two.
fn put(ec: &mut Ec, piece: Value, separator: Value, text: &mut Builder, first: &mut bool) -> Res<()> {
    let was_first = *first;
    put_between(ec, separator, text, first)?;
    // The first piece decides about the encoding.
    if was_first && text.bytes.is_empty() {
        text.encoding = string::encoding(piece);
    }
    text.string(ec, piece)
}

fn put_between(ec: &mut Ec, separator: Value, text: &mut Builder, first: &mut bool) -> Res<()> {
    if *first {
        *first = false;
        return Ok(());
    }
    if separator.is_nil() { Ok(()) } else { text.string(ec, separator) }
}

enum Piece {
    Text(Value),
    List(Value),
}

/// What an element that is no Array joins as.
fn piece(ec: &mut Ec, v: Value) -> Res<Piece> {
    if v.is_type(Type::String) {
        return Ok(Piece::Text(v));
    }
    if v.is_heap() {
        if let Some(s) = ec.check_string(v)? {
            return Ok(Piece::Text(s));
        }
        if let Some(list) = ec.check_array(v)? {
            return Ok(Piece::List(list));
        }
    }
    ec.to_s(v).map(Piece::Text)
}

fn times(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    if let Some(separator) = ec.check_string(args[0])? {
        return join_with(ec, this, separator);
    }
    let n = ec.to_i64(args[0])?;
    let Ok(n) = usize::try_from(n) else {
        return Err(ec.arg_error("negative argument"));
    };
    let copy = array::snapshot(ec, this);
    let copy = ec.check(this, copy)?;
    let len = array::len(copy);
    match len.checked_mul(n) {
        Some(total) if total <= array::MAX_LEN => {
            let out = ec.array_with_capacity(total)?;
            if len > 0 {
                for _ in 0..n {
                    let done = array::append_private(ec, out, copy);
                    ec.check(out, done)?;
                }
            }
            Ok(out)
        }
        Some(total) if total < super::bounds::ADDRESSABLE => Err(ec.no_memory()),
        _ => Err(ec.arg_error("argument too big")),
    }
}

fn plus(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let other = ec.to_ary(args[0])?;
    let out = ec.array_with_capacity(array::len(this) + array::len(other))?;
    let done = array::concat(ec, out, this);
    ec.check(out, done)?;
    let done = array::concat(ec, out, other);
    ec.check(out, done)?;
    Ok(out)
}

/// The elements of the Array `this`, which nobody else changes, with the arrays among them replaced by theirs, to `depth`
/// levels (negative: all), and, where `ends` is wanted and there were any, where the part of each element ends. Goes
/// down with a list of its own, not on the machine stack.
fn flattened(ec: &mut Ec, this: Value, depth: i64, mut ends: Option<&mut Vec<u32>>) -> Res<(Value, bool)> {
    let out = ec.array_with_capacity(array::len(this))?;
    let stack = ec.array_with_capacity(0)?;
    let mut current = this;
    let mut i = 0;
    let mut changed = false;
    loop {
        ec.poll()?;
        if current == this
            && i > 0
            && let Some(ends) = &mut ends
        {
            // The elements of `this` before this place are done.
            ends.resize(i, array::len(out) as u32);
        }
        let Some(v) = array::at(current, i) else {
            let (Some(at), Some(outer)) = pop_two(ec, stack)? else {
                break;
            };
            current = outer;
            i = at.as_fixnum() as usize;
            continue;
        };
        i += 1;
        let level = (array::len(stack) / 2) as i64;
        let inner = if depth >= 0 && level >= depth || !may_be_list(v) { None } else { ec.check_array(v)? };
        let Some(inner) = inner else {
            ec.array_push(out, v)?;
            continue;
        };
        changed = true;
        if depth < 0 {
            let mut at = 0;
            let mut seen = inner == current || inner == this;
            while let Some(outer) = array::at(stack, at) {
                seen |= outer == inner;
                at += 2;
            }
            if seen {
                return Err(ec.arg_error("tried to flatten recursive array"));
            }
        }
        let done = array::extend(ec, stack, &[current, Value::fixnum(i as i64)]);
        ec.check(stack, done)?;
        current = inner;
        i = 0;
    }
    Ok((out, changed))
}

fn pop_two(ec: &mut Ec, stack: Value) -> Res<(Option<Value>, Option<Value>)> {
    let at = array::pop(ec, stack);
    let at = ec.check(stack, at)?;
    let outer = array::pop(ec, stack);
    let outer = ec.check(stack, outer)?;
    Ok((at, outer))
}

/// Could the element have `to_ary`? Immediates and strings are not asked.
fn may_be_list(v: Value) -> bool {
    v.is_heap() && !v.is_type(Type::String)
}

fn depth(ec: &mut Ec, args: Args<'_>) -> Res<i64> {
    match args.or_nil(0) {
        Value::NIL => Ok(-1),
        // An int of C's, as in CRuby.
        v => Ok(ec.to_i32(v)?.into()),
    }
}

fn flatten(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let depth = depth(ec, args)?;
    Ok(flattened(ec, this, depth, None)?.0)
}

fn flatten_bang(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    ec.check_frozen(this)?;
    let depth = depth(ec, args)?;
    let changed = replace_by(ec, this, |ec, seen| {
        let mut ends = super::sort::room(ec, array::len(seen))?;
        let (flat, changed) = flattened(ec, seen, depth, Some(&mut ends))?;
        Ok(changed.then_some((flat, ends)))
    })?;
    Ok(if changed { this } else { Value::NIL })
}
