//! Ruby on all cores: a VM on each of four threads, which know nothing of each other, and a Rust channel for the results.
//!
//! ```sh
//! cargo run -p asterism --example workers
//! ```

use std::collections::BTreeMap;
use std::sync::mpsc;

use asterism::Vm;

const PROGRAM: &str = "
  class Sieve
    def initialize(limit) = @limit = limit

    def primes(range)
      range.select { |n| n > 1 && (2..Integer.sqrt(n)).none? { |d| n % d == 0 } }
    end

    def count(part, parts)
      size = @limit / parts
      primes(part * size...(part + 1) * size).size
    end
  end
";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    const WORKERS: usize = 4;
    let (sender, results) = mpsc::channel();
    let workers: Vec<_> = (0..WORKERS)
        .map(|part| {
            let sender = sender.clone();
            std::thread::spawn(move || -> Result<(), String> {
                // A VM belongs to the thread that makes it.
                let vm = Vm::builder().build().map_err(|e| e.to_string())?;
                let count = || -> Result<usize, asterism::Error> {
                    vm.eval(PROGRAM)?;
                    let sieve = vm.constant("Sieve")?.call("new", (20_000,))?;
                    sieve.call("count", (part, WORKERS))?.to()
                };
                let count = count().map_err(|e| e.to_string())?;
                sender.send((part, count)).map_err(|e| e.to_string())
            })
        })
        .collect();
    drop(sender);
    let counts: BTreeMap<usize, usize> = results.iter().collect();
    for worker in workers {
        worker.join().map_err(|_| "a worker panicked")??;
    }
    for (part, count) in &counts {
        println!("worker {part}: {count} primes");
    }
    println!("together: {} primes below 20000", counts.values().sum::<usize>());
    Ok(())
}
