//! TLS connections: what is read and written ([`exchange`]), what the library calls back ([`callbacks`]) and what takes more than one of its
//! functions ([`parts`]). The sockets are not blocking: Ruby waits for them, so that fibers and schedulers go on.

pub mod callbacks;
pub mod exchange;
pub mod parts;
