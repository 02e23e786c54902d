//! `Errno`: the error classes of system calls, and raising them.

use asterism_object::class::Class;
use asterism_object::space::WellKnown;
use asterism_object::{Value, string};
use asterism_support::error::{Error, ErrorKind};
use asterism_symbol::{intern, sym};
use asterism_vm::ec::Raised;
use asterism_vm::error::Exc;
use asterism_vm::{Ec, Res};
use rustix::io::Errno;

use crate::string::util;
use crate::support_error;

/// Names and numbers; where two names share a number the second is an alias.
static NAMES: &[(&str, Errno)] = &[
    ("E2BIG", Errno::TOOBIG),
    ("EACCES", Errno::ACCESS),
    ("EADDRINUSE", Errno::ADDRINUSE),
    ("EADDRNOTAVAIL", Errno::ADDRNOTAVAIL),
    ("EADV", Errno::ADV),
    ("EAFNOSUPPORT", Errno::AFNOSUPPORT),
    ("EAGAIN", Errno::AGAIN),
    ("EALREADY", Errno::ALREADY),
    ("EBADE", Errno::BADE),
    ("EBADF", Errno::BADF),
    ("EBADFD", Errno::BADFD),
    ("EBADMSG", Errno::BADMSG),
    ("EBADR", Errno::BADR),
    ("EBADRQC", Errno::BADRQC),
    ("EBADSLT", Errno::BADSLT),
    ("EBFONT", Errno::BFONT),
    ("EBUSY", Errno::BUSY),
    ("ECANCELED", Errno::CANCELED),
    ("ECHILD", Errno::CHILD),
    ("ECHRNG", Errno::CHRNG),
    ("ECOMM", Errno::COMM),
    ("ECONNABORTED", Errno::CONNABORTED),
    ("ECONNREFUSED", Errno::CONNREFUSED),
    ("ECONNRESET", Errno::CONNRESET),
    ("EDEADLK", Errno::DEADLK),
    ("EDESTADDRREQ", Errno::DESTADDRREQ),
    ("EDOM", Errno::DOM),
    ("EDOTDOT", Errno::DOTDOT),
    ("EDQUOT", Errno::DQUOT),
    ("EEXIST", Errno::EXIST),
    ("EFAULT", Errno::FAULT),
    ("EFBIG", Errno::FBIG),
    ("EHOSTDOWN", Errno::HOSTDOWN),
    ("EHOSTUNREACH", Errno::HOSTUNREACH),
    ("EHWPOISON", Errno::HWPOISON),
    ("EIDRM", Errno::IDRM),
    ("EILSEQ", Errno::ILSEQ),
    ("EINPROGRESS", Errno::INPROGRESS),
    ("EINTR", Errno::INTR),
    ("EINVAL", Errno::INVAL),
    ("EIO", Errno::IO),
    ("EISCONN", Errno::ISCONN),
    ("EISDIR", Errno::ISDIR),
    ("EISNAM", Errno::ISNAM),
    ("EKEYEXPIRED", Errno::KEYEXPIRED),
    ("EKEYREJECTED", Errno::KEYREJECTED),
    ("EKEYREVOKED", Errno::KEYREVOKED),
    ("EL2HLT", Errno::L2HLT),
    ("EL2NSYNC", Errno::L2NSYNC),
    ("EL3HLT", Errno::L3HLT),
    ("EL3RST", Errno::L3RST),
    ("ELIBACC", Errno::LIBACC),
    ("ELIBBAD", Errno::LIBBAD),
    ("ELIBEXEC", Errno::LIBEXEC),
    ("ELIBMAX", Errno::LIBMAX),
    ("ELIBSCN", Errno::LIBSCN),
    ("ELNRNG", Errno::LNRNG),
    ("ELOOP", Errno::LOOP),
    ("EMEDIUMTYPE", Errno::MEDIUMTYPE),
    ("EMFILE", Errno::MFILE),
    ("EMLINK", Errno::MLINK),
    ("EMSGSIZE", Errno::MSGSIZE),
    ("EMULTIHOP", Errno::MULTIHOP),
    ("ENAMETOOLONG", Errno::NAMETOOLONG),
    ("ENAVAIL", Errno::NAVAIL),
    ("ENETDOWN", Errno::NETDOWN),
    ("ENETRESET", Errno::NETRESET),
    ("ENETUNREACH", Errno::NETUNREACH),
    ("ENFILE", Errno::NFILE),
    ("ENOANO", Errno::NOANO),
    ("ENOBUFS", Errno::NOBUFS),
    ("ENOCSI", Errno::NOCSI),
    ("ENODATA", Errno::NODATA),
    ("ENODEV", Errno::NODEV),
    ("ENOENT", Errno::NOENT),
    ("ENOEXEC", Errno::NOEXEC),
    ("ENOKEY", Errno::NOKEY),
    ("ENOLCK", Errno::NOLCK),
    ("ENOLINK", Errno::NOLINK),
    ("ENOMEDIUM", Errno::NOMEDIUM),
    ("ENOMEM", Errno::NOMEM),
    ("ENOMSG", Errno::NOMSG),
    ("ENONET", Errno::NONET),
    ("ENOPKG", Errno::NOPKG),
    ("ENOPROTOOPT", Errno::NOPROTOOPT),
    ("ENOSPC", Errno::NOSPC),
    ("ENOSR", Errno::NOSR),
    ("ENOSTR", Errno::NOSTR),
    ("ENOSYS", Errno::NOSYS),
    ("ENOTBLK", Errno::NOTBLK),
    ("ENOTCONN", Errno::NOTCONN),
    ("ENOTDIR", Errno::NOTDIR),
    ("ENOTEMPTY", Errno::NOTEMPTY),
    ("ENOTNAM", Errno::NOTNAM),
    ("ENOTRECOVERABLE", Errno::NOTRECOVERABLE),
    ("ENOTSOCK", Errno::NOTSOCK),
    ("ENOTSUP", Errno::NOTSUP),
    ("ENOTTY", Errno::NOTTY),
    ("ENOTUNIQ", Errno::NOTUNIQ),
    ("ENXIO", Errno::NXIO),
    ("EOVERFLOW", Errno::OVERFLOW),
    ("EOWNERDEAD", Errno::OWNERDEAD),
    ("EPERM", Errno::PERM),
    ("EPFNOSUPPORT", Errno::PFNOSUPPORT),
    ("EPIPE", Errno::PIPE),
    ("EPROTO", Errno::PROTO),
    ("EPROTONOSUPPORT", Errno::PROTONOSUPPORT),
    ("EPROTOTYPE", Errno::PROTOTYPE),
    ("ERANGE", Errno::RANGE),
    ("EREMCHG", Errno::REMCHG),
    ("EREMOTE", Errno::REMOTE),
    ("EREMOTEIO", Errno::REMOTEIO),
    ("ERESTART", Errno::RESTART),
    ("ERFKILL", Errno::RFKILL),
    ("EROFS", Errno::ROFS),
    ("ESHUTDOWN", Errno::SHUTDOWN),
    ("ESOCKTNOSUPPORT", Errno::SOCKTNOSUPPORT),
    ("ESPIPE", Errno::SPIPE),
    ("ESRCH", Errno::SRCH),
    ("ESRMNT", Errno::SRMNT),
    ("ESTALE", Errno::STALE),
    ("ESTRPIPE", Errno::STRPIPE),
    ("ETIME", Errno::TIME),
    ("ETIMEDOUT", Errno::TIMEDOUT),
    ("ETOOMANYREFS", Errno::TOOMANYREFS),
    ("ETXTBSY", Errno::TXTBSY),
    ("EUCLEAN", Errno::UCLEAN),
    ("EUNATCH", Errno::UNATCH),
    ("EUSERS", Errno::USERS),
    ("EXDEV", Errno::XDEV),
    ("EXFULL", Errno::XFULL),
];

