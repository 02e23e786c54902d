//! The command line: which switches there are and what they mean.

use std::ffi::OsString;
use std::time::Duration;

use asterism::CommandLine;

/// What the command line asks for.
#[derive(Debug, Default)]
pub struct CliOptions {
    /// `-e`, each a line.
    pub expressions: Vec<Vec<u8>>,
    /// `-I` and RUBYLIB.
    pub load_path: Vec<Vec<u8>>,
    /// `-r`
    pub requires: Vec<String>,
    /// `$VERBOSE`, if a switch sets it.
    pub verbose: Option<Option<bool>>,
    /// `-W:no-deprecated` and its like: category and whether it is on.
    pub categories: Vec<(String, bool)>,
    /// `-d`
    pub debug: bool,
    /// `-c`
    pub check: bool,
    /// `-v` prints the version; without a script that is all.
    pub show_version: bool,
    /// `--version`, `--copyright`, `-h`: prints and ends.
    pub only_print: Option<Print>,
    /// `-C`
    pub directory: Option<OsString>,
    /// `-n`, `-p`, `-l`, `-a`
    pub loop_switches: CommandLine,
    /// `-F`
    pub field_separator: Option<Vec<u8>>,
    /// `-i`: the extension of the backup copy, empty for none.
    pub in_place: Option<Vec<u8>>,
    /// `-0`: `$/`, `None` for nil.
    pub record_separator: Option<Option<Vec<u8>>>,
    /// `-s`
    pub script_switches: bool,
    /// `-S`: the script is looked for in RUBYPATH and PATH.
    pub search_path: bool,
    /// `-x`
    pub skip_to_shebang: bool,
    /// `-E`, `-K`, `--external-encoding`: `Encoding.default_external`.
    pub external_encoding: Option<Vec<u8>>,
    /// `-E`, `-U`, `--internal-encoding`: `Encoding.default_internal`.
    pub internal_encoding: Option<Vec<u8>>,
    /// `-K`: the encoding of the script without a magic comment.
    pub source_encoding: Option<&'static str>,
    /// `--backtrace-limit`
    pub backtrace_limit: Option<i64>,
    /// Features that are switched off (`true`: on): `did_you_mean`, `error_highlight`, `rubyopt` …
    pub features: Vec<(&'static str, bool)>,
    /// `--debug-frozen-string-literal`
    pub debug_frozen: bool,
    /// What is said on the standard error stream before the program runs.
    pub complaints: Vec<String>,
    /// `--dump=`
    pub dump: Option<Dump>,
    /// `--gc-stats`
    pub gc_stats: bool,
    /// `--lock-stats`
    pub lock_stats: bool,
    /// `--race-report`
    pub race_report: bool,
    /// `--no-parallel`, `ASTERISM_PARALLEL=0`
    pub no_parallel: bool,
    /// `--restrict[=rate[,ms]]`: waits for one lock in a second, and how long those who wait stay on one processor.
    pub restrict: Option<(u32, Duration)>,
    /// `--trace`: the file.
    pub trace: Option<String>,
    /// `--profile`: the file.
    pub profile: Option<String>,
    /// `--profile-period`: milliseconds of processor time between two samples of a thread.
    pub profile_period: Option<f64>,
    /// `--gc-stress`
    pub gc_stress: bool,
    /// `--jit=`
    pub jit: Option<asterism::Jit>,
    /// `--jit-stats`
    pub jit_stats: bool,
    /// `--dump=asm`: intermediate form and machine code, as they are made.
    pub show_compiled: bool,
    /// `--jit-perf`
    pub jit_perf: bool,
    /// `--verify-heap`
    pub verify_heap: bool,
    /// `--enable=frozen-string-literal` and its opposite.
    pub frozen_string_literal: Option<bool>,
    /// The script (unless `-e`), then its arguments.
    pub rest: Vec<OsString>,
}

/// What to print instead of running anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Print {
    /// `--version`
    Version,
    /// `--copyright`
    Copyright,
    /// `-h`, `--help`
    Help,
}

/// What `--dump` shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dump {
    /// The syntax tree.
    Ast,
    /// The bytecode.
    Bytecode,
}

