//! Names and addresses: getaddrinfo, getnameinfo, the interfaces and the name of the machine.
//!
//! A look-up that may ask the network runs on a native thread of its own, so that `Thread#raise`, `Thread#kill` and
//! `Timeout` end the wait; the look-up itself then ends unheard.

use std::ffi::{CStr, CString};
use std::ptr;
use std::sync::Arc;
use std::time::Duration;

use asterism_lock::Mutex;
use asterism_object::Value;
use asterism_object::class::Class;
use asterism_object::space::WellKnown;
use asterism_object::string;
use asterism_symbol::intern;
use asterism_vm::{Args, Ec, Exc, NativeDef, Raised, Res};
use libc::c_int;
use rustix::event::PollFlags;
use rustix::io::Errno;

use asterism_core::errno;
use asterism_system::io::fd::{Fd, Waited, Wake, wait_any};

/// Singleton methods of Socket.
pub static SOCKET_SINGLETON: &[NativeDef] = &[
    NativeDef::new("__resolve", resolve, 7, 7).private(),
    NativeDef::new("__nameinfo", nameinfo, 2, 2).private(),
    NativeDef::new("__interfaces", interfaces, 0, 0).private(),
    NativeDef::new("gethostname", gethostname, 0, 0),
];

/// What is asked of getaddrinfo.
struct Question {
    host: Option<CString>,
    service: Option<CString>,
    family: c_int,
    kind: c_int,
    protocol: c_int,
    flags: c_int,
}

/// One answer: address, family, type, protocol, canonical name.
type Answer = (Vec<u8>, c_int, c_int, c_int, Option<Vec<u8>>);

/// `EAI_…`, and errno where that is `EAI_SYSTEM`.
#[derive(Clone, Copy)]
struct LookupError(c_int, c_int);

fn look_up(q: &Question) -> Result<Vec<Answer>, LookupError> {
    // SAFETY: all zero is a valid addrinfo.
    let mut hints: libc::addrinfo = unsafe { std::mem::zeroed() };
    hints.ai_family = q.family;
    hints.ai_socktype = q.kind;
    hints.ai_protocol = q.protocol;
    hints.ai_flags = q.flags;
    let host = q.host.as_ref().map_or(ptr::null(), |h| h.as_ptr());
    let service = q.service.as_ref().map_or(ptr::null(), |s| s.as_ptr());
    let mut list: *mut libc::addrinfo = ptr::null_mut();
    // SAFETY: the strings end in NUL, the hints are initialised, `list` takes the answer.
    let code = unsafe { libc::getaddrinfo(host, service, &hints, &mut list) };
    if code != 0 {
        return Err(LookupError(code, std::io::Error::last_os_error().raw_os_error().unwrap_or(0)));
    }
    let mut answers = Vec::new();
    let mut at = list;
    // SAFETY: a list from getaddrinfo that has not been freed: its pointers are null or valid.
    unsafe {
        while let Some(one) = at.as_ref() {
            if !one.ai_addr.is_null() {
                let address = std::slice::from_raw_parts(one.ai_addr.cast::<u8>(), one.ai_addrlen as usize).to_vec();
                let name = (!one.ai_canonname.is_null()).then(|| CStr::from_ptr(one.ai_canonname).to_bytes().to_vec());
                answers.push((address, one.ai_family, one.ai_socktype, one.ai_protocol, name));
            }
            at = one.ai_next;
        }
        libc::freeaddrinfo(list);
    }
    Ok(answers)
}

/// Does the answer need nobody else? Numbers are read here and now.
fn is_local(q: &Question) -> bool {
    match &q.host {
        None => true,
        Some(host) => {
            let text = host.to_string_lossy();
            let bare = text.split('%').next().unwrap_or_default();
            q.flags & libc::AI_NUMERICHOST != 0 || bare.parse::<std::net::IpAddr>().is_ok()
        }
    }
}

/// Where the look-up's thread leaves its answer.
type Slot = Arc<Mutex<Option<Result<Vec<Answer>, LookupError>>>>;

