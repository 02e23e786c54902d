//! Constants: lexical nesting, lookup, inline caches, autoload.

use std::sync::atomic::Ordering;

use asterism_heap::Cell;
use asterism_object::class::{Class, REFINEMENT};
use asterism_object::space::WellKnown;
use asterism_object::types::Type;
use asterism_object::{AtomicValue, Sym, Value, class_field, string, symbol_table};
use asterism_symbol::sym;

use crate::block::{Block, Proc};
use crate::const_cache;
pub(crate) use crate::const_cache::remembered;
use crate::ec::{Ec, Res};
use crate::error::Exc;
use crate::image::is_mark;
use crate::iseq::Iseq;

/// A view of a Cref cell: a class, the nesting around it, and the refinements in force there.
#[derive(Clone, Copy)]
pub struct Cref(pub Value);

/// Payload words of a Cref cell: class (or object), outer, refinements, flags.
const CREF_WORDS: usize = 4;
/// Which of them are the refinements.
pub(crate) const REFINEMENTS_WORD: usize = 2;
/// Pushed by a block given to `class_eval`, `instance_eval` and their like: constants do not see it.
pub const PUSHED_BY_EVAL: u64 = 2;
/// The class word is an object: definitions go to its singleton class, which is made when one comes.
pub const OF_OBJECT: u64 = 4;
/// Definitions are refused: the object can have no singleton class.
pub const NO_DEFINITIONS: u64 = 8;

impl Cref {
    fn word(&self, i: usize) -> Value {
        // SAFETY: a `Cref` is only made of Cref cells, which have `CREF_WORDS` payload words that never change,
        // all of them values.
        unsafe { Value::from_bits((*self.0.ptr::<Cell>()).word(i).load(Ordering::Relaxed)) }
    }

    /// The class or module; of an object's nesting, the object's class (its singleton class if it has one).
    pub fn class(&self) -> Class {
        let word = self.word(0);
        if self.has(OF_OBJECT)
            && let Some(cell) = word.cell()
        {
            return Class(class_field(cell));
        }
        Class(word)
    }

    /// Is any of these flags set?
    pub fn has(&self, flags: u64) -> bool {
        self.word(3).bits() & flags != 0
    }

    /// The refinements in force: an Array of refined class and refinement in turn, later ones first in effect; or nil.
    #[inline]
    pub fn refinements(&self) -> Value {
        self.word(REFINEMENTS_WORD)
    }

    /// The nesting that constants and class variables see: without those that eval pushed. By value and not inlined, because handlers
    /// that call it may give no address of their memory away.
    #[inline(never)]
    pub fn lexical(self) -> Cref {
        let mut at = self;
        while at.has(PUSHED_BY_EVAL) {
            match at.outer() {
                Some(outer) => at = outer,
                None => break,
            }
        }
        at
    }

    /// The nesting around it.
    pub fn outer(&self) -> Option<Cref> {
        let v = self.word(1);
        v.is_heap().then_some(Cref(v))
    }

    /// Was it made for a block that runs with another self?
    pub fn of_block(&self) -> bool {
        self.has(PUSHED_BY_EVAL)
    }
}

/// What `autoload` leaves in a constant table until the constant is first used: a word that is no Ruby value (undef
/// means a removed constant there).
// SAFETY: no pointer: it looks like the other special constants.
pub const AUTOLOAD: Value = unsafe { Value::from_bits(0x34) };

/// Bit of a class's flags: some of its constants are deprecated.
const HAS_DEPRECATED: u64 = 1 << 18;

/// Is this the mark that `autoload` left?
pub fn is_autoload(value: Value) -> bool {
    value == AUTOLOAD
}

impl Ec {
    /// A nesting of `class` inside `outer` (nil: top level).
    ///
    /// # Errors
    /// NoMemoryError.
    pub fn new_cref(&mut self, class: Class, outer: Value) -> Res {
        self.new_cref_with(class.0, outer, 0)
    }

    /// A nesting of `class` (with `OF_OBJECT`: an object) inside `outer`, with the refinements of that.
    ///
    /// # Errors
    /// NoMemoryError.
    pub fn new_cref_with(&mut self, class: Value, outer: Value, flags: u64) -> Res {
        let refinements = if outer.is_heap() { Cref(outer).refinements() } else { Value::NIL };
        self.new_cref_refined(class, outer, refinements, flags)
    }

