//! Passing the arguments of a native method on.

use asterism_vm::args::{CallArgs, Keywords};
use asterism_vm::{Args, Block};

/// Arguments as a native got them, from the `skip`th on, for a call.
pub fn forward(args: Args<'_>, skip: usize) -> CallArgs<'_> {
    let (argv, keywords) = args.split_keywords();
    CallArgs {
        argv: argv.get(skip..).unwrap_or_default(),
        keywords: keywords.map_or(Keywords::None, Keywords::Hash),
        block: args.block().unwrap_or(Block::NONE),
    }
}
