//! `Marshal.dump`.

use std::collections::HashMap;

use asterism_object::address_hash::ByAddress;
use asterism_object::class::Class;
use asterism_object::space::WellKnown;
use asterism_object::types::{Type, type_of};
use asterism_object::{Sym, Value, array, bigint, float, hash, ivars, numeric, range, string, structs};
use asterism_support::Encoding;
use asterism_support::float_fmt::shortest_digits;
use asterism_symbol::{AnySym, BINARY, US_ASCII, UTF_8, intern, sym};
use asterism_vm::memory::Buffer;
use asterism_vm::{Ec, Exc, Res};

use super::{MAJOR, MINOR, classes};
use asterism_core::regexp::pattern;

type Numbers<K> = HashMap<K, i64, ByAddress>;

/// The bytes so far and what can be referred to. Lies on the machine stack.
struct Writer {
    out: Buffer,
    /// `kept` keeps those alive that may be collected.
    symbols: Numbers<AnySym>,
    /// By the bits of the value, which `kept` keeps alive; so no address is used twice.
    objects: Numbers<u64>,
    /// How many objects have been numbered, those that are never referred to included.
    count: i64,
    kept: Value,
    /// Names of encodings that were dumped, as Strings: `[code, name …]`.
    encodings: Value,
    /// Objects whose `_dump` gave the String that is being dumped; they get their numbers after it.
    dumping: Vec<Value>,
}

/// How an object's encoding is dumped.
enum Enc {
    None,
    Flag(bool),
    Named(u8),
}

/// The bytes of an object.
pub(super) fn dump(ec: &mut Ec, object: Value, limit: i64) -> Res<Buffer> {
    let kept = ec.array(&[])?;
    let encodings = ec.array(&[])?;
    let mut writer = Writer {
        out: Buffer::new(ec),
        symbols: Numbers::default(),
        objects: Numbers::default(),
        count: 0,
        kept,
        encodings,
        dumping: Vec::new(),
    };
    writer.put(ec, &[MAJOR, MINOR])?;
    writer.object(ec, object, limit)?;
    asterism_heap::keep_alive(writer.kept.bits());
    asterism_heap::keep_alive(writer.encodings.bits());
    Ok(writer.out)
}

impl Writer {
    fn put(&mut self, ec: &mut Ec, bytes: &[u8]) -> Res<()> {
        self.out.append(ec, bytes)
    }

    fn byte(&mut self, b: u8) {
        self.out.push(b);
    }

    /// A number of at most 32 bits in one to five bytes.
    fn long(&mut self, n: i64) {
        match n {
            0 => self.out.push(0),
            1..=122 => self.out.push(n as u8 + 5),
            -123..=-1 => self.out.push((n as i8).wrapping_sub(5) as u8),
            _ => {
                let bytes = (n as i32).to_le_bytes();
                let filler = if n < 0 { 0xff } else { 0 };
                let length = bytes.iter().rposition(|&b| b != filler).map_or(1, |i| i + 1);
                self.out.push(if n < 0 { (length as i8).wrapping_neg() as u8 } else { length as u8 });
                self.out.extend_from_slice(&bytes[..length]);
            }
        }
    }

    /// A length.
    fn size(&mut self, ec: &mut Ec, n: usize) -> Res<()> {
        match i32::try_from(n) {
            Ok(n) => {
                self.long(i64::from(n));
                Ok(())
            }
            Err(_) => Err(ec.type_error("long too big to dump")),
        }
    }

    fn bytes(&mut self, ec: &mut Ec, bytes: &[u8]) -> Res<()> {
        self.size(ec, bytes.len())?;
        self.put(ec, bytes)
    }

    /// Gives the object a number.
    fn remember(&mut self, ec: &mut Ec, v: Value) -> Res<()> {
        self.objects.insert(v.bits(), self.count);
        self.count += 1;
        if v.is_heap() { ec.array_push(self.kept, v) } else { Ok(()) }
    }