/// Names of errors that other systems have: here they stand for no error.
static ELSEWHERE: &str = "EAUTH EBADARCH EBADEXEC EBADMACHO EBADRPC ECAPMODE EDEVERR EDOOFUS EFTYPE EIPSEC ELAST ENEEDAUTH \
    ENOATTR ENOPOLICY ENOTCAPABLE EPROCLIM EPROCUNAVAIL EPROGMISMATCH EPROGUNAVAIL EPWROFF EQFULL \
    ERPCMISMATCH ESHLIBVERS";

/// Defines `Errno` and its classes.
///
/// # Errors
/// NoMemoryError.
pub fn init(ec: &mut Ec) -> Res<()> {
    let object = ec.known(WellKnown::Object);
    let module = ec.define_module(object, "Errno")?;
    let parent = Class(ec.exc_class(Exc::SystemCallError));
    for (name, number) in NAMES {
        let class = ec.define_class(module, name, parent)?;
        ec.set_constant(class, intern("Errno"), Value::fixnum(i64::from(number.raw_os_error())))?;
    }
    for (alias, name) in [("EWOULDBLOCK", "EAGAIN"), ("EDEADLOCK", "EDEADLK"), ("EOPNOTSUPP", "ENOTSUP")] {
        if let Some(class) = ec.own_constant(module, intern(name)) {
            ec.set_constant(module, intern(alias), class)?;
        }
    }
    let noerror = ec.define_class(module, "NOERROR", parent)?;
    ec.set_constant(noerror, intern("Errno"), Value::fixnum(0))?;
    for name in ELSEWHERE.split_whitespace() {
        ec.set_constant(module, intern(name), noerror.0)?;
    }
    Ok(())
}