/// A mistake in the command line, as it is shown.
pub type Mistake = String;

/// Bytes of an argument.
pub fn bytes(arg: &std::ffi::OsStr) -> &[u8] {
    std::os::unix::ffi::OsStrExt::as_bytes(arg)
}

fn text(arg: &[u8]) -> String {
    String::from_utf8_lossy(arg).into_owned()
}

impl CliOptions {
    /// Reads the arguments (without the program's name).
    ///
    /// # Errors
    /// `Mistake`, as it is shown: an unknown switch, a missing argument, or a value that is none.
    pub fn parse(args: impl Iterator<Item = OsString>) -> Result<CliOptions, Mistake> {
        let mut options = CliOptions::default();
        let mut args = args.peekable();
        while let Some(arg) = args.peek() {
            let arg_bytes = bytes(arg).to_vec();
            if arg_bytes == b"--" {
                args.next();
                break;
            }
            if arg_bytes.first() != Some(&b'-') || arg_bytes.len() == 1 {
                break;
            }
            args.next();
            match arg_bytes.strip_prefix(b"--") {
                Some(long) => options.long_switch(long, &mut args)?,
                None => options.short_switches(&arg_bytes[1..], &mut args, false)?,
            }
        }
        options.rest = args.collect();
        Ok(options)
    }

    /// Reads the switches on a script's `#!` line.
    ///
    /// # Errors
    /// As [`CliOptions::parse`].
    pub fn read_shebang(&mut self, line: &[u8]) -> Result<(), Mistake> {
        let name = [&b"ruby"[..], b"asterism"].iter().find_map(|n| line.windows(n.len()).position(|w| w == *n));
        let Some(first) = name.and_then(|at| Some(at + line[at..].windows(2).position(|w| w == b" -")?)) else {
            return Ok(());
        };
        for word in line[first..].split(u8::is_ascii_whitespace).filter(|w| !w.is_empty()) {
            let mut none = std::iter::empty().peekable();
            match (word, word.strip_prefix(b"--")) {
                (b"--", _) => break,
                (_, Some(long)) => self.long_switch(long, &mut none)?,
                (b"-", None) => break,
                ([b'-', switches @ ..], None) => self.short_switches(switches, &mut none, false)?,
                _ => break,
            }
        }
        Ok(())
    }

    /// Reads `RUBYOPT`. What the command line says goes first; `-I` and `-r` come behind those of the command line.
    ///
    /// # Errors
    /// `Mistake`, as it is shown: a switch that is not allowed there, or is wrong.
    pub fn parse_environment(&mut self, rubyopt: &[u8]) -> Result<(), Mistake> {
        let mut read = CliOptions::default();
        for word in rubyopt.split(|b| b.is_ascii_whitespace()).filter(|w| !w.is_empty()) {
            let mut none = std::iter::empty().peekable();
            if let Some(long) = word.strip_prefix(b"--") {
                let name = long.split(|&b| b == b'=').next().unwrap_or(long);
                let allowed = [
                    &b"debug"[..],
                    b"encoding",
                    b"external-encoding",
                    b"internal-encoding",
                    b"enable",
                    b"disable",
                    b"jit",
                    b"yjit",
                    b"backtrace-limit",
                    b"verbose",
                    b"parser",
                    b"debug-frozen-string-literal",
                ];
                if !allowed.contains(&name) && !name.starts_with(b"enable-") && !name.starts_with(b"disable-") {
                    return Err(format!("invalid switch in RUBYOPT: --{} (RuntimeError)", text(long)));
                }
                read.long_switch(long, &mut none)?;
            } else {
                read.short_switches(word.strip_prefix(b"-").unwrap_or(word), &mut none, true)?;
            }
        }
        if let Some(limit) = read.backtrace_limit {
            self.backtrace_limit.get_or_insert(limit);
        }
        if self.verbose.is_none() {
            self.verbose = read.verbose;
        }
        self.show_version |= read.show_version;
        self.debug |= read.debug;
        self.debug_frozen |= read.debug_frozen;
        read.categories.append(&mut self.categories);
        self.categories = read.categories;
        read.features.append(&mut self.features);
        self.features = read.features;
        self.load_path.extend(read.load_path);
        self.requires.extend(read.requires);
        self.complaints.extend(read.complaints);
        self.frozen_string_literal = self.frozen_string_literal.or(read.frozen_string_literal);
        if self.external_encoding.is_none() {
            self.external_encoding = read.external_encoding;
        }
        if self.internal_encoding.is_none() {
            self.internal_encoding = read.internal_encoding;
        }
        self.source_encoding = self.source_encoding.or(read.source_encoding);
        self.jit = self.jit.or(read.jit);
        Ok(())
    }

