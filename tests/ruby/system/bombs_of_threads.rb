# parallel: no, it measures how much memory the process takes
require_relative "_memory_bombs"

# Each thread of several asks for a part of what the VM may have, again and again: together they get no more than that.
def several(source)
  <<~RUBY
    Thread.report_on_exception = false
    8.times { Thread.new { loop { begin; #{source}; rescue NoMemoryError; end } } }
    sleep 0.4
    raise NoMemoryError
  RUBY
end

run_bombs(
  "a String" => several('s = "x" * 12_000_000; s << "y"'),
  "copies" => several('s = "x" * 8_000_000; s.dup << "x"'),
  "Arrays" => several("Array.new(1_000_000, 1)"),
  "IO::Buffers" => several("IO::Buffer.new(12_000_000).clear(1)"),
  "lines" => 'Thread.report_on_exception = false; Array.new(4) { Thread.new { File.open("/dev/zero") { _1.gets } } }.each(&:join)',
  "parts of large files" => several("File.open(Process.argv0) { _1.pread(12_000_000, 0) }"),
  "what is put back" => several('f = File.open("/dev/null"); f.ungetbyte("x" * 6_000_000); f.read(1)'),
)
# => done
