//! Calling VMs from Rust.

use std::collections::{BTreeMap, HashMap};
use std::io::Read;
use std::time::{Duration, Instant};

use crate::{Bytes, Error, ExitStatus, FromRuby, IntoRuby, Symbol, Vm};

fn vm() -> Vm {
    Vm::builder().build().expect("a VM")
}

/// The value as Ruby shows it, and what comes back.
fn around<'vm, T: IntoRuby<'vm> + FromRuby<'vm>>(vm: &'vm Vm, value: T) -> (String, T) {
    let object = vm.object(value).expect("an object");
    (object.inspect().expect("a text"), object.to().expect("the value"))
}

#[test]
fn values_travel_both_ways() {
    let vm = vm();
    assert_eq!(around(&vm, -3_i8), ("-3".into(), -3));
    assert_eq!(around(&vm, u64::MAX), ("18446744073709551615".into(), u64::MAX));
    assert_eq!(around(&vm, i128::MIN), (i128::MIN.to_string(), i128::MIN));
    assert_eq!(around(&vm, 1.5), ("1.5".into(), 1.5));
    assert_eq!(around(&vm, true), ("true".into(), true));
    assert_eq!(around(&vm, String::from("häuser")), ("\"häuser\"".into(), "häuser".into()));
    assert_eq!(around(&vm, Bytes(vec![0, 255])), ("\"\\x00\\xFF\"".into(), Bytes(vec![0, 255])));
    assert_eq!(around(&vm, Symbol("a b".into())), (":\"a b\"".into(), Symbol("a b".into())));
    assert_eq!(around(&vm, None::<i32>), ("nil".into(), None));
    assert_eq!(around(&vm, vec![Some(1), None]), ("[1, nil]".into(), vec![Some(1), None]));
    assert_eq!(around(&vm, (1, String::from("two"), 3.0)), ("[1, \"two\", 3.0]".into(), (1, "two".into(), 3.0)));
    let map = BTreeMap::from([("a".to_string(), vec![1_u8]), ("b".to_string(), vec![])]);
    assert_eq!(around(&vm, map.clone()), ("{\"a\" => [1], \"b\" => []}".into(), map));
    let map = HashMap::from([(Symbol("k".into()), 1_i64)]);
    assert_eq!(around(&vm, map.clone()), ("{k: 1}".into(), map));
}

#[test]
fn what_does_not_fit_says_so() {
    let vm = vm();
    let refused = |source: &str, convert: fn(&crate::Object<'_>) -> Option<Error>| {
        let object = vm.eval(source).expect("an object");
        convert(&object).expect("an error").to_string()
    };
    assert_eq!(refused("'x'", |o| o.to::<i32>().err()), "expected Integer, found String");
    assert_eq!(refused("1", |o| o.to::<f64>().err()), "expected Float, found Integer");
    assert_eq!(refused("300", |o| o.to::<u8>().err()), "expected an Integer from 0 to 255, found 300");
    assert_eq!(refused("-1", |o| o.to::<u64>().err()), format!("expected an Integer from 0 to {}, found -1", u64::MAX));
    assert_eq!(refused("nil", |o| o.to::<String>().err()), "expected String, found nil");
    assert_eq!(
        refused("\"\\xff\"", |o| o.to::<String>().err()),
        "expected a String of UTF-8, found a String with broken characters"
    );
    assert_eq!(
        refused("'é'.encode('ISO-8859-1')", |o| o.to::<String>().err()),
        "expected a String of UTF-8, found a String of ISO-8859-1"
    );
    assert_eq!(
        refused("[[1], [2, :x]]", |o| o.to::<Vec<Vec<i32>>>().err()),
        "expected Integer, found Symbol at [1][1]"
    );
    assert_eq!(
        refused("{ 'a' => nil }", |o| o.to::<HashMap<String, i32>>().err()),
        "expected Integer, found nil at [\"a\"]"
    );
    assert_eq!(refused("[1]", |o| o.to::<(i32, i32)>().err()), "expected an Array of 2, found an Array of 1");
}

#[test]
fn calls_methods() {
    let vm = vm();
    vm.eval("def add(a, b = 10) = a + b").expect("a method");
    assert_eq!(vm.call("add", (1, 2)).and_then(|o| o.to::<i32>()).ok(), Some(3));
    assert_eq!(vm.call("add", [1]).and_then(|o| o.to::<i32>()).ok(), Some(11));
    assert_eq!(vm.call("format", ("%03d", 7)).and_then(|o| o.to::<String>()).ok().as_deref(), Some("007"));
    let list = vm.object(vec![3, 1, 2]).expect("an Array");
    assert_eq!(list.call("sort", ()).and_then(|o| o.to::<Vec<i32>>()).ok(), Some(vec![1, 2, 3]));
    list.call("push", (&list,)).expect("a cycle");
    assert_eq!(list.inspect().ok().as_deref(), Some("[3, 1, 2, [...]]"));
    let sep = vm.constant("File::SEPARATOR").and_then(|o| o.to::<String>());
    assert_eq!(sep.ok().as_deref(), Some("/"));
    vm.set_global("$given", "x").expect("a global");
    assert_eq!(vm.eval("$given").and_then(|o| o.to_s()).ok().as_deref(), Some("x"));
    // Private methods are functions of the main object only.
    assert!(list.call("puts", ("no",)).is_err_and(|e| e.to_string().contains("private method 'puts'")));
}

