//! What a Ractor that is not the main one may not reach. All of it is off the fast paths, or behind the test whether the
//! thread is in such a Ractor.

use asterism_object::class::Class;
use asterism_object::types::Type;
use asterism_object::{Sym, Value, data, ownership};

use super::shareable::{is_shareable, is_unshareable_itself};
use super::way;
use crate::ec::{Ec, Res};

/// The global variables that a Ractor has of its own, or may read.
const OWN_GLOBALS: &[&str] = &[
    "$stdin", "$stdout", "$>", "$stderr", "$/", "$-0", "$_", "$!", "$@", "$$", "$?", "$~", "$&", "$`", "$'", "$+",
    "$VERBOSE", "$-v", "$-w", "$-W", "$DEBUG", "$-d", "$-p", "$-l", "$-a", "$-i",
];

/// Hidden variables are the implementation's.
fn is_hidden(name: Sym) -> bool {
    name.bytes().first() != Some(&b'@')
}

impl Ec {
    /// May the running Ractor read the constant `name` of `class`, which is `value`?
    ///
    /// # Errors
    /// Ractor::IsolationError if not.
    #[inline]
    pub(crate) fn check_constant(&mut self, class: Class, name: Sym, value: Value) -> Res<()> {
        if !self.is_restricted() || is_shareable(self, value) || self.runs_internal_code() {
            return Ok(());
        }
        let class = self.class_name(class);
        let name = name.text();
        let place = self.place_in(&format!("{class}::{name}"), value);
        let message =
            format!("can not access non-shareable objects in constant {class}::{name} by non-main Ractor.{place}");
        Err(self.isolation_error(message))
    }

    /// Is the running frame one of the library's own code? What that keeps in constants it shares among Ractors.
    fn runs_internal_code(&self) -> bool {
        // SAFETY: the current frame is active, and so is its code.
        unsafe {
            self.fiber.frame.as_ref().and_then(|frame| frame.iseq.as_ref()).is_some_and(|iseq| iseq.code.internal)
        }
    }

    /// May the running Ractor set a constant to `value`?
    ///
    /// # Errors
    /// Ractor::IsolationError if not.
    pub(crate) fn check_new_constant(&mut self, name: Sym, value: Value) -> Res<()> {
        if !self.is_restricted() || is_shareable(self, value) {
            return Ok(());
        }
        let place = self.place_in(&name.text(), value);
        let message = format!("can not set constants with non-shareable objects by non-main Ractors{place}");
        Err(self.isolation_error(message))
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
        let place = self.place_in(&name, value);
        let message = format!("can not access class variables from non-main Ractors ({name} from {class}){place}");
        Err(self.isolation_error(message))
    }

    /// May the running Ractor set or remove a class variable of `class`?
    ///
    /// # Errors
    /// Ractor::IsolationError or FrozenError if not.
    pub fn check_new_cvar(&mut self, class: Class, name: Sym) -> Res<()> {
        if !self.is_restricted() {
            return self.check_frozen(class.0);
        }
        let class = self.class_name(class);
        let message = format!("can not access class variables from non-main Ractors ({} from {class})", name.text());
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
        if let Some(class) = Class::from_value(object) {
            let Some(value) = value else { return Ok(()) };
            if is_shareable(self, value) || is_hidden(name) {
                return Ok(());
            }
            let (class, name) = (self.class_name(class), name.text());
            let place = self.place_in(&name, value);
            return Err(self.isolation_error(format!(
                "can not get unshareable values from instance variables of classes/modules from non-main Ractors ({name} from {class}){place}"
            )));
        }
        self.check_shared_ivar(object, name)
    }

    fn check_shared_ivar(&mut self, object: Value, name: Sym) -> Res<()> {
        if object.is_type(Type::Data)
            && !ownership::is_frozen(object)
            && data::shared(object) == Some(data::Shared::Always)
            && !is_hidden(name)
        {
            let message = "can not access instance variables of shareable objects from non-main Ractors";
            return Err(self.isolation_error(message));
        }
        Ok(())
    }

    /// May the running Ractor set or remove the instance variable `name` of `object`?
    ///
    /// # Errors
    /// Ractor::IsolationError if not.
    #[cold]
    pub fn check_new_ivar(&mut self, object: Value, name: Sym) -> Res<()> {
        if !self.is_restricted() {
            return Ok(());
        }
        if Class::from_value(object).is_some() && !is_hidden(name) {
            return Err(self.isolation_error("can not set instance variables of classes/modules by non-main Ractors"));
        }
        self.check_shared_ivar(object, name)
    }

    /// Is the instance variable `name` of `object` one that may be removed here?
    ///
    /// # Errors
    /// FrozenError, Ractor::IsolationError.
    pub fn check_ivar_removal(&mut self, object: Value, name: Sym) -> Res<()> {
        self.check_frozen(object)?;
        self.check_new_ivar(object, name)
    }

    /// May the running Ractor have `v`?
    pub fn may_have(&mut self, v: Value) -> bool {
        !self.is_restricted() || is_shareable(self, v)
    }

    /// What is added to an error that `whole`, which the program calls `name`, is not shareable: which part of it is not.
    /// Nothing if that is the whole.
    pub(super) fn place_in(&mut self, name: &str, whole: Value) -> String {
        match way::search(self, whole, &is_unshareable_itself) {
            Some((way, end)) => format!(" ({name}{way} is a non-shareable {})", self.class_name_of(end)),
            None => String::new(),
        }
    }

    /// What is added to an error about `part`: where in `whole` it is. Nothing if it is the whole.
    pub fn place_of_part(&mut self, whole: Value, part: Value) -> String {
        match way::search(self, whole, &|v| v == part) {
            Some((way, _)) => format!(" (it is {way} of the {})", self.class_name_of(whole)),
            None => String::new(),
        }
    }
}
