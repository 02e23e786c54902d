//! The boot image: what a VM is when its core classes have been defined, as the pattern that further VMs are made from.
//!
//! The first VM of a process defines the core classes; so does the second, and leaves an image: its cells (see
//! `asterism_heap::image`), and what the VM's structures say of them. All others copy that. Methods of classes are not
//! among the cells: they lie in tables which all VMs share (`core_methods`) and get a cell where they are first
//! called. Nor are tables of constants, but Object's, and classes and modules that only a constant leads to: the word that would
//! lead there is a mark ([`is_mark`]) until a constant is looked up, or until somebody asks for all classes
//! ([`Ec::make_all_classes`]). Nothing in an image belongs to a VM,
//! and nothing of it is ever changed.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use asterism_compiler::Code;
use asterism_heap::image::{Part, Recorder};
use asterism_object::class::Class;
use asterism_object::data::{self, Pattern};
use asterism_object::shape::ShapePattern;
use asterism_object::space::WellKnown;
use asterism_object::types::{Type, type_of};
use asterism_object::{Space, Sym, Value, bigint, symbol_table};
use num_bigint::BigInt;

use crate::core_methods::{CoreMethod, CoreMethods};
use crate::ec::{Ec, Res};
use crate::gvar::GvarPattern;
use crate::iseq::Iseq;
use crate::keep::PartsPattern;
use crate::method::{Method, RawMethod};
use crate::native::PrimFn;
use crate::promises::Promise;
use crate::thread::{Slot, ThreadObject};
use crate::vm::{CoreHooks, Vm};
use from_image::Cells;
pub(crate) use from_image::{CoreIseqs, FromImage};
pub use recording::Recording;
use word::MARK;
pub use word::Word;
pub(crate) use word::is_mark;

mod from_image;
mod recording;
mod word;

/// A VM has been booted in this process.
static BOOTED: AtomicBool = AtomicBool::new(false);
/// The image, once there is one, or what stood in the way.
static IMAGE: OnceLock<Result<Image, &'static str>> = OnceLock::new();

/// What the VM's own structures are made of. Immutable.
pub(crate) struct Image {
    hooks: &'static CoreHooks,
    cells: Cells,
    hash_seed: u64,
    shapes: ShapePattern,
    side: Vec<(Word, Word)>,
    /// Well-known classes, exceptions, roots, values of the main thread.
    known: Vec<Word>,
    exceptions: Vec<Word>,
    roots: Vec<Word>,
    thread_values: Vec<Word>,
    main_thread: Part,
    autoloads: Vec<(Word, Sym, Arc<str>)>,
    gvars: GvarPattern,
    primitives: Arc<HashMap<Sym, PrimFn>>,
    serials: u64,
    const_serial: u64,
    patterns: Vec<(Part, Pattern, Vec<Word>)>,
    integers: Vec<(Part, BigInt)>,
    iseqs: Vec<(Part, Arc<Code>)>,
    parts: PartsPattern,
}

/// The image to make a VM from, if there is one for these hooks.
pub(crate) fn get(hooks: &'static CoreHooks) -> Option<&'static Image> {
    IMAGE.get()?.as_ref().ok().filter(|image| std::ptr::eq(image.hooks, hooks))
}

/// Why there is no image although two VMs have been booted: something in the core library cannot be part of one.
pub fn failure() -> Option<&'static str> {
    IMAGE.get()?.as_ref().err().copied()
}

/// Called when a VM has been booted, before it runs anything: the second one leaves an image.
pub(crate) fn booted(ec: &mut Ec) {
    if BOOTED.swap(true, Ordering::AcqRel) && IMAGE.get().is_none() {
        let image = Recording::new(Recorder::new(ec)).finish(ec);
        // Another VM may have left one meanwhile, which does as well.
        asterism_lock::once::get_or_init(&IMAGE, || image);
    }
}

impl Ec {
    /// The table of a class's constants, or 0. `None`: there is no memory at all.
    #[inline]
    pub fn constants(&mut self, class: Class) -> Option<Value> {
        let table = class.constants();
        if is_mark(table) { self.make_constants(class, table) } else { Some(table) }
    }

    #[cold]
    fn make_constants(&mut self, class: Class, mark: Value) -> Option<Value> {
        self.beyond_limit(|ec| {
            ec.with_class_lock(|ec| {
                if class.constants() == mark {
                    let made = ec.make_part((mark.bits() >> 8) as u32)?;
                    class.set_constants(made);
                }
                Ok(class.constants())
            })
        })
    }