/// The class of an error number; `SystemCallError` itself for an unknown one.
pub fn class_of(ec: &mut Ec, number: i32) -> Value {
    let object = ec.known(WellKnown::Object);
    let name = NAMES.iter().find(|(_, e)| e.raw_os_error() == number).map(|(name, _)| *name);
    name.and_then(|name| {
        let module = Class::from_value(ec.own_constant(object, intern("Errno"))?)?;
        ec.own_constant(module, intern(name))
    })
    .unwrap_or_else(|| ec.exc_class(Exc::SystemCallError))
}

/// What the system calls the error.
pub fn text(number: i32) -> String {
    let text = std::io::Error::from_raw_os_error(number).to_string();
    match text.rfind(" (os error") {
        Some(end) => text[..end].to_string(),
        None => text,
    }
}

/// Raises the error of a system call; `detail` (for instance `rb_sysopen - foo`, or empty) says what it was about.
#[cold]
pub fn raise(ec: &mut Ec, error: Errno, detail: impl AsRef<[u8]>) -> Raised {
    raise_number(ec, error.raw_os_error(), detail.as_ref())
}

/// EPIPE on the standard output. If nobody rescues it the program ends as by SIGPIPE, without a word.
#[cold]
pub fn raise_broken_stdout(ec: &mut Ec, path: &[u8]) -> Raised {
    let raised = raise_at(ec, Errno::PIPE, "io_write", path);
    if let Some(e) = ec.pending_exception()
        && let Err(raised) = ec.ivar_put(e, sym::signo, Value::fixnum(13))
    {
        return raised;
    }
    raised
}

/// As [`raise`], `@ ` before the detail: CRuby's form for path operations.
#[cold]
pub fn raise_at(ec: &mut Ec, error: Errno, function: &str, path: &[u8]) -> Raised {
    let detail = [b"@ ", function.as_bytes(), b" - ", path].concat();
    raise_number(ec, error.raw_os_error(), &detail)
}

/// Raises from a number.
#[cold]
pub fn raise_number(ec: &mut Ec, number: i32, detail: &[u8]) -> Raised {
    let mut message = text(number).into_bytes();
    if detail.starts_with(b"@ ") {
        message.push(b' ');
        message.extend_from_slice(detail);
    } else if !detail.is_empty() {
        message.extend_from_slice(b" - ");
        message.extend_from_slice(detail);
    }
    let class = class_of(ec, number);
    raise_class(ec, class, Errno::from_raw_os_error(number), &message)
}

/// Raises an exception of a given class with an error number.
#[cold]
pub fn raise_class(ec: &mut Ec, class: Value, error: Errno, message: &[u8]) -> Raised {
    let number = error.raw_os_error();
    let made = ec.new_exception(class, message).and_then(|e| {
        ec.ivar_put(e, sym::errno, Value::fixnum(i64::from(number)))?;
        Ok(e)
    });
    match made {
        Ok(e) => ec.raise_exception(e),
        Err(raised) => raised,
    }
}

/// A standard library error's number.
pub fn number_of(error: &std::io::Error) -> Errno {
    Errno::from_raw_os_error(error.raw_os_error().unwrap_or(5))
}

/// A path argument: `to_path`, then a String without NUL. Its bytes.
///
/// # Errors
/// TypeError; Encoding::CompatibilityError; ArgumentError for a NUL.
pub fn path_arg(ec: &mut Ec, v: Value) -> Res<Vec<u8>> {
    let s = path_value(ec, v)?;
    Ok(string::to_vec(ec, s))
}

/// As [`path_arg`], the String itself.
///
/// # Errors
/// TypeError; Encoding::CompatibilityError; ArgumentError for a NUL; what a Ruby-level `to_path` or `to_str` raises.
pub fn path_value(ec: &mut Ec, v: Value) -> Res {
    let s = path_string(ec, v)?;
    let encoding = util::encoding(s);
    if !encoding.is_ascii_compatible() {
        let shown = ec.inspect_for_error(s)?;
        let message =
            [format!("path name must be ASCII-compatible ({}): ", util::shown(encoding)).as_bytes(), &shown].concat();
        return Err(support_error::raise(ec, &Error::new(ErrorKind::EncodingCompatibility, message)));
    }
    if string::with_bytes(ec, s, |b, _| b.contains(&0)) {
        return Err(ec.arg_error("path name contains null byte"));
    }
    Ok(s)
}

/// A String, or what `to_path` makes one, with any bytes in any encoding.
///
/// # Errors
/// TypeError.
pub fn path_string(ec: &mut Ec, v: Value) -> Res {
    if v.is_type(asterism_object::types::Type::String) {
        return Ok(v);
    }
    let path = ec.call_if_known(v, sym::to_path, &[])?;
    ec.to_str(path.unwrap_or(v))
}
