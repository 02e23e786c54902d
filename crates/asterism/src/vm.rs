//! VMs that a Rust program calls, and the objects it holds of them.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crate::handles::{Handles, Held};
use asterism_compiler::CodeKind;
use asterism_object::{Value, array, string};
use asterism_symbol::intern;
use asterism_vm::args::CallArgs;
use asterism_vm::call::CallKind;
use asterism_vm::vm::Root;
use asterism_vm::{Ec, Res};

use crate::builder::{BuildError, Builder};
use crate::convert::{Arguments, FromRuby, IntoRuby, Scope};
use crate::error::Error;
use crate::limit::Watch;
use crate::session::{Ended, ExitStatus, Session};

/// A Ruby of its own: classes, constants, globals, objects. A process may have many.
///
/// The thread that makes it is its main thread, and the only one that can call it: it cannot be sent to another. Ruby threads
/// in it go on running between calls. Dropping it runs its exit handlers, ends its threads and frees all it had.
///
/// ```
/// let vm = asterism::Vm::builder().build().expect("a VM");
/// vm.eval("def greet(name) = \"hello #{name}\"").unwrap();
/// let greeting: String = vm.call("greet", ("world",)).unwrap().to().unwrap();
/// assert_eq!(greeting, "hello world");
/// ```
///
/// ```compile_fail
/// let vm = asterism::Vm::builder().build().expect("a VM");
/// std::thread::spawn(move || vm.eval("1").is_ok());
/// ```
pub struct Vm {
    /// `None` when it has ended.
    session: RefCell<Option<Session>>,
    handles: Arc<Handles>,
    watch: Option<Watch>,
    /// Its time was over once.
    out_of_time: Cell<bool>,
}

/// The thread is in the VM; at the end it counts as stopped again, also when it panics.
struct Visit<'a>(&'a mut Session);

impl<'a> Visit<'a> {
    fn new(session: &'a mut Session) -> Visit<'a> {
        session.ec.wake();
        Visit(session)
    }
}

impl Drop for Visit<'_> {
    fn drop(&mut self) {
        self.0.ec.rest();
    }
}

impl Vm {
    /// Says how a VM is to be made.
    pub fn builder() -> Builder {
        Builder::new()
    }

    /// Makes a VM of one that was just made.
    pub(crate) fn of(mut session: Session, limit: Option<Duration>) -> Result<Vm, BuildError> {
        let handles = session.ec.vm().part::<Held>().0.clone();
        let watch = match limit {
            Some(limit) => match Watch::new(&session.ec, limit) {
                Ok(watch) => Some(watch),
                Err(e) => return Err(BuildError(format!("nobody can watch the time: {e}"))),
            },
            None => None,
        };
        session.ec.rest();
        Ok(Vm { session: RefCell::new(Some(session)), handles, watch, out_of_time: Cell::new(false) })
    }

