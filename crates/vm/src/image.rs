//! The boot image: what a VM is when its core classes have been defined, as the pattern that further VMs are made from.
//!
//! The first VM of a process defines the core classes; so does the second, and leaves an image: its cells (see
//! `asterism_heap::image`), and what the VM's structures say of them. All others copy that. Methods of classes are not
//! among the cells: they lie in tables which all VMs share (`core_methods`) and get a cell where they are first
//! called. Nothing in an image belongs to a VM, and nothing of it is ever changed.

use std::any::Any;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use asterism_compiler::Code;
use asterism_heap::Marker;
use asterism_heap::image::{Filled, Part, Recorder};
use asterism_object::class::Class;
use asterism_object::data::{self, Pattern};
use asterism_object::shape::ShapePattern;
use asterism_object::types::{Type, type_of};
use asterism_object::{Space, Sym, Value, bigint, symbol_table};
use num_bigint::BigInt;

use crate::core_methods::{CoreIseqs, CoreMethod, CoreMethods};
use crate::ec::{Ec, Res};
use crate::gvar::GvarPattern;
use crate::iseq::Iseq;
use crate::method::{Method, RawMethod};
use crate::native::PrimFn;
use crate::thread::{Slot, ThreadObject};
use crate::vm::{CoreHooks, Vm};

/// A VM has been booted in this process.
static BOOTED: AtomicBool = AtomicBool::new(false);
/// The image, once there is one, or what stood in the way.
static IMAGE: OnceLock<Result<Image, &'static str>> = OnceLock::new();

/// A word of an image: a part of it, or one that refers to none.
#[derive(Clone, Copy, Debug)]
pub enum Word {
    /// An immediate or another number.
    Raw(u64),
    /// A cell.
    Part(Part),
}

/// What the VM's own structures are made of. Immutable.
pub(crate) struct Image {
    hooks: &'static CoreHooks,
    cells: asterism_heap::image::Image,
    hash_seed: u64,
    shapes: ShapePattern,
    side: Vec<(Word, Word)>,
    /// Well-known classes, exceptions, roots, values of the main thread.
    known: Vec<Word>,
    exceptions: Vec<Word>,
    roots: Vec<Word>,
    thread_values: Vec<Word>,
    main_thread: Part,
    classes: Vec<Word>,
    autoloads: Vec<(Word, Sym, String)>,
    gvars: GvarPattern,
    primitives: Arc<HashMap<Sym, PrimFn>>,
    serials: u64,
    const_serial: u64,
    patterns: Vec<(Part, Pattern, Vec<Word>)>,
    integers: Vec<(Part, BigInt)>,
    iseqs: Vec<(Part, Arc<Code>)>,
    /// What core methods refer to that have no cell yet: it lives as long as the VM.
    kept: Vec<Part>,
    /// Codes that core methods, or what they are nested in, come from.
    pub(crate) codes: Vec<Arc<Code>>,
    core: Box<dyn Any + Send + Sync>,
}

/// What a VM that was made from the image knows of it.
pub(crate) struct FromImage {
    pub(crate) image: &'static Image,
    filled: Filled,
    pub(crate) iseqs: CoreIseqs,
}

impl FromImage {
    /// What a word of the image is in this VM.
    pub(crate) fn word(&self, word: Word) -> u64 {
        match word {
            Word::Raw(word) => word,
            Word::Part(part) => self.image.cells.address(&self.filled, part),
        }
    }

    /// Marks what the VM needs of the image whatever else it has.
    pub(crate) fn trace(&self, marker: &mut Marker) {
        marker.mark_slice(self.iseqs.words());
        for part in &self.image.kept {
            marker.mark(self.part(*part).0);
        }
    }

    fn part(&self, part: Part) -> Value {
        Value(self.image.cells.address(&self.filled, part))
    }
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
        let image = Recording::new(ec).finish(ec);
        // Another VM may have left one meanwhile, which does as well.
        let _ = IMAGE.set(image);
    }
}

