//! Instructions that need no fast path in the loop: variables, definitions, patterns, jumps out of blocks.

use std::sync::atomic::Ordering;

use asterism_compiler::CodeKind;
use asterism_compiler::code::Mismatch;
use asterism_compiler::opcode::DefinedKind;
use asterism_heap::Cell;
use asterism_object::class::Class;
use asterism_object::space::WellKnown;
use asterism_object::types::Type;
use asterism_object::{Sym, Value, array, hash, ivars, string, symbol_table};
use asterism_symbol::sym;

use super::unwind::return_from;
use crate::block::{Block, Env};
use crate::ec::{Ec, Raised, Res};
use crate::error::{Exc, Pending};
use crate::frame::{self, Frame};
use crate::iseq::Iseq;
use crate::method::{Body, Method};

/// The block parameter of `frame`'s method, or of the block that `frame` runs.
///
/// # Safety
/// `frame` is the current Ruby frame.
pub unsafe fn block_param(ec: &mut Ec, frame: *mut Frame) -> Res {
    // SAFETY: see the function's contract.
    unsafe {
        let block = super::send::forwarded_block(frame);
        let proc = ec.block_to_proc(block)?;
        if (*frame).block == block.0 {
            (*frame).block = proc.bits();
        }
        Ok(proc)
    }
}

/// The class that class variables of the current code belong to.
fn cvar_base(ec: &mut Ec) -> Res<Class> {
    let mut cref = ec.cref();
    while cref.class().is_singleton()
        || cref.has(crate::consts::PUSHED_BY_EVAL | crate::consts::OF_OBJECT | crate::consts::NO_DEFINITIONS)
    {
        match cref.outer() {
            Some(outer) => cref = outer,
            None => break,
        }
    }
    if cref.outer().is_none() {
        return Err(ec.raise(Exc::RuntimeError, "class variable access from toplevel"));
    }
    Ok(cref.class())
}

impl Ec {
    /// The class or module among `class`'s ancestors that has class variable `name`.
    pub fn cvar_owner(&self, class: Class, name: Sym) -> Option<Class> {
        let mut found = None;
        for link in class.chain() {
            let part = link.delegate();
            if symbol_table::get(part.cvars(), name).is_some() {
                found = Some(part);
            }
        }
        if found.is_none() && class.is_singleton() {
            return Class::from_value(class.module()).and_then(|c| self.cvar_owner(c, name));
        }
        found
    }

    /// As `cvar_owner`, for an access: RuntimeError where an ancestor has got a variable of the same name since.
    fn cvar_home(&mut self, class: Class, name: Sym) -> Res<Option<Class>> {
        let Some(owner) = self.cvar_owner(class, name) else { return Ok(None) };
        let has = |c: &Class| symbol_table::get(c.cvars(), name).is_some();
        match class.chain().map(|c| c.delegate()).find(has) {
            Some(first) if first != owner => {
                let (first, owner) = (self.class_name(first), self.class_name(owner));
                let message = format!("class variable {} of {first} is overtaken by {owner}", name.text());
                Err(self.raise(Exc::RuntimeError, message))
            }
            _ => Ok(Some(owner)),
        }
    }

    /// A class variable's value.
    ///
    /// # Errors
    /// NameError if there is none.
    pub fn cvar_get(&mut self, class: Class, name: Sym) -> Res {
        if let Some(v) = self.cvar_home(class, name)?.and_then(|c| symbol_table::get(c.cvars(), name)) {
            return Ok(v);
        }
        let shown = self.class_name(class);
        let message = format!("uninitialized class variable {} in {shown}", name.text());
        Err(self.name_error(Exc::NameError, message, class.0, name))
    }

    /// Sets a class variable where it is, or in `class`.
    ///
    /// # Errors
    /// FrozenError, NoMemoryError.
    pub fn cvar_set(&mut self, class: Class, name: Sym, v: Value) -> Res<()> {
        let owner = self.cvar_home(class, name)?.unwrap_or(class);
        self.check_frozen(owner.0)?;
        self.with_class_lock(|ec| {
            if let Some(table) = ec.put_symbol(owner.cvars(), name, v)? {
                owner.set_cvars(table);
            }
            Ok(())
        })
    }