    /// A nesting with refinements of its own. `refinements`: see [`Cref::refinements`].
    ///
    /// # Errors
    /// NoMemoryError.
    pub fn new_cref_refined(&mut self, class: Value, outer: Value, refinements: Value, flags: u64) -> Res {
        let cell = self.alloc_cell(Type::Cref, CREF_WORDS, Value::NULL, false)?;
        // Bit 0 keeps the collector from taking the flags for a reference.
        let words = [class.bits(), outer.bits(), refinements.bits(), flags | 1];
        for (i, word) in words.into_iter().enumerate() {
            // SAFETY: the cell was just made with that many payload words.
            unsafe { (*cell.ptr::<Cell>()).word(i) }.store(word, Ordering::Release);
        }
        Ok(cell)
    }

    /// The nesting of a method of `from` in its copy `to`: constants and class variables are the copy's.
    ///
    /// # Errors
    /// NoMemoryError.
    pub fn cref_of_copy(&mut self, cref: Value, from: Class, to: Class) -> Res {
        if !cref.is_type(Type::Cref) || Cref(cref).word(0) != from.0 || Cref(cref).has(OF_OBJECT) {
            return Ok(cref);
        }
        let [outer, refinements, flags] = [1, 2, 3].map(|i| Cref(cref).word(i));
        self.new_cref_refined(to.0, outer, refinements, flags.bits())
    }

    /// The nesting of a block or string evaluated for `object`: a singleton class is made when something is defined.
    ///
    /// # Errors
    /// NoMemoryError.
    pub fn new_object_cref(&mut self, object: Value, outer: Value, flags: u64) -> Res {
        let plain = matches!(object, Value::NIL | Value::TRUE | Value::FALSE);
        let numeric = matches!(object.heap_type(), Some(Type::Float | Type::BigInt | Type::Rational | Type::Complex));
        if object.is_heap() && !numeric {
            return self.new_cref_with(object, outer, flags | OF_OBJECT);
        }
        let class = self.class_of(object);
        self.new_cref_with(class.0, outer, if plain { flags } else { flags | NO_DEFINITIONS })
    }

    /// The class that `def`, `alias` and `undef` work on here.
    ///
    /// # Errors
    /// TypeError for an object that can have no methods of its own.
    pub fn definee(&mut self) -> Res<Class> {
        let cref = self.cref();
        if cref.has(NO_DEFINITIONS) {
            return Err(self.type_error("can't define singleton"));
        }
        if cref.has(OF_OBJECT) {
            return self.singleton_class(cref.word(0));
        }
        Ok(cref.class())
    }

    /// A nesting in which the definitions of a block written in `outer` go to `class`.
    ///
    /// # Errors
    /// NoMemoryError.
    pub fn block_cref(&mut self, class: Class, outer: Cref) -> Res {
        self.new_cref_with(class.0, outer.0, PUSHED_BY_EVAL)
    }

    /// The nesting a block was written in; that of the running code, when it has none of its own.
    pub fn cref_of_block(&self, block: Block) -> Cref {
        let cref = match (block.frame(), block.value().and_then(Proc::from_value)) {
            // SAFETY: a block on the stack names a frame that is active.
            (Some(frame), _) => unsafe { (*frame).cref },
            (None, Some(proc)) => proc.cref(),
            (None, None) => Value::NIL,
        };
        if cref.is_heap() { Cref(cref) } else { self.cref() }
    }

    /// Where constants are defined here.
    pub fn constant_base(&self) -> Class {
        let mut at = self.cref();
        while at.has(PUSHED_BY_EVAL | OF_OBJECT | NO_DEFINITIONS) {
            match at.outer() {
                Some(outer) => at = outer,
                None => break,
            }
        }
        at.class()
    }

    /// The nesting of the innermost Ruby frame.
    pub fn cref(&self) -> Cref {
        // SAFETY: that frame is active.
        unsafe { self.cref_of(self.fiber.ruby_frame()) }
    }

    /// The constant of `class` itself. Autoloads are not resolved: `AUTOLOAD`.
    pub fn own_constant(&mut self, class: Class, name: Sym) -> Option<Value> {
        let table = self.constants(class)?;
        match symbol_table::get(table, name)? {
            mark if is_mark(mark) => self.make_constant(class, name, mark),
            value => Some(value),
        }
    }

