//! Features that are part of the implementation: requiring them loads nothing from a file. Each crate provides its own.

use asterism_compiler::CodeKind;
use asterism_vm::{Ec, Res};

/// Defines a feature's native part.
pub type Define = fn(&mut Ec) -> Res<()>;

/// A feature of the implementation's own.
pub struct Feature {
    /// As `require` is given it, without extension.
    pub name: &'static str,
    /// As `$LOADED_FEATURES` shows it.
    pub file: &'static str,
    /// Defines its natives, if it has any.
    define: Option<Define>,
    /// The names and texts of Ruby sources that are run then.
    sources: &'static [(&'static str, &'static str)],
    /// It cannot be required: it comes after a program's file that ends in its name.
    follows: bool,
    /// An extension of that name on the load path comes before it.
    yields: bool,
}

impl Feature {
    /// One that is there from the start.
    pub const fn present(name: &'static str, file: &'static str) -> Feature {
        Feature { name, file, define: None, sources: &[], follows: false, yields: false }
    }

    /// One that is written in Ruby.
    pub const fn ruby(
        name: &'static str,
        file: &'static str,
        sources: &'static [(&'static str, &'static str)],
    ) -> Feature {
        Feature { name, file, define: None, sources, follows: false, yields: false }
    }

    /// One with natives, on which its sources build.
    pub const fn native(
        name: &'static str,
        file: &'static str,
        define: Define,
        sources: &'static [(&'static str, &'static str)],
    ) -> Feature {
        Feature { name, file, define: Some(define), sources, follows: false, yields: false }
    }

    /// What is run whenever a file whose path ends in `/` and this name has been loaded: it tells a gem that asks which
    /// implementation this is what it wants to know by that.
    pub const fn after(name: &'static str, sources: &'static [(&'static str, &'static str)]) -> Feature {
        Feature { name, file: "", define: None, sources, follows: true, yields: false }
    }

    /// This one, unless a gem that is in use has an extension of the same name.
    pub const fn unless_installed(self) -> Feature {
        Feature { yields: true, ..self }
    }

    /// Does an extension on the load path come before it?
    pub(super) fn yields(&self) -> bool {
        self.yields
    }

    /// Is this what `require` was given?
    fn is_named(&self, name: &[u8]) -> bool {
        let bare = name.strip_suffix(b".rb").or_else(|| name.strip_suffix(b".so")).unwrap_or(name);
        // A name with an ending is that one alone: `pathname.so` is a part of `pathname`.
        !self.follows && (self.name.as_bytes() == bare || self.name.as_bytes() == name)
    }

    /// Is it to be run after this file?
    fn is_after(&self, path: &[u8]) -> bool {
        self.follows && path.strip_suffix(self.name.as_bytes()).is_some_and(|folder| folder.ends_with(b"/"))
    }

    /// Makes it available.
    ///
    /// # Errors
    /// NoMemoryError.
    pub(super) fn load(&self, ec: &mut Ec) -> Res<()> {
        if let Some(define) = self.define {
            define(ec)?;
        }
        for (file, source) in self.sources {
            let code = ec.compile_file(source.as_bytes(), file, CodeKind::File, true)?;
            ec.run_prelude(&code)?;
        }
        Ok(())
    }
}

/// In `$LOADED_FEATURES` from the start.
pub(super) const ALWAYS: &[&str] = &[
    "enumerator.so",
    "thread.rb",
    "fiber.so",
    "rational.so",
    "complex.so",
    "ruby2_keywords.rb",
    "set.rb",
    "monitor.rb",
];

/// What needs nothing to be loaded.
pub(super) static PRESENT: &[Feature] = &[
    Feature::present("enumerator", "enumerator.so"),
    Feature::present("thread", "thread.rb"),
    Feature::present("fiber", "fiber.so"),
    Feature::present("rational", "rational.so"),
    Feature::present("complex", "complex.so"),
    Feature::present("ruby2_keywords", "ruby2_keywords.rb"),
    Feature::present("set", "set.rb"),
    Feature::present("monitor", "monitor.rb"),
    Feature::present("io/console/size", "io/console/size.rb"),
    Feature::present("io/wait", "io/wait.so"),
    Feature::present("io/nonblock", "io/nonblock.so"),
];

/// The first of these features with a name, with or without extension.
pub(super) fn find(lists: &[&'static [Feature]], name: &[u8]) -> Option<&'static Feature> {
    lists.iter().flat_map(|list| list.iter()).find(|feature| feature.is_named(name))
}

/// What is to be run after this file.
pub(super) fn after(lists: &[&'static [Feature]], path: &[u8]) -> Option<&'static Feature> {
    lists.iter().flat_map(|list| list.iter()).find(|feature| feature.is_after(path))
}
