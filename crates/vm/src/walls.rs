//! What only the main VM may do: change the process, which all VMs share. Who makes another VM may let it have some of this, by name.

use asterism_object::class::Class;
use asterism_object::space::WellKnown;
use asterism_symbol::intern;

use crate::error::Exc;
use crate::{Ec, Res};

impl Ec {
    /// May this VM change the process by the method of that name? Only one that another VM has made may not.
    pub fn may_change_process(&self, method: &str) -> bool {
        self.vm().options.may_change.as_ref().is_none_or(|names| names.iter().any(|name| &**name == method))
    }

    /// To be called before the process is changed by the method of that name.
    ///
    /// # Errors
    /// RubyVM::IsolationError in a VM that another one has made, unless that one lets it.
    pub fn check_process(&mut self, method: &str) -> Res<()> {
        if self.may_change_process(method) {
            return Ok(());
        }
        let object = self.known(WellKnown::Object);
        let scope = self.own_constant(object, intern("RubyVM")).and_then(Class::from_value);
        let class = scope.and_then(|scope| self.own_constant(scope, intern("IsolationError")));
        let class = class.unwrap_or_else(|| self.exc_class(Exc::RuntimeError));
        Err(self.raise_class(class, format!("can not call {method}: only the main VM changes the process").as_bytes()))
    }
}
