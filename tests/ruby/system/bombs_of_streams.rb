# parallel: no, it measures how much memory the process takes
require_relative "_memory_bombs"

run_bombs(
  "a line without an end" => 'File.open("/dev/zero") { _1.gets }',
  "a file without an end" => 'File.open("/dev/zero") { _1.read }',
  "a large part of it" => 'File.open("/dev/zero") { _1.read(800 << 20) }',
  "the output of a command" => 'IO.popen("cat /dev/zero") { _1.read }',
  "what is put back" => 'r, = IO.pipe; loop { r.ungetbyte("x" * 100_000) }',
  "random bytes" => 'Random.bytes(7_900_000_000)',
  "Marshal" => 's = "x" * 1_000_000; Marshal.dump((1..1000).map { s })  + Marshal.dump((1..1000).map { s.dup })',
  "JSON" => 'require "json"; JSON.generate(["x" * 1_000_000] * 1000)',
  "Zlib" => 'require "zlib"; d = Zlib::Deflate.new; z = +""; 60.times { z << d.deflate("\0" * (1 << 20)) }; Zlib.inflate(z << d.finish)',
  "messages" => 'c = RubyVM::Channel.new; s = "x" * 100_000; loop { c.send(s + "y") }',
  "messages of many parts" => 'c = RubyVM::Channel.new; a = (1..1000).map { [_1] }; loop { c.send(a) }',
  "small messages" => 'c = RubyVM::Channel.new; loop { c.send("y") }',
  "a Queue" => 'q = Queue.new; loop { q << 1 }',
  "another VM" => 'RubyVM.new("in it", source: "a = []; loop { a << 1.to_s * 1000 }").start.value',
  "other VMs" => 'loop { RubyVM.new("in it") { sleep }.start }',
  "fibers" => 'a = []; loop { f = Fiber.new { Fiber.yield }; f.resume; a << f }',
  "threads" => 'a = []; loop { a << Thread.new { sleep } }',
  "a program" => 'eval("x = 1\n" * 2_000_000)',
  "ENV" => 'i = 0; loop { ENV["A#{i += 1}"] = "x" * 100_000 }',
  "File.join" => 'File.join(*(["x" * 1_000_000] * 1000))',
  "a path" => 'File.expand_path("a/" * 10_000_000) * 10',
  "an IO::Buffer" => 'IO::Buffer.new(1_000_000_000).clear(1)',
  "masked IO::Buffers" => 'b = IO::Buffer.new(20_000_000); m = IO::Buffer.for("abc"); a = []; loop { a << (b & m) }',
  "a hexdump" => 'b = IO::Buffer.new(20_000_000); b.hexdump(0, 20_000_000)',
  "YAML" => 'require "yaml"; YAML.load("- a\n" * 2_000_000)',
  "JSON of a graph" => 'require "json"; a = [1]; 40.times { a = [a, a] }; JSON.generate(a)',
  "StringIO" => 'require "stringio"; s = StringIO.new(+""); s.seek(1_000_000_000); s.write "x"',
)
# => done
