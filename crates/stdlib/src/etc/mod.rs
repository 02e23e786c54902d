//! What `Etc` asks the C library: users, groups, and what the system is set up for.

use std::ffi::{CStr, CString, c_char, c_int, c_long};
use std::ptr;

use asterism_core::errno;
use asterism_lock::Mutex;
use asterism_object::types::Type;
use asterism_object::{Value, string};
use asterism_symbol::intern;
use asterism_vm::{Args, Ec, NativeDef, Res};
use rustix::io::Errno;

static NATIVES: &[NativeDef] = &[
    NativeDef::new("__user", |ec, _, args| entry(ec, args, User::by_number, User::by_name), 1, 1).private(),
    NativeDef::new("__group", |ec, _, args| entry(ec, args, Group::by_number, Group::by_name), 1, 1).private(),
    NativeDef::new("__users", |ec, _, _| all(ec, User::all), 0, 0).private(),
    NativeDef::new("__groups", |ec, _, _| all(ec, Group::all), 0, 0).private(),
    NativeDef::new("__login", login, 0, 0).private(),
    NativeDef::new("__system", system, 0, 0).private(),
    NativeDef::new("__pathconf", path_setting, 2, 2).private(),
    NativeDef::new("sysconf", setting, 1, 1),
    NativeDef::new("confstr", text_setting, 1, 1),
];

macro_rules! numbers {
    ($($name:ident,)*) => { &[$((stringify!($name), libc::$name)),*] };
}

