//! The clients of the echo servers, each on one thread: `run` keeps one line under way on each of its connections, on a core
//! of its own; `hold` opens many connections and keeps all of them open at once.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::os::fd::AsRawFd;
use std::time::{Duration, Instant};

/// What is sent, and has to come back.
const LINE: &[u8] = b"a line of thirty-two characters\n";

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// Pins the calling thread to a core.
pub fn pin(core: usize) -> io::Result<()> {
    // SAFETY: all zero is an empty set of cores, which CPU_SET changes within its bounds; the call only reads it.
    let result = unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        libc::CPU_SET(core, &mut set);
        libc::sched_setaffinity(0, size_of::<libc::cpu_set_t>(), &set)
    };
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

struct Connection {
    stream: TcpStream,
    received: usize,
}

/// Lets this process open as many descriptors as it may.
fn raise_descriptor_limit() -> io::Result<()> {
    // SAFETY: both calls get a valid, initialised structure.
    let result = unsafe {
        let mut limit: libc::rlimit = std::mem::zeroed();
        if libc::getrlimit(libc::RLIMIT_NOFILE, &mut limit) != 0 {
            return Err(io::Error::last_os_error());
        }
        limit.rlim_cur = limit.rlim_max;
        libc::setrlimit(libc::RLIMIT_NOFILE, &limit)
    };
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// Opens `connections` connections, has a line of each answered twice while all of them are open, and closes them; how long
/// that took.
pub fn hold(port: u16, connections: usize) -> io::Result<Duration> {
    raise_descriptor_limit()?;
    let started = Instant::now();
    let mut all = Vec::with_capacity(connections);
    for _ in 0..connections {
        let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port))?;
        stream.set_read_timeout(Some(Duration::from_secs(60)))?;
        all.push(stream);
    }
    let mut answer = [0u8; LINE.len()];
    for _ in 0..2 {
        for stream in &mut all {
            stream.write_all(LINE)?;
        }
        for stream in &mut all {
            stream.read_exact(&mut answer)?;
            if answer != LINE {
                return Err(io::Error::other("another line came back"));
            }
        }
    }
    Ok(started.elapsed())
}

/// Sends `requests` lines over `connections` connections, one at a time on each, until all are answered or the server hangs up;
/// how many answers came in which time. It never sleeps, so that the server does not spend its time on waking it.
pub fn run(port: u16, connections: usize, requests: usize) -> io::Result<(usize, Duration)> {
    // SAFETY: no pointers.
    let epoll = unsafe { libc::epoll_create1(libc::EPOLL_CLOEXEC) };
    if epoll < 0 {
        return Err(io::Error::last_os_error());
    }
    let mut all = Vec::with_capacity(connections);
    for i in 0..connections {
        let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port))?;
        stream.set_nodelay(true)?;
        let mut event = libc::epoll_event { events: libc::EPOLLIN as u32, u64: i as u64 };
        // SAFETY: both descriptors are open, the event is initialised.
        if unsafe { libc::epoll_ctl(epoll, libc::EPOLL_CTL_ADD, stream.as_raw_fd(), &mut event) } != 0 {
            return Err(io::Error::last_os_error());
        }
        all.push(Connection { stream, received: 0 });
    }
    let started = Instant::now();
    for connection in &mut all {
        connection.stream.write_all(LINE)?;
    }
    let (mut answers, mut sent) = (0, connections);
    let mut open = connections;
    let mut last = Instant::now();
    let mut buffer = [0u8; 4096];
    while answers < requests && open > 0 {
        // SAFETY: all zero is a valid event.
        let mut events: [libc::epoll_event; 64] = unsafe { std::mem::zeroed() };
        // SAFETY: the array has room for as many events as said.
        let n = unsafe { libc::epoll_wait(epoll, events.as_mut_ptr(), 64, 0) };
        if n < 0 || n == 0 && last.elapsed() > PATIENCE {
            return Err(io::Error::other("the server does not answer"));
        }
        if n == 0 {
            continue;
        }
        last = Instant::now();
        for event in &events[..n as usize] {
            let connection = &mut all[event.u64 as usize];
            match connection.stream.read(&mut buffer) {
                Ok(0) | Err(_) => {
                    open -= 1;
                    // SAFETY: both descriptors are open; a removal takes no event.
                    unsafe {
                        libc::epoll_ctl(epoll, libc::EPOLL_CTL_DEL, connection.stream.as_raw_fd(), std::ptr::null_mut())
                    };
                }
                Ok(n) => {
                    connection.received += n;
                    if connection.received >= LINE.len() {
                        connection.received -= LINE.len();
                        answers += 1;
                        if sent < requests {
                            sent += 1;
                            connection.stream.write_all(LINE)?;
                        }
                    }
                }
            }
        }
    }
    let time = started.elapsed();
    // SAFETY: nobody else knows the descriptor.
    unsafe { libc::close(epoll) };
    Ok((answers, time))
}
