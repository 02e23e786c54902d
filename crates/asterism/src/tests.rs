//! VMs as the command runs them.

use asterism_object::Value;
use asterism_object::space::WellKnown;
use asterism_vm::{Args, Ec, NativeDef, Res};

use crate::{Builder, ExitStatus, Session};

#[test]
fn evaluates_and_reports() {
    let mut vm = Builder::new().session().expect("a VM");
    assert_eq!(vm.eval(b"6 * 7", "a.rb"), Ok("42".to_string()));
    assert!(vm.eval(b"nope", "a.rb").is_err_and(|e| e.contains("nope")));
    let ended = vm.run(b"1 + 1", "a.rb");
    assert_eq!(vm.finish(ended), ExitStatus::Code(0));
}

/// Whether anything in the core library keeps VMs from being made of an image: then each would boot, unnoticed.
#[test]
fn the_third_vm_is_made_from_the_image() {
    let mut vms: Vec<Session> = (0..3).filter_map(|_| Builder::new().session().ok()).collect();
    assert_eq!(asterism_vm::image::failure(), None);
    assert!(vms[2].ec().vm().is_from_image());
    assert_eq!(vms[2].eval(b"[1, 2].map { |x| x + 1 }", "test"), Ok("[2, 3]".into()));
}

#[test]
fn two_vms_do_not_know_each_other() {
    let mut one = Builder::new().session().expect("a VM");
    assert_eq!(one.eval(b"$x = 5", "a.rb"), Ok("5".to_string()));
    let other = std::thread::spawn(|| {
        let mut other = Builder::new().session().expect("a VM");
        other.eval(b"$x", "b.rb")
    });
    assert_eq!(other.join().expect("no panic"), Ok("nil".to_string()));
}

fn mistake(_ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    // A panic without the hook's message: who reads a log of the tests looks for those.
    std::panic::resume_unwind(Box::new("a mistake, on purpose"))
}

/// Defines `Kernel#mistake`, which panics.
fn make_mistakes(ec: &mut Ec) -> Res<()> {
    let object = ec.known(WellKnown::Object);
    ec.define_natives(object, &[const { NativeDef::new("mistake", mistake, 0, 0) }])
}

fn prone_to_mistakes() -> Session {
    let launcher = |launch| crate::child::launch_prepared(launch, make_mistakes);
    let mut builder = Builder::new();
    builder.launcher = Some(launcher);
    let mut vm = builder.session().expect("a VM");
    assert!(make_mistakes(vm.ec()).is_ok());
    vm
}

#[test]
fn who_joins_a_vm_is_told_of_a_panic_in_it() {
    let mut vm = prone_to_mistakes();
    let source = b"
        vms = ['mistake', 'Thread.new { sleep }; [1].each { |x| mistake }', '1'].map { |code| RubyVM.new('v', source: code).start }
        vms.map { |vm| begin; vm.value; rescue RubyVM::Error; [$!.message, vm.status]; end }";
    let told = "[\"VM v was ended by an internal error\", nil]";
    assert_eq!(vm.eval(source, "test"), Ok(format!("[{told}, {told}, 1]")));
    let ended = vm.run(b"1", "a.rb");
    let begun = std::time::Instant::now();
    assert_eq!(vm.finish(ended), ExitStatus::Code(0));
    assert!(begun.elapsed().as_secs() < 5, "the end waits for VMs that are gone");
}

#[test]
fn who_joins_a_thread_is_told_of_a_panic_in_it() {
    let mut vm = prone_to_mistakes();
    let source = b"
        mutex = Mutex.new
        threads = Array.new(3) { |i| Thread.new { i == 1 ? 7 : mutex.synchronize { [i].each { |x| mistake } } } }
        answers = threads.map { |t| begin; t.value; rescue Exception; [$!.message, t.status]; end }
        GC.start
        answers << mutex.locked? << Thread.list.size";
    let told = "[\"[BUG] the thread was ended by an internal error\", nil]";
    assert_eq!(vm.eval(source, "test"), Ok(format!("[{told}, 7, {told}, false, 1]")));
    let ended = vm.run(b"1", "a.rb");
    assert_eq!(vm.finish(ended), ExitStatus::Code(0));
}