/// The names of settings; those of the module have no underscore before them.
const NUMBERS: &[(&str, c_int)] = numbers![
    _SC_AIO_LISTIO_MAX,
    _SC_AIO_MAX,
    _SC_AIO_PRIO_DELTA_MAX,
    _SC_ARG_MAX,
    _SC_ATEXIT_MAX,
    _SC_BC_BASE_MAX,
    _SC_BC_DIM_MAX,
    _SC_BC_SCALE_MAX,
    _SC_BC_STRING_MAX,
    _SC_CHILD_MAX,
    _SC_CLK_TCK,
    _SC_COLL_WEIGHTS_MAX,
    _SC_DELAYTIMER_MAX,
    _SC_EXPR_NEST_MAX,
    _SC_HOST_NAME_MAX,
    _SC_IOV_MAX,
    _SC_LINE_MAX,
    _SC_LOGIN_NAME_MAX,
    _SC_NGROUPS_MAX,
    _SC_GETGR_R_SIZE_MAX,
    _SC_GETPW_R_SIZE_MAX,
    _SC_MQ_OPEN_MAX,
    _SC_MQ_PRIO_MAX,
    _SC_OPEN_MAX,
    _SC_ADVISORY_INFO,
    _SC_BARRIERS,
    _SC_ASYNCHRONOUS_IO,
    _SC_CLOCK_SELECTION,
    _SC_CPUTIME,
    _SC_FSYNC,
    _SC_IPV6,
    _SC_JOB_CONTROL,
    _SC_MAPPED_FILES,
    _SC_MEMLOCK,
    _SC_MEMLOCK_RANGE,
    _SC_MEMORY_PROTECTION,
    _SC_MESSAGE_PASSING,
    _SC_MONOTONIC_CLOCK,
    _SC_PRIORITIZED_IO,
    _SC_PRIORITY_SCHEDULING,
    _SC_RAW_SOCKETS,
    _SC_READER_WRITER_LOCKS,
    _SC_REALTIME_SIGNALS,
    _SC_REGEXP,
    _SC_SAVED_IDS,
    _SC_SEMAPHORES,
    _SC_SHARED_MEMORY_OBJECTS,
    _SC_SHELL,
    _SC_SPAWN,
    _SC_SPIN_LOCKS,
    _SC_SPORADIC_SERVER,
    _SC_SS_REPL_MAX,
    _SC_SYNCHRONIZED_IO,
    _SC_THREAD_ATTR_STACKADDR,
    _SC_THREAD_ATTR_STACKSIZE,
    _SC_THREAD_CPUTIME,
    _SC_THREAD_PRIO_INHERIT,
    _SC_THREAD_PRIO_PROTECT,
    _SC_THREAD_PRIORITY_SCHEDULING,
    _SC_THREAD_PROCESS_SHARED,
    _SC_THREAD_ROBUST_PRIO_INHERIT,
    _SC_THREAD_ROBUST_PRIO_PROTECT,
    _SC_THREAD_SAFE_FUNCTIONS,
    _SC_THREAD_SPORADIC_SERVER,
    _SC_THREADS,
    _SC_TIMEOUTS,
    _SC_TIMERS,
    _SC_TRACE,
    _SC_TRACE_EVENT_FILTER,
    _SC_TRACE_EVENT_NAME_MAX,
    _SC_TRACE_INHERIT,
    _SC_TRACE_LOG,
    _SC_TRACE_NAME_MAX,
    _SC_TRACE_SYS_MAX,
    _SC_TRACE_USER_EVENT_MAX,
    _SC_TYPED_MEMORY_OBJECTS,
    _SC_VERSION,
    _SC_V7_ILP32_OFF32,
    _SC_V7_ILP32_OFFBIG,
    _SC_V7_LP64_OFF64,
    _SC_V7_LPBIG_OFFBIG,
    _SC_V6_ILP32_OFF32,
    _SC_V6_ILP32_OFFBIG,
    _SC_V6_LP64_OFF64,
    _SC_V6_LPBIG_OFFBIG,
    _SC_2_C_BIND,
    _SC_2_C_DEV,
    _SC_2_CHAR_TERM,
    _SC_2_FORT_DEV,
    _SC_2_FORT_RUN,
    _SC_2_LOCALEDEF,
    _SC_2_PBS,
    _SC_2_PBS_ACCOUNTING,
    _SC_2_PBS_CHECKPOINT,
    _SC_2_PBS_LOCATE,
    _SC_2_PBS_MESSAGE,
    _SC_2_PBS_TRACK,
    _SC_2_SW_DEV,
    _SC_2_UPE,
    _SC_2_VERSION,
    _SC_PAGE_SIZE,
    _SC_PAGESIZE,
    _SC_THREAD_DESTRUCTOR_ITERATIONS,
    _SC_THREAD_KEYS_MAX,
    _SC_THREAD_STACK_MIN,
    _SC_THREAD_THREADS_MAX,
    _SC_RE_DUP_MAX,
    _SC_RTSIG_MAX,
    _SC_SEM_NSEMS_MAX,
    _SC_SEM_VALUE_MAX,
    _SC_SIGQUEUE_MAX,
    _SC_STREAM_MAX,
    _SC_SYMLOOP_MAX,
    _SC_TIMER_MAX,
    _SC_TTY_NAME_MAX,
    _SC_TZNAME_MAX,
    _SC_XOPEN_CRYPT,
    _SC_XOPEN_ENH_I18N,
    _SC_XOPEN_REALTIME,
    _SC_XOPEN_REALTIME_THREADS,
    _SC_XOPEN_SHM,
    _SC_XOPEN_STREAMS,
    _SC_XOPEN_UNIX,
    _SC_XOPEN_VERSION,
    _SC_PHYS_PAGES,
    _SC_AVPHYS_PAGES,
    _SC_NPROCESSORS_CONF,
    _SC_NPROCESSORS_ONLN,
    _CS_PATH,
    _CS_POSIX_V7_ILP32_OFF32_CFLAGS,
    _CS_POSIX_V7_ILP32_OFF32_LDFLAGS,
    _CS_POSIX_V7_ILP32_OFF32_LIBS,
    _CS_POSIX_V7_ILP32_OFFBIG_CFLAGS,
    _CS_POSIX_V7_ILP32_OFFBIG_LDFLAGS,
    _CS_POSIX_V7_ILP32_OFFBIG_LIBS,
    _CS_POSIX_V7_LP64_OFF64_CFLAGS,
    _CS_POSIX_V7_LP64_OFF64_LDFLAGS,
    _CS_POSIX_V7_LP64_OFF64_LIBS,
    _CS_POSIX_V7_LPBIG_OFFBIG_CFLAGS,
    _CS_POSIX_V7_LPBIG_OFFBIG_LDFLAGS,
    _CS_POSIX_V7_LPBIG_OFFBIG_LIBS,
    _CS_POSIX_V7_WIDTH_RESTRICTED_ENVS,
    _CS_V7_ENV,
    _CS_POSIX_V6_ILP32_OFF32_CFLAGS,
    _CS_POSIX_V6_ILP32_OFF32_LDFLAGS,
    _CS_POSIX_V6_ILP32_OFF32_LIBS,
    _CS_POSIX_V6_ILP32_OFFBIG_CFLAGS,
    _CS_POSIX_V6_ILP32_OFFBIG_LDFLAGS,
    _CS_POSIX_V6_ILP32_OFFBIG_LIBS,
    _CS_POSIX_V6_LP64_OFF64_CFLAGS,
    _CS_POSIX_V6_LP64_OFF64_LDFLAGS,
    _CS_POSIX_V6_LP64_OFF64_LIBS,
    _CS_POSIX_V6_LPBIG_OFFBIG_CFLAGS,
    _CS_POSIX_V6_LPBIG_OFFBIG_LDFLAGS,
    _CS_POSIX_V6_LPBIG_OFFBIG_LIBS,
    _CS_POSIX_V6_WIDTH_RESTRICTED_ENVS,
    _CS_V6_ENV,
    _CS_GNU_LIBC_VERSION,
    _CS_GNU_LIBPTHREAD_VERSION,
    _PC_FILESIZEBITS,
    _PC_LINK_MAX,
    _PC_MAX_CANON,
    _PC_MAX_INPUT,
    _PC_NAME_MAX,
    _PC_PATH_MAX,
    _PC_PIPE_BUF,
    _PC_2_SYMLINKS,
    _PC_ALLOC_SIZE_MIN,
    _PC_REC_INCR_XFER_SIZE,
    _PC_REC_MAX_XFER_SIZE,
    _PC_REC_MIN_XFER_SIZE,
    _PC_REC_XFER_ALIGN,
    _PC_SYMLINK_MAX,
    _PC_CHOWN_RESTRICTED,
    _PC_NO_TRUNC,
    _PC_VDISABLE,
    _PC_ASYNC_IO,
    _PC_PRIO_IO,
    _PC_SYNC_IO,
];