#[test]
fn errors_come_with_their_story() {
    let vm = vm();
    vm.eval_as("class Mine < IOError; end\ndef bad\n  raise 'first'\nrescue\n  raise Mine, 'second'\nend", "bad.rb")
        .expect("definitions");
    let error = vm.call("bad", ()).expect_err("an error");
    assert_eq!(error.to_string(), "bad.rb:5:in 'Object#bad': second (Mine)");
    let exception = error.exception().expect("an exception");
    assert_eq!((exception.class.as_str(), exception.message.as_str()), ("Mine", "second"));
    assert!(exception.is_a("StandardError") && !exception.is_a("TypeError"));
    let cause = exception.cause.as_ref().expect("a cause");
    assert_eq!((cause.class.as_str(), cause.message.as_str()), ("RuntimeError", "first"));
    assert!(vm.eval("1 +").is_err_and(|e| e.exception().is_some_and(|e| e.class == "SyntaxError")));
    assert!(matches!(vm.eval("exit 3"), Err(Error::Exit(3))));
    assert!(vm.eval("throw :nobody").is_err_and(|e| e.exception().is_some_and(|e| e.class == "UncaughtThrowError")));
    // The VM goes on.
    assert_eq!(vm.eval("1").and_then(|o| o.to::<i32>()).ok(), Some(1));
}

#[test]
fn limits_end_a_call_with_an_error() {
    let vm = Vm::builder().memory_limit(60 << 20).build().expect("a VM");
    let error = vm.eval("all = []; loop { all << 'x' * 100_000 }").expect_err("no memory");
    assert!(error.exception().is_some_and(|e| e.class == "NoMemoryError"), "{error}");
    assert!(vm.eval("GC.start; 1").is_ok());

    let vm = Vm::builder().time_limit(Duration::from_millis(100)).build().expect("a VM");
    for _ in 0..3 {
        assert!(vm.eval("sleep 0.04; 1").is_ok(), "the limit is of one call");
    }
    let started = Instant::now();
    assert!(matches!(vm.eval("begin; loop {}; rescue Exception; end"), Err(Error::TimeLimit)));
    assert!(started.elapsed() < Duration::from_secs(20));
    assert!(matches!(vm.eval("1"), Err(Error::TimeLimit)));
}

#[test]
fn many_vms_on_one_thread() {
    let (one, other) = (vm(), vm());
    one.eval("class Integer; def +(_) = 42; end").expect("a definition");
    assert_eq!(one.eval("1 + 1").and_then(|o| o.to::<i32>()).ok(), Some(42));
    assert_eq!(other.eval("1 + 1").and_then(|o| o.to::<i32>()).ok(), Some(2));
    let text = one.eval("'text'").expect("a String");
    let list = other.eval("[]").expect("an Array");
    assert!(matches!(list.vm().call("p", (&text,)), Err(Error::OtherVm)));
    drop(text);
    drop(one);
    assert_eq!(list.call("size", ()).and_then(|o| o.to::<i32>()).ok(), Some(0));
}

#[test]
fn handles_keep_objects_alive() {
    let vm = Vm::builder().gc_stress(true).build().expect("a VM");
    let kept: Vec<_> = (0..20).map(|n| vm.object(vec![n, n + 1]).expect("an Array")).collect();
    let copy = kept[0].clone();
    assert!(copy.is_same(&kept[0]) && !copy.is_same(&kept[1]));
    vm.eval("GC.start").expect("a collection");
    for (n, object) in kept.iter().enumerate() {
        assert_eq!(object.to::<Vec<usize>>().ok(), Some(vec![n, n + 1]));
    }
    let weak = vm.eval("$weak = ObjectSpace::WeakMap.new").expect("a map");
    weak.call("[]=", (&kept[3], 1)).expect("an entry");
    drop(kept);
    vm.eval("def churn(n) = n == 0 ? 0 : [n, churn(n - 1)].size; churn(50); GC.start").expect("a collection");
    // A word on the machine stack may still look like a reference: at most that one is left.
    assert!(weak.call("size", ()).and_then(|o| o.to::<usize>()).is_ok_and(|n| n <= 1));
}

#[test]
fn threads_go_on_between_calls() {
    let vm = vm();
    vm.eval("$count = 0; Thread.new { loop { $count += 1; Array.new(1000) { |i| 'x' * i } } }").expect("a thread");
    let count = || vm.eval("$count").and_then(|o| o.to::<u64>()).expect("a number");
    let deadline = Instant::now() + Duration::from_secs(60);
    let before = count();
    // It collects again and again meanwhile, and does not wait for this thread.
    while count() < before + 20 {
        assert!(Instant::now() < deadline, "the thread stands still");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn environment_and_streams_are_its_own() {
    let (mut read, write) = std::io::pipe().expect("a pipe");
    let vm = Vm::builder().env("GREETING", "hi").env_remove("PATH").stdout(write).build().expect("a VM");
    vm.eval("puts ENV['GREETING'], ENV['PATH'].inspect; at_exit { puts 'bye' }").expect("an output");
    assert_eq!(vm.finish(), ExitStatus::Code(0));
    let mut text = String::new();
    read.read_to_string(&mut text).expect("the output");
    assert_eq!(text, "hi\nnil\nbye\n");
    assert!(std::env::var_os("GREETING").is_none() && std::env::var_os("PATH").is_some());
}