    /// A new String with the bytes of a String literal.
    ///
    /// # Errors
    /// NoMemoryError.
    #[inline]
    pub fn dup_literal(&mut self, literal: Value) -> Res {
        let copy = string::dup(self, literal);
        self.check(literal, copy)
    }

    /// Appends `src` to `dst`; their encodings must go together.
    ///
    /// # Errors
    /// Encoding::CompatibilityError; FrozenError; NoMemoryError.
    pub fn str_append(&mut self, dst: Value, src: Value) -> Res<()> {
        let (to, from) = (string::encoding(dst), string::encoding(src));
        if to == from || string::is_empty(src) || string::is_ascii_only(self, src) && ascii_compatible(to) {
            let done = string::append_str(self, dst, src);
            return self.check(dst, done);
        }
        if ascii_compatible(from) && string::is_ascii_only(self, dst) || string::is_empty(dst) {
            let done = string::append_str(self, dst, src);
            self.check(dst, done)?;
            let done = string::force_encoding(self, dst, from);
            return self.check(dst, done);
        }
        Err(self.incompatible_encodings(to, from))
    }

    /// `incompatible character encodings: UTF-8 and EUC-JP`
    #[cold]
    pub fn incompatible_encodings(&mut self, a: u8, b: u8) -> Raised {
        let shown = |e: u8| match asterism_support::encoding::Encoding::from_index(usize::from(e)) {
            Some(e) if e.name() == "ASCII-8BIT" => "BINARY (ASCII-8BIT)",
            Some(e) => e.name(),
            None => "?",
        };
        let message = format!("incompatible character encodings: {} and {}", shown(a), shown(b));
        let encoding = Class(self.class(WellKnown::Encoding));
        let class = self.own_constant(encoding, asterism_symbol::intern("CompatibilityError"));
        let class = class.unwrap_or_else(|| self.exc_class(Exc::EncodingError));
        self.raise_class(class, message.as_bytes())
    }
}

/// Do the encoding's ASCII characters have their ASCII bytes?
pub fn ascii_compatible(encoding: u8) -> bool {
    asterism_support::encoding::Encoding::from_index(usize::from(encoding)).is_some_and(|e| e.is_ascii_compatible())
}

/// `@@x`
pub fn get_cvar(ec: &mut Ec, name: Sym) -> Res {
    let class = cvar_base(ec)?;
    ec.cvar_get(class, name)
}

/// `@@x = v`
pub fn set_cvar(ec: &mut Ec, name: Sym, v: Value) -> Res<()> {
    let class = cvar_base(ec)?;
    ec.cvar_set(class, name, v)
}

/// `Scope::NAME = v`
pub fn set_const(ec: &mut Ec, scope: Value, name: Sym, v: Value) -> Res<()> {
    let scope = ec.scope_of_constant(scope)?;
    ec.check_frozen(scope.0)?;
    if let Some(old) = ec.own_constant(scope, name)
        && !crate::consts::is_autoload(old)
    {
        let object = ec.class(WellKnown::Object);
        let full = if scope.0 == object {
            name.text().into_owned()
        } else {
            format!("{}::{}", ec.class_name(scope), name.text())
        };
        crate::load::warn(ec, &format!("already initialized constant {full}"))?;
    }
    ec.set_constant(scope, name, v)?;
    hook(ec, scope.0, sym::const_added, Value::sym(name))
}

/// Calls a hook method if the user has defined one.
pub fn hook(ec: &mut Ec, recv: Value, name: Sym, arg: Value) -> Res<()> {
    let class = ec.class_of(recv);
    if let (_, Some(found)) = ec.find_method(class, name)
        && !matches!(found.method.body(), Body::Native(_))
    {
        ec.call(recv, name, &[arg])?;
    }
    Ok(())
}

/// Part `n` of `$~`.
pub fn backref_part(ec: &mut Ec, n: u32) -> Res {
    let backref = ec.backref();
    if backref.is_nil() {
        return Ok(Value::NIL);
    }
    (ec.vm().hooks.match_part)(ec, backref, n)
}

