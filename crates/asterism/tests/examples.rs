//! Runs the example programs and compares what they print. `cargo test` builds them first.

use std::path::PathBuf;
use std::process::Command;

fn printed(example: &str) -> String {
    // This test is in `deps`, the examples are beside that.
    let mut path = std::env::current_exe().expect("this test's path");
    path.pop();
    path.pop();
    let path: PathBuf = path.join("examples").join(example);
    let output = Command::new(&path).output().unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    assert!(output.status.success(), "{example}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn script() {
    let expected = "regulars: Ada gets 12.00 off\n\
        regulars: Bob gets 0.00 off\n\
        large orders: Ada gets 5.00 off\n\
        large orders: Bob gets 0.00 off\n\
        broken: NoMethodError: undefined method 'discount' for an instance of Float\n\
        broken: NoMethodError: undefined method 'discount' for an instance of Float\n\
        endless: the VM ran longer than its time limit\n\
        endless: the VM ran longer than its time limit\n";
    assert_eq!(printed("script"), expected);
}

#[test]
fn workers() {
    let expected = "worker 0: 669 primes\n\
        worker 1: 560 primes\n\
        worker 2: 525 primes\n\
        worker 3: 508 primes\n\
        together: 2262 primes below 20000\n";
    assert_eq!(printed("workers"), expected);
}

#[test]
fn objects() {
    let expected = "#<struct Point x=3, y=4> is 5 long\n\
        [(\"apple\", 0), (\"fig\", 1), (\"pear\", 2)]\n\
        {\"none\": None, \"one\": Some(1)}\n\
        Bytes([1, 2, 255]) Symbol(\"name\")\n\
        expected Integer, found Symbol at [1]\n\
        risky.rb:1:in 'Object#risky': too risky (RuntimeError)\n\
        #<struct Point x=3, y=4>\n\
        bye\n";
    assert_eq!(printed("objects"), expected);
}
