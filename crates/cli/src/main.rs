//! The `asterism` command.

#[cfg(not(asterism_sanitize))]
mod allocator;
#[cfg(all(target_os = "linux", target_env = "gnu", not(asterism_sanitize)))]
mod c_heap;
mod options;
#[cfg(asterism_sanitize)]
mod sanitizer;
#[cfg(all(target_os = "linux", target_pointer_width = "64", not(asterism_sanitize)))]
mod startup;
mod timeline;
mod top;

use std::ffi::{OsStr, OsString};
use std::io::{Read, Write};
use std::process::ExitCode;

use asterism::{Builder, ExitStatus, Script, Session};

use crate::options::{CliOptions, Dump, HELP, Print, bytes};

// Sanitizers see what their own allocator gives.
#[cfg(not(asterism_sanitize))]
#[global_allocator]
static ALLOCATOR: allocator::Allocator = allocator::Allocator;

/// What a process that found a mistake in itself ends with: as after `abort`.
const BUG: u8 = 134;

fn main() -> ExitCode {
    // SAFETY: this is the first thing that the process does, in its only thread.
    unsafe { asterism::make_room_for_title() };
    #[cfg(not(asterism_sanitize))]
    allocator::prepare();
    // A mistake in the implementation must be recognisable as one, and short.
    std::panic::set_hook(Box::new(|info| {
        let place = info.location().map(|l| format!(" at {}:{}", l.file(), l.line())).unwrap_or_default();
        let what = info.payload_as_str().unwrap_or("panic");
        let _ = writeln!(std::io::stderr(), "[BUG] asterism: {what}{place}");
    }));
    let status = std::panic::catch_unwind(run).unwrap_or(ExitStatus::Code(BUG));
    if let ExitStatus::Signal(number) = status {
        asterism::die_by_signal(number);
    }
    ExitCode::from(status.code())
}

fn fail(message: &str) -> ExitStatus {
    let _ = writeln!(std::io::stderr(), "asterism: {message}");
    ExitStatus::Code(1)
}

/// Prints to the standard output; a closed pipe is not worth a word.
fn print(text: &str) {
    let _ = std::io::stdout().write_all(text.as_bytes());
}

fn run() -> ExitStatus {
    let words: Vec<OsString> = std::env::args_os().skip(1).collect();
    let done = if timeline::is_asked_for(&words) {
        Some(timeline::write(&words[1..]))
    } else if top::is_asked_for(&words) {
        Some(top::run(&words[1..]))
    } else {
        None
    };
    if let Some(done) = done {
        return done.map_or_else(|message| fail(&message), |()| ExitStatus::Code(0));
    }
    let mut options = match CliOptions::parse(std::env::args_os().skip(1)) {
        Ok(options) => options,
        Err(mistake) => {
            return fail(&format!("{mistake} (RuntimeError)").replace(" (RuntimeError) (", " ("));
        }
    };
    if let Some(rubyopt) = std::env::var_os("RUBYOPT")
        && options.has("rubyopt")
        && let Err(mistake) = options.parse_environment(bytes(&rubyopt))
    {
        return fail(&mistake);
    }
    if let Some(what) = options.only_print {
        match what {
            Print::Version => print(&format!("{}\n{}", asterism::description(), library(options.show_version))),
            Print::Copyright => print(&format!("{}\n", asterism::COPYRIGHT)),
            Print::Help => print(HELP),
        }
        return ExitStatus::Code(0);
    }
    if let Some(dirs) = std::env::var_os("RUBYLIB") {
        options.load_path.extend(bytes(&dirs).split(|&b| b == b':').filter(|d| !d.is_empty()).map(<[u8]>::to_vec));
    }
    if let Some(dir) = &options.directory
        && let Err(e) = std::env::set_current_dir(dir)
    {
        return fail(&format!("Can't chdir to {} ({e}) (fatal)", dir.to_string_lossy()));
    }
    if options.show_version {
        print(&format!("{}\n", asterism::description()));
        if options.expressions.is_empty() && options.rest.is_empty() {
            return ExitStatus::Code(0);
        }
    }
    let script = match read_script(&mut options) {
        Ok(script) => script,
        Err(message) => return fail(&message),
    };
    if options.source_encoding.is_some() && options.verbose == Some(Some(true)) {
        let odd = "warning: -K is specified; it is for 1.8 compatibility and may cause odd behavior";
        options.complaints.push(odd.to_owned());
    }
    for complaint in &options.complaints {
        let _ = writeln!(std::io::stderr(), "asterism: {complaint}");
    }
    match options.dump {
        Some(dump) => self::dump(&script, dump),
        None => execute(options, &script),
    }
}

