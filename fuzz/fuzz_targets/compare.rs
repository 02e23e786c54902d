//! Generated programs: they say the same here as in CRuby, which runs beside and is given one after the other.
#![no_main]

mod options;

use std::cell::RefCell;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::Mutex;

use asterism::Session;
use asterism_fuzz::{generate, sandbox};
use libfuzzer_sys::fuzz_target;

/// What both run before the programs' own head.
const RUN: &str = r##"
def run_source(source)
  eval(source)
rescue Exception => e
  "#{e.class}: #{e.message}"
end
"##;

/// Programs come as a length and text; answers go back as one line each. What takes too long has none.
const SERVER: &str = r##"
while (line = $stdin.gets)
  source = $stdin.read(line.to_i).force_encoding("UTF-8")
  runner = Thread.new { run_source(source).inspect }
  answer = runner.join(1) && runner.value
  runner.kill
  $stdout.write(answer, "\n")
  $stdout.flush
end
"##;

struct Ruby {
    child: Child,
    answers: BufReader<ChildStdout>,
}

impl Ruby {
    fn start() -> Ruby {
        let mut child = Command::new("ruby")
            .args(["--disable-gems", "-E", "UTF-8", "-e", RUN, "-e", generate::HEAD, "-e", SERVER])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("ruby is installed");
        let answers = BufReader::new(child.stdout.take().expect("it is piped"));
        Ruby { child, answers }
    }

    fn eval(&mut self, source: &str) -> String {
        let input = self.child.stdin.as_mut().expect("it is piped");
        write!(input, "{}\n{source}", source.len()).and_then(|()| input.flush()).expect("ruby reads");
        let mut answer = String::new();
        self.answers.read_line(&mut answer).expect("ruby answers");
        answer.trim_end_matches('\n').to_owned()
    }
}

struct Pair {
    ruby: Ruby,
    vm: RefCell<Session>,
}

impl Pair {
    fn start() -> Pair {
        let mut vm = sandbox::open();
        for head in [RUN, generate::HEAD] {
            assert!(!vm.run(head.as_bytes(), "head").is_err(), "the head runs");
        }
        Pair { ruby: Ruby::start(), vm: RefCell::new(vm) }
    }
}

impl Drop for Ruby {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

// SAFETY: libFuzzer calls the target from one thread only, the one that made the VM.
unsafe impl Send for Pair {}

static PAIR: Mutex<Option<Pair>> = Mutex::new(None);

fuzz_target!(|bytes: &[u8]| {
    let source = generate::program(bytes);
    let mut held = PAIR.lock().expect("nobody panics with it and goes on");
    let pair = held.get_or_insert_with(Pair::start);
    let theirs = pair.ruby.eval(&source);
    let vm = pair.vm.get_mut();
    // The text of the program goes through a global, so that nothing of it has to be quoted.
    vm.set_global("$source", Some(source.as_bytes()));
    let ours = sandbox::limited(vm, |vm| vm.eval(b"run_source($source)", "compare.rb"));
    match ours {
        // What is left out says so.
        Ok(ours) if ours.contains("NotImplementedError") => {}
        Ok(ours) if !theirs.is_empty() => assert_eq!(ours, theirs, "{source}"),
        // One of them was killed because it took too long; what it has left is not compared any more.
        _ => *held = None,
    }
});
