//! Making and changing classes. Every change happens under the VM's class lock, is published with one store,
//! and invalidates the caches of the class and its descendants.

use std::sync::atomic::Ordering;

use asterism_object::class::{Alloc, BLANK, CLASS_WORDS, Class, REFINEMENT, SINGLETON};
use asterism_object::space::WellKnown;
use asterism_object::types::Type;
use asterism_object::{Sym, Value, class_field, set_class, symbol_table};
use asterism_symbol::sym;

use crate::ec::{Ec, Res};
use crate::error::Exc;
use crate::method::{Body, Method, Visibility};
use crate::native::NativeDef;
use crate::vm::Root;

mod include;

/// Bit of a class's flags: something inherits from it or includes it.
const INHERITED: u64 = 1 << 16;

/// The class that `class` refines, if it is a refinement.
fn refined_by(class: Class) -> Option<Class> {
    if class.flags() & REFINEMENT != 0 { Class::from_value(class.module()) } else { None }
}

impl Ec {
    /// Runs `body` under the class lock. `body` may allocate, and so be stopped; it must not run Ruby code.
    pub fn with_class_lock<R>(&mut self, body: impl FnOnce(&mut Ec) -> R) -> R {
        let vm = self.vm_arc();
        let lock = &vm.class_lock;
        // Waiting is a blocking region, so that the holder can collect.
        let guard = match lock.try_lock() {
            Some(guard) => guard,
            None => self.blocking(|| lock.lock()),
        };
        let result = body(self);
        drop(guard);
        result
    }

    fn alloc_class(&mut self, ty: Type, superclass: Value, class: Value, flags: u64) -> Res<Class> {
        let cell = self.alloc_cell(ty, CLASS_WORDS, class, false)?;
        let made = Class(cell);
        made.init(superclass, flags);
        if let Some(parent) = Class::from_value(superclass) {
            if ty == Type::Class {
                made.set_alloc(parent.alloc());
                made.learn_instance_slots(parent.instance_slots());
                made.set_ivar_names(parent.ivar_names());
                made.add_flags(parent.flags() & BLANK);
            }
            parent.add_flags(INHERITED);
        }
        let vm = self.vm();
        let added = vm.classes.lock().add(cell);
        if added { Ok(made) } else { Err(self.no_memory()) }
    }

    /// A new class without a name, with its metaclass.
    ///
    /// # Errors
    /// NoMemoryError.
    pub fn new_class(&mut self, superclass: Class) -> Res<Class> {
        let class_class = self.class(WellKnown::Class);
        let class = self.alloc_class(Type::Class, superclass.0, class_class, 0)?;
        self.make_metaclass(class)?;
        if superclass == self.known(WellKnown::BasicObject) {
            self.note_blank();
        }
        Ok(class)
    }

    /// A new module without a name.
    ///
    /// # Errors
    /// NoMemoryError.
    pub fn new_module(&mut self) -> Res<Class> {
        let class = self.class(WellKnown::Module);
        self.alloc_class(Type::Module, Value::NULL, class, 0)
    }

    fn make_metaclass(&mut self, class: Class) -> Res<Class> {
        let class_class = self.class(WellKnown::Class);
        let mut parent = class.superclass();
        while let Some(p) = parent
            && p.is_include()
        {
            parent = p.superclass();
        }
        let superclass = match parent {
            Some(p) => self.singleton_class(p.0)?.0,
            None => class_class,
        };
        // The class of a metaclass is that of what its class was before, one level up.
        let level = class_field(class.cell());
        let level = Class::from_value(level).map_or(class_class, |c| {
            let up = class_field(c.cell());
            if c.0 == class.0 || up == Value::NULL { class_class } else { up }
        });
        let meta = self.alloc_class(Type::Class, superclass, level, SINGLETON)?;
        meta.set_module(class.0);
        meta.set_alloc(Alloc::Class);
        set_class(self, class.cell(), meta);
        Ok(meta)
    }