    fn symbol(&mut self, ec: &mut Ec, name: impl Into<AnySym>) -> Res<()> {
        let name = name.into();
        if let Some(&n) = self.symbols.get(&name) {
            self.byte(b';');
            self.long(n);
            return Ok(());
        }
        if name.is_dynamic() {
            ec.array_push(self.kept, Value::symbol(name))?;
        }
        let (bytes, encoding) = name.with_name(|bytes, encoding| (bytes.to_vec(), encoding));
        let enc = if bytes.is_ascii() { Enc::None } else { encoding_of(encoding) };
        let with = !matches!(enc, Enc::None);
        if with {
            self.byte(b'I');
        }
        self.byte(b':');
        self.bytes(ec, &bytes)?;
        let number = self.symbols.len() as i64;
        self.symbols.insert(name, number);
        if with {
            self.long(1);
            self.encoding(ec, enc)?;
        }
        Ok(())
    }

    /// A class or module by name, as a symbol.
    fn unique(&mut self, ec: &mut Ec, class: Class) -> Res<()> {
        let path = classes::path_of(ec, class)?;
        let s = ec.str(&path)?;
        let name = ec.to_sym(s)?;
        self.symbol(ec, name)
    }

    fn encoding(&mut self, ec: &mut Ec, enc: Enc) -> Res<()> {
        match enc {
            Enc::None => Ok(()),
            Enc::Flag(utf8) => {
                self.symbol(ec, intern("E"))?;
                self.byte(if utf8 { b'T' } else { b'F' });
                Ok(())
            }
            Enc::Named(code) => {
                self.symbol(ec, intern("encoding"))?;
                let mut i = 0;
                while let Some(known) = array::at(self.encodings, i) {
                    if known == Value::fixnum(i64::from(code)) {
                        let name = array::at(self.encodings, i + 1).unwrap_or(Value::NIL);
                        return self.object(ec, name, -1);
                    }
                    i += 2;
                }
                let name = Encoding::from_index(usize::from(code)).map_or("", |e| e.name());
                let name = ec.str_enc(name.as_bytes(), BINARY)?;
                ec.array_push(self.encodings, Value::fixnum(i64::from(code)))?;
                ec.array_push(self.encodings, name)?;
                self.object(ec, name, -1)
            }
        }
    }

    fn float(&mut self, ec: &mut Ec, f: f64) -> Res<()> {
        self.byte(b'f');
        let mut text = Vec::with_capacity(24);
        if f.is_nan() {
            text.extend_from_slice(b"nan");
        } else if f.is_infinite() {
            text.extend_from_slice(if f > 0.0 { b"inf" } else { b"-inf" });
        } else {
            if f.is_sign_negative() {
                text.push(b'-');
            }
            if f == 0.0 {
                text.push(b'0');
            } else {
                float_digits(f, &mut text);
            }
        }
        self.bytes(ec, &text)
    }

    fn bignum(&mut self, ec: &mut Ec, v: Value) -> Res<()> {
        let Some(n) = bigint::to_int(v) else {
            return Err(ec.fatal("an Integer without a value"));
        };
        let (sign, mut digits) = n.into_big().to_bytes_le();
        if digits.len() % 2 == 1 {
            digits.push(0);
        }
        self.byte(b'l');
        self.byte(if sign == num_bigint::Sign::Minus { b'-' } else { b'+' });
        self.size(ec, digits.len() / 2)?;
        self.put(ec, &digits)
    }

