//! Shared objects: opened once a process, begun once a VM.

use std::ffi::{CString, c_void};

use asterism_symbol::intern;
use asterism_vm::{Ec, Exc, Raised, Res};

use crate::part::part;
use crate::shared_object::{function, open};
use crate::types::Func;

/// The symbol of extensions whose classes are those of the VM that runs.
const PER_VM: &str = "asterism_extension_per_vm";

fn load_error(ec: &mut Ec, path: &[u8], message: &str) -> Raised {
    let class = ec.exc_class(Exc::LoadError);
    let made = ec.new_exception(class, message.as_bytes()).and_then(|e| {
        let path = ec.str(path)?;
        ec.ivar_put(e, intern("@path"), path)?;
        Ok(e)
    });
    match made {
        Ok(e) => ec.raise_exception(e),
        Err(raised) => raised,
    }
}

/// The name of the extension in a file of this path: what its functions are named by.
fn stem(path: &[u8]) -> String {
    let name = path.rsplit(|&b| b == b'/').next().unwrap_or(path);
    let name = name.split(|&b| b == b'.').next().unwrap_or(name);
    String::from_utf8_lossy(name).into_owned()
}

/// Loads the extension in a file: its `Init_` function, and if it has one its `InitVM_` function.
///
/// # Errors
/// LoadError; what the functions raise.
pub fn load(ec: &mut Ec, path: &[u8]) -> Res<()> {
    if !cfg!(any(target_arch = "x86_64", target_arch = "aarch64")) {
        return Err(load_error(ec, path, "C extensions are not supported on this architecture"));
    }
    let Ok(file) = CString::new(path) else {
        return Err(load_error(ec, path, "null byte in a path"));
    };
    if ec.vm().options.may_change.is_none() {
        asterism_system::env::environ::show_to_c(ec);
    }
    let (name, shown) = (stem(path), String::from_utf8_lossy(path).into_owned());
    if ec.vm().options.copy_extensions && load_copy(ec, path, &name)? {
        return Ok(());
    }
    // Extensions use functions of others that were loaded before, as CRuby lets them. What nobody has is an error now, with its
    // name, and not the end of the process when it is called.
    let flags = libc::RTLD_NOW | libc::RTLD_GLOBAL;
    let handle = match ec.blocking(|| open(&file, flags)) {
        Ok(handle) => std::ptr::with_exposed_provenance_mut(handle),
        Err(text) => return Err(load_error(ec, path, &format!("{text} - {shown}"))),
    };
    let (init, init_vm) = (function(handle, &format!("Init_{name}")), function(handle, &format!("InitVM_{name}")));
    let per_vm = init_vm.is_some() && function(handle, PER_VM).is_some();
    if !per_vm && ec.vm().options.may_change.is_some() {
        let message = if init_vm.is_none() {
            format!("{shown} has no InitVM_{name}: it can be loaded in the main VM only")
        } else {
            format!("{shown} was compiled without RUBY_EXTENSION_PER_VM: it can be loaded in the main VM only")
        };
        return Err(load_error(ec, path, &message));
    }
    if !per_vm && !crate::known::own(ec)? {
        let message = format!("{shown} is for one VM, and another one has loaded extensions of that kind");
        return Err(load_error(ec, path, &message));
    }
    begin(ec, path, &name, [init.filter(|_| init_vm.is_none() || first_time(handle)), init_vm])
}

/// Calls what an extension has for its beginning.
fn begin(ec: &mut Ec, path: &[u8], name: &str, functions: [Option<Func>; 2]) -> Res<()> {
    if functions.iter().all(Option::is_none) {
        let shown = String::from_utf8_lossy(path);
        return Err(load_error(ec, path, &format!("dlsym: undefined symbol: Init_{name} - {shown}")));
    }
    for function in functions.into_iter().flatten() {
        // SAFETY: the function is the extension's for its beginning, by its name.
        unsafe { crate::method::initialize(ec, function)? };
    }
    Ok(())
}

/// Loads a copy of the extension that is this VM's alone; whether it is one that needs that: others are for several VMs as they are.
fn load_copy(ec: &mut Ec, path: &[u8], name: &str) -> Res<bool> {
    let variables = crate::known::private(ec)?;
    let variable = |wanted: &[u8]| variables.iter().find(|known| known.0.as_bytes() == wanted).map(|known| known.1);
    let copied = match ec.blocking(|| crate::private::open(path, variable)) {
        Ok(copied) => copied,
        Err(text) => return Err(load_error(ec, path, &format!("{text} - {}", String::from_utf8_lossy(path)))),
    };
    let handle = copied.handle();
    let (init, init_vm) = (function(handle, &format!("Init_{name}")), function(handle, &format!("InitVM_{name}")));
    if init_vm.is_some() && function(handle, PER_VM).is_some() {
        return Ok(false);
    }
    part(ec).frees.copies.lock().push(copied);
    begin(ec, path, name, [init, init_vm])?;
    Ok(true)
}

/// Is this the process's first VM that loads it? `Init_` functions run once a process where there is an `InitVM_` function.
fn first_time(handle: *mut c_void) -> bool {
    static BEGUN: asterism_lock::Mutex<Vec<usize>> = asterism_lock::Mutex::new(Vec::new());
    let mut begun = BEGUN.lock();
    let address = handle.expose_provenance();
    let first = !begun.contains(&address);
    if first {
        begun.push(address);
    }
    first
}