    /// The singleton class of `object`, made if needed.
    ///
    /// # Errors
    /// TypeError for objects that cannot have one; NoMemoryError.
    pub fn singleton_class(&mut self, object: Value) -> Res<Class> {
        match object {
            Value::NIL | Value::TRUE | Value::FALSE => return Ok(self.class_of(object)),
            _ if !object.is_heap() => return Err(self.type_error("can't define singleton")),
            _ => {}
        }
        if matches!(object.heap_type(), Some(Type::Float | Type::BigInt | Type::Rational | Type::Complex)) {
            return Err(self.type_error("can't define singleton"));
        }
        let class = self.class_of(object);
        if class.is_singleton() && class.module() == object {
            return Ok(class);
        }
        // Strings that will be frozen in the future have none then.
        if asterism_object::string::chilled(object).is_some() {
            self.check_frozen(object)?;
        }
        // A class's singleton class inherits from its superclass's, which is made first: the class lock is taken
        // for one class at a time.
        if let Some(of) = Class::from_value(object)
            && of.is_class()
            && let Some(parent) = of.chain().skip(1).find(|c| !c.is_include())
        {
            self.singleton_class(parent.0)?;
            // So is the class one level up, which a metaclass is an instance of.
            if class.is_singleton() && class.0 != object {
                self.singleton_class(class.0)?;
            }
        }
        self.with_class_lock(|ec| {
            let class = ec.class_of(object);
            if class.is_singleton() && class.module() == object {
                return Ok(class);
            }
            if let Some(of) = Class::from_value(object)
                && of.is_class()
            {
                return ec.make_metaclass(of);
            }
            let level = class_field(class.real().cell());
            let single = ec.alloc_class(Type::Class, class.0, level, SINGLETON)?;
            single.set_module(object);
            if let Some(cell) = object.cell() {
                set_class(ec, cell, single);
            }
            Ok(single)
        })
    }

    /// The singleton class as a program asks for it. That of a class has a singleton class itself where that of a
    /// superclass has: methods defined there are inherited.
    ///
    /// # Errors
    /// TypeError for objects that cannot have one; NoMemoryError.
    pub fn open_singleton(&mut self, object: Value) -> Res<Class> {
        let single = self.singleton_class(object)?;
        let has_own = |ec: &Ec, c: &Class| {
            let class = ec.class_of(c.0);
            c.is_singleton() && class.is_singleton() && class.module() == c.0
        };
        if Class::from_value(object).is_some() && single.chain().skip(1).any(|c| has_own(self, &c)) {
            self.singleton_class(single.0)?;
        }
        Ok(single)
    }

    /// An Array of the living classes and modules that `wanted` accepts, newest first. `wanted` must not allocate.
    ///
    /// # Errors
    /// NoMemoryError.
    pub fn collect_classes(&mut self, wanted: impl Fn(Class) -> bool) -> Res {
        self.make_all_classes()?;
        let vm = self.vm_arc();
        let accepts = |v: &Value| {
            let class = Class(*v);
            !class.is_include() && wanted(class)
        };
        loop {
            let count = vm.classes.lock().all().iter().filter(|v| accepts(v)).count();
            let list = asterism_object::array::filled(self, count, Value::NIL);
            let list = self.check(Value::NIL, list)?;
            // The list of classes is weak: they are moved to the Array, which this thread owns and which has
            // room for them, without reaching a safepoint.
            let classes = vm.classes.lock();
            if classes.all().iter().filter(|v| accepts(v)).count() != count {
                continue;
            }
            for (i, class) in classes.all().iter().filter(|v| accepts(v)).enumerate() {
                let done = asterism_object::array::set(self, list, count - 1 - i, *class);
                debug_assert!(done.is_ok());
            }
            drop(classes);
            return Ok(list);
        }
    }

    /// Forgets cached lookups for `class` and everything that inherits from it or includes it. Class lock held.
    pub(crate) fn invalidate_class(&mut self, class: Class) {
        class.invalidate();
        let vm = self.vm();
        vm.class_changes.fetch_add(1, Ordering::Relaxed);
        if vm.booting.load(Ordering::Relaxed) || class.flags() & INHERITED == 0 {
            return;
        }
        let mut classes = vm.classes.lock();
        // Nearly everything inherits from those that every object has, and most of it has been invalidated already.
        if self.is_everybodys(class) {
            let known = classes.all().iter().map(|c| Class(*c)).filter(|c| c.serial() != 0);
            known.filter(|c| c.inherits_from(class)).for_each(|c| c.invalidate());
        } else {
            classes.each_descendant(class, |c| c.invalidate());
        }
    }

    /// Does every object inherit from `class`?
    fn is_everybodys(&self, class: Class) -> bool {
        [WellKnown::Object, WellKnown::Kernel, WellKnown::BasicObject].iter().any(|known| class == self.known(*known))
    }

