//! Raising: what unwinds, the exception classes the VM knows, and the error functions of [`Ec`].

use std::sync::Arc;

use asterism_heap::Reason;
use asterism_object::error::ObjError;
use asterism_object::types::Type;
use asterism_object::{Sym, Value, ivars};
use asterism_symbol::sym;

pub use crate::ec::Pending;
use crate::ec::{Ec, Raised, Res};
use crate::frame::Frame;
pub use class::Exc;

mod class;

impl Ec {
    /// The exception class.
    pub fn exc_class(&self, which: Exc) -> Value {
        self.vm().exception_class(which)
    }

    /// Lets `exception` (an Exception object) unwind. Its backtrace is set here unless it has one.
    pub fn raise_exception(&mut self, exception: Value) -> Raised {
        crate::backtrace::attach(self, exception);
        self.thread.pending = Pending::Exception(exception);
        Raised(())
    }

    /// Lets anything unwind.
    pub fn unwind_with(&mut self, pending: Pending) -> Raised {
        self.thread.pending = pending;
        Raised(())
    }

    /// Raises a new exception of a well-known class.
    pub fn raise(&mut self, class: Exc, message: impl AsRef<[u8]>) -> Raised {
        let class = self.exc_class(class);
        self.raise_class(class, message.as_ref())
    }

    /// Raises a new exception of `class` with `message`, without running a Ruby-level `initialize`.
    pub fn raise_class(&mut self, class: Value, message: &[u8]) -> Raised {
        match self.new_exception(class, message) {
            Ok(exception) => self.raise_exception(exception),
            Err(raised) => raised,
        }
    }

    /// A new exception of a well-known class.
    ///
    /// # Errors
    /// NoMemoryError.
    pub fn new_exception(&mut self, class: Value, message: &[u8]) -> Res {
        let message = self.str(message)?;
        self.new_exception_value(class, message)
    }

    /// A new exception with `message` (any object) as what `new` was given.
    ///
    /// # Errors
    /// NoMemoryError.
    pub fn new_exception_value(&mut self, class: Value, message: Value) -> Res {
        let exception = self.new_object(class)?;
        self.ivar_put(exception, sym::message_ivar, message)?;
        Ok(exception)
    }

    /// Sets an instance variable on an object of the VM's own making.
    ///
    /// # Errors
    /// NoMemoryError, FrozenError.
    pub fn ivar_put(&mut self, object: Value, name: Sym, value: Value) -> Res<()> {
        if self.is_restricted() {
            self.check_new_ivar(object, name)?;
        }
        if object.is_type(Type::String) {
            self.check_frozen(object)?;
        }
        let done = ivars::set(self, object, name, value);
        self.check(object, done)
    }

    /// Turns an object operation's error into an exception; `object` is what was operated on.
    ///
    /// # Errors
    /// FrozenError; NoMemoryError; ArgumentError for a size that is too big; RuntimeError for a new key during an
    /// iteration and for a String that is lent; IndexError. What a Ruby-level `inspect` raises, which FrozenError
    /// shows.
    #[inline]
    pub fn check<T>(&mut self, object: Value, result: Result<T, ObjError>) -> Res<T> {
        match result {
            Ok(v) => Ok(v),
            Err(e) => Err(self.object_error(object, e)),
        }
    }

    /// The exception for an object operation's error.
    #[cold]
    pub fn object_error(&mut self, object: Value, error: ObjError) -> Raised {
        match error {
            ObjError::Frozen => self.frozen_error(object),
            ObjError::NoMemory => self.no_memory(),
            ObjError::TooBig(message) => self.raise(Exc::ArgumentError, message),
            ObjError::Lent => self.raise(Exc::RuntimeError, "can't modify string; temporarily locked"),
            ObjError::Iterating => self.raise(Exc::RuntimeError, "can't add a new key into hash during iteration"),
            ObjError::Index => self.raise(Exc::IndexError, "index out of range"),
        }
    }

    /// `FrozenError: can't modify frozen Foo: #<Foo>`
    #[cold]
    pub fn frozen_error(&mut self, object: Value) -> Raised {
        let class = match self.class_text_of(object) {
            Ok(s) => s,
            Err(raised) => return raised,
        };
        // An `inspect` that changes its object comes here again.
        let shown = if object.is_heap() && self.thread.telling_frozen == object {
            b" ...".to_vec()
        } else {
            let outer = std::mem::replace(&mut self.thread.telling_frozen, object);
            let shown = self.inspect_for_error(object);
            self.thread.telling_frozen = outer;
            match shown {
                Ok(s) => s,
                Err(raised) => return raised,
            }
        };
        let exc = self.exc_class(Exc::FrozenError);
        let message = [b"can't modify frozen ", class.as_bytes(), b": ", &shown].concat();
        match self.new_exception(exc, &message) {
            Ok(e) => match self.ivar_put(e, sym::receiver, object) {
                Ok(()) => self.raise_exception(e),
                Err(raised) => raised,
            },
            Err(raised) => raised,
        }
    }