    fn object(&mut self, ec: &mut Ec, v: Value, limit: i64) -> Res<()> {
        if limit == 0 {
            return Err(ec.arg_error("exceed depth limit"));
        }
        match v {
            Value::NIL => {
                self.byte(b'0');
                return Ok(());
            }
            Value::TRUE => {
                self.byte(b'T');
                return Ok(());
            }
            Value::FALSE => {
                self.byte(b'F');
                return Ok(());
            }
            _ => {}
        }
        if let Some(n) = v.fixnum_value() {
            if (-(1 << 30)..1 << 30).contains(&n) {
                self.byte(b'i');
                self.long(n);
                return Ok(());
            }
            // Read back as an object, so it takes a number; it is written out again each time.
            self.count += 1;
            return self.bignum(ec, v);
        }
        if let Some(name) = v.as_symbol() {
            return self.symbol(ec, name);
        }
        if let Some(&n) = self.objects.get(&v.bits()) {
            self.byte(b'@');
            self.long(n);
            return Ok(());
        }
        ec.check_stack()?;
        let limit = if limit > 0 { limit - 1 } else { limit };
        if v.is_flonum() {
            self.remember(ec, v)?;
            return self.float(ec, float::get(v));
        }
        let Some(cell) = v.cell() else {
            return Err(ec.type_error("can't dump internal value"));
        };
        let kind = type_of(cell);
        if ec.respond_to(v, intern("marshal_dump"), true)? {
            self.remember(ec, v)?;
            let data = hook(ec, v, "marshal_dump", &[])?;
            self.class(ec, b'U', v, false)?;
            return self.object(ec, data, limit);
        }
        if ec.respond_to(v, intern("_dump"), true)? {
            return self.user_defined(ec, v, limit);
        }
        self.remember(ec, v)?;
        let (enc, names) = self.attributes(ec, v, kind)?;
        let extra = usize::from(!matches!(enc, Enc::None));
        let flagged = kind == Type::Hash && hash::is_kw(v);
        let count = names.len() + extra + usize::from(flagged);
        if count > 0 {
            self.byte(b'I');
        }
        self.body(ec, v, kind, limit)?;
        if count > 0 {
            self.size(ec, count)?;
            self.encoding(ec, enc)?;
            if flagged {
                self.symbol(ec, intern("K"))?;
                self.byte(b'T');
            }
            self.variables(ec, v, &names, limit)?;
        }
        Ok(())
    }

    /// The encoding and the instance variables that follow an object in an `I` envelope.
    fn attributes(&mut self, ec: &mut Ec, v: Value, kind: Type) -> Res<(Enc, Vec<Sym>)> {
        let enc = match kind {
            Type::String => encoding_of(string::encoding(v)),
            // New in 4.0: the name of a class may say that it is UTF-8.
            Type::Class | Type::Module => match Class::from_value(v) {
                Some(class) if !ec.class_name(class).is_ascii() => Enc::Flag(true),
                _ => Enc::None,
            },
            Type::Data if pattern::is_regexp(v) => match pattern::of(ec, &v)?.encoding.index() {
                BINARY => Enc::None,
                code => encoding_of(code),
            },
            _ => Enc::None,
        };
        let names = match kind {
            Type::Object | Type::Class | Type::Module => Vec::new(),
            _ => visible(ec, v),
        };
        Ok((enc, names))
    }

    fn variables(&mut self, ec: &mut Ec, v: Value, names: &[Sym], limit: i64) -> Res<()> {
        for &name in names {
            self.symbol(ec, name)?;
            let value = ivars::get(ec, v, name).unwrap_or(Value::NIL);
            self.object(ec, value, limit)?;
        }
        Ok(())
    }

    fn user_defined(&mut self, ec: &mut Ec, v: Value, limit: i64) -> Res<()> {
        if self.dumping.contains(&v) {
            return Err(ec.raise(Exc::RuntimeError, "can't dump recursive object using _dump()"));
        }
        let data = hook(ec, v, "_dump", &[Value::fixnum(limit)])?;
        if !data.is_type(Type::String) {
            return Err(ec.type_error("_dump() must return string"));
        }
        let enc = encoding_of(string::encoding(data));
        let names: Vec<Sym> = all_names(ec, data);
        let count = names.len() + usize::from(!matches!(enc, Enc::None));
        if count > 0 {
            self.byte(b'I');
        }
        self.class(ec, b'u', v, false)?;
        let text = ec.bytes_of(data)?;
        self.bytes(ec, &text)?;
        if count > 0 {
            self.size(ec, count)?;
            self.dumping.push(v);
            self.encoding(ec, enc)?;
            self.variables(ec, data, &names, limit)?;
            self.dumping.pop();
        }
        self.remember(ec, v)
    }