    /// Lets `class` know that its methods use instance variable `name`. Class lock held.
    fn learn_ivar(&mut self, class: Class, name: Sym) {
        let shapes = &self.vm().space.shapes;
        let names = shapes.collect(class.ivar_names(), name);
        if names != class.ivar_names() {
            class.set_ivar_names(names);
            class.learn_instance_slots(shapes.ivar_count(names) as u32);
        }
    }

    /// Lets `class` know the instance variables that a method of it uses: how big its instances should be.
    fn learn_ivars_of(&mut self, class: Class, method: Method) {
        // Methods of the script itself say nothing of the objects that inherit from Object.
        if class == self.known(WellKnown::Object) || class == self.known(WellKnown::Kernel) {
            return;
        }
        match method.body() {
            Body::Ruby(iseq) => {
                // SAFETY: the method keeps its code alive.
                let code = unsafe { (*iseq).code_arc() };
                let mut names = Vec::new();
                asterism_compiler::child::ivar_names(&code, &mut names);
                names.into_iter().for_each(|name| self.learn_ivar(class, name));
            }
            Body::Unread(parent, child) => {
                // SAFETY: as above.
                let names = unsafe { (&*parent).code.children[child].ivar_names() };
                names.into_iter().for_each(|name| self.learn_ivar(class, name));
            }
            Body::AttrWriter(name) => self.learn_ivar(class, name),
            _ => {}
        }
    }

    /// Puts `method` into `class`'s table.
    ///
    /// # Errors
    /// NoMemoryError.
    pub fn add_method(&mut self, class: Class, name: Sym, method: Method) -> Res<()> {
        self.settle(class);
        self.with_class_lock(|ec| {
            let table = ec.put_symbol(class.methods(), name, method.0)?;
            if let Some(table) = table {
                class.set_methods(table);
            }
            ec.learn_ivars_of(class, method);
            ec.invalidate_class(class);
            if let Some(refined) = refined_by(class) {
                ec.invalidate_class(refined);
            }
            Ok(())
        })?;
        match refined_by(class) {
            Some(refined) => self.note_refinement(refined, name),
            None => self.note_redefinition(class, name, false),
        }
        Ok(())
    }

    /// Puts `name => value` into a symbol table (0: none yet); the table to install instead if it had no room.
    pub(crate) fn put_symbol(&mut self, table: Value, name: Sym, value: Value) -> Res<Option<Value>> {
        if table.bits() != 0 && symbol_table::put(table, name, value) {
            return Ok(None);
        }
        let grown = if table.bits() == 0 { symbol_table::new(self, 8) } else { symbol_table::grown(self, table, 1) };
        let grown = self.check(Value::NIL, grown)?;
        if symbol_table::put(grown, name, value) {
            return Ok(Some(grown));
        }
        Err(self.fatal("a grown symbol table is full"))
    }

    /// Defines native methods from their table.
    ///
    /// # Errors
    /// NoMemoryError.
    pub fn define_natives(&mut self, class: Class, list: &'static [NativeDef]) -> Res<()> {
        for def in list {
            let name = asterism_symbol::intern_static(def.name);
            let visibility = if def.private { Visibility::Private } else { Visibility::Public };
            let method = Method::new(self, class.0, name, visibility, Body::Native(def), Value::NIL)?;
            self.add_method(class, name, method)?;
        }
        Ok(())
    }

    /// Defines native methods on the singleton class of `object`.
    ///
    /// # Errors
    /// NoMemoryError.
    pub fn define_singleton_natives(&mut self, object: Class, list: &'static [NativeDef]) -> Res<()> {
        let single = self.singleton_class(object.0)?;
        self.define_natives(single, list)
    }

    /// Defines native module functions: private instance methods and public singleton methods.
    ///
    /// # Errors
    /// NoMemoryError.
    pub fn define_module_functions(&mut self, module: Class, list: &'static [NativeDef]) -> Res<()> {
        self.define_singleton_natives(module, list)?;
        for def in list {
            let name = asterism_symbol::intern_static(def.name);
            let method = Method::new(self, module.0, name, Visibility::Private, Body::Native(def), Value::NIL)?;
            self.add_method(module, name, method)?;
        }
        Ok(())
    }

