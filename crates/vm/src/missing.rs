//! Calls that find no method: `method_missing`, and the exceptions that say so.

use asterism_object::class::Class;
use asterism_object::types::Type;
use asterism_object::{Sym, Value, array};
use asterism_symbol::sym;

use crate::args::CallArgs;
use crate::block::{Block, Env};
use crate::call::{CallKind, Invoked};
use crate::ec::{Ec, Raised, Res};
use crate::error::Exc;
use crate::frame;
use crate::iseq::Iseq;
use crate::method::Visibility;

/// Where a NameError keeps the names of locals in the scopes around.
pub const LOCALS_AROUND: &str = "__locals_around";

impl Ec {
    /// Calls `method_missing`.
    ///
    /// # Errors
    /// NoMethodError or NameError; what it raises.
    #[cold]
    pub fn invoke_missing(
        &mut self,
        recv: Value,
        name: Sym,
        args: &CallArgs<'_>,
        kind: CallKind,
        hidden: Option<Visibility>,
        state: u64,
    ) -> Res<Invoked> {
        let class = self.class_of(recv);
        let missing = self.find_method(class, sym::method_missing).1;
        self.thread.missing_kind = kind;
        match missing {
            Some(found) if !found.method.is_native_of_core() => {
                let all = self.array(&[Value::sym(name)])?;
                for v in args.argv {
                    self.array_push(all, *v)?;
                }
                let call = CallArgs { argv: array::private_slice(&all), ..*args };
                let invoked = self.invoke(recv, found.method, &call, state);
                asterism_heap::keep_alive(all.bits());
                invoked
            }
            None if name == sym::method_missing && args.argv.is_empty() => Err(self.arg_error("no method name given")),
            _ if self.thread.is_traced()
                && let Some(native) = self.native_to_tell(recv, sym::method_missing) =>
            {
                self.call_told(native, |ec| Err(ec.no_method_called(recv, name, args.argv, kind, hidden)))
                    .map(Invoked::Done)
            }
            _ => Err(self.no_method_called(recv, name, args.argv, kind, hidden)),
        }
    }

    /// Calls a method that the object may have, public or not; `None` if it has none. A `respond_to?` or `respond_to_missing?`
    /// of its own is asked first. If neither is there, a `method_missing` of its own may still know the method: its
    /// NoMethodError says that it does not, unless the object has claimed to respond.
    ///
    /// # Errors
    /// What the method raises, or a `respond_to?`, `respond_to_missing?` or `method_missing` of the object's own, but
    /// for that NoMethodError.
    pub fn call_if_known(&mut self, v: Value, name: Sym, argv: &[Value]) -> Res<Option<Value>> {
        let class = self.class_of(v);
        let own = |ec: &mut Ec, name| ec.find_method(class, name).1.is_some_and(|f| !f.method.is_core());
        let asked = own(self, sym::respond_to_p);
        if asked && !self.respond_to(v, name, true)? {
            return Ok(None);
        }
        if let Some(found) = self.find_method(class, name).1 {
            return if asked || found.answers(true) { self.call(v, name, argv).map(Some) } else { Ok(None) };
        }
        let promised = own(self, sym::respond_to_missing_p);
        if promised {
            let question = [Value::sym(name), Value::TRUE];
            if !self.call(v, sym::respond_to_missing_p, &question)?.truthy() {
                return Ok(None);
            }
        }
        if !own(self, sym::method_missing) {
            return Ok(None);
        }
        if asked || promised {
            return self.call(v, name, argv).map(Some);
        }
        let unknown = self.exc_class(Exc::NoMethodError);
        Ok(self.rescue(unknown, |ec| ec.call(v, name, argv))?.ok())
    }