    /// The modules an object was extended with. `check`: other singleton methods are refused.
    fn extended(&mut self, ec: &mut Ec, v: Value, check: bool) -> Res<()> {
        let mut at = Some(ec.class_of(v));
        if let Some(class) = at
            && class.is_singleton()
            && check
        {
            if super::has_contents(ec, class) {
                return Err(ec.type_error("singleton can't be dumped"));
            }
            at = class.superclass();
        }
        let own = ec.class_of(v);
        while let Some(class) = at
            && class.is_include()
        {
            if class.is_origin() {
                // What was prepended to the singleton class stands before the class's own name.
                if own.is_singleton() && own.origin() == Some(class) {
                    let real = ec.real_class_of(v);
                    self.byte(b'e');
                    self.unique(ec, real)?;
                }
                at = class.superclass();
                continue;
            }
            if let Some(module) = Class::from_value(class.module()) {
                if module.name().is_nil() {
                    let name = ec.class_name(module);
                    return Err(ec.type_error(format!("can't dump anonymous class {name}")));
                }
                self.byte(b'e');
                self.unique(ec, module)?;
            }
            at = class.superclass();
        }
        Ok(())
    }

    fn class(&mut self, ec: &mut Ec, tag: u8, v: Value, check: bool) -> Res<()> {
        self.extended(ec, v, check)?;
        self.byte(tag);
        let class = ec.real_class_of(v);
        self.unique(ec, class)
    }

    /// The class of an instance of a core class, if it is a subclass.
    fn subclass(&mut self, ec: &mut Ec, v: Value, core: WellKnown) -> Res<()> {
        self.extended(ec, v, true)?;
        let class = ec.real_class_of(v);
        if class != ec.known(core) {
            self.byte(b'C');
            self.unique(ec, class)?;
        }
        Ok(())
    }

    fn body(&mut self, ec: &mut Ec, v: Value, kind: Type, limit: i64) -> Res<()> {
        match kind {
            Type::Class | Type::Module => {
                let Some(class) = Class::from_value(v) else {
                    return Err(ec.type_error("can't dump internal class"));
                };
                if class.is_singleton() {
                    return Err(ec.type_error("singleton class can't be dumped"));
                }
                self.byte(if kind == Type::Class { b'c' } else { b'm' });
                let path = classes::path_of(ec, class)?;
                self.bytes(ec, &path)
            }
            Type::Float => self.float(ec, float::get(v)),
            Type::BigInt => self.bignum(ec, v),
            Type::Rational | Type::Complex => {
                let (a, b) = numeric::parts(v);
                self.class(ec, b'U', v, false)?;
                let pair = ec.array(&[a, b])?;
                self.object(ec, pair, limit)
            }
            Type::String => {
                self.subclass(ec, v, WellKnown::String)?;
                self.byte(b'"');
                let text = string::read(ec, v);
                self.bytes(ec, text.as_bytes())
            }
            Type::Array => self.array(ec, v, limit),
            Type::Hash => self.hash(ec, v, limit),
            Type::Struct => self.structure(ec, v, limit),
            Type::Range => {
                self.class(ec, b'o', v, true)?;
                self.long(3);
                let parts =
                    [("excl", Value::bool(range::exclude_end(v))), ("begin", range::begin(v)), ("end", range::end(v))];
                for (name, part) in parts {
                    self.symbol(ec, intern(name))?;
                    self.object(ec, part, limit)?;
                }
                Ok(())
            }
            Type::Object => self.plain(ec, v, limit),
            Type::Data if pattern::is_regexp(v) => {
                let pattern = pattern::of(ec, &v)?.clone();
                self.subclass(ec, v, WellKnown::Regexp)?;
                self.byte(b'/');
                self.bytes(ec, &pattern.source)?;
                self.byte(pattern.options as u8);
                Ok(())
            }
            _ => self.foreign(ec, v, limit),
        }
    }

    fn array(&mut self, ec: &mut Ec, v: Value, limit: i64) -> Res<()> {
        self.subclass(ec, v, WellKnown::Array)?;
        self.byte(b'[');
        let length = array::len(v);
        self.size(ec, length)?;
        let mut i = 0;
        while i < length {
            match array::at(v, i) {
                Some(item) => self.object(ec, item, limit)?,
                None => return Err(ec.raise(Exc::RuntimeError, "array modified during dump")),
            }
            if array::len(v) != length {
                return Err(ec.raise(Exc::RuntimeError, "array modified during dump"));
            }
            i += 1;
        }
        Ok(())
    }

