//! The system's socket calls, safe to call: socket addresses are byte strings, as Ruby has them.

use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};

use libc::{c_int, c_void, sockaddr, sockaddr_storage, socklen_t};
use rustix::io::Errno;

use asterism_system::io::fd::Fd;

/// The error of the call that has just failed.
fn last_error() -> Errno {
    Errno::from_raw_os_error(std::io::Error::last_os_error().raw_os_error().unwrap_or(libc::EIO))
}

/// What a call that answers -1 for an error has answered.
fn check(result: c_int) -> Result<c_int, Errno> {
    if result < 0 { Err(last_error()) } else { Ok(result) }
}

fn check_size(result: isize) -> Result<usize, Errno> {
    usize::try_from(result).map_err(|_| last_error())
}

fn length(bytes: &[u8]) -> socklen_t {
    socklen_t::try_from(bytes.len()).unwrap_or(socklen_t::MAX)
}

/// Room for an address that the system fills in.
struct Room {
    storage: MaybeUninit<sockaddr_storage>,
    len: socklen_t,
}

impl Room {
    fn new() -> Room {
        Room { storage: MaybeUninit::zeroed(), len: size_of::<sockaddr_storage>() as socklen_t }
    }

    fn pointer(&mut self) -> *mut sockaddr {
        self.storage.as_mut_ptr().cast()
    }

    fn bytes(&self) -> Vec<u8> {
        let len = (self.len as usize).min(size_of::<sockaddr_storage>());
        // SAFETY: the storage was zeroed as a whole, so every byte of it is initialised.
        unsafe { std::slice::from_raw_parts(self.storage.as_ptr().cast::<u8>(), len) }.to_vec()
    }
}

/// socket(2)
///
/// # Errors
/// The errno of the call: EACCES, EAFNOSUPPORT, EPROTONOSUPPORT, EMFILE.
pub fn socket(domain: c_int, kind: c_int, protocol: c_int) -> Result<OwnedFd, Errno> {
    // SAFETY: no pointers; the descriptor is new and ours.
    unsafe { Ok(OwnedFd::from_raw_fd(check(libc::socket(domain, kind | FLAGS, protocol))?)) }
}

/// How descriptors are made: they never block and no other program inherits them.
const FLAGS: c_int = libc::SOCK_CLOEXEC | libc::SOCK_NONBLOCK;

/// socketpair(2)
///
/// # Errors
/// The errno of the call: EAFNOSUPPORT, EOPNOTSUPP, EMFILE.
pub fn pair(domain: c_int, kind: c_int, protocol: c_int) -> Result<(OwnedFd, OwnedFd), Errno> {
    let mut fds = [-1; 2];
    // SAFETY: `fds` has room for two; both descriptors are new and ours.
    unsafe {
        check(libc::socketpair(domain, kind | FLAGS, protocol, fds.as_mut_ptr()))?;
        Ok((OwnedFd::from_raw_fd(fds[0]), OwnedFd::from_raw_fd(fds[1])))
    }
}

/// bind(2)
///
/// # Errors
/// The errno of the call: EADDRINUSE, EADDRNOTAVAIL, EACCES, EINVAL.
pub fn bind(fd: &Fd, address: &[u8]) -> Result<(), Errno> {
    // SAFETY: the address is that long.
    check(unsafe { libc::bind(fd.as_raw_fd(), address.as_ptr().cast(), length(address)) }).map(drop)
}

/// connect(2); EINPROGRESS if it takes time.
///
/// # Errors
/// The errno of the call: EINPROGRESS, EISCONN, ECONNREFUSED, ENETUNREACH, ETIMEDOUT.
pub fn connect(fd: &Fd, address: &[u8]) -> Result<(), Errno> {
    // SAFETY: the address is that long.
    check(unsafe { libc::connect(fd.as_raw_fd(), address.as_ptr().cast(), length(address)) }).map(drop)
}

/// listen(2)
///
/// # Errors
/// The errno of the call: EADDRINUSE, EOPNOTSUPP, EINVAL.
pub fn listen(fd: &Fd, backlog: c_int) -> Result<(), Errno> {
    // SAFETY: no pointers.
    check(unsafe { libc::listen(fd.as_raw_fd(), backlog) }).map(drop)
}

/// accept4(2): the connection and the other side's address. The caller has made the descriptor non-blocking.
///
/// # Errors
/// The errno of the call: EAGAIN if nobody has connected, ECONNABORTED, EMFILE, EINVAL.
pub fn accept(fd: &Fd) -> Result<(OwnedFd, Vec<u8>), Errno> {
    let mut room = Room::new();
    // SAFETY: room and length belong together; the descriptor is new and ours.
    unsafe {
        let made = check(libc::accept4(fd.as_raw_fd(), room.pointer(), &mut room.len, FLAGS))?;
        Ok((OwnedFd::from_raw_fd(made), room.bytes()))
    }
}

