//! Binding arguments to parameters, the general case: optional, rest, post and keyword parameters, blocks'
//! lenient rules. Calls with required parameters only never come here.

use asterism_compiler::code::{Code, KeywordRest, Params};
use asterism_object::types::Type;
use asterism_object::{Sym, Value, array, hash};

use crate::block::Block;
use crate::ec::{Ec, Raised, Res};
use crate::frame::{self, Frame};
use crate::iseq::Iseq;

/// Keyword arguments of a call.
#[derive(Clone, Copy)]
pub enum Keywords<'a> {
    /// None.
    None,
    /// Names from the call site, values from consecutive registers.
    Named(&'a [Sym], &'a [Value]),
    /// A Hash.
    Hash(Value),
    /// None; and a Hash at the end of the arguments was written there, whether `ruby2_keywords` marked it or not.
    Never,
}

impl Keywords<'_> {
    /// Are there none (an empty Hash counts as none)?
    pub fn is_empty(&self) -> bool {
        match self {
            Keywords::None | Keywords::Never => true,
            Keywords::Named(names, _) => names.is_empty(),
            Keywords::Hash(h) => h.is_nil() || hash::len(*h) == 0,
        }
    }

    /// As a new Hash.
    ///
    /// # Errors
    /// NoMemoryError.
    pub fn to_hash(self, ec: &mut Ec) -> Res {
        match self {
            Keywords::None | Keywords::Never => ec.new_hash(),
            Keywords::Named(names, values) => {
                let mut few = [Value::NIL; 8];
                if let Some(pairs) = few.get_mut(..2 * names.len()) {
                    for (pair, (name, value)) in pairs.chunks_exact_mut(2).zip(names.iter().zip(values)) {
                        pair.copy_from_slice(&[Value::sym(*name), *value]);
                    }
                    if hash::are_distinct_immediates(pairs) {
                        let made = hash::of_distinct_immediates(ec, pairs);
                        return ec.check(Value::NIL, made);
                    }
                }
                let h = ec.new_hash()?;
                for (name, value) in names.iter().zip(values) {
                    ec.hash_set(h, Value::sym(*name), *value)?;
                }
                Ok(h)
            }
            Keywords::Hash(h) => ec.hash_dup(h),
        }
    }
}

/// What a call passes.
#[derive(Clone, Copy)]
pub struct CallArgs<'a> {
    /// Positional arguments. They lie in the caller's registers, on a machine stack or in a private Array.
    pub argv: &'a [Value],
    /// Keyword arguments.
    pub keywords: Keywords<'a>,
    /// The block.
    pub block: Block,
}

