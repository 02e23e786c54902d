//! `asterism top PID`: what a running program does, again and again.
//!
//! The program is asked through [`Target`] ten times a second where its threads are; what stands on top of running threads, and what
//! the others wait for, is summed up. A method that no safepoint interrupts is seen behind itself, as with any look from outside.

mod show;
mod target;

use std::collections::HashMap;
use std::ffi::OsString;
use std::io::{IsTerminal, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use show::Screen;
use target::{Snapshot, Target};

/// Time between two looks at the threads.
const BETWEEN: Duration = Duration::from_millis(100);
/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(10);
/// What is left of older samples when a round is over.
const FADING: f64 = 0.7;

/// What the main thread goes by.
const MAIN: &str = "main thread";

/// What is asked for.
struct Options {
    pid: u32,
    delay: Duration,
    /// So many rounds, if not for ever.
    rounds: Option<u64>,
    classes: bool,
}

/// What was seen until now.
#[derive(Default)]
struct Sums {
    /// Samples in which threads ran, by their topmost line.
    hot: HashMap<String, f64>,
    /// The same of the main thread, which always runs when it answers: its share of a processor says how much of it counts.
    main: HashMap<String, f64>,
    /// Samples in which threads waited, by what for and where.
    waits: HashMap<String, f64>,
    samples: f64,
}

impl Sums {
    fn add(&mut self, seen: &Snapshot) {
        self.samples += 1.0;
        for thread in &seen.threads {
            let Some(line) = thread.lines.first() else { continue };
            if thread.status == "run" {
                let main = thread.vm == "main" && thread.name == MAIN;
                let sums = if main { &mut self.main } else { &mut self.hot };
                *sums.entry(line.clone()).or_default() += 1.0;
            } else if !thread.waits.is_empty() {
                let what = thread.waits.split(", which").next().unwrap_or_default();
                *self.waits.entry(format!("{what} at {line}")).or_default() += 1.0;
            }
        }
    }

    fn fade(&mut self) {
        self.samples *= FADING;
        for sums in [&mut self.hot, &mut self.main, &mut self.waits] {
            sums.retain(|_, n| {
                *n *= FADING;
                *n > 0.1
            });
        }
    }
}

/// Is the first word that command, and no script of that name there?
pub fn is_asked_for(words: &[OsString]) -> bool {
    words.first().is_some_and(|word| word == "top") && words.len() > 1 && !Path::new("top").exists()
}

/// Shows the program until the user, or the program, ends.
///
/// # Errors
/// The message: wrong words, or that the program cannot be asked or does not answer (see [`Target::attach`] and
/// [`Target::ask`]).
pub fn run(words: &[OsString]) -> Result<(), String> {
    let options = parse(words)?;
    let target = Target::attach(options.pid)?;
    let interactive = std::io::stdout().is_terminal() && std::io::stdin().is_terminal();
    let screen = Screen::open(interactive);
    let mut classes = options.classes;
    let mut sums = Sums::default();
    let mut round = 0;
    while options.rounds.is_none_or(|most| round < most) {
        round += 1;
        let begun = Instant::now();
        let before = target.usage();
        let mut seen = target.ask(classes, PATIENCE)?;
        sums.add(&seen);
        while begun.elapsed() < options.delay {
            match screen.key(BETWEEN.min(options.delay.saturating_sub(begun.elapsed()))) {
                Some(b'q' | 3) => return Ok(()),
                Some(b'c') => classes = !classes,
                _ => {}
            }
            let latest = target.ask(false, PATIENCE)?;
            sums.add(&latest);
            seen.threads = latest.threads;
            seen.vms = latest.vms;
        }
        let usage = target.usage().since(&before, begun.elapsed());
        let frame = show::frame(&target, &seen, &usage, &sums, screen.size());
        // A closed pipe ends it, as it does other commands.
        if screen.draw(&frame).and_then(|()| std::io::stdout().flush()).is_err() {
            return Ok(());
        }
        sums.fade();
    }
    Ok(())
}

fn parse(words: &[OsString]) -> Result<Options, String> {
    let mut options = Options { pid: 0, delay: Duration::from_secs(2), rounds: None, classes: false };
    let mut rest = words.iter().map(|word| word.to_string_lossy());
    while let Some(word) = rest.next() {
        let mut value = |what: &str| rest.next().ok_or_else(|| format!("top: missing argument for {what}"));
        match &*word {
            "-n" => {
                let given = value("-n")?;
                let rounds = given.parse().ok().filter(|&n| n > 0);
                options.rounds = Some(rounds.ok_or_else(|| format!("top: not a number of rounds: {given}"))?);
            }
            "-d" => {
                let given = value("-d")?;
                let seconds = given.parse::<f64>().ok().filter(|s| (0.05..=3600.0).contains(s));
                options.delay =
                    Duration::from_secs_f64(seconds.ok_or_else(|| format!("top: not a number of seconds: {given}"))?);
            }
            "-c" => options.classes = true,
            word if options.pid == 0 => {
                let pid = word.parse().ok().filter(|&pid| pid > 0);
                options.pid = pid.ok_or_else(|| format!("top: not a process: {word}"))?;
            }
            word => return Err(format!("top: one process, please: {word}")),
        }
    }
    if options.pid == 0 { Err("top: no process given".into()) } else { Ok(options) }
}