    /// Sets a constant and names a class that gets its first one.
    ///
    /// # Errors
    /// NoMemoryError.
    pub fn set_constant(&mut self, class: Class, name: Sym, value: Value) -> Res<()> {
        self.check_new_constant(name, value)?;
        if let Some(named) = Class::from_value(value) {
            self.name_class(class, name, named)?;
        }
        if !self.vm().booting.load(Ordering::Relaxed)
            && let Some(place) = self.caller_location()
        {
            self.vm().const_locations.lock().insert((class.0.bits(), name), place);
        }
        self.complete_constants(class)?;
        let booting = self.vm().booting.load(Ordering::Relaxed);
        let hidden = if booting || is_autoload(value) { None } else { self.name_while_loading(class, name)? };
        self.with_class_lock(|ec| {
            let mut name = name;
            if !booting && !is_autoload(value) && symbol_table::get(class.constants(), name).is_some_and(is_autoload) {
                match hidden {
                    Some(hidden) => name = hidden,
                    None => ec.forget_promise(class, name),
                }
            }
            let table = ec.put_symbol(class.constants(), name, value)?;
            if let Some(table) = table {
                class.set_constants(table);
            }
            ec.vm().const_serial.fetch_add(1, Ordering::Release);
            Ok(())
        })
    }

    fn complete_constants(&mut self, class: Class) -> Res<()> {
        match self.constants(class) {
            Some(_) => Ok(()),
            None => Err(self.no_memory()),
        }
    }

    /// Names the class or module `named`, which becomes the constant `name` of `class`. A name in an anonymous module
    /// lasts until that one gets its own, which then names everything in it.
    fn name_class(&mut self, class: Class, name: Sym, named: Class) -> Res<()> {
        let object = self.known(WellKnown::Object);
        let lasting = class == object || class.parent().is_heap();
        if named.is_include() || named.parent().is_heap() || !(lasting || named.name().is_nil()) {
            return Ok(());
        }
        if self.class(WellKnown::String).is_heap() {
            let within = if class == object { String::new() } else { self.class_name(class) + "::" };
            let full = [within.as_bytes(), name.bytes()].concat();
            // As the constant's Symbol.
            let encoding = if full.is_ascii() { asterism_symbol::US_ASCII } else { asterism_symbol::UTF_8 };
            let full = string::frozen(self, &full, encoding);
            let full = self.check(Value::NIL, full)?;
            named.set_name(full);
        } else {
            named.set_name(Value::sym(name));
        }
        if !lasting {
            return Ok(());
        }
        named.set_parent(class.0);
        if !self.vm().booting.load(Ordering::Relaxed) {
            let mut names = Vec::new();
            self.complete_constants(named)?;
            symbol_table::for_each(named.constants(), |name, value| {
                let hidden = name.bytes().first() == Some(&0);
                if !hidden && Class::from_value(value).is_some_and(|c| !c.parent().is_heap()) {
                    names.push(name);
                }
            });
            for name in names {
                if let Some(class) = self.own_constant(named, name).and_then(Class::from_value) {
                    self.name_class(named, name, class)?;
                }
            }
        }
        Ok(())
    }

    /// Resolves what a constant table holds: an autoload is loaded.
    fn resolve(&mut self, class: Class, name: Sym, value: Value) -> Res<Option<Value>> {
        let found = if is_autoload(value) { (self.vm().hooks.autoload)(self, class, name)? } else { Some(value) };
        if let Some(value) = found {
            if class.flags() & HAS_DEPRECATED != 0 {
                self.warn_if_deprecated(class, name)?;
            }
            self.check_constant(class, name, value)?;
        }
        Ok(found)
    }

    /// Warns of a constant of `class` itself that `deprecate_constant` named.
    ///
    /// # Errors
    /// What `Warning.warn`, and `Warning[]`, raise; NoMemoryError.
    #[cold]
    pub fn warn_if_deprecated(&mut self, class: Class, name: Sym) -> Res<()> {
        let key = hidden_key("deprecated", name);
        let table = self.constants(class).unwrap_or(Value::NULL);
        if !key.is_some_and(|k| symbol_table::get(table, k).is_some_and(Value::truthy)) {
            return Ok(());
        }
        self.thread.uncached_constants += 1;
        let object = self.class(WellKnown::Object);
        let within = if class.0 == object { String::new() } else { self.class_name(class) };
        crate::warning::warn_deprecated(self, &format!("constant {within}::{} is deprecated", name.text()))
    }

