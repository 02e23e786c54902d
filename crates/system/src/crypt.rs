//! `String#crypt`: the system's crypt(3), whose library is loaded when it is first asked for.

use std::ffi::{CStr, CString, c_char, c_int, c_void};

use asterism_core::errno;
use asterism_object::space::WellKnown;
use asterism_object::{Value, string};
use asterism_support::encoding::Encoding;
use asterism_vm::{Args, Ec, NativeDef, Res};
use rustix::io::Errno;

/// Bytes of what `crypt_r` works with: more than the `struct crypt_data` of any library has.
const ROOM: usize = 256 << 10;
/// The names that the library goes by.
const LIBRARIES: [&CStr; 2] = [c"libcrypt.so.1", c"libcrypt.so.2"];

/// `char *crypt_r(const char *phrase, const char *setting, struct crypt_data *data)`
type Crypt = unsafe extern "C" fn(*const c_char, *const c_char, *mut c_void) -> *mut c_char;

static METHODS: &[NativeDef] = &[NativeDef::new("crypt", crypt, 1, 1)];

/// Defines the method.
///
/// # Errors
/// NoMemoryError.
pub fn init(ec: &mut Ec) -> Res<()> {
    let class = ec.known(WellKnown::String);
    ec.define_natives(class, METHODS)
}

fn crypt(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let salt = ec.to_str(args[0])?;
    // Copies of both, and others with a NUL behind.
    let _made = ec.charge((string::len(this) + string::len(salt) + 1) * 2)?;
    let (phrase, setting) = (bytes(ec, this)?, bytes(ec, salt)?);
    // A NUL ends it for C.
    if setting.iter().take(2).filter(|&&byte| byte != 0).count() < 2 {
        return Err(ec.arg_error("salt too short (need >=2 bytes)"));
    }
    let (Ok(phrase), Ok(setting)) = (CString::new(phrase), CString::new(setting)) else {
        return Err(ec.arg_error("string contains null byte"));
    };
    match ec.blocking(|| hash(&phrase, &setting)) {
        Ok(Some(hash)) => ec.str_enc(&hash, Encoding::BINARY.index()),
        Ok(None) => Err(ec.not_implemented("crypt() needs the system's libcrypt")),
        Err(error) => Err(errno::raise(ec, error, "crypt")),
    }
}

/// The bytes of a String of an encoding that C can read.
fn bytes(ec: &mut Ec, v: Value) -> Res<Vec<u8>> {
    let (bytes, index) = string::with_bytes(ec, v, |bytes, index| (bytes.to_vec(), index));
    match Encoding::from_index(usize::from(index)).filter(|encoding| !encoding.is_ascii_compatible()) {
        Some(wide) => Err(ec.arg_error(format!("wide char encoding: {}", wide.name()))),
        None => Ok(bytes),
    }
}

/// What crypt(3) makes of it; `None` where there is no such library.
fn hash(phrase: &CStr, setting: &CStr) -> Result<Option<Vec<u8>>, Errno> {
    // SAFETY: the library's constructors know nothing of Ruby.
    let library = LIBRARIES.into_iter().find_map(|name| unsafe {
        let library = libc::dlopen(name.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL);
        (!library.is_null()).then_some(library)
    });
    let Some(library) = library else { return Ok(None) };
    // SAFETY: a handle of `dlopen`'s.
    let found = unsafe { libc::dlsym(library, c"crypt_r".as_ptr()) };
    let made = if found.is_null() { Ok(None) } else { call(found, phrase, setting).map(Some) };
    // SAFETY: nothing of the library is used any more.
    let _closed: c_int = unsafe { libc::dlclose(library) };
    made
}

/// Calls the function that lies there, which is `crypt_r`.
fn call(found: *mut c_void, phrase: &CStr, setting: &CStr) -> Result<Vec<u8>, Errno> {
    let mut data = vec![0_u64; ROOM / 8];
    // SAFETY: the function has this type. The texts end with NUL; the data is zero, as is asked for the first time, large enough
    // and aligned. What it gives lies in the data, or is null.
    unsafe {
        let function = std::mem::transmute::<*mut c_void, Crypt>(found);
        let result = function(phrase.as_ptr(), setting.as_ptr(), data.as_mut_ptr().cast());
        if result.is_null() {
            let error = std::io::Error::last_os_error();
            return Err(Errno::from_io_error(&error).unwrap_or(Errno::INVAL));
        }
        Ok(CStr::from_ptr(result).to_bytes().to_vec())
    }
}
