//! The command line: which switches there are and what they mean.

use std::ffi::OsString;

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
    /// `-0`
    pub record_separator: Option<Vec<u8>>,
    /// `-s`
    pub script_switches: bool,
    /// `-x`
    pub skip_to_shebang: bool,
    /// `--dump=`
    pub dump: Option<Dump>,
    /// `--gc-stats`
    pub gc_stats: bool,
    /// `--gc-stress`
    pub gc_stress: bool,
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
    /// An unknown switch or a missing argument.
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

    /// Reads `RUBYOPT`.
    ///
    /// # Errors
    /// A switch that is not allowed there.
    pub fn parse_environment(&mut self, rubyopt: &[u8]) -> Result<(), Mistake> {
        for word in rubyopt.split(|b| b.is_ascii_whitespace()).filter(|w| !w.is_empty()) {
            let mut none = std::iter::empty().peekable();
            if let Some(long) = word.strip_prefix(b"--") {
                self.long_switch(long, &mut none)?;
            } else {
                self.short_switches(word.strip_prefix(b"-").unwrap_or(word), &mut none, true)?;
            }
        }
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
            b"dump" => {
                self.dump = Some(match &value_of("dump")?[..] {
                    b"ast" | b"parsetree" => Dump::Ast,
                    b"bytecode" | b"insns" => Dump::Bytecode,
                    other => return Err(format!("don't know how to dump '{}',", text(other))),
                });
            }
            b"gc-stats" => self.gc_stats = true,
            b"gc-stress" => self.gc_stress = true,
            b"verify-heap" => self.verify_heap = true,
            b"enable" | b"disable" => {
                let on = name == b"enable";
                for feature in value_of("enable")?.split(|&b| b == b',') {
                    self.feature(feature, on);
                }
            }
            b"encoding" | b"external-encoding" | b"internal-encoding" => {
                let encoding = value_of("encoding")?;
                if !encoding.eq_ignore_ascii_case(b"utf-8") {
                    return Err(format!("the default encoding is UTF-8; {} is not supported", text(&encoding)));
                }
            }
            b"jit" | b"yjit" | b"no-jit" | b"disable-gems" | b"disable-jit" | b"disable-yjit" => {}
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

    /// Features that other implementations know and this one has no use for (gems, did_you_mean …) are accepted.
    fn feature(&mut self, name: &[u8], on: bool) {
        if matches!(name, b"frozen-string-literal" | b"frozen_string_literal") {
            self.frozen_string_literal = Some(on);
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
                    self.requires.push(text(&value("missing argument for -r")?));
                    return Ok(());
                }
                b'C' | b'X' => {
                    let dir = value("Can't chdir")?;
                    self.directory = Some(std::os::unix::ffi::OsStringExt::from_vec(dir));
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
                        (0, _) => vec![0],
                        (_, 0) => b"\n\n".to_vec(),
                        (_, n) if n > 255 => Vec::new(),
                        (_, n) => vec![n as u8],
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
                b'd' => self.debug = true,
                b'c' => self.check = true,
                b'n' => self.loop_switches.n = true,
                b'p' => {
                    self.loop_switches.p = true;
                    self.loop_switches.n = true;
                }
                b'l' => self.loop_switches.l = true,
                b'a' => self.loop_switches.a = true,
                b's' => self.script_switches = true,
                b'x' => self.skip_to_shebang = true,
                b'h' => self.only_print = Some(Print::Help),
                b'U' | b'S' | b'y' => {}
                b'E' | b'K' => {
                    value("missing argument for -E")?;
                    return Ok(());
                }
                b'\r' | b'-' => {}
                other => {
                    return Err(format!("invalid option -{}  (-h will show valid options)", char::from(other)));
                }
            }
        }
        Ok(())
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
  -e 'code'       run the code; may be given several times
  -Fpattern       set $; for -a
  -i[extension]   edit the files named by ARGV in place
  -I dir          add dir to $LOAD_PATH
  -l              chomp input lines, add newlines to output
  -n              wrap the program in `while gets; ...; end`
  -p              as -n, and print $_ at the end of each round
  -r library      require the library first
  -s              take switches behind the script's name as global variables
  -v              print the version and set $VERBOSE
  -w, -W[level]   warnings: 0 none, 1 some, 2 all
  -x              skip text before the #!ruby line
  --dump=ast|bytecode  show what the compiler makes of the program
  --enable=, --disable=frozen-string-literal
  --gc-stats      show what the collector did, at the end
  --gc-stress     collect at every allocation
  --verify-heap   check the heap after every collection
  --version, --copyright, -h
";
