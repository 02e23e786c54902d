//! What the child of a `spawn` does: how it sets itself up, what it executes, and how it tells that it could not.
//!
//! The standard library's `Command` forks, and tells the parent of a failure through a pipe whose number the child does not know: a
//! redirection to that number would lose the error, and the file would get its bytes. So the child executes the program itself,
//! and tells through a pipe whose number is above all that it redirects.

use std::ffi::{CString, OsStr, OsString, c_char};
use std::fs::File;
use std::io::Read;
use std::os::fd::{AsFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::process::Command;

use asterism_heap::huge_pages;
use asterism_lock::gate;
use rustix::fs::{Access, AtFlags, FileType};
use rustix::io::Errno;

/// Where programs are looked for if there is no PATH, as in CRuby.
const DEFAULT_PATH: &[u8] = b"/usr/local/bin:/usr/ucb:/usr/bin:/bin:.";

/// The file of a program that is named without a directory, by the directories of `path`; other names are what they are.
pub(super) fn find(program: &OsStr, path: Option<&[u8]>) -> Option<OsString> {
    if program.as_bytes().contains(&b'/') {
        return Some(program.to_owned());
    }
    path.unwrap_or(DEFAULT_PATH).split(|&b| b == b':').find_map(|directory| {
        let directory = if directory.is_empty() { b"." } else { directory };
        let file = OsString::from(OsStr::from_bytes(&[directory, b"/", program.as_bytes()].concat()));
        let is_file =
            rustix::fs::stat(&file).is_ok_and(|stat| FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile);
        let may = || rustix::fs::accessat(rustix::fs::CWD, &file, Access::EXEC_OK, AtFlags::EACCESS).is_ok();
        (is_file && may()).then_some(file)
    })
}

/// What a child is before it executes the program.
pub(super) struct Setup {
    pub(super) umask: Option<u32>,
    /// Resources, their soft and their hard limits.
    pub(super) limits: Vec<(i32, [u64; 2])>,
    pub(super) user: Option<u32>,
    pub(super) group: Option<u32>,
    pub(super) redirections: Redirections,
    pub(super) close_others: bool,
    /// Its standard input is a terminal that is to be its own.
    pub(super) terminal: bool,
}

/// Descriptors of the child, and copies of what they are to be, or `None` to close them.
pub(super) type Redirections = Vec<(RawFd, Option<OwnedFd>)>;

/// `close_range` marks the descriptors instead of closing them.
const CLOSE_RANGE_CLOEXEC: i32 = 4;

unsafe extern "C" {
    fn close_range(first: u32, last: u32, flags: i32) -> i32;
}

impl Setup {
    /// Runs in the child: it makes system calls only (umask, setrlimit, dup2, fcntl, setgid, setuid) and allocates nothing.
    fn run(&self) -> std::io::Result<()> {
        if self.close_others {
            // What is not set up below is closed by exec.
            // SAFETY: only flags of descriptors change, and only the child's.
            unsafe { close_range(3, u32::MAX, CLOSE_RANGE_CLOEXEC) };
        }
        if let Some(mask) = self.umask {
            rustix::process::umask(rustix::fs::Mode::from_raw_mode(mask));
        }
        for &(resource, limits) in &self.limits {
            super::ids::set_limits(resource, limits)?;
        }
        for (child, source) in &self.redirections {
            match source {
                Some(source) => {
                    // SAFETY: nobody else uses the child's descriptors: it has one thread, which is here. The
                    // number must not be closed by a destructor.
                    let mut target = std::mem::ManuallyDrop::new(unsafe { OwnedFd::from_raw_fd(*child) });
                    rustix::io::dup2(source, &mut target)?;
                }
                // exec closes it, so that nothing is lost when exec fails: the number may be the runtime's own.
                None => {
                    // SAFETY: the descriptor is not used otherwise; a number that is not open is an error nobody sees.
                    let target = unsafe { BorrowedFd::borrow_raw(*child) };
                    let _ = rustix::io::fcntl_setfd(target, rustix::io::FdFlags::CLOEXEC);
                }
            }
        }
        if self.terminal {
            rustix::process::setsid()?;
            // SAFETY: standard input is nobody else's descriptor in the child.
            rustix::process::ioctl_tiocsctty(unsafe { BorrowedFd::borrow_raw(0) })?;
        }
        // Last, and the user last of all: afterwards it may change nothing.
        self.set_ids()
    }

    /// Makes the calling process, a child that has one thread, one of this user and group: by the system's calls themselves, since
    /// those of the C library are for all threads that it knows.
    fn set_ids(&self) -> std::io::Result<()> {
        for (call, id) in [(libc::SYS_setgid, self.group), (libc::SYS_setuid, self.user)] {
            let Some(id) = id else { continue };
            // SAFETY: the call takes a number.
            if unsafe { libc::syscall(call, id) } != 0 {
                return Err(std::io::Error::last_os_error());
            }
        }
        Ok(())
    }

    /// The lowest number that is above all descriptors which the child sets up.
    fn above(&self) -> RawFd {
        above(self.redirections.iter().map(|(child, _)| *child))
    }
}

/// The lowest number that is above these descriptors and the standard ones.
pub(super) fn above(descriptors: impl Iterator<Item = RawFd>) -> RawFd {
    descriptors.fold(2, RawFd::max).saturating_add(1)
}

/// A copy of a descriptor whose number is `least` or more.
pub(super) fn copy_above(descriptor: BorrowedFd<'_>, least: RawFd) -> rustix::io::Result<OwnedFd> {
    rustix::io::fcntl_dupfd_cloexec(descriptor, least).map_err(|e| match e {
        // There are no such numbers.
        Errno::INVAL => Errno::BADF,
        other => other,
    })
}

/// A program and all that execve(2) takes, made before the fork.
pub(super) struct Image {
    file: CString,
    arguments: Pointers,
    /// With which the shell is given the file, if the system does not know what it is.
    by_shell: Pointers,
    environment: Pointers,
}

/// C strings, and the Array of them that ends by a null pointer.
struct Pointers {
    /// What the Array points into.
    _strings: Vec<CString>,
    array: Vec<*const c_char>,
}

// SAFETY: the pointers are to the strings beside them, which live as long and which nobody changes.
unsafe impl Send for Pointers {}
// SAFETY: as above.
unsafe impl Sync for Pointers {}

impl Pointers {
    fn new(strings: Vec<CString>) -> Self {
        let array = strings.iter().map(|string| string.as_ptr()).chain([std::ptr::null()]).collect();
        Self { _strings: strings, array }
    }
}

impl Image {
    /// `environment` has names and values.
    ///
    /// # Errors
    /// `std::io::ErrorKind::InvalidInput` where a NUL is in a string.
    pub(super) fn new(
        file: &OsStr,
        arguments: &[OsString],
        environment: &[(OsString, OsString)],
    ) -> std::io::Result<Self> {
        let file = CString::new(file.as_bytes())?;
        let arguments: Vec<_> =
            arguments.iter().map(|argument| CString::new(argument.as_bytes())).collect::<Result<_, _>>()?;
        let by_shell =
            [c"sh".to_owned(), file.clone()].into_iter().chain(arguments.iter().skip(1).cloned()).collect::<Vec<_>>();
        let environment = environment
            .iter()
            .map(|(name, value)| CString::new([name.as_bytes(), b"=", value.as_bytes()].concat()))
            .collect::<Result<_, _>>()?;
        Ok(Self {
            file,
            arguments: Pointers::new(arguments),
            by_shell: Pointers::new(by_shell),
            environment: Pointers::new(environment),
        })
    }

    /// Executes the program in the calling process. What it returns is the error.
    fn execute(&self) -> std::io::Error {
        huge_pages::resume();
        // SAFETY: the path is a C string, the Arrays are of C strings and end by null pointers.
        unsafe { libc::execve(self.file.as_ptr(), self.arguments.array.as_ptr(), self.environment.array.as_ptr()) };
        let error = std::io::Error::last_os_error();
        if error.raw_os_error() == Some(libc::ENOEXEC) {
            // SAFETY: as above.
            unsafe { libc::execve(c"/bin/sh".as_ptr(), self.by_shell.array.as_ptr(), self.environment.array.as_ptr()) };
        }
        error
    }
}

/// Ends the child, after telling the parent why.
fn fail(tell: &OwnedFd, error: &std::io::Error) -> ! {
    let number = error.raw_os_error().unwrap_or(libc::EINVAL).to_ne_bytes();
    // Nobody could be told of an error here.
    let _ = rustix::io::write(tell, &number);
    // SAFETY: the call has no preconditions.
    unsafe { libc::_exit(super::spawn::COULD_NOT) }
}

/// Forks, sets the child up and executes the program in it: the child's number.
///
/// # Errors
/// The `std::io::Error` of fork(2), of what sets the child up, or of execve(2): EAGAIN, ENOENT, EACCES, E2BIG and
/// others.
pub(super) fn start(mut command: Command, setup: Setup, image: Image) -> std::io::Result<u32> {
    // A process that another thread forks meanwhile would keep the writing ends of the pipes, and the reads here would wait for its end.
    let _whole = gate::no_fork();
    let (hear, low) = rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC)?;
    let tell = copy_above(low.as_fd(), setup.above())?;
    drop(low);
    let child = move || -> std::io::Result<()> {
        let error = match setup.run() {
            Ok(()) => image.execute(),
            Err(error) => error,
        };
        fail(&tell, &error)
    };
    // SAFETY: between fork and exec `run`, `execute` and `fail` make system calls only and allocate nothing.
    unsafe { command.pre_exec(child) };
    let mut child = command.spawn()?;
    // The parent's own writing end is in there.
    drop(command);
    let mut number = [0; 4];
    match File::from(hear).read_exact(&mut number) {
        Ok(()) => {
            child.wait()?;
            Err(std::io::Error::from_raw_os_error(i32::from_ne_bytes(number)))
        }
        // The program runs: exec has closed the pipe.
        Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => Ok(child.id()),
        Err(error) => Err(error),
    }
}

/// Sets the calling process up and executes the program in it. What it returns is the error.
pub(super) fn replace(mut command: Command, setup: Setup) -> std::io::Error {
    // SAFETY: `run` makes system calls only.
    unsafe { command.pre_exec(move || setup.run()) };
    huge_pages::resume();
    command.exec()
}
