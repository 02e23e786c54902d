//! Objects of a VM in Rust: handles that keep them alive, calls, conversions, output into a pipe.
//!
//! ```sh
//! cargo run -p asterism --example objects
//! ```

use std::collections::BTreeMap;
use std::io::Read;

use asterism::{Bytes, Error, Symbol, Vm};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (mut output, stream) = std::io::pipe()?;
    let vm = Vm::builder().stdout(stream).build()?;
    show(&vm)?;
    // Handles are gone: they cannot outlive the VM. Its exit handlers run now, and what it wrote is in the pipe.
    vm.finish();
    let mut printed = String::new();
    output.read_to_string(&mut printed)?;
    print!("{printed}");
    Ok(())
}

fn show(vm: &Vm) -> Result<(), Error> {
    // Objects stay in the VM; a handle keeps one alive.
    vm.eval("Point = Struct.new(:x, :y) { def length = Math.hypot(x, y) }")?;
    let point = vm.constant("Point")?.call("new", (3, 4))?;
    println!("{} is {} long", point.inspect()?, point.call("length", ())?.to::<f64>()?);

    // Values of Rust become objects, and the other way round.
    let words = vm.object(vec!["pear", "apple", "fig"])?;
    let sorted: Vec<(String, usize)> = words.call("sort", ())?.call("each_with_index", ())?.call("to_a", ())?.to()?;
    println!("{sorted:?}");
    let numbers: BTreeMap<String, Option<u8>> = vm.eval("{ 'one' => 1, 'none' => nil }")?.to()?;
    println!("{numbers:?}");
    let packed: Bytes = vm.object(vec![1, 2, 255])?.call("pack", ("C*",))?.to()?;
    println!("{packed:?} {:?}", vm.eval(":name")?.to::<Symbol>()?);
    if let Err(error) = vm.eval("[1, :two]")?.to::<Vec<i64>>() {
        println!("{error}");
    }

    // What is raised comes as a snapshot.
    if let Err(error) = vm.eval_as("def risky = raise('too risky')\nrisky", "risky.rb") {
        println!("{error}");
    }

    vm.eval("at_exit { puts 'bye' }")?;
    vm.call("puts", (&point,))?;
    Ok(())
}
