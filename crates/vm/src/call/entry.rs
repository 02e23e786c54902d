//! Calls from native code, which wait for the result.

use asterism_object::class::Class;
use asterism_object::{Sym, Value};
use asterism_symbol::sym;

use super::CallKind;
use crate::args::{CallArgs, Keywords};
use crate::block::Block;
use crate::ec::{Ec, Res};
use crate::frame::{Cont, state};
use crate::method::{Body, Method};
use crate::native::Args;

impl Ec {
    /// Calls a method from native code; private ones too.
    ///
    /// # Errors
    /// As [`Ec::call_with`].
    #[inline]
    pub fn call(&mut self, recv: Value, name: Sym, args: &[Value]) -> Res {
        self.call_with(recv, name, &CallArgs::plain(args), CallKind::Private)
    }

    /// Calls a public method.
    ///
    /// # Errors
    /// As [`Ec::call_with`].
    pub fn call_public(&mut self, recv: Value, name: Sym, args: &[Value]) -> Res {
        self.call_with(recv, name, &CallArgs::plain(args), CallKind::Public)
    }

    /// Calls a method with a block.
    ///
    /// # Errors
    /// As [`Ec::call_with`].
    pub fn call_block(&mut self, recv: Value, name: Sym, args: &[Value], block: Block) -> Res {
        let call = CallArgs { argv: args, keywords: Keywords::None, block };
        self.call_with(recv, name, &call, CallKind::Private)
    }

    /// Calls a method with all that a call can have.
    ///
    /// # Errors
    /// What the method raises; NoMethodError, or what a `method_missing` raises, if there is none that this kind of
    /// call may see; ArgumentError for arguments that do not fit; SystemStackError.
    pub fn call_with(&mut self, recv: Value, name: Sym, args: &CallArgs<'_>, kind: CallKind) -> Res {
        self.check_stack()?;
        if self.thread.is_traced()
            && let Some(native) = self.native_to_tell(recv, name)
        {
            return self.call_told(native, |ec| ec.call_untold(recv, name, args, kind));
        }
        self.call_untold(recv, name, args, kind)
    }

    /// As `call_with`; a tracer is not told.
    fn call_untold(&mut self, recv: Value, name: Sym, args: &CallArgs<'_>, kind: CallKind) -> Res {
        // What is called is not part of the leaf that calls, which goes on afterwards.
        let leaf = std::mem::replace(&mut self.fiber.leaf, Value::NULL);
        let class = self.class_of(recv);
        let result = match self.find_method(class, name).1 {
            Some(found) if self.may_call(recv, &found, kind) => self.call_found(recv, found.method, args),
            found => {
                let visibility = found.map(|f| f.visibility);
                let invoked = self.invoke_missing(recv, name, args, kind, visibility, state(0, Cont::Native, 0));
                invoked.and_then(|invoked| self.finish(invoked))
            }
        };
        self.fiber.leaf = leaf;
        result
    }

    /// Calls a method that may be called: most are written in Ruby.
    #[inline(always)]
    fn call_found(&mut self, recv: Value, method: Method, args: &CallArgs<'_>) -> Res {
        let state = state(0, Cont::Native, 0);
        if let Body::Ruby(iseq) = method.body() {
            self.push_method(recv, method, iseq, args, state)?;
            return crate::interp::execute(self);
        }
        let invoked = self.invoke(recv, method, args, state)?;
        self.finish(invoked)
    }

    /// Calls a method that was found.
    ///
    /// # Errors
    /// What the method raises; ArgumentError for arguments that do not fit; SystemStackError.
    pub fn call_method(&mut self, recv: Value, method: Method, args: &CallArgs<'_>) -> Res {
        self.check_stack()?;
        if self.thread.is_traced()
            && let Some(native) = self.told_as_native(recv, method)
        {
            return self.call_told(native, |ec| {
                let invoked = ec.invoke(recv, method, args, state(0, Cont::Native, 0))?;
                ec.finish(invoked)
            });
        }
        let invoked = self.invoke(recv, method, args, state(0, Cont::Native, 0))?;
        self.finish(invoked)
    }

    /// Yields to a block from native code.
    ///
    /// # Errors
    /// As [`Ec::yield_with`].
    #[inline]
    pub fn yield_block(&mut self, block: Block, args: &[Value]) -> Res {
        self.yield_with(block, &CallArgs::plain(args))
    }

    /// Yields one value.
    ///
    /// # Errors
    /// As [`Ec::yield_with`].
    #[inline]
    pub fn yield1(&mut self, block: Block, v: Value) -> Res {
        self.yield_with(block, &CallArgs::plain(&[v]))
    }

    /// Yields with all that a call can have.
    ///
    /// # Errors
    /// What the block raises; LocalJumpError if there is none; ArgumentError for arguments that a lambda does not take;
    /// SystemStackError.
    pub fn yield_with(&mut self, block: Block, args: &CallArgs<'_>) -> Res {
        self.check_stack()?;
        let leaf = std::mem::replace(&mut self.fiber.leaf, Value::NULL);
        let result = match self.invoke_block(block, args, state(0, Cont::Native, 0)) {
            Ok(invoked) => self.finish(invoked),
            Err(raised) => Err(raised),
        };
        self.fiber.leaf = leaf;
        result
    }

    /// Calls a Proc from native code.
    ///
    /// # Errors
    /// What the Proc raises; ArgumentError for arguments that a lambda does not take; SystemStackError.
    pub fn call_proc(&mut self, proc: Value, args: &CallArgs<'_>) -> Res {
        self.yield_with(Block::of_value(proc), args)
    }

    /// `Class#new` from native code: allocates and initializes.
    ///
    /// # Errors
    /// TypeError if the class cannot be instantiated; NoMemoryError; what `initialize` raises.
    pub fn new_instance(&mut self, class: Class, args: Args<'_>) -> Res {
        let object = self.allocate(class)?;
        let (argv, keywords) = args.split_keywords();
        let keywords = keywords.map_or(Keywords::None, Keywords::Hash);
        let call = CallArgs { argv, keywords, block: args.block().unwrap_or(Block::NONE) };
        self.call_with(object, sym::initialize, &call, CallKind::Private)?;
        Ok(object)
    }
}