    /// Runs `body` in the VM.
    pub(crate) fn visit<'vm, R>(
        &'vm self,
        body: impl FnOnce(&mut Scope<'_, 'vm>) -> Result<R, Error>,
    ) -> Result<R, Error> {
        if self.out_of_time.get() {
            return Err(Error::TimeLimit);
        }
        let mut session = self.session.borrow_mut();
        let Some(session) = session.as_mut() else { return Err(Error::Killed) };
        let visit = Visit::new(session);
        self.watch.iter().for_each(Watch::begin);
        let result = body(&mut Scope { ec: &mut visit.0.ec, vm: self });
        if self.watch.as_ref().is_some_and(Watch::end) {
            self.out_of_time.set(true);
            return Err(Error::TimeLimit);
        }
        result
    }

    pub(crate) fn handles(&self) -> &Arc<Handles> {
        &self.handles
    }

    pub(crate) fn hold(&self, value: Value) -> Object<'_> {
        Object { vm: self, number: self.handles.hold(value) }
    }

    /// Runs a program's text; the value of its last expression. Local variables are gone afterwards, everything else stays.
    ///
    /// # Errors
    /// `Error::Exception` with what it raises, SyntaxError too; `Error::Exit`, `Error::Killed`, `Error::TimeLimit`.
    pub fn eval(&self, source: &str) -> Result<Object<'_>, Error> {
        self.eval_as(source, "(eval)")
    }

    /// As `eval`; backtraces and `__FILE__` show `file`.
    ///
    /// # Errors
    /// As [`Vm::eval`].
    pub fn eval_as(&self, source: &str, file: &str) -> Result<Object<'_>, Error> {
        self.visit(|scope| {
            let done = scope.ec.run_file(source.as_bytes(), file, CodeKind::File);
            let value = scope.ok(done)?;
            Ok(self.hold(value))
        })
    }

    /// Loads a file, whether it was loaded before or not.
    ///
    /// # Errors
    /// LoadError if there is none; what it raises.
    pub fn load(&self, file: impl AsRef<Path>) -> Result<(), Error> {
        use std::os::unix::ffi::OsStrExt;
        let file = file.as_ref().as_os_str().as_bytes();
        self.visit(|scope| {
            let done = scope.ec.str(file).and_then(|file| function(scope.ec, "load", &[file]));
            scope.ok(done).map(drop)
        })
    }

    /// Requires a library; whether it was not there before.
    ///
    /// # Errors
    /// LoadError if there is none; what it raises.
    pub fn require(&self, feature: &str) -> Result<bool, Error> {
        self.visit(|scope| {
            let done = asterism_system::load::require_feature(scope.ec, feature.as_bytes());
            scope.ok(done)
        })
    }

    /// Calls a method of the main object: one that was defined at the top level, or a function like `format`.
    ///
    /// # Errors
    /// `Error::Exception` with what it raises, NoMethodError if there is none; `Error::OtherVm` for an argument that is
    /// an object of another VM; `Error::Exit`, `Error::Killed`, `Error::TimeLimit`.
    pub fn call<'vm>(&'vm self, method: &str, arguments: impl Arguments<'vm>) -> Result<Object<'vm>, Error> {
        self.visit(|scope| {
            let main = scope.ec.vm().root(Root::MainObject);
            scope.send(main, method, arguments, CallKind::Private)
        })
    }

    /// The constant with this name, as `File::SEPARATOR`.
    ///
    /// # Errors
    /// NameError if there is none.
    pub fn constant(&self, name: &str) -> Result<Object<'_>, Error> {
        self.visit(|scope| {
            let object = scope.ec.class(asterism_object::space::WellKnown::Object);
            scope.send(object, "const_get", (name,), CallKind::Private)
        })
    }

    /// Sets a global variable.
    ///
    /// # Errors
    /// `Error::Exception` with what its setter raises, NameError if it is only to be read; `Error::OtherVm` for an
    /// object of another VM; `Error::TimeLimit`.
    pub fn set_global<'vm>(&'vm self, name: &str, value: impl IntoRuby<'vm>) -> Result<(), Error> {
        self.visit(|scope| {
            let value = scope.value(value)?;
            let done = scope.ec.gvar_set(intern(name), value);
            scope.ok(done)
        })
    }

    /// Makes an object of a Rust value.
    ///
    /// # Errors
    /// NoMemoryError.
    pub fn object<'vm>(&'vm self, value: impl IntoRuby<'vm>) -> Result<Object<'vm>, Error> {
        self.visit(|scope| {
            let value = scope.value(value)?;
            Ok(self.hold(value))
        })
    }

    /// Ends the VM, as dropping it does; how a process would end that ran this program.
    pub fn finish(self) -> ExitStatus {
        self.end()
    }

    fn end(&self) -> ExitStatus {
        let Some(mut session) = self.session.borrow_mut().take() else { return ExitStatus::Code(0) };
        session.ec.wake();
        self.watch.iter().for_each(Watch::begin);
        let status = session.end(Ended::normally());
        self.watch.iter().for_each(|watch| {
            watch.end();
        });
        status
    }
}

impl Drop for Vm {
    fn drop(&mut self) {
        self.end();
    }
}

impl fmt::Debug for Vm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Vm")
    }
}

fn function(ec: &mut Ec, name: &str, args: &[Value]) -> Res {
    let main = ec.vm().root(Root::MainObject);
    ec.call(main, intern(name), args)
}

