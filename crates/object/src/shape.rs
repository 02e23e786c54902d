//! Shapes: which instance variable of an object lies in which slot.
//!
//! Shapes form a tree. A root knows how many inline slots the object's cell has; each child adds an
//! instance variable, in the next slot, or takes one away, leaving a hole. Nodes never change and
//! are never freed, so an object's shape number, read with its header, tells a reader without a lock
//! where to look. Only adding a node takes a lock.

use std::collections::HashMap;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use asterism_lock::Mutex;
use asterism_symbol::Sym;

/// A shape's number: what the header word's upper half holds.
pub type ShapeId = u32;

/// The shape of objects whose instance variables lie in a table of their own.
pub const COMPLEX: ShapeId = u32::MAX;

/// Inline slots of the objects of each root whose cells have a word for a store; the root's number is the index.
const ROOT_SLOTS: [u32; 7] = [1, 3, 5, 7, 9, 11, 13];
/// Inline slots of the objects of each root whose cells have slots only; the root's number is the index behind
/// the others.
const EXACT_SLOTS: [u32; 14] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14];
/// The root for collecting the names a class's methods use (`ShapeTable::collect`).
const COLLECTING: ShapeId = ROOT_SLOTS.len() as u32 - 1;
/// More instance variables (ever set, holes included) make an object complex.
const MAX_IVARS: u32 = 128;
/// More shapes make the next object complex.
const MAX_SHAPES: u32 = 1 << 18;
/// Nodes in the first segment; each further one has twice as many as the one before.
const FIRST_SEGMENT: u32 = 64;
const SEGMENTS: usize = (MAX_SHAPES / FIRST_SEGMENT).ilog2() as usize + 1;

/// The segment that a shape's node lies in, and where.
#[inline(always)]
const fn position(shape: ShapeId) -> (usize, usize) {
    // `COMPLEX` and its like lead behind the last segment.
    let n = shape as u64 + FIRST_SEGMENT as u64;
    let segment = n.ilog2() - FIRST_SEGMENT.ilog2();
    (segment as usize, (n - ((FIRST_SEGMENT as u64) << segment)) as usize)
}

/// Where an instance variable lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Slot(pub u32);

impl Slot {
    const EXTERNAL: u32 = 1 << 31;

    /// Slot `i` of an object with `inline` slots in its cell, behind `base` other payload words.
    fn number(i: u32, inline: u32, base: u32) -> Slot {
        if i < inline { Slot(i + base) } else { Slot((i - inline) | Slot::EXTERNAL) }
    }

    /// Is it in the object's own cell?
    #[inline(always)]
    pub const fn is_inline(self) -> bool {
        self.0 & Slot::EXTERNAL == 0
    }

    /// Its index: among the cell's payload words, or among the store's slots.
    #[inline(always)]
    pub const fn index(self) -> usize {
        (self.0 & !Slot::EXTERNAL) as usize
    }
}

/// What a shape's step does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    Root,
    Add(Sym),
    Remove(Sym),
}

struct Node {
    parent: ShapeId,
    step: Step,
    /// Slots in use, holes included.
    slots: u32,
    /// Inline slots of the cell.
    inline: u32,
    /// Payload words in front of them: 1 for the store, or 0 if there is no room for one.
    base: u32,
    /// Instance variables there are.
    count: u32,
    /// The child made last: symbol above, shape below; a cache of the transitions' map.
    last_child: AtomicU64,
}

impl Node {
    fn slot(&self, i: u32) -> Slot {
        Slot::number(i, self.inline, self.base)
    }
}

/// A shape as programs see it that look at their heap.
#[derive(Clone, Copy, Debug)]
pub struct Outline {
    /// The shape it was made from, and the instance variable that it adds, or takes away; `None`: it is a root.
    pub from: Option<(ShapeId, Sym, bool)>,
    /// Slots in use, holes included.
    pub slots: u32,
}

impl Outline {
    /// Bytes of a shape.
    pub const BYTES: usize = size_of::<Node>();
}

/// How many answers of [`ShapeTable::lookup`] are remembered.
const REMEMBERED: usize = 512;