    /// NoMethodError that knows the arguments of the call.
    #[cold]
    pub fn no_method_called(
        &mut self,
        recv: Value,
        name: Sym,
        argv: &[Value],
        kind: CallKind,
        hidden: Option<Visibility>,
    ) -> Raised {
        let raised = self.no_method(recv, name, kind, hidden);
        if kind == CallKind::Variable
            && let Some(e) = self.pending_exception()
            && let Err(raised) = self.note_locals_around(e)
        {
            return raised;
        }
        if kind != CallKind::Variable
            && let Some(e) = self.pending_exception()
        {
            let private = Value::bool(kind == CallKind::Private);
            let noted = self
                .array(argv)
                .and_then(|list| self.ivar_put(e, asterism_symbol::intern("args"), list))
                .and_then(|_| self.ivar_put(e, asterism_symbol::intern("private_call"), private));
            if let Err(raised) = noted {
                return raised;
            }
        }
        raised
    }

    /// Notes in a NameError which locals there are around the current frame's block.
    fn note_locals_around(&mut self, e: Value) -> Res<()> {
        let mut names = Vec::new();
        let mut add = |iseq: *const Iseq| {
            // SAFETY: a scope keeps its code alive, as an active Ruby frame does.
            names.extend(unsafe { &*iseq }.code.locals.iter().map(|local| Value::sym(local.name)));
        };
        let mut frame = self.fiber.ruby_frame();
        // SAFETY: the frame is active, and so are those of blocks whose scopes lie on the stack.
        let env = unsafe {
            loop {
                if !(*frame).has(frame::BLOCK | frame::EVAL) {
                    break None;
                }
                match Block((*frame).around()).frame() {
                    Some(outer) => frame = outer,
                    None => break Env::from_value(Value::from_bits((*frame).around())),
                }
                add((*frame).iseq);
            }
        };
        let scopes = std::iter::successors(env, |env| Env::from_value(env.parent()));
        scopes.filter_map(|env| Iseq::from_value(env.iseq())).for_each(&mut add);
        if names.is_empty() {
            return Ok(());
        }
        let list = self.array(&names)?;
        self.ivar_put(e, asterism_symbol::intern(LOCALS_AROUND), list)
    }

    /// NoMethodError (NameError for a bare name).
    #[cold]
    pub fn no_method(&mut self, recv: Value, name: Sym, kind: CallKind, hidden: Option<Visibility>) -> Raised {
        let shown = match recv {
            Value::NIL => "nil".to_string(),
            Value::TRUE => "true".to_string(),
            Value::FALSE => "false".to_string(),
            _ if recv == self.vm().root(crate::vm::Root::MainObject) => "main".to_string(),
            _ => match Class::from_value(recv) {
                Some(c) if c.is_module() => format!("module {}", self.own_name(c)),
                Some(c) => format!("class {}", self.own_name(c)),
                None if self.class_of(recv).is_singleton() => self.any_to_s(recv),
                None => {
                    let class = self.real_class_of(recv);
                    format!("an instance of {}", self.own_name(class))
                }
            },
        };
        let name_text = name.text();
        let (class, message) = match (kind, hidden) {
            (CallKind::Variable, _) => {
                (Exc::NameError, format!("undefined local variable or method '{name_text}' for {shown}"))
            }
            (CallKind::Super, _) => {
                (Exc::NoMethodError, format!("super: no superclass method '{name_text}' for {shown}"))
            }
            (_, Some(Visibility::Private)) => {
                (Exc::NoMethodError, format!("private method '{name_text}' called for {shown}"))
            }
            (_, Some(Visibility::Protected)) => {
                (Exc::NoMethodError, format!("protected method '{name_text}' called for {shown}"))
            }
            _ => (Exc::NoMethodError, format!("undefined method '{name_text}' for {shown}")),
        };
        self.name_error(class, message, recv, name)
    }

    /// The name of a class or module for a message: what a `name` method of its own says.
    fn own_name(&mut self, class: Class) -> String {
        let meta = self.class_of(class.0);
        let own = self.find_method(meta, sym::name).1.filter(|f| !f.method.is_native_of_core());
        if own.is_some() {
            let rescued = self.exc_class(Exc::StandardError);
            if let Ok(Ok(text)) = self.rescue(rescued, |ec| ec.call(class.0, sym::name, &[]))
                && text.is_type(Type::String)
            {
                return asterism_object::string::to_string_lossy(self, text);
            }
        }
        self.class_name(class)
    }
}
