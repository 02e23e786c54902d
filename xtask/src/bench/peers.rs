//! The Rubies to compare: ours and every other one found on the machine.

use std::path::Path;
use std::process::Command;

/// One Ruby.
pub struct Peer {
    /// What the tables call it.
    pub name: String,
    /// The command and its fixed options.
    pub command: Vec<String>,
    /// Its `--version` line.
    pub version: String,
}

impl Peer {
    fn new(name: &str, command: &[&str]) -> Option<Self> {
        let (program, args) = command.split_first()?;
        let works = Command::new(program).args(args).args(["-e", "1"]).output().is_ok_and(|out| out.status.success());
        if !works {
            return None;
        }
        let version = Command::new(program).args(args).arg("--version").output().ok()?;
        Some(Self {
            name: name.to_owned(),
            command: command.iter().map(|&part| part.to_owned()).collect(),
            version: String::from_utf8_lossy(&version.stdout).lines().next().unwrap_or_default().to_owned(),
        })
    }

    /// The command line that runs a file with arguments.
    pub fn argv(&self, args: &[&str]) -> Vec<String> {
        self.command.iter().cloned().chain(args.iter().map(|&arg| arg.to_owned())).collect()
    }
}

/// Ours first, then what is installed, then what the caller named.
pub fn find(ours: &Path, given: &[(String, String)]) -> Vec<Peer> {
    let ours = ours.to_string_lossy().into_owned();
    let version = Command::new(&ours).arg("--version").output();
    let version = version.map(|out| String::from_utf8_lossy(&out.stdout).trim().to_owned()).unwrap_or_default();
    let mut peers = vec![Peer { name: "asterism".to_owned(), command: vec![ours], version }];
    let known: [(&str, &[&str]); 4] = [
        ("ruby", &["ruby"]),
        ("ruby --yjit", &["ruby", "--yjit"]),
        ("jruby", &["jruby"]),
        ("truffleruby", &["truffleruby"]),
    ];
    peers.extend(known.iter().filter_map(|(name, command)| Peer::new(name, command)));
    for (name, command) in given {
        let parts: Vec<&str> = command.split_whitespace().collect();
        match Peer::new(name, &parts) {
            Some(peer) => peers.push(peer),
            None => eprintln!("xtask: the peer {name} does not run and is left out"),
        }
    }
    peers
}