/// Answers of [`ShapeTable::lookup`], for sites that see more shapes than an inline cache holds. A word is an answer
/// whole: shape (18 bits), symbol (32), and the slot (14), so that threads share the table without a lock; whatever
/// they lose to each other is looked up again. Nodes never change, so no answer becomes wrong.
struct Answers([AtomicU64; REMEMBERED]);

impl Answers {
    const SLOT_BITS: u32 = 14;
    /// The answer that there is none; no slot has this number.
    const ABSENT: u64 = (1 << Answers::SLOT_BITS) - 1;
    const EXTERNAL: u64 = 1 << (Answers::SLOT_BITS - 1);

    fn none() -> Box<Answers> {
        Box::new(Answers([const { AtomicU64::new(0) }; REMEMBERED]))
    }

    fn key(shape: ShapeId, sym: Sym) -> u64 {
        // A shape's number is below MAX_SHAPES, and never 0 with symbol 0: no instance variable is called so.
        u64::from(shape) << 32 | u64::from(sym.0)
    }

    fn place(&self, shape: ShapeId, sym: Sym) -> &AtomicU64 {
        &self.0[(sym.0.wrapping_mul(31).wrapping_add(shape)) as usize % REMEMBERED]
    }

    #[inline]
    fn find(&self, shape: ShapeId, sym: Sym) -> Option<Option<Slot>> {
        let word = self.place(shape, sym).load(Ordering::Relaxed);
        if word >> Self::SLOT_BITS != Self::key(shape, sym) {
            return None;
        }
        let slot = word & Self::ABSENT;
        Some((slot != Self::ABSENT).then(|| {
            let external = if slot & Self::EXTERNAL == 0 { 0 } else { Slot::EXTERNAL };
            Slot((slot & !Self::EXTERNAL) as u32 | external)
        }))
    }

    fn remember(&self, shape: ShapeId, sym: Sym, slot: Option<Slot>) {
        let number = match slot {
            Some(slot) if slot.is_inline() => slot.index() as u64,
            Some(slot) => slot.index() as u64 | Self::EXTERNAL,
            None => Self::ABSENT,
        };
        let word = Self::key(shape, sym) << Self::SLOT_BITS | number;
        self.place(shape, sym).store(word, Ordering::Relaxed);
    }
}

const _: () = assert!(MAX_SHAPES <= 1 << 18 && (MAX_IVARS as u64) < Answers::EXTERNAL / 2);

/// A run of nodes, each written once.
type Segment = Box<[OnceLock<Node>]>;

/// Shapes for other VMs to begin with. Immutable.
pub struct ShapePattern {
    nodes: Vec<Node>,
    transitions: HashMap<(ShapeId, Sym, bool), ShapeId>,
}

/// A VM's shapes.
pub struct ShapeTable {
    /// The first shapes, which other VMs have too: their nodes, but for `last_child`, and their transitions.
    base: &'static [Node],
    base_transitions: Option<&'static HashMap<(ShapeId, Sym, bool), ShapeId>>,
    /// `last_child` of the first shapes.
    base_children: OnceLock<Box<[AtomicU64]>>,
    /// The shapes behind those. Written once each, before a number in it is handed out.
    segments: Box<[OnceLock<Segment>]>,
    count: AtomicU32,
    /// Children by parent and step (symbol, removed?). Protects adding.
    transitions: Mutex<HashMap<(ShapeId, Sym, bool), ShapeId>>,
    answers: OnceLock<Box<Answers>>,
}

impl ShapeTable {
    pub(crate) fn new() -> ShapeTable {
        let table = ShapeTable::empty();
        for inline in ROOT_SLOTS {
            table.add(0, Step::Root, 0, (inline, 1), 0);
        }
        for inline in EXACT_SLOTS {
            table.add(0, Step::Root, 0, (inline, 0), 0);
        }
        table
    }

    fn empty() -> ShapeTable {
        let segments = (0..SEGMENTS).map(|_| OnceLock::new());
        ShapeTable {
            base: &[],
            base_transitions: None,
            base_children: OnceLock::new(),
            segments: segments.collect(),
            count: AtomicU32::new(0),
            transitions: Mutex::default(),
            answers: OnceLock::new(),
        }
    }