    /// Defines a class as a constant of `scope` (or returns the one that is there), without running `inherited`.
    ///
    /// # Errors
    /// NoMemoryError.
    pub fn define_class(&mut self, scope: Class, name: &str, superclass: Class) -> Res<Class> {
        let name = asterism_symbol::intern(name);
        if let Some(found) = self.own_constant(scope, name).and_then(Class::from_value) {
            return Ok(found);
        }
        let class = self.new_class(superclass)?;
        self.set_constant(scope, name, class.0)?;
        Ok(class)
    }

    /// Defines a module as a constant of `scope` (or returns the one that is there).
    ///
    /// # Errors
    /// NoMemoryError.
    pub fn define_module(&mut self, scope: Class, name: &str) -> Res<Class> {
        let name = asterism_symbol::intern(name);
        if let Some(found) = self.own_constant(scope, name).and_then(Class::from_value) {
            return Ok(found);
        }
        let module = self.new_module()?;
        self.set_constant(scope, name, module.0)?;
        Ok(module)
    }

    /// A well-known class as a `Class`.
    pub fn known(&self, which: WellKnown) -> Class {
        Class(self.class(which))
    }

    /// `alias`: makes `new` another name of the method found as `old`.
    ///
    /// # Errors
    /// NameError if there is none; NoMemoryError.
    pub fn alias_method(&mut self, class: Class, new: Sym, old: Sym) -> Res<()> {
        let Some(found) = self.find_method_for_definition(class, old) else {
            return Err(self.undefined_method_for_class(class, old));
        };
        let private = crate::interp::is_always_private(new);
        let visibility = if private { crate::method::Visibility::Private } else { found.visibility };
        let method = found.method.copy(self, found.method.owner().0, new, visibility)?;
        if new == old {
            method.set_own_alias();
        } else {
            crate::redefined::warn_redefined(self, class, new, method)?;
        }
        self.add_method(class, new, method)
    }

    /// An alias in the prelude: two names of equal standing, as a native method defined twice has, so each is
    /// what backtraces and `original_name` say.
    ///
    /// # Errors
    /// NameError, NoMemoryError.
    pub fn alias_own(&mut self, class: Class, new: Sym, old: Sym) -> Res<()> {
        let Some(found) = self.find_method_for_definition(class, old) else {
            return Err(self.undefined_method_for_class(class, old));
        };
        let method = found.method.renamed(self, new, found.visibility)?;
        self.add_method(class, new, method)
    }

    /// The method `name` of `class`; for a module also Object's, as alias and visibility changes find it.
    pub fn find_method_for_definition(&mut self, class: Class, name: Sym) -> Option<crate::method::Found> {
        if let (_, Some(found)) = self.find_method(class, name) {
            return Some(found);
        }
        if class.flags() & REFINEMENT != 0
            && let Some(refined) = Class::from_value(class.module())
        {
            return self.find_method_for_definition(refined, name);
        }
        if class.is_module() {
            let object = self.known(WellKnown::Object);
            return self.find_method(object, name).1;
        }
        None
    }

    /// FrozenError if the class or module is frozen, in the words used for definitions.
    ///
    /// # Errors
    /// FrozenError.
    pub fn check_class_frozen(&mut self, class: Class) -> Res<()> {
        let shown = if class.is_singleton() { class.module() } else { class.0 };
        let frozen = |v: Value| v.is_heap() && asterism_object::ownership::is_frozen(v);
        if !frozen(class.0) && !frozen(shown) {
            return Ok(());
        }
        let kind = self.class_name_of(shown);
        let text = self.inspect_for_error(shown)?;
        let message = [b"can't modify frozen ", kind.as_bytes(), b": ", &text].concat();
        let exc = self.exc_class(Exc::FrozenError);
        let e = self.new_exception(exc, &message)?;
        self.ivar_put(e, sym::receiver, shown)?;
        Err(self.raise_exception(e))
    }

    /// `undefined method 'x' for class 'Foo'`
    #[cold]
    pub fn undefined_method_for_class(&mut self, class: Class, name: Sym) -> crate::ec::Raised {
        let kind = if class.is_module() { "module" } else { "class" };
        let shown = self.class_name(class);
        let message = format!("undefined method '{}' for {kind} '{shown}'", name.text());
        self.name_error(Exc::NameError, message, class.0, name)
    }