/// Defines the module.
///
/// # Errors
/// NoMemoryError.
pub fn define(ec: &mut Ec) -> Res<()> {
    let object = ec.known(asterism_object::space::WellKnown::Object);
    let module = ec.define_module(object, "Etc")?;
    for &(name, number) in NUMBERS {
        ec.set_constant(module, intern(&name[1..]), Value::fixnum(i64::from(number)))?;
    }
    ec.define_singleton_natives(module, NATIVES)
}

/// A line of the users' or the groups' table.
enum Field {
    Text(Vec<u8>),
    Number(u32),
    Texts(Vec<Vec<u8>>),
}

type Entry = Vec<Field>;
type Found = Result<Option<Entry>, Errno>;

/// The bytes of a C string; none for a null pointer.
///
/// # Safety
/// It is one of these.
unsafe fn text(string: *const c_char) -> Vec<u8> {
    // SAFETY: the caller's promise.
    if string.is_null() { Vec::new() } else { unsafe { CStr::from_ptr(string) }.to_bytes().to_vec() }
}

struct User;
struct Group;

/// What a function of the C library finds that puts an entry's strings into memory it is given, with more and more of that. `look` gets
/// where the entry goes, the memory, and where the entry's address goes, or null; `read` makes what is wanted of that address.
///
/// # Safety
/// `look` passes what it gets to a function that keeps to this, and `read` may be given an entry so made.
unsafe fn look_up<T>(
    mut look: impl FnMut(*mut T, &mut [c_char], *mut *mut T) -> c_int,
    read: unsafe fn(*const T) -> Option<Entry>,
) -> Found {
    let mut room = vec![0; 1024];
    loop {
        let (mut place, mut found) = (std::mem::MaybeUninit::uninit(), ptr::null_mut());
        match look(place.as_mut_ptr(), &mut room, &raw mut found) {
            // SAFETY: the caller's promise; what was found lies in `place` and `room`.
            0 => return Ok(unsafe { read(found) }),
            libc::ERANGE if room.len() < 1 << 24 => room.resize(room.len() * 4, 0),
            libc::EINTR => {}
            // What some sources say that do not know the name.
            libc::ENOENT | libc::ESRCH | libc::EBADF | libc::EPERM => return Ok(None),
            error => return Err(Errno::from_raw_os_error(error)),
        }
    }
}