/// An object of a VM, kept alive by the handle. The handle cannot outlive the VM.
///
/// ```compile_fail
/// let object = {
///     let vm = asterism::Vm::builder().build().expect("a VM");
///     vm.eval("1").unwrap()
/// };
/// ```
pub struct Object<'vm> {
    vm: &'vm Vm,
    number: u32,
}

impl<'vm> Object<'vm> {
    /// Its VM.
    pub fn vm(&self) -> &'vm Vm {
        self.vm
    }

    /// The object itself, for the thread that is in its VM.
    pub(crate) fn value(&self) -> Value {
        self.vm.handles.get(self.number)
    }

    /// Calls a public method of it.
    ///
    /// # Errors
    /// As [`Vm::call`]; NoMethodError for a private method too.
    pub fn call(&self, method: &str, arguments: impl Arguments<'vm>) -> Result<Object<'vm>, Error> {
        self.vm.visit(|scope| scope.send(self.value(), method, arguments, CallKind::Public))
    }

    /// What it is in Rust.
    ///
    /// # Errors
    /// `Error::Conversion` if it is something else; `Error::Killed` and `Error::TimeLimit` if the VM takes no call any
    /// more.
    pub fn to<T: FromRuby<'vm>>(&self) -> Result<T, Error> {
        self.vm.visit(|scope| scope.convert(self.value()))
    }

    /// What `inspect` says.
    ///
    /// # Errors
    /// `Error::Exception` with what a Ruby-level `inspect` raises; `Error::Exit`, `Error::Killed`, `Error::TimeLimit`.
    pub fn inspect(&self) -> Result<String, Error> {
        self.vm.visit(|scope| {
            let text = scope.ec.inspect_for_error(self.value());
            scope.ok(text).map(|text| String::from_utf8_lossy(&text).into_owned())
        })
    }

    /// What `to_s` says.
    ///
    /// # Errors
    /// `Error::Exception` with what a Ruby-level `to_s` raises; `Error::Exit`, `Error::Killed`, `Error::TimeLimit`.
    pub fn to_s(&self) -> Result<String, Error> {
        self.vm.visit(|scope| {
            let text = scope.ec.to_s(self.value());
            let text = scope.ok(text)?;
            Ok(string::to_string_lossy(scope.ec, text))
        })
    }

    /// The name of its class.
    ///
    /// # Errors
    /// `Error::TimeLimit` if the VM has no time left, `Error::Killed` if it has ended.
    pub fn class_name(&self) -> Result<String, Error> {
        self.vm.visit(|scope| Ok(scope.ec.class_name_of(self.value())))
    }

    /// Is it nil?
    pub fn is_nil(&self) -> bool {
        self.value().is_nil()
    }

    /// Is it neither nil nor false?
    pub fn is_truthy(&self) -> bool {
        self.value().truthy()
    }

    /// Are both the same object?
    pub fn is_same(&self, other: &Object<'_>) -> bool {
        Arc::ptr_eq(&self.vm.handles, &other.vm.handles) && self.value() == other.value()
    }
}

impl Clone for Object<'_> {
    fn clone(&self) -> Self {
        // The first handle keeps the object alive meanwhile.
        self.vm.hold(self.value())
    }
}

impl Drop for Object<'_> {
    fn drop(&mut self) {
        self.vm.handles.release(self.number);
    }
}

impl fmt::Debug for Object<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Object")
    }
}

impl<'vm> Scope<'_, 'vm> {
    /// A result of the VM's.
    pub(crate) fn ok<R>(&mut self, result: Res<R>) -> Result<R, Error> {
        result.map_err(|_| Error::pending(self.ec))
    }

    fn send(
        &mut self,
        receiver: Value,
        method: &str,
        arguments: impl Arguments<'vm>,
        kind: CallKind,
    ) -> Result<Object<'vm>, Error> {
        let list = self.ec.array(&[]);
        let list = self.ok(list)?;
        arguments.push_all(self, list)?;
        // The list is on this machine stack, and nobody else knows it.
        let slice = array::private_slice(&list);
        let done = self.ec.call_with(receiver, intern(method), &CallArgs::plain(&slice[..array::len(list)]), kind);
        asterism_heap::keep_alive(list.bits());
        let value = self.ok(done)?;
        Ok(self.vm.hold(value))
    }
}