    fn long_switch(
        &mut self,
        switch: &[u8],
        args: &mut std::iter::Peekable<impl Iterator<Item = OsString>>,
    ) -> Result<(), Mistake> {
        let (name, value) = match switch.iter().position(|&b| b == b'=') {
            Some(at) => (&switch[..at], Some(switch[at + 1..].to_vec())),
            None => (switch, None),
        };
        let mut value_of = |name: &str| match value.clone() {
            Some(value) => Ok(value),
            None => args.next().map(|a| bytes(&a).to_vec()).ok_or_else(|| format!("missing argument for --{name}")),
        };
        match name {
            b"version" => self.only_print = Some(Print::Version),
            b"copyright" => self.only_print = Some(Print::Copyright),
            b"help" => self.only_print = Some(Print::Help),
            b"verbose" => self.verbose = Some(Some(true)),
            b"dump" if value.as_deref() == Some(b"asm") => self.show_compiled = true,
            b"dump" => {
                self.dump = Some(match &value_of("dump")?[..] {
                    b"ast" | b"parsetree" => Dump::Ast,
                    b"bytecode" | b"insns" => Dump::Bytecode,
                    other => return Err(format!("don't know how to dump '{}',", text(other))),
                });
            }
            b"gc-stats" => self.gc_stats = true,
            b"lock-stats" => self.lock_stats = true,
            b"race-report" => self.race_report = true,
            b"no-parallel" => self.no_parallel = true,
            b"restrict" => self.restrict = Some(restriction(value.as_deref())?),
            b"trace" => self.trace = Some(text(&value_of("trace")?)),
            b"profile" => self.profile = Some(text(&value_of("profile")?)),
            b"profile-period" => {
                let period = text(&value_of("profile-period")?);
                let milliseconds = period.parse().ok().filter(|ms| (0.1..=1e6).contains(ms));
                self.profile_period =
                    Some(milliseconds.ok_or_else(|| format!("wrong period for --profile-period: {period}"))?);
            }
            b"gc-stress" => self.gc_stress = true,
            b"jit" => {
                self.jit = Some(match value.as_deref() {
                    None | Some(b"on") => asterism::Jit::On,
                    Some(b"off") => asterism::Jit::Off,
                    Some(b"always") => asterism::Jit::Always,
                    Some(b"stress") => asterism::Jit::Stress,
                    Some(other) => return Err(format!("--jit is off, on, always or stress, not '{}',", text(other))),
                });
            }
            b"jit-stats" => self.jit_stats = true,
            b"jit-perf" => self.jit_perf = true,
            b"verify-heap" => self.verify_heap = true,
            b"enable" | b"disable" => {
                let on = name == b"enable";
                for feature in value_of(if on { "enable" } else { "disable" })?.split(|&b| b == b',') {
                    self.feature(feature, on);
                }
            }
            b"encoding" => {
                let encodings = value_of("encoding")?;
                self.encodings(&encodings, "--encoding")?;
            }
            b"external-encoding" => {
                let encoding = value_of("external-encoding")?;
                self.set_external(&encoding)?;
            }
            b"internal-encoding" => {
                let encoding = value_of("internal-encoding")?;
                self.set_internal(&encoding)?;
            }
            b"backtrace-limit" => {
                let limit = value_of("backtrace-limit")?;
                if limit.is_empty() {
                    return Err("missing argument for --backtrace-limit".to_string());
                }
                match text(&limit).parse::<i64>() {
                    Ok(n) if n >= -1 => self.backtrace_limit = Some(n),
                    _ => return Err("wrong limit for backtrace length (RuntimeError)".to_string()),
                }
            }
            b"debug-frozen-string-literal" => self.debug_frozen = true,
            b"debug" => {
                self.debug = true;
                self.verbose.get_or_insert(Some(true));
            }
            b"parser" => {
                let parser = value_of("parser")?;
                if parser != b"prism" {
                    return Err(format!("unknown parser {} (only prism is known) (RuntimeError)", text(&parser)));
                }
            }
            b"yjit" | b"zjit" | b"rjit" | b"disable-yjit" | b"crash-report" => {}
            _ => {
                if let Some(feature) = name.strip_prefix(b"enable-") {
                    self.feature(feature, true);
                } else if let Some(feature) = name.strip_prefix(b"disable-") {
                    self.feature(feature, false);
                } else {
                    return Err(format!("invalid option --{}  (-h will show valid options)", text(switch)));
                }
            }
        }
        Ok(())
    }