/// The script: `-e`, a file, or the standard input. What is left in `options.rest` are its arguments.
fn read_script(options: &mut CliOptions) -> Result<Script, String> {
    let mut script = Script {
        command_line: options.loop_switches,
        frozen_string_literal: options.frozen_string_literal,
        encoding: options.source_encoding,
        ..Script::default()
    };
    if !options.expressions.is_empty() {
        script.name = "-e".into();
        for line in &options.expressions {
            script.source.extend_from_slice(line);
            script.source.push(b'\n');
        }
        script.path = std::env::current_dir().ok().map(|d| d.join("-e").to_string_lossy().into_owned());
        return Ok(script);
    }
    let name = if options.rest.is_empty() { OsString::from("-") } else { options.rest.remove(0) };
    if name == "-" {
        script.name = "-".into();
        std::io::stdin().read_to_end(&mut script.source).map_err(|e| format!("{} -- - (LoadError)", plain(&e)))?;
        heed_shebang(options, &mut script)?;
        return Ok(script);
    }
    let name = if options.search_path { search(&name) } else { name };
    script.name = name.to_string_lossy().into_owned();
    let file = std::path::Path::new(&name);
    if file.is_dir() {
        return Err(format!("Is a directory -- {} (LoadError)", script.name));
    }
    script.source = std::fs::read(file).map_err(|e| format!("{} -- {} (LoadError)", plain(&e), script.name))?;
    script.path = std::path::absolute(file).ok().map(|p| p.to_string_lossy().into_owned());
    heed_shebang(options, &mut script)?;
    Ok(script)
}

/// What the script's `#!` line asks for. In front of one that names a Ruby, text for another interpreter is left out; switches on it
/// are as those of the command line.
fn heed_shebang(options: &mut CliOptions, script: &mut Script) -> Result<(), String> {
    let first = first_line(&script.source);
    let other = first.starts_with(b"#!") && first.len() > 2 && !is_ours(first);
    let mut at = 0;
    if options.skip_to_shebang || other {
        at = skip_to_shebang(&script.source).ok_or("no Ruby script found in input (LoadError)")?;
        // Lines, and where `__END__` is, stay what they are in the file.
        script.source[..at].iter_mut().filter(|b| **b != b'\n').for_each(|b| *b = b' ');
    }
    let line = first_line(&script.source[at..]).to_vec();
    if !line.starts_with(b"#!") {
        return Ok(());
    }
    // The parser refuses a `#!` line without "ruby": what names this command becomes a plain comment of the same length.
    if !names(&line, b"ruby") {
        script.source[at + 1] = b'#';
    }
    if line.ends_with(b"\r") && options.verbose != Some(None) {
        options.complaints.push("warning: shebang line ending with \\r may cause problems".to_owned());
    }
    options.read_shebang(&line)?;
    script.command_line = options.loop_switches;
    script.frozen_string_literal = options.frozen_string_literal;
    script.encoding = options.source_encoding;
    Ok(())
}

/// What `--version -v` adds: which standard library was found.
fn library(asked: bool) -> String {
    if !asked {
        return String::new();
    }
    match asterism::library_dirs().last() {
        Some(dir) => format!("standard library: {}\n", String::from_utf8_lossy(dir)),
        None => "standard library: none found in /usr/local/lib/ruby and /usr/lib/ruby\n".to_owned(),
    }
}

