//! `Array#pack`, `String#unpack` and `String#unpack1`.

use asterism_object::types::Type;
use asterism_object::{Value, array, bigint, float, string};
use asterism_support::pack::{self as codec, PackArgs, Unpacked};
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
}

impl Elements<'_> {
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
        Ok(string::to_vec(self.ec, s))
    }

    fn text(&mut self) -> Result<Vec<u8>, Failure> {
        let v = self.take()?;
        let s = self.ec.to_s(v)?;
        Ok(string::to_vec(self.ec, s))
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
    let mut out = if buffer.is_nil() { Vec::new() } else { string::to_vec(ec, buffer) };
    let mut elements = Elements { ec, list: this, next: 0 };
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

fn unpack_all(ec: &mut Ec, this: Value, args: Args<'_>, first: bool) -> Res<Vec<Unpacked>> {
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
    let read = string::with_bytes(ec, this, |s, _| codec::unpack(&template, s, offset, first));
    support_error::check(ec, read)
}

fn unpack(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let parts = unpack_all(ec, this, args, false)?;
    if let Some(block) = args.block() {
        for part in parts {
            let v = value(ec, part)?;
            ec.yield1(block, v)?;
        }
        return Ok(Value::NIL);
    }
    let list = ec.array_with_capacity(parts.len())?;
    for part in parts {
        let v = value(ec, part)?;
        ec.array_push(list, v)?;
    }
    Ok(list)
}

fn unpack1(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    match unpack_all(ec, this, args, true)?.into_iter().next() {
        Some(part) => value(ec, part),
        None => Ok(Value::NIL),
    }
}
