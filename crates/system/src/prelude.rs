//! The part of this crate that is written in Ruby, as in `crates/core/src/prelude.rs`.

/// File name as frames show it, and text, of each source.
pub const PRELUDE: &[(&str, &str)] = &[
    ("<internal:thread>", include_str!("thread/thread.rb")),
    ("<internal:trace_point>", include_str!("tracepoint/tracepoint.rb")),
    ("<internal:ractor>", include_str!("ractor/ractor.rb")),
    ("<internal:fiber>", include_str!("fiber/fiber.rb")),
    ("<internal:scheduler>", include_str!("fiber/scheduler.rb")),
    ("<internal:io>", include_str!("io/io.rb")),
    ("<internal:dir>", include_str!("io/dir.rb")),
    ("<internal:io_buffer>", include_str!("io_buffer/io_buffer.rb")),
    ("<internal:argf>", include_str!("io/argf.rb")),
    ("<internal:env>", include_str!("env/env.rb")),
    ("<internal:gc>", include_str!("gc.rb")),
    ("<internal:process>", include_str!("process/process.rb")),
    ("<internal:late>", include_str!("load/late.rb")),
];
