//! Calling: methods, blocks and natives, from the interpreter and from native code.
//!
//! Everything comes down to [`Ec::invoke`] and [`Ec::invoke_block`]. Native bodies run at once; Ruby bodies
//! get a frame, and whoever called goes on in the interpreter loop: the interpreter in the loop it is
//! already in, native code in a new one ([`crate::interp::execute`]).

use asterism_object::class::{Class, REFINEMENT};
use asterism_object::types::Type;
use asterism_object::{Sym, Value, array, ivars};
use asterism_symbol::sym;

use crate::args::{CallArgs, Keywords, bind};
use crate::basic_ops::{BasicOp, Classes};
use crate::block::{self, Block, Proc};
use crate::ec::{Ec, Raised, Res};
use crate::error::Exc;
use crate::frame::{self, Cont, Frame, HEADER_WORDS, NewFrame, state};
use crate::iseq::Iseq;
use crate::method::{Body, Found, Method, Visibility};
use crate::native::{Args, Arguments, NativeDef, Special};

mod entry;
mod invoked;
mod kind;

pub use invoked::Invoked;
pub use kind::CallKind;

/// The link of `class`'s chain at which `super` from `method` begins to look.
pub fn super_start(class: Class, method: Method) -> Option<Class> {
    let position = method.position();
    if position.is_include() {
        return position.superclass();
    }
    if position.flags() & REFINEMENT != 0 {
        // A refinement's method goes on with the refined class itself.
        let target = position.module();
        return class.chain().find(|l| l.delegate().0 == target && !l.is_origin());
    }
    let here = |link: &Class| {
        if link.is_include() { link.delegate() == position } else { *link == position && link.origin().is_none() }
    };
    match class.chain().find(here) {
        Some(link) => link.superclass(),
        // A module's method that was bound to an object without the module.
        None if position.is_module() => Some(class),
        None => position.origin().unwrap_or(position).superclass(),
    }
}

impl Ec {
    /// Where the next frame goes.
    #[inline(always)]
    fn top(&self) -> *mut u64 {
        // SAFETY: the current frame is active, and so is its code.
        unsafe {
            let regs = Frame::regs(self.fiber.frame);
            match (*self.fiber.frame).iseq.as_ref() {
                Some(iseq) => regs.add(usize::from(iseq.code.registers)).cast(),
                None => regs.cast(),
            }
        }
    }

    /// Pushes a frame; its registers are nil.
    ///
    /// # Errors
    /// SystemStackError.
    #[inline]
    pub fn push_frame(&mut self, new: NewFrame) -> Res<*mut Frame> {
        let top = self.top();
        // SAFETY: `iseq` is alive (a method, Proc or literal holds it).
        let registers = unsafe { (*new.iseq).registers as usize };
        let (mut top, mut state) = (top, new.state);
        if top.wrapping_add(HEADER_WORDS + registers) > self.fiber.stack_end {
            let flag;
            (top, flag) = self.more_stack(top, HEADER_WORDS + registers)?;
            state |= flag;
        }
        let frame = top.cast::<Frame>();
        // SAFETY: there is room for the header and the registers below `stack_end`.
        unsafe {
            let pc = (&*new.iseq).entry();
            frame.write(Frame::new(self.fiber.frame, pc, NewFrame { state, ..new }));
            let regs = Frame::regs(frame);
            for i in 0..registers {
                *regs.add(i) = Value::NIL;
            }
        }
        self.fiber.enter_frame(frame);
        Ok(frame)
    }

    /// `SystemStackError: stack level too deep`
    #[cold]
    pub fn stack_overflow(&mut self) -> Raised {
        self.raise(Exc::SystemStackError, "stack level too deep")
    }

    /// Raises SystemStackError if the machine stack is nearly used up, and counts what is used of it where memory is limited. At every
    /// entry into native code that may recurse.
    ///
    /// # Errors
    /// SystemStackError; NoMemoryError.
    #[inline]
    pub fn check_stack(&mut self) -> Res<()> {
        let here = 0u8;
        let here = std::ptr::from_ref(&here) as usize;
        if here < self.worker.machine_counted { self.more_machine_stack(here) } else { Ok(()) }
    }

