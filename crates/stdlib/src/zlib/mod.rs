//! Compression for the library `zlib`: deflate streams and checksums. The classes, and the gzip format around the
//! streams, are Ruby (`zlib.rb`).

use asterism_heap::{Charge, Marker, Stores};
use asterism_lock::Mutex;
use asterism_object::data::{self, DataObject};
use asterism_object::space::WellKnown;
use asterism_object::types::Type;
use asterism_object::{Value, string};
use asterism_symbol::BINARY;
use asterism_vm::memory::Buffer;
use asterism_vm::native::PrimFn;
use asterism_vm::{Ec, Res};
use flate2::{Compress, Compression, Decompress, FlushCompress, FlushDecompress, Status};

static PRIMITIVES: &[(&str, PrimFn)] = &[
    ("zlib_crc32", crc32),
    ("zlib_adler32", adler32),
    ("zlib_deflater", deflater),
    ("zlib_inflater", inflater),
    ("zlib_deflate", deflate),
    ("zlib_inflate", inflate),
];

/// Registers the primitives.
///
/// # Errors
/// None: the signature is that of what loads a feature.
pub fn init(ec: &mut Ec) -> Res<()> {
    ec.vm().add_primitives(PRIMITIVES);
    Ok(())
}

/// How much room a step of a stream is given.
const STEP: usize = 16 * 1024;
/// How much a step compresses.
const INPUT: usize = 256 * 1024;

enum Stream {
    Deflate(Compress),
    Inflate(Decompress),
}

/// The lock is held for a step of the stream, which touches no Ruby object.
struct Held(Mutex<Stream>, #[allow(dead_code, reason = "it stands for the stream's memory")] Charge);

/// What the states of the two kinds of stream take.
const DEFLATING: usize = 320 << 10;
const INFLATING: usize = 48 << 10;

impl DataObject for Held {
    const NAME: &'static str = "Zlib::State";
    const STORES: Stores = Stores::None;

    fn trace(&self, _marker: &mut Marker) {}
}

fn wrap(ec: &mut Ec, charge: Charge, stream: Stream) -> Res {
    let class = ec.known(WellKnown::Object).0;
    let made = data::new(ec, class, Held(Mutex::new(stream), charge));
    ec.check(Value::NIL, made)
}

fn argument(args: &[Value], i: usize) -> Value {
    args.get(i).copied().unwrap_or(Value::NIL)
}

/// `Primitive.zlib_crc32(string, start)`
fn crc32(ec: &mut Ec, args: &[Value]) -> Res {
    let text = ec.to_str(argument(args, 0))?;
    let start = checksum(ec, argument(args, 1))?;
    let text = string::read(ec, text);
    let mut sum = crc32fast::Hasher::new_with_initial(start);
    sum.update(text.as_bytes());
    ec.int(i64::from(sum.finalize()))
}

/// The low 32 bits of an Integer.
fn checksum(ec: &mut Ec, v: Value) -> Res<u32> {
    Ok(ec.to_i64(v)? as u32)
}

/// `Primitive.zlib_adler32(string, start)`
fn adler32(ec: &mut Ec, args: &[Value]) -> Res {
    let text = ec.to_str(argument(args, 0))?;
    let start = checksum(ec, argument(args, 1))?;
    let (mut a, mut b) = (start & 0xffff, start >> 16);
    let text = string::read(ec, text);
    // The sums stay below 2**32 for so many bytes.
    for part in text.as_bytes().chunks(5552) {
        for &byte in part {
            a += u32::from(byte);
            b += a;
        }
        a %= 65_521;
        b %= 65_521;
    }
    ec.int(i64::from(b << 16 | a))
}

/// `Primitive.zlib_deflater(level, header)`: `header`: with the zlib header and checksum.
fn deflater(ec: &mut Ec, args: &[Value]) -> Res {
    let level = match argument(args, 0).fixnum_value() {
        Some(n @ 0..=9) => n as u32,
        _ => 6,
    };
    let charge = ec.charge(DEFLATING)?;
    let stream = Compress::new(Compression::new(level), argument(args, 1).truthy());
    wrap(ec, charge, Stream::Deflate(stream))
}

/// `Primitive.zlib_inflater(header)`
fn inflater(ec: &mut Ec, args: &[Value]) -> Res {
    let charge = ec.charge(INFLATING)?;
    wrap(ec, charge, Stream::Inflate(Decompress::new(argument(args, 0).truthy())))
}

fn held<'a>(ec: &mut Ec, v: &'a Value) -> Res<&'a Held> {
    match data::get::<Held>(v) {
        Some(held) => Ok(held),
        None => Err(ec.type_error("stream is not ready")),
    }
}