/// `-S`: the first file of that name in a directory of RUBYPATH, beside this command, or in a directory of PATH.
fn search(name: &OsStr) -> OsString {
    if bytes(name).contains(&b'/') {
        return name.to_owned();
    }
    let [first, path] = ["RUBYPATH", "PATH"].map(|list| std::env::var_os(list).unwrap_or_default());
    let own = std::env::current_exe().ok().and_then(|command| Some(command.parent()?.to_owned()));
    let dirs = std::env::split_paths(&first).chain(own).chain(std::env::split_paths(&path));
    let found = dirs.map(|dir| dir.join(name)).find(|file| file.is_file());
    found.map_or_else(|| name.to_owned(), std::path::PathBuf::into_os_string)
}

/// Does a `#!` line name a Ruby, or this command, which RubyGems writes into the commands that it installs?
fn is_ours(line: &[u8]) -> bool {
    names(line, b"ruby") || names(line, b"asterism")
}

fn names(line: &[u8], name: &[u8]) -> bool {
    line.windows(name.len()).any(|w| w == name)
}

fn first_line(source: &[u8]) -> &[u8] {
    source.split(|&b| b == b'\n').next().unwrap_or_default()
}

fn skip_to_shebang(source: &[u8]) -> Option<usize> {
    let mut at = 0;
    for line in source.split_inclusive(|&b| b == b'\n') {
        if line.starts_with(b"#!") && is_ours(line) {
            return Some(at);
        }
        at += line.len();
    }
    None
}

fn plain(error: &std::io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or(&text).to_string()
}

fn dump(script: &Script, what: Dump) -> ExitStatus {
    let shown = match what {
        Dump::Ast => Ok(asterism_compiler::dump_ast(&script.source)),
        Dump::Bytecode => {
            let options = asterism_compiler::Options {
                command_line: script.command_line,
                frozen_string_literal: script.frozen_string_literal,
                ..asterism_compiler::Options::new(&script.name, asterism_compiler::CodeKind::Main)
            };
            match asterism_compiler::compile(&script.source, &options) {
                Ok(compiled) => Ok(asterism_compiler::disassemble(&compiled.code)),
                Err(e) => Err(format!("{}:{}: {}", script.name, e.line(), e.message())),
            }
        }
    };
    match shown {
        Ok(text) => {
            print(&text);
            ExitStatus::Code(0)
        }
        Err(message) => fail(&message),
    }
}

/// `-s`: switches in front of the other arguments become global variables.
fn take_script_switches(args: &mut Vec<OsString>) -> Vec<(String, Option<Vec<u8>>)> {
    let mut found = Vec::new();
    while let Some(arg) = args.first() {
        let text = bytes(arg);
        if text == b"--" {
            args.remove(0);
            break;
        }
        let Some(switch) = text.strip_prefix(b"-").filter(|s| !s.is_empty()) else {
            break;
        };
        let (name, value) = match switch.iter().position(|&b| b == b'=') {
            Some(at) => (&switch[..at], Some(switch[at + 1..].to_vec())),
            None => (switch, None),
        };
        let name = String::from_utf8_lossy(name).replace('-', "_");
        found.push((name, value));
        args.remove(0);
    }
    found
}

