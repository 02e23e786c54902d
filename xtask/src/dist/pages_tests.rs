//! Tests of what is made from a help text.

use super::{CommandOption, all, newest_glibc, options};

const HELP: &str = "Usage: asterism [options]
  -c              check the syntax only
  -Fpattern       set $; for -a
  --jit=on|off    compile hot code to
                  machine code
  --trace=file    note what threads wait for
  --version, --copyright, -h
";

#[test]
fn a_help_text_is_a_list_of_options() {
    let listed = options(HELP);
    let written: Vec<&str> = listed.iter().map(|option| option.written.as_str()).collect();
    assert_eq!(written, ["-c", "-Fpattern", "--jit=on|off", "--trace=file", "--version, --copyright, -h"]);
    assert_eq!(listed[2].meaning, "compile hot code to machine code");
}

#[test]
fn words_are_what_can_be_typed() {
    let words: Vec<String> = options(HELP).iter().flat_map(CommandOption::words).collect();
    assert_eq!(words, ["-c", "-Fpattern", "--jit=on", "--jit=off", "--trace=", "--version", "--copyright", "-h"]);
}

#[test]
fn each_page_has_each_option() {
    for (place, page) in all(&options(HELP), "1.2.3") {
        let plain = page.replace("\\-", "-");
        for name in ["trace", "jit", "version", "copyright"] {
            assert!(plain.contains(name), "{place} lacks {name}:\n{page}");
        }
    }
}

#[test]
fn the_newest_glibc_is_found_by_number() {
    assert_eq!(newest_glibc(b"\0GLIBC_2.2.5\0GLIBC_2.34\0GLIBC_2.9\0"), Some("2.34".into()));
    assert_eq!(newest_glibc(b"nothing"), None);
}
