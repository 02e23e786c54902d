//! `Marshal.load`. The bytes may come from anywhere: every length is checked against what is there, every class against
//! what it may stand for.

mod objects;

use std::collections::HashMap;

use asterism_object::class::Class;
use asterism_object::space::WellKnown;
use asterism_object::types::Type;
use asterism_object::{Sym, Value, array, hash, string};
use asterism_support::Encoding;
use asterism_support::float_fmt::parse_float_prefix;
use asterism_symbol::{BINARY, US_ASCII, UTF_8, intern};
use asterism_vm::{Ec, Exc, Raised, Res};
use num_bigint::{BigInt, Sign};

use super::{MAJOR, MINOR, classes};
use asterism_core::regexp::pattern;

/// Where the bytes come from.
pub(super) enum Source<'a> {
    /// A String's.
    Bytes(&'a [u8]),
    /// An object with `getbyte` and `read`.
    Io(Value),
}

/// What was read so far. Lies on the machine stack.
struct Reader<'a> {
    source: Source<'a>,
    at: usize,
    /// Strings, not Symbols: a name is made a Symbol where one is meant.
    symbols: Value,
    /// By number; `Value::UNDEF` for one that is not made yet.
    objects: Value,
    /// Objects (their bits; `objects` keeps them alive) that are not complete, with their numbers: links to them are not
    /// handed to the proc.
    partial: HashMap<u64, usize>,
    proc: Value,
    freeze: bool,
}

/// What an `I` envelope around an object means for the reader of the object: it takes the variables itself, or leaves
/// them to the envelope.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Envelope {
    None,
    Open,
}

/// Reads one object.
pub(super) fn load(ec: &mut Ec, source: Source<'_>, proc: Value, freeze: bool) -> Res {
    let symbols = ec.array(&[])?;
    let objects = ec.array(&[])?;
    let mut reader = Reader { source, at: 0, symbols, objects, partial: HashMap::new(), proc, freeze };
    let (major, minor) = (reader.byte(ec)?, reader.byte(ec)?);
    if major != MAJOR || minor > MINOR {
        return Err(ec.type_error(format!(
            "incompatible marshal file format (can't be read)\n\tformat version {MAJOR}.{MINOR} required; \
             {major}.{minor} given"
        )));
    }
    let result = reader.object(ec);
    asterism_heap::keep_alive(reader.symbols.bits());
    asterism_heap::keep_alive(reader.objects.bits());
    result
}

fn too_short(ec: &mut Ec) -> Raised {
    ec.arg_error("marshal data too short")
}