    /// What another VM's table can be made of: see `from_pattern`. While no other thread adds to it.
    pub fn pattern(&self) -> ShapePattern {
        let nodes = (0..self.len() as u32).filter_map(|id| self.node(id)).map(|node| {
            let &Node { parent, step, slots, inline, base, count, .. } = node;
            Node { parent, step, slots, inline, base, count, last_child: AtomicU64::new(u64::MAX) }
        });
        let mut transitions = self.base_transitions.cloned().unwrap_or_default();
        transitions.extend(self.transitions.lock().iter());
        ShapePattern { nodes: nodes.collect(), transitions }
    }

    /// A table with the same shapes under the same numbers.
    pub fn from_pattern(pattern: &'static ShapePattern) -> ShapeTable {
        let count = AtomicU32::new(pattern.nodes.len() as u32);
        let base_transitions = Some(&pattern.transitions);
        ShapeTable { base: &pattern.nodes, base_transitions, count, ..ShapeTable::empty() }
    }

    /// Adds a node; `None` when there are too many. With the transitions locked, or at the start.
    fn add(&self, parent: ShapeId, step: Step, slots: u32, (inline, base): (u32, u32), count: u32) -> Option<ShapeId> {
        let id = self.count.load(Ordering::Relaxed);
        if id >= MAX_SHAPES {
            return None;
        }
        let (number, at) = position(id - self.base.len() as u32);
        let size = (FIRST_SEGMENT as usize) << number;
        let segment = self.segments[number].get_or_init(|| (0..size).map(|_| OnceLock::new()).collect());
        let last_child = AtomicU64::new(u64::MAX);
        segment[at].get_or_init(|| Node { parent, step, slots, inline, base, count, last_child });
        self.count.store(id + 1, Ordering::Release);
        Some(id)
    }

    fn node(&self, shape: ShapeId) -> Option<&Node> {
        if let Some(node) = self.base.get(shape as usize) {
            return Some(node);
        }
        let (segment, at) = position(shape - self.base.len() as u32);
        self.segments.get(segment)?.get()?.get(at)?.get()
    }

    /// The child of a shape that was made last.
    fn last_child<'a>(&'a self, shape: ShapeId, node: &'a Node) -> &'a AtomicU64 {
        if shape as usize >= self.base.len() {
            return &node.last_child;
        }
        let children = self.base_children.get_or_init(|| self.base.iter().map(|_| AtomicU64::new(u64::MAX)).collect());
        &children[shape as usize]
    }

    /// How many shapes there are.
    pub fn len(&self) -> usize {
        self.count.load(Ordering::Relaxed) as usize
    }

    /// Never: there are always the roots.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// Where objects of `shape` (not COMPLEX) have `sym`.
    #[inline]
    pub fn lookup(&self, shape: ShapeId, sym: Sym) -> Option<Slot> {
        self.known(shape, sym).unwrap_or_else(|| {
            let slot = self.walk(shape, sym);
            self.answers.get_or_init(Answers::none).remember(shape, sym, slot);
            slot
        })
    }

    /// The answer of `lookup` where it is known: takes no lock and asks for no memory.
    #[inline]
    pub fn known(&self, shape: ShapeId, sym: Sym) -> Option<Option<Slot>> {
        self.answers.get()?.find(shape, sym)
    }

    #[inline(never)]
    fn walk(&self, shape: ShapeId, sym: Sym) -> Option<Slot> {
        let mut node = self.node(shape)?;
        loop {
            match node.step {
                Step::Root => return None,
                Step::Add(s) if s == sym => return Some(node.slot(node.slots - 1)),
                Step::Remove(s) if s == sym => return None,
                _ => node = self.node(node.parent)?,
            }
        }
    }

    /// The shape after `sym` was added to `shape`, which lacks it, and its slot. `None`: the object
    /// becomes complex.
    pub fn transition(&self, shape: ShapeId, sym: Sym) -> Option<(ShapeId, Slot)> {
        let node = self.node(shape)?;
        if node.base == 0 && node.slots >= node.inline {
            return None;
        }
        let slot = node.slot(node.slots);
        let last_child = self.last_child(shape, node);
        let cached = last_child.load(Ordering::Acquire);
        if cached >> 32 == u64::from(sym.0) && cached != u64::MAX {
            return Some((cached as u32, slot));
        }
        let child = self.child(shape, node, sym, false)?;
        last_child.store(u64::from(sym.0) << 32 | u64::from(child), Ordering::Release);
        Some((child, slot))
    }

