//! What the fuzz targets share: a VM with nothing that reaches outside of it, and the generator of programs.

pub mod generate;
mod grammar;
mod methods;
pub mod sandbox;