    /// Is this feature on?
    pub fn has(&self, feature: &str) -> bool {
        self.features.iter().rev().find(|(name, _)| *name == feature).is_none_or(|(_, on)| *on)
    }

    /// What is compiled to machine code: what is hot, unless something else was asked for.
    pub fn jit(&self) -> asterism::Jit {
        if self.has("jit") { self.jit.unwrap_or(asterism::Jit::On) } else { asterism::Jit::Off }
    }

    /// A beginning of a feature's name stands for it, as long as it fits one only.
    fn feature(&mut self, name: &[u8], on: bool) {
        const FEATURES: [&str; 8] = [
            "gems",
            "error_highlight",
            "did_you_mean",
            "syntax_suggest",
            "rubyopt",
            "frozen_string_literal",
            "yjit",
            "jit",
        ];
        let asked = text(name).replace('-', "_");
        if asked == "all" {
            self.features.extend(FEATURES.map(|f| (f, on)));
            self.frozen_string_literal = Some(on);
            return;
        }
        let mut known = FEATURES.iter().filter(|f| f.starts_with(&asked));
        match (known.next(), known.next()) {
            (Some(&"frozen_string_literal"), None) => self.frozen_string_literal = Some(on),
            (Some(feature), None) => self.features.push((feature, on)),
            _ => {
                let switch = if on { "enable" } else { "disable" };
                self.complaints.push(format!("warning: unknown argument for --{switch}: '{}'", text(name)));
            }
        }
    }

    fn set_external(&mut self, name: &[u8]) -> Result<(), Mistake> {
        if let Some(before) = &self.external_encoding
            && !before.eq_ignore_ascii_case(name)
        {
            return Err(format!("default_external already set to {} (RuntimeError)", text(before)));
        }
        self.external_encoding = Some(name.to_vec());
        Ok(())
    }

    fn set_internal(&mut self, name: &[u8]) -> Result<(), Mistake> {
        if let Some(before) = &self.internal_encoding
            && !before.eq_ignore_ascii_case(name)
        {
            return Err(format!("default_internal already set to {} (RuntimeError)", text(before)));
        }
        self.internal_encoding = Some(name.to_vec());
        Ok(())
    }

    /// `external:internal`
    fn encodings(&mut self, names: &[u8], switch: &str) -> Result<(), Mistake> {
        let mut parts = names.split(|&b| b == b':');
        if let Some(external) = parts.next().filter(|n| !n.is_empty()) {
            self.set_external(external)?;
        }
        if let Some(internal) = parts.next().filter(|n| !n.is_empty()) {
            self.set_internal(internal)?;
        }
        match parts.next() {
            Some(extra) => Err(format!("extra argument for {switch}: {} (RuntimeError)", text(extra))),
            None => Ok(()),
        }
    }