    /// The constant of `class` that `mark` stands for, which is made; `None` if it was removed meanwhile, or there is no memory
    /// at all.
    #[cold]
    pub(crate) fn make_constant(&mut self, class: Class, name: Sym, mark: Value) -> Option<Value> {
        let made = self.beyond_limit(|ec| {
            ec.with_class_lock(|ec| {
                let made = ec.make_part((mark.bits() >> 8) as u32)?;
                let current = symbol_table::get(class.constants(), name);
                if current == Some(mark) && !symbol_table::put(class.constants(), name, made) {
                    return Err(ec.fatal("a constant has no room"));
                }
                Ok(current.map(|current| if current == mark { made } else { current }))
            })
        });
        made.flatten()
    }

    /// What a word of the image is in this VM, which was made from it. Class lock held.
    pub(crate) fn image_word(&mut self, from: &FromImage, word: Word) -> Res<u64> {
        let part = match word {
            Word::Raw(word) => return Ok(word),
            Word::Part(part) => part,
        };
        match from.cells.image.address(&from.filled, part) {
            Ok(address) => Ok(address),
            Err(number) => self.make_part(number).map(|made| made.bits()),
        }
    }

    /// Makes what was not there from the start. Class lock held.
    fn make_part(&mut self, number: u32) -> Res {
        let vm = self.vm_arc();
        let Some(from) = vm.from_image.get() else { return Err(self.fatal("a mark without an image")) };
        let Some(made) = self.make(&from.cells.image, &from.filled, number, Type::Bytes as u64) else {
            return Err(self.no_memory());
        };
        // SAFETY: the image gives addresses of cells, which are made just now or kept by what refers to them.
        let cell_at = |address| unsafe { Value::from_bits(address) };
        let is_class = |v: &Value| Class::from_value(*v).is_some();
        vm.classes.lock().extend(made.into_iter().map(cell_at).filter(is_class));
        from.filled.made(number).map(cell_at).ok_or_else(|| self.fatal("a part was not made"))
    }

    /// Makes all classes that have not been needed so far, for whoever looks at all of them.
    ///
    /// # Errors
    /// NoMemoryError.
    pub fn make_all_classes(&mut self) -> Res<()> {
        let vm = self.vm_arc();
        let Some(from) = vm.from_image.get().filter(|from| !from.complete.load(Ordering::Acquire)) else {
            return Ok(());
        };
        self.with_class_lock(|ec| {
            for &number in &from.cells.later_classes {
                ec.make_part(number)?;
            }
            // In the order of their definition, and behind them those that the program has defined.
            let mut order: Vec<Value> = Vec::new();
            for word in &from.cells.classes {
                // SAFETY: the words are those of classes.
                order.push(unsafe { Value::from_bits(ec.image_word(from, *word)?) });
            }
            let known: HashSet<Value> = order.iter().copied().collect();
            let mut classes = vm.classes.lock();
            let living: HashSet<Value> = classes.all().iter().copied().collect();
            let others: Vec<Value> = classes.all().iter().copied().filter(|class| !known.contains(class)).collect();
            classes.replace(order.into_iter().filter(|class| living.contains(class)).chain(others).collect());
            from.complete.store(true, Ordering::Release);
            Ok(())
        })
    }
}