    /// NoMemoryError. The exception exists since the VM started, for want of memory to make one.
    #[cold]
    pub fn no_memory(&mut self) -> Raised {
        let exception = self.vm().no_memory_error();
        self.thread.pending = Pending::Exception(exception);
        self.heap().grant_some();
        Raised(())
    }

    /// To be called before what takes memory of no heap, and cannot be refused any, if it can be done again and again.
    ///
    /// # Errors
    /// NoMemoryError if the system has no memory left, even when what is dead has been collected.
    #[inline]
    pub fn ensure_memory(&mut self) -> Res<()> {
        if self.heap().is_short() { self.recover_memory() } else { Ok(()) }
    }

    #[cold]
    fn recover_memory(&mut self) -> Res<()> {
        let heap = Arc::clone(self.heap());
        heap.collect(self, Reason::Memory);
        if heap.is_short() { Err(self.no_memory()) } else { Ok(()) }
    }

    /// `ArgumentError: message`
    #[cold]
    pub fn arg_error(&mut self, message: impl AsRef<[u8]>) -> Raised {
        self.raise(Exc::ArgumentError, message)
    }

    /// `TypeError: message`
    #[cold]
    pub fn type_error(&mut self, message: impl AsRef<[u8]>) -> Raised {
        self.raise(Exc::TypeError, message)
    }

    /// `RangeError: message`
    #[cold]
    pub fn range_error(&mut self, message: impl AsRef<[u8]>) -> Raised {
        self.raise(Exc::RangeError, message)
    }

    /// `IndexError: message`
    #[cold]
    pub fn index_error(&mut self, message: impl AsRef<[u8]>) -> Raised {
        self.raise(Exc::IndexError, message)
    }

    /// `ZeroDivisionError: divided by 0`
    #[cold]
    pub fn zero_div(&mut self) -> Raised {
        self.raise(Exc::ZeroDivisionError, "divided by 0")
    }

    /// `NotImplementedError: message`: something Ruby has and this implementation does not have yet.
    #[cold]
    pub fn not_implemented(&mut self, message: impl AsRef<[u8]>) -> Raised {
        self.raise(Exc::NotImplementedError, message)
    }

    /// NotImplementedError for the method under way, in CRuby's words.
    #[cold]
    pub fn unimplemented_method(&mut self) -> Raised {
        let name = self.fiber.method_name().map_or_else(String::new, |name| name.text().into_owned());
        self.not_implemented(format!("{name}() function is unimplemented on this machine"))
    }

    /// A state the implementation itself should never be in; better an exception than a crash.
    #[cold]
    pub fn fatal(&mut self, message: &str) -> Raised {
        self.raise(Exc::Exception, format!("[BUG] {message}"))
    }

    /// `KeyError` with receiver and key.
    #[cold]
    pub fn key_error(&mut self, message: impl AsRef<[u8]>, receiver: Value, key: Value) -> Raised {
        let class = self.exc_class(Exc::KeyError);
        let made = (|| {
            let e = self.new_exception(class, message.as_ref())?;
            self.ivar_put(e, sym::receiver, receiver)?;
            self.ivar_put(e, sym::key, key)?;
            Ok(e)
        })();
        match made {
            Ok(e) => self.raise_exception(e),
            Err(raised) => raised,
        }
    }

    /// `NameError` (or a subclass) with name and receiver.
    #[cold]
    pub fn name_error(&mut self, class: Exc, message: impl AsRef<[u8]>, receiver: Value, name: Sym) -> Raised {
        let class = self.exc_class(class);
        let made = (|| {
            let e = self.new_exception(class, message.as_ref())?;
            self.ivar_put(e, sym::receiver, receiver)?;
            self.ivar_put(e, sym::name, Value::sym(name))?;
            Ok(e)
        })();
        match made {
            Ok(e) => self.raise_exception(e),
            Err(raised) => raised,
        }
    }

    /// `wrong number of arguments (given 1, expected 2..3)`
    #[cold]
    pub fn arity_error(&mut self, given: usize, min: usize, max: Option<usize>) -> Raised {
        let expected = match max {
            Some(max) if max == min => format!("{min}"),
            Some(max) => format!("{min}..{max}"),
            None => format!("{min}+"),
        };
        self.arg_error(format!("wrong number of arguments (given {given}, expected {expected})"))
    }

    /// `LocalJumpError: no block given (yield)`
    #[cold]
    pub fn no_block(&mut self) -> Raised {
        self.local_jump_error("no block given (yield)", "noreason", Value::NIL)
    }