    /// `deprecate_constant`
    ///
    /// # Errors
    /// NoMemoryError.
    pub fn deprecate_constant(&mut self, class: Class, name: Sym) -> Res<()> {
        self.mark_constant(class, name, "deprecated", true)?;
        class.add_flags(HAS_DEPRECATED);
        Ok(())
    }

    /// The constant `name` in `class` or its ancestors; for a module (with `object`) also in Object.
    ///
    /// # Errors
    /// What the file of an autoload raises, and LoadError if there is none; Ractor::IsolationError for an object that
    /// cannot be shared, elsewhere than in the main Ractor; what a warning that the constant is deprecated raises.
    pub fn constant_in(&mut self, class: Class, name: Sym, object: bool) -> Res<Option<Value>> {
        let mut link = Some(class);
        while let Some(c) = link {
            link = c.superclass();
            // What is prepended to an ancestor comes before its own ones, which its origin stands for.
            if c != class && c.origin().is_some() {
                continue;
            }
            let part = c.delegate();
            if let Some(found) = self.own_constant(part, name)
                && let Some(value) = self.resolve(part, name, found)?
            {
                return Ok(Some(value));
            }
        }
        if object && class.is_module() {
            let object = self.known(WellKnown::Object);
            if object != class {
                return self.constant_in(object, name, false);
            }
        }
        Ok(None)
    }

    /// Is there a constant `name` in `class` or its ancestors? For a module (with `object`) also in Object. Loads nothing.
    ///
    /// # Errors
    /// TypeError for what is no path in `$LOAD_PATH`, and what a Ruby-level `to_path` or `to_str` there raises, where a
    /// file of an autoload is looked for.
    pub fn constant_exists(&mut self, class: Class, name: Sym, object: bool) -> Res<bool> {
        let mut link = Some(class);
        while let Some(c) = link {
            let part = c.delegate();
            if let Some(found) = self.own_constant(part, name)
                && self.counts(part, name, found)?
            {
                return Ok(true);
            }
            link = c.superclass();
        }
        let object_class = self.known(WellKnown::Object);
        if object && class.is_module() && object_class != class {
            return self.constant_exists(object_class, name, false);
        }
        Ok(false)
    }

    /// Is there a constant `name` in `class` itself? Loads nothing.
    ///
    /// # Errors
    /// As `constant_exists`.
    pub fn constant_exists_here(&mut self, class: Class, name: Sym) -> Res<bool> {
        match self.own_constant(class, name) {
            Some(found) => self.counts(class, name, found),
            None => Ok(false),
        }
    }