    /// Runs a native method with its frame (unless it is a leaf).
    ///
    /// # Errors
    /// ArgumentError for a wrong number of arguments or an unknown keyword; SystemStackError; what the native method
    /// raises.
    #[inline]
    pub fn call_native(&mut self, def: &'static NativeDef, method: Method, recv: Value, args: Args<'_>) -> Res {
        if def.leaf && def.keywords.is_empty() && def.accepts(args.len()) {
            self.fiber.leaf = method.0;
            let result = (def.func)(self, recv, args);
            self.fiber.leaf = Value::NULL;
            return result;
        }
        self.call_native_framed(def, method, recv, args)
    }

    /// As `call_native`, always with a frame.
    ///
    /// # Errors
    /// As `call_native`.
    pub fn call_native_framed(&mut self, def: &'static NativeDef, method: Method, recv: Value, args: Args<'_>) -> Res {
        let mut top = self.top();
        self.check_stack()?;
        let mut flags = if args.has_keywords() { frame::KEYWORDS | frame::NATIVE } else { frame::NATIVE };
        // A native frame that begins below the end fits: that is what is kept free behind it.
        if top > self.fiber.stack_end {
            let flag;
            (top, flag) = self.more_stack(top, HEADER_WORDS)?;
            flags |= flag;
        }
        let caller = self.fiber.frame;
        let frame = top.cast::<Frame>();
        // SAFETY: there is room for the header; the caller's frame is active.
        unsafe {
            let new = NewFrame {
                iseq: std::ptr::null(),
                self_val: recv,
                method: method.0,
                block: args.block().unwrap_or(Block::NONE).0,
                cref: (*caller).cref,
                around: Value::NIL.bits(),
                state: state(0, Cont::Native, flags),
            };
            frame.write(Frame::new(caller, std::ptr::null(), new));
        }
        self.fiber.enter_frame(frame);
        let result = match self.check_native_args(def, args) {
            Ok(()) => (def.func)(self, recv, args),
            Err(raised) => Err(raised),
        };
        self.fiber.frame = caller;
        if flags & frame::CHUNKED != 0 {
            self.previous_chunk();
        }
        result
    }

    /// Pushes the frame of a method written in Ruby, whose code is `iseq`, with its parameters bound.
    ///
    /// # Errors
    /// ArgumentError; SystemStackError.
    #[inline(always)]
    fn push_method(
        &mut self,
        recv: Value,
        method: Method,
        iseq: *const Iseq,
        args: &CallArgs<'_>,
        state: u64,
    ) -> Res<()> {
        let frame = self.push_frame(NewFrame {
            iseq,
            self_val: recv,
            method: method.0,
            block: args.block.0,
            cref: method.cref(),
            around: Value::NIL.bits(),
            state,
        })?;
        // SAFETY: the method keeps its code alive.
        let simple = unsafe { (*iseq).simple };
        if simple as usize == args.argv.len() && args.keywords.is_empty() {
            for (i, v) in args.argv.iter().enumerate() {
                // SAFETY: parameters are the first registers.
                unsafe { *Frame::regs(frame).add(i) = *v };
            }
        // SAFETY: the frame was pushed a moment ago.
        } else if let Err(raised) = unsafe { bind(self, frame, args, true) } {
            // SAFETY: the same.
            unsafe { self.pop_frame(frame) };
            return Err(raised);
        }
        Ok(())
    }