fn look_up_elsewhere(
    ec: &mut Ec,
    question: Question,
    timeout: Option<Duration>,
) -> Res<Option<Result<Vec<Answer>, LookupError>>> {
    let slot: Slot = Arc::new(Mutex::new(None));
    let made = rustix::event::eventfd(0, rustix::event::EventfdFlags::CLOEXEC | rustix::event::EventfdFlags::NONBLOCK);
    let done = Arc::new(Fd::new(made.map_err(|e| errno::raise(ec, e, ""))?));
    let (answer, bell) = (slot.clone(), done.clone());
    let starting = asterism_lock::gate::starting();
    let started = std::thread::Builder::new().name("getaddrinfo".into()).stack_size(256 << 10).spawn(move || {
        let _running = starting.begin();
        let result = look_up(&question);
        *answer.lock() = Some(result);
        // The counter starts at 0, so this cannot fail for want of room.
        let _ = rustix::io::write(&bell, &1u64.to_ne_bytes());
    });
    if let Err(e) = started {
        return Err(errno::raise(ec, errno::number_of(&e), "getaddrinfo(3)"));
    }
    if let Some(scheduler) = ec.scheduler()
        && let Some(ready) =
            asterism_system::fiber::scheduler::wait_io(ec, scheduler, None, &done, PollFlags::IN, timeout)?
    {
        return Ok(if ready { slot.lock().take() } else { None });
    }
    let wake = Wake::new().map_err(|e| errno::raise(ec, e, ""))?;
    let waited = wait_any(ec, &[(done, PollFlags::IN)], &mut [PollFlags::empty()], timeout, &wake)?;
    if waited == Waited::TimedOut {
        return Ok(None);
    }
    Ok(slot.lock().take())
}

fn text(ec: &mut Ec, v: Value) -> Res<Option<CString>> {
    if v.is_nil() {
        return Ok(None);
    }
    let s = ec.to_str(v)?;
    match CString::new(string::to_vec(ec, s)) {
        Ok(text) => Ok(Some(text)),
        Err(_) => Err(ec.arg_error("string contains null byte")),
    }
}

/// The class `Socket::ResolutionError` with its `error_code`.
#[cold]
fn resolution_error(ec: &mut Ec, what: &str, error: LookupError) -> Raised {
    if error.0 == libc::EAI_SYSTEM {
        return errno::raise(ec, Errno::from_raw_os_error(error.1), what);
    }
    // SAFETY: gai_strerror answers a constant string for every number.
    let message = unsafe { CStr::from_ptr(libc::gai_strerror(error.0)) }.to_string_lossy().into_owned();
    let object = ec.known(WellKnown::Object);
    let socket = ec.own_constant(object, intern("Socket")).and_then(Class::from_value);
    let class = socket.and_then(|s| ec.own_constant(s, intern("ResolutionError")));
    let class = class.unwrap_or_else(|| ec.exc_class(Exc::StandardError));
    let made = ec.new_exception(class, format!("{what}: {message}").as_bytes()).and_then(|e| {
        ec.ivar_put(e, intern("@error_code"), Value::fixnum(i64::from(error.0)))?;
        Ok(e)
    });
    match made {
        Ok(e) => ec.raise_exception(e),
        Err(raised) => raised,
    }
}

fn number(ec: &mut Ec, v: Value) -> Res<c_int> {
    let n = ec.to_i64(v)?;
    c_int::try_from(n).map_err(|_| ec.range_error(format!("integer {n} too big to convert to 'int'")))
}

/// `__resolve(host, service, family, type, protocol, flags, timeout)`: an Array of
/// `[address, family, type, protocol, canonical name]`; nil when the time is over.
fn resolve(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let question = Question {
        host: text(ec, args[0])?,
        service: text(ec, args[1])?,
        family: number(ec, args[2])?,
        kind: number(ec, args[3])?,
        protocol: number(ec, args[4])?,
        flags: number(ec, args[5])?,
    };
    let timeout = if args[6].is_nil() {
        None
    } else {
        let seconds = ec.to_f64(args[6])?;
        Some(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::ZERO))
    };
    let result = if is_local(&question) {
        ec.blocking(|| look_up(&question))
    } else {
        match look_up_elsewhere(ec, question, timeout)? {
            Some(result) => result,
            None => return Ok(Value::NIL),
        }
    };
    let answers = match result {
        Ok(answers) => answers,
        Err(e) => return Err(resolution_error(ec, "getaddrinfo(3)", e)),
    };
    let list = ec.array(&[])?;
    for (address, family, kind, protocol, name) in answers {
        let address = ec.str_enc(&address, asterism_symbol::BINARY)?;
        let name = match name {
            Some(name) => ec.str(name)?,
            None => Value::NIL,
        };
        let fixnum = |n: c_int| Value::fixnum(i64::from(n));
        let one = ec.array(&[address, fixnum(family), fixnum(kind), fixnum(protocol), name])?;
        ec.array_push(list, one)?;
    }
    Ok(list)
}

