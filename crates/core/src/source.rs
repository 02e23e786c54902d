//! Source files: where code lies, and which files have a name in backtraces that is not their path.

use std::collections::BTreeMap;

use asterism_lock::Mutex;
use asterism_object::Value;
use asterism_vm::{Ec, Keep, Place, Res};

/// What a VM knows of its main script and of what was loaded from the current directory: the name in backtraces and the absolute path.
#[derive(Default)]
pub struct Script(Mutex<BTreeMap<String, String>>);

impl Keep for Script {
    const PLACE: Place = Place::Script;
}

/// Says which file a name in backtraces stands for.
pub fn set_script(ec: &mut Ec, name: &str, absolute: &str) {
    ec.vm().part::<Script>().0.lock().insert(name.to_string(), absolute.to_string());
}

/// The absolute path of a source file named as in backtraces.
pub fn absolute_source(ec: &mut Ec, file: &str) -> String {
    ec.vm().part::<Script>().0.lock().get(file).cloned().unwrap_or_else(|| file.to_string())
}

/// `[file, line]` of code; of the implementation's own the file is one like `<internal:kernel>`.
pub fn location(ec: &mut Ec, code: &asterism_compiler::Code) -> Res {
    let file = ec.str(code.file.as_bytes())?;
    ec.array(&[file, Value::fixnum(i64::from(code.line))])
}
