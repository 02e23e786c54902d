//! What `asterism top` is told of this process.
//!
//! It writes what it wants into a file that goes by the number of the process, keeps that locked, and sends SIGQUIT. The main thread of
//! the main VM, which gets the signal, writes the answer into the file, instead of the backtraces that it shows else. So a process
//! that nobody looks at pays nothing, and listens to nobody: the file has to belong to its own user.
//!
//! The answer is lines of fields with tabs between them: `asterism` and the version of this format; `vm`, its name, bytes of the heap, malloc'ed
//! bytes, collections, nanoseconds that they stopped the threads in all and at the longest, threads; `thread`, VM, native number, status,
//! name, what it waits for, its backtrace; `class`, name, objects, bytes; `end`.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{Read, Seek, Write};
use std::os::fd::OwnedFd;

use asterism_core::objspace::is_visible;
use asterism_object::class::Class;
use asterism_object::{Value, class_field};
use asterism_vm::{Ec, Res, Vm};
use rustix::fs::{FileType, FlockOperation, Mode, OFlags};

use super::signals;

/// What the file of a process begins with.
pub const PREFIX: &str = "/tmp/.asterism-top-";
/// The first word of what is wanted.
const WANTED: &str = "want";
/// The most bytes of what is wanted.
const MOST: u64 = 64;
/// The most classes that are told of.
const MOST_CLASSES: usize = 40;

/// Answers, if somebody has asked.
pub fn answer(ec: &mut Ec) -> bool {
    let Some(mut file) = open() else { return false };
    let mut wanted = String::new();
    // What cannot be read asks for nothing.
    let read = Read::by_ref(&mut file).take(MOST).read_to_string(&mut wanted);
    if read.is_err() || !wanted.starts_with(WANTED) {
        return false;
    }
    let mut text = "asterism\t1\n".to_string();
    let vm = ec.vm_arc();
    describe_vm(&mut text, "main", &vm);
    for thread in ec.view_threads() {
        let name = thread.name.unwrap_or_else(|| "main thread".into());
        let waits = thread.waits.unwrap_or_default();
        let fields = [&thread.native.to_string(), thread.status, &name, &waits].map(str::to_owned);
        line(&mut text, ["thread".into(), "main".into()].into_iter().chain(fields).chain(thread.lines));
    }
    for (name, vm) in signals::other_vms(&vm) {
        describe_vm(&mut text, &name, &vm);
        for thread in vm.threads.living() {
            let native = thread.native_id.load(std::sync::atomic::Ordering::Relaxed).to_string();
            let fields =
                ["thread".into(), name.clone(), native, thread.status_name().into(), String::new(), String::new()];
            line(&mut text, fields.into_iter());
        }
    }
    if wanted.contains("classes")
        && let Ok(classes) = class_sizes(ec)
    {
        for (name, count, bytes) in classes.into_iter().take(MOST_CLASSES) {
            line(&mut text, ["class".into(), name, count.to_string(), bytes.to_string()].into_iter());
        }
    }
    text.push_str("end\n");
    // Who asked sees an answer without its end, and asks again.
    let _ = file.rewind().and_then(|()| file.write_all(text.as_bytes()));
    true
}

/// The file in which somebody asks who still runs.
fn open() -> Option<File> {
    let path = format!("{PREFIX}{}", std::process::id());
    let flags = OFlags::RDWR | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file: OwnedFd = rustix::fs::open(&path, flags, Mode::empty()).ok()?;
    let stat = rustix::fs::fstat(&file).ok()?;
    let ours = stat.st_uid == rustix::process::geteuid().as_raw() && stat.st_mode & 0o022 == 0;
    if !ours || FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
        return None;
    }
    // One that can be locked was left behind.
    match rustix::fs::flock(&file, FlockOperation::NonBlockingLockShared) {
        Err(rustix::io::Errno::WOULDBLOCK) => Some(File::from(file)),
        _ => None,
    }
}

fn describe_vm(text: &mut String, name: &str, vm: &Vm) {
    let stats = vm.heap().stats();
    let numbers = [
        stats.heap_bytes,
        stats.malloc_bytes,
        stats.collections,
        stats.pauses.total_ns,
        stats.pauses.max_ns,
        vm.threads.count() as u64,
    ];
    line(text, ["vm".into(), name.to_owned()].into_iter().chain(numbers.map(|n| n.to_string())));
}

/// A line of these fields, in which what would end one is a space.
fn line(text: &mut String, fields: impl Iterator<Item = String>) {
    for (i, field) in fields.enumerate() {
        let separator = if i == 0 { "" } else { "\t" };
        let _ = write!(text, "{separator}{}", field.replace(['\t', '\n'], " "));
    }
    text.push('\n');
}

/// How many visible objects there are of the classes of each name, and the bytes of their cells; the most bytes first. Those that died
/// since the last collection count too.
fn class_sizes(ec: &mut Ec) -> Res<Vec<(String, u64, u64)>> {
    ec.make_all_classes()?;
    let vm = ec.vm_arc();
    let mut named: HashMap<String, (u64, u64)> = HashMap::new();
    vm.heap().stop_the_world(ec, |world| {
        let mut sizes: HashMap<u64, (u64, u64)> = HashMap::new();
        vm.heap().each_live_cell(world, |cell| {
            if is_visible(Value::from_cell(cell)) {
                let (count, bytes) = sizes.entry(Class(class_field(cell)).real().0.bits()).or_default();
                *count += 1;
                *bytes += vm.heap().cell_size(cell) as u64;
            }
        });
        for (class, (count, bytes)) in sizes {
            // SAFETY: a class of objects that were met a moment ago, and the world is still stopped.
            let class = Class(unsafe { Value::from_bits(class) });
            let name = class.name().as_sym().map_or("(without a name)".into(), |name| name.text().into_owned());
            let sum = named.entry(name).or_default();
            *sum = (sum.0 + count, sum.1 + bytes);
        }
    });
    let mut rows: Vec<_> = named.into_iter().map(|(name, (count, bytes))| (name, count, bytes)).collect();
    rows.sort_by(|a, b| b.2.cmp(&a.2).then_with(|| a.0.cmp(&b.0)));
    Ok(rows)
}