impl Ec {
    /// The frame whose `$~` is meant: that of the innermost method which is not the library's own Ruby code, since
    /// methods written in Ruby here set their caller's as native ones do.
    fn backref_frame(&self) -> *mut Frame {
        let mut frame = self.ruby_frame();
        // SAFETY: frames from the current one down to the bottom are active; a Ruby frame keeps its code alive.
        unsafe {
            while let Some(iseq) = (*frame).iseq.as_ref()
                && iseq.code.file.starts_with("<internal:")
            {
                // Of a block of the library it is who called the library, not an `each` in between that yields to it.
                frame = (*self.home_frame(frame).unwrap_or(frame)).prev;
                while (*frame).is_native() && !(*frame).prev.is_null() {
                    frame = (*frame).prev;
                }
            }
        }
        self.home_frame(frame).unwrap_or_else(|| self.outermost_frame(frame))
    }

    /// The frame of the outermost scope around `frame` that this fiber runs: the home method's has ended, or runs in
    /// another fiber.
    fn outermost_frame(&self, mut frame: *mut Frame) -> *mut Frame {
        // SAFETY: `frame` is active; creators on the stack are too, and an Env names its frame only while that is.
        unsafe {
            while (*frame).has(frame::BLOCK | frame::EVAL) {
                let outer = match Block((*frame).parent).frame() {
                    Some(outer) => Some(outer),
                    None => Env::from_value(Value::from_bits((*frame).parent)).and_then(|env| env.frame_on(self)),
                };
                match outer {
                    Some(outer) => frame = outer,
                    None => break,
                }
            }
        }
        frame
    }

    /// `$~` of the running method.
    pub fn backref(&self) -> Value {
        // SAFETY: the frame is active.
        unsafe { (*self.backref_frame()).backref }
    }

    /// Sets `$~` of the running method.
    pub fn set_backref(&mut self, v: Value) {
        // SAFETY: the frame is active.
        unsafe { (*self.backref_frame()).backref = v };
    }
}

/// Appends what `*v` stands for.
pub fn array_splat(ec: &mut Ec, target: Value, v: Value) -> Res<()> {
    let items = if v.is_type(Type::Array) {
        v
    } else {
        if v.is_nil() {
            return Ok(());
        }
        match ec.try_convert(v, sym::to_a, "Array", |x| x.is_type(Type::Array))? {
            Some(a) => a,
            None => return ec.array_push(target, v),
        }
    };
    let done = array::concat(ec, target, items);
    ec.check(target, done)
}

/// Adds registers `from..from + count` pairwise to a Hash the compiler made.
///
/// # Safety
/// They are registers of `frame`, the current one.
pub unsafe fn hash_append(ec: &mut Ec, h: Value, frame: *mut Frame, from: usize, count: usize) -> Res<()> {
    for i in (0..count).step_by(2) {
        // SAFETY: see the function's contract.
        let (key, v) = unsafe {
            let regs = Frame::regs(frame);
            (*regs.add(from + i), *regs.add(from + i + 1))
        };
        ec.hash_set(h, key, v)?;
    }
    Ok(())
}

/// Merges `**v`.
pub fn hash_merge(ec: &mut Ec, h: Value, v: Value) -> Res<()> {
    if v.is_nil() {
        return Ok(());
    }
    let other = ec.to_hash(v)?;
    let mut at = 0;
    let walk = hash::Walk::new(other);
    while let Some((next, key, value)) = walk.next(at) {
        at = next;
        ec.hash_set(h, key, value)?;
    }
    Ok(())
}

/// `low..high`
pub fn new_range(ec: &mut Ec, low: Value, high: Value, exclusive: bool) -> Res {
    let simple = |v: Value| v.is_fixnum() || v.is_nil();
    let known = low.is_nil() || high.is_nil() || simple(low) && simple(high);
    if !known {
        let order = ec.rescue(ec.class(WellKnown::StandardError), |ec| ec.call(low, sym::CMP, &[high]))?;
        if !matches!(order, Ok(v) if !v.is_nil()) {
            return Err(ec.arg_error("bad value for range"));
        }
    }
    ec.range(low, high, exclusive)
}

/// `to_s` of what interpolation meets most, without a call.
pub fn quick_to_s(ec: &mut Ec, v: Value) -> Res<Option<Value>> {
    if ec.vm().redefined.load(Ordering::Relaxed) {
        return Ok(None);
    }
    if let Some(n) = v.fixnum_value() {
        let mut buffer = [0u8; 20];
        return ec.str_enc(decimal(n, &mut buffer), asterism_symbol::US_ASCII).map(Some);
    }
    if let Some(s) = v.as_sym() {
        return ec.str_enc(s.bytes(), s.name().encoding).map(Some);
    }
    Ok(None)
}

