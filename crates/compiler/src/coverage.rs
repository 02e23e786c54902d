//! What code that is measured counts: lines, branches, methods. The compiler emits counting instructions in code that is compiled while a
//! [`Session`] is given, so other code has nothing to ask for.
//!
//! A session belongs to one VM. All its threads count in the same cells, with relaxed atomics: a count says how often, not when.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};

use asterism_lock::Mutex;
use ruby_prism::Location;

/// What is measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Targets {
    /// How often a line begins.
    pub lines: bool,
    /// Only which lines have begun, in their order; with `lines`.
    pub oneshot: bool,
    /// How often each way of a condition was taken.
    pub branches: bool,
    /// How often methods were called.
    pub methods: bool,
    /// Code given to `eval` too.
    pub eval: bool,
}

/// A place in a source: line and column where it begins, line and column behind its end.
pub type Place = [i64; 4];

/// A measurement.
#[derive(Debug)]
pub struct Session {
    targets: Targets,
    switch: Arc<AtomicBool>,
    files: Mutex<Files>,
}

#[derive(Debug, Default)]
struct Files {
    list: Vec<Arc<File>>,
    by_path: HashMap<Box<str>, usize>,
}

impl Session {
    /// One that does not count yet.
    pub fn new(targets: Targets) -> Session {
        Session { targets, switch: Arc::default(), files: Mutex::default() }
    }

    /// What is measured.
    pub fn targets(&self) -> Targets {
        self.targets
    }

    /// Counts from now on, or does not.
    pub fn run(&self, on: bool) {
        self.switch.store(on, Ordering::Relaxed);
    }

    /// The files that were compiled, in the order in which they were first.
    pub fn files(&self) -> Vec<Arc<File>> {
        self.files.lock().list.clone()
    }

    /// What a source is measured in: a file anew, code of `eval` with the file it says to be from.
    pub(crate) fn source(&self, path: &str, is_file: bool, is_eval: bool, lines: usize) -> Option<Arc<File>> {
        let mut files = self.files.lock();
        let known = files.by_path.get(path).copied();
        if !is_file && let Some(at) = known {
            return Some(files.list[at].clone());
        }
        if !(is_file || is_eval && self.targets.eval) {
            return None;
        }
        let file = Arc::new(File {
            path: path.into(),
            targets: self.targets,
            switch: self.switch.clone(),
            lines: (0..if self.targets.lines { lines } else { 0 }).map(|_| AtomicI64::new(NO_LINE)).collect(),
            begun: Mutex::default(),
            units: Mutex::default(),
        });
        match known {
            Some(at) => files.list[at] = file.clone(),
            None => {
                let at = files.list.len();
                files.list.push(file.clone());
                files.by_path.insert(path.into(), at);
            }
        }
        Some(file)
    }
}

/// No statement begins on the line.
const NO_LINE: i64 = -1;

/// What is counted of a file.
#[derive(Debug)]
pub struct File {
    path: Box<str>,
    targets: Targets,
    switch: Arc<AtomicBool>,
    /// How often each line has begun, or `NO_LINE`.
    lines: Box<[AtomicI64]>,
    /// With `oneshot`: the lines that have begun, in their order.
    begun: Mutex<Vec<u32>>,
    /// The sources with branches, in the order in which they were compiled.
    units: Mutex<Vec<Arc<Unit>>>,
}

impl File {
    /// Its path.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// How often each line has begun; `None` where no statement begins. `clear`: they count from 0 again.
    pub fn lines(&self, clear: bool) -> Vec<Option<i64>> {
        let read = |cell: &AtomicI64| {
            let count = cell.load(Ordering::Relaxed);
            let count = if clear && count > 0 { cell.swap(0, Ordering::Relaxed) } else { count };
            (count != NO_LINE).then_some(count)
        };
        self.lines.iter().map(read).collect()
    }

    /// The lines that have begun, in their order, with `Targets::oneshot`.
    pub fn begun(&self, clear: bool) -> Vec<u32> {
        let mut begun = self.begun.lock();
        if clear { std::mem::take(&mut *begun) } else { begun.clone() }
    }

