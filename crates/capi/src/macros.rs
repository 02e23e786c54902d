//! `api!`, which makes the functions that are exported. `crates/capi/tests/headers.rs` reads its uses and writes their prototypes.

/// Functions for C. The first parameter is a name for the `Ec`; the body returns a `Result`. A line `/// C: …` in front of a
/// function is its prototype in the header, where that is not what the types say.
macro_rules! api {
    ($($(#[$meta:meta])* fn $name:ident($ec:ident $(, $arg:ident : $ty:ty)* $(,)?) $(-> $ret:ty)? $body:block)*) => {
        $(
            $(#[$meta])*
            ///
            /// # Safety
            /// Called by a function in C, with arguments as the header says.
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $name($($arg: $ty),*) $(-> $ret)? {
                let body = move |$ec: &mut asterism_vm::Ec| -> asterism_vm::Res<api!(@ $($ret)?)> { $body };
                // SAFETY: the caller's contract.
                unsafe { $crate::entry::enter(body) }
            }
        )*
    };
    (@) => { () };
    (@ $ret:ty) => { $ret };
}

/// Functions for C that are a call of a method: `fn name(receiver, arguments) = "method";`
macro_rules! methods {
    ($(fn $name:ident($recv:ident $(, $arg:ident)*) = $method:literal;)*) => {
        $(
            /// Calls the method.
            ///
            /// # Safety
            /// Called by a function in C, with arguments as the header says.
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $name($recv: asterism_object::Value $(, $arg: asterism_object::Value)*) -> asterism_object::Value {
                let body = move |ec: &mut asterism_vm::Ec| $crate::call::named(ec, $recv, $method, &[$($arg),*]);
                // SAFETY: the caller's contract.
                unsafe { $crate::entry::enter(body) }
            }
        )*
    };
}
