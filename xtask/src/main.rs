//! `cargo xtask`: the project's own checks, test runner and benchmark tables.

mod bench;
mod child;
mod cost;
mod dist;
mod expectation;
mod handlers;
mod order;
mod pgo;
mod regexps;
mod repo;
mod rust_source;
mod spec;
mod test;
mod tidy;

use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask COMMAND

  tidy                     check file lengths, module docs, paths in docs, crate order, statics, unsafe
  test [FILTER…]           run tests/ruby with their inline expectations
       --bin PATH          the Ruby to run (default: the release build)
       --gc-stress         collect at every allocation
       --parallel N        run each test in N threads of one process at once
       --programs          run benches/programs instead and compare with benches/expected
       --stress SECONDS    run tests/stress instead, each for so long
       --limit SECONDS     time limit for each test
  spec [TARGET…]           run ruby/spec; targets are folders or files of it (default: language core command_line)
       --spec PATH         a checkout of ruby/spec
       --mspec PATH        a checkout of ruby/mspec
       --bin PATH          the Ruby to run (default: the release build)
       --jobs N            processes at a time (default: all cores)
       --limit SECONDS     time limit for each file (default 60)
       --only TEXT         only examples whose description contains the text
       --gc-stress         collect at every allocation
       -v                  show what failed, with the messages
       --update            rewrite spec/tags (language) and spec/results.json (folders that were run whole)
       --save FILE         write the result of every example
       --compare FILE      name what broke and what got fixed since that --save
  bench [NAME…]            time the benchmark programs beside every other Ruby found
       --runs N            runs of each program (default 5)
       --out DIR           where to write bench.md and bench.json (default benches/results)
       --peer NAME=COMMAND another Ruby to compare with
       --bin PATH          our Ruby (default: the release build)
       --only TABLE        programs, iterators, parallel, process, stop, fiber or echo
       --threads N         threads in the parallel table (default: all cores)
  cost --without PATH      instructions of benches/cost's operations beside a binary without the ownership check
       --bin PATH          our Ruby (default: the release build)
       --most N            the difference that is too much (default 4)
  handlers                 look whether the interpreter's handlers go on by jumps
       --bin PATH          our Ruby (default: the release build)
  order [--bin PATH] [PROGRAM…]
                           write down which functions programs call (crates/cli/functions.txt), by callgrind
  regexps --peer COMMAND   compare random regexps with another Ruby (fuzz/regexp.rb, fuzz/regexp-differences.tsv)
       --bin PATH          our Ruby (default: the release build)
       --seconds N         begin no seed after so long (default 60)
       --seed N            the first one (default: the time)
       --count N           patterns a seed (default 2000)
       --limit SECONDS     time limit for a seed on one Ruby (default 300)
       --log FILE          where each seed adds a line (default target/regexps.log)
  pgo [--profile NAME]     build by what programs do (target/pgo/release/asterism); needs rustup's component llvm-tools
  dist                     make what users install: a tarball and a Debian package
       --bin PATH          the command to pack (default: the release build)
       --out DIR           where to write them (default target/dist)";

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let command = args.next().unwrap_or_default();
    let rest: Vec<String> = args.collect();
    let outcome = match command.as_str() {
        "tidy" => tidy::run(),
        "test" => test::run(&rest),
        "spec" => spec::run(&rest),
        "bench" => bench::run(&rest),
        "cost" => cost::run(&rest),
        "handlers" => handlers::run(&rest),
        "order" => order::run(&rest),
        "pgo" => pgo::run(&rest),
        "regexps" => regexps::run(&rest),
        "dist" => dist::run(&rest),
        "" | "help" | "-h" | "--help" => {
            println!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        other => Err(format!("unknown command {other}\n{USAGE}")),
    };
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::from(2)
        }
    }
}