/// An image that is being made.
pub struct Recording<'a> {
    cells: Recorder<'a>,
    main_thread: Option<Part>,
    patterns: Vec<(Part, Pattern, Vec<Word>)>,
    integers: Vec<(Part, BigInt)>,
    iseqs: Vec<(Part, Arc<Code>)>,
    codes: Vec<Arc<Code>>,
    kept: Vec<Part>,
    /// Codes by the address of their Iseq.
    code_numbers: HashMap<usize, usize>,
    /// Iseqs that are children: the parent's Iseq, and which child.
    children: HashMap<usize, (*const Iseq, usize)>,
    /// What stands in the way.
    failed: Option<&'static str>,
}

impl<'a> Recording<'a> {
    fn new(ec: &'a Ec) -> Recording<'a> {
        Recording {
            cells: Recorder::new(ec),
            main_thread: None,
            patterns: Vec::new(),
            integers: Vec::new(),
            iseqs: Vec::new(),
            codes: Vec::new(),
            kept: Vec::new(),
            code_numbers: HashMap::new(),
            children: HashMap::new(),
            failed: None,
        }
    }

    /// A word as the image has it.
    pub fn word(&mut self, word: u64) -> Word {
        match self.cells.part(word) {
            Some((part, 0)) => Word::Part(part),
            Some(_) => {
                self.failed = Some("a pointer into a cell");
                Word::Raw(0)
            }
            None => Word::Raw(word),
        }
    }

    fn words<'w>(&mut self, words: impl IntoIterator<Item = &'w AtomicU64>) -> Vec<Word> {
        words.into_iter().map(|word| self.word(word.load(Ordering::Acquire))).collect()
    }

