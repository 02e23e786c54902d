//! IO and File: streams over file descriptors, paths, directories, the standard streams.

pub mod control;
mod data;
pub mod dir;
pub mod directory;
pub mod encoding;
mod fcntl;
pub mod fd;
pub mod file;
pub mod glob;
mod left_open;
pub mod lines;
pub mod object;
pub mod open;
pub mod path;
pub mod read;
pub mod reserved;
pub mod scheduled;
mod seek;
pub mod stat;
pub mod stream;
mod wakes;
pub mod write;

pub use data::define_data;

use std::sync::Arc;

use asterism_object::class::Class;
use asterism_object::space::WellKnown;
use asterism_object::{Value, symbol_table};
use asterism_symbol::intern;
use asterism_vm::image::{Recording, Word};
use asterism_vm::keep::Recorded;
use asterism_vm::{Ec, Exc, Keep, Place, Res, Vm};
use rustix::fs::OFlags;

use asterism_core::allocators::set_allocator;
use object::Streams;

/// Descriptor, constant and name of the standard streams.
const STANDARD: [(i32, &str, &str); 3] =
    [(0, "STDIN", "<STDIN>"), (1, "STDOUT", "<STDOUT>"), (2, "STDERR", "<STDERR>")];

/// The objects of the standard streams, when a VM has been booted.
pub fn standard_streams(vm: &Vm) -> Vec<Value> {
    let object = Class(vm.space.classes.get(WellKnown::Object));
    STANDARD.iter().filter_map(|(_, name, _)| symbol_table::get(object.constants(), intern(name))).collect()
}

/// Opens the standard streams of a VM that is made from an image.
///
/// # Errors
/// NoMemoryError.
pub fn open_standard_streams(ec: &mut Ec, objects: &[Value]) -> Res<()> {
    for ((number, _, name), io) in STANDARD.iter().zip(objects) {
        if let Some(stream) = object::standard_stream(*number, *number > 0, name) {
            object::install(ec, *io, Arc::new(stream))?;
        }
    }
    Ok(())
}

impl Keep for Streams {
    const PLACE: Place = Place::Streams;

    fn after_gc(&self) -> bool {
        self.end_unreachable();
        false
    }

    fn after_fork(&self, _ec: &mut Ec) {
        self.wakes.clear();
    }

    fn record(&self, vm: &Vm, recording: &mut Recording<'_>) -> Option<Box<Recorded>> {
        let streams: Vec<Word> = standard_streams(vm).iter().map(|stream| recording.word(stream.bits())).collect();
        Some(Box::new(streams))
    }

    fn replay(&self, ec: &mut Ec, recorded: &Recorded, word: &dyn Fn(Word) -> Value) -> Res<()> {
        let Some(recorded) = recorded.downcast_ref::<Vec<Word>>() else {
            return Err(ec.fatal("an image of something else"));
        };
        let streams: Vec<Value> = recorded.iter().map(|stream| word(*stream)).collect();
        open_standard_streams(ec, &streams)
    }
}

/// Defines the classes' methods and the standard streams.
///
/// # Errors
/// NoMemoryError.
pub fn init(ec: &mut Ec) -> Res<()> {
    let io = ec.known(WellKnown::IO);
    set_allocator(ec, io, object::allocate);
    let enumerable = ec.known(WellKnown::Enumerable);
    ec.include_module(io, enumerable, false)?;
    for list in [write::IO, read::IO, control::IO, seek::IO, encoding::IO, open::IO, stat::IO] {
        ec.define_natives(io, list)?;
    }
    ec.define_singleton_natives(io, open::SINGLETON)?;
    let kernel = ec.known(WellKnown::Kernel);
    ec.define_module_functions(kernel, write::KERNEL)?;
    ec.define_natives(kernel, write::OBJECT)?;
    let object = ec.known(WellKnown::Object);
    let file = ec.known(WellKnown::File);
    for list in [open::FILE, file::FILE, stat::FILE] {
        ec.define_natives(file, list)?;
    }
    for list in [file::SINGLETON, stat::TESTS, stat::FILE_SINGLETON] {
        ec.define_singleton_natives(file, list)?;
    }
    let stat = ec.define_class(file, "Stat", object)?;
    set_allocator(ec, stat, stat::allocate);
    ec.define_natives(stat, stat::STAT)?;
    let file_test = ec.define_module(object, "FileTest")?;
    ec.define_module_functions(file_test, stat::TESTS)?;
    let dir = ec.define_class(object, "Dir", object)?;
    ec.define_singleton_natives(dir, dir::SINGLETON)?;
    define_constants(ec, io, file)?;
    define_wait_errors(ec, io)?;
    // An image of the VM opens them again.
    ec.vm().part::<Streams>();
    for (number, constant, name) in STANDARD {
        let stream = object::standard(ec, number, number > 0, name)?;
        ec.set_constant(object, intern(constant), stream)?;
    }
    ec.vm().gvars.define(
        intern("$."),
        Some(|ec, _| ec.int(ec.vm().part::<Streams>().last_lineno())),
        Some(|ec, _, v| {
            let n = ec.to_i64(v)?;
            ec.vm().part::<Streams>().set_last_lineno(n);
            Ok(())
        }),
        Value::NIL,
    );
    Ok(())
}