impl<'a> CallArgs<'a> {
    /// Positional arguments only.
    pub fn plain(argv: &'a [Value]) -> CallArgs<'a> {
        CallArgs { argv, keywords: Keywords::None, block: Block::NONE }
    }

    /// Positional arguments that are written as such at the call.
    pub fn written(argv: &'a [Value]) -> CallArgs<'a> {
        CallArgs { argv, keywords: Keywords::Never, block: Block::NONE }
    }
}

/// Writes register `i` of `frame`.
///
/// # Safety
/// `frame` is the frame being set up and `i` is one of its registers.
#[inline(always)]
unsafe fn put(frame: *mut Frame, i: usize, v: Value) {
    // SAFETY: see above.
    unsafe { *Frame::regs(frame).add(i) = v };
}

/// Binds `args` to the parameters of `frame`'s code, into its registers. `strict`: a method's or lambda's rules.
/// The frame is the current one, so an error's backtrace shows it.
///
/// # Safety
/// `frame` is the current frame, a Ruby one, whose scope has not moved to the heap.
///
/// # Errors
/// ArgumentError; what conversions raise.
pub unsafe fn bind(ec: &mut Ec, frame: *mut Frame, args: &CallArgs<'_>, strict: bool) -> Res<()> {
    // SAFETY: the frame is the current one; its code is alive, and it has `registers` >= `params.slots()` registers.
    let iseq = unsafe { &*(*frame).iseq };
    let params: &Params = &iseq.code.params;
    let mut argv = args.argv;
    if params.is_positional() && args.keywords.is_empty() && (strict || argv.len() != 1) && !may_be_keywords(args) {
        return bind_positional(ec, frame, iseq, args, strict);
    }
    let mut keywords = args.keywords;
    let takes_keywords = !params.keywords.is_empty() || params.keyword_rest == KeywordRest::Collect;
    // Holds what `argv` points into when that is not the caller's registers.
    let mut held = Value::NIL;

    if keywords.is_empty() {
        let written = matches!(keywords, Keywords::Never);
        keywords = Keywords::None;
        // ruby2_keywords: a flagged Hash at the end of a splat is keyword arguments.
        if let Some((&last, rest)) = argv.split_last()
            && !written
            && last.is_type(Type::Hash)
            && hash::is_kw(last)
        {
            if takes_keywords || hash::len(last) == 0 {
                argv = rest;
                keywords = if hash::len(last) == 0 { Keywords::None } else { Keywords::Hash(last) };
            } else if !params.rest {
                let copy = ec.hash_dup(last)?;
                held = ec.array(rest)?;
                ec.array_push(held, copy)?;
                argv = array::private_slice(&held);
            }
        }
    } else if params.keyword_rest == KeywordRest::Forbidden && !takes_keywords {
        return Err(ec.arg_error("no keywords accepted"));
    } else if !takes_keywords {
        let h = keywords.to_hash(ec)?;
        // SAFETY: as above.
        let flagged = unsafe {
            let block = (*frame).has(frame::BLOCK) && !(*frame).has(frame::BMETHOD);
            let marked = (*frame).has(frame::RUBY2_KEYWORDS) || !block && ec.has_ruby2_keywords((*frame).method);
            marked && (&*(*frame).iseq).code.params.rest
        };
        if flagged {
            hash::set_kw(h, true);
        }
        held = ec.array(argv)?;
        ec.array_push(held, h)?;
        argv = array::private_slice(&held);
        keywords = Keywords::None;
    }

    let required = usize::from(params.required);
    let optional = usize::from(params.optional);
    let post = usize::from(params.post);

    if !strict
        && params.auto_splat
        && argv.len() == 1
        && let Some(a) = ec.check_array(argv[0])?
    {
        held = array::snapshot(ec, a).map_err(|e| ec.object_error(a, e))?;
        argv = array::private_slice(&held);
    }
    if strict {
        let min = required + post;
        let max = if params.rest { None } else { Some(min + optional) };
        if argv.len() < min || max.is_some_and(|m| argv.len() > m) {
            return Err(arity_error(ec, &iseq.code, argv.len(), min, max));
        }
    }

    // SAFETY (all `put`s): slots are numbered as `Params` documents, below `params.slots()`.
    let mut slot = 0;
    let n = argv.len();
    let available_post = n.saturating_sub(required).min(post);
    for i in 0..required {
        // SAFETY: see above.
        unsafe { put(frame, slot, argv.get(i).copied().unwrap_or(Value::NIL)) };
        slot += 1;
    }
    let middle_end = n - available_post.min(n);
    let mut next = required.min(n);
    for _ in 0..optional {
        let v = if next < middle_end {
            next += 1;
            argv[next - 1]
        } else {
            Value::UNDEF
        };
        // SAFETY: see above.
        unsafe { put(frame, slot, v) };
        slot += 1;
    }
    if params.rest {
        let rest = if next < middle_end { &argv[next..middle_end] } else { &[] };
        // SAFETY: as at the beginning.
        let rest = unsafe { (&*(*frame).iseq).rest_of(ec, rest)? };
        // SAFETY: see above.
        unsafe { put(frame, slot, rest) };
        slot += 1;
        next = middle_end.max(next);
    }
    for i in 0..post {
        let at = if params.rest { middle_end.max(required.min(n)) + i } else { next + i };
        // SAFETY: see above.
        unsafe { put(frame, slot, argv.get(at).copied().unwrap_or(Value::NIL)) };
        slot += 1;
    }
    asterism_heap::keep_alive(held.bits());

    if takes_keywords {
        bind_keywords(ec, frame, params, keywords, slot)?;
        slot += params.keywords.len() + usize::from(params.keyword_rest == KeywordRest::Collect);
    }
    if params.block {
        bind_block(ec, frame, slot, args.block)?;
    }
    Ok(())
}

/// May the last argument stand for keywords, though there are none?
fn may_be_keywords(args: &CallArgs<'_>) -> bool {
    !matches!(args.keywords, Keywords::Never) && args.argv.last().is_some_and(|last| last.is_type(Type::Hash))
}

/// `bind` of positional arguments alone to code whose parameters are (`Params::is_positional`).
///
/// # Errors
/// ArgumentError; NoMemoryError.
fn bind_positional(ec: &mut Ec, frame: *mut Frame, iseq: &Iseq, args: &CallArgs<'_>, strict: bool) -> Res<()> {
    let (params, argv) = (&iseq.code.params, args.argv);
    let (required, n) = (usize::from(params.required), argv.len());
    let most = required + usize::from(params.optional);
    if strict && (n < required || n > most && !params.rest) {
        return Err(arity_error(ec, &iseq.code, n, required, (!params.rest).then_some(most)));
    }
    for i in 0..most {
        let missing = if i < required { Value::NIL } else { Value::UNDEF };
        // SAFETY: the parameters' slots are the frame's first registers.
        unsafe { put(frame, i, argv.get(i).copied().unwrap_or(missing)) };
    }
    if params.rest {
        let rest = iseq.rest_of(ec, argv.get(most..).unwrap_or_default())?;
        // SAFETY: as above.
        unsafe { put(frame, most, rest) };
    }
    if params.block {
        bind_block(ec, frame, most + usize::from(params.rest), args.block)?;
    }
    Ok(())
}

/// Binds the block parameter: a block gets a Proc; a method is passed its block, which a Proc is made of where it is looked at.
///
/// # Errors
/// NoMemoryError.
fn bind_block(ec: &mut Ec, frame: *mut Frame, slot: usize, block: Block) -> Res<()> {
    // SAFETY: the frame is active; the block parameter's slot is the last of the parameters'.
    unsafe {
        let own = (*frame).has(frame::BLOCK);
        let v = if own { ec.block_to_proc(block)? } else { Value::UNDEF };
        put(frame, slot, v);
    }
    Ok(())
}

fn bind_keywords(ec: &mut Ec, frame: *mut Frame, params: &Params, keywords: Keywords<'_>, first: usize) -> Res<()> {
    let mut missing: Vec<Sym> = Vec::new();
    let mut used = 0;
    for (i, param) in params.keywords.iter().enumerate() {
        let given = match keywords {
            Keywords::None | Keywords::Never => None,
            Keywords::Named(names, values) => names.iter().rposition(|n| *n == param.name).map(|at| values[at]),
            Keywords::Hash(h) => ec.hash_get(h, Value::sym(param.name))?,
        };
        let v = match given {
            Some(v) => {
                used += 1;
                v
            }
            None => {
                if param.required {
                    missing.push(param.name);
                }
                Value::UNDEF
            }
        };
        // SAFETY: keyword slots start at `first`, as `Params` documents.
        unsafe { put(frame, first + i, v) };
    }
    if !missing.is_empty() {
        let list: Vec<String> = missing.iter().map(|s| format!(":{}", s.text())).collect();
        let plural = if missing.len() > 1 { "s" } else { "" };
        return Err(ec.arg_error(format!("missing keyword{plural}: {}", list.join(", "))));
    }
    let named = |key: Value| params.keywords.iter().any(|p| Value::sym(p.name) == key);
    if params.keyword_rest == KeywordRest::Collect {
        // What `...` stands for is only passed on, and then none are as good as an empty Hash.
        let none = params.forwarding && keywords.is_empty();
        let rest = if none { Value::NIL } else { ec.new_hash()? };
        // SAFETY: the keyword rest's slot is behind the keywords'.
        unsafe { put(frame, first + params.keywords.len(), rest) };
        match keywords {
            Keywords::None | Keywords::Never => {}
            Keywords::Named(names, values) => {
                for (name, value) in names.iter().zip(values) {
                    if !named(Value::sym(*name)) {
                        ec.hash_set(rest, Value::sym(*name), *value)?;
                    }
                }
            }
            Keywords::Hash(h) => {
                let mut at = 0;
                while let Some((next, key, value)) = hash::iter_next(h, at) {
                    at = next;
                    if !named(key) {
                        ec.hash_set(rest, key, value)?;
                    }
                }
            }
        }
        return Ok(());
    }
    let total = match keywords {
        Keywords::None | Keywords::Never => 0,
        Keywords::Named(names, _) => names.len(),
        Keywords::Hash(h) => hash::len(h),
    };
    if used == total {
        return Ok(());
    }
    let mut unknown: Vec<Value> = Vec::new();
    let keys = match keywords {
        Keywords::None | Keywords::Never => return Ok(()),
        Keywords::Named(names, _) => {
            for name in names {
                if !named(Value::sym(*name)) && !unknown.contains(&Value::sym(*name)) {
                    unknown.push(Value::sym(*name));
                }
            }
            Value::NIL
        }
        Keywords::Hash(h) => {
            let keys = hash::keys(ec, h);
            ec.check(h, keys)?
        }
    };
    let mut shown: Vec<Vec<u8>> = Vec::new();
    for key in unknown {
        shown.push(ec.inspect_for_error(key)?);
    }
    if keys.is_heap() {
        for i in 0..array::len(keys) {
            let key = array::at(keys, i).unwrap_or(Value::NIL);
            if !named(key) {
                shown.push(ec.inspect_for_error(key)?);
            }
        }
    }
    if shown.is_empty() { Ok(()) } else { Err(ec.unknown_keywords(&shown)) }
}

#[cold]
fn arity_error(ec: &mut Ec, code: &Code, given: usize, min: usize, max: Option<usize>) -> Raised {
    let params = &code.params;
    let expected = match max {
        Some(max) if max == min || code.needs_optional() => format!("{max}"),
        Some(max) => format!("{min}..{max}"),
        None => format!("{min}+"),
    };
    // All of them, whatever was given.
    let needed: Vec<String> =
        params.keywords.iter().filter(|k| k.required).map(|k| k.name.text().into_owned()).collect();
    let extra = match needed.len() {
        0 => String::new(),
        n => format!("; required keyword{}: {}", if n > 1 { "s" } else { "" }, needed.join(", ")),
    };
    ec.arg_error(format!("wrong number of arguments (given {given}, expected {expected}{extra})"))
}

impl Ec {
    /// ArgumentError for keywords, as `inspect` shows them, that a method does not take.
    #[cold]
    pub(crate) fn unknown_keywords(&mut self, shown: &[Vec<u8>]) -> Raised {
        let plural: &[u8] = if shown.len() > 1 { b"s" } else { b"" };
        self.arg_error([b"unknown keyword", plural, b": ", &shown.join(&b", "[..])].concat())
    }
}
