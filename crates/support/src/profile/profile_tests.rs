//! Tests of the formats of profiles.

use std::time::Duration;

use super::symbols::{Symbols, demangle};
use super::{Format, Function, Place, Profile, ThreadSamples};

fn sample() -> Profile {
    let mut profile = Profile::new(Duration::from_millis(1));
    let main = profile.function(Function { name: "<main>".into(), file: "a.rb".into(), line: 1 });
    let inner = profile.function(Function { name: "A#\"b\"</script>".into(), file: "a.rb".into(), line: 3 });
    let stack = profile.stack(vec![Place { function: main, line: 7 }, Place { function: inner, line: 4 }]);
    let outer = profile.stack(vec![Place { function: main, line: 7 }]);
    profile.threads.push(ThreadSamples {
        name: "main".into(),
        samples: vec![(stack, 2), (outer, 1), (stack, 3)],
        lost: 0,
    });
    profile
}

#[test]
fn what_is_the_same_has_one_number() {
    let mut profile = sample();
    let other = sample();
    profile.add(&other);
    assert_eq!((profile.functions().len(), profile.stacks().len(), profile.threads.len()), (2, 2, 2));
    assert_eq!(profile.totals(), [10, 2]);
}

#[test]
fn speedscope_has_weights_in_nanoseconds() {
    let text = String::from_utf8(sample().write(Format::Speedscope, "a \\ b")).unwrap();
    assert!(text.contains(r#""samples":[[0,1],[0],[0,1]],"weights":[2000000,1000000,3000000]"#), "{text}");
    assert!(text.contains(r#""endValue":6000000"#) && text.contains(r#""name":"a \\ b""#), "{text}");
}

#[test]
fn the_page_cannot_be_ended_by_a_name() {
    let text = String::from_utf8(sample().write(Format::Flame, "t")).unwrap();
    assert_eq!(text.matches("</script>").count(), 1);
    assert!(!text.contains("/*DATA*/"));
}

#[test]
fn pprof_is_gzipped_and_has_the_strings() {
    let bytes = sample().write(Format::Pprof, "t");
    let mut plain = Vec::new();
    std::io::Read::read_to_end(&mut flate2::read::GzDecoder::new(&bytes[..]), &mut plain).unwrap();
    for text in ["cpu", "nanoseconds", "a.rb", "<main>", "main"] {
        assert!(plain.windows(text.len()).any(|w| w == text.as_bytes()), "{text}");
    }
    // A sample: two locations, five periods of a million nanoseconds.
    let sample = [0x0a, 2, 1, 2, 0x12, 5, 5, 0xc0, 0x96, 0xb1, 0x02];
    assert!(plain.windows(sample.len()).any(|w| w == sample), "{plain:?}");
}

#[test]
fn names_of_files_choose_the_format() {
    assert_eq!(Format::of("a.json"), Format::Speedscope);
    assert_eq!(Format::of("a.html"), Format::Flame);
    assert_eq!(Format::of("a.pb.gz"), Format::Pprof);
}

#[test]
fn names_of_rust_are_readable() {
    assert_eq!(demangle("_ZN4core3fmt5Error4text17h0123456789abcdefE"), "core::fmt::Error::text");
    assert_eq!(demangle("memcpy"), "memcpy");
}

#[cfg(target_os = "linux")]
#[test]
fn functions_of_this_process_are_found() {
    let address = names_of_rust_are_readable as *const () as u64;
    let found = Symbols::of_process().find(address).map(|(name, _)| name);
    assert!(found.as_ref().is_some_and(|name| name.contains("names_of_rust_are_readable")), "{found:?}");
    assert!(Symbols::of_process().find(8).is_none());
}
