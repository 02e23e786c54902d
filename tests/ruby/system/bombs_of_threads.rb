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
  "large Integers" => several("1 << 100_000_000"),
  "differences of Integers" => several("a = 1 << 30_000_000; Array.new(9) { a - _1 }"),
  "what pipes have no room for" => several(<<~RUBY),
    out = IO.pipe[1]
    thread = Thread.new { 9.times { begin; out.write("x" * 4_000_000); rescue IOError; end } }
    9.times { Thread.pass; thread.raise(IOError) }
    thread.join
  RUBY
  "what is put back" => several('f = File.open("/dev/null"); f.ungetbyte("x" * 6_000_000); f.read(1)'),
)
# => done

# What a thread has freed is not kept for later beside what the others take.
run_bombs("endless files" => several('File.open("/dev/zero") { _1.read }'), limit: 64 << 20)
# => done

# Stacks are counted before they grow.
run_bombs(
  "threads that call deeply" => <<~RUBY,
    Thread.report_on_exception = false
    def deep(n) = n == 0 ? sleep : deep(n - 1) + 1
    loop { Thread.new { deep(3_000) } }
  RUBY
  "threads whose native code calls deeply" => <<~RUBY,
    Thread.report_on_exception = false
    deep = ->(n) { n == 0 ? sleep : [2, 1].sort { deep.(n - 1) } }
    loop { Thread.new { deep.(2_500) } }
  RUBY
  "fibers that call deeply" => <<~RUBY,
    def deep(n) = n == 0 ? Fiber.yield : deep(n - 1) + 1
    all = []
    loop { all << Fiber.new { deep(3_000) }.tap(&:resume) }
  RUBY
)
# => done