    /// `undef`
    ///
    /// # Errors
    /// NameError if there is no such method; NoMemoryError.
    pub fn undef_method(&mut self, class: Class, name: Sym) -> Res<()> {
        if self.find_method_for_definition(class, name).is_none() {
            let raised = self.undefined_method_for_class(class, name);
            // CRuby gives this error's name as a String.
            if let Some(e) = self.pending_exception() {
                let text = self.str_enc(name.bytes(), name.name().encoding)?;
                self.ivar_put(e, sym::name, text)?;
                return Err(self.raise_exception(e));
            }
            return Err(raised);
        }
        crate::redefined::warn_endless(self, class, name)?;
        crate::redefined::warn_serious(self, "undefining", name)?;
        crate::redefined::warn_serious(self, "redefining", name)?;
        let method = Method::new(self, class.0, name, Visibility::Public, Body::Undefined, Value::NIL)?;
        self.add_method(class, name, method)?;
        crate::warning::warn_performance(self, class, name)
    }

    /// `remove_method`: whether the class itself had it.
    pub fn remove_method(&mut self, class: Class, name: Sym) -> bool {
        self.settle(class);
        let removed = self.with_class_lock(|ec| {
            let removed = symbol_table::remove(Some(class.methods()).filter(|table| table.bits() != 0)?, name)?;
            if let Some(refined) = refined_by(class) {
                ec.invalidate_class(refined);
            }
            ec.invalidate_class(class);
            Some(Method(removed))
        });
        if let Some(method) = removed {
            self.note_redefinition(class, name, method.is_core());
        }
        removed.is_some()
    }

    /// Changes the visibility of method `name` in `class`.
    ///
    /// # Errors
    /// NameError if there is no such method; NoMemoryError.
    pub fn set_visibility(&mut self, class: Class, name: Sym, visibility: Visibility) -> Res<()> {
        // What is prepended keeps its own.
        let below = class.origin().and_then(|origin| crate::method::lookup_from(self, Some(origin), name));
        let Some(found) = below.or_else(|| self.find_method_for_definition(class, name)) else {
            return Err(self.undefined_method_for_class(class, name));
        };
        if found.visibility == visibility {
            return Ok(());
        }
        // An alias lies in the class's own table too, though its owner may be another class.
        self.settle(class);
        let own = symbol_table::get(class.methods(), name) == Some(found.method.0);
        let method = if own || found.method.owner() == class {
            let owner = found.method.owner();
            found.method.copy(self, owner.0, name, visibility)?
        } else {
            let method = Method::new(self, class.0, name, visibility, Body::ZSuper, Value::NIL)?;
            let is_new = symbol_table::get(class.methods(), name).is_none();
            self.add_method(class, name, method)?;
            return if is_new { self.method_added(class, name) } else { Ok(()) };
        };
        self.add_method(class, name, method)
    }
}

