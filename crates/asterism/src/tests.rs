//! VMs as the command runs them.

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