    /// Invokes a method that was found. `state`: what the frame, if one is pushed, returns to.
    ///
    /// # Errors
    /// What a native method raises (one in Ruby is only pushed); ArgumentError for arguments that do not fit;
    /// SystemStackError, NoMemoryError; FrozenError by an attribute's writer; RuntimeError for a method by a Proc of
    /// another Ractor.
    pub fn invoke(&mut self, recv: Value, method: Method, args: &CallArgs<'_>, state: u64) -> Res<Invoked> {
        match method.body() {
            Body::Ruby(iseq) => self.push_method(recv, method, iseq, args, state).map(|()| Invoked::Pushed),
            Body::Unread(..) => {
                method.prepare(self)?;
                self.invoke(recv, method, args, state)
            }
            Body::Native(def) => {
                match (def.special, args.argv.first()) {
                    (Special::Switch(kind), _) => return self.push_switch(kind, recv, method, args, state),
                    // These two are as if the call were to what they call.
                    (Special::ProcCall, _) if recv.is_type(Type::Proc) => {
                        return self.invoke_block(Block::of_value(recv), args, state);
                    }
                    (Special::Send, Some(&name))
                        if !self.is_refined_here()
                            && let Some(name) = self.sent_name(name)? =>
                    {
                        let args = CallArgs { argv: &args.argv[1..], ..*args };
                        return self.invoke_named(recv, name, &args, CallKind::Private, state);
                    }
                    _ => {}
                }
                if args.keywords.is_empty() {
                    let native = &Arguments::with(args.argv, args.block, false);
                    return self.call_native(def, method, recv, native).map(Invoked::Done);
                }
                self.with_hash(args, |ec, native| ec.call_native(def, method, recv, native)).map(Invoked::Done)
            }
            Body::AttrReader(name) => {
                self.exact_arity(args, 0)?;
                let value = ivars::get(self, recv, name);
                self.check_ivar(recv, name, value)?;
                Ok(Invoked::Done(value.unwrap_or(Value::NIL)))
            }
            Body::AttrWriter(name) => {
                self.exact_arity(args, 1)?;
                let value = match args.argv.first() {
                    Some(v) => *v,
                    None => args.keywords.to_hash(self)?,
                };
                self.ivar_put(recv, name, value)?;
                Ok(Invoked::Done(value))
            }
            Body::Block(proc) => {
                let Some(proc) = Proc::from_value(proc) else {
                    return Err(self.fatal("define_method without a proc"));
                };
                if method.ractor() != self.ractor_id() && !proc.is_isolated() && !is_internal(proc) {
                    let message = "defined with an un-shareable Proc in a different Ractor";
                    return Err(self.raise(Exc::RuntimeError, message));
                }
                let cref = proc.cref();
                self.invoke_proc(proc, args, Some((recv, method.0, cref)), state, true)
            }
            Body::Undefined | Body::ZSuper => Err(self.fatal("invoked an undefined method")),
        }
    }

    /// The name that `send` is given as a Symbol, or as a String with the text of one that there is.
    ///
    /// # Errors
    /// None: neither of the two is converted, and no Symbol is made.
    pub(crate) fn sent_name(&mut self, name: Value) -> Res<Option<Sym>> {
        match name.as_sym() {
            None if name.is_type(Type::String) => self.known_sym(name),
            symbol => Ok(symbol),
        }
    }

    /// Are there refinements where the current frame calls from?
    pub(crate) fn is_refined_here(&self) -> bool {
        // SAFETY: the current frame is active.
        crate::refine::refined(unsafe { (*self.fiber.frame).cref }).is_some()
    }

    fn exact_arity(&mut self, args: &CallArgs<'_>, n: usize) -> Res<()> {
        let given = args.argv.len() + usize::from(!args.keywords.is_empty());
        if given == n { Ok(()) } else { Err(self.arity_error(given, n, Some(n))) }
    }

    /// Ends the current frame without a value.
    ///
    /// # Safety
    /// `frame` is that frame.
    #[inline]
    pub unsafe fn pop_frame(&mut self, frame: *mut Frame) {
        // SAFETY: the current frame is active, and its caller too.
        unsafe {
            if let Some(env) = (*frame).env() {
                env.frame_ended((*frame).has(crate::frame::LAMBDA));
            }
            self.fiber.frame = (*frame).prev;
            if (*frame).has(frame::CHUNKED) {
                self.previous_chunk();
            }
        }
    }

    /// Invokes a Proc, possibly with another self, method and nesting.
    ///
    /// # Errors
    /// ArgumentError for arguments that a lambda does not take, and for a Symbol's Proc without a receiver; what a
    /// Ruby-level `to_ary` of the argument raises; SystemStackError, NoMemoryError. What is not written in Ruby has
    /// run: what that raises.
    pub fn invoke_proc(
        &mut self,
        proc: Proc,
        args: &CallArgs<'_>,
        as_method: Option<(Value, Value, Value)>,
        state: u64,
        bmethod: bool,
    ) -> Res<Invoked> {
        if let Some(iseq) = proc.iseq() {
            let lambda = bmethod || proc.is_lambda();
            let (self_val, method, cref) = as_method.unwrap_or_else(|| (proc.self_val(), proc.method(), proc.cref()));
            let mut flags = frame::BLOCK;
            if lambda {
                flags |= frame::LAMBDA;
            }
            if bmethod {
                flags |= frame::BMETHOD;
            }
            if proc.flags() & block::RUBY2_KEYWORDS != 0 {
                flags |= frame::RUBY2_KEYWORDS;
            }
            return self.push_block(
                NewFrame {
                    iseq,
                    self_val,
                    method,
                    block: proc.block().0,
                    cref,
                    around: proc.env().bits(),
                    state: state | flags,
                },
                args,
                lambda,
            );
        }
        if proc.flags() & block::HANDS_OVER != 0 {
            return self.hand_over(proc, args, state, Value::NIL);
        }
        if let Some((body, data)) = proc.native_body() {
            self.check_stack()?;
            let result = if args.keywords.is_empty() {
                body(self, data, &Arguments::with(args.argv, args.block, false))
            } else {
                self.with_hash(args, |ec, native| body(ec, data, native))
            };
            return result.map(Invoked::Done);
        }
        if let Some(name) = proc.symbol() {
            return self.invoke_symbol(name, proc.cref(), args, state);
        }
        Err(self.fatal("a Proc without a body"))
    }