impl Recording<'_> {
    fn finish(mut self, ec: &Ec) -> Result<Image, &'static str> {
        let vm = ec.vm();
        self.note_children(vm);
        let known = self.words(vm.space.classes.words());
        let (exceptions, roots) = vm.root_words();
        let (exceptions, roots) = (self.words(exceptions), self.words(roots));
        // What every program looks into.
        self.word(Class(vm.space.classes.get(WellKnown::Object)).constants().bits());
        let thread_values = (0..Slot::Count as usize).map(|i| self.word(ec.thread.handle.value_at(i).bits())).collect();
        let classes = vm.classes.lock().all().to_vec();
        let classes = classes.iter().map(|class| self.word_for_later(class.bits())).collect::<Vec<_>>();
        let autoloads: Vec<_> =
            vm.autoloads.lock().promised.iter().map(|(&key, promise)| (key, promise.feature.clone())).collect();
        let autoloads = autoloads.into_iter().map(|((class, name), path)| (self.word(class), name, path)).collect();
        if !vm.space.holders.is_empty() {
            self.failed = Some("an Array or a String that messages share");
        }
        if !vm.const_locations.lock().is_empty() {
            self.failed = Some("places of constants");
        }
        let gvars = vm.gvars.pattern(|word| self.word(word));
        let parts = vm.record_parts(&mut self);
        self.visit_cells();
        // Only the objects that are there need their instance variables, which may lead to further objects.
        let mut side = Vec::new();
        for (address, table) in vm.space.side.entries() {
            side.push((self.word(address), self.word(table.bits())));
        }
        self.visit_cells();
        if let Some(why) = self.failed {
            return Err(why);
        }
        let cells = self.cells.finish(&self.roots, |number| u64::from(number) << 8 | MARK).ok_or("its size")?;
        let is_class = |number: &u32| {
            let ty = cells.later_header(*number) as u8;
            [Type::Class, Type::Module, Type::IncludeClass].iter().any(|class| *class as u8 == ty)
        };
        Ok(Image {
            hooks: vm.hooks,
            cells: Cells {
                later_classes: (0..cells.later()).filter(is_class).collect(),
                kept: self.kept.into_iter().filter(|part| cells.later_number(*part).is_none()).collect(),
                image: cells,
                classes,
                codes: self.codes,
            },
            hash_seed: vm.space.hash_seed,
            shapes: vm.space.shapes.pattern(),
            side,
            known,
            exceptions,
            roots,
            thread_values,
            main_thread: self.main_thread.ok_or("no main thread")?,
            autoloads,
            gvars,
            primitives: vm.primitives_arc(),
            serials: vm.last_serial(),
            const_serial: vm.const_serial.load(Ordering::Acquire),
            patterns: self.patterns,
            integers: self.integers,
            iseqs: self.iseqs,
            parts,
        })
    }

    /// Notes whose children the methods' codes are, so that a method and its alias get the same.
    fn note_children(&mut self, vm: &Vm) {
        for &class in vm.classes.lock().all() {
            symbol_table::for_each(Class(class).methods(), |_, word| {
                let method = Method(word);
                let Some(parent) = method.body_iseq().filter(|_| !method.is_whole_body()) else { return };
                // SAFETY: the method keeps its code alive.
                let parent_code = unsafe { &*parent };
                for i in 0..parent_code.children.len() {
                    if let Some(child) = parent_code.made_child(i) {
                        self.children.insert(child as usize, (parent as usize, parent_code.code_arc(), i));
                    }
                }
            });
        }
    }

    fn visit_cells(&mut self) {
        while let Some((part, cell, words)) = self.cells.visit() {
            let value = Value::from_cell(cell);
            match type_of(cell) {
                Type::Class | Type::Module | Type::IncludeClass => {
                    self.cells.refer_class();
                    for index in Class::REFERENCES {
                        self.cells.refer(index);
                    }
                    self.cells.refer_later(Class::CONSTANTS);
                    self.constants.insert(Class(value).constants().bits());
                    self.cells.put(Class::SERIAL, 0);
                    self.cells.put(Class::METHODS, 0);
                    let table = self.core_methods(Class(value));
                    self.cells.put(Class::CORE_METHODS, table);
                }
                Type::Float | Type::Bytes => self.cells.refer_class(),
                Type::BigInt => {
                    self.cells.refer_class();
                    self.integers.push((part, bigint::get(&value).clone()));
                }
                Type::Data => {
                    self.cells.refer_class();
                    self.cells.put(data::VALUE_WORD, 0);
                    if data::is::<ThreadObject>(value) && self.main_thread.is_none() {
                        self.main_thread = Some(part);
                    } else if let Some(pattern) = Pattern::of(value) {
                        let words = self.words(data::words(&value));
                        self.patterns.push((part, pattern, words));
                    } else {
                        self.failed = Some(data::type_name(value).unwrap_or("an object"));
                    }
                }
                Type::Iseq => {
                    self.cells.put(0, 0);
                    if let Some(iseq) = Iseq::from_value(value) {
                        // SAFETY: the cell keeps its code alive.
                        self.iseqs.push((part, unsafe { (*iseq).code_arc() }));
                    }
                }
                Type::SymbolTable => self.visit_table(value, words),
                Type::Buffer => self.failed = Some("a long String"),
                _ => {
                    self.cells.refer_class();
                    for index in 0..words {
                        self.cells.refer(index);
                    }
                }
            }
        }
    }

    fn visit_table(&mut self, table: Value, words: usize) {
        self.cells.refer_class();
        let compact = symbol_table::compact(table);
        let values = symbol_table::values(table);
        for index in 0..compact.map_or(words, |(words, _)| words) {
            let value = values.iter().find(|(at, _)| *at == index).and_then(|(_, value)| Class::from_value(*value));
            match value {
                // Nothing of a copy has been traced.
                _ if index == symbol_table::USED => self.cells.put(index, symbol_table::used_untraced(table)),
                Some(class) if !class.is_include() && self.constants.contains(&table.bits()) => {
                    self.cells.refer_later(index)
                }
                _ => self.cells.refer(index),
            }
        }
        if let Some((words, class)) = compact {
            self.cells.shrink(words, class);
        }
    }

    /// The table that VMs find the class's methods in: its address, or 0 if it has none.
    fn core_methods(&mut self, class: Class) -> u64 {
        let mut list = Vec::new();
        let mut i = 0;
        while let Some(entry) = symbol_table::nth(class.methods(), i) {
            i += 1;
            if let Some((name, word)) = entry {
                list.push(self.core_method(name, Method(word)));
            }
        }
        if list.is_empty() {
            return 0;
        }
        // There is one image in a process, and it stays.
        std::ptr::from_ref(Box::leak(Box::new(CoreMethods::new(list)))) as u64
    }

    fn core_method(&mut self, name: Sym, method: Method) -> CoreMethod {
        let mut raw = method.raw();
        let code = method.body_iseq().map(|iseq| {
            // SAFETY: the method keeps its code alive.
            let mut from = (iseq as usize, unsafe { (*iseq).code_arc() });
            if method.is_whole_body()
                && let Some((parent, code, child)) = self.children.get(&(iseq as usize))
            {
                from = (*parent, code.clone());
                raw = Method::raw_child(raw, *child);
            }
            raw[RawMethod::BODY] = 0;
            let codes = &mut self.codes;
            *self.code_numbers.entry(from.0).or_insert_with(|| {
                codes.push(from.1);
                codes.len() - 1
            })
        });
        let words = raw.map(|word| self.word_for_later(word));
        for word in words {
            if let Word::Part(part) = word
                && !self.kept.contains(&part)
            {
                self.kept.push(part);
            }
        }
        CoreMethod { name, words, code }
    }
}

