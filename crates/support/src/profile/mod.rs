//! What a sampling profiler has found, and the formats it is written in: speedscope's JSON, pprof's protocol buffers, and a page
//! that draws a flame graph.

mod flame;
pub mod json;
mod pprof;
mod speedscope;
pub mod symbols;

#[cfg(test)]
mod profile_tests;

use std::collections::HashMap;
use std::time::Duration;

/// A function, as it is shown.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Function {
    /// `Foo#bar`
    pub name: String,
    /// Its file; empty if it has none.
    pub file: String,
    /// Where it begins there.
    pub line: u32,
}

/// A function in a stack, and the line it is at.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Place {
    /// The number of the function.
    pub function: u32,
    /// The line; 0 if there is none.
    pub line: u32,
}

/// What was seen of one thread.
#[derive(Clone, Debug)]
pub struct ThreadSamples {
    /// As it is shown.
    pub name: String,
    /// The number of the stack that was seen, and how many periods it stands for, in their order.
    pub samples: Vec<(u32, u32)>,
    /// Samples for which there was no room.
    pub lost: u64,
}

/// Samples of the threads of a program.
#[derive(Clone, Debug)]
pub struct Profile {
    /// The processor time between two samples of a thread.
    pub period: Duration,
    /// How long it took in all.
    pub took: Duration,
    /// What was seen of each thread.
    pub threads: Vec<ThreadSamples>,
    functions: Vec<Function>,
    function_numbers: HashMap<Function, u32>,
    stacks: Vec<Box<[Place]>>,
    stack_numbers: HashMap<Box<[Place]>, u32>,
}

/// How a profile is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// For <https://www.speedscope.app>.
    Speedscope,
    /// For `pprof`.
    Pprof,
    /// A page.
    Flame,
}

impl Format {
    /// What a file's name asks for: speedscope's, unless it ends as the others do.
    #[must_use]
    pub fn of(file: &str) -> Format {
        let ends = |with: &[&str]| with.iter().any(|end| file.ends_with(end));
        match () {
            () if ends(&[".html", ".htm"]) => Format::Flame,
            () if ends(&[".pb.gz", ".pprof", ".pb", ".prof"]) => Format::Pprof,
            () => Format::Speedscope,
        }
    }
}

impl Profile {
    /// One without samples.
    #[must_use]
    pub fn new(period: Duration) -> Profile {
        Profile {
            period,
            took: Duration::ZERO,
            threads: Vec::new(),
            functions: Vec::new(),
            function_numbers: HashMap::new(),
            stacks: Vec::new(),
            stack_numbers: HashMap::new(),
        }
    }

    /// The number of a function.
    pub fn function(&mut self, function: Function) -> u32 {
        if let Some(&number) = self.function_numbers.get(&function) {
            return number;
        }
        let number = self.functions.len() as u32;
        self.functions.push(function.clone());
        self.function_numbers.insert(function, number);
        number
    }

    /// The number of a stack, its outermost function first.
    pub fn stack(&mut self, stack: Vec<Place>) -> u32 {
        let stack = stack.into_boxed_slice();
        if let Some(&number) = self.stack_numbers.get(&stack) {
            return number;
        }
        let number = self.stacks.len() as u32;
        self.stacks.push(stack.clone());
        self.stack_numbers.insert(stack, number);
        number
    }

    /// The functions, by number.
    #[must_use]
    pub fn functions(&self) -> &[Function] {
        &self.functions
    }

    /// The stacks, by number.
    #[must_use]
    pub fn stacks(&self) -> &[Box<[Place]>] {
        &self.stacks
    }

    /// Adds what was seen elsewhere.
    pub fn add(&mut self, other: &Profile) {
        let functions: Vec<u32> = other.functions.iter().map(|f| self.function(f.clone())).collect();
        let place = |p: &Place| Place { function: functions[p.function as usize], line: p.line };
        let stacks: Vec<u32> = other.stacks.iter().map(|s| self.stack(s.iter().map(place).collect())).collect();
        for thread in &other.threads {
            let samples = thread.samples.iter().map(|&(stack, weight)| (stacks[stack as usize], weight)).collect();
            self.threads.push(ThreadSamples { samples, ..thread.clone() });
        }
        self.took = self.took.max(other.took);
    }

    /// How many periods each stack was seen for in all threads, by its number.
    #[must_use]
    pub fn totals(&self) -> Vec<u64> {
        let mut totals = vec![0; self.stacks.len()];
        for &(stack, weight) in self.threads.iter().flat_map(|thread| &thread.samples) {
            totals[stack as usize] += u64::from(weight);
        }
        totals
    }

    /// The bytes of a file.
    #[must_use]
    pub fn write(&self, format: Format, title: &str) -> Vec<u8> {
        match format {
            Format::Speedscope => speedscope::write(self, title).into_bytes(),
            Format::Pprof => pprof::write(self),
            Format::Flame => flame::write(self, title).into_bytes(),
        }
    }
}