    fn finish(mut self, ec: &Ec) -> Result<Image, &'static str> {
        let vm = ec.vm();
        self.note_children(vm);
        let known = self.words(vm.space.classes.words());
        let (exceptions, roots) = vm.root_words();
        let (exceptions, roots) = (self.words(exceptions), self.words(roots));
        let thread_values = (0..Slot::Count as usize).map(|i| self.word(ec.ruby_thread.value_word(i))).collect();
        let classes: Vec<Value> = vm.classes.lock().clone();
        let classes = classes.iter().map(|class| self.word(class.0)).collect();
        let autoloads = vm.autoloads.lock().clone();
        let autoloads = autoloads.into_iter().map(|((class, name), path)| (self.word(class), name, path)).collect();
        if !vm.space.holders.is_empty() {
            self.failed = Some("an Array or a String that messages share");
        }
        if !vm.const_locations.lock().is_empty() {
            self.failed = Some("places of constants");
        }
        let gvars = vm.gvars.pattern(|word| self.word(word));
        let core = (vm.hooks.record)(vm, &mut self);
        self.visit_cells();
        // Only the objects that are there need their instance variables, which may lead to further objects.
        let mut side = Vec::new();
        for (address, table) in vm.space.side.entries() {
            side.push((self.word(address), self.word(table.0)));
        }
        self.visit_cells();
        if let Some(why) = self.failed {
            return Err(why);
        }
        Ok(Image {
            hooks: vm.hooks,
            cells: self.cells.finish().ok_or("its size")?,
            hash_seed: vm.space.hash_seed,
            shapes: vm.space.shapes.pattern(),
            side,
            known,
            exceptions,
            roots,
            thread_values,
            main_thread: self.main_thread.ok_or("no main thread")?,
            classes,
            autoloads,
            gvars,
            primitives: vm.primitives_arc(),
            serials: vm.last_serial(),
            const_serial: vm.const_serial.load(Ordering::Acquire),
            patterns: self.patterns,
            integers: self.integers,
            iseqs: self.iseqs,
            codes: self.codes,
            kept: self.kept,
            core,
        })
    }

    /// Notes whose children the methods' codes are, so that a method and its alias get the same.
    fn note_children(&mut self, vm: &Vm) {
        for &class in vm.classes.lock().iter() {
            symbol_table::for_each(Class(class).methods(), |_, word| {
                let method = Method(word);
                let Some(parent) = method.body_iseq().filter(|_| !method.is_whole_body()) else { return };
                // SAFETY: the method keeps its code alive.
                let parent_code = unsafe { &*parent };
                for i in 0..parent_code.children.len() {
                    if let Some(child) = parent_code.made_child(i) {
                        self.children.insert(child as usize, (parent, i));
                    }
                }
            });
        }
    }

    fn visit_cells(&mut self) {
        while let Some((part, cell, words)) = self.cells.visit() {
            let value = Value(cell.address());
            match type_of(cell) {
                Type::Class | Type::Module | Type::IncludeClass => {
                    self.cells.refer_class();
                    for index in Class::REFERENCES {
                        self.cells.refer(index);
                    }
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
                Type::SymbolTable if symbol_table::compact(value).is_some() => {
                    if let Some((words, class)) = symbol_table::compact(value) {
                        (0..words).for_each(|index| self.cells.refer(index));
                        self.cells.shrink(words, class);
                    }
                }
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
            let mut from = iseq;
            if method.is_whole_body()
                && let Some(&(parent, child)) = self.children.get(&(iseq as usize))
            {
                from = parent;
                raw = Method::raw_child(raw, child);
            }
            raw[RawMethod::BODY] = 0;
            let codes = &mut self.codes;
            *self.code_numbers.entry(from as usize).or_insert_with(|| {
                // SAFETY: the method keeps its code, and what that is nested in, alive.
                codes.push(unsafe { (*from).code_arc() });
                codes.len() - 1
            })
        });
        let words = raw.map(|word| self.word(word));
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
        let Some(filled) = ec.fill(&self.cells) else {
            return Err(ec.no_memory());
        };
        let vm = ec.vm();
        let from = FromImage { image: self, filled, iseqs: CoreIseqs::new(self.codes.len()) };
        // The cell is empty: the VM was made a moment ago.
        let from = vm.from_image.get_or_init(|| from);
        // Up to the end of these there is no safepoint.
        for (part, pattern, words) in &self.patterns {
            let object = from.part(*part);
            pattern.fill(ec, object);
            if !words.is_empty() {
                for (word, from_image) in data::words(&object).into_iter().zip(words) {
                    word.store(from.word(*from_image), Ordering::Release);
                }
            }
        }
        for (part, n) in &self.integers {
            bigint::fill(ec, from.part(*part), n.clone());
        }
        let object = from.part(self.main_thread);
        data::fill(ec, object, ThreadObject(ec.ruby_thread.clone()));
        for (word, from_image) in vm.space.classes.words().zip(&self.known) {
            word.store(from.word(*from_image), Ordering::Release);
        }
        let (exceptions, roots) = vm.root_words();
        for (word, from_image) in exceptions.iter().zip(&self.exceptions).chain(roots.iter().zip(&self.roots)) {
            word.store(from.word(*from_image), Ordering::Release);
        }
        for (i, word) in self.thread_values.iter().enumerate() {
            ec.ruby_thread.set_value_word(i, from.word(*word));
        }
        *vm.classes.lock() = self.classes.iter().map(|word| Value(from.word(*word))).collect();
        for (object, table) in &self.side {
            vm.space.side.adopt(from.word(*object), Value(from.word(*table)));
        }
        let autoloads = self.autoloads.iter();
        *vm.autoloads.lock() =
            autoloads.map(|(class, name, path)| ((from.word(*class), *name), path.clone())).collect();
        vm.gvars.install(&self.gvars, |word| from.word(word));
        vm.set_counters(self.serials, self.const_serial, self.primitives.clone());
        crate::thread::install_main(ec, object);
        (vm.hooks.replay)(ec, &*self.core, &|word| from.word(word))?;
        for (part, code) in &self.iseqs {
            Iseq::fill(ec, from.part(*part), code)?;
        }
        Ok(())
    }
}
