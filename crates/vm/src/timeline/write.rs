//! Spans as trace events: <https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU>.
//!
//! There may be hundreds of thousands a second, which take the program's processors: what the events of a site have in common is made
//! once, and numbers are not left to the formatting machinery.

use std::sync::Arc;

use asterism_heap::{Entry, Lane, Moment, Recorder, Scale, Site, Span};
use asterism_support::profile::json;

/// The lane of the compiler to machine code.
pub const COMPILER: u64 = 1 << 40;

/// In front of the first event, which says nothing, so that each one behind has a comma before it.
const BEGIN: &str =
    "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[{\"ph\":\"M\",\"name\":\"trace\",\"pid\":0,\"tid\":0,\"args\":{}}";
/// Behind the last one.
const END: &str = "\n]}\n";

/// So many fibers are remembered as told of, by their numbers.
const FIBERS: usize = 1024;

/// What is known of the lanes, and the text that is to be written.
pub(super) struct Events {
    recorder: Arc<Recorder>,
    lanes: Vec<Known>,
    /// The events of each site as far as they are the same.
    sites: Vec<Head>,
    /// The VM and the number of a fiber whose name stands in the file already.
    fibers: Vec<(u64, u64)>,
    /// What was taken out of a lane; empty in between.
    entries: Vec<Entry>,
    /// What is to be written next.
    pub(super) text: Text,
}

/// A lane, and who uses it.
struct Known {
    lane: Arc<Lane>,
    used_by: Option<User>,
}

#[derive(Clone, Copy)]
struct User {
    group: u64,
    number: u64,
    begun: Moment,
}

/// The beginning of an event, with the first of its arguments if there is one.
struct Head {
    text: String,
    has_line: bool,
}

impl Head {
    fn new(site: &Site) -> Head {
        let mut text = String::from(",\n{\"ph\":\"X\",\"name\":");
        json::string(&mut text, &site.what);
        text.push_str(",\"cat\":");
        json::string(&mut text, site.kind.name());
        text.push_str(",\"args\":{");
        if let Some((file, line)) = &site.at {
            text.push_str("\"at\":\"");
            json::within_string(&mut text, file);
            text.push(':');
            json::number(&mut text, line);
            text.push('"');
        }
        Head { text, has_line: site.at.is_some() }
    }
}

impl Events {
    pub(super) fn new(recorder: Arc<Recorder>) -> Events {
        let mut text = Text(Vec::new());
        text.push(BEGIN);
        Events {
            recorder,
            lanes: Vec::new(),
            sites: Vec::new(),
            fibers: vec![(0, 0); FIBERS],
            entries: Vec::new(),
            text,
        }
    }

    /// What was noted since the last time, in pieces that `write` gets; with `last` what is known of the threads too.
    ///
    /// # Errors
    /// What `write` fails with.
    pub(super) fn tell<E>(&mut self, last: bool, mut write: impl FnMut(&mut Text) -> Result<(), E>) -> Result<(), E> {
        let new = self.recorder.lanes_from(self.lanes.len());
        self.lanes.extend(new.into_iter().map(|lane| Known { lane, used_by: None }));
        let mut entries = std::mem::take(&mut self.entries);
        for at in 0..self.lanes.len() {
            self.lanes[at].lane.take(&mut entries);
            if !entries.is_empty() {
                // Made afterwards: for moments until now.
                let scale = self.recorder.scale();
                entries.drain(..).for_each(|entry| self.entry(at, &scale, entry));
            }
            if self.text.is_long() {
                write(&mut self.text)?;
            }
        }
        self.entries = entries;
        if last {
            self.end();
        }
        if self.text.0.is_empty() { Ok(()) } else { write(&mut self.text) }
    }

    fn entry(&mut self, at: usize, scale: &Scale, entry: Entry) {
        let known = &mut self.lanes[at];
        match entry {
            Entry::Begin(group, number, begun) => known.used_by = Some(User { group, number, begun }),
            Entry::Span(span) => self.span(at, scale, &span),
            Entry::End(moment, name) => {
                if let Some(user) = known.used_by.take() {
                    self.text.life(user, scale, moment, name);
                }
            }
        }
    }

    fn end(&mut self) {
        let scale = self.recorder.scale();
        for known in &self.lanes {
            if let Some(user) = known.used_by {
                self.text.life(user, &scale, scale.now(), known.lane.name());
            }
        }
        for (number, name) in self.recorder.groups() {
            self.text.named("process_name", number, 0, |text| {
                text.push("VM ");
                text.quoted(&name);
            });
        }
        self.text.push(END);
    }

