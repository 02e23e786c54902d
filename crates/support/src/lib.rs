//! Algorithms of Ruby's core classes that need no VM: bytes in, bytes out.
//!
//! Number formatting and parsing, `format`, random numbers, encodings, string algorithms, `pack`,
//! time arithmetic. Nothing here allocates a Ruby object or calls Ruby code; where CRuby would
//! call a conversion method, the function takes or returns an abstract value and the VM does it.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod case;
pub mod encoding;
pub mod error;
pub mod float_fmt;
pub mod float_round;
pub mod gcd;
pub mod inspect;
pub mod int;
pub mod int_parse;
pub mod long;
pub mod normalize;
pub mod pack;
pub mod profile;
pub mod random;
pub mod signal;
pub mod sprintf;
pub mod strutil;
pub mod time_fmt;

pub use encoding::Encoding;
pub use error::{Error, ErrorKind, Result};
pub use int::Int;
