//! The exception classes that the VM knows.

macro_rules! exceptions {
    ($($name:ident < $parent:ident,)*) => {
        /// The exception classes that the implementation raises.
        #[allow(missing_docs)]
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[repr(usize)]
        pub enum Exc { Exception, $($name,)* }

        impl Exc {
            /// Each class with its superclass; parents come first.
            pub const ALL: &[(Exc, &'static str, Exc)] = &[$((Exc::$name, stringify!($name), Exc::$parent),)*];
            /// How many there are.
            pub const COUNT: usize = Exc::ALL.len() + 1;
        }
    };
}

exceptions! {
    NoMemoryError < Exception, ScriptError < Exception, LoadError < ScriptError,
    NotImplementedError < ScriptError, SyntaxError < ScriptError, SecurityError < Exception,
    SignalException < Exception, Interrupt < SignalException, SystemExit < Exception,
    SystemStackError < Exception, StandardError < Exception, ArgumentError < StandardError,
    UncaughtThrowError < ArgumentError, EncodingError < StandardError, FiberError < StandardError,
    IOError < StandardError, EOFError < IOError, IndexError < StandardError, KeyError < IndexError,
    StopIteration < IndexError, ClosedQueueError < StopIteration, LocalJumpError < StandardError,
    NameError < StandardError, NoMethodError < NameError, RangeError < StandardError,
    FloatDomainError < RangeError, RegexpError < StandardError, RuntimeError < StandardError,
    FrozenError < RuntimeError, SystemCallError < StandardError, ThreadError < StandardError,
    TypeError < StandardError, ZeroDivisionError < StandardError, NoMatchingPatternError < StandardError,
    NoMatchingPatternKeyError < NoMatchingPatternError,
}
