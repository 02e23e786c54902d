# parallel: no, a VM has one measurement
require "coverage"
require "tmpdir"

def measured(source, *options, **keywords)
  Dir.mktmpdir do |dir|
    file = "#{dir}/measured.rb"
    File.write(file, source)
    keywords.empty? ? Coverage.start(*options) : Coverage.start(keywords)
    load file
    yield if block_given?
    Coverage.result[file]
  end
end

p Coverage.running?, Coverage.state
# => false
# => :idle
begin
  Coverage.result
rescue RuntimeError => e
  puts e.message # => coverage measurement is not enabled
end

# Lines, also of what never runs, and of what takes several.
source = <<~R
  def positive(x)
    if x > 0
      :yes
    else
      :no
    end
  end
  positive(
    1)
  3.times { |i|
    positive(-i)
  }
  begin
    raise "a"
  rescue
    positive(2)
  end
R
p measured(source) # => [1, 5, 2, nil, 3, nil, nil, 1, nil, 1, 3, nil, nil, 1, nil, 1, nil]
p measured(source, lines: true)[:lines].sum(&:to_i) # => 18
p measured(source, oneshot_lines: true) # => {oneshot_lines: [1, 8, 2, 3, 10, 11, 5, 14, 16]}

# Branches
source = <<~R
  def ways(x)
    if x == 1
      :one
    elsif x == 2
      :two
    end
    x += 1 while x < 10
    :never unless x
    case x
    when 10 then 1
    when 11, 12
      2
    end
    case x
    in Integer if x > 10 then 1
    else 2
    end
    nil&.foo { 1 }
    x > 1 ? 1 : 2
  end
  ways(1)
  ways(11)
R
measured(source, branches: true)[:branches].each { |key, value| puts "#{key} #{value}" }
# => [:if, 0, 2, 2, 6, 5] {[:then, 1, 3, 4, 3, 8] => 1, [:else, 2, 4, 2, 6, 5] => 1}
# => [:if, 3, 4, 2, 6, 5] {[:then, 4, 5, 4, 5, 8] => 0, [:else, 5, 4, 2, 6, 5] => 1}
# => [:while, 6, 7, 2, 7, 21] {[:body, 7, 7, 2, 7, 8] => 9}
# => [:unless, 8, 8, 2, 8, 17] {[:else, 9, 8, 2, 8, 17] => 2, [:then, 10, 8, 2, 8, 8] => 0}
# => [:case, 11, 9, 2, 13, 5] {[:when, 12, 10, 15, 10, 16] => 1, [:when, 13, 12, 4, 12, 5] => 1, [:else, 14, 9, 2, 13, 5] => 0}
# => [:case, 15, 14, 2, 17, 5] {[:in, 16, 15, 28, 15, 29] => 1, [:else, 17, 16, 7, 16, 8] => 1}
# => [:"&.", 18, 18, 2, 18, 10] {[:then, 19, 18, 2, 18, 10] => 0, [:else, 20, 18, 2, 18, 10] => 2}
# => [:if, 21, 19, 2, 19, 15] {[:then, 22, 19, 10, 19, 11] => 2, [:else, 23, 19, 14, 19, 15] => 0}

# Both ends of an ensure clause count as one.
source = <<~R
  def ensured
    yield
  ensure
    :failed if $!
  end
  ensured {}
  ensured { raise } rescue nil
R
p measured(source, branches: true, lines: true)
# => {lines: [1, 2, nil, 2, nil, 1, 2], branches: {[:if, 0, 4, 2, 4, 15] => {[:then, 1, 4, 2, 4, 9] => 1, [:else, 2, 4, 2, 4, 15] => 1}}}

# Methods: aliases are the method, a body can be that of several.
class Measured
  def inspect = "measured"
end
source = <<~R
  class Measured
    def one = 1
    alias uno one
    def self.two = 2
    define_method(:three) { 3 }
    def never; end
    body = proc { 4 }
    define_method(:four, &body)
    define_method(:five, &body)
  end
  2.times { Measured.new.one }
  Measured.new.uno
  Measured.two
  5.times { Measured.new.three }
  Measured.new.four
  6.times { Measured.new.five }
R
measured(source, methods: true)[:methods].map(&:inspect).sort.each { |line| puts line }
# => [[#<Class:Measured>, :two, 4, 2, 4, 18], 1]
# => [[Measured, :five, 7, 14, 7, 19], 6]
# => [[Measured, :four, 7, 14, 7, 19], 1]
# => [[Measured, :never, 6, 2, 6, 16], 0]
# => [[Measured, :one, 2, 2, 2, 13], 3]
# => [[Measured, :three, 5, 24, 5, 29], 5]

# eval
Coverage.start(lines: true, eval: true)
eval("1.then { }\n\n2.then { }\n", nil, "measured eval", 2)
eval("1.then { }\n2.then { }\n", nil, "measured eval 2", 0)
p Coverage.result
# => {"measured eval" => {lines: [nil, 1, nil, 1]}, "measured eval 2" => {lines: [1]}}

# Off and on again, and from 0 again.
source = <<~R
  def first = 1
  def second
    2
  end
R
Coverage.setup(lines: true)
p Coverage.state # => :suspended
Dir.mktmpdir do |dir|
  file = "#{dir}/suspended.rb"
  File.write(file, source)
  load file
  first
  Coverage.resume
  second
  p Coverage.peek_result[file] # => {lines: [0, 0, 1, nil]}
  p Coverage.result(stop: false, clear: true)[file] # => {lines: [0, 0, 1, nil]}
  Coverage.suspend
  second
  Coverage.resume
  first
  p Coverage.result[file] # => {lines: [0, 0, 0, nil]}
  # What was loaded before counts no more.
  Coverage.start
  second
  p Coverage.result # => {}
  p Coverage.line_stub(file) # => [0, 0, 0, nil]
end

# Threads and fibers count together.
source = <<~R
  def shared(x)
    if x.odd?
      1
    else
      2
    end
  end
R
n = GC.stress ? 20 : 2000
both = measured(source, :all) do
  threads = Array.new(4) { Thread.new { n.times { |i| shared(i) } } }
  fiber = Fiber.new { n.times { |i| shared(i); Fiber.yield } }
  n.times { fiber.resume }
  threads.each(&:join)
end
p both[:lines].map { |count| count && count > 1 ? count.fdiv(n) : count } # => [1, 5.0, 2.5, nil, 2.5, nil, nil]
p both[:branches].values[0].values.map { |count| count.fdiv(n) } # => [2.5, 2.5]
p both[:methods].values.map { |count| count.fdiv(n) } # => [5.0]

# What is refused
Coverage.start(lines: true)
[
  -> { Coverage.start },
  -> { Coverage.resume },
  -> { Coverage.result(stop: true, clear: true) && Coverage.suspend },
  -> { Coverage.start(lines: true, oneshot_lines: true) },
  -> { Coverage.setup(1) },
].each do |wrong|
  wrong.call
rescue RuntimeError, TypeError => e
  puts e.message
end
# => coverage measurement is already setup
# => coverage measurement is already running
# => coverage measurement is not running
# => cannot enable lines and oneshot_lines simultaneously
# => no implicit conversion of Integer into Hash
p Coverage.supported?(:branches), Coverage.supported?(:all)
# => true
# => false
