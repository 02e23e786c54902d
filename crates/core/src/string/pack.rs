//! `Array#pack`, `String#unpack` and `String#unpack1`.

use asterism_heap::Charge;
use asterism_object::types::Type;
use asterism_object::{Value, array, bigint, float, ivars, string};
use asterism_support::pack::{self as codec, PackArgs, Unpacked, Unpacker};
use asterism_support::{Error, Int};
use asterism_vm::memory::Buffer;
use asterism_vm::{Args, Ec, NativeDef, Raised, Res};

use super::util;
use crate::support_error;

/// Methods of String.
pub static METHODS: &[NativeDef] = &[
    NativeDef::new("unpack", unpack, 1, 1).keywords(&["offset"]),
    NativeDef::new("unpack1", unpack1, 1, 1).keywords(&["offset"]),
];

/// Methods of Array.
pub static ARRAY: &[NativeDef] = &[NativeDef::new("pack", pack, 1, 1).keywords(&["buffer"])];

/// What ended a `pack`.
enum Failure {
    Raised(Raised),
    Support(Error),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::Support(error)
    }
}

impl From<Raised> for Failure {
    fn from(raised: Raised) -> Failure {
        Failure::Raised(raised)
    }
}

/// The elements of the Array, taken one after the other. It is read as it goes, since conversions call Ruby.
struct Elements<'a> {
    ec: &'a mut Ec,
    list: Value,
    /// The format, and its size when it was read.
    template: (Value, usize),
    next: usize,
    /// An Array of the addresses in the result, each followed by its String and by the copy that has the address; nil as
    /// long as there are none.
    pointed: Value,
    /// What counts the result, and the String under way.
    room: Charge,
    taken: Charge,
}

/// Copies of Strings up to this size are not counted.
const SMALL: usize = 4096;

impl Elements<'_> {
    /// The bytes of a String, counted until the next one's are taken.
    fn copy(&mut self, s: Value) -> Result<Vec<u8>, Failure> {
        let len = string::len(s);
        if len.max(self.taken.bytes()) > SMALL {
            self.ec.recharge(&mut self.taken, len)?;
        }
        Ok(string::to_vec(self.ec, s))
    }

    /// After a conversion, which may have changed the format: in a String of this thread's own it was that.
    fn check(&mut self) -> Result<(), Failure> {
        let (template, len) = self.template;
        if string::len(template) < len && string::is_own(self.ec, template) {
            return Err(self.ec.raise(asterism_vm::Exc::RuntimeError, "format string modified").into());
        }
        Ok(())
    }

    fn take(&mut self) -> Result<Value, Failure> {
        match array::at(self.list, self.next) {
            Some(v) => {
                self.next += 1;
                Ok(v)
            }
            None => Err(Error::argument("too few arguments").into()),
        }
    }
}

