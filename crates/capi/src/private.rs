//! Private copies of extensions, for VMs that were made with `extensions: :copy`. The file is read, changed where it says how its
//! names are found, and opened as a shared object of its own: its variables are nobody else's, and the classes that the header
//! has variables for are those of its VM. What it depends on is loaded once a process, as ever.

use std::ffi::{CStr, CString, c_void};
use std::fs::File;
use std::io::Write;
use std::os::fd::AsRawFd;

/// A copy that is open. Dropped, it is unloaded: nothing of its VM is left then that leads to its code.
pub struct Copied(usize);

impl Copied {
    /// `dlopen`'s handle.
    pub fn handle(&self) -> *mut c_void {
        std::ptr::with_exposed_provenance_mut(self.0)
    }
}

impl Drop for Copied {
    fn drop(&mut self) {
        // SAFETY: `dlopen` gave the handle, and it is closed once. Data objects, which lead to the copy's functions, hold the
        // list that this is in; methods and threads have gone with the VM.
        unsafe { libc::dlclose(self.handle()) };
    }
}

/// Opens a copy of the file. `variable` has the address that takes the place of a variable of ours.
///
/// # Errors
/// Why it cannot be copied or opened, in the words of the system or the loader.
pub fn open(path: &[u8], variable: impl Fn(&[u8]) -> Option<u64>) -> Result<Copied, String> {
    use std::os::unix::ffi::OsStrExt;
    let mut bytes = std::fs::read(std::ffi::OsStr::from_bytes(path)).map_err(|e| e.to_string())?;
    make_private(&mut bytes, variable).ok_or("no shared object that a copy can be made of")?;
    let name = path.rsplit(|&b| b == b'/').next().unwrap_or(path);
    let name = CString::new(name).map_err(|e| e.to_string())?;
    let mut file = in_memory(&name)?;
    file.write_all(&bytes).map_err(|e| e.to_string())?;
    let path = path_of(&file).map_err(|e| e.to_string())?;
    let path = CString::new(path).map_err(|e| e.to_string())?;
    crate::shared_object::open(&path, libc::RTLD_NOW | libc::RTLD_LOCAL).map(Copied)
}

/// A file that lies nowhere.
#[cfg(target_os = "linux")]
fn in_memory(name: &CStr) -> Result<File, String> {
    use rustix::fs::{MemfdFlags, memfd_create};
    memfd_create(name, MemfdFlags::CLOEXEC).map(File::from).map_err(|e| e.to_string())
}

/// `RubyVM.new` says so before.
#[cfg(not(target_os = "linux"))]
fn in_memory(_name: &CStr) -> Result<File, String> {
    Err("no copies of extensions on this system".into())
}

/// A path that leads to the open file, and that no other file is ever called by: the loader takes an object that was opened by the
/// same name for the one that is meant, and numbers of descriptors come again. How the slashes are written tells the inode, which the
/// loader relies on too.
fn path_of(file: &File) -> std::io::Result<String> {
    use std::os::unix::fs::MetadataExt;
    let mut inode = file.metadata()?.ino();
    let mut path = String::from("/proc/self/fd");
    while inode != 0 {
        path += if inode & 1 == 1 { "/." } else { "/" };
        inode >>= 1;
    }
    Ok(format!("{path}/{}", file.as_raw_fd()))
}

const PT_LOAD: u64 = 1;
const PT_DYNAMIC: u64 = 2;
const DT_NULL: u64 = 0;
const DT_STRTAB: u64 = 5;
const DT_SYMTAB: u64 = 6;
const DT_RELA: u64 = 7;
const DT_RELASZ: u64 = 8;
const DT_SYMBOLIC: u64 = 16;
/// Bytes of a `Elf64_Dyn`, a `Elf64_Sym` and a `Elf64_Rela`.
const DYN: usize = 16;
const SYM: usize = 24;
const RELA: usize = 24;
/// `st_info` of a local variable, and `st_shndx` of what lies at an address.
const LOCAL_OBJECT: u8 = 1;
const SHN_ABS: u16 = 0xfff1;