/// getsockname(2)
///
/// # Errors
/// The errno of the call: ENOTSOCK, EBADF.
pub fn local_address(fd: &Fd) -> Result<Vec<u8>, Errno> {
    let mut room = Room::new();
    // SAFETY: room and length belong together.
    check(unsafe { libc::getsockname(fd.as_raw_fd(), room.pointer(), &mut room.len) })?;
    Ok(room.bytes())
}

/// getpeername(2)
///
/// # Errors
/// The errno of the call: ENOTCONN, ENOTSOCK, EBADF.
pub fn remote_address(fd: &Fd) -> Result<Vec<u8>, Errno> {
    let mut room = Room::new();
    // SAFETY: room and length belong together.
    check(unsafe { libc::getpeername(fd.as_raw_fd(), room.pointer(), &mut room.len) })?;
    Ok(room.bytes())
}

/// getsockopt(2): the option's bytes, at most `room`.
///
/// # Errors
/// The errno of the call: ENOPROTOOPT, ENOTSOCK, EBADF.
pub fn option(fd: &Fd, level: c_int, name: c_int, room: usize) -> Result<Vec<u8>, Errno> {
    let mut bytes = vec![0u8; room];
    let mut len = length(&bytes);
    // SAFETY: the buffer is that long.
    check(unsafe { libc::getsockopt(fd.as_raw_fd(), level, name, bytes.as_mut_ptr().cast::<c_void>(), &mut len) })?;
    bytes.truncate(len as usize);
    Ok(bytes)
}

/// setsockopt(2)
///
/// # Errors
/// The errno of the call: ENOPROTOOPT, EINVAL, ENOTSOCK, EBADF.
pub fn set_option(fd: &Fd, level: c_int, name: c_int, bytes: &[u8]) -> Result<(), Errno> {
    // SAFETY: the bytes are that long.
    check(unsafe { libc::setsockopt(fd.as_raw_fd(), level, name, bytes.as_ptr().cast::<c_void>(), length(bytes)) })
        .map(drop)
}

/// shutdown(2)
///
/// # Errors
/// The errno of the call: ENOTCONN, ENOTSOCK, EBADF.
pub fn shutdown(fd: &Fd, how: c_int) -> Result<(), Errno> {
    // SAFETY: no pointers.
    check(unsafe { libc::shutdown(fd.as_raw_fd(), how) }).map(drop)
}

/// sendto(2), never waiting.
///
/// # Errors
/// As the call; EAGAIN if it would wait.
pub fn send(fd: &Fd, bytes: &[u8], flags: c_int, to: Option<&[u8]>) -> Result<usize, Errno> {
    let flags = flags | libc::MSG_DONTWAIT | libc::MSG_NOSIGNAL;
    let (address, len) = match to {
        Some(to) => (to.as_ptr(), length(to)),
        None => (std::ptr::null(), 0),
    };
    // SAFETY: bytes and address are as long as said; a null address has length 0.
    check_size(unsafe { libc::sendto(fd.as_raw_fd(), bytes.as_ptr().cast(), bytes.len(), flags, address.cast(), len) })
}

/// recvfrom(2), never waiting: the bytes and the sender's address (empty if there is none).
///
/// # Errors
/// As the call; EAGAIN if it would wait.
pub fn receive(fd: &Fd, room: usize, flags: c_int) -> Result<(Vec<u8>, Vec<u8>), Errno> {
    let mut bytes: Vec<u8> = Vec::new();
    bytes.try_reserve_exact(room).map_err(|_| Errno::NOMEM)?;
    let mut from = Room::new();
    // SAFETY: the buffer has `room` bytes of room and address and length belong together; what the system says it
    // has written is initialised. With MSG_TRUNC it may say more than there is.
    unsafe {
        let n = check_size(libc::recvfrom(
            fd.as_raw_fd(),
            bytes.as_mut_ptr().cast(),
            room,
            flags | libc::MSG_DONTWAIT,
            from.pointer(),
            &mut from.len,
        ))?;
        bytes.set_len(n.min(room));
    }
    Ok((bytes, from.bytes()))
}

/// A control message: level, type and data.
pub type Control = (c_int, c_int, Vec<u8>);

/// What `receive_message` answers.
pub struct Message {
    /// The data.
    pub bytes: Vec<u8>,
    /// The sender's address, empty if there is none.
    pub from: Vec<u8>,
    /// The flags the system has set.
    pub flags: c_int,
    /// Control messages.
    pub controls: Vec<Control>,
}

/// Room for control messages, aligned for their headers.
fn control_room(len: usize) -> Vec<u64> {
    vec![0u64; len.div_ceil(8)]
}

