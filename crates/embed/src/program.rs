//! What is to run, as a command line says it.

use std::ffi::{CStr, c_char, c_int};

use asterism::{Ended, Script, Session};

/// A program with its arguments.
#[derive(Debug, Default)]
pub(crate) struct Program {
    load_path: Vec<Vec<u8>>,
    requires: Vec<String>,
    script: Script,
    arguments: Vec<Vec<u8>>,
}

/// The words of a command line.
///
/// # Safety
/// `argv` has `argc` texts.
pub(crate) unsafe fn words(argc: c_int, argv: *const *const c_char) -> Vec<Vec<u8>> {
    // SAFETY: the caller's contract.
    (0..usize::try_from(argc).unwrap_or(0))
        .map(|i| unsafe { CStr::from_ptr(*argv.add(i)) }.to_bytes().to_vec())
        .collect()
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8_lossy(&bytes).into_owned()
}

impl Program {
    /// Of `[-I dir] [-r library] (-e code | file) [arguments]`; what is wrong with it.
    pub(crate) fn parse(words: Vec<Vec<u8>>) -> Result<Program, String> {
        let mut program = Program::default();
        let mut words = words.into_iter();
        let mut code: Option<Vec<u8>> = None;
        while let Some(word) = words.next() {
            let (name, rest) = word.split_at(word.len().min(2));
            let mut value = || match rest {
                [] => words.next().ok_or_else(|| format!("no argument for {}", String::from_utf8_lossy(name))),
                given => Ok(given.to_vec()),
            };
            match name {
                b"-I" => program.load_path.push(value()?),
                b"-r" => program.requires.push(text(value()?)),
                b"-e" => {
                    let code = code.get_or_insert_default();
                    code.extend(value()?);
                    code.push(b'\n');
                }
                b"--" if rest.is_empty() => break,
                [b'-', _] => return Err(format!("invalid option {} (-h will show valid options)", text(word))),
                _ => {
                    program.arguments.push(word);
                    break;
                }
            }
        }
        program.arguments.extend(words);
        program.script = match code {
            Some(source) => Script { name: "-e".into(), source, ..Script::default() },
            None if program.arguments.is_empty() => return Err("no program".into()),
            None => read(text(program.arguments.remove(0)))?,
        };
        Ok(program)
    }

    /// Runs it.
    pub(crate) fn run(&self, session: &mut Session) -> Ended {
        let mut ended = session.set_arguments(&self.script.name, &self.arguments);
        for dir in self.load_path.iter().rev() {
            ended = ended.and_then(|| session.unshift_load_path(dir));
        }
        for library in &self.requires {
            ended = ended.and_then(|| session.require(library));
        }
        ended.and_then(|| session.run_script(&self.script))
    }
}

fn read(name: String) -> Result<Script, String> {
    let source = std::fs::read(&name).map_err(|e| format!("{name}: {e} (LoadError)"))?;
    let path = std::path::absolute(&name).ok().map(|path| path.to_string_lossy().into_owned());
    Ok(Script { name, source, path, ..Script::default() })
}
