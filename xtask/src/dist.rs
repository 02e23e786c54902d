//! `cargo xtask dist`: what a user installs.
//!
//! A tree that runs from wherever it lies, as a tarball; and a Debian package of the same tree under `/usr/lib/asterism`. The
//! standard library is the installed one, as everywhere; `docs/guide/installing.md` tells the rest.

mod pages;

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::repo;

/// The commands beside `asterism`: the name, the gem that has it, and its executable there. A gem of no name is RubyGems itself.
const COMMANDS: [(&str, &str, &str); 9] = [
    ("gem", "", "gem"),
    ("bundle", "bundler", "bundle"),
    ("bundler", "bundler", "bundler"),
    ("irb", "irb", "irb"),
    ("rake", "rake", "rake"),
    ("erb", "erb", "erb"),
    ("rdoc", "rdoc", "rdoc"),
    ("ri", "rdoc", "ri"),
    ("racc", "racc", "racc"),
];

/// What is packed, and where to.
struct Dist {
    root: PathBuf,
    bin: PathBuf,
    out: PathBuf,
    version: String,
}

/// Makes the tarball and the package.
pub fn run(args: &[String]) -> Result<bool, String> {
    let root = repo::root();
    let mut dist = Dist {
        bin: root.join("target/release/asterism"),
        out: root.join("target/dist"),
        version: version(&root)?,
        root,
    };
    let mut args = args.iter();
    while let Some(flag) = args.next() {
        let value = args.next().ok_or_else(|| format!("{flag} needs a value"))?;
        match flag.as_str() {
            "--bin" => dist.bin = PathBuf::from(value),
            "--out" => dist.out = PathBuf::from(value),
            _ => return Err(format!("unknown option {flag}; usage: cargo xtask dist [--bin PATH] [--out DIR]")),
        }
    }
    let tarball = dist.tarball()?;
    println!("{}", tarball.display());
    println!("{}", dist.package()?.display());
    Ok(true)
}

/// The version all crates share.
fn version(root: &Path) -> Result<String, String> {
    let manifest = repo::read(root, "Cargo.toml")?;
    let line = manifest.lines().find_map(|line| line.strip_prefix("version = \""));
    line.and_then(|rest| rest.split('"').next()).map(str::to_owned).ok_or("Cargo.toml has no version".into())
}

impl Dist {
    /// `asterism-VERSION-CPU-linux.tar.gz`.
    fn tarball(&self) -> Result<PathBuf, String> {
        let name = format!("asterism-{}-{}-linux", self.version, std::env::consts::ARCH);
        let tree = self.out.join(&name);
        remove(&tree)?;
        self.stage(&tree, &tree.join("share"))?;
        let file = self.out.join(format!("{name}.tar.gz"));
        let mut tar = Command::new("tar");
        tar.args(["--create", "--gzip", "--owner=0", "--group=0", "--sort=name", "--file"]);
        perform(tar.arg(&file).arg("--directory").arg(&self.out).arg(&name))?;
        Ok(file)
    }

    /// `asterism_VERSION_CPU.deb`.
    fn package(&self) -> Result<PathBuf, String> {
        let cpu = match std::env::consts::ARCH {
            "x86_64" => "amd64",
            "aarch64" => "arm64",
            other => other,
        };
        let name = format!("asterism_{}_{cpu}", self.version);
        let tree = self.out.join(&name);
        remove(&tree)?;
        self.stage(&tree.join("usr/lib/asterism"), &tree.join("usr/share"))?;
        make_dir(&tree.join("usr/bin"))?;
        symlink("../lib/asterism/bin/asterism", tree.join("usr/bin/asterism")).map_err(|e| format!("usr/bin: {e}"))?;
        let doc = tree.join("usr/share/doc/asterism");
        write(&doc.join("copyright"), &copyright(&self.root)?, 0o644)?;
        write(&tree.join("DEBIAN/control"), &self.control(cpu)?, 0o644)?;
        let file = self.out.join(format!("{name}.deb"));
        perform(Command::new("dpkg-deb").args(["--root-owner-group", "--build"]).arg(&tree).arg(&file))?;
        Ok(file)
    }