fn execute(options: CliOptions, script: &Script) -> ExitStatus {
    let mut builder =
        Builder::new().gc_stress(options.gc_stress).verify_heap(options.verify_heap).debug(options.debug).signals(true);
    if options.jit_stats {
        builder = builder.count_steps();
    }
    if let Some((rate, time)) = options.restrict {
        asterism_lock::restrict::set(rate, time);
    }
    builder = builder.jit(options.jit()).lock_stats(options.lock_stats).race_report(options.race_report);
    if let Some(file) = &options.profile {
        let period = std::time::Duration::from_secs_f64(options.profile_period.unwrap_or(1.0) / 1e3);
        builder = builder.profile(file.clone(), period);
    }
    builder =
        builder.no_parallel(options.no_parallel || std::env::var_os("ASTERISM_PARALLEL").is_some_and(|v| v == "0"));
    if let Some(file) = &options.trace {
        builder = match builder.trace(file) {
            Ok(builder) => builder,
            Err(e) => return fail(&format!("{file}: {}", plain(&e))),
        };
    }
    if options.show_compiled {
        builder = builder.show_compiled();
    }
    if options.jit_perf {
        builder = builder.map_for_perf();
    }
    #[cfg(not(asterism_sanitize))]
    {
        builder = builder.memory(&allocator::MEMORY);
    }
    for dir in &options.load_path {
        builder = builder.load_path(dir.clone());
    }
    if let Some(level) = options.verbose {
        builder = builder.verbose(level);
    }
    builder = builder
        .frozen_string_literal(options.frozen_string_literal)
        .backtrace_limit(options.backtrace_limit)
        .suggestions(options.has("did_you_mean"))
        .highlights(options.has("error_highlight"))
        .gems(options.has("gems"));
    let mut vm = match builder.session() {
        Ok(vm) => vm,
        Err(e) => return fail(&e.to_string()),
    };
    let mut args = options.rest.clone();
    let switches = if options.script_switches { take_script_switches(&mut args) } else { Vec::new() };
    let args: Vec<Vec<u8>> = args.iter().map(|a: &OsString| bytes(OsStr::new(a)).to_vec()).collect();
    let ended = prepare(&mut vm, &options, &script.name, &args, switches);
    if ended.is_err() {
        return end(vm, ended, &options);
    }
    if options.check {
        let ended = vm.check_syntax(script);
        if !ended.is_err() {
            print("Syntax OK\n");
        }
        return end(vm, ended, &options);
    }
    let ended = vm.run_script(script);
    end(vm, ended, &options)
}

/// What comes before the script: variables that switches set, and `-r`.
fn prepare(
    vm: &mut Session,
    options: &CliOptions,
    name: &str,
    args: &[Vec<u8>],
    switches: Vec<(String, Option<Vec<u8>>)>,
) -> asterism::Ended {
    let mut ended = vm.set_arguments(name, args);
    let (external, internal) = (options.external_encoding.as_deref(), options.internal_encoding.as_deref());
    ended = ended.and_then(|| vm.set_default_encodings(external, internal));
    for (category, on) in &options.categories {
        if !vm.set_warning_category(category, *on) {
            let _ = writeln!(std::io::stderr(), "asterism: warning: unknown warning category: '{category}'");
        }
    }
    // -w and -W2 show deprecations too.
    if options.verbose == Some(Some(true)) && !options.categories.iter().any(|(c, _)| c == "deprecated") {
        vm.set_warning_category("deprecated", true);
    }
    if let Some(separator) = &options.record_separator {
        vm.set_global("$/", separator.as_deref());
    }
    if options.loop_switches.l {
        match &options.record_separator {
            Some(separator) => vm.set_global("$\\", separator.as_deref()),
            None => vm.set_global("$\\", Some(b"\n")),
        }
    }
    if options.loop_switches.n {
        ended = ended.and_then(|| vm.define_line_methods());
    }
    if let Some(separator) = &options.field_separator {
        ended = ended.and_then(|| vm.set_field_separator(separator));
    }
    if let Some(extension) = &options.in_place {
        vm.set_global("$-i", Some(extension));
    }
    for (flag, on) in
        [("$-a", options.loop_switches.a), ("$-l", options.loop_switches.l), ("$-p", options.loop_switches.p)]
    {
        if on {
            vm.set_global_true(flag);
        }
    }
    for (name, value) in switches {
        match value {
            Some(value) => vm.set_global(&format!("${name}"), Some(&value)),
            None => vm.set_global_true(&format!("${name}")),
        }
    }
    for feature in &options.requires {
        ended = ended.and_then(|| vm.require(feature));
    }
    ended
}

fn end(vm: Session, ended: asterism::Ended, options: &CliOptions) -> ExitStatus {
    let heap = vm.heap();
    let status = vm.finish_with_process(ended);
    if options.jit_stats {
        eprint!("{}", asterism::jit_report());
    }
    if options.gc_stats {
        let _ = writeln!(std::io::stderr(), "{}", heap.stats());
    }
    status
}