    fn short_switches(
        &mut self,
        switches: &[u8],
        args: &mut std::iter::Peekable<impl Iterator<Item = OsString>>,
        environment: bool,
    ) -> Result<(), Mistake> {
        let mut at = 0;
        while at < switches.len() {
            let switch = switches[at];
            at += 1;
            if environment && !b"dEIKrTUvwW".contains(&switch) {
                return Err(format!("invalid switch in RUBYOPT: -{} (RuntimeError)", char::from(switch)));
            }
            let rest = &switches[at..];
            // The rest of this word or the next word.
            let mut value = |what: &str| -> Result<Vec<u8>, Mistake> {
                if !rest.is_empty() {
                    return Ok(rest.to_vec());
                }
                args.next().map(|a| bytes(&a).to_vec()).ok_or_else(|| what.to_string())
            };
            match switch {
                b'e' => {
                    self.expressions.push(value("no code specified for -e")?);
                    return Ok(());
                }
                b'I' => {
                    let dirs = value("missing argument for -I")?;
                    self.load_path.extend(dirs.split(|&b| b == b':').filter(|d| !d.is_empty()).map(absolute));
                    return Ok(());
                }
                b'r' => {
                    if let Ok(library) = value("") {
                        self.requires.push(text(&library));
                    }
                    return Ok(());
                }
                b'C' | b'X' => {
                    let dir: OsString = std::os::unix::ffi::OsStringExt::from_vec(value("Can't chdir")?);
                    let before = self.directory.take().unwrap_or_default();
                    self.directory = Some(std::path::PathBuf::from(before).join(dir).into_os_string());
                    return Ok(());
                }
                b'F' => {
                    self.field_separator = Some(rest.to_vec());
                    return Ok(());
                }
                b'i' => {
                    self.in_place = Some(rest.to_vec());
                    return Ok(());
                }
                b'0' => {
                    let digits = rest.iter().take(3).take_while(|b| (b'0'..=b'7').contains(b)).count();
                    let code = rest[..digits].iter().fold(0u32, |n, b| n * 8 + u32::from(b - b'0'));
                    self.record_separator = Some(match (digits, code) {
                        (0, _) => Some(vec![0]),
                        // Paragraphs.
                        (_, 0) => Some(Vec::new()),
                        (_, n) if n > 255 => None,
                        (_, n) => Some(vec![n as u8]),
                    });
                    at += digits;
                }
                b'v' => {
                    self.show_version = true;
                    self.verbose = Some(Some(true));
                }
                b'w' => self.verbose = Some(Some(true)),
                b'W' => {
                    if let Some(category) = rest.strip_prefix(b":") {
                        let (name, on) = match category.strip_prefix(b"no-") {
                            Some(name) => (name, false),
                            None => (category, true),
                        };
                        self.categories.push((text(name), on));
                        return Ok(());
                    }
                    let level = rest.first().copied().filter(u8::is_ascii_digit);
                    at += usize::from(level.is_some());
                    self.verbose = Some(match level {
                        Some(b'0') => None,
                        Some(b'1') => Some(false),
                        _ => Some(true),
                    });
                }
                b'd' => {
                    self.debug = true;
                    self.verbose.get_or_insert(Some(true));
                }
                b'c' => self.check = true,
                b'n' => self.loop_switches.n = true,
                b'p' => {
                    self.loop_switches.p = true;
                    self.loop_switches.n = true;
                }
                b'l' => self.loop_switches.l = true,
                b'a' => self.loop_switches.a = true,
                b's' => self.script_switches = true,
                b'x' => {
                    self.skip_to_shebang = true;
                    if !rest.is_empty() {
                        self.directory = Some(std::os::unix::ffi::OsStringExt::from_vec(rest.to_vec()));
                    }
                    return Ok(());
                }
                b'S' => self.search_path = true,
                b'U' => self.set_internal(b"UTF-8")?,
                b'K' => {
                    let kind = rest.first().copied();
                    at += usize::from(kind.is_some());
                    self.source_encoding = match kind.map(|k| k.to_ascii_lowercase()) {
                        Some(b'e') => Some("EUC-JP"),
                        Some(b's') => Some("Windows-31J"),
                        Some(b'u') => Some("UTF-8"),
                        Some(b'n' | b'a') => Some("ASCII-8BIT"),
                        _ => None,
                    };
                    if let Some(name) = self.source_encoding {
                        self.external_encoding = Some(name.as_bytes().to_vec());
                    }
                }
                b'E' => {
                    let names = value("missing argument for -E")?;
                    return self.encodings(&names, "-E");
                }
                b'y' => {}
                b'h' => self.only_print = Some(Print::Help),
                b'-' => {}
                b'\r' if rest.is_empty() => {}
                other => {
                    let shown = match other {
                        b'\r' => "\\r".to_owned(),
                        b'!'..=b'~' => char::from(other).to_string(),
                        _ => format!("\\x{other:02x}"),
                    };
                    return Err(format!("invalid option -{shown}  (-h will show valid options) (RuntimeError)"));
                }
            }
        }
        Ok(())
    }
}

