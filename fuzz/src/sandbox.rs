//! A VM in which any program may run: no files, processes, signals or waits; and not for long.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use asterism::{Builder, Session};

/// What a program may run at most.
const PATIENCE: Duration = Duration::from_millis(1000);

/// Takes away what reaches outside. Methods first: some of them are needed to take the constants away.
const CLOSE: &str = r#"
module Kernel
  %i[` system exec spawn fork open exit! abort trap sleep gets readline readlines syscall test select load
     require require_relative autoload at_exit srand set_trace_func warn print puts p pp printf putc display].each do |name|
    define_method(name) { |*| raise NotImplementedError }
    define_singleton_method(name) { |*| raise NotImplementedError } if respond_to?(name, true)
  end
end
class Module
  def autoload(*) = raise(NotImplementedError)
end
class Object
  %i[File IO Dir FileTest Process Signal ENV ARGF STDIN STDOUT STDERR Thread ObjectSpace].each do |name|
    remove_const(name) if const_defined?(name, false)
  end
end
$stdin = $stdout = $stderr = Object.new.tap { |o| def o.write(*) = 0 }
"#;

/// A VM with everything.
///
/// # Panics
/// If the core library does not start.
#[must_use]
pub fn open() -> Session {
    Builder::new().memory_limit(256 << 20).session().expect("the core library starts")
}

/// A VM without what reaches outside.
///
/// # Panics
/// If it cannot be closed.
#[must_use]
pub fn closed() -> Session {
    let mut vm = open();
    assert!(!vm.run(CLOSE.as_bytes(), "close").is_err(), "the VM cannot be closed");
    vm
}

/// Runs `body`; what still runs when its time is over is killed, again and again.
pub fn limited<R>(vm: &mut Session, body: impl FnOnce(&mut Session) -> R) -> R {
    let main = vm.ec().vm().threads.main().clone();
    let over = Arc::new(AtomicBool::new(false));
    let watch = {
        let over = Arc::clone(&over);
        thread::spawn(move || {
            loop {
                thread::park_timeout(PATIENCE);
                if over.load(Ordering::Acquire) {
                    return;
                }
                main.kill();
            }
        })
    };
    let result = body(vm);
    over.store(true, Ordering::Release);
    watch.thread().unpark();
    watch.join().expect("the watch does not panic");
    result
}