impl PackArgs for Elements<'_> {
    type Error = Failure;

    fn remaining(&self) -> usize {
        array::len(self.list).saturating_sub(self.next)
    }

    fn int(&mut self) -> Result<Int, Failure> {
        let v = self.take()?;
        if v.is_nil() {
            return Err(self.ec.no_conversion(v, "Integer").into());
        }
        let n = self.ec.to_integer(v)?;
        self.check()?;
        Ok(bigint::to_int(n).unwrap_or(Int::Small(0)))
    }

    fn float(&mut self) -> Result<f64, Failure> {
        let v = self.take()?;
        let f = self.ec.to_f64(v)?;
        self.check()?;
        Ok(f)
    }

    fn bytes(&mut self, nil_ok: bool) -> Result<Vec<u8>, Failure> {
        let v = self.take()?;
        if v.is_nil() && nil_ok {
            return Ok(Vec::new());
        }
        let s = self.ec.to_str(v)?;
        self.check()?;
        self.copy(s)
    }

    fn text(&mut self) -> Result<Vec<u8>, Failure> {
        let v = self.take()?;
        let s = self.ec.to_s(v)?;
        self.check()?;
        self.copy(s)
    }

    fn pointer(&mut self, least: usize) -> Result<u64, Failure> {
        let v = self.take()?;
        if v.is_nil() {
            return Ok(0);
        }
        let s = self.ec.to_str(v)?;
        let len = string::len(s);
        if len < least {
            return Err(Error::argument(format!("too short buffer for P({len} for {least})")).into());
        }
        // A frozen copy with a NUL behind it: its bytes stay where they are.
        let mut bytes = self.copy(s)?;
        bytes.push(0);
        let fixed = self.ec.str_enc(&bytes, asterism_symbol::BINARY)?;
        asterism_object::ownership::freeze(self.ec, fixed);
        let address = string::read(self.ec, fixed).as_ptr().expose_provenance() as u64;
        if self.pointed.is_nil() {
            self.pointed = self.ec.array_with_capacity(POINTED_STEP)?;
        }
        let number = self.ec.int(address as i64)?;
        self.ec.array_push(self.pointed, number)?;
        self.ec.array_push(self.pointed, s)?;
        self.ec.array_push(self.pointed, fixed)?;
        Ok(address)
    }

    fn reserve(&mut self, out: &mut Vec<u8>, more: usize) -> Result<(), Failure> {
        if out.capacity() - out.len() < more {
            let needed = out.len().saturating_add(more).max(out.capacity().saturating_mul(2));
            self.ec.recharge(&mut self.room, needed)?;
            if out.try_reserve(more).is_err() {
                return Err(self.ec.no_memory().into());
            }
        }
        Ok(())
    }
}

fn pack(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let (argv, keywords) = args.split_keywords();
    let [buffer] = ec.keyword_values(keywords, ["buffer"])?;
    if !buffer.is_nil() && !buffer.is_type(Type::String) {
        let name = ec.describe_for_conversion(buffer);
        return Err(ec.type_error(format!("buffer must be String, not {name}")));
    }
    let given = ec.to_str(argv[0])?;
    check_template(ec, given)?;
    // Each byte may be a directive.
    let _items = ec.charge(string::len(given).saturating_mul(size_of::<codec::Item>() + 1))?;
    let template = string::to_vec(ec, given);
    let this = crate::array::quick::settled(ec, this)?;
    let mut out = if buffer.is_nil() { Buffer::new(ec) } else { ec.bytes_of(buffer)? };
    let (room, taken) = (ec.new_charge(), ec.new_charge());
    let mut elements =
        Elements { ec, list: this, template: (given, template.len()), next: 0, pointed: Value::NIL, room, taken };
    let encoding = match codec::pack(&template, &mut elements, &mut out) {
        Ok(encoding) => encoding,
        Err(Failure::Raised(raised)) => return Err(raised),
        Err(Failure::Support(error)) => return Err(support_error::raise(ec, &error)),
    };
    let pointed = elements.pointed;
    if buffer.is_nil() {
        let made = util::make(ec, &out, encoding)?;
        keep_pointed(ec, made, pointed)?;
        return Ok(made);
    }
    let encoding = util::encoding(buffer);
    util::assign(ec, buffer, &out, encoding)?;
    keep_pointed(ec, buffer, pointed)?;
    Ok(buffer)
}

/// A format is ASCII text.
fn check_template(ec: &mut Ec, template: Value) -> Res<()> {
    if util::encoding(template).is_ascii_compatible() {
        return Ok(());
    }
    let message = format!("ASCII incompatible encoding: {}", util::encoding(template).name());
    Err(crate::encoding::errors::raise_nested(ec, "CompatibilityError", &message))
}

/// What keeps the Strings alive whose addresses a String has; no program can name it.
const POINTED: &str = "__pointed";
/// Elements that it has for an address.
const POINTED_STEP: usize = 3;