    /// `LocalJumpError` with the reason and the value that was to be handed over.
    #[cold]
    pub fn local_jump_error(&mut self, message: &str, reason: &str, value: Value) -> Raised {
        let class = self.exc_class(Exc::LocalJumpError);
        let made = (|| {
            let e = self.new_exception(class, message.as_bytes())?;
            self.ivar_put(e, sym::reason, Value::sym(asterism_symbol::intern(reason)))?;
            self.ivar_put(e, sym::exit_value, value)?;
            Ok(e)
        })();
        match made {
            Ok(e) => self.raise_exception(e),
            Err(raised) => raised,
        }
    }

    /// `no implicit conversion of Foo into Bar`
    #[cold]
    pub fn no_conversion(&mut self, object: Value, target: &str) -> Raised {
        let name = self.describe_for_conversion(object);
        self.type_error(format!("no implicit conversion of {name} into {target}"))
    }

    /// `can't convert Foo to Bar (Foo#to_bar gives Baz)`: `method` of `object` returned what is named `got`.
    #[cold]
    pub fn conversion_mismatch(&mut self, object: Value, target: &str, method: Sym, got: &str) -> Raised {
        let (from, method) = (self.class_name_of(object), method.text());
        self.type_error(format!("can't convert {from} to {target} ({from}#{method} gives {got})"))
    }

    /// How conversion errors name an object: `nil`, `true`, `false` or its class.
    pub fn describe_for_conversion(&mut self, object: Value) -> String {
        match object {
            Value::NIL => "nil".into(),
            Value::TRUE => "true".into(),
            Value::FALSE => "false".into(),
            _ => self.class_name_of(object),
        }
    }

    /// Takes what unwinds, to handle it.
    pub fn take_pending(&mut self) -> Pending {
        std::mem::replace(&mut self.thread.pending, Pending::Nothing)
    }

    /// The exception that unwinds, if it is one.
    pub fn pending_exception(&self) -> Option<Value> {
        match self.thread.pending {
            Pending::Exception(e) => Some(e),
            _ => None,
        }
    }

    /// Runs `body`; if it raises an exception of `class`, that is caught and returned as `Ok(Err(exception))`.
    ///
    /// # Errors
    /// What else `body` raises, and what is no exception: a `throw`, a `break`, a kill.
    pub fn rescue<T>(&mut self, class: Value, body: impl FnOnce(&mut Ec) -> Res<T>) -> Res<Result<T, Value>> {
        let saved = self.fiber.frame;
        let errinfo = self.fiber.errinfo;
        match body(self) {
            Ok(v) => Ok(Ok(v)),
            Err(raised) => match self.pending_exception() {
                Some(e) if self.is_kind_of(e, class) => {
                    self.fiber.frame = saved;
                    self.fiber.errinfo = errinfo;
                    self.thread.pending = Pending::Nothing;
                    Ok(Err(e))
                }
                _ => Err(raised),
            },
        }
    }

    /// The token for what unwinds, as an ensure handler keeps it in a register.
    ///
    /// # Errors
    /// NoMemoryError.
    pub fn pending_token(&mut self) -> Res {
        let (kind, a, b) = match self.take_pending() {
            Pending::Exception(e) => return Ok(e),
            Pending::Nothing | Pending::Home(_) => (0, 0, Value::NIL),
            Pending::Break(frame, v) => (1, frame as u64, v),
            Pending::Return(frame, v) => (2, frame as u64, v),
            Pending::Throw(tag, v) => (3, tag.bits(), v),
            Pending::Kill => (4, 0, Value::NIL),
        };
        let cell = self.alloc_cell(Type::Unwind, 3, Value::NULL, false)?;
        for (i, word) in [kind, a, b.bits()].into_iter().enumerate() {
            // SAFETY: the cell was just made with three payload words.
            unsafe { (*cell.ptr::<asterism_heap::Cell>()).word(i) }.store(word, std::sync::atomic::Ordering::Relaxed);
        }
        Ok(cell)
    }

    /// Goes on unwinding with what `pending_token` gave.
    pub fn rethrow(&mut self, token: Value) -> Raised {
        self.thread.pending = if token.is_type(Type::Unwind) {
            // SAFETY: an Unwind cell has three payload words.
            let word =
                |i| unsafe { (*token.ptr::<asterism_heap::Cell>()).word(i).load(std::sync::atomic::Ordering::Relaxed) };
            // SAFETY: `pending_token` put a value there.
            let value = unsafe { Value::from_bits(word(2)) };
            match word(0) {
                1 => Pending::Break(word(1) as *mut Frame, value),
                2 => Pending::Return(word(1) as *mut Frame, value),
                // SAFETY: for this kind, `pending_token` put the tag there.
                3 => Pending::Throw(unsafe { Value::from_bits(word(1)) }, value),
                4 => Pending::Kill,
                _ => Pending::Nothing,
            }
        } else {
            Pending::Exception(token)
        };
        Raised(())
    }
}