/// Changes the bytes of a shared object (ELF of 64 bits, with relocations that have addends, as x86-64 and aarch64 have): it finds its
/// own functions and variables before those of the same name elsewhere, and names of `variable` mean the addresses that it tells.
/// `None`: it is damaged, or something else.
fn make_private(bytes: &mut [u8], variable: impl Fn(&[u8]) -> Option<u64>) -> Option<()> {
    if !bytes.starts_with(b"\x7fELF\x02\x01") {
        return None;
    }
    let headers = Headers::read(bytes)?;
    let (mut strings, mut symbols, mut relocations, mut size, mut end) = (None, None, None, 0, None);
    for at in (headers.dynamic..).step_by(DYN).take(headers.dynamic_size / DYN) {
        let value = number::<8>(bytes, at + 8)?;
        match number::<8>(bytes, at)? {
            DT_NULL => {
                end = Some(at);
                break;
            }
            DT_STRTAB => strings = headers.offset(value),
            DT_SYMTAB => symbols = headers.offset(value),
            DT_RELA => relocations = headers.offset(value),
            DT_RELASZ => size = usize::try_from(value).ok()?,
            _ => {}
        }
    }
    // The linker leaves room for a few entries behind the last one.
    let end = end.filter(|end| end + 2 * DYN <= headers.dynamic + headers.dynamic_size)?;
    bytes.get_mut(end..end + 8)?.copy_from_slice(&DT_SYMBOLIC.to_le_bytes());
    let (strings, symbols) = (strings?, symbols?);
    for relocation in 0..size / RELA {
        let symbol = number::<4>(bytes, relocations? + relocation * RELA + 12)?;
        let at = symbols + usize::try_from(symbol).ok()? * SYM;
        let name = bytes.get(strings + usize::try_from(number::<4>(bytes, at)?).ok()?..)?;
        let Some(address) = variable(name.split(|&b| b == 0).next()?) else { continue };
        *bytes.get_mut(at + 4)? = LOCAL_OBJECT;
        bytes.get_mut(at + 6..at + 8)?.copy_from_slice(&SHN_ABS.to_le_bytes());
        bytes.get_mut(at + 8..at + 16)?.copy_from_slice(&address.to_le_bytes());
    }
    Some(())
}

/// What the program headers say.
struct Headers {
    /// Where the dynamic section lies, and how many bytes it has.
    dynamic: usize,
    dynamic_size: usize,
    /// Where parts of the file come to lie: address, offset in the file, length there.
    loaded: Vec<(u64, u64, u64)>,
}

impl Headers {
    fn read(bytes: &[u8]) -> Option<Headers> {
        let first = usize::try_from(number::<8>(bytes, 32)?).ok()?;
        let each = usize::try_from(number::<2>(bytes, 54)?).ok()?;
        let mut headers = Headers { dynamic: 0, dynamic_size: 0, loaded: Vec::new() };
        for header in 0..usize::try_from(number::<2>(bytes, 56)?).ok()? {
            let at = first.checked_add(header * each)?;
            let (offset, address, length) =
                (number::<8>(bytes, at + 8)?, number::<8>(bytes, at + 16)?, number::<8>(bytes, at + 32)?);
            match number::<4>(bytes, at)? {
                PT_LOAD => headers.loaded.push((address, offset, length)),
                PT_DYNAMIC => {
                    headers.dynamic = usize::try_from(offset).ok()?;
                    headers.dynamic_size = usize::try_from(length).ok()?;
                }
                _ => {}
            }
        }
        // The loader maps what a file that was cut off does not have, and whoever touches that dies.
        let within = |&(_, offset, length): &(u64, u64, u64)| {
            offset.checked_add(length).is_some_and(|end| end <= bytes.len() as u64)
        };
        let end = headers.dynamic.checked_add(headers.dynamic_size)?;
        let whole = headers.loaded.iter().all(within) && end <= bytes.len();
        (headers.dynamic_size != 0 && whole).then_some(headers)
    }

    /// Where in the file lies what is loaded at that address?
    fn offset(&self, address: u64) -> Option<usize> {
        let (from, offset, _) =
            self.loaded.iter().find(|(from, _, length)| address >= *from && address - from < *length)?;
        usize::try_from(address - from + offset).ok()
    }
}

/// The number in `N` bytes, the lowest first.
fn number<const N: usize>(bytes: &[u8], at: usize) -> Option<u64> {
    let found = bytes.get(at..at.checked_add(N)?)?;
    Some(found.iter().rev().fold(0, |n, &b| n << 8 | u64::from(b)))
}

#[cfg(test)]
#[path = "private_tests.rs"]
mod tests;