/// `__nameinfo(address, flags)`: `[host, service]`
fn nameinfo(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let address = ec.to_str(args[0])?;
    let address = string::to_vec(ec, address);
    let flags = number(ec, args[1])?;
    let mut host = [0u8; 1025];
    let mut service = [0u8; 256];
    // SAFETY: address and buffers are as long as said.
    let code = ec.blocking(|| unsafe {
        libc::getnameinfo(
            address.as_ptr().cast(),
            address.len() as libc::socklen_t,
            host.as_mut_ptr().cast(),
            host.len() as libc::socklen_t,
            service.as_mut_ptr().cast(),
            service.len() as libc::socklen_t,
            flags,
        )
    });
    if code != 0 {
        let number = std::io::Error::last_os_error().raw_os_error().unwrap_or(0);
        return Err(resolution_error(ec, "getnameinfo", LookupError(code, number)));
    }
    let until_nul = |b: &[u8]| b.split(|&c| c == 0).next().unwrap_or_default().to_vec();
    let host = ec.str(until_nul(&host))?;
    let service = ec.str(until_nul(&service))?;
    ec.array(&[host, service])
}

fn gethostname(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    let mut name = [0u8; 256];
    // SAFETY: the buffer is that long.
    if unsafe { libc::gethostname(name.as_mut_ptr().cast(), name.len() - 1) } != 0 {
        let e = std::io::Error::last_os_error();
        return Err(errno::raise(ec, errno::number_of(&e), "gethostname(3)"));
    }
    ec.str(name.split(|&c| c == 0).next().unwrap_or_default())
}

/// What getifaddrs says of one address of one interface.
struct Interface {
    name: Vec<u8>,
    index: u32,
    flags: u32,
    addresses: [Option<Vec<u8>>; 3],
}

/// An address of a kind that Ruby knows, as bytes.
///
/// # Safety
/// `address` is null or points to an address of its family.
unsafe fn address_bytes(address: *const libc::sockaddr) -> Option<Vec<u8>> {
    // SAFETY: the caller's contract.
    let family = c_int::from(unsafe { address.as_ref()? }.sa_family);
    let len = match family {
        libc::AF_INET => size_of::<libc::sockaddr_in>(),
        libc::AF_INET6 => size_of::<libc::sockaddr_in6>(),
        libc::AF_PACKET => size_of::<libc::sockaddr_ll>(),
        _ => return None,
    };
    // SAFETY: an address of that family is that long.
    Some(unsafe { std::slice::from_raw_parts(address.cast::<u8>(), len) }.to_vec())
}

fn list_interfaces() -> Result<Vec<Interface>, std::io::Error> {
    let mut list: *mut libc::ifaddrs = ptr::null_mut();
    // SAFETY: `list` takes the answer.
    if unsafe { libc::getifaddrs(&mut list) } != 0 {
        return Err(std::io::Error::last_os_error());
    }
    let mut all = Vec::new();
    let mut at = list;
    // SAFETY: a list from getifaddrs that has not been freed: its pointers are null or valid.
    unsafe {
        while let Some(one) = at.as_ref() {
            all.push(Interface {
                name: CStr::from_ptr(one.ifa_name).to_bytes().to_vec(),
                index: libc::if_nametoindex(one.ifa_name),
                flags: one.ifa_flags,
                addresses: [address_bytes(one.ifa_addr), address_bytes(one.ifa_netmask), address_bytes(one.ifa_ifu)],
            });
            at = one.ifa_next;
        }
        libc::freeifaddrs(list);
    }
    Ok(all)
}

/// `[[name, index, flags, address, netmask, broadcast or destination address], …]`
fn interfaces(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    let all = match ec.blocking(list_interfaces) {
        Ok(all) => all,
        Err(e) => return Err(errno::raise(ec, errno::number_of(&e), "getifaddrs")),
    };
    let list = ec.array(&[])?;
    for interface in all {
        let name = ec.str(&interface.name)?;
        let row =
            ec.array(&[name, Value::fixnum(i64::from(interface.index)), Value::fixnum(i64::from(interface.flags))])?;
        for address in &interface.addresses {
            let address = match address {
                Some(bytes) => ec.str_enc(bytes, asterism_symbol::BINARY)?,
                None => Value::NIL,
            };
            ec.array_push(row, address)?;
        }
        ec.array_push(list, row)?;
    }
    Ok(list)
}
