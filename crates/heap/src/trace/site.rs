//! What spans have in common: what is waited for or done, and where. A span has a number for it, and threads know the numbers of those
//! that they have noted lately without making a text of them.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

/// A file and a line in it.
pub type Line = (Arc<str>, u32);

/// What a span is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SpanKind {
    /// A wait for another thread: a lock, a queue, an end.
    Wait,
    /// A sleep.
    Sleep,
    /// A wait for something outside: input, output, a process.
    Io,
    /// A wait for the lock of an object, or for its owner.
    Object,
    /// Standing still because another thread collects; or waiting until all stand still.
    Stop,
    /// A collection.
    Collection,
    /// Compiling to machine code.
    Compile,
}

impl SpanKind {
    /// As it is shown.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            SpanKind::Wait => "wait",
            SpanKind::Sleep => "sleep",
            SpanKind::Io => "io",
            SpanKind::Object => "object",
            SpanKind::Stop => "stop",
            SpanKind::Collection => "collection",
            SpanKind::Compile => "compile",
        }
    }
}

/// What spans have in common.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Site {
    /// What they are.
    pub kind: SpanKind,
    /// What is waited for, or done.
    pub what: Cow<'static, str>,
    /// File and line of the Ruby code.
    pub at: Option<Line>,
}

/// The number of a site among those of a recorder.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SiteNumber(pub(super) u32);

impl SiteNumber {
    /// The same, to be used as an index.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Sites without a line, which all recorders know by these numbers.
const PLAIN: [(SpanKind, &str); 4] = [
    (SpanKind::Stop, "stopped by another thread"),
    (SpanKind::Stop, "waits until all threads stand still"),
    (SpanKind::Collection, "minor collection"),
    (SpanKind::Collection, "major collection"),
];

impl SiteNumber {
    pub(crate) const STOPPED: SiteNumber = SiteNumber(0);
    pub(crate) const STOPPING: SiteNumber = SiteNumber(1);
    pub(crate) const MINOR: SiteNumber = SiteNumber(2);
    pub(crate) const MAJOR: SiteNumber = SiteNumber(3);
}

/// The sites of a recorder.
#[derive(Debug)]
pub(super) struct Sites {
    list: Vec<Arc<Site>>,
    numbers: HashMap<Arc<Site>, SiteNumber>,
}

impl Default for Sites {
    fn default() -> Self {
        let mut sites = Sites { list: Vec::new(), numbers: HashMap::new() };
        for (kind, what) in PLAIN {
            sites.number(Site { kind, what: Cow::Borrowed(what), at: None });
        }
        sites
    }
}

impl Sites {
    pub(super) fn number(&mut self, site: Site) -> SiteNumber {
        if let Some(&number) = self.numbers.get(&site) {
            return number;
        }
        let (number, site) = (SiteNumber(self.list.len() as u32), Arc::new(site));
        self.list.push(Arc::clone(&site));
        self.numbers.insert(site, number);
        number
    }

    pub(super) fn from(&self, index: usize) -> Vec<Arc<Site>> {
        self.list[index..].to_vec()
    }
}

/// What a site is recognised by, without its text: addresses, which mean something until the next collection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SiteKey {
    /// What its spans are.
    pub kind: SpanKind,
    /// The class of what is waited for, or the method that waits.
    pub subject: u64,
    /// The Ruby code.
    pub code: usize,
    /// Where in that.
    pub pc: usize,
}

impl SiteKey {
    fn place(&self) -> usize {
        // Addresses of cells and of words of code: what is below these bits is mostly the same.
        let mixed = (self.pc >> 3) ^ (self.subject >> 4) as usize;
        (mixed ^ (mixed >> 5)) % KNOWN
    }
}

/// How many sites a thread knows.
const KNOWN: usize = 32;

/// The sites that a thread has noted lately.
#[derive(Debug)]
pub(super) struct KnownSites {
    /// The VM, and how many collections it had been through: what is known holds as long as both stay the same.
    when: (u64, u64),
    sites: [Option<(SiteKey, SiteNumber)>; KNOWN],
}

impl KnownSites {
    pub(super) fn new() -> KnownSites {
        KnownSites { when: (0, 0), sites: [None; KNOWN] }
    }

    #[inline]
    pub(super) fn find(&mut self, when: (u64, u64), key: &SiteKey) -> Option<SiteNumber> {
        if self.when != when {
            self.when = when;
            self.sites = [None; KNOWN];
            return None;
        }
        self.sites[key.place()].as_ref().filter(|(known, _)| known == key).map(|&(_, number)| number)
    }

    pub(super) fn learn(&mut self, key: SiteKey, number: SiteNumber) {
        self.sites[key.place()] = Some((key, number));
    }
}
