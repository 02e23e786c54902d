//! The format of `pprof`: a gzipped message of protocol buffers, `perftools.profiles.Profile`.

use std::collections::HashMap;
use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::{Place, Profile};

/// A message under construction.
#[derive(Default)]
struct Message(Vec<u8>);

impl Message {
    fn varint(&mut self, mut n: u64) {
        while n >= 0x80 {
            self.0.push(n as u8 | 0x80);
            n >>= 7;
        }
        self.0.push(n as u8);
    }

    /// A field that is a number. What is 0 need not be written.
    fn number(&mut self, field: u64, n: u64) -> &mut Self {
        if n != 0 {
            self.varint(field << 3);
            self.varint(n);
        }
        self
    }

    fn bytes(&mut self, field: u64, bytes: &[u8]) -> &mut Self {
        self.varint(field << 3 | 2);
        self.varint(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
        self
    }

    fn message(&mut self, field: u64, message: &Message) -> &mut Self {
        self.bytes(field, &message.0)
    }

    fn numbers(&mut self, field: u64, numbers: impl IntoIterator<Item = u64>) -> &mut Self {
        let mut packed = Message::default();
        numbers.into_iter().for_each(|n| packed.varint(n));
        self.message(field, &packed)
    }
}

/// The table of strings; number 0 is the empty one.
struct Strings {
    list: Vec<String>,
    numbers: HashMap<String, u64>,
}

impl Strings {
    fn number(&mut self, text: &str) -> u64 {
        if let Some(&number) = self.numbers.get(text) {
            return number;
        }
        let number = self.list.len() as u64;
        self.list.push(text.to_string());
        self.numbers.insert(text.to_string(), number);
        number
    }
}

/// The file's bytes.
pub(super) fn write(profile: &Profile) -> Vec<u8> {
    let mut strings = Strings { list: vec![String::new()], numbers: HashMap::from([(String::new(), 0)]) };
    let mut out = Message::default();
    let unit = |strings: &mut Strings, kind: &str, unit: &str| {
        let mut message = Message::default();
        let (kind, unit) = (strings.number(kind), strings.number(unit));
        message.number(1, kind).number(2, unit);
        message
    };
    let (samples, cpu) = (unit(&mut strings, "samples", "count"), unit(&mut strings, "cpu", "nanoseconds"));
    out.message(1, &samples).message(1, &cpu);
    let period = profile.period.as_nanos() as u64;
    let mut locations: HashMap<Place, u64> = HashMap::new();
    let mut places: Vec<Place> = Vec::new();
    let thread_key = strings.number("thread");
    for thread in &profile.threads {
        let mut totals: HashMap<u32, u64> = HashMap::new();
        thread.samples.iter().for_each(|&(stack, weight)| *totals.entry(stack).or_default() += u64::from(weight));
        let mut totals: Vec<(u32, u64)> = totals.into_iter().collect();
        totals.sort_unstable();
        let name = strings.number(&thread.name);
        for (stack, weight) in totals {
            let mut number = |place: &Place| {
                *locations.entry(*place).or_insert_with(|| {
                    places.push(*place);
                    places.len() as u64
                })
            };
            let ids: Vec<u64> = profile.stacks()[stack as usize].iter().rev().map(&mut number).collect();
            let mut label = Message::default();
            label.number(1, thread_key).number(2, name);
            let mut sample = Message::default();
            sample.numbers(1, ids).numbers(2, [weight, weight * period]).message(3, &label);
            out.message(2, &sample);
        }
    }
    for (i, place) in places.iter().enumerate() {
        let (mut line, mut location) = (Message::default(), Message::default());
        line.number(1, u64::from(place.function) + 1).number(2, u64::from(place.line));
        location.number(1, i as u64 + 1).message(4, &line);
        out.message(4, &location);
    }
    for (i, function) in profile.functions().iter().enumerate() {
        let (name, file) = (strings.number(&function.name), strings.number(&function.file));
        let mut message = Message::default();
        message.number(1, i as u64 + 1).number(2, name).number(3, name).number(4, file);
        message.number(5, u64::from(function.line));
        out.message(5, &message);
    }
    out.number(10, profile.took.as_nanos() as u64).message(11, &cpu).number(12, period);
    for text in &strings.list {
        out.bytes(6, text.as_bytes());
    }
    let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
    // Writing to a Vec does not fail.
    let _ = gzip.write_all(&out.0);
    gzip.finish().unwrap_or_default()
}