    fn hash(&mut self, ec: &mut Ec, v: Value, limit: i64) -> Res<()> {
        self.subclass(ec, v, WellKnown::Hash)?;
        if hash::has_default_proc(v) {
            return Err(ec.type_error("can't dump hash with default proc"));
        }
        if hash::is_identity(v) {
            self.byte(b'C');
            self.symbol(ec, intern("Hash"))?;
        }
        let default = hash::default_value(v);
        self.byte(if default.is_nil() { b'{' } else { b'}' });
        self.pairs(ec, v, limit)?;
        if default.is_nil() { Ok(()) } else { self.object(ec, default, limit) }
    }

    fn pairs(&mut self, ec: &mut Ec, table: Value, limit: i64) -> Res<()> {
        let pairs = hash::to_pairs(ec, table);
        let pairs = ec.check(table, pairs)?;
        let length = array::len(pairs);
        self.size(ec, length / 2)?;
        let mut i = 0;
        while let Some(item) = array::at(pairs, i) {
            self.object(ec, item, limit)?;
            i += 1;
        }
        Ok(())
    }

    fn structure(&mut self, ec: &mut Ec, v: Value, limit: i64) -> Res<()> {
        self.class(ec, b'S', v, true)?;
        let members = asterism_core::structs::members_of_instance(ec, v)?;
        let length = structs::len(v);
        self.size(ec, length)?;
        for i in 0..length {
            match array::at(members, i).and_then(Value::as_sym) {
                Some(name) => self.symbol(ec, name)?,
                None => return Err(ec.type_error("uninitialized struct")),
            }
            self.object(ec, structs::get(v, i).unwrap_or(Value::NIL), limit)?;
        }
        Ok(())
    }

    fn plain(&mut self, ec: &mut Ec, v: Value, limit: i64) -> Res<()> {
        if super::is_exception(ec, v) {
            return self.exception(ec, v, limit);
        }
        self.class(ec, b'o', v, true)?;
        if ec.is_kind_of(v, ec.known(WellKnown::Set).0) {
            return self.set(ec, v, limit);
        }
        let names = all_names(ec, v);
        self.size(ec, names.len())?;
        let before = ivars::count(ec, v);
        self.variables(ec, v, &names, limit)?;
        match ivars::count(ec, v).cmp(&before) {
            std::cmp::Ordering::Equal => Ok(()),
            order => {
                let name = ec.class_name_of(v);
                let what = if order.is_lt() { "removed from" } else { "added to" };
                Err(ec.raise(Exc::RuntimeError, format!("instance variable {what} {name} instance")))
            }
        }
    }

    /// As when Set was Ruby code: its Hash with default false, then what a program added.
    fn set(&mut self, ec: &mut Ec, v: Value, limit: i64) -> Res<()> {
        let field = intern("@hash");
        let mut names = visible(ec, v);
        names.retain(|n| *n != field);
        self.size(ec, names.len() + 1)?;
        self.symbol(ec, field)?;
        let table = ivars::get(ec, v, intern(super::SET_TABLE)).unwrap_or(Value::NIL);
        if !table.is_type(Type::Hash) {
            return Err(ec.type_error("uninitialized Set"));
        }
        self.remember(ec, table)?;
        if hash::is_identity(table) {
            self.byte(b'C');
            self.symbol(ec, intern("Hash"))?;
        }
        self.byte(b'}');
        self.pairs(ec, table, limit)?;
        self.byte(b'F');
        self.variables(ec, v, &names, limit)
    }