/// `n` in decimal.
pub fn decimal(n: i64, buffer: &mut [u8; 20]) -> &[u8] {
    let mut at = buffer.len();
    let mut rest = n.unsigned_abs();
    loop {
        at -= 1;
        buffer[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    if n < 0 {
        at -= 1;
        buffer[at] = b'-';
    }
    &buffer[at..]
}

/// The Strings in `count` registers from `from`, joined.
///
/// # Safety
/// They are registers of `frame`, the current one.
pub unsafe fn concat(ec: &mut Ec, frame: *mut Frame, from: usize, count: usize) -> Res {
    // SAFETY: see the function's contract.
    let piece = |i: usize| unsafe { *Frame::regs(frame).add(from + i) };
    let mut total = 0usize;
    for i in 0..count {
        total = total.saturating_add(string::len(piece(i)));
    }
    let encoding = if count == 0 { asterism_symbol::UTF_8 } else { string::encoding(piece(0)) };
    let made = string::with_capacity(ec, total, encoding);
    let made = ec.check(Value::NIL, made)?;
    for i in 0..count {
        ec.str_append(made, piece(i))?;
    }
    // Text written in the source is UTF-8 even where all its parts happen to be ASCII.
    if string::encoding(made) == asterism_symbol::US_ASCII {
        for i in 0..count {
            let e = string::encoding(piece(i));
            if e != asterism_symbol::US_ASCII {
                let done = string::force_encoding(ec, made, e);
                ec.check(made, done)?;
                break;
            }
        }
    }
    Ok(made)
}

/// `string << string` whose encodings need no look at the text; false: not done, take the general way.
pub fn quick_append(ec: &mut Ec, dst: Value, src: Value) -> Res<bool> {
    if let Some(source) = src.cell()
        && string::append_own(ec, dst, source)
    {
        return Ok(true);
    }
    if !src.is_type(Type::String) || !string::appends_as_is(dst, src) {
        return Ok(false);
    }
    let done = string::append_str(ec, dst, src);
    ec.check(dst, done)?;
    Ok(true)
}

/// `Class === v` if that is the core's.
#[inline]
pub fn quick_class_match(ec: &mut Ec, class: Value, v: Value) -> Option<bool> {
    let meta = ec.class_of(class);
    match ec.find_method(meta, sym::EQQ).1 {
        Some(found) if matches!(found.method.body(), Body::Native(_)) => Some(ec.is_kind_of(v, class)),
        _ => None,
    }
}

/// A plain Hash's default, unless it is a proc.
pub fn plain_default(h: Value) -> Option<Value> {
    let (v, is_proc) = hash::default_of(h);
    if is_proc { None } else { Some(v) }
}

/// `defined?`
///
/// # Safety
/// `frame` is the current Ruby frame.
pub unsafe fn defined(ec: &mut Ec, frame: *mut Frame, kind: u8, recv: Value, literal: usize) -> Res {
    // SAFETY: see the function's contract; the kind was written from a `DefinedKind`.
    let (kind, self_val, block, cref) =
        unsafe { (std::mem::transmute::<u8, DefinedKind>(kind), (*frame).self_val, (*frame).block, (*frame).cref) };
    // SAFETY: as above.
    let name = || unsafe { (*(*frame).iseq).sym(literal) };
    let answer = match kind {
        DefinedKind::Ivar => ivars::defined(ec, self_val, name()).then_some("instance-variable"),
        DefinedKind::Global => ec.gvar_defined(name()).then_some("global-variable"),
        DefinedKind::Cvar => {
            // At top level there are none, which is no error to ask about.
            match ec.cref().lexical().outer() {
                None => None,
                Some(_) => {
                    let class = cvar_base(ec)?;
                    ec.cvar_owner(class, name()).map(|_| "class variable")
                }
            }
        }
        DefinedKind::Const => {
            let cref = if cref.is_heap() { crate::consts::Cref(cref) } else { ec.cref() };
            ec.lexical_constant_exists(cref, name())?.then_some("constant")
        }
        DefinedKind::ConstFrom => match Class::from_value(recv) {
            Some(scope) => ec.constant_defined_from(scope, name())?.then_some("constant"),
            None => None,
        },
        DefinedKind::Method => {
            let class = ec.class_of(recv);
            // SAFETY: see the function's contract.
            let found = unsafe { ec.find_method_in_frame(frame, class, name()) }.1;
            let visible = match found {
                Some(f) => ec.may_call(recv, &f, crate::call::CallKind::Public),
                None => ec.respond_to(recv, name(), false)?,
            };
            visible.then_some("method")
        }
        DefinedKind::Func => {
            let class = ec.class_of(self_val);
            // SAFETY: see the function's contract.
            let found = unsafe { ec.find_method_in_frame(frame, class, name()) }.1;
            let known = found.is_some() || ec.respond_to(self_val, name(), true)?;
            known.then_some("method")
        }
        DefinedKind::Yield => (block != Value::NIL.bits()).then_some("yield"),
        DefinedKind::Super => {
            // SAFETY: as above.
            let in_method = Method::from_value(unsafe { (*frame).method }).is_some();
            (in_method && ec.super_method(frame)?.1.is_some()).then_some("super")
        }
        DefinedKind::Backref => {
            let n = literal as u32;
            (!backref_part(ec, n)?.is_nil()).then_some("global-variable")
        }
    };
    match answer {
        Some(text) => {
            let s = ec.str_enc(text.as_bytes(), asterism_symbol::US_ASCII)?;
            ec.freeze(s)
        }
        None => Ok(Value::NIL),
    }
}

/// A primitive that does not exist: a mistake in the prelude.
#[cold]
pub fn unknown_primitive(ec: &mut Ec, name: Sym) -> Raised {
    ec.not_implemented(format!("primitive {}", name.text()))
}

/// `break`: `Ok(Some)`: it returned to native code; `Ok(None)`: it returned to a Ruby frame (a lambda's break).
///
/// # Safety
/// `frame` is the current Ruby frame with its pc saved.
pub unsafe fn break_from(ec: &mut Ec, frame: *mut Frame, v: Value) -> Res<Option<Value>> {
    // SAFETY: see the function's contract; a stack parent is active while its block's frame is.
    unsafe {
        if (*frame).has(frame::LAMBDA) {
            return return_from(ec, frame, v);
        }
        let code = (*frame).iseq;
        let creator = match Block((*frame).parent).frame() {
            Some(creator) => Some(creator),
            None => Env::from_value(Value::from_bits((*frame).parent))
                .and_then(|env| env.frame_on(ec))
                .filter(|&creator| (*creator).block_code == code),
        };
        match creator {
            Some(creator) => Err(ec.unwind_with(Pending::Break(creator, v))),
            None => Err(ec.local_jump_error("break from proc-closure", "break", v)),
        }
    }
}

/// `return` out of a block, or past ensure clauses.
///
/// # Safety
/// `frame` is the current Ruby frame with its pc saved.
pub unsafe fn return_far(ec: &mut Ec, frame: *mut Frame, v: Value) -> Raised {
    // SAFETY: see the function's contract.
    match unsafe { return_target(ec, frame) } {
        Some(target) => ec.unwind_with(Pending::Return(target, v)),
        None => ec.local_jump_error("unexpected return", "return", v),
    }
}

unsafe fn return_target(ec: &Ec, mut frame: *mut Frame) -> Option<*mut Frame> {
    // SAFETY: `frame` is active, and so are creators on the stack and frames an Env names on this Ec.
    unsafe {
        loop {
            // From `class << self` the method around returns.
            while (*frame).has(frame::CLASS) && Class::from_value((*frame).self_val).is_some_and(|c| c.is_singleton()) {
                frame = (*frame).prev;
            }
            if (*frame).has(frame::LAMBDA) || !(*frame).has(frame::BLOCK | frame::EVAL) {
                return Some(frame).filter(|_| !(*frame).has(frame::CLASS));
            }
            match Block((*frame).parent).frame() {
                Some(outer) => frame = outer,
                None => {
                    let mut env = Env::from_value(Value::from_bits((*frame).parent))?;
                    loop {
                        if let Some(active) = env.frame_on(ec) {
                            frame = active;
                            break;
                        }
                        let iseq = Iseq::from_value(env.iseq())?;
                        let code = &(&*iseq).code;
                        if code.lambda || !matches!(code.kind, CodeKind::Block | CodeKind::Eval) {
                            return None;
                        }
                        env = Env::from_value(env.parent())?;
                    }
                }
            }
        }
    }
}

/// Does a `rescue` list's entry match the exception?
pub fn rescue_match(ec: &mut Ec, e: Value, class: Value, splat: bool) -> Res<bool> {
    if splat {
        let list = ec.to_ary(class)?;
        for i in 0..array::len(list) {
            if let Some(class) = array::at(list, i)
                && rescue_match(ec, e, class, false)?
            {
                return Ok(true);
            }
        }
        return Ok(false);
    }
    if Class::from_value(class).is_none() {
        return Err(ec.type_error("class or module required for rescue clause"));
    }
    match quick_class_match(ec, class, e) {
        Some(answer) => Ok(answer),
        None => Ok(ec.call(class, sym::EQQ, &[e])?.truthy()),
    }
}

/// Multiple assignment.
///
/// # Safety
/// The targets are registers of `frame`, the current one.
pub unsafe fn destructure(
    ec: &mut Ec,
    frame: *mut Frame,
    v: Value,
    dst: usize,
    pre: usize,
    splat: bool,
    post: usize,
) -> Res<()> {
    let list = if v.is_type(Type::Array) {
        v
    } else {
        match ec.check_array(v)? {
            Some(a) => a,
            None => ec.array(&[v])?,
        }
    };
    let n = array::len(list);
    let get = |i: usize| array::at(list, i).unwrap_or(Value::NIL);
    // SAFETY: see the function's contract.
    let put = |i: usize, v: Value| unsafe { *Frame::regs(frame).add(dst + i) = v };
    for i in 0..pre {
        put(i, get(i));
    }
    let mut at = pre;
    let mut from = pre;
    if splat {
        let rest = n.saturating_sub(pre + post);
        let part = array::sub(ec, list, pre.min(n), rest);
        let part = ec.check(list, part)?;
        put(at, part);
        at += 1;
        from = pre + rest;
    }
    for i in 0..post {
        put(at + i, get(from + i));
    }
    asterism_heap::keep_alive(list.bits());
    Ok(())
}

/// Are refinements in force in the running code?
fn refined_here(ec: &Ec) -> bool {
    crate::refine::refined(ec.cref().0).is_some()
}

/// Calls `deconstruct` or `deconstruct_keys`, as refined where the pattern stands; `None` if the object has it not.
fn ask_to_deconstruct(ec: &mut Ec, v: Value, name: Sym, args: &[Value]) -> Res<Option<Value>> {
    let class = ec.class_of(v);
    if refined_here(ec)
        && let (_, Some(found)) = ec.find_method_for_caller(class, name)
    {
        return ec.call_method(v, found.method, crate::args::CallArgs::plain(args)).map(Some);
    }
    // A `respond_to?` of the user's own is asked as CRuby does, without a second argument.
    let own = ec.find_method(class, sym::respond_to_p).1.filter(|f| !matches!(f.method.body(), Body::Native(_)));
    let responds = match own {
        Some(_) => ec.call(v, sym::respond_to_p, &[Value::sym(name)])?.truthy(),
        None => ec.respond_to(v, name, false)?,
    };
    if !responds {
        return Ok(None);
    }
    ec.call(v, name, args).map(Some)
}

/// `deconstruct` for a pattern.
pub fn deconstruct(ec: &mut Ec, v: Value) -> Res {
    if v.is_type(Type::Array) && ec.class_of(v).0 == ec.class(WellKnown::Array) && !refined_here(ec) {
        return Ok(v);
    }
    let Some(answer) = ask_to_deconstruct(ec, v, sym::deconstruct, &[])? else {
        return Ok(Value::UNDEF);
    };
    if answer.is_type(Type::Array) { Ok(answer) } else { Err(ec.type_error("deconstruct must return Array")) }
}

/// `deconstruct_keys` for a pattern.
pub fn deconstruct_keys(ec: &mut Ec, v: Value, keys: Value) -> Res {
    if v.is_type(Type::Hash) && ec.class_of(v).0 == ec.class(WellKnown::Hash) && !refined_here(ec) {
        return Ok(v);
    }
    let Some(answer) = ask_to_deconstruct(ec, v, sym::deconstruct_keys, &[keys])? else {
        return Ok(Value::UNDEF);
    };
    if answer.is_type(Type::Hash) { Ok(answer) } else { Err(ec.type_error("deconstruct_keys must return Hash")) }
}

/// `hash` without `keys`, a new Hash.
pub fn hash_except(ec: &mut Ec, h: Value, keys: Value) -> Res {
    let copy = ec.hash_dup(h)?;
    for i in 0..array::len(keys) {
        if let Some(key) = array::at(keys, i) {
            ec.hash_delete(copy, key)?;
        }
    }
    Ok(copy)
}

/// The elements from `from` on without the `drop` last ones.
pub fn array_slice(ec: &mut Ec, a: Value, from: i64, drop: usize) -> Res {
    let n = array::len(a);
    let from = if from < 0 { n.saturating_sub(from.unsigned_abs() as usize) } else { from as usize };
    let part = array::sub(ec, a, from.min(n), n.saturating_sub(from).saturating_sub(drop));
    ec.check(a, part)
}

/// The error of a value that no pattern matches; if it is `known`, `why` is an Array of a `Mismatch` and what it speaks of.
#[cold]
#[inline(never)]
pub fn no_match(ec: &mut Ec, v: Value, known: bool, why: Value) -> Raised {
    match no_match_error(ec, v, known.then_some(why)) {
        Ok(e) => ec.raise_exception(e),
        Err(raised) => raised,
    }
}

fn no_match_error(ec: &mut Ec, v: Value, why: Option<Value>) -> Res {
    let mut message = ec.inspect_for_error(v)?;
    let part = |i| why.and_then(|why| array::at(why, i)).unwrap_or(Value::NIL);
    let reason = part(0).fixnum_value().and_then(|n| Mismatch::ALL.get(usize::try_from(n).ok()?));
    let Some(reason) = reason.copied() else {
        let class = ec.exc_class(Exc::NoMatchingPatternError);
        return ec.new_exception(class, &message);
    };
    message.extend(b": ");
    let shown = |ec: &mut Ec, i| ec.inspect_for_error(part(i));
    match reason {
        Mismatch::Value => {
            message.extend(shown(ec, 1)?);
            message.extend(b" === ");
            message.extend(shown(ec, 2)?);
            message.extend(b" does not return true");
        }
        Mismatch::Key => {
            message.extend(b"key not found: ");
            message.extend(shown(ec, 2)?);
        }
        Mismatch::Length | Mismatch::LengthAtLeast => {
            message.extend(shown(ec, 1)?);
            message.extend(b" length mismatch (given ");
            message.extend(shown(ec, 2)?);
            message.extend(b", expected ");
            message.extend(shown(ec, 3)?);
            message.extend_from_slice(if reason == Mismatch::Length { b")" } else { b"+)" });
        }
        Mismatch::Rest => {
            message.extend(b"rest of ");
            message.extend(shown(ec, 1)?);
            message.extend(b" is not empty");
        }
        Mismatch::Guard => message.extend(b"guard clause does not return true"),
        Mismatch::Deconstruct | Mismatch::DeconstructKeys | Mismatch::Find | Mismatch::NotEmpty => {
            message.extend(shown(ec, 1)?);
            message.extend_from_slice(match reason {
                Mismatch::Deconstruct => b" does not respond to #deconstruct",
                Mismatch::DeconstructKeys => b" does not respond to #deconstruct_keys",
                Mismatch::Find => b" does not match to find pattern",
                _ => b" is not empty",
            });
        }
    }
    if reason != Mismatch::Key {
        let class = ec.exc_class(Exc::NoMatchingPatternError);
        return ec.new_exception(class, &message);
    }
    let class = ec.exc_class(Exc::NoMatchingPatternKeyError);
    let e = ec.new_exception(class, &message)?;
    ec.ivar_put(e, asterism_symbol::intern("matchee"), part(1))?;
    ec.ivar_put(e, sym::key, part(2))?;
    Ok(e)
}

const _: () = assert!(size_of::<Cell>() == 16);