impl User {
    /// # Safety
    /// The pointer is null, or to an entry as the C library makes them.
    unsafe fn entry(found: *const libc::passwd) -> Option<Entry> {
        // SAFETY: the caller's promise, for the strings as well.
        unsafe {
            let user = found.as_ref()?;
            Some(vec![
                Field::Text(text(user.pw_name)),
                Field::Text(text(user.pw_passwd)),
                Field::Number(user.pw_uid),
                Field::Number(user.pw_gid),
                Field::Text(text(user.pw_gecos)),
                Field::Text(text(user.pw_dir)),
                Field::Text(text(user.pw_shell)),
            ])
        }
    }

    fn by_number(number: u32) -> Found {
        // SAFETY: all that it is given is the call's until it returns.
        let look = |place, room: &mut [c_char], found| unsafe {
            libc::getpwuid_r(number, place, room.as_mut_ptr(), room.len(), found)
        };
        // SAFETY: that is how the function works.
        unsafe { look_up(look, User::entry) }
    }

    fn by_name(name: &CStr) -> Found {
        // SAFETY: as above.
        let look = |place, room: &mut [c_char], found| unsafe {
            libc::getpwnam_r(name.as_ptr(), place, room.as_mut_ptr(), room.len(), found)
        };
        // SAFETY: as above.
        unsafe { look_up(look, User::entry) }
    }

    fn all() -> Vec<Entry> {
        let _table = TABLES.lock();
        // SAFETY: the lock is held by everybody who walks through a table; an entry is read before the next call.
        unsafe {
            libc::setpwent();
            let entries = std::iter::from_fn(|| User::entry(libc::getpwent())).collect();
            libc::endpwent();
            entries
        }
    }
}

impl Group {
    /// # Safety
    /// The pointer is null, or to an entry as the C library makes them.
    unsafe fn entry(found: *const libc::group) -> Option<Entry> {
        // SAFETY: the caller's promise, for the strings as well; a null pointer ends the members.
        unsafe {
            let group = found.as_ref()?;
            let mut members = Vec::new();
            let mut next = group.gr_mem;
            while !next.is_null() && !(*next).is_null() {
                members.push(text(*next));
                next = next.add(1);
            }
            Some(vec![
                Field::Text(text(group.gr_name)),
                Field::Text(text(group.gr_passwd)),
                Field::Number(group.gr_gid),
                Field::Texts(members),
            ])
        }
    }

    fn by_number(number: u32) -> Found {
        // SAFETY: all that it is given is the call's until it returns.
        let look = |place, room: &mut [c_char], found| unsafe {
            libc::getgrgid_r(number, place, room.as_mut_ptr(), room.len(), found)
        };
        // SAFETY: that is how the function works.
        unsafe { look_up(look, Group::entry) }
    }

    fn by_name(name: &CStr) -> Found {
        // SAFETY: as above.
        let look = |place, room: &mut [c_char], found| unsafe {
            libc::getgrnam_r(name.as_ptr(), place, room.as_mut_ptr(), room.len(), found)
        };
        // SAFETY: as above.
        unsafe { look_up(look, Group::entry) }
    }

    fn all() -> Vec<Entry> {
        let _table = TABLES.lock();
        // SAFETY: as for users.
        unsafe {
            libc::setgrent();
            let entries = std::iter::from_fn(|| Group::entry(libc::getgrent())).collect();
            libc::endgrent();
            entries
        }
    }
}

/// Held by who walks through a table: the C library has one place in each.
static TABLES: Mutex<()> = Mutex::new(());

/// The entry of a name or a number, or nil.
fn entry(ec: &mut Ec, args: Args<'_>, by_number: fn(u32) -> Found, by_name: fn(&CStr) -> Found) -> Res {
    let found = if args[0].is_type(Type::String) {
        let Ok(name) = CString::new(string::to_vec(ec, args[0])) else {
            return Err(ec.arg_error("string contains null byte"));
        };
        ec.blocking(|| by_name(&name))
    } else {
        let number = ec.to_i64(args[0])?;
        // -1 is the highest number, as in C.
        let Ok(number) = u32::try_from(number).or_else(|_| i32::try_from(number).map(i32::cast_unsigned)) else {
            return Err(ec.range_error(format!("integer {number} too big to convert to 'unsigned int'")));
        };
        ec.blocking(|| by_number(number))
    };
    match found {
        Ok(Some(entry)) => values(ec, entry),
        Ok(None) => Ok(Value::NIL),
        Err(error) => Err(errno::raise(ec, error, "")),
    }
}