/// `Primitive.zlib_deflate(stream, string, flush)`: what comes out. `flush`: 0, 2 (sync), 3 (full) or 4 (finish).
fn deflate(ec: &mut Ec, args: &[Value]) -> Res {
    let v = argument(args, 0);
    let text = ec.to_str(argument(args, 1))?;
    let flush = match argument(args, 2).fixnum_value() {
        Some(4) => FlushCompress::Finish,
        Some(3) => FlushCompress::Full,
        Some(2) => FlushCompress::Sync,
        _ => FlushCompress::None,
    };
    let held = held(ec, &v)?;
    let text = string::read(ec, text);
    let mut out = Buffer::new(ec);
    let mut rest = text.as_bytes();
    loop {
        out.reserve(ec, STEP)?;
        // A step at a time, so that others and interrupts need not wait for all of it.
        let input = &rest[..rest.len().min(INPUT)];
        let flush = if input.len() < rest.len() { FlushCompress::None } else { flush };
        let Stream::Deflate(stream) = &mut *held.0.lock() else { break };
        let before = (stream.total_in(), stream.total_out());
        let status = stream.compress_vec(input, &mut out, flush);
        let taken = (stream.total_in() - before.0) as usize;
        let idle = taken == 0 && stream.total_out() == before.1;
        rest = rest.get(taken..).unwrap_or(&[]);
        let room = out.capacity() - out.len();
        match status {
            Ok(Status::StreamEnd) | Err(_) => break,
            _ if rest.is_empty() && room > 0 && !matches!(flush, FlushCompress::Finish) => break,
            _ if idle => break,
            _ => {}
        }
        ec.poll()?;
    }
    ec.str_enc(&out, BINARY)
}

/// `Primitive.zlib_inflate(stream, string)`: `[output, bytes taken, at the end?]`, or nil if the data is damaged.
fn inflate(ec: &mut Ec, args: &[Value]) -> Res {
    let v = argument(args, 0);
    let text = argument(args, 1);
    if !text.is_type(Type::String) {
        return Err(ec.no_conversion(text, "String"));
    }
    let held = held(ec, &v)?;
    let text = string::read(ec, text);
    let mut out = Buffer::new(ec);
    let (mut taken_all, mut end, mut damaged) = (0, false, false);
    let bytes = text.as_bytes();
    loop {
        out.reserve(ec, STEP)?;
        let Stream::Inflate(stream) = &mut *held.0.lock() else { break };
        let before = (stream.total_in(), stream.total_out());
        let status = stream.decompress_vec(&bytes[taken_all..], &mut out, FlushDecompress::None);
        let taken = (stream.total_in() - before.0) as usize;
        taken_all = (taken_all + taken).min(bytes.len());
        match status {
            Ok(Status::StreamEnd) => {
                end = true;
                break;
            }
            Err(_) => {
                damaged = true;
                break;
            }
            Ok(_) if taken == 0 && stream.total_out() == before.1 => break,
            Ok(_) => {}
        }
        ec.poll()?;
    }
    if damaged {
        return Ok(Value::NIL);
    }
    let out = ec.str_enc(&out, BINARY)?;
    let taken = ec.size(taken_all)?;
    ec.array(&[out, taken, Value::bool(end)])
}