    fn exception(&mut self, ec: &mut Ec, v: Value, limit: i64) -> Res<()> {
        self.class(ec, b'o', v, true)?;
        let mut names: Vec<Sym> = ivars::names(ec, v);
        let located = ivars::get(ec, v, sym::locations_ivar).is_some_and(|held| !held.is_nil());
        names.retain(|n| {
            let told = [sym::message_ivar, sym::backtrace_ivar, sym::locations_ivar, sym::cause_ivar].contains(n);
            let receiver = *n == sym::receiver && ec.is_kind_of(v, ec.exc_class(Exc::NameError));
            !(told || receiver || n.bytes().starts_with(b"__"))
        });
        let cause = ivars::get(ec, v, sym::cause_ivar).unwrap_or(Value::NIL);
        let backtrace = ec.call(v, sym::backtrace, &[])?;
        let located = located && !backtrace.is_nil();
        let count = names.len() + 2 + usize::from(!cause.is_nil()) + usize::from(located);
        self.size(ec, count)?;
        self.symbol(ec, intern("mesg"))?;
        let message = ivars::get(ec, v, sym::message_ivar).unwrap_or(Value::NIL);
        self.object(ec, message, limit)?;
        self.symbol(ec, intern("bt"))?;
        self.object(ec, backtrace, limit)?;
        self.variables(ec, v, &names, limit)?;
        if !cause.is_nil() {
            self.symbol(ec, intern("cause"))?;
            self.object(ec, cause, limit)?;
        }
        if located {
            self.symbol(ec, intern("bt_locations"))?;
            self.object(ec, backtrace, limit)?;
        }
        Ok(())
    }

    /// An object with a native layout: through `_dump_data`, or not at all.
    fn foreign(&mut self, ec: &mut Ec, v: Value, limit: i64) -> Res<()> {
        let name = ec.class_name_of(v);
        if ec.is_kind_of(v, ec.known(WellKnown::IO).0) || ec.is_kind_of(v, ec.known(WellKnown::MatchData).0) {
            return Err(ec.type_error(format!("can't dump {name}")));
        }
        let dump_data = intern("_dump_data");
        if v.is_type(Type::Data) && ec.respond_to(v, dump_data, true)? {
            let data = hook(ec, v, "_dump_data", &[])?;
            self.class(ec, b'd', v, true)?;
            return self.object(ec, data, limit);
        }
        Err(ec.type_error(format!("no _dump_data is defined for class {name}")))
    }
}

/// What a hook gives: an object of another class, or dumping it would ask the hook again.
fn hook(ec: &mut Ec, v: Value, name: &str, arguments: &[Value]) -> Res {
    let data = ec.call(v, intern(name), arguments)?;
    let class = ec.class_of(v);
    if ec.class_of(data) == class {
        let class = ec.class_name(class);
        return Err(ec.raise(Exc::RuntimeError, format!("{class}#{name} returned same class instance")));
    }
    Ok(data)
}

fn encoding_of(code: u8) -> Enc {
    match code {
        BINARY => Enc::None,
        US_ASCII => Enc::Flag(false),
        UTF_8 => Enc::Flag(true),
        code => Enc::Named(code),
    }
}

/// The instance variables a program can see.
fn visible(ec: &mut Ec, v: Value) -> Vec<Sym> {
    let mut names = ivars::names(ec, v);
    names.retain(|n| n.bytes().first() == Some(&b'@'));
    names
}

/// The instance variables, and those that are none to a program but belong to what is dumped: a Process::Status's numbers, attributes that
/// `_dump` gave its String.
fn all_names(ec: &mut Ec, v: Value) -> Vec<Sym> {
    let mut names = ivars::names(ec, v);
    names.retain(|n| !n.bytes().starts_with(b"__"));
    names
}

/// The shortest digits of a finite, non-zero Float, without its sign.
fn float_digits(f: f64, text: &mut Vec<u8>) {
    let (digits, point) = shortest_digits(f);
    let count = digits.len() as i32;
    if point < -3 || point > count {
        text.push(digits[0]);
        if count > 1 {
            text.push(b'.');
            text.extend_from_slice(&digits[1..]);
        }
        text.extend_from_slice(format!("e{}", point - 1).as_bytes());
    } else if point > 0 {
        let (whole, fraction) = digits.split_at((point as usize).min(digits.len()));
        text.extend_from_slice(whole);
        if !fraction.is_empty() {
            text.push(b'.');
            text.extend_from_slice(fraction);
        }
    } else {
        text.extend_from_slice(b"0.");
        text.resize(text.len() + point.unsigned_abs() as usize, b'0');
        text.extend_from_slice(&digits);
    }
}