    /// Its conditions.
    pub fn conditions(&self, clear: bool) -> Vec<Condition> {
        let units = self.units.lock().clone();
        let mut list = Vec::new();
        for unit in units {
            let Some(tables) = unit.tables.get() else { continue };
            let counted = |counter: &AtomicU64| match clear {
                true => counter.swap(0, Ordering::Relaxed),
                false => counter.load(Ordering::Relaxed),
            };
            list.extend(tables.conditions.iter().map(|(spot, ways)| Condition {
                spot: *spot,
                ways: ways.iter().map(|(spot, counter)| (*spot, counted(&tables.ways[*counter as usize]))).collect(),
            }));
        }
        list
    }

    fn counts(&self) -> bool {
        self.switch.load(Ordering::Relaxed)
    }

    /// A statement begins on the line.
    fn has_line(&self, line: u32) {
        if let Some(cell) = (line as usize).checked_sub(1).and_then(|at| self.lines.get(at)) {
            let _known = cell.compare_exchange(NO_LINE, 0, Ordering::Relaxed, Ordering::Relaxed);
        }
    }

    /// The line begins.
    fn line(&self, line: u32) {
        let Some(cell) = (line as usize).checked_sub(1).and_then(|at| self.lines.get(at)) else { return };
        if !self.counts() {
            return;
        }
        if !self.targets.oneshot {
            cell.fetch_add(1, Ordering::Relaxed);
        } else if cell.load(Ordering::Relaxed) == 0 && cell.swap(1, Ordering::Relaxed) == 0 {
            self.begun.lock().push(line);
        }
    }
}

