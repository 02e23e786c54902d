//! What is made from the command's own `--help`: the page of the manual and what shells complete, so that an option is written
//! down once.

/// An option: how it is written, and what it does.
#[derive(Debug, PartialEq, Eq)]
pub struct CommandOption {
    /// As in the help, with its argument: `--trace=file`.
    pub written: String,
    /// What follows it there.
    pub meaning: String,
}

impl CommandOption {
    /// The words a shell can complete: `--jit=on`, `--jit=off` …, `--trace=`, `-c`.
    fn words(&self) -> Vec<String> {
        let mut words = Vec::new();
        for part in self.written.split(", ") {
            match part.split_once('=') {
                Some((name, values)) if values.contains('|') => {
                    words.extend(values.split('|').map(|value| format!("{name}={value}")));
                }
                Some((name, _)) => words.push(format!("{name}=")),
                None => words.extend(part.split(['[', ' ', '\'']).next().map(str::to_owned)),
            }
        }
        words.retain(|word| word.starts_with('-'));
        words
    }
}

/// The options that a help text lists: lines that begin with two spaces and a dash, and what follows them deeper in.
pub fn options(help: &str) -> Vec<CommandOption> {
    let mut options: Vec<CommandOption> = Vec::new();
    for line in help.lines() {
        if line.starts_with("  -") {
            let line = line.trim();
            let (written, meaning) = line.split_once("  ").unwrap_or((line, ""));
            options.push(CommandOption { written: written.to_owned(), meaning: meaning.trim().to_owned() });
        } else if let Some(last) = options.last_mut()
            && line.starts_with("   ")
        {
            last.meaning.push(' ');
            last.meaning.push_str(line.trim());
        }
    }
    options
}

/// Each page and its place under `share`.
pub fn all(options: &[CommandOption], version: &str) -> [(&'static str, String); 4] {
    [
        ("man/man1/asterism.1", manual(options, version)),
        ("bash-completion/completions/asterism", bash(options)),
        ("zsh/site-functions/_asterism", zsh(options)),
        ("fish/vendor_completions.d/asterism.fish", fish(options)),
    ]
}

fn manual(options: &[CommandOption], version: &str) -> String {
    let plain = |text: &str| text.replace('\\', "\\e").replace('-', "\\-");
    let mut page = format!(".TH ASTERISM 1 \"\" \"Asterism {version}\" \"User Commands\"\n");
    page += ".SH NAME\nasterism \\- Ruby whose threads run in parallel\n";
    page += ".SH SYNOPSIS\n.B asterism\n[\\fIoptions\\fR] [\\-\\-] [\\fIfile\\fR] [\\fIarguments\\fR]\n.br\n";
    page += ".B asterism timeline\n\\fIfile\\fR \\-o \\fIpage.html\\fR\n";
    page += ".SH DESCRIPTION\nRuns a Ruby program, from a file, from\n.BR \\-e ,\nor from the standard input. Threads run on all cores.\n";
    page += ".SH OPTIONS\n";
    for option in options {
        page += &format!(".TP\n.B {}\n{}\n", plain(&option.written), plain(&option.meaning));
    }
    page += ".SH ENVIRONMENT\n";
    for (name, meaning) in ENVIRONMENT {
        page += &format!(".TP\n.B {name}\n{}\n", plain(meaning));
    }
    page += ".SH SEE ALSO\nThe guide, in share/doc/asterism/guide of the installation.\n";
    page
}

/// The variables that the command reads.
const ENVIRONMENT: [(&str, &str); 6] = [
    ("RUBYOPT", "Options, before those of the command line."),
    ("RUBYLIB", "Directories for $LOAD_PATH, divided by colons."),
    ("RUBYPATH", "Directories in which -S looks first."),
    ("GEM_HOME", "Where gems are installed."),
    ("GEM_PATH", "Where gems are looked for, divided by colons."),
    ("ASTERISM_PARALLEL", "0 lets one thread run at a time."),
];

fn words(options: &[CommandOption]) -> Vec<String> {
    options.iter().flat_map(CommandOption::words).collect()
}

fn bash(options: &[CommandOption]) -> String {
    format!(
        "_asterism() {{\n  local word=${{COMP_WORDS[COMP_CWORD]}} whole=${{COMP_LINE:0:COMP_POINT}}\n  whole=${{whole##* }}\n  \
         COMPREPLY=()\n  if [[ $whole == -* ]]; then\n    \
         local prefix=\"\"\n    [[ $whole == *=* && $word != *=* ]] && prefix=${{whole%\"${{word#=}}\"}}\n    \
         mapfile -t COMPREPLY < <(compgen -W '{}' -- \"$whole\")\n    \
         COMPREPLY=(\"${{COMPREPLY[@]#\"$prefix\"}}\")\n    \
         [[ ${{#COMPREPLY[@]}} -eq 1 && ${{COMPREPLY[0]}} == *= ]] && compopt -o nospace\n  fi\n}}\n\
         complete -o bashdefault -o default -F _asterism asterism\n",
        words(options).join(" ")
    )
}

fn zsh(options: &[CommandOption]) -> String {
    let mut page = "#compdef asterism\nlocal -a options\noptions=(\n".to_owned();
    let quoted = |text: &str| text.replace('\'', "'\\''").replace(':', "\\:");
    for option in options {
        for word in option.words() {
            page += &format!("  '{}:{}'\n", quoted(&word), quoted(&option.meaning));
        }
    }
    page + ")\nif [[ $PREFIX == -* ]]; then\n  _describe option options\nelse\n  _files\nfi\n"
}

fn fish(options: &[CommandOption]) -> String {
    let mut page = String::new();
    let quoted = |text: &str| text.replace('\\', "\\\\").replace('\'', "\\'");
    for option in options {
        for word in option.words() {
            let arguments = if let Some(name) = word.strip_prefix("--") {
                match name.split_once('=') {
                    Some((name, "")) => format!("-l {name} -r"),
                    Some((name, value)) => format!("-l {name} -x -a '{}'", quoted(value)),
                    None => format!("-l {name}"),
                }
            } else {
                format!("-o '{}'", quoted(&word[1..]))
            };
            page += &format!("complete -c asterism {arguments} -d '{}'\n", quoted(&option.meaning));
        }
    }
    page
}

/// The newest version of glibc whose symbols a program asks for, as `GLIBC_2.34` among its bytes.
pub fn newest_glibc(program: &[u8]) -> Option<String> {
    const NAME: &[u8] = b"GLIBC_2.";
    let minor = |at: usize| {
        let digits: Vec<u8> = program[at + NAME.len()..].iter().copied().take_while(u8::is_ascii_digit).collect();
        String::from_utf8(digits).ok()?.parse::<u32>().ok()
    };
    let places = program.windows(NAME.len()).enumerate().filter(|(_, window)| *window == NAME);
    places.filter_map(|(at, _)| minor(at)).max().map(|minor| format!("2.{minor}"))
}

#[cfg(test)]
#[path = "pages_tests.rs"]
mod tests;
