//! `Array#pack`, `String#unpack` and `String#unpack1`.

use asterism_heap::Charge;
use asterism_object::types::Type;
use asterism_object::{Value, array, bigint, float, string};
use asterism_support::pack::{self as codec, PackArgs, Unpacked, Unpacker};
use asterism_support::{Error, Int};
use asterism_vm::{Args, Ec, NativeDef, Raised, Res};

use super::{options, util};
use crate::support_error;

/// Methods of String.
pub static METHODS: &[NativeDef] = &[NativeDef::new("unpack", unpack, 1, 2), NativeDef::new("unpack1", unpack1, 1, 2)];

/// Methods of Array.
pub static ARRAY: &[NativeDef] = &[NativeDef::new("pack", pack, 1, 2)];

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
    next: usize,
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
        let n = self.ec.to_integer(v)?;
        Ok(bigint::to_int(n).unwrap_or(Int::Small(0)))
    }

    fn float(&mut self) -> Result<f64, Failure> {
        let v = self.take()?;
        Ok(self.ec.to_f64(v)?)
    }

    fn bytes(&mut self, nil_ok: bool) -> Result<Vec<u8>, Failure> {
        let v = self.take()?;
        if v.is_nil() && nil_ok {
            return Ok(Vec::new());
        }
        let s = self.ec.to_str(v)?;
        self.copy(s)
    }

    fn text(&mut self) -> Result<Vec<u8>, Failure> {
        let v = self.take()?;
        let s = self.ec.to_s(v)?;
        self.copy(s)
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
    let [template] = *argv else {
        return Err(ec.arity_error(argv.len(), 1, Some(1)));
    };
    let mut buffer = Value::NIL;
    if let Some(keywords) = keywords {
        [buffer] = options::take(ec, keywords, ["buffer"])?;
        if !buffer.is_nil() && !buffer.is_type(Type::String) {
            let name = ec.describe_for_conversion(buffer);
            return Err(ec.type_error(format!("buffer must be String, not {name}")));
        }
    }
    let template = ec.to_str(template)?;
    let template = string::to_vec(ec, template);
    let this = crate::array::quick::settled(ec, this)?;
    let mut out = if buffer.is_nil() { Vec::new() } else { string::to_vec(ec, buffer) };
    let (room, taken) = (ec.new_charge(), ec.new_charge());
    let mut elements = Elements { ec, list: this, next: 0, room, taken };
    let encoding = match codec::pack(&template, &mut elements, &mut out) {
        Ok(encoding) => encoding,
        Err(Failure::Raised(raised)) => return Err(raised),
        Err(Failure::Support(error)) => return Err(support_error::raise(ec, &error)),
    };
    if buffer.is_nil() {
        return util::make(ec, &out, encoding);
    }
    let encoding = util::encoding(buffer);
    util::assign(ec, buffer, &out, encoding)?;
    Ok(buffer)
}

fn value(ec: &mut Ec, unpacked: Unpacked) -> Res {
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
        Unpacked::Bytes(bytes, encoding) => util::make(ec, &bytes, encoding),
    }
}

/// Calls `each` for the elements, until it says that they are enough.
fn unpack_with(ec: &mut Ec, this: Value, args: Args<'_>, mut each: impl FnMut(&mut Ec, Value) -> Res<bool>) -> Res<()> {
    let (argv, keywords) = args.split_keywords();
    let [template] = *argv else {
        return Err(ec.arity_error(argv.len(), 1, Some(1)));
    };
    let mut offset = 0;
    if let Some(keywords) = keywords {
        let given = options::take(ec, keywords, ["offset"])?[0];
        if !given.is_nil() {
            offset = ec.to_i64(given)?;
        }
    }
    let Ok(offset) = usize::try_from(offset) else {
        return Err(ec.arg_error("offset can't be negative"));
    };
    let template = ec.to_str(template)?;
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
            let v = value(ec, part)?;
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