impl Reader<'_> {
    fn byte(&mut self, ec: &mut Ec) -> Res<u8> {
        match self.source {
            Source::Bytes(bytes) => match bytes.get(self.at) {
                Some(&b) => {
                    self.at += 1;
                    Ok(b)
                }
                None => Err(too_short(ec)),
            },
            Source::Io(io) => {
                let b = ec.call(io, intern("getbyte"), &[])?;
                if b.is_nil() {
                    return Err(ec.raise(Exc::EOFError, "end of file reached"));
                }
                Ok(ec.to_i64(b)? as u8)
            }
        }
    }

    fn take(&mut self, ec: &mut Ec, n: usize) -> Res<Vec<u8>> {
        match self.source {
            Source::Bytes(bytes) => {
                let end = self.at.checked_add(n);
                match end.and_then(|end| bytes.get(self.at..end)) {
                    Some(part) => {
                        self.at += n;
                        Ok(part.to_vec())
                    }
                    None => Err(too_short(ec)),
                }
            }
            Source::Io(io) => {
                if n == 0 {
                    return Ok(Vec::new());
                }
                let size = ec.size(n)?;
                let text = ec.call(io, intern("read"), &[size])?;
                if text.is_nil() {
                    return Err(too_short(ec));
                }
                let text = ec.to_str(text)?;
                if string::len(text) != n {
                    return Err(too_short(ec));
                }
                Ok(string::to_vec(ec, text))
            }
        }
    }

    fn long(&mut self, ec: &mut Ec) -> Res<i64> {
        let c = i64::from(self.byte(ec)? as i8);
        match c {
            0 => Ok(0),
            5.. => Ok(c - 5),
            ..=-5 => Ok(c + 5),
            1..=4 => {
                let mut n = 0i64;
                for i in 0..c {
                    n |= i64::from(self.byte(ec)?) << (8 * i);
                }
                Ok(n)
            }
            _ => {
                let mut n = -1i64;
                for i in 0..-c {
                    n &= !(0xff << (8 * i));
                    n |= i64::from(self.byte(ec)?) << (8 * i);
                }
                Ok(n)
            }
        }
    }

    /// How many elements follow.
    fn length(&mut self, ec: &mut Ec) -> Res<usize> {
        match usize::try_from(self.long(ec)?) {
            Ok(n) => Ok(n),
            Err(_) => Err(ec.arg_error("negative length")),
        }
    }

    /// How many variables follow: a negative number is none.
    fn count(&mut self, ec: &mut Ec) -> Res<usize> {
        Ok(usize::try_from(self.long(ec)?).unwrap_or(0))
    }

    /// A length followed by as many bytes.
    fn bytes(&mut self, ec: &mut Ec) -> Res<Vec<u8>> {
        match usize::try_from(self.long(ec)?) {
            Ok(n) => self.take(ec, n),
            Err(_) => Err(ec.arg_error("negative string size (or size too big)")),
        }
    }

    /// How many elements to make room for: never more than what could come.
    fn room(&self, n: usize) -> usize {
        match self.source {
            Source::Bytes(bytes) => n.min(bytes.len().saturating_sub(self.at)),
            Source::Io(_) => n.min(256),
        }
    }

    /// A symbol's text, as a String.
    fn symbol_text(&mut self, ec: &mut Ec) -> Res {
        match self.byte(ec)? {
            b'I' => match self.byte(ec)? {
                b':' => self.real_symbol(ec, true),
                tag => Err(ec.arg_error(format!("dump format error for symbol(0x{tag:x})"))),
            },
            b':' => self.real_symbol(ec, false),
            b';' => self.symbol_link(ec),
            tag => Err(ec.arg_error(format!("dump format error for symbol(0x{tag:x})"))),
        }
    }

    fn symbol_link(&mut self, ec: &mut Ec) -> Res {
        let n = self.long(ec)?;
        match usize::try_from(n).ok().and_then(|n| array::at(self.symbols, n)) {
            Some(s) => Ok(s),
            None => Err(ec.arg_error("bad symbol")),
        }
    }

    fn real_symbol(&mut self, ec: &mut Ec, with_encoding: bool) -> Res {
        let bytes = self.bytes(ec)?;
        let s = ec.str_enc(&bytes, if bytes.is_ascii() { US_ASCII } else { BINARY })?;
        ec.array_push(self.symbols, s)?;
        if with_encoding {
            for _ in 0..self.count(ec)? {
                let name = self.symbol(ec)?;
                let value = self.object(ec)?;
                if let Some(code) = encoding_named(ec, name, value) {
                    let done = string::force_encoding(ec, s, code);
                    ec.check(s, done)?;
                }
            }
        }
        if string::coderange(ec, s) == string::CodeRange::Broken {
            let shown = ec.inspect_for_error(s)?;
            let name =
                asterism_support::Encoding::from_index(usize::from(string::encoding(s))).map_or("", |e| e.name());
            let message = [format!("invalid byte sequence in {name}: ").as_bytes(), &shown[..]].concat();
            return Err(ec.arg_error(message));
        }
        Ok(s)
    }

    fn symbol(&mut self, ec: &mut Ec) -> Res<Sym> {
        let s = self.symbol_text(ec)?;
        ec.to_sym(s)
    }

    /// A class's or module's name.
    fn unique(&mut self, ec: &mut Ec) -> Res<Vec<u8>> {
        let s = self.symbol_text(ec)?;
        Ok(string::to_vec(ec, s))
    }

    /// A place for an object that is made later.
    fn reserve(&mut self, ec: &mut Ec) -> Res<usize> {
        let n = array::len(self.objects);
        ec.array_push(self.objects, Value::UNDEF)?;
        Ok(n)
    }

    fn enter_at(&mut self, ec: &mut Ec, n: usize, v: Value) -> Res {
        let done = array::set(ec, self.objects, n, v);
        ec.check(self.objects, done)?;
        self.partial.insert(v.bits(), n);
        Ok(v)
    }

    /// Gives the object the next number.
    fn enter(&mut self, ec: &mut Ec, v: Value) -> Res {
        let n = self.reserve(ec)?;
        self.enter_at(ec, n, v)
    }

    /// The object is complete: it is frozen if that was asked for and handed to the proc.
    fn leave(&mut self, ec: &mut Ec, v: Value) -> Res {
        let mut v = v;
        let number = self.partial.remove(&v.bits());
        if self.freeze && v.is_heap() && Class::from_value(v).is_none() {
            if let Some(table) = super::set_table(ec, v) {
                ec.freeze(table)?;
            }
            // Not through the method, which a class may define for itself or lack.
            ec.freeze(v)?;
            let plain = v.is_type(Type::String) && ec.class_of(v) == ec.known(WellKnown::String);
            if plain && asterism_object::ivars::count(ec, v) == 0 {
                v = asterism_core::string::dedup::dedup(ec, v)?;
                if let Some(n) = number {
                    let done = array::set(ec, self.objects, n, v);
                    ec.check(self.objects, done)?;
                }
            }
        }
        self.post(ec, v)
    }

    /// As `leave`, for an object of the user's making: links to it are not handed to the proc.
    fn leave_partial(&mut self, ec: &mut Ec, v: Value) -> Res {
        let number = self.partial.get(&v.bits()).copied();
        let left = self.leave(ec, v)?;
        if let Some(n) = number {
            self.partial.insert(v.bits(), n);
        }
        Ok(left)
    }

    fn post(&mut self, ec: &mut Ec, v: Value) -> Res {
        if self.proc.is_nil() { Ok(v) } else { ec.call(self.proc, intern("call"), &[v]) }
    }

    /// `leave`, unless an envelope's variables are to come.
    fn leave_unless(&mut self, ec: &mut Ec, v: Value, envelope: Envelope) -> Res {
        if envelope == Envelope::Open { Ok(v) } else { self.leave(ec, v) }
    }

    fn object(&mut self, ec: &mut Ec) -> Res {
        let mut modules = Value::NIL;
        self.object_with(ec, &mut Envelope::None, &mut modules)
    }

    /// An object. `envelope` becomes `None` when the object has taken the variables of its envelope itself;
    /// `modules` is an Array of what the object is extended with, or nil.
    fn object_with(&mut self, ec: &mut Ec, envelope: &mut Envelope, modules: &mut Value) -> Res {
        let tag = self.byte(ec)?;
        self.tagged(ec, tag, envelope, modules)
    }

    fn tagged(&mut self, ec: &mut Ec, tag: u8, envelope: &mut Envelope, modules: &mut Value) -> Res {
        ec.check_stack()?;
        match tag {
            b'0' => self.leave(ec, Value::NIL),
            b'T' => self.leave(ec, Value::TRUE),
            b'F' => self.leave(ec, Value::FALSE),
            b'i' => {
                let n = self.long(ec)?;
                let n = ec.int(n)?;
                self.leave(ec, n)
            }
            b'@' => self.link(ec),
            b'I' => self.enveloped(ec, modules),
            b'e' => self.extended(ec, envelope, modules),
            b'C' => self.subclass(ec, envelope, modules),
            b':' => {
                let with = std::mem::replace(envelope, Envelope::None) == Envelope::Open;
                let s = self.real_symbol(ec, with)?;
                let symbol = ec.intern(s)?;
                self.leave(ec, symbol)
            }
            b';' => {
                let s = self.symbol_link(ec)?;
                ec.intern(s)
            }
            b'f' => {
                let text = self.bytes(ec)?;
                let v = ec.float(parse_float(&text))?;
                self.enter(ec, v)?;
                self.leave(ec, v)
            }
            b'l' => {
                let v = self.bignum(ec)?;
                self.enter(ec, v)?;
                self.leave(ec, v)
            }
            b'"' => {
                let bytes = self.bytes(ec)?;
                let v = ec.str_enc(&bytes, BINARY)?;
                self.enter(ec, v)?;
                self.extend(ec, v, modules)?;
                self.leave_unless(ec, v, *envelope)
            }
            b'/' => self.regexp(ec, envelope),
            b'[' => {
                let n = self.length(ec)?;
                let list = ec.array_with_capacity(self.room(n))?;
                self.enter(ec, list)?;
                self.extend(ec, list, modules)?;
                for _ in 0..n {
                    let item = self.object(ec)?;
                    ec.array_push(list, item)?;
                }
                self.leave_unless(ec, list, *envelope)
            }
            b'{' | b'}' => {
                let table = ec.new_hash()?;
                self.table(ec, table, tag == b'}', modules)?;
                self.leave_unless(ec, table, *envelope)
            }
            b'S' => self.structure(ec, *envelope, modules),
            b'o' => self.plain(ec, *envelope, modules),
            b'u' => self.user_defined(ec, envelope),
            b'U' => self.user_marshal(ec, *envelope, modules),
            b'd' => self.native_data(ec, *envelope, modules),
            b'c' | b'm' | b'M' => {
                let path = self.bytes(ec)?;
                let class = match tag {
                    b'c' => classes::class(ec, &path)?,
                    b'm' => classes::module(ec, &path)?,
                    _ => classes::any(ec, &path)?,
                };
                if std::mem::replace(envelope, Envelope::None) == Envelope::Open {
                    self.variables(ec, class.0)?;
                }
                self.enter(ec, class.0)?;
                self.leave(ec, class.0)
            }
            tag => Err(ec.arg_error(format!("dump format error(0x{tag:x})"))),
        }
    }

    fn link(&mut self, ec: &mut Ec) -> Res {
        let n = self.long(ec)?;
        match usize::try_from(n).ok().and_then(|n| array::at(self.objects, n)) {
            Some(v) if !v.is_undef() => {
                if self.partial.contains_key(&v.bits()) {
                    Ok(v)
                } else {
                    self.post(ec, v)
                }
            }
            Some(_) => Err(ec.arg_error("dump format error (bad link)")),
            None => Err(ec.arg_error("dump format error (unlinked)")),
        }
    }

    /// `I`: an object, then its instance variables.
    fn enveloped(&mut self, ec: &mut Ec, modules: &mut Value) -> Res {
        let mut envelope = Envelope::Open;
        let v = self.object_with(ec, &mut envelope, modules)?;
        if envelope == Envelope::None {
            return Ok(v);
        }
        self.variables(ec, v)?;
        self.leave(ec, v)
    }

    /// `e`: an object extended with a module.
    fn extended(&mut self, ec: &mut Ec, envelope: &mut Envelope, modules: &mut Value) -> Res {
        let path = self.unique(ec)?;
        let module = classes::any(ec, &path)?;
        if module.is_class() {
            // A class that something was prepended to: it names itself again.
            let mut none = Value::NIL;
            let v = self.object_with(ec, envelope, &mut none)?;
            let class = ec.class_of(v);
            if class != module {
                let (given, found) = (ec.class_name(module), ec.class_name(class));
                return Err(ec.arg_error(format!("prepended class {given} differs from class {found}")));
            }
            // The modules that were read before it were prepended to its singleton class, the last one first.
            while modules.is_type(Type::Array) {
                let popped = array::pop(ec, *modules);
                let Some(module) = ec.check(*modules, popped)? else { break };
                let single = ec.singleton_class(v)?;
                ec.call(single.0, intern("prepend"), &[module])?;
            }
            return Ok(v);
        }
        if modules.is_nil() {
            *modules = ec.array(&[])?;
        }
        ec.array_push(*modules, module.0)?;
        let v = self.object_with(ec, envelope, modules)?;
        self.extend(ec, v, modules)?;
        Ok(v)
    }

    /// Extends an object with the modules that were read before it, the last one first.
    fn extend(&mut self, ec: &mut Ec, v: Value, modules: &mut Value) -> Res<()> {
        if !modules.is_type(Type::Array) {
            return Ok(());
        }
        loop {
            let popped = array::pop(ec, *modules);
            let Some(module) = ec.check(*modules, popped)? else {
                return Ok(());
            };
            ec.call(v, intern("extend"), &[module])?;
        }
    }

    /// `C`: a String, Regexp, Array or Hash of a subclass; or a Hash that compares by identity.
    fn subclass(&mut self, ec: &mut Ec, envelope: &mut Envelope, modules: &mut Value) -> Res {
        let path = self.unique(ec)?;
        let class = classes::class(ec, &path)?;
        if class.is_singleton() {
            return Err(ec.type_error("singleton can't be loaded"));
        }
        let tag = self.byte(ec)?;
        if class == ec.known(WellKnown::Hash) && matches!(tag, b'{' | b'}') {
            let table = ec.new_hash()?;
            let done = hash::compare_by_identity(ec, table);
            ec.check(table, done)?;
            self.table(ec, table, tag == b'}', modules)?;
            return self.leave_unless(ec, table, *envelope);
        }
        if !matches!(tag, b'"' | b'/' | b'[' | b'{' | b'}' | b'C') {
            let known = b"0TFi@Ie:;flSouUdcmM".contains(&tag);
            let what = if known { " (user class)".into() } else { format!("(0x{tag:x})") };
            return Err(ec.arg_error(format!("dump format error{what}")));
        }
        // The class is set before the object is shown to the proc and frozen.
        let mut inner = Envelope::Open;
        let v = if tag == b'/' && *envelope == Envelope::None {
            // No variables follow, but a Regexp takes those of its envelope itself.
            self.plain_regexp(ec)?
        } else if tag == b'/' {
            self.unfinished_regexp(ec, &mut inner)?
        } else {
            let mut none = Value::NIL;
            self.tagged(ec, tag, &mut inner, &mut none)?
        };
        let core = match v.cell().map(asterism_object::types::type_of) {
            Some(Type::String) => WellKnown::String,
            Some(Type::Array) => WellKnown::Array,
            Some(Type::Hash) => WellKnown::Hash,
            Some(Type::Data) if pattern::is_regexp(v) => WellKnown::Regexp,
            _ => return Err(ec.arg_error("dump format error (user class)")),
        };
        // A class that was copied from the core one makes the same objects.
        if !class.inherits_from(ec.known(core))
            && (class.alloc() != ec.known(core).alloc() || core == WellKnown::Regexp)
        {
            return Err(ec.arg_error("dump format error (user class)"));
        }
        if let Some(cell) = v.cell() {
            asterism_object::set_class(ec, cell, class);
        }
        self.extend(ec, v, modules)?;
        if inner == Envelope::None {
            *envelope = Envelope::None;
        }
        self.leave_unless(ec, v, *envelope)
    }

    fn table(&mut self, ec: &mut Ec, table: Value, with_default: bool, modules: &mut Value) -> Res<()> {
        let n = self.length(ec)?;
        self.enter(ec, table)?;
        self.extend(ec, table, modules)?;
        for _ in 0..n {
            let key = self.object(ec)?;
            let value = self.object(ec)?;
            ec.hash_set(table, key, value)?;
        }
        if with_default {
            let default = self.object(ec)?;
            let done = hash::set_default(ec, table, default, false);
            ec.check(table, done)?;
        }
        Ok(())
    }

    fn bignum(&mut self, ec: &mut Ec) -> Res {
        let sign = self.byte(ec)?;
        let n = self.length(ec)?;
        let digits = match n.checked_mul(2) {
            Some(n) => self.take(ec, n)?,
            None => return Err(too_short(ec)),
        };
        let sign = if sign == b'-' { Sign::Minus } else { Sign::Plus };
        ec.bigint(BigInt::from_bytes_le(sign, &digits))
    }

    /// The instance variables of an envelope or of an object.
    fn variables(&mut self, ec: &mut Ec, v: Value) -> Res<()> {
        for _ in 0..self.count(ec)? {
            let name = self.symbol(ec)?;
            let value = self.object(ec)?;
            self.variable(ec, v, name, value)?;
        }
        Ok(())
    }

    fn variable(&mut self, ec: &mut Ec, v: Value, name: Sym, value: Value) -> Res<()> {
        let encoding = encoding_named(ec, name, value);
        if let Some(class) = Class::from_value(v)
            && encoding.is_none()
        {
            let kind = if class.is_module() { "module" } else { "class" };
            let name = ec.class_name(class);
            return Err(ec.type_error(format!("can't override instance variable of {kind} '{name}'")));
        }
        if let Some(code) = encoding {
            if !v.is_type(Type::String) {
                if pattern::is_regexp(v) || Class::from_value(v).is_some() {
                    return Ok(());
                }
                let class = ec.class_name_of(v);
                return Err(ec.arg_error(format!("{class} is not enc_capable")));
            }
            let done = string::force_encoding(ec, v, code);
            return ec.check(v, done);
        }
        match name.bytes() {
            b"K" => {
                if !v.is_type(Type::Hash) {
                    let class = ec.class_name_of(v);
                    return Err(ec.arg_error(format!("ruby2_keywords flag is given but {class} is not a Hash")));
                }
                hash::set_kw(v, true);
                Ok(())
            }
            // Names that the implementation keeps for itself.
            [b'_', b'_', ..] => Err(ec.arg_error("dump format error (variable name)")),
            b"@hash" if ec.is_kind_of(v, ec.known(WellKnown::Set).0) => {
                if !value.is_type(Type::Hash) {
                    return Err(ec.type_error("wrong argument type (expected Hash)"));
                }
                ec.ivar_put(v, intern(super::SET_TABLE), value)
            }
            _ => ec.ivar_put(v, name, value),
        }
    }
}

/// The encoding that a variable says a text has. One that is not known here leaves the text as it is.
fn encoding_named(ec: &mut Ec, name: Sym, value: Value) -> Option<u8> {
    match name.bytes() {
        b"E" if value == Value::TRUE => Some(UTF_8),
        b"E" if value == Value::FALSE => Some(US_ASCII),
        b"encoding" if value.is_type(Type::String) => {
            let text = string::to_vec(ec, value);
            Encoding::find(&text).map(|encoding| encoding.index())
        }
        _ => None,
    }
}

fn parse_float(text: &[u8]) -> f64 {
    match text {
        b"nan" => f64::NAN,
        b"inf" => f64::INFINITY,
        b"-inf" => f64::NEG_INFINITY,
        _ => {
            let end = text.iter().position(|&b| b == 0).unwrap_or(text.len());
            parse_float_prefix(&text[..end])
        }
    }
}