/// Keeps `more` alive as long as `packed`, behind what it keeps already.
fn keep_pointed(ec: &mut Ec, packed: Value, more: Value) -> Res<()> {
    if more.is_nil() {
        return Ok(());
    }
    let name = asterism_symbol::intern(POINTED);
    match ivars::get(ec, packed, name).filter(|v| v.is_type(Type::Array)) {
        None => ec.ivar_put(packed, name, more),
        Some(held) => {
            for i in 0..array::len(more) {
                let v = array::at(more, i).unwrap_or(Value::NIL);
                ec.array_push(held, v)?;
            }
            Ok(())
        }
    }
}

/// The String that an address in `packed` stands for.
fn pointed(ec: &mut Ec, packed: Value, address: u64, most: Option<usize>) -> Res {
    let name = asterism_symbol::intern(POINTED);
    let Some(held) = ivars::get(ec, packed, name).filter(|v| v.is_type(Type::Array)) else {
        return Err(ec.arg_error("no associated pointer"));
    };
    let number = ec.int(address as i64)?;
    let found = (0..array::len(held)).step_by(POINTED_STEP).find(|&i| array::at(held, i) == Some(number));
    let Some(s) = found.and_then(|i| array::at(held, i + 1)) else {
        return Err(ec.arg_error("non associated pointer"));
    };
    match most {
        Some(most) if most < string::len(s) => {
            let bytes = ec.bytes_of(s)?;
            ec.str_enc(&bytes[..most.min(bytes.len())], asterism_symbol::BINARY)
        }
        _ => Ok(s),
    }
}

fn value(ec: &mut Ec, packed: Value, unpacked: Unpacked) -> Res {
    match unpacked {
        Unpacked::Nil => Ok(Value::NIL),
        Unpacked::Int(n) => {
            let made = bigint::from_int(ec, n);
            ec.check(Value::NIL, made)
        }
        Unpacked::Float(f) => {
            let made = float::new(ec, f);
            ec.check(Value::NIL, made)
        }
        Unpacked::Pointer(address, most) => pointed(ec, packed, address, most),
        Unpacked::Bytes(bytes, encoding) => util::make(ec, &bytes, encoding),
    }
}

/// Calls `each` for the elements, until it says that they are enough.
fn unpack_with(ec: &mut Ec, this: Value, args: Args<'_>, mut each: impl FnMut(&mut Ec, Value) -> Res<bool>) -> Res<()> {
    let (argv, keywords) = args.split_keywords();
    let [offset] = ec.keyword_values(keywords, ["offset"])?;
    let offset = if offset.is_nil() { 0 } else { ec.to_i64(offset)? };
    let Ok(offset) = usize::try_from(offset) else {
        return Err(ec.arg_error("offset can't be negative"));
    };
    let template = ec.to_str(argv[0])?;
    check_template(ec, template)?;
    // Each byte may be a directive.
    let _items = ec.charge(string::len(template).saturating_mul(size_of::<codec::Item>() + 1))?;
    let template = string::to_vec(ec, template);
    let source = string::read(ec, this);
    let mut unpacker = support_error::check(ec, Unpacker::new(&template, &source, offset))?;
    let mut parts = Vec::new();
    loop {
        let _room = ec.charge(unpacker.room())?;
        let more = unpacker.step(&mut parts);
        if !support_error::check(ec, more)? {
            return Ok(());
        }
        for part in parts.drain(..) {
            let v = value(ec, this, part)?;
            if !each(ec, v)? {
                return Ok(());
            }
        }
        ec.poll()?;
    }
}

fn unpack(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    if let Some(block) = args.block() {
        unpack_with(ec, this, args, |ec, v| {
            // Nothing is made up for what is missing.
            if v.is_nil() {
                return Ok(true);
            }
            ec.yield1(block, v)?;
            Ok(true)
        })?;
        return Ok(Value::NIL);
    }
    let list = ec.array_with_capacity(0)?;
    unpack_with(ec, this, args, |ec, v| {
        ec.array_push(list, v)?;
        Ok(true)
    })?;
    Ok(list)
}

fn unpack1(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let mut first = Value::NIL;
    unpack_with(ec, this, args, |_, v| {
        first = v;
        Ok(false)
    })?;
    Ok(first)
}