impl Image {
    /// The part of the object crate for a new VM.
    pub(crate) fn space(&'static self) -> Space {
        Space::from_pattern(self.hash_seed, &self.shapes)
    }

    /// Makes the calling thread's new VM what the image says, before anything is allocated in it.
    ///
    /// # Errors
    /// NoMemoryError.
    pub(crate) fn install(&'static self, ec: &mut Ec) -> Res<()> {
        let Some(filled) = ec.fill(&self.cells.image) else {
            return Err(ec.no_memory());
        };
        let vm = ec.vm_arc();
        let from = FromImage {
            cells: &self.cells,
            filled,
            iseqs: CoreIseqs::new(self.cells.codes.len()),
            complete: AtomicBool::new(false),
        };
        // The cell is empty: the VM was made a moment ago.
        let from = vm.from_image.get_or_init(|| from);
        // Up to the end of these there is no safepoint.
        for (part, pattern, words) in &self.patterns {
            let object = from.part(*part);
            pattern.fill(ec, object);
            if !words.is_empty() {
                for (word, from_image) in data::words(&object).into_iter().zip(words) {
                    word.store(from.value(*from_image), Ordering::Release);
                }
            }
        }
        for (part, n) in &self.integers {
            bigint::fill(ec, from.part(*part), n.clone());
        }
        let object = from.part(self.main_thread);
        data::fill(ec, object, ThreadObject(ec.thread.handle.clone()));
        for (word, from_image) in vm.space.classes.words().zip(&self.known) {
            word.store(from.value(*from_image), Ordering::Release);
        }
        let (exceptions, roots) = vm.root_words();
        for (word, from_image) in exceptions.iter().zip(&self.exceptions).chain(roots.iter().zip(&self.roots)) {
            word.store(from.value(*from_image), Ordering::Release);
        }
        for (i, word) in self.thread_values.iter().enumerate() {
            ec.thread.handle.set_value(i, from.value(*word));
        }
        let there = |word: &Word| match word {
            Word::Part(part) => self.cells.image.address(&from.filled, *part).is_ok().then(|| from.part(*part)),
            Word::Raw(_) => None,
        };
        vm.classes.lock().replace(self.cells.classes.iter().filter_map(there).collect());
        for (object, table) in &self.side {
            vm.space.side.adopt(from.value(*object).bits(), from.value(*table));
        }
        let autoloads = self.autoloads.iter();
        vm.autoloads.lock().promised = autoloads
            .map(|(class, name, path)| ((from.value(*class).bits(), *name), Promise::of_core(path.clone())))
            .collect();
        vm.gvars.install(&self.gvars, |word| from.value(word));
        vm.set_counters(self.serials, self.const_serial, self.primitives.clone());
        crate::thread::install_main(ec, object);
        self.parts.install(ec, &|word| from.value(word))?;
        for (part, code) in &self.iseqs {
            Iseq::fill(ec, from.part(*part), code)?;
        }
        Ok(())
    }
}