/// Where something is, and what.
pub type Spot = (&'static str, Place);

/// A condition, with its ways and how often they were taken.
#[derive(Debug)]
pub struct Condition {
    /// Its kind and place.
    pub spot: Spot,
    /// Its ways.
    pub ways: Vec<(Spot, u64)>,
}

/// What the code made of one source counts.
#[derive(Debug)]
pub struct Unit {
    file: Arc<File>,
    /// Filled when all of the source is compiled, before any of its code runs.
    tables: OnceLock<Tables>,
}

#[derive(Debug, Default)]
struct Tables {
    /// The conditions, and their ways with the numbers of their counters.
    conditions: Vec<(Spot, Vec<(Spot, u32)>)>,
    ways: Box<[AtomicU64]>,
    methods: Box<[Body]>,
}

/// What may be a method's body.
#[derive(Debug)]
struct Body {
    place: Place,
    /// The method that was called with it first, by its address.
    method: AtomicU64,
    /// How often that was called.
    count: AtomicU64,
}

/// What a code counts.
#[derive(Clone, Debug)]
pub struct Counted {
    unit: Arc<Unit>,
    /// The number of the body that it is.
    body: Option<u32>,
}

/// Who was called.
pub enum Called {
    /// Nothing is to be done.
    Counted,
    /// For the first time: whoever counts has to keep the method alive.
    First,
    /// Another method with the same body has the counter.
    Other,
}

impl Counted {
    /// The file.
    pub fn path(&self) -> &str {
        &self.unit.file.path
    }

    /// Is it measured by that session?
    pub fn is_of(&self, session: &Session) -> bool {
        Arc::ptr_eq(&self.unit.file.switch, &session.switch)
    }

    /// Where the method's body is that the code is.
    pub fn place(&self) -> Option<Place> {
        Some(self.body()?.place)
    }

    /// Is it what may be a method's body?
    pub(crate) fn is_body(&self) -> bool {
        self.body.is_some()
    }

    fn body(&self) -> Option<&Body> {
        self.unit.tables.get()?.methods.get(self.body? as usize)
    }

    /// The line begins.
    pub fn line(&self, line: u32) {
        self.unit.file.line(line);
    }

    /// The way is taken.
    pub fn way(&self, counter: u32) {
        if self.unit.file.counts()
            && let Some(tables) = self.unit.tables.get()
        {
            tables.ways[counter as usize].fetch_add(1, Ordering::Relaxed);
        }
    }

    /// The method at this address, which has the code as its body, is called.
    pub fn method(&self, address: u64) -> Called {
        let Some(body) = self.body().filter(|_| self.unit.file.counts()) else { return Called::Counted };
        let first = match body.method.load(Ordering::Relaxed) {
            0 => body.method.compare_exchange(0, address, Ordering::Relaxed, Ordering::Relaxed),
            other => Err(other),
        };
        match first {
            Err(other) if other != address => return Called::Other,
            _ => body.count.fetch_add(1, Ordering::Relaxed),
        };
        if first.is_ok() { Called::First } else { Called::Counted }
    }

    /// How often the method was called, if it is the one that has the counter.
    pub fn calls(&self, address: u64, clear: bool) -> u64 {
        match self.body().filter(|body| body.method.load(Ordering::Relaxed) == address) {
            Some(body) if clear => body.count.swap(0, Ordering::Relaxed),
            Some(body) => body.count.load(Ordering::Relaxed),
            None => 0,
        }
    }
}

/// What is noted while a source is compiled.
pub(crate) struct Measured {
    unit: Arc<Unit>,
    tables: Tables,
    ways: u32,
    /// The conditions by where they are: an `ensure` clause is compiled more than once.
    known: HashMap<(&'static str, u32, u32), usize>,
}

/// A condition in the tables, if branches are measured.
#[derive(Clone, Copy, Default)]
pub(crate) struct Cond(Option<usize>);

/// The place of `location`.
pub(crate) fn place_of(location: &Location<'_>) -> Place {
    [
        i64::from(location.start_line()),
        i64::from(location.start_column()),
        i64::from(location.end_line()),
        i64::from(location.end_column()),
    ]
}

impl Measured {
    pub(crate) fn new(file: Arc<File>) -> Measured {
        let unit = Arc::new(Unit { file, tables: OnceLock::new() });
        Measured { unit, tables: Tables::default(), ways: 0, known: HashMap::new() }
    }

    pub(crate) fn targets(&self) -> Targets {
        self.unit.file.targets
    }

    /// A statement begins on the line.
    pub(crate) fn has_line(&self, line: u32) {
        self.unit.file.has_line(line);
    }

    /// A condition at `location`, whose place is `place`, with its ways in the order in which they are told.
    pub(crate) fn condition(
        &mut self,
        kind: &'static str,
        location: &Location<'_>,
        place: Place,
        ways: &[Spot],
    ) -> Cond {
        if !self.targets().branches || place[0] <= 0 {
            return Cond(None);
        }
        let next = self.tables.conditions.len();
        let at = *self.known.entry((kind, location.start(), location.end())).or_insert(next);
        if at == next {
            let first = self.ways;
            self.ways += ways.len() as u32;
            let ways = ways.iter().copied().zip(first..).collect();
            self.tables.conditions.push(((kind, place), ways));
        }
        Cond(Some(at))
    }

    /// The counter of way `number` of the condition, if its ways are counted.
    pub(crate) fn counter(&self, cond: Cond, number: usize) -> Option<u32> {
        Some(self.tables.conditions[cond.0?].1[number].1)
    }

    /// What code that is no body, or the body at `place`, counts.
    pub(crate) fn counted(&mut self, place: Option<Place>) -> Counted {
        let place = place.filter(|place| self.targets().methods && place[0] > 0);
        let body = place.map(|place| {
            let mut methods = std::mem::take(&mut self.tables.methods).into_vec();
            methods.push(Body { place, method: AtomicU64::new(0), count: AtomicU64::new(0) });
            self.tables.methods = methods.into();
            self.tables.methods.len() as u32 - 1
        });
        Counted { unit: self.unit.clone(), body }
    }

    /// The source is compiled.
    pub(crate) fn finish(mut self) {
        self.tables.ways = (0..self.ways).map(|_| AtomicU64::new(0)).collect();
        let branches = !self.tables.conditions.is_empty();
        if self.unit.tables.set(self.tables).is_ok() && branches {
            let file = self.unit.file.clone();
            file.units.lock().push(self.unit);
        }
    }
}