/// sendmsg(2), never waiting.
///
/// # Errors
/// As the call; EAGAIN if it would wait.
pub fn send_message(
    fd: &Fd,
    bytes: &[u8],
    flags: c_int,
    to: Option<&[u8]>,
    controls: &[Control],
) -> Result<usize, Errno> {
    let mut total = 0usize;
    for (_, _, data) in controls {
        let len = u32::try_from(data.len()).map_err(|_| Errno::MSGSIZE)?;
        // SAFETY: CMSG_SPACE only computes.
        total += unsafe { libc::CMSG_SPACE(len) } as usize;
    }
    let mut room = control_room(total);
    let mut part = libc::iovec { iov_base: bytes.as_ptr().cast_mut().cast(), iov_len: bytes.len() };
    // SAFETY: all zero is a valid msghdr.
    let mut header: libc::msghdr = unsafe { std::mem::zeroed() };
    if let Some(to) = to {
        header.msg_name = to.as_ptr().cast_mut().cast();
        header.msg_namelen = length(to);
    }
    header.msg_iov = &mut part;
    header.msg_iovlen = 1;
    if total > 0 {
        header.msg_control = room.as_mut_ptr().cast();
        header.msg_controllen = total;
    }
    // SAFETY: `room` has space for exactly these messages, so each header lies inside it; the system only reads.
    unsafe {
        let mut at = libc::CMSG_FIRSTHDR(&header);
        for (level, kind, data) in controls {
            let Some(place) = at.as_mut() else {
                return Err(Errno::INVAL);
            };
            place.cmsg_level = *level;
            place.cmsg_type = *kind;
            place.cmsg_len = libc::CMSG_LEN(data.len() as u32) as _;
            std::ptr::copy_nonoverlapping(data.as_ptr(), libc::CMSG_DATA(at), data.len());
            at = libc::CMSG_NXTHDR(&header, at);
        }
        check_size(libc::sendmsg(fd.as_raw_fd(), &header, flags | libc::MSG_DONTWAIT | libc::MSG_NOSIGNAL))
    }
}

/// recvmsg(2), never waiting.
///
/// # Errors
/// As the call; EAGAIN if it would wait.
pub fn receive_message(fd: &Fd, room: usize, control: usize, flags: c_int) -> Result<Message, Errno> {
    let mut bytes: Vec<u8> = Vec::new();
    bytes.try_reserve_exact(room).map_err(|_| Errno::NOMEM)?;
    let mut controls_room = control_room(control);
    let mut from = Room::new();
    let mut part = libc::iovec { iov_base: bytes.as_mut_ptr().cast(), iov_len: room };
    // SAFETY: all zero is a valid msghdr.
    let mut header: libc::msghdr = unsafe { std::mem::zeroed() };
    header.msg_name = from.pointer().cast();
    header.msg_namelen = from.len;
    header.msg_iov = &mut part;
    header.msg_iovlen = 1;
    if control > 0 {
        header.msg_control = controls_room.as_mut_ptr().cast();
        header.msg_controllen = control;
    }
    let flags = flags | libc::MSG_DONTWAIT | libc::MSG_CMSG_CLOEXEC;
    // SAFETY: every pointer in the header leads to as much room as it says.
    let n = check_size(unsafe { libc::recvmsg(fd.as_raw_fd(), &mut header, flags) })?;
    // SAFETY: the system has written that many bytes.
    unsafe { bytes.set_len(n.min(room)) };
    from.len = header.msg_namelen;
    let mut controls = Vec::new();
    // SAFETY: the system has written whole control messages into `controls_room`, as long as `msg_controllen` says.
    unsafe {
        let mut at = libc::CMSG_FIRSTHDR(&header);
        while let Some(place) = at.as_ref() {
            let data = libc::CMSG_DATA(at);
            let before = data as usize - at as usize;
            let end = controls_room.as_ptr() as usize + header.msg_controllen.min(control);
            let len = place.cmsg_len.saturating_sub(before).min(end.saturating_sub(data as usize));
            controls.push((
                place.cmsg_level,
                place.cmsg_type,
                std::slice::from_raw_parts(data.cast_const(), len).to_vec(),
            ));
            at = libc::CMSG_NXTHDR(&header, at);
        }
    }
    Ok(Message { bytes, from: from.bytes(), flags: header.msg_flags, controls })
}

/// Could the descriptor accept, receive or send more than it could when it blocked? Makes it non-blocking.
///
/// # Errors
/// The errno of fcntl(2): EBADF.
pub fn make_nonblocking(fd: &Fd) -> Result<(), Errno> {
    use rustix::fs::OFlags;
    let flags = rustix::fs::fcntl_getfl(fd)?;
    if flags.contains(OFlags::NONBLOCK) { Ok(()) } else { rustix::fs::fcntl_setfl(fd, flags | OFlags::NONBLOCK) }
}
