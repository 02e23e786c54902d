# parallel: no, it measures how much memory the process takes
# Machine code, which stays, is left out of what is measured.
# args: --jit=off
require_relative "_memory_bombs"

require "tempfile"
HUGE = Tempfile.create(["huge", ".so"]).path
File.truncate(HUGE, 600 << 20)
at_exit { File.delete(HUGE) }

run_bombs(
  "a long file" => "load #{HUGE.dump}",
  "a library" => "begin; require #{HUGE.dump}; rescue LoadError; end; raise NoMemoryError",
  "eval of lambdas" => 'i = 0; a = []; loop { a << eval("->{ x = [#{i += 1}, 2, 3]; x.map { |y| y + #{i} } }") }',
  "eval of nested patterns" => 's = "1"; 400.times { |i| s = "case #{i}\nin Integer then (#{s})\nend" }; a = []; loop { a << eval("->{#{s}}") }',
  "eval of one long source" => 'eval("x = [" + "1," * 30_000_000 + "]")',
  "eval of many patterns" => 'eval("case [1]\n" + "in [Integer => a, *] if a > 100 then 1\n" * 300_000 + "end")',
  "paths to load" => 'i = 0; loop { Object.autoload("Bomb#{i += 1}", "/no/such/path/#{"x" * 1000}#{i}") }',
  "deep Fibers" => 'def f(n) = Fiber.new { f(n + 1) }.resume; f(0)',
  "compression" => 'require "zlib"; a = []; loop { a << Zlib::Deflate.new }',
  "constants" => 'i = 0; loop { Object.const_set("Bomb#{i += 1}", i) }',
  "a YAML text" => 'require "yaml"; YAML.load("- a\n" * 20_000_000)',
  "deep YAML" => 'require "yaml"; YAML.load("[" * 10_000_000)',
  "a WeakMap" => 'm = ObjectSpace::WeakMap.new; i = 0; loop { m[i += 1] = i }',
  "backtraces" => 'a = []; f = ->(n) { n == 0 ? (a << caller_locations) : f.(n - 1) }; loop { f.(500) }',
)
# => done