/// Makes the classes everything else hangs on.
pub(crate) fn boot(ec: &mut Ec) -> Res<()> {
    let vm = ec.vm_arc();
    let known = &vm.space.classes;
    // The four roots refer to one another: made first, tied after.
    let basic = ec.alloc_class(Type::Class, Value::NULL, Value::NULL, 0)?;
    basic.set_alloc(Alloc::Object);
    known.set(WellKnown::BasicObject, basic.0);
    let object = ec.alloc_class(Type::Class, basic.0, Value::NULL, 0)?;
    known.set(WellKnown::Object, object.0);
    // What inherits from it from here on inherits that too.
    basic.add_flags(BLANK);
    let module = ec.alloc_class(Type::Class, object.0, Value::NULL, 0)?;
    module.set_alloc(Alloc::Module);
    known.set(WellKnown::Module, module.0);
    let class = ec.alloc_class(Type::Class, module.0, Value::NULL, 0)?;
    class.set_alloc(Alloc::Class);
    known.set(WellKnown::Class, class.0);
    for c in [basic, object, module, class] {
        set_class(ec, c.cell(), class);
    }
    for c in [basic, object, module, class] {
        ec.make_metaclass(c)?;
    }
    for (c, name) in [(basic, "BasicObject"), (object, "Object"), (module, "Module"), (class, "Class")] {
        ec.set_constant(object, asterism_symbol::intern(name), c.0)?;
    }
    // Below BasicObject Object's constants are not seen; this one is.
    ec.set_constant(basic, asterism_symbol::intern("BasicObject"), basic.0)?;
    let define = |ec: &mut Ec, which: WellKnown, name: &str, parent: Class, alloc: Alloc| -> Res<Class> {
        let made = ec.define_class(object, name, parent)?;
        made.set_alloc(alloc);
        ec.vm().space.classes.set(which, made.0);
        Ok(made)
    };
    for (which, name) in [
        (WellKnown::Kernel, "Kernel"),
        (WellKnown::Comparable, "Comparable"),
        (WellKnown::Enumerable, "Enumerable"),
        (WellKnown::ObjectSpace, "ObjectSpace"),
        (WellKnown::GC, "GC"),
        (WellKnown::Process, "Process"),
        (WellKnown::Math, "Math"),
        (WellKnown::Marshal, "Marshal"),
    ] {
        let module = ec.define_module(object, name)?;
        known.set(which, module.0);
    }
    let kernel = ec.known(WellKnown::Kernel);
    ec.include_module(object, kernel, false)?;
    define(ec, WellKnown::String, "String", object, Alloc::String)?;
    let exception = define(ec, WellKnown::Exception, "Exception", object, Alloc::Object)?;
    vm.set_exception_class(Exc::Exception, exception.0);
    for &(which, name, parent) in Exc::ALL {
        let parent = Class(vm.exception_class(parent));
        let made = ec.define_class(object, name, parent)?;
        vm.set_exception_class(which, made.0);
        if which == Exc::StandardError {
            known.set(WellKnown::StandardError, made.0);
        }
    }
    let numeric = define(ec, WellKnown::Numeric, "Numeric", object, Alloc::Object)?;
    define(ec, WellKnown::Integer, "Integer", numeric, Alloc::Undefined)?;
    define(ec, WellKnown::Float, "Float", numeric, Alloc::Undefined)?;
    define(ec, WellKnown::Rational, "Rational", numeric, Alloc::Undefined)?;
    define(ec, WellKnown::Complex, "Complex", numeric, Alloc::Undefined)?;
    define(ec, WellKnown::NilClass, "NilClass", object, Alloc::Undefined)?;
    define(ec, WellKnown::TrueClass, "TrueClass", object, Alloc::Undefined)?;
    define(ec, WellKnown::FalseClass, "FalseClass", object, Alloc::Undefined)?;
    define(ec, WellKnown::Symbol, "Symbol", object, Alloc::Undefined)?;
    define(ec, WellKnown::Array, "Array", object, Alloc::Array)?;
    define(ec, WellKnown::Hash, "Hash", object, Alloc::Hash)?;
    define(ec, WellKnown::Range, "Range", object, Alloc::Range)?;
    define(ec, WellKnown::Struct, "Struct", object, Alloc::Undefined)?;
    define(ec, WellKnown::Set, "Set", object, Alloc::Object)?;
    for (which, name) in [
        (WellKnown::Proc, "Proc"),
        (WellKnown::Method, "Method"),
        (WellKnown::UnboundMethod, "UnboundMethod"),
        (WellKnown::Data, "Data"),
        (WellKnown::Regexp, "Regexp"),
        (WellKnown::MatchData, "MatchData"),
        (WellKnown::Thread, "Thread"),
        (WellKnown::Binding, "Binding"),
        (WellKnown::Time, "Time"),
        (WellKnown::IO, "IO"),
        (WellKnown::Random, "Random"),
        (WellKnown::Encoding, "Encoding"),
        (WellKnown::Fiber, "Fiber"),
    ] {
        let alloc = match which {
            WellKnown::Regexp | WellKnown::Thread | WellKnown::Time | WellKnown::IO | WellKnown::Random => {
                Alloc::Native
            }
            _ => Alloc::Undefined,
        };
        define(ec, which, name, object, alloc)?;
    }
    let io = ec.known(WellKnown::IO);
    define(ec, WellKnown::File, "File", io, Alloc::Native)?;
    let main = ec.new_object(object.0)?;
    vm.set_root(Root::MainObject, main);
    let cref = ec.new_cref(object, Value::NIL)?;
    vm.set_root(Root::TopCref, cref);
    let no_memory = ec.exc_class(Exc::NoMemoryError);
    let e = ec.new_exception(no_memory, b"failed to allocate memory")?;
    vm.set_root(Root::NoMemoryError, e);
    Ok(())
}