    /// The shape after `sym`, which it has, was removed from `shape`.
    pub fn without(&self, shape: ShapeId, sym: Sym) -> Option<ShapeId> {
        self.child(shape, self.node(shape)?, sym, true)
    }

    fn child(&self, shape: ShapeId, node: &Node, sym: Sym, remove: bool) -> Option<ShapeId> {
        if node.slots >= MAX_IVARS || node.count > 2 * MAX_IVARS {
            return None;
        }
        if let Some(&child) = self.base_transitions.and_then(|known| known.get(&(shape, sym, remove))) {
            return Some(child);
        }
        let mut transitions = self.transitions.lock();
        if let Some(&child) = transitions.get(&(shape, sym, remove)) {
            return Some(child);
        }
        let child = if remove {
            self.add(shape, Step::Remove(sym), node.slots, (node.inline, node.base), node.count - 1)
        } else {
            self.add(shape, Step::Add(sym), node.slots + 1, (node.inline, node.base), node.count + 1)
        }?;
        transitions.insert((shape, sym, remove), child);
        Some(child)
    }

    /// The instance variables of `shape` and their slots, in the order they were set.
    pub fn ivars(&self, shape: ShapeId) -> Vec<(Sym, Slot)> {
        let mut found: Vec<(Sym, Slot)> = Vec::new();
        let mut hidden: Vec<Sym> = Vec::new();
        let mut next = self.node(shape);
        while let Some(node) = next {
            match node.step {
                Step::Root => break,
                Step::Remove(sym) => {
                    if !hidden.contains(&sym) {
                        hidden.push(sym);
                    }
                }
                Step::Add(sym) => {
                    if !hidden.contains(&sym) {
                        found.push((sym, node.slot(node.slots - 1)));
                        // What was set before it was removed and set again is hidden too.
                        hidden.push(sym);
                    }
                }
            }
            next = self.node(node.parent);
        }
        found.reverse();
        found
    }

    /// The set of names `shape` (0: none yet) with `sym` in it, as a shape that no object has: what a class's
    /// methods use. The same set when it is full.
    pub fn collect(&self, shape: ShapeId, sym: Sym) -> ShapeId {
        let shape = if shape == 0 { COLLECTING } else { shape };
        if self.lookup(shape, sym).is_some() {
            return shape;
        }
        self.transition(shape, sym).map_or(shape, |(next, _)| next)
    }

    /// How many instance variables objects of `shape` have.
    pub fn ivar_count(&self, shape: ShapeId) -> usize {
        self.node(shape).map_or(0, |node| node.count as usize)
    }

    /// All shapes there are by now, by their numbers.
    pub fn outlines(&self) -> Vec<Outline> {
        let outline = |node: &Node| {
            let from = match node.step {
                Step::Root => None,
                Step::Add(name) => Some((node.parent, name, false)),
                Step::Remove(name) => Some((node.parent, name, true)),
            };
            Outline { from, slots: node.slots }
        };
        (0..self.count.load(Ordering::Acquire)).filter_map(|id| self.node(id)).map(outline).collect()
    }

    /// Slots in use by objects of `shape`, inline and in the store.
    pub fn slots(&self, shape: ShapeId) -> (usize, usize) {
        self.node(shape).map_or((0, 0), |node| {
            let inline = node.slots.min(node.inline);
            (inline as usize, (node.slots - inline) as usize)
        })
    }
}

/// The root for cells with at least `slots` slots and no store, and how many they have; `None` if there are no
/// such cells.
#[inline]
pub fn exact_root(slots: usize) -> Option<(ShapeId, usize)> {
    let id = slots.checked_sub(1)?;
    (id < EXACT_SLOTS.len()).then(|| ((ROOT_SLOTS.len() + id) as u32, EXACT_SLOTS[id] as usize))
}

/// The root for cells with at least `slots` inline slots (as far as there are such cells), and how
/// many they have.
#[inline]
pub fn root(slots: usize) -> (ShapeId, usize) {
    let id = (slots / 2).min(ROOT_SLOTS.len() - 1);
    (id as u32, ROOT_SLOTS[id] as usize)
}