/// The numbers of `File::Constants`, and the separators.
fn define_constants(ec: &mut Ec, io: Class, file: Class) -> Res<()> {
    let constants = ec.define_module(file, "Constants")?;
    let numbers: &[(&str, i64)] = &[
        ("RDONLY", 0),
        ("WRONLY", i64::from(OFlags::WRONLY.bits())),
        ("RDWR", i64::from(OFlags::RDWR.bits())),
        ("APPEND", i64::from(OFlags::APPEND.bits())),
        ("CREAT", i64::from(OFlags::CREATE.bits())),
        ("EXCL", i64::from(OFlags::EXCL.bits())),
        ("TRUNC", i64::from(OFlags::TRUNC.bits())),
        ("NONBLOCK", i64::from(OFlags::NONBLOCK.bits())),
        ("NOCTTY", i64::from(OFlags::NOCTTY.bits())),
        ("SYNC", i64::from(OFlags::SYNC.bits())),
        ("DSYNC", i64::from(OFlags::DSYNC.bits())),
        ("NOFOLLOW", i64::from(OFlags::NOFOLLOW.bits())),
        ("RSYNC", i64::from(OFlags::RSYNC.bits())),
        ("DIRECT", i64::from(OFlags::DIRECT.bits())),
        ("TMPFILE", i64::from(OFlags::TMPFILE.bits())),
        ("NOATIME", i64::from(OFlags::NOATIME.bits())),
        ("BINARY", 0),
        ("SHARE_DELETE", 0),
        ("LOCK_SH", 1),
        ("LOCK_EX", 2),
        ("LOCK_NB", 4),
        ("LOCK_UN", 8),
        ("FNM_NOESCAPE", glob::NOESCAPE),
        ("FNM_PATHNAME", glob::PATHNAME),
        ("FNM_DOTMATCH", glob::DOTMATCH),
        ("FNM_CASEFOLD", glob::CASEFOLD),
        ("FNM_EXTGLOB", glob::EXTGLOB),
        ("FNM_SYSCASE", 0),
        ("FNM_SHORTNAME", 0),
    ];
    for (name, number) in numbers {
        ec.set_constant(constants, intern(name), Value::fixnum(*number))?;
    }
    let null = ec.str("/dev/null")?;
    ec.freeze(null)?;
    ec.set_constant(constants, intern("NULL"), null)?;
    ec.include_module(io, constants, false)?;
    for (name, text) in [("SEPARATOR", "/"), ("Separator", "/"), ("PATH_SEPARATOR", ":")] {
        let text = ec.str(text)?;
        ec.freeze(text)?;
        ec.set_constant(file, intern(name), text)?;
    }
    ec.set_constant(file, intern("ALT_SEPARATOR"), Value::NIL)?;
    for (name, number) in [
        ("SEEK_SET", 0),
        ("SEEK_CUR", 1),
        ("SEEK_END", 2),
        ("SEEK_DATA", 3),
        ("SEEK_HOLE", 4),
        ("READABLE", 1),
        ("PRIORITY", 2),
        ("WRITABLE", 4),
    ] {
        ec.set_constant(io, intern(name), Value::fixnum(number))?;
    }
    Ok(())
}

/// `IO::WaitReadable` and its like.
fn define_wait_errors(ec: &mut Ec, io: Class) -> Res<()> {
    let object = ec.known(WellKnown::Object);
    let errno = ec.define_module(object, "Errno")?;
    for waits in ["WaitReadable", "WaitWritable"] {
        let module = ec.define_module(io, waits)?;
        for error in ["EAGAIN", "EINPROGRESS"] {
            let parent = ec.own_constant(errno, intern(error)).and_then(Class::from_value);
            let parent = parent.unwrap_or_else(|| Class(ec.exc_class(Exc::SystemCallError)));
            let class = ec.define_class(io, &format!("{error}{waits}"), parent)?;
            ec.include_module(class, module, false)?;
            if error == "EAGAIN" {
                ec.set_constant(io, intern(&format!("EWOULDBLOCK{waits}")), class.0)?;
            }
        }
    }
    let io_error = Class(ec.exc_class(Exc::IOError));
    ec.define_class(io, "TimeoutError", io_error)?;
    Ok(())
}

/// Lets `$stdin`, `$stdout` and `$stderr` be the standard streams. The variables must be defined.
///
/// # Errors
/// NoMemoryError.
pub fn set_standard_streams(ec: &mut Ec) -> Res<()> {
    let object = ec.known(WellKnown::Object);
    for (constant, variable) in [("STDIN", "$stdin"), ("STDOUT", "$stdout"), ("STDERR", "$stderr")] {
        if let Some(stream) = ec.own_constant(object, intern(constant)) {
            let gvar = ec.vm().gvars.get(intern(variable));
            gvar.value.store(stream, std::sync::atomic::Ordering::Release);
        }
    }
    Ok(())
}