    fn span(&mut self, lane: usize, scale: &Scale, span: &Span) {
        let site = span.site.index();
        if site >= self.sites.len() {
            self.sites.extend(self.recorder.sites_from(self.sites.len()).iter().map(|site| Head::new(site)));
        }
        let Some(User { group, number, .. }) = self.lanes[lane].used_by else { return };
        let text = &mut self.text;
        if span.fiber != 0 {
            let told = &mut self.fibers[span.fiber as usize % FIBERS];
            if *told != (group, span.fiber) {
                *told = (group, span.fiber);
                text.named("thread_name", group, span.fiber, |text| {
                    text.push("fiber ");
                    text.number(span.fiber);
                    text.push(" of thread ");
                    text.number(number);
                });
            }
        }
        let head = &self.sites[site];
        text.push(&head.text);
        if span.held_by != 0 {
            text.push(if head.has_line { ",\"held_by\":" } else { "\"held_by\":" });
            text.number(span.held_by);
        }
        text.push("}");
        let number = if span.fiber == 0 { number } else { span.fiber };
        text.end(group, number, scale.nanoseconds(span.begin), scale.nanoseconds(span.end));
    }
}

/// Text of events.
pub(super) struct Text(Vec<u8>);

/// A text of so many bytes is written.
const LONG: usize = 1 << 17;

impl Text {
    pub(super) fn is_long(&self) -> bool {
        self.0.len() >= LONG
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.0
    }

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    #[inline]
    fn push(&mut self, text: &str) {
        self.0.extend_from_slice(text.as_bytes());
    }

    fn quoted(&mut self, text: &str) {
        let mut quoted = String::new();
        json::within_string(&mut quoted, text);
        self.push(&quoted);
    }

    #[inline]
    fn named(&mut self, what: &str, group: u64, number: u64, name: impl FnOnce(&mut Text)) {
        self.push(",\n{\"ph\":\"M\",\"name\":\"");
        self.push(what);
        self.push("\",\"pid\":");
        self.number(group);
        self.push(",\"tid\":");
        self.number(number);
        self.push(",\"args\":{\"name\":\"");
        name(self);
        self.push("\"}}");
    }

    /// When a thread lived, and its name.
    fn life(&mut self, user: User, scale: &Scale, ended: Moment, name: Option<String>) {
        let User { group, number, begun } = user;
        if number == COMPILER {
            return self.named("thread_name", group, number, |text| text.push("compiler"));
        }
        self.named("thread_name", group, number, |text| {
            text.push("thread ");
            text.number(number);
            if let Some(name) = name {
                text.push(": ");
                text.quoted(&name);
            }
        });
        self.push(",\n{\"ph\":\"X\",\"name\":\"thread\",\"cat\":\"thread\"");
        self.end(group, number, scale.nanoseconds(begun), scale.nanoseconds(ended));
    }

    /// The last of an event: whose it is, and when.
    fn end(&mut self, group: u64, number: u64, begin: u64, end: u64) {
        let mut back = Backwards::new();
        back.put(b"}");
        back.microseconds(end.saturating_sub(begin));
        back.put(b",\"dur\":");
        back.microseconds(begin);
        back.put(b",\"ts\":");
        back.number(number);
        back.put(b",\"tid\":");
        back.number(group);
        back.put(b",\"pid\":");
        self.0.extend_from_slice(back.get());
    }

    fn number(&mut self, number: u64) {
        let mut back = Backwards::new();
        back.number(number);
        self.0.extend_from_slice(back.get());
    }
}

/// Text that is made from its end on, as digits come.
struct Backwards {
    bytes: [u8; Backwards::ROOM],
    at: usize,
}

/// The digits of the numbers below a hundred.
const PAIRS: [[u8; 2]; 100] = {
    let mut pairs = [[0; 2]; 100];
    let mut i = 0;
    while i < 100 {
        pairs[i] = [b'0' + i as u8 / 10, b'0' + i as u8 % 10];
        i += 1;
    }
    pairs
};

impl Backwards {
    /// More than the end of an event takes: four numbers and what is around them.
    const ROOM: usize = 128;

    fn new() -> Backwards {
        Backwards { bytes: [0; Backwards::ROOM], at: Backwards::ROOM }
    }

    #[inline]
    fn put<const N: usize>(&mut self, bytes: &[u8; N]) {
        self.at -= N;
        if let Some(place) = self.bytes[self.at..].first_chunk_mut() {
            *place = *bytes;
        }
    }

    #[inline]
    fn number(&mut self, mut number: u64) {
        while number >= 100 {
            self.put(&PAIRS[(number % 100) as usize]);
            number /= 100;
        }
        if number >= 10 {
            self.put(&PAIRS[number as usize]);
        } else {
            self.put(&[b'0' + number as u8]);
        }
    }

    /// Nanoseconds as microseconds.
    #[inline]
    fn microseconds(&mut self, nanoseconds: u64) {
        let (whole, rest) = (nanoseconds / 1000, (nanoseconds % 1000) as usize);
        self.put(&PAIRS[rest % 100]);
        self.put(&[b'0' + (rest / 100) as u8]);
        self.put(b".");
        self.number(whole);
    }

    fn get(&self) -> &[u8] {
        &self.bytes[self.at..]
    }
}

#[cfg(test)]
#[path = "write_tests.rs"]
mod tests;