/// What `--restrict` is given: a rate, and a time in milliseconds.
fn restriction(value: Option<&[u8]>) -> Result<(u32, Duration), String> {
    let given = value.map(text).unwrap_or_default();
    let (rate, time) = given.split_once(',').unwrap_or((&given, ""));
    let number = |part: &str, default: u32| match part {
        "" => Some(default),
        part => part.parse().ok().filter(|&number| number > 0),
    };
    match (number(rate, 3000), number(time, 1000)) {
        (Some(rate), Some(ms)) => Ok((rate, Duration::from_millis(u64::from(ms)))),
        _ => Err(format!("wrong rate or time for --restrict: {given}")),
    }
}

fn absolute(dir: &[u8]) -> Vec<u8> {
    let path: &std::ffi::OsStr = std::os::unix::ffi::OsStrExt::from_bytes(dir);
    match std::path::absolute(path) {
        Ok(full) => bytes(full.as_os_str()).to_vec(),
        Err(_) => dir.to_vec(),
    }
}

/// What `-h` prints.
pub const HELP: &str = "\
Usage: asterism [options] [--] [filepath] [arguments]
  -0[octal]       record separator ($/)
  -a              split each input line into $F (with -n or -p)
  -c              check the syntax only
  -C dir          change to dir first
  -d              set $DEBUG
  -E ex[:in]      default external and internal encodings
  -e 'code'       run the code; may be given several times
  -Fpattern       set $; for -a
  -i[extension]   edit the files named by ARGV in place
  -I dir          add dir to $LOAD_PATH
  -l              chomp input lines, add newlines to output
  -n              wrap the program in `while gets; ...; end`
  -p              as -n, and print $_ at the end of each round
  -r library      require the library first
  -K e|s|u|n      encoding of the script and default external encoding
  -s              take switches behind the script's name as global variables
  -S              look for the script in RUBYPATH, beside asterism, and in PATH
  -U              default internal encoding UTF-8
  -v              print the version and set $VERBOSE
  -w, -W[level]   warnings: 0 none, 1 some, 2 all
  -W:[no-]category  switch a category: deprecated, experimental, performance, strict_unused_block
  -x[dir]         skip text before the #!ruby line, change to dir
  --backtrace-limit=num  lines of a backtrace that are shown
  --dump=ast|bytecode|asm  show what the compiler makes of the program
  --enable=, --disable=features: gems, did_you_mean, error_highlight, rubyopt, frozen-string-literal, all
  --encoding=ex[:in], --external-encoding=, --internal-encoding=
  --gc-stats      show what the collector did, at the end
  --gc-stress     collect at every allocation
  --jit=on|off|always|stress  compile hot code to machine code (on unless given; on x86-64 only), no code, all code at its
                  first calls, or that with conditions that fail at random
  --jit-stats     show what was compiled, at the end
  --jit-perf      write a map of compiled code for perf
  --lock-stats    show how often locks were taken and waited for, at the end
  --no-parallel   run one thread at a time, as ASTERISM_PARALLEL=0 does
  --profile=file  take samples of all threads; file.html is a flame graph, file.pb.gz for pprof, others for speedscope
  --profile-period=ms  processor time between two samples of a thread, 1 unless given
  --race-report   tell of accesses by several threads to one variable, element or key that nothing orders
  --restrict=rate,ms  keep threads that wait for one Mutex so often a second on one processor for so long (3000,1000 unless given)
  --trace=file    note what threads wait for, as Chrome and Perfetto read it; `asterism timeline file -o page.html` makes a page of it
                  (`asterism top pid` shows what the threads of a running program do)
  --verify-heap   check the heap after every collection
  --version, --copyright, -h   (--version -v: with the standard library that was found)
";
