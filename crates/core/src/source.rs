//! Source files: where code lies, and which file is the main script.

use asterism_lock::Mutex;
use asterism_object::Value;
use asterism_vm::{Ec, Keep, Place, Res};

/// What a VM knows of its main script: its name in backtraces and its absolute path.
#[derive(Default)]
pub struct Script(Mutex<Option<(String, String)>>);

impl Keep for Script {
    const PLACE: Place = Place::Script;
}

/// Says which file the main script is.
pub fn set_script(ec: &mut Ec, name: &str, absolute: &str) {
    *ec.vm().part::<Script>().0.lock() = Some((name.to_string(), absolute.to_string()));
}

/// The absolute path of a source file named as in backtraces.
pub fn absolute_source(ec: &mut Ec, file: &str) -> String {
    if let Some((name, absolute)) = &*ec.vm().part::<Script>().0.lock()
        && name == file
    {
        return absolute.clone();
    }
    file.to_string()
}

/// `[file, line]` of code; of the implementation's own the file is one like `<internal:kernel>`.
pub fn location(ec: &mut Ec, code: &asterism_compiler::Code) -> Res {
    let file = ec.str(code.file.as_bytes())?;
    ec.array(&[file, Value::fixnum(i64::from(code.line))])
}