    /// The tree: `share` may lie elsewhere.
    fn stage(&self, tree: &Path, share: &Path) -> Result<(), String> {
        let command = tree.join("bin/asterism");
        copy(&self.bin, &command)?;
        // The names that extensions are linked with are in a table of their own, which stays.
        perform(Command::new("strip").arg("--strip-debug").arg(&command))?;
        for (name, gem, executable) in COMMANDS {
            write(&tree.join("bin").join(name), &launcher(gem, executable), 0o755)?;
        }
        copy_tree(&self.root.join("include"), &tree.join("include/asterism"))?;
        copy(&self.library_of_names()?, &tree.join("lib/asterism/libasterism_names.a"))?;
        let help = Command::new(&command).arg("--help").output().map_err(|e| format!("{}: {e}", command.display()))?;
        let options = pages::options(&String::from_utf8_lossy(&help.stdout));
        for (file, text) in pages::all(&options, &self.version) {
            write(&share.join(file), &text, 0o644)?;
        }
        let doc = share.join("doc/asterism");
        copy_tree(&self.root.join("docs"), &doc)?;
        for file in ["README.md", "LICENSE-MIT", "LICENSE-APACHE"] {
            copy(&self.root.join(file), &doc.join(file))?;
        }
        Ok(())
    }

    /// Where the built command says that its library of names lies.
    fn library_of_names(&self) -> Result<PathBuf, String> {
        let asked = Command::new(&self.bin).args(["-e", "print Process.__send__(:__extension_paths)[1]"]).output();
        let output = asked.map_err(|e| format!("{}: {e}", self.bin.display()))?;
        Ok(PathBuf::from(String::from_utf8_lossy(&output.stdout).into_owned()).join("libasterism_names.a"))
    }

    fn control(&self, cpu: &str) -> Result<String, String> {
        let bytes = fs::read(&self.bin).map_err(|e| format!("{}: {e}", self.bin.display()))?;
        let libc = pages::newest_glibc(&bytes).ok_or("the command uses no glibc")?;
        Ok(format!(
            "Package: asterism\nVersion: {}\nArchitecture: {cpu}\nSection: ruby\nPriority: optional\n\
             Maintainer: The Asterism authors <asterism@localhost>\nDepends: libc6 (>= {libc}), libgcc-s1, libruby\n\
             Recommends: build-essential\nDescription: Ruby whose threads run in parallel\n \
             An implementation of Ruby 4.0 with threads on all cores and no global lock,\n \
             fibers by the million, and isolated VMs in one process joined by channels.\n",
            self.version
        ))
    }
}

/// A command that runs with the `asterism` beside it, wherever the two lie: a shell finds it, `-x` skips to the Ruby part.
fn launcher(gem: &str, executable: &str) -> String {
    let ruby = if gem.is_empty() {
        "require \"rubygems\"\nrequire \"rubygems/gem_runner\"\nGem::GemRunner.new.run(ARGV.clone)\n".to_owned()
    } else {
        format!("require \"rubygems\"\nload Gem.activate_bin_path(\"{gem}\", \"{executable}\", \">= 0.a\")\n")
    };
    format!("#!/bin/sh\nexec \"$(dirname \"$(readlink -f \"$0\")\")/asterism\" -x \"$0\" \"$@\"\n#!ruby\n{ruby}")
}

/// What Debian wants to be told of licences.
fn copyright(root: &Path) -> Result<String, String> {
    let mit = repo::read(root, "LICENSE-MIT")?;
    Ok(format!(
        "Asterism is under the MIT licence or the Apache licence 2.0 (/usr/share/common-licenses/Apache-2.0).\n\n{mit}"
    ))
}

/// Runs a command that has to succeed; else what it said.
pub(crate) fn perform(command: &mut Command) -> Result<(), String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|e| format!("cannot run {name}: {e}"))?;
    if output.status.success() {
        return Ok(());
    }
    Err(format!("{name}: {}", String::from_utf8_lossy(&output.stderr)))
}

fn remove(tree: &Path) -> Result<(), String> {
    if tree.exists() { fs::remove_dir_all(tree).map_err(|e| format!("{}: {e}", tree.display())) } else { Ok(()) }
}

fn make_dir(path: &Path) -> Result<(), String> {
    fs::create_dir_all(path).map_err(|e| format!("{}: {e}", path.display()))
}

fn write(path: &Path, text: &str, mode: u32) -> Result<(), String> {
    let fail = |e| format!("{}: {e}", path.display());
    make_dir(path.parent().unwrap_or(path))?;
    fs::write(path, text).map_err(fail)?;
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).map_err(fail)
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    make_dir(to.parent().unwrap_or(to))?;
    fs::copy(from, to).map(drop).map_err(|e| format!("{}: {e}", from.display()))
}

fn copy_tree(from: &Path, to: &Path) -> Result<(), String> {
    let entries = fs::read_dir(from).map_err(|e| format!("{}: {e}", from.display()))?;
    for entry in entries {
        let path = entry.map_err(|e| format!("{}: {e}", from.display()))?.path();
        let target = to.join(path.file_name().unwrap_or_default());
        if path.is_dir() {
            copy_tree(&path, &target)?;
        } else {
            copy(&path, &target)?;
        }
    }
    Ok(())
}
