//! What a Ractor that is not the main one may not reach. All of it is off the fast paths, or behind the test whether the
//! thread is in such a Ractor.

use asterism_object::class::Class;
use asterism_object::types::Type;
use asterism_object::{Sym, Value, data, ownership};

use super::shareable::is_shareable;
use crate::ec::{Ec, Res};

/// The global variables that a Ractor has of its own, or may read.
const OWN_GLOBALS: &[&str] = &[
    "$stdin", "$stdout", "$>", "$stderr", "$/", "$-0", "$_", "$!", "$@", "$$", "$?", "$~", "$&", "$`", "$'", "$+",
    "$VERBOSE", "$-v", "$-w", "$-W", "$DEBUG", "$-d", "$-p", "$-l", "$-a", "$-i",
];

impl Ec {
    /// May the running Ractor read the constant `name` of `class`, which is `value`?
    ///
    /// # Errors
    /// Ractor::IsolationError if not.
    #[inline]
    pub(crate) fn check_constant(&mut self, class: Class, name: Sym, value: Value) -> Res<()> {
        if !self.is_restricted() || is_shareable(self, value) {
            return Ok(());
        }
        let class = self.class_name(class);
        let name = name.text();
        let message = format!("can not access non-shareable objects in constant {class}::{name} by non-main Ractor.");
        Err(self.isolation_error(message))
    }

    /// May the running Ractor set a constant to `value`?
    ///
    /// # Errors
    /// Ractor::IsolationError if not.
    pub(crate) fn check_new_constant(&mut self, value: Value) -> Res<()> {
        if !self.is_restricted() || is_shareable(self, value) {
            return Ok(());
        }
        Err(self.isolation_error("can not set constants with non-shareable objects by non-main Ractors"))
    }

    /// May the running Ractor use the global variable `name`?
    ///
    /// # Errors
    /// Ractor::IsolationError if not.
    pub(crate) fn check_global(&mut self, name: Sym) -> Res<()> {
        if !self.is_restricted() || OWN_GLOBALS.contains(&&*name.text()) {
            return Ok(());
        }
        let message = format!("can not access global variable {} from non-main Ractor", name.text());
        Err(self.isolation_error(message))
    }

    /// May the running Ractor read a class variable of `class` that is `value`?
    ///
    /// # Errors
    /// Ractor::IsolationError if not.
    pub(crate) fn check_cvar(&mut self, class: Class, name: Sym, value: Value) -> Res<()> {
        if !self.is_restricted() || is_shareable(self, value) {
            return Ok(());
        }
        let class = self.class_name(class);
        let name = name.text();
        let message = format!("can not read non-shareable class variable {name} from non-main Ractors ({class})");
        Err(self.isolation_error(message))
    }

    /// May the running Ractor set a class variable?
    ///
    /// # Errors
    /// Ractor::IsolationError if not.
    pub(crate) fn check_new_cvar(&mut self, class: Class, name: Sym) -> Res<()> {
        if !self.is_restricted() {
            return Ok(());
        }
        let class = self.class_name(class);
        let message = format!("can not set class variables from non-main Ractors ({} from {class})", name.text());
        Err(self.isolation_error(message))
    }

    /// May the running Ractor read the instance variable `name` of `object`, which is `value`?
    ///
    /// # Errors
    /// Ractor::IsolationError if not.
    #[inline]
    pub fn check_ivar(&mut self, object: Value, name: Sym, value: Option<Value>) -> Res<()> {
        if !self.is_restricted() { Ok(()) } else { self.check_ivar_in_ractor(object, name, value) }
    }

    #[cold]
    fn check_ivar_in_ractor(&mut self, object: Value, name: Sym, value: Option<Value>) -> Res<()> {
        // Hidden ones are the implementation's.
        if name.bytes().first() != Some(&b'@') {
            return Ok(());
        }
        if let Some(class) = Class::from_value(object) {
            let Some(value) = value else { return Ok(()) };
            if is_shareable(self, value) {
                return Ok(());
            }
            let (class, name) = (self.class_name(class), name.text());
            return Err(self.isolation_error(format!(
                "can not get unshareable values from instance variables of classes/modules from non-main Ractors ({name} from {class})"
            )));
        }
        self.check_shared_ivar(object)
    }

    fn check_shared_ivar(&mut self, object: Value) -> Res<()> {
        if object.is_type(Type::Data)
            && !ownership::is_frozen(object)
            && data::shared(object) == Some(data::Shared::Always)
        {
            let message = "can not access instance variables of shareable objects from non-main Ractors";
            return Err(self.isolation_error(message));
        }
        Ok(())
    }

    /// May the running Ractor set the instance variable `name` of `object`?
    ///
    /// # Errors
    /// Ractor::IsolationError if not.
    #[cold]
    pub(crate) fn check_new_ivar(&mut self, object: Value, name: Sym) -> Res<()> {
        if name.bytes().first() != Some(&b'@') {
            return Ok(());
        }
        if Class::from_value(object).is_some() {
            return Err(self.isolation_error("can not set instance variables of classes/modules by non-main Ractors"));
        }
        self.check_shared_ivar(object)
    }
}