    /// As `constant_exists`, without Object's own constants.
    ///
    /// # Errors
    /// As `constant_exists`.
    pub fn constant_exists_below(&mut self, class: Class, name: Sym) -> Res<bool> {
        let object = self.known(WellKnown::Object);
        for part in class.chain().map(|c| c.delegate()).filter(|c| *c != object) {
            if self.constant_exists_here(part, name)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// `defined?(name)`
    ///
    /// # Errors
    /// As `constant_exists`.
    pub fn lexical_constant_exists(&mut self, cref: Cref, name: Sym) -> Res<bool> {
        let cref = cref.lexical();
        let mut at = Some(cref);
        while let Some(c) = at {
            if c.outer().is_some()
                && !c.of_block()
                && let Some(found) = self.own_constant(c.class(), name)
                && self.counts(c.class(), name, found)?
            {
                return Ok(true);
            }
            at = c.outer();
        }
        self.constant_exists(cref.class(), name, true)
    }

    /// The constant `name` as seen from `cref`: the nesting first, then the ancestors.
    ///
    /// # Errors
    /// As [`Ec::constant_in`].
    pub fn lexical_constant(&mut self, cref: Cref, name: Sym) -> Res<Option<Value>> {
        let cref = cref.lexical();
        let mut at = Some(cref);
        while let Some(c) = at {
            // The outermost nesting is Object, which the ancestors come to.
            if c.outer().is_some()
                && !c.has(PUSHED_BY_EVAL)
                && let Some(found) = self.own_constant(c.class(), name)
                && let Some(value) = self.resolve(c.class(), name, found)?
            {
                return Ok(Some(value));
            }
            at = c.outer();
        }
        // The classes below BasicObject alone do not come to Object's constants.
        self.constant_in(cref.class(), name, true)
    }

    /// `const_missing`
    ///
    /// # Errors
    /// NameError, usually.
    pub fn constant_missing(&mut self, class: Class, name: Sym) -> Res {
        self.call(class.0, sym::const_missing, &[Value::sym(name)])
    }

    /// Executes const site `i` of `iseq` under the current frame's nesting.
    ///
    /// # Errors
    /// NameError and what autoload and const_missing raise.
    #[inline]
    pub fn constant_site(&mut self, iseq: &Iseq, i: usize, cref: Value) -> Res {
        let site = &iseq.const_caches[i];
        let serial = self.vm().const_serial.load(Ordering::Acquire);
        if let Some(value) = const_cache::remembered_here(self, site, cref) {
            return Ok(value);
        }
        self.constant_site_miss(iseq, i, site, serial, cref)
    }

    #[cold]
    fn constant_site_miss(&mut self, iseq: &Iseq, i: usize, site: &AtomicValue, serial: u64, cref: Value) -> Res {
        let found = self.find_constant_of(iseq, i, site, serial, cref);
        // Another thread may have loaded what defines it.
        self.race_use();
        found
    }

    fn find_constant_of(&mut self, iseq: &Iseq, i: usize, site: &AtomicValue, serial: u64, cref: Value) -> Res {
        let path = &iseq.code.const_sites[i];
        let uncached = self.thread.uncached_constants;
        let cref_view = if cref.is_heap() { Cref(cref) } else { self.cref() }.lexical();
        let mut value = if path.absolute {
            let object = self.known(WellKnown::Object);
            match self.scoped_constant(object, path.path[0])? {
                Some(v) => v,
                None => self.constant_missing(object, path.path[0])?,
            }
        } else {
            match self.lexical_constant(cref_view, path.path[0])? {
                Some(v) => v,
                None => return self.constant_path_rest(cref_view.class(), &path.path),
            }
        };
        let mut complete = true;
        for &name in &path.path[1..] {
            let scope = self.scope_of_constant(value)?;
            value = match self.scoped_constant(scope, name)? {
                Some(v) => v,
                None => {
                    complete = false;
                    self.constant_missing(scope, name)?
                }
            };
        }
        // A use of a deprecated constant is told of each time; what is being loaded only the fiber sees that loads it.
        if complete && self.thread.uncached_constants == uncached {
            let seen_from = if cref.is_heap() { cref_view.0 } else { cref };
            const_cache::remember(self, site, serial, value, seen_from)?;
        }
        Ok(value)
    }

    fn constant_path_rest(&mut self, class: Class, path: &[Sym]) -> Res {
        let mut value = self.constant_missing(class, path[0])?;
        for &name in &path[1..] {
            let scope = self.scope_of_constant(value)?;
            value = self.constant_from(scope, name)?;
        }
        Ok(value)
    }

    /// The class or module left of `::`.
    ///
    /// # Errors
    /// TypeError if it is none.
    pub fn scope_of_constant(&mut self, value: Value) -> Res<Class> {
        match Class::from_value(value) {
            Some(class) => Ok(class),
            None => {
                let shown = self.inspect_for_error(value)?;
                let message = [&shown[..], b" is not a class/module"].concat();
                Err(self.type_error(message))
            }
        }
    }

    fn scoped_constant(&mut self, scope: Class, name: Sym) -> Res<Option<Value>> {
        let object = self.known(WellKnown::Object);
        let mut link = Some(scope);
        while let Some(c) = link {
            let part = c.delegate();
            if let Some(found) = self.own_constant(part, name)
                && let Some(value) = self.resolve(part, name, found)?
            {
                if self.is_private_constant(part, name) {
                    return self.private_constant(scope, part, name);
                }
                // `Foo::String` does not find Object's own constants, unless Foo is Object.
                return Ok((part != object || scope == object).then_some(value));
            }
            link = c.superclass();
        }
        Ok(None)
    }

    /// A private constant of `part` was asked for as `scope::name`: None where the program has a `const_missing`
    /// that is to answer.
    fn private_constant(&mut self, scope: Class, part: Class, name: Sym) -> Res<Option<Value>> {
        let class = self.class_of(scope.0);
        if let (_, Some(found)) = self.find_method(class, sym::const_missing)
            && !found.method.is_native_of_core()
        {
            return Ok(None);
        }
        let full = format!("private constant {}::{} referenced", self.class_name(part), name.text());
        Err(self.name_error(Exc::NameError, full, part.0, name))
    }

    /// `scope::name`
    ///
    /// # Errors
    /// NameError and what const_missing raises.
    pub fn constant_from(&mut self, scope: Class, name: Sym) -> Res {
        let found = self.scoped_constant(scope, name)?;
        self.race_use();
        match found {
            Some(v) => Ok(v),
            None => self.constant_missing(scope, name),
        }
    }

    /// `defined?(scope::name)`
    ///
    /// # Errors
    /// As [`Ec::constant_exists`]: nothing is loaded.
    pub fn constant_defined_from(&mut self, scope: Class, name: Sym) -> Res<bool> {
        let object = self.known(WellKnown::Object);
        let mut link = Some(scope);
        while let Some(c) = link {
            let part = c.delegate();
            if let Some(found) = self.own_constant(part, name)
                && self.counts(part, name, found)?
            {
                return Ok(!self.is_private_constant(part, name) && (part != object || scope == object));
            }
            link = c.superclass();
        }
        Ok(false)
    }

    /// Was `name` made private in `class`?
    pub fn is_private_constant(&mut self, class: Class, name: Sym) -> bool {
        let key = hidden_key("private", name);
        let table = self.constants(class).unwrap_or(Value::NULL);
        key.is_some_and(|k| symbol_table::get(table, k).is_some_and(Value::truthy))
    }

    /// `private_constant` and `public_constant`.
    ///
    /// # Errors
    /// NoMemoryError.
    pub fn set_private_constant(&mut self, class: Class, name: Sym, private: bool) -> Res<()> {
        self.mark_constant(class, name, "private", private)
    }

    fn mark_constant(&mut self, class: Class, name: Sym, mark: &str, on: bool) -> Res<()> {
        let key = hidden_name(self, mark, name)?;
        self.complete_constants(class)?;
        self.with_class_lock(|ec| {
            if let Some(table) = ec.put_symbol(class.constants(), key, Value::bool(on))? {
                class.set_constants(table);
            }
            ec.vm().const_serial.fetch_add(1, Ordering::Release);
            Ok(())
        })
    }

    /// The full name of a class, as messages and `inspect` show it.
    pub fn class_name(&mut self, class: Class) -> String {
        let class = class.delegate();
        let name = class.name();
        let is_refinement = class.flags() & REFINEMENT != 0;
        if let Some(s) = name.as_sym().filter(|_| !is_refinement) {
            return s.text().into_owned();
        }
        if name.is_heap() && !is_refinement {
            return string::to_string_lossy(self, name);
        }
        if is_refinement {
            let target = Class::from_value(class.module()).map(|c| self.class_name(c)).unwrap_or_default();
            let within = self.refinement_owner(class).map(|c| self.class_name(c)).unwrap_or_default();
            return format!("#<refinement:{target}@{within}>");
        }
        if class.is_singleton() {
            let attached = class.module();
            let shown = match Class::from_value(attached) {
                Some(c) => self.class_name(c),
                None => self.any_to_s(attached),
            };
            return format!("#<Class:{shown}>");
        }
        let kind = if class.is_module() { self.class_name_of(class.0) } else { "Class".to_string() };
        format!("#<{kind}:0x{:016x}>", class.0.bits())
    }

    /// The name of an object's (real) class.
    pub fn class_name_of(&mut self, object: Value) -> String {
        let class = self.real_class_of(object);
        self.class_name(class)
    }
}

/// As `hidden_key`; the name is made.
pub(crate) fn hidden_name(ec: &mut Ec, mark: &str, name: Sym) -> Res<Sym> {
    let key = [b"\0", mark.as_bytes(), b" ", name.bytes()].concat();
    match asterism_symbol::try_intern(&key, name.name().encoding) {
        Some(key) => Ok(key),
        None => Err(ec.raise(Exc::RuntimeError, "symbol table overflow")),
    }
}

/// The hidden constant that marks `name` as private or deprecated, or holds what is being loaded.
pub(crate) fn hidden_key(mark: &str, name: Sym) -> Option<Sym> {
    let key = [b"\0", mark.as_bytes(), b" ", name.bytes()].concat();
    asterism_symbol::lookup(&key, name.name().encoding)
}