/// All entries of a table.
fn all(ec: &mut Ec, table: fn() -> Vec<Entry>) -> Res {
    let entries = ec.blocking(table);
    let list = ec.array(&[])?;
    for entry in entries {
        let values = values(ec, entry)?;
        ec.array_push(list, values)?;
    }
    Ok(list)
}

fn values(ec: &mut Ec, entry: Entry) -> Res {
    let list = ec.array(&[])?;
    for field in entry {
        let value = match field {
            Field::Text(text) => ec.str(text)?,
            Field::Number(number) => Value::fixnum(i64::from(number)),
            Field::Texts(texts) => {
                let inner = ec.array(&[])?;
                for text in texts {
                    let text = ec.str(text)?;
                    ec.array_push(inner, text)?;
                }
                inner
            }
        };
        ec.array_push(list, value)?;
    }
    Ok(list)
}

unsafe extern "C" {
    fn getlogin_r(name: *mut c_char, room: libc::size_t) -> c_int;
}

/// Who has logged in at the process's terminal, or nil.
fn login(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    let mut room: [c_char; 512] = [0; 512];
    // SAFETY: the call gets the room's length, and ends what it writes by a NUL.
    let name = ec.blocking(|| unsafe { (getlogin_r(room.as_mut_ptr(), room.len()) == 0).then(|| text(room.as_ptr())) });
    match name {
        Some(name) => ec.str(name),
        None => Ok(Value::NIL),
    }
}

/// The system's name, the machine's, release, version, and what the machine is.
fn system(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    let mut names = std::mem::MaybeUninit::<libc::utsname>::zeroed();
    // SAFETY: the call fills in the memory; the names end by NULs, as those of zeroed memory do.
    let names = unsafe {
        libc::uname(names.as_mut_ptr());
        names.assume_init()
    };
    let list = ec.array(&[])?;
    for name in [&names.sysname, &names.nodename, &names.release, &names.version, &names.machine] {
        // SAFETY: a NUL ends it.
        let name = ec.str(unsafe { text(name.as_ptr()) })?;
        ec.array_push(list, name)?;
    }
    Ok(list)
}

/// The number of a setting.
fn number(ec: &mut Ec, value: Value) -> Res<c_int> {
    let number = ec.to_i64(value)?;
    c_int::try_from(number).map_err(|_| ec.range_error(format!("integer {number} too big to convert to 'int'")))
}

/// What a call has answered that returns -1 as well where there is no limit, without an error.
fn limit(ec: &mut Ec, what: &str, call: impl FnOnce() -> c_long) -> Res {
    // SAFETY: the thread's own errno.
    unsafe { *libc::__errno_location() = 0 };
    let value = call();
    match std::io::Error::last_os_error().raw_os_error() {
        Some(error @ 1..) if value == -1 => Err(errno::raise(ec, Errno::from_raw_os_error(error), what)),
        _ if value == -1 => Ok(Value::NIL),
        _ => ec.int(value),
    }
}

fn setting(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let number = number(ec, args[0])?;
    // SAFETY: the call takes any number.
    limit(ec, "sysconf", || unsafe { libc::sysconf(number) })
}

/// `__pathconf(descriptor, number)`.
fn path_setting(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let (descriptor, number) = (number(ec, args[0])?, number(ec, args[1])?);
    // SAFETY: the call takes any numbers.
    limit(ec, "fpathconf", || unsafe { libc::fpathconf(descriptor, number) })
}

fn text_setting(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let number = number(ec, args[0])?;
    // SAFETY: the thread's own errno.
    unsafe { *libc::__errno_location() = 0 };
    // SAFETY: without room the call tells how much it needs.
    let length = unsafe { libc::confstr(number, ptr::null_mut(), 0) };
    if length == 0 {
        return match std::io::Error::last_os_error().raw_os_error() {
            Some(error @ 1..) => Err(errno::raise(ec, Errno::from_raw_os_error(error), "confstr")),
            _ => Ok(Value::NIL),
        };
    }
    let mut room = vec![0_u8; length];
    // SAFETY: the call gets the room's length.
    let length = unsafe { libc::confstr(number, room.as_mut_ptr().cast(), room.len()) }.min(room.len());
    ec.str(&room[..length.saturating_sub(1)])
}