    /// Calls `native` with the keyword arguments as a Hash behind the others.
    ///
    /// # Errors
    /// Those of `native`; NoMemoryError.
    fn with_hash(&mut self, args: &CallArgs<'_>, native: impl FnOnce(&mut Ec, Args<'_>) -> Res) -> Res {
        let h = args.keywords.to_hash(self)?;
        let count = args.argv.len();
        let mut few = [Value::NIL; 8];
        if count < few.len() {
            few[..count].copy_from_slice(args.argv);
            few[count] = h;
            return native(self, &Arguments::with(&few[..=count], args.block, true));
        }
        let all = self.array(args.argv)?;
        self.array_push(all, h)?;
        let result = native(self, &Arguments::with(array::private_slice(&all), args.block, true));
        asterism_heap::keep_alive(all.bits());
        result
    }

    /// Calls `name` on the first of what was yielded, or on a Hash of the keywords where there is nothing else. With refinements in force
    /// (`cref`) visibility does not matter, without them no caller counts as one of the receiver's kind.
    fn invoke_symbol(&mut self, name: Sym, cref: Value, args: &CallArgs<'_>, state: u64) -> Res<Invoked> {
        let Some((&recv, rest)) = args.argv.split_first() else {
            return self.invoke_symbol_on_keywords(name, cref, args, state);
        };
        if let Some(cref) = crate::refine::refined(cref) {
            let class = self.class_of(recv);
            if let (_, Some(found)) = self.find_refined(class, name, cref) {
                return self.invoke(recv, found.method, &CallArgs { argv: rest, ..*args }, state);
            }
        }
        self.invoke_named(recv, name, &CallArgs { argv: rest, ..*args }, CallKind::Sent, state)
    }

    #[cold]
    #[inline(never)]
    fn invoke_symbol_on_keywords(&mut self, name: Sym, cref: Value, args: &CallArgs<'_>, state: u64) -> Res<Invoked> {
        if args.keywords.is_empty() {
            return Err(self.arg_error("no receiver given"));
        }
        let argv = [args.keywords.to_hash(self)?];
        self.invoke_symbol(name, cref, &CallArgs { argv: &argv, keywords: Keywords::None, ..*args }, state)
    }

    /// Pushes a block's frame and binds its parameters.
    #[inline]
    fn push_block(&mut self, new: NewFrame, args: &CallArgs<'_>, strict: bool) -> Res<Invoked> {
        // SAFETY: the code is alive: a Proc or an active frame's literal.
        let iseq = unsafe { &*new.iseq };
        let params = &iseq.code.params;
        let frame = self.push_frame(new)?;
        let required = usize::from(params.required);
        let n = args.argv.len();
        let plain = iseq.simple != u32::MAX && args.keywords.is_empty();
        let as_given = if strict { n == required } else { n != 1 || !params.auto_splat };
        if plain && as_given {
            for (i, v) in args.argv.iter().take(required).enumerate() {
                // SAFETY: parameters are the first registers.
                unsafe { *Frame::regs(frame).add(i) = *v };
            }
        } else if plain && !strict && args.argv[0].is_type(Type::Array) {
            // One Array for several parameters: its elements.
            for i in 0..required {
                // SAFETY: parameters are the first registers.
                unsafe { *Frame::regs(frame).add(i) = array::at(args.argv[0], i).unwrap_or(Value::NIL) };
            }
        } else if iseq.rest_only && args.keywords.is_empty() && args.argv.last().is_none_or(|v| !v.is_type(Type::Hash))
        {
            match iseq.rest_of(self, args.argv) {
                // SAFETY: the rest parameter is the first register; no scope has moved to the heap yet.
                Ok(rest) => unsafe { *Frame::regs(frame) = rest },
                Err(raised) => {
                    // SAFETY: the frame was pushed a moment ago.
                    unsafe { self.pop_frame(frame) };
                    return Err(raised);
                }
            }
        // SAFETY: the frame was pushed a moment ago.
        } else if let Err(raised) = unsafe { bind(self, frame, args, strict) } {
            // SAFETY: the same.
            unsafe { self.pop_frame(frame) };
            return Err(raised);
        }
        Ok(Invoked::Pushed)
    }

    /// Invokes a block.
    ///
    /// # Errors
    /// LocalJumpError if there is none; what it raises.
    #[inline]
    pub fn invoke_block(&mut self, block: Block, args: &CallArgs<'_>, state: u64) -> Res<Invoked> {
        if let Some(creator) = block.frame() {
            // SAFETY: a stack block's creator is active: its call with this block is under way.
            let new = unsafe {
                NewFrame {
                    iseq: (*creator).block_code,
                    self_val: (*creator).self_val,
                    method: (*creator).method,
                    block: (*creator).block,
                    cref: (*creator).cref,
                    around: block.0,
                    state: state | frame::BLOCK,
                }
            };
            if new.iseq.is_null() {
                return Err(self.fatal("block of a call that ended"));
            }
            return self.push_block(new, args, false);
        }
        match block.value() {
            None => Err(self.no_block()),
            Some(v) => match Proc::from_value(v) {
                Some(proc) => self.invoke_proc(proc, args, None, state, false),
                None => match v.as_sym() {
                    Some(name) => self.invoke_symbol(name, Value::NIL, args, state),
                    None => Err(self.fatal("block is no Proc")),
                },
            },
        }
    }

    /// Invokes a block with another self and nesting (`instance_eval` and its like).
    ///
    /// # Errors
    /// As [`Ec::yield_as_with`].
    pub fn yield_as(&mut self, block: Block, self_val: Value, cref: Value, args: &[Value]) -> Res {
        self.yield_as_with(block, self_val, cref, &CallArgs::plain(args))
    }

    /// As `yield_as`, with all that a call can have.
    ///
    /// # Errors
    /// What the block raises; LocalJumpError if there is none; SystemStackError, NoMemoryError.
    pub fn yield_as_with(&mut self, block: Block, self_val: Value, cref: Value, call: &CallArgs<'_>) -> Res {
        self.check_stack()?;
        let proc = self.block_to_proc(block)?;
        let Some(proc) = Proc::from_value(proc) else { return Err(self.no_block()) };
        let invoked = if proc.iseq().is_some() {
            let method = proc.method();
            let st = state(0, Cont::Native, frame::EVAL_CREF);
            self.invoke_proc(proc, call, Some((self_val, method, cref)), st, false)?
        } else if proc.symbol().is_some() {
            // `instance_eval(&:name)` passes the object already, `instance_exec(&:name)` does not.
            let all = self.array(call.argv)?;
            if call.argv.is_empty() {
                self.array_push(all, self_val)?;
            }
            let call = CallArgs { argv: array::private_slice(&all), ..*call };
            let invoked = self.invoke_proc(proc, &call, None, state(0, Cont::Native, 0), false)?;
            asterism_heap::keep_alive(all.bits());
            invoked
        } else {
            self.invoke_proc(proc, call, None, state(0, Cont::Native, 0), false)?
        };
        self.finish(invoked)
    }

    /// Runs what was pushed, for native callers.
    #[inline]
    fn finish(&mut self, invoked: Invoked) -> Res {
        match invoked {
            Invoked::Done(v) => Ok(v),
            Invoked::Pushed => crate::interp::execute(self),
        }
    }

    /// Finds and invokes method `name`, `method_missing` if there is none.
    ///
    /// # Errors
    /// NoMethodError; what it raises.
    pub fn invoke_named(
        &mut self,
        recv: Value,
        name: Sym,
        args: &CallArgs<'_>,
        kind: CallKind,
        state: u64,
    ) -> Res<Invoked> {
        let class = self.class_of(recv);
        match self.find_method(class, name).1 {
            Some(found) if self.may_call(recv, &found, kind) => self.invoke(recv, found.method, args, state),
            found => self.invoke_missing(recv, name, args, kind, found.map(|f| f.visibility), state),
        }
    }

    /// May this call see the method?
    #[inline]
    pub fn may_call(&self, recv: Value, found: &Found, kind: CallKind) -> bool {
        match found.visibility {
            Visibility::Public => true,
            Visibility::Private => !matches!(kind, CallKind::Public | CallKind::Sent),
            Visibility::Protected if kind == CallKind::Sent => false,
            Visibility::Protected => {
                kind != CallKind::Public || {
                    // SAFETY: the frame is active.
                    let caller = unsafe { (*self.fiber.ruby_frame()).self_val };
                    let _ = recv;
                    self.is_kind_of(caller, found.method.owner().0)
                }
            }
        }
    }

    /// A block argument (`&x`) as a block.
    ///
    /// # Errors
    /// TypeError if it is no Proc and cannot become one.
    pub fn block_argument(&mut self, v: Value) -> Res<Block> {
        if v.is_nil() {
            return Ok(Block::NONE);
        }
        if v.is_type(Type::Proc) || v.is_sym() && self.vm().basic_ops.intact(BasicOp::TO_PROC, Classes::SYMBOL) {
            return Ok(Block::of_value(v));
        }
        let Some(made) = self.call_if_known(v, sym::to_proc, &[])? else {
            let name = self.class_name_of(v);
            return Err(self.type_error(format!("no implicit conversion of {name} into Proc")));
        };
        if made.is_type(Type::Proc) {
            return Ok(Block::of_value(made));
        }
        let got = self.class_name_of(made);
        Err(self.conversion_mismatch(v, "Proc", sym::to_proc, &got))
    }

    /// The method `super` calls from `frame`, and its name.
    ///
    /// # Safety
    /// `frame` is active on this Ec.
    ///
    /// # Errors
    /// RuntimeError outside of a method.
    pub unsafe fn super_method(&mut self, frame: *mut Frame) -> Res<(Sym, Option<Found>)> {
        // SAFETY: as demanded.
        let (method, self_val) = unsafe { ((*frame).method, (*frame).self_val) };
        let Some(method) = Method::from_value(method) else {
            return Err(self.raise(Exc::RuntimeError, "super called outside of method"));
        };
        let name = method.original_name();
        let class = self.class_of(self_val);
        // `instance_eval` may have given the block another self.
        let owner = method.owner();
        // Of a module's method the object that it was called on tells the class.
        // SAFETY: as demanded.
        let home = match unsafe { self.home_frame(frame) } {
            // SAFETY: a frame that is found is active.
            Some(home) if owner.is_module() => unsafe { (*home).self_val },
            _ => Value::UNDEF,
        };
        let owner = if home.is_undef() || home == self_val { owner } else { self.real_class_of(home) };
        if !owner.is_module() && owner.flags() & REFINEMENT == 0 && !class.inherits_from(owner) {
            let shown = self.inspect_for_error(self_val)?;
            let expected = self.to_s(owner.0)?;
            let expected = asterism_object::string::to_vec(self, expected);
            let message = [
                b"self has wrong type to call super in this context: ",
                &shown[..],
                b" (expected an object of ",
                &expected[..],
                b")",
            ];
            return Err(self.type_error(message.concat()));
        }
        let start = super_start(class, method);
        // SAFETY: as above.
        let cref = unsafe { (*frame).cref };
        let mut found = match crate::refine::refined(cref) {
            Some(cref) => crate::refine::lookup(self, start, name, cref, Some(method)),
            None => crate::method::lookup_from(self, start, name),
        };
        if let Some(f) = &mut found
            && f.defined_class.is_include()
            && class.chain().take_while(|l| *l != f.defined_class).any(|l| l.delegate() == f.defined_class.delegate())
        {
            f.method = f.method.positioned(self, f.defined_class)?;
        }
        Ok((name, found))
    }

    /// Does the method cell mark its rest parameter with `ruby2_keywords`?
    pub fn has_ruby2_keywords(&self, method: Value) -> bool {
        Method::from_value(method).is_some_and(|m| m.is_ruby2_keywords())
    }
}

/// Is it of the library's own code, whose methods are for all Ractors?
fn is_internal(proc: Proc) -> bool {
    proc.iseq().is_some_and(|iseq| {
        // SAFETY: the Proc keeps its code alive.
        let iseq = unsafe { &*iseq };
        iseq.code.internal
    })
}
